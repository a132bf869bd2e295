"""Zhang et al. 2025: what its lemmas say, by exact dynamic programming, on instances with and without reachability."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl import Deployer, instances, planning
from derl.algorithms import InvalidParameter, zhang_2025
from derl.algorithms.baselines.zhang import evaluate_matrix, plan_bonus, quadratic
from derl.mdp.instances import rare_state
from derl.theory.comparison import zhang

EPSILON, DELTA = 0.5, 0.1
RARE = [1e-1, 1e-3, 1e-5, 0.0]


def explored(mdp, size=10**9, mode="exact", seed=0, **options):
    deployer = Deployer(mdp, size, mdp.horizon, "any", seed, mode)
    return zhang_2025(deployer, EPSILON, DELTA, **options), deployer


def worst_gap(mdp, dataset, n=20):
    rng = np.random.default_rng(np.random.SeedSequence(5))
    rewards = [mdp.theta, *rng.random((n, mdp.horizon, mdp.dim))]
    return max(planning.gap(mdp, dataset.plan(theta), theta=theta) for theta in rewards)


def cut_mass(mdp, dataset, h):
    """max over policies of the chance to be cut at layer h and not before."""
    values = np.where(mdp.available[h], dataset.layers[h].cut, -np.inf).max(axis=1).astype(float)
    for t in reversed(range(h)):
        moved = np.where(dataset.layers[t].cut, 0.0, np.einsum("sat,t->sa", mdp.transitions()[t], values))
        values = np.where(mdp.available[t], moved, -np.inf).max(axis=1)
    return float(mdp.initial @ values)


@pytest.mark.parametrize("p", RARE)
@pytest.mark.parametrize("size, mode", [(10**7, "exact"), (10**12, "exact"), (10**12, "expected")])
def test_every_reward_in_h_deployments_without_reachability(p, size, mode):
    mdp = rare_state(p, 3, 0)
    found, deployer = explored(mdp, size, mode)
    assert found.converged and found.deployments == deployer.deployments == mdp.horizon
    assert worst_gap(mdp, found.dataset) <= EPSILON and planning.gap(mdp, found.policy) <= EPSILON
    for h, layer in enumerate(found.dataset.layers):
        assert cut_mass(mdp, found.dataset, h) <= EPSILON / (8 * mdp.horizon**2)  # what is cut is rare
        squares = quadratic(mdp.phi[h], layer.matrix)
        assert (layer.weights * squares <= found.dataset.constants.f * (1 + 1e-9)).all()
        assert found.trace[h].cut == (layer.cut & mdp.available[h]).sum()  # what is not there is not cut
        if h and p <= 1e-5:
            assert layer.cut[4].any() and not layer.cut[:4].any()
    if p >= 0.1:
        assert not any(layer.cut.any() for layer in found.dataset.layers[1:])


@pytest.mark.parametrize("mdp", [instances.lock(3, 3, (1, 2, 0), 0.2), instances.random_simplex(9, 3, 4, 4, seed=1)],
                         ids=["lock", "simplex"])
def test_other_instances_and_the_seed(mdp):
    found, again, other = (explored(mdp, 10**8, seed=seed)[0] for seed in (1, 1, 2))
    assert found.converged and worst_gap(mdp, found.dataset) <= EPSILON
    assert (found.dataset.counts == again.dataset.counts).all() and (found.dataset.counts != other.dataset.counts).any()


def test_far_too_few_trajectories_fail():
    mdp = instances.lock(3, 3, (1, 2, 0), 0.5)
    assert planning.gap(mdp, explored(mdp, 1)[0].policy) > 0.4
    assert planning.gap(mdp, explored(mdp, 10**6)[0].policy) < 1e-9


def test_the_first_layer_is_one_design_that_is_not_planned():
    """Every field of the record of layer 1: one policy, nothing believed, no round of a matrix evaluation."""
    found, _ = explored(rare_state(1e-3, 3, 0), mode="expected")
    first, *later = found.trace
    assert (first.deployment, first.layer, first.n_policies, first.n_distinct) == (1, 1, 1, 1)
    assert (first.value, first.rounds, first.values) == (0.0, 0, ())
    for at, record in enumerate(later, 2):
        assert (record.deployment, record.layer, record.values[-1]) == (at, at, record.value)
        assert record.n_policies >= record.n_distinct >= 1 <= record.rounds
        assert len(record.values) == record.n_policies + 1  # one policy a plan, and the plan that ends it


def test_what_planning_believes_falls_in_the_exact_limit():
    found, _ = explored(rare_state(1e-3, 3, 0), mode="expected")
    for record in found.trace[1:]:
        assert (np.diff(record.values) <= 1e-12).all() and record.values[-1] <= found.dataset.constants.value
        assert record.rounds <= 10 * 4 * np.log(2 * found.dataset.constants.x / 1e-12 + 1)


@pytest.mark.parametrize("p", [0.5, 1e-2, 1e-5])
def test_the_matrix_evaluation_has_a_closed_form_for_two_directions(p):
    """Features e1 with probability 1 - p and e2 with p: the second entry is scaled by min(1, f L)."""
    constants = zhang.practical(2, 2, EPSILON, 10**9, 1000)
    features, start = np.eye(2), np.array([1 - p, p])
    found, rounds = evaluate_matrix(np.zeros((1, 2, 1, 2)), [], np.zeros((1, 2), int), start, constants, features)
    slack, level, expected = constants.zeta / (2 * constants.x), 1.0, 0
    while True:
        expected += 1
        entry = p * min(1.0, constants.f * level)
        if entry + slack >= level / 2:
            break
        level = entry
    np.testing.assert_allclose(found, np.diag([1 - p, entry]) + slack * np.eye(2), rtol=1e-12)
    assert rounds == max(expected, 1 if 1 - p >= 0.5 else 2)


def test_constants_and_their_couplings():
    found = zhang.literal(40, 40, 1 / 40, 0.1)
    assert found.can_cut and found.covers
    product = zhang.trajectories(40, 40, 1 / 40, 0.1) / (40.0**30 * 40**5 * np.log(1600 * 40 / 0.1))
    assert product == pytest.approx(2.048e18, rel=1e-3)
    assert 1e41 < zhang.trajectories(4, 4, 0.1, 0.1) < 1e43
    with pytest.raises(InvalidParameter, match="zeta is 1e-06"):  # so large that nothing would ever be cut
        explored(rare_state(0.0, 3, 0), zeta=1e-6)
    with pytest.raises(InvalidParameter, match="max_deployments"):
        zhang_2025(Deployer(rare_state(0.1, 3, 0), 10, 2, "any"), EPSILON, DELTA)


def test_where_nothing_lies_before_the_reward_the_best_available_action_is_taken():
    known = SimpleNamespace(available=np.array([[[True, False], [True, True]]]), phi=[])
    policy, value = plan_bonus(known, [], np.array([[0.2, 0.9], [0.1, 0.5]]), np.array([0.25, 0.75]))
    assert policy.tolist() == [[0, 1]] and value == pytest.approx(0.25 * 0.2 + 0.75 * 0.5)
