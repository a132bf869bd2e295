"""What a batch holds: exact sums, a flow from layer to layer, nothing impossible; and sums of batches."""

import numpy as np
import pytest

from derl.deployment import LARGEST_EXACT, Batch, counts, deploy_counts
from derl.mdp import InvalidPolicy, LinearMDP, Mixture, instances, planning
from derl.mdp.policies import uniform

MDPS = {"simplex": instances.random_simplex(6, 3, 4, 4, seed=1),
        "template": instances.hard_template(3, 4, 2, 1, [0, 2, 1, 0], 0.1)}  # most actions do not exist


def generator(seed=0):
    return np.random.default_rng(np.random.SeedSequence(4, spawn_key=(seed,)))


def policies(mdp):
    first = mdp.available.argmax(axis=2)
    last = mdp.n_actions - 1 - mdp.available[..., ::-1].argmax(axis=2)
    return {"deterministic": last, "stochastic": uniform(mdp),
            "mixture": Mixture((first, last, uniform(mdp), first), [0.5, 0.25, 0.25, 0.0])}


@pytest.mark.parametrize("n", [1, 10**3, 10**15, 10**18, LARGEST_EXACT])
@pytest.mark.parametrize("kind", ["deterministic", "stochastic", "mixture"])
@pytest.mark.parametrize("name", MDPS)
def test_every_trajectory_is_counted_once_per_layer_and_where_it_can_be(name, kind, n):
    mdp = MDPS[name]
    batch = deploy_counts(mdp, policies(mdp)[kind], n, generator())
    assert batch.counts.dtype == np.int64 and (batch.counts >= 0).all()
    assert [sum(layer.ravel().tolist()) for layer in batch.counts] == [n] * mdp.horizon
    np.testing.assert_array_equal(batch.counts[1:].sum(axis=(2, 3)), batch.counts[:-1].sum(axis=(1, 2)))
    assert not batch.counts[mdp.transitions() == 0].any()
    assert not batch.initial[mdp.initial == 0].any() and batch.initial.sum() == n
    np.testing.assert_array_equal(batch.visits, batch.counts.sum(axis=3))
    if kind == "deterministic":
        chosen = np.eye(mdp.n_actions, dtype=bool)[policies(mdp)[kind]]
        assert not batch.visits[~chosen].any()
    if kind == "mixture":
        assert batch.members.sum() == n and batch.members[3] == 0
    else:
        assert batch.members is None
    assert batch.exact and batch.mode == "exact" and batch.batch_size == n


def test_an_unreachable_state_stays_empty_at_any_size():
    moves = np.zeros((2, 11, 1, 11))
    moves[:, :, 0, :10] = 0.1  # the last state is impossible: the cell that numpy's multinomial leaks into
    mdp = instances.tabular(moves, np.zeros((2, 11, 1)), np.append(np.full(10, 0.1), 0.0))
    batch = deploy_counts(mdp, np.zeros((2, 11), int), 10**18, generator(1))
    assert not batch.counts[..., 10].any() and not batch.visits[:, 10].any()


@pytest.mark.parametrize("kind", ["deterministic", "stochastic", "mixture"])
def test_the_same_seed_gives_the_same_bytes(kind):
    mdp = MDPS["simplex"]
    policy = policies(mdp)[kind]
    first, again, other = (deploy_counts(mdp, policy, 10**16, generator(seed)).counts for seed in (2, 2, 3))
    assert first.tobytes() == again.tobytes() != other.tobytes()


def test_large_mdps_and_blocks_of_members_draw_the_same(monkeypatch):
    """Rows that are not kept change nothing; members drawn one at a time lose nothing."""
    mdp = MDPS["simplex"]
    policy = policies(mdp)["deterministic"]
    kept = deploy_counts(mdp, policy, 10**6, generator(4))
    monkeypatch.setattr(counts, "TABLE", 0)
    monkeypatch.setattr(counts, "BLOCK", 0)
    np.testing.assert_array_equal(deploy_counts(mdp, policy, 10**6, generator(4)).counts, kept.counts)
    mixture = Mixture((policy,) * 5, np.full(5, 0.2))
    single = deploy_counts(mdp, mixture, 10**18, generator(5))
    assert single.counts.sum() == mdp.horizon * 10**18 and single.members.sum() == 10**18


def test_small_unsigned_actions_are_actions():
    mdp = MDPS["simplex"]
    policy = policies(mdp)["deterministic"]
    plain = deploy_counts(mdp, policy, 1000, generator(6)).counts
    for kind in (np.uint64, np.int8):
        batch = deploy_counts(mdp, policy.astype(kind), 1000, generator(6))
        np.testing.assert_array_equal(batch.counts, plain)


def test_a_sum_of_probabilities_that_is_not_quite_one_is_no_obstacle():
    mdp = MDPS["simplex"]
    skewed = uniform(mdp) * (1 + 9e-10)
    loose = LinearMDP(mdp.phi, mdp.mu * (1 - 5e-10), mdp.theta, mdp.initial * (1 + 9e-10))
    batch = deploy_counts(loose, skewed, 10**18, generator(7))
    assert batch.counts.sum(axis=(1, 2, 3)).tolist() == [10**18] * 4


@pytest.mark.parametrize("mode", ["gaussian", "expected"])
def test_approximate_batches_say_so(mode):
    mdp = MDPS["template"]
    for n in (1000, 10**25):
        batch = deploy_counts(mdp, policies(mdp)["mixture"], n, generator(8), mode=mode)
        assert (batch.exact, batch.mode, batch.batch_size) == (False, mode, n)
        assert batch.counts.dtype == np.float64
        np.testing.assert_allclose(batch.counts.sum(axis=(1, 2, 3)), float(n), rtol=1e-12)
        arrived, left = batch.counts[:-1].sum(axis=(1, 2)), batch.counts[1:].sum(axis=(2, 3))
        np.testing.assert_allclose(arrived, left, rtol=1e-12)
        assert not batch.counts[mdp.transitions() == 0].any() and (batch.counts >= 0).all()


def test_expected_counts_are_the_occupancies():
    mdp = MDPS["template"]
    policy = policies(mdp)["mixture"]
    batch = deploy_counts(mdp, policy, 10**25, generator(9), mode="expected")
    np.testing.assert_allclose(batch.visits / 1e25, planning.occupancy(mdp, policy), rtol=1e-12, atol=1e-15)


def test_a_batch_cannot_be_changed():
    batch = deploy_counts(MDPS["simplex"], policies(MDPS["simplex"])["deterministic"], 5, generator(10))
    with pytest.raises(ValueError, match="read-only"):
        batch.counts[0] = 0
    with pytest.raises(AttributeError):
        batch.batch_size = 6


def test_totals_are_exact_as_long_as_int64_holds_them():
    mdp = MDPS["simplex"]
    policy = policies(mdp)["deterministic"]
    batches = [deploy_counts(mdp, policy, 10**18, generator(11 + i)) for i in range(10)]
    total = Batch.total(batches[:9])
    assert (total.exact, total.mode, total.batch_size) == (True, "exact", 9 * 10**18)
    assert total.counts.dtype == np.int64
    assert (total.counts == sum(batch.counts.astype(object) for batch in batches[:9])).all()
    rest = deploy_counts(mdp, policy, 2**63 - 1 - 9 * 10**18, generator(21))
    total = Batch.total([*batches[:9], rest])
    assert (total.exact, total.batch_size) == (True, 2**63 - 1) and total.counts.dtype == np.int64
    total = Batch.total(batches)  # 1e19 > 2^63 - 1
    assert not total.exact and total.mode == "rounded" and total.counts.dtype == np.float64
    assert total.batch_size == 10**19
    exact = sum(batch.counts.astype(object) for batch in batches)
    np.testing.assert_allclose(total.counts, exact.astype(float), rtol=1e-15)


def test_totals_remember_approximate_batches():
    mdp = MDPS["simplex"]
    policy = policies(mdp)["deterministic"]
    exact, rough, mean = (deploy_counts(mdp, policy, 1000, generator(30), mode=mode)
                          for mode in ("exact", "gaussian", "expected"))
    assert Batch.total([exact]).exact and Batch.total([exact, exact]).visits.sum() == 2 * 4 * 1000
    assert (Batch.total([rough, rough]).exact, Batch.total([rough, rough]).mode) == (False, "gaussian")
    assert (Batch.total([exact, mean]).exact, Batch.total([exact, mean]).mode) == (False, "mixed")
    with pytest.raises(ValueError, match="at least one"):
        Batch.total([])


def test_a_policy_that_does_not_fit_is_refused():
    mdp = MDPS["template"]
    with pytest.raises(InvalidPolicy):
        deploy_counts(mdp, np.full((mdp.horizon, mdp.n_states), mdp.n_actions), 10, generator(31))
