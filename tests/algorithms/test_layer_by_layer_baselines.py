"""FRANCIS and Simplified MOFFLE: every layer once, no bonus; what holds on every path, and where they fail."""

import numpy as np
import pytest

from derl import Deployer, instances, planning
from derl.algorithms import InvalidParameter, francis, moffle
from derl.algorithms.baselines.francis import direction, towards
from derl.algorithms.baselines.moffle import randomised
from derl.algorithms.dataset import best_response
from derl.deployment.protocol import known_part
from derl.estimation import fit
from derl.mdp.policies import Mixture
from derl.theory.comparison import quoted

EPSILON, DELTA = 0.5, 0.1
SIMPLEX = instances.random_simplex(6, 3, 3, 3, seed=2)
LOCK = instances.lock(3, 2, (1, 2), 0.25)


def worst_gap(mdp, dataset):
    rng = np.random.default_rng(np.random.SeedSequence(5))
    rewards = [mdp.theta, *rng.random((20, mdp.horizon, mdp.dim))]
    return max(planning.gap(mdp, dataset.plan(theta), theta=theta) for theta in rewards)


@pytest.mark.parametrize("mdp", [SIMPLEX, LOCK], ids=["simplex", "lock"])
def test_francis_serves_every_reward_at_the_size_of_its_theorem(mdp):
    """In directions kept for N episodes each, so that the theorem's episodes are a moment."""
    needed = quoted.francis_episodes(mdp.dim, mdp.horizon, EPSILON, DELTA)
    size = 2000
    runs = [francis(Deployer(mdp, size, mdp.horizon * (needed // size + 100), seed=seed), EPSILON, DELTA)
            for seed in (1, 1, 2)]
    assert runs[0].converged and runs[0].trajectories >= mdp.horizon * needed
    assert worst_gap(mdp, runs[0].dataset) <= EPSILON
    assert (runs[0].dataset.counts == runs[1].dataset.counts).all()
    assert (runs[0].dataset.counts != runs[2].dataset.counts).any()
    assert {record.layer for record in runs[0].trace} == set(range(1, mdp.horizon + 1))
    for h in range(mdp.horizon):
        found = [record.log_det for record in runs[0].trace if record.layer == h + 1]
        assert (np.diff(found) >= -1e-9).all()


def test_francis_plays_the_direction_and_not_its_length():
    known, rng = Deployer(SIMPLEX, 1, 1).known, np.random.default_rng(np.random.SeedSequence(3))
    counts = rng.integers(20, size=(3, 6, 3, 6))
    designs = [fit(phi, seen) for phi, seen in zip(known.phi, counts, strict=True)]
    differs = 0
    for _ in range(30):
        xi = rng.standard_normal(3)
        policy = towards(known, designs, 2, xi)
        for c in (1e-6, 1e6):
            np.testing.assert_array_equal(policy, towards(known, designs, 2, c * xi))
        rewards = np.zeros((3, 6, 3))
        rewards[2] = 100 * known.phi[2] @ xi
        differs += (best_response(known, designs, rewards, 1.0) != policy).any()  # a clip would see the length
    assert differs


def test_where_nothing_leads_a_direction_stays_unseen():
    mdp = instances.rare_state(0.0, 3, 0)
    found = francis(Deployer(mdp, 100, 10**4), EPSILON, DELTA, episodes=5000)
    visits = found.dataset.counts.sum(axis=3)
    assert not visits[:, 4].any() and (visits[1:].sum(axis=(1, 2)) >= 5000).all()


def test_far_too_few_episodes_fail():
    mdp = instances.lock(4, 3, (3, 2, 3), 0.5)
    found = francis(Deployer(mdp, 1, 8), EPSILON, DELTA)
    assert not found.converged and planning.gap(mdp, found.policy) > 0.2
    found = moffle(Deployer(mdp, 1, 10**4, "any", seed=1), EPSILON, DELTA, level=1.0)
    assert planning.gap(mdp, found.policy) > 0.2 > planning.gap(mdp, moffle(
        Deployer(mdp, 10**5, 10**4, "any"), EPSILON, DELTA).policy)


@pytest.mark.parametrize("b", [0.05, 0.3])
@pytest.mark.parametrize("mdp", [SIMPLEX, LOCK, instances.rare_state(0.01, 3, 1)], ids=["simplex", "lock", "rare"])
def test_moffle_keeps_the_potential_on_every_path_and_stops_where_all_is_covered(mdp, b):
    deployer = Deployer(mdp, 10**6, 10**4, "any", seed=1)
    found = moffle(deployer, EPSILON, DELTA, level=b)
    assert found.converged and found.deployments == deployer.deployments
    assert b > 0.1 or worst_gap(mdp, found.dataset) <= EPSILON
    for h in range(mdp.horizon):
        planner = [record for record in found.trace if record.layer == h + 1 and not record.cover]
        added = len(planner) - 1  # the last one only shows that it is enough
        assert 0.75 * b * added <= 2 * mdp.dim * np.log1p(added / mdp.dim)
        assert added <= quoted.moffle_policies(mdp.dim, b)
        assert all(record.statistic > 0.75 * b for record in planner[:-1]) and planner[-1].statistic <= 0.75 * b
        cover = next(record.policy for record in found.trace if record.layer == h + 1 and record.cover)
        assert isinstance(cover, Mixture) and len(cover.policies) == len(planner)
        # exactly: no policy meets more than b of uncertainty, up to noise
        gamma = np.eye(mdp.dim) + sum(planning.feature_covariance(mdp, record.policy)[h] for record in planner[:-1])
        values = np.where(mdp.available[h], np.einsum("sai,ij,saj->sa", mdp.phi[h], np.linalg.inv(gamma), mdp.phi[h]),
                          -np.inf).max(axis=1)
        for t in reversed(range(h)):
            values = np.where(mdp.available[t], mdp.transitions()[t] @ values, -np.inf).max(axis=1)
        assert mdp.initial @ values <= b


def test_what_is_not_allowed_is_named():
    with pytest.raises(InvalidParameter, match="simplex"):
        moffle(Deployer(instances.hexagon(3), 10, 100, "any"), EPSILON, DELTA)
    with pytest.raises(InvalidParameter, match="max_deployments"):
        francis(Deployer(LOCK, 10, 1), EPSILON, DELTA)


@pytest.mark.parametrize("h", [0, 1])
def test_the_cover_of_moffle_has_random_actions_in_its_layer_and_the_next(h):
    known = known_part(Deployer(instances.random_simplex(4, 3, 3, 4, seed=1), 1, 1, "any"))
    policy = np.arange(16).reshape(4, 4) % 3
    rows = randomised(known, policy, h)
    for layer in range(4):
        wanted = np.full((4, 3), 1 / 3) if layer in (h, h + 1) else np.eye(3)[policy[layer]]
        np.testing.assert_array_equal(rows[layer], wanted)


def test_the_random_direction_of_francis_has_the_inverse_of_sigma_as_its_covariance():
    """The map is linear: the images of the axes give the covariance of the image of a standard normal vector."""
    features = np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]])
    visits = np.array([5, 2, 1])
    design = fit(features[:, None], visits[:, None, None] * np.eye(3)[:, None])  # of three states with one action each
    images = np.stack([direction(design, axis) for axis in np.eye(3)], axis=1)
    sigma = np.eye(3) + features.T @ np.diag(visits) @ features
    np.testing.assert_allclose(images @ images.T, np.linalg.inv(sigma), rtol=1e-10)
