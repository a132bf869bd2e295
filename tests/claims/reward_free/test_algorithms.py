"""The listings of Algorithms 3 and 4: what they read before it is defined."""

from derl.claims.reward_free import algorithms


def test_the_listing_names_what_is_missing():
    found = algorithms.undefined_reads(algorithms.exploration_steps(2, 2, 1, repaired=False))
    assert ("Lambda_h^k", "phi") in found and ("Q_{h_k + 1} = V_{h_k + 1} = 0", "h") in found
    assert not algorithms.undefined_reads(algorithms.exploration_steps(3, 2, 2, repaired=True))
