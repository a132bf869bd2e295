"""Exploration without reachability: its guarantee at its own N, what it cuts, and its protocol."""

import numpy as np
import pytest

from derl import Deployer, LinearMDP, instances, planning
from derl.algorithms import InvalidParameter, truncated_block_exploration
from derl.algorithms.run_defaults import Request, with_cuts
from derl.algorithms.truncated_exploration import cover, exploring
from derl.mdp.policies import validate
from derl.theory.beyond import truncation

RARE = [1e-1, 1e-6, 0.0]
BY_HAND = {"kappa": 0.3, "eta": 1e-9, "dummy": 1e-3}


def explored(mdp, block=1, size=None, seed=0, **options):
    size = size or truncation.batch_size(mdp.dim, mdp.horizon, block, 1, 0.1)
    parts = truncation.blocks(mdp.horizon, block)
    deployer = Deployer(mdp, size, max(len(parts), 1), "any", seed, "exact" if size < 2**63 else "gaussian")
    return truncated_block_exploration(deployer, 1.0, 0.1, block, **options), deployer


def cut_mass(mdp, model) -> float:
    """max over policies of the chance that a pair is cut on the way."""
    values = np.zeros(mdp.n_states)
    for h in reversed(range(len(model.layers))):
        moved = np.where(model.layers[h].kept, mdp.transitions()[h] @ values, 1.0)
        values = np.where(mdp.available[h] if mdp.available is not None else True, moved, -np.inf).max(axis=1)
    return float(mdp.initial @ values)


@pytest.mark.parametrize("p", RARE)
@pytest.mark.parametrize("block", [1, 2, 3])
def test_every_reward_at_the_theorems_size_whatever_can_be_reached(p, block):
    mdp = instances.rare_state(p, 4, 3)
    found, deployer = explored(mdp, block)
    assert found.converged and found.deployments == deployer.deployments == -(-3 // block)
    rng = np.random.default_rng(7)
    for theta in (mdp.theta, *rng.random((10, mdp.horizon, mdp.dim))):
        assert planning.gap(mdp, found.dataset.plan(theta), theta=theta) <= 1
    tau = truncation.truncation(mdp.dim, 4, block, 1, 0.1, deployer.batch_size).tau
    assert cut_mass(mdp, found.dataset.model) <= 2 * found.deployments * tau
    if p == 0:
        assert not found.dataset.model.layers[-1].kept[4].any()


@pytest.mark.parametrize("size, block, good", [(300, 1, True), (300, 6, False), (30_000, 6, True), (3_000, 3, True)])
def test_the_lock_at_moderate_size(size, block, good):
    mdp = instances.lock(3, 6, 1, 0.5)
    assert (planning.gap(mdp, explored(mdp, block, size, **BY_HAND)[0].policy) <= 0.1) == good


def test_the_same_seed_is_the_same_run_and_masks_are_respected():
    mdp = instances.compact_bandit(4, 4, 2, 0.25)
    one, two, other = (explored(mdp, 1, 5_000, seed, **BY_HAND)[0] for seed in (1, 1, 2))
    assert (one.dataset.model.start == two.dataset.model.start).all() and (one.policy == two.policy).all()
    assert any((a.design.operator != b.design.operator).any()
               for a, b in zip(one.dataset.model.layers, other.dataset.model.layers, strict=True))
    validate(mdp, one.policy)


def test_a_spanner_spans_every_policy_and_stops_by_its_rule():
    mdp = instances.random_simplex(4, 2, 3, 4, 2)
    model = explored(mdp, 3, 10**6, **BY_HAND)[0].dataset.model
    found = cover(model, 1e-9, 1e-3)
    assert len(found.policies) == 3 and found.replacements >= 3
    rng = np.random.default_rng(1)
    for policy in rng.integers(0, 2, size=(200, 3, 4)):
        assert np.abs(np.linalg.solve(found.columns, model.mean_features(policy))).max() <= 2.1


def test_where_nothing_is_reached_anything_is_played():
    mdp = instances.random_simplex(4, 2, 3, 4, 2)
    known = Deployer(mdp, 10, 1, "any").known
    policy, excess = exploring(known, (), (2, 3))
    assert policy.shape == (4, 4, 2) and excess <= 1.25 and np.allclose(policy.sum(axis=2), 1)
    found, _ = explored(mdp, 1, 2, kappa=1e-6, eta=1e-6, dummy=1e-3)  # everything is cut
    assert [record.n_policies for record in found.trace] == [0, 0, 0] and not found.dataset.model.layers[1].kept.any()


def test_one_layer_needs_no_data():
    mdp = instances.random_simplex(3, 2, 2, 1, 0)
    found, _ = explored(mdp, 1, 10)
    assert found.deployments == 0 and planning.gap(mdp, found.policy) == 0


def test_too_few_deployments_and_the_wrong_class():
    mdp = instances.rare_state(0.1, 4, 0)
    with pytest.raises(InvalidParameter, match="max_deployments is 2; there are 3 blocks"):
        truncated_block_exploration(Deployer(mdp, 10, 2, "any"), 1.0, 0.1)


def test_plans_take_available_actions_only_however_much_the_others_would_pay():
    base = instances.random_simplex(5, 3, 3, 3, seed=3)
    available = np.random.default_rng(5).random(base.phi.shape[:3]) < 0.6
    available[..., 0] |= ~available.any(axis=2)
    mdp = LinearMDP(base.phi, base.mu, base.theta, base.initial, available)
    found, _ = explored(mdp, size=10**12, **BY_HAND)
    everything = np.where(available, 0.0, 1.0)  # only what is closed would pay
    policy = found.dataset.plan_rewards(everything)
    validate(mdp, policy)
    for theta in np.random.default_rng(6).random((5, mdp.horizon, mdp.dim)):
        validate(mdp, found.dataset.plan(theta))


def test_what_is_cut_pays_nothing_in_a_plan():
    """Without rewards every action is as good, so the first one is taken: also where another of the state is cut."""
    found, _ = explored(instances.random_simplex(5, 3, 3, 3, seed=3), size=30, **BY_HAND)
    layers = found.dataset.model.layers
    assert any((layer.kept[..., :1] & ~layer.kept[..., 1:]).any() for layer in layers)
    assert not found.dataset.plan_rewards(np.zeros(found.dataset.known.phi.shape[:3])).any()


@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_a_run_by_name_has_the_size_of_the_theorem_unless_one_is_given_or_nothing_is_explored(horizon):
    mdp = instances.random_simplex(3, 2, 3, horizon, 1)
    asked = Request(mdp, 0.5, 0.1, None, {"block": 1})
    expected = None if horizon == 1 else truncation.batch_size(mdp.dim, horizon, 1, 0.5, 0.1)
    assert with_cuts(asked)[0].batch_size == expected
    assert with_cuts(Request(mdp, 0.5, 0.1, 7, {"block": 1}))[0].batch_size == 7
