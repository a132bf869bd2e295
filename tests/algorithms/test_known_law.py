"""Two deployments and blocks modulo a known law: guarantees at the theorem's N, what is deployed, and the protocol."""

import math

import numpy as np
import pytest

from derl import Deployer, LinearMDP, instances, planning
from derl.algorithms import InvalidParameter, known_law, known_law_block_exploration, two_deployment_exploration
from derl.algorithms.by_name import run_by_name
from derl.algorithms.known_law import designs_modulo, mean_features, mixture_of_starts, ordinary_designs
from derl.deployment.protocol import known_part
from derl.mdp.policies import InvalidPolicy, Mixture
from derl.theory.beyond import exchange, modulo

LOCK = instances.junk_lock(3, 6, (1, 2, 0, 1, 2), 0.25)
SIMPLEX = instances.random_simplex(n_states=5, n_actions=4, dim=3, horizon=4, seed=3)
BY_HAND = {"kappa": 0.3, "eta": 1e-9, "dummy": 1e-3}


def deployer(mdp, size, number=2, seed=0):
    return Deployer(mdp, size, number, "any", seed)


@pytest.mark.parametrize("mdp", [LOCK, SIMPLEX, instances.junk_lock(2, 8, 1, 0.25)], ids=("lock", "simplex", "d = 2"))
def test_at_the_theorems_size_the_plan_is_within_epsilon_and_says_so(mdp):
    found = run_by_name("two_deployment_exploration", mdp, 0.2, 0.1, seed=1)
    assert found.outcome.converged and found.deployer.deployments == found.outcome.deployments == 2
    assert planning.gap(mdp, found.policy) <= 0.2
    small = run_by_name("two_deployment_exploration", mdp, 0.2, 0.1, batch_size=1000, seed=1)
    assert not small.outcome.converged
    pooled = run_by_name("two_deployment_exploration", mdp, 0.2, 0.1, batch_size=found.deployer.batch_size, seed=1,
                         data="pooled")  # which no theorem covers
    assert not pooled.outcome.converged and planning.gap(mdp, pooled.policy) <= 0.2


def test_blocks_plan_for_every_reward_at_the_theorems_size():
    mdp, rng = SIMPLEX, np.random.default_rng(4)
    for first_layers, block, number in ((0, 3, 2), (1, 1, 3), (1, 2, 2)):
        found = run_by_name("known_law_block_exploration", mdp, 1.0, 0.1, seed=2, first_layers=first_layers,
                            block=block)
        assert found.outcome.converged and found.outcome.deployments == found.deployer.deployments == number
        for theta in (mdp.theta, *rng.random((5, mdp.horizon, mdp.dim))):
            other = LinearMDP(mdp.phi, mdp.mu, theta, mdp.initial, mdp.available)
            assert planning.gap(other, found.outcome.dataset.plan(theta)) <= 1.0


def test_few_trajectories_open_a_lock_with_two_digits_that_one_deployment_cannot():
    mdp = instances.junk_lock(2, 16, (0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1), 0.25)
    for seed in range(3):
        two = two_deployment_exploration(deployer(mdp, 4096, seed=seed), 0.1, 0.1, data="pooled")
        blocks = known_law_block_exploration(deployer(mdp, 4096, seed=seed), 0.1, 0.1, 0, 15, **BY_HAND)
        one = run_by_name("block_exploration", mdp, 0.1, 0.1, batch_size=4096, seed=seed, block=16, data="pooled")
        assert planning.gap(mdp, two.policy) < 1e-9 and planning.gap(mdp, blocks.policy) < 1e-9
        assert planning.gap(mdp, one.policy) == pytest.approx(0.25)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_with_a_bait_the_first_policy_has_to_go_first(d):
    digits = (1, 0, 1, 1)
    mdp = instances.junk_lock(d, 5, digits, 0.25)
    bait = np.zeros((5, mdp.n_states), int)
    bait[:2, 0] = 1, 1  # the first digit, then a wrong one
    batch = deployer(mdp, 100).deploy(bait)
    known = known_part(deployer(mdp, 100))
    means = mean_features(known, batch.visits)
    np.testing.assert_allclose(means[0], np.eye(d)[1])
    designs, g = designs_modulo(known, means)
    assert g == pytest.approx(max(1, d - 1), rel=0.11) and designs[0, 0, 1] == 0
    assert planning.occupancy(mdp, designs)[1].sum(axis=1)[0] == 0
    found = two_deployment_exploration(deployer(mdp, 4**8), 0.1, 0.1, data="pooled", first=bait)
    assert planning.gap(mdp, found.policy) < 1e-9


def test_the_mixture_dominates_every_policy():
    known = known_part(deployer(LOCK, 10))
    ordinary, _ = ordinary_designs(known)
    first = planning.occupancy(LOCK, ordinary)
    designs, g = designs_modulo(known, mean_features(known, first))
    code = np.zeros((6, LOCK.n_states), int)
    code[:5, 0] = 1, 2, 0, 1, 2
    for target in range(5):
        mixture, groups = mixture_of_starts((ordinary,), 0, ordinary, designs, ordinary, np.eye(5)[target], g)
        own = [i for i, group in enumerate(groups) if group == target]
        law = sum(mixture.weights[i] * planning.occupancy(LOCK, mixture.policies[i])[target].sum(axis=1) for i in own)
        assert sum(mixture.weights[i] for i in own) == pytest.approx(1)
        reached = planning.occupancy(LOCK, code)[target].sum(axis=1)
        assert (reached <= modulo.total_weight(g, target) * law + 1e-12).all()


def test_every_member_plays_the_first_policy_then_designs_then_an_ordinary_design():
    d_1, designs, ordinary, head = (np.full((4, 2, 3), x) for x in (1.0, 2.0, 3.0, 4.0))
    mixture, groups = mixture_of_starts((head, head), 1, d_1, designs, ordinary, np.array([0.25, 0.75]), 4.0)
    assert groups == (0, 0, 1, 1, 1)
    assert [member[:, 0, 0].tolist() for member in mixture.policies] == [
        [4, 3, 2, 2], [4, 3, 2, 2], [4, 2, 3, 2], [4, 2, 3, 2], [1, 1, 3, 2]]
    now, later = modulo.start_weights(4.0, 1)
    np.testing.assert_allclose(mixture.weights, [0.125, 0.125, *(0.75 * np.array([now / 2, now / 2, later])
                                                                 / (now + later))])


def test_groups_follow_their_own_policies_and_add_up():
    stay, leave = np.zeros((6, LOCK.n_states), int), np.zeros((6, LOCK.n_states), int)
    stay[0, 0], leave[0, 0] = 1, 2
    mixture = Mixture((stay, leave, stay), np.array([0.25, 0.5, 0.25]))
    first, second = deployer(LOCK, 10_000).deploy_in_groups(mixture, (0, 1, 0))
    assert first.batch_size + second.batch_size == 10_000 and abs(first.batch_size - 5000) < 300
    assert first.visits[0, 0, 1] == first.batch_size and second.visits[0, 0, 2] == second.batch_size
    again = deployer(LOCK, 10_000).deploy_in_groups(mixture, (0, 1, 0))
    np.testing.assert_array_equal(again[0].counts, first.counts)
    asked = deployer(LOCK, 10_000)
    asked.deploy_in_groups(mixture, (0, 1, 0))
    assert asked.deployments == 1 and len(asked.log) == 1
    empty = deployer(LOCK, 7).deploy_in_groups(Mixture((stay, leave), np.array([1.0, 0.0])), (0, 1))
    assert empty[1].batch_size == 0 and not empty[1].counts.any()


@pytest.mark.parametrize("call, word", [
    (lambda: deployer(LOCK, 10).deploy_in_groups(np.zeros((6, LOCK.n_states), int), (0,)), "Mixture"),
    (lambda: deployer(LOCK, 10).deploy_in_groups(Mixture((np.zeros((6, LOCK.n_states), int),), np.ones(1)), (1,)),
     "group"),
    (lambda: two_deployment_exploration(deployer(LOCK, 10, 1), 0.1, 0.1), "max_deployments is 1"),
    (lambda: two_deployment_exploration(deployer(LOCK, 10), 0.1, 0.1, data="all"), "data"),
    (lambda: known_law_block_exploration(deployer(LOCK, 10, 1), 0.1, 0.1, 0, 5), "2 are needed"),
    (lambda: known_law_block_exploration(deployer(LOCK, 10), 0.1, 0.1, 5, 1), "first_layers"),
    (lambda: known_law_block_exploration(deployer(LOCK, 10), 0.1, 0.1, 2, 4), "block")])
def test_what_cannot_be_run_is_refused_in_one_line(call, word):
    with pytest.raises(ValueError, match=word) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_first_policy_that_does_not_fit_is_refused_and_one_layer_needs_nothing():
    with pytest.raises(InvalidPolicy):
        two_deployment_exploration(deployer(LOCK, 10), 0.1, 0.1, first=np.zeros((2, 3), int))
    mdp = instances.random_simplex(n_states=3, n_actions=3, dim=2, horizon=1, seed=0)
    found = two_deployment_exploration(deployer(mdp, 10), 0.1, 0.1)
    assert found.deployments == 0 and planning.gap(mdp, found.policy) < 1e-12
    assert planning.gap(mdp, known_law_block_exploration(deployer(mdp, 10), 0.1, 0.1).policy) < 1e-12
    with pytest.raises(InvalidParameter):
        two_deployment_exploration(deployer(mdp, 10), 0.0, 0.1)


def test_the_scale_of_the_error_is_that_of_the_proof():
    """beta of two deployments holds for both of them: log(4 H/delta), not log(2 H/delta)."""
    mdp = instances.random_simplex(4, 3, 3, 4, seed=1)
    found = two_deployment_exploration(Deployer(mdp, 1000, 2, "any"), 0.1, 0.05)
    ridge = exchange.ridge(3, 4, 0.05, 1)
    assert found.beta == exchange.error_scale(3, ridge, math.log(4 * 4 / 0.05))


@pytest.mark.parametrize("data, seen", [("pooled", 2000), ("split", None)])
def test_pooled_data_are_those_of_both_deployments(monkeypatch, data, seen):
    given, made = [], known_law.BlockModel.of
    monkeypatch.setattr(known_law.BlockModel, "of", lambda known, counts, ridge: given.append(counts) or made(
        known, counts, ridge))
    two_deployment_exploration(deployer(SIMPLEX, 1000), 0.2, 0.1, data=data)
    totals = {int(layer.sum()) for layer in given[0]}
    assert totals == {seen} if seen else max(totals) < 1000 and min(totals) > 0
