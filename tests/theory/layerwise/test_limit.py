"""The replay for all large beta and N at once, against float runs and the replay at single points."""

from fractions import Fraction

import numpy as np
import pytest

from derl.algorithms import layerwise_exploration
from derl.deployment import Deployer
from derl.exact.balls import Undecided
from derl.mdp import instances, planning
from derl.theory.layerwise import limit
from derl.theory.layerwise.limit import Scales, replay_limit
from derl.theory.reward_free.instances import coin

EPSILON = Fraction(1, 5)
SCALES = Scales(Fraction(25, 2), Fraction(1, 2000), Fraction(1, 100))
TRAP = instances.optimism_trap(exact=True)


@pytest.mark.parametrize("beta", [12.5, 40.0, 3000.0])
def test_float_runs_take_the_same_layers_and_lose_the_same(beta):
    limit = replay_limit(TRAP, EPSILON, SCALES, 421)
    deployer = Deployer(instances.optimism_trap(), int((2000 * beta) ** 2) + 1, 421, seed=1)
    outcome = layerwise_exploration(deployer, 0.2, 0.1, version="as-printed", beta=beta)
    assert tuple(record.layer for record in outcome.trace) == limit.layers
    assert [outcome.policy[0, 0], outcome.policy[1, 3]] == [limit.policy[0, 0], limit.policy[1, 3]] == [1, 0]  # s1, C
    assert planning.gap(instances.optimism_trap(), outcome.policy) == pytest.approx(0.24)
    assert limit.gap == Fraction(6, 25) and limit.deficit > Fraction(1, 5)


def test_a_narrower_range_of_batches_gives_the_same_run():
    narrow = Scales(Fraction(100), Fraction(1, 10**6), Fraction(1, 10**4))
    first, second = (replay_limit(TRAP, EPSILON, scales, 421) for scales in (SCALES, narrow))
    assert first.layers == second.layers and np.array_equal(first.policy, second.policy)
    assert first.deficit < second.deficit  # from below, and the narrower range knows more


def test_small_bonuses_and_small_batches_are_undecided():
    with pytest.raises(Undecided, match="capped"):
        replay_limit(TRAP, EPSILON, Scales(Fraction(12), Fraction(1, 2000), Fraction(1, 100)), 421)
    with pytest.raises(Undecided):
        replay_limit(TRAP, EPSILON, Scales(Fraction(25, 2), Fraction(1, 20), Fraction(1, 100)), 421)
    with pytest.raises(Undecided, match="after 5 deployments"):
        replay_limit(TRAP, EPSILON, SCALES, 5)


def test_the_repaired_backup_opens_the_trap():
    opened = replay_limit(TRAP, EPSILON, Scales(Fraction(40), Fraction(1, 2000), Fraction(1, 100)), 421, "repaired")
    assert opened.policy is None and opened.gap == 0


def interval(low, high):
    return Fraction(low), Fraction(high)


def test_what_is_known_of_one_over_n():
    """beta >= 5/2 and beta/sqrt N <= 1/10 make sqrt N >= 25."""
    assert Scales(Fraction(5, 2), Fraction(1, 10), Fraction(0)).largest_inverse == Fraction(1, 625)


@pytest.mark.parametrize("row, values, weight", [
    ([None, None], [(1, 1), (1, 1)], (0, 0)), ([("1/2", "1/2"), None], [(1, 1), (9, 9)], ("5/6", 1)),
    ([("1/2", "1/2"), ("1/4", "1/2")], [(0, 1), (1, 1)], ("5/17", 1)),
    ([("1/2", 1), None], [(-1, -1), (0, 0)], (-1, "-5/6"))])
def test_a_weight_lies_between_its_corners(row, values, weight):
    """(sum c V)/(sum c + x) with x from 0 to 1/10: (1/4)/(1/2 + 1/4 + 1/10) is 5/17."""
    row = [None if pair is None else interval(*pair) for pair in row]
    assert limit._weight(row, [interval(*pair) for pair in values], Fraction(1, 10)) == interval(*weight)


@pytest.mark.parametrize("version, feature, total, beta, horizon, value", [
    ("as-printed", 1, "1/2", 2, 3, ("6/5", "7/5")), ("repaired", 1, "1/2", 2, 3, ("6/5", "7/5")),
    ("repaired", 1, 2, 2, 3, ("6/5", "13/10")), ("as-printed", 1, "1/2", 2, 1, (1, 1)),
    ("as-printed", 1, 0, 2, 2, (2, 2)), ("repaired", 1, 0, 2, 2, (2, 2)), ("as-printed", "1/2", 0, 4, 2, (2, 2)),
    ("repaired", "1/2", 0, 4, 2, ("6/5", 2))])
def test_an_optimistic_value_by_hand(version, feature, total, beta, horizon, value):
    """Reward 1/5, weight 1 where the direction is explored; e_0 = 1/10 over the share, at most 1; b_0 outside."""
    scales = Scales(Fraction(beta), Fraction(1, 10), Fraction(0))
    totals, weight = [interval(total, total)], interval(1, 1) if total else interval(0, 0)
    found = limit._optimistic([Fraction(feature)], Fraction(1, 5), [weight], totals, horizon, scales, version)
    assert found == interval(*value)


def test_a_bonus_that_may_be_below_its_cap_is_undecided():
    scales = Scales(Fraction(2), Fraction(1, 10), Fraction(0))
    with pytest.raises(Undecided, match="capped"):
        limit._optimistic([Fraction(1)], Fraction(0), [interval(0, 0)], [interval(0, 0)], 3, scales, "repaired")


def test_the_batch_of_a_coin_by_hand():
    """One state with a fair coin, then two with one action: shares 1/2 up to the spread, one random transition."""
    mdp, spread = coin(), Fraction(1, 100)
    shares = np.full((2, 3, 3), None, dtype=object)
    policy = np.zeros((2, 3), dtype=int)
    new, n_random, missing = limit._deploy(mdp, policy, shares, 1, Scales(Fraction(2), Fraction(1, 10), spread))
    half = Fraction(49, 100), Fraction(51, 100)
    assert n_random == 1 and missing == 1
    assert new[0, 0].tolist() == [None, half, half]
    assert new[1, 0].tolist() == [None, None, half] and new[1, 2].tolist() == [None, None, half]
    again, _, missing = limit._deploy(mdp, policy, new, 2, Scales(Fraction(2), Fraction(1, 10), spread))
    assert again[0, 0, 1] == (2 * half[0], 2 * half[1]) and missing == 0
