"""Sums of a deployment: what they add up to, and who draws them. Their law: `test_law`.

Level 1e-3 for the file, shared by its statistical tests; sample sizes and seeds are fixed here.
"""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from derl import Deployer, instances
from derl.deployment import InvalidDeployment, ProtocolViolation
from derl.deployment.sizes import CHUNK, LARGEST_EXACT
from derl.deployment.sums import Block, draw_block, draw_sums
from derl.mdp import Mixture

LEVEL = 1e-3 / 60


def generator(*key):
    return np.random.default_rng(np.random.SeedSequence(17, spawn_key=key))


def streams(seed):
    return lambda *at: generator(seed, *at)


MDP = instances.random_simplex(6, 3, 4, 3, seed=2)
SIGNED = instances.hexagon(3)  # features with both signs
WIDE = instances.random_simplex(300, 2, 3, 2, seed=0)  # blocks of rows


def policies(mdp):
    shape = mdp.phi.shape[:3]
    greedy = mdp.available.argmax(axis=2)
    uniform = mdp.available / mdp.available.sum(axis=2, keepdims=True)
    return {"deterministic": greedy, "stochastic": uniform.reshape(shape),
            "mixture": Mixture((greedy, uniform), [0.25, 0.75])}


@pytest.mark.parametrize("kind", ["deterministic", "stochastic", "mixture"])
@pytest.mark.parametrize("n", [1, 40, 10**6, CHUNK, LARGEST_EXACT])
@pytest.mark.parametrize("mdp", [MDP, SIGNED, WIDE], ids=["simplex", "signed", "wide"])
def test_every_trajectory_is_counted_once_per_layer(mdp, n, kind):
    policy = policies(mdp)[kind]
    sums = draw_sums(mdp, policy, n, streams(0))
    assert [sum(layer.ravel().tolist()) for layer in sums.visits] == [n] * mdp.horizon  # in Python integers
    assert (sums.visits >= 0).all() and not sums.visits[~mdp.available].any()
    assert sums.exact == (n <= CHUNK) and sums.mode == "exact" and sums.initial.sum() == n
    expected = np.einsum("hsa,hsad->hd", sums.visits.astype(float), mdp.phi)
    np.testing.assert_allclose(sums.moments.sum(axis=2), expected, rtol=1e-12, atol=1e-12 * n)
    if kind == "mixture":
        assert sums.members.sum() == n
    with pytest.raises(ValueError, match="read-only"):
        sums.moments[0, 0, 0] = 1.0


def test_who_arrives_is_who_leaves():
    """Features that end in a constant: their last moment is the number of arrivals."""
    chain = instances.tabular(generator(1).dirichlet(np.ones(5), (3, 5, 2)), np.zeros((3, 5, 2)), np.eye(5)[2])
    sums = draw_sums(chain, np.full((3, 5, 2), 0.5), 10**5, streams(1))
    np.testing.assert_array_equal(sums.moments.sum(axis=1)[:-1], sums.visits.sum(axis=2)[1:])


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("n, rows", [(1, 30_000), (3, 10_000), (10**6, 1), (CHUNK, 1), (10**18, 1)])
def test_arrivals_have_the_law_of_the_row(n, rows, signed):
    """A row that is a little off is rejected."""
    phi = np.array([0.2, 0.5, 0.3])
    mu = WIDE.mu[0].copy()
    mu[:, 7], mu[:, 8] = 0.0, mu[:, 7] + mu[:, 8]  # an impossible state
    turn = np.array([[1.0, -2.0, 0.5], [0.0, 1.0, 3.0], [0.0, 0.0, 1.0]]) if signed else np.eye(3)
    block = Block(np.tile(phi @ turn, (rows, 1)), np.full(rows, n), np.linalg.inv(turn) @ mu,
                  generator(2, n.bit_length(), signed))
    following, moments = draw_block(block)
    np.testing.assert_allclose(moments, np.outer(phi @ turn, following), rtol=1e-9)
    assert following[7] == 0 and sum(following.tolist()) == n * rows
    p, wrong = phi @ mu, phi[::-1] @ mu

    def statistic(p):
        possible = p > 0
        expected = n * rows * p[possible]
        return stats.chi2(possible.sum() - 1).sf(float(((following[possible] - expected) ** 2 / expected).sum()))

    assert statistic(p) > LEVEL and statistic(wrong) < LEVEL**2


def test_the_mean_is_the_mean():
    policy = policies(MDP)["stochastic"]
    sums = draw_sums(MDP, policy, 1000, streams(6), mode="expected")
    occupied = MDP.initial * 1000.0
    for h in range(MDP.horizon):
        counts = (occupied[:, None] * policy[h])[..., None] * MDP.transitions()[h]
        np.testing.assert_allclose(sums.visits[h], counts.sum(axis=2), rtol=1e-12)
        np.testing.assert_allclose(sums.moments[h], np.einsum("sad,sat->dt", MDP.phi[h], counts), rtol=1e-10)
        occupied = counts.sum(axis=(0, 1))
    assert not sums.exact and sums.mode == "expected"


def test_actions_of_tiny_probability_are_taken_by_as_many_as_they_should():
    """Below 1e-15 only next states are impossible, which rounding may have made; a policy means what it says."""
    rare = 5e-16
    policy = policies(MDP)["stochastic"]
    first = int(MDP.available[0, 0].argmax())
    policy[..., :] = 0
    for h in range(MDP.horizon):
        for s in range(MDP.n_states):
            policy[h, s, MDP.available[h, s].argmax()] = 1
    other = int(np.flatnonzero(MDP.available[0, 0] & (np.arange(MDP.n_actions) != first))[0])
    policy[0, :, first], policy[0, :, other] = 1 - rare, rare
    visits = draw_sums(MDP, policy, 10**18, streams(11)).visits[0, :, other].sum()
    assert 350 < visits < 650  # 500 on average: both ends beyond six standard deviations


def test_blocks_drawn_elsewhere_are_the_same():
    """In whatever order: every block has a stream of its own, and results come back in the order of the blocks."""
    def backwards(work, blocks):
        return [work(block) for block in list(blocks)[::-1]][::-1]

    policy = policies(WIDE)["stochastic"]
    here, there = (draw_sums(WIDE, policy, 10**9, streams(7), run=run) for run in (map, backwards))
    np.testing.assert_array_equal(here.visits, there.visits)
    np.testing.assert_array_equal(here.moments, there.moments)


def test_two_dask_workers_draw_what_one_machine_draws():
    distributed = pytest.importorskip("distributed")
    policy = policies(WIDE)["deterministic"]
    alone = Deployer(WIDE, 10**7, 1, seed=3).deploy_sums(policy)
    with (distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as both,
          distributed.Client(both) as client):
        def run(work, blocks):
            return client.gather(client.map(work, list(blocks), pure=False))

        together = Deployer(WIDE, 10**7, 1, seed=3).deploy_sums(policy, run)
    np.testing.assert_array_equal(alone.visits, together.visits)
    np.testing.assert_array_equal(alone.moments, together.moments)


def test_sums_are_deployments_under_the_same_rules():
    deployer = Deployer(MDP, 50, 2, seed=1)
    policy = policies(MDP)["deterministic"]
    with pytest.raises(ProtocolViolation, match="deterministic"):
        deployer.deploy_sums(policies(MDP)["stochastic"])
    first, second = deployer.deploy_sums(policy), deployer.deploy_sums(policy)
    assert deployer.deployments == 2 and deployer.trajectories == 100 and deployer.log[0].exact
    assert (first.moments != second.moments).any()
    with pytest.raises(ProtocolViolation, match="all K"):
        deployer.deploy_sums(policy)
    again = Deployer(MDP, 50, 2, seed=1)
    again.deploy(policy)  # a deployment does not depend on what earlier ones consumed
    np.testing.assert_array_equal(again.deploy_sums(policy).moments, second.moments)
    with pytest.raises(InvalidDeployment, match="exact"):
        Deployer(MDP, 50, 2, mode="gaussian").deploy_sums(policy)


def test_every_layer_purpose_and_block_of_rows_has_a_stream_of_its_own():
    deployer = Deployer(MDP, 50, 2)
    places = list(product((1, 2), (1, 2), (0, 1), (0, 1)))  # deployment, layer, purpose, block
    assert len({int(deployer._stream(*place).integers(2**62)) for place in places}) == len(places)
