"""Sums of a deployment: what they add up to, their compiled draws, and who draws them. Their law: `test_law`.

Level 1e-3 for the file, shared by its statistical tests; sample sizes and seeds are fixed here.
"""

import math

import numpy as np
import pytest
from chisquare import of_integers
from scipy import stats

from derl import Deployer, instances
from derl.deployment import InvalidDeployment, ProtocolViolation
from derl.deployment.sizes import CHUNK, LARGEST_EXACT
from derl.deployment.sums import Block, draw_block, draw_sums
from derl.inputs.compiled import COMPILED
from derl.mdp import Mixture

LEVEL = 1e-3 / 60
WAYS = [False] + [True] * COMPILED
compiled_only = pytest.mark.skipif(not COMPILED, reason="numba is not installed")


def generator(*key):
    return np.random.default_rng(np.random.SeedSequence(17, spawn_key=key))


def streams(seed):
    return lambda *at: generator(seed, *at)


MDP = instances.random_simplex(6, 3, 4, 3, seed=2)
SIGNED = instances.hexagon(3)  # features with both signs
WIDE = instances.random_simplex(300, 2, 3, 2, seed=0)  # blocks of rows, and rows with few trajectories


def policies(mdp):
    shape = mdp.phi.shape[:3]
    greedy = mdp.available.argmax(axis=2)
    uniform = mdp.available / mdp.available.sum(axis=2, keepdims=True)
    return {"deterministic": greedy, "stochastic": uniform.reshape(shape),
            "mixture": Mixture((greedy, uniform), [0.25, 0.75])}


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("kind", ["deterministic", "stochastic", "mixture"])
@pytest.mark.parametrize("n", [1, 40, 10**6, CHUNK, LARGEST_EXACT])
@pytest.mark.parametrize("mdp", [MDP, SIGNED, WIDE], ids=["simplex", "signed", "wide"])
def test_every_trajectory_is_counted_once_per_layer(mdp, n, kind, compiled):
    policy = policies(mdp)[kind]
    sums = draw_sums(mdp, policy, n, streams(0), compiled=compiled)
    assert [sum(layer.ravel().tolist()) for layer in sums.visits] == [n] * mdp.horizon  # in Python integers
    assert (sums.visits >= 0).all() and not sums.visits[~mdp.available].any()
    assert sums.exact == (n <= CHUNK) and sums.mode == "exact" and sums.initial.sum() == n
    expected = np.einsum("hsa,hsad->hd", sums.visits.astype(float), mdp.phi)
    np.testing.assert_allclose(sums.moments.sum(axis=2), expected, rtol=1e-12, atol=1e-12 * n)
    if kind == "mixture":
        assert sums.members.sum() == n
    with pytest.raises(ValueError, match="read-only"):
        sums.moments[0, 0, 0] = 1.0


@pytest.mark.parametrize("compiled", WAYS)
def test_who_arrives_is_who_leaves(compiled):
    """Features that end in a constant: their last moment is the number of arrivals."""
    chain = instances.tabular(generator(1).dirichlet(np.ones(5), (3, 5, 2)), np.zeros((3, 5, 2)), np.eye(5)[2])
    sums = draw_sums(chain, np.full((3, 5, 2), 0.5), 10**5, streams(1), compiled=compiled)
    np.testing.assert_array_equal(sums.moments.sum(axis=1)[:-1], sums.visits.sum(axis=2)[1:])


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("n, rows", [(1, 30_000), (3, 10_000), (10**6, 1), (CHUNK, 1), (10**18, 1)])
def test_arrivals_have_the_law_of_the_row(n, rows, signed, compiled):
    """300 next states, so that rows with few trajectories are walked, or go down the tree where features have signs.

    A row that is a little off is rejected.
    """
    phi = np.array([0.2, 0.5, 0.3])
    mu = WIDE.mu[0].copy()
    mu[:, 7], mu[:, 8] = 0.0, mu[:, 7] + mu[:, 8]  # an impossible state
    turn = np.array([[1.0, -2.0, 0.5], [0.0, 1.0, 3.0], [0.0, 0.0, 1.0]]) if signed else np.eye(3)
    block = Block(np.tile(phi @ turn, (rows, 1)), np.full(rows, n), np.linalg.inv(turn) @ mu,
                  generator(2, n.bit_length(), signed), compiled)
    following, moments = draw_block(block)
    np.testing.assert_allclose(moments, np.outer(phi @ turn, following), rtol=1e-9)
    assert following[7] == 0 and sum(following.tolist()) == n * rows
    p, wrong = phi @ mu, phi[::-1] @ mu

    def statistic(p):
        possible = p > 0
        expected = n * rows * p[possible]
        return stats.chi2(possible.sum() - 1).sf(float(((following[possible] - expected) ** 2 / expected).sum()))

    assert statistic(p) > LEVEL and statistic(wrong) < LEVEL**2


@compiled_only
@pytest.mark.parametrize("seed", range(5))
def test_guides_point_at_states_that_can_be_met(seed):
    from derl.deployment._walks import tables

    rng = generator(12, seed)
    mu = rng.random((4, 50)) ** 20 * (rng.random((4, 50)) < 0.3)
    mu[:, -1], mu[1] = 0.0, np.eye(50)[seed * 7]
    sums, guides = tables(mu)
    np.testing.assert_array_equal(sums, np.cumsum(mu, axis=1))
    places = sums[:, -1:] * (np.arange(50) / 50)
    for i in range(4):
        np.testing.assert_array_equal(guides[i], np.searchsorted(sums[i], places[i], side="right"))


@compiled_only
def test_walks_meet_their_coordinates_and_never_an_impossible_state():
    """Features at a corner, a measure with holes, and a probability that only rounding keeps from being 0."""
    mu = np.zeros((3, 400))
    mu[0, [0, 399]], mu[1, 5], mu[2, 200] = 0.5, 1.0, 1.0
    phi = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0], [1.0 - 1e-16, 0.0, 1e-16]])
    following, moments = draw_block(Block(np.repeat(phi, 2000, axis=0), np.full(8000, 3), mu, generator(13), True))
    assert set(np.flatnonzero(following)) == {0, 5, 399} and following.sum() == 24_000
    assert abs(following[5] - 9000) < 6 * math.sqrt(1500) and abs(following[0] - 7500) < 6 * math.sqrt(3750)
    assert moments.sum() == pytest.approx(24_000)


@compiled_only
def test_walks_meet_a_state_from_the_mass_on_at_which_it_is_possible():
    """Of three states two have less than 1e-15, one of them in each coordinate; all is so small that each is tried."""
    from derl.deployment._walks import SNAP, draw_few, tables

    phi, mu = np.array([[8e-16, 1.5e-15]]), np.array([[0.5, 0.0, 0.5], [0.0, 1.0, 0.2]])
    following, moments = np.zeros(3, dtype=np.int64), np.zeros((2, 3))
    draw_few(generator(14), phi, np.array([500]), mu, *tables(mu), following, moments)
    mass = phi[0] @ mu
    assert (mass < SNAP).tolist() == [True, False, True] and following.tolist() == [0, 500, 0]
    draw_few(generator(14), 2 * phi, np.array([500]), mu, *tables(mu), following, moments)
    assert (2 * mass < SNAP).tolist() == [True, False, False] and following[0] == 0 and following[2] > 50
    assert following.sum() == 1000, "the second call adds"
    assert moments.sum(axis=1) == pytest.approx(1500 * phi[0], rel=1e-9, abs=0)


@compiled_only
@pytest.mark.parametrize("n, p", [(1, 0.3), (9, 0.5), (300, 0.02), (21, 0.5), (50, 0.21), (200, 0.06), (1000, 0.5),
                                  (10**5, 0.4)])
def test_the_compiled_binomial_has_its_law(n, p):
    sample = binomials(n, p, 50_000, 3)
    assert of_integers(sample, stats.binom.pmf(np.arange(n + 1), n, p)) > LEVEL
    assert of_integers(sample, stats.binom.pmf(np.arange(n + 1), n, p * 1.04 if n > 1 else 0.32)) < LEVEL**2


@compiled_only
@pytest.mark.parametrize("n", [2**41, CHUNK, 10**18, LARGEST_EXACT])
@pytest.mark.parametrize("mean", [1.3, 12.3, 100.3])
def test_the_compiled_binomial_is_right_for_rare_events(n, mean):
    assert of_integers(binomials(n, mean / n, 30_000, 4), stats.poisson.pmf(np.arange(250), mean)) > LEVEL


@compiled_only
@pytest.mark.parametrize("n", [10**9, 10**15, 10**18, LARGEST_EXACT])
@pytest.mark.parametrize("p", [0.5, 0.31, 1e-4])
def test_the_compiled_binomial_is_bell_shaped_for_many(n, p):
    """Beyond 1e5 the law is the Gaussian up to less than this sample can tell; a wrong spread is seen."""
    sample = binomials(n, p, 30_000, 5)
    mean = math.floor(n * p)
    z = np.array([float(int(k) - mean) for k in sample]) / math.sqrt(n * p * (1 - p))
    assert stats.kstest(z, "norm").pvalue > LEVEL
    assert stats.kstest(1.1 * z, "norm").pvalue < LEVEL


@compiled_only
def test_the_density_of_the_compiled_binomial_is_the_binomial_one():
    from derl.deployment._sums import log_density

    for n, p in ((20, 0.5), (1000, 0.013), (10**6, 0.3)):
        k = np.unique(np.clip(np.linspace(0, n, 41).astype(int), 0, n))
        found = np.array([log_density(int(i), n, i - n * p, n * p, n * (1 - p)) for i in k])
        wanted = stats.binom.logpmf(k, n, p)
        np.testing.assert_allclose(found - found[20], wanted - wanted[20], rtol=1e-9, atol=1e-7)


def binomials(n, p, runs, seed):
    from derl.deployment._sums import binomial

    rng = generator(seed, n.bit_length(), round(p * 1e9))
    return np.array([binomial(rng, n, p, 1 - p) for _ in range(runs)])


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


@pytest.mark.parametrize("compiled", WAYS)
def test_actions_of_tiny_probability_are_taken_by_as_many_as_they_should(compiled):
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
    visits = draw_sums(MDP, policy, 10**18, streams(11), compiled=compiled).visits[0, :, other].sum()
    assert 350 < visits < 650  # 500 on average: both ends beyond six standard deviations


@pytest.mark.parametrize("compiled", WAYS)
def test_blocks_drawn_elsewhere_are_the_same(compiled):
    """In whatever order: every block has a stream of its own, and results come back in the order of the blocks."""
    def backwards(work, blocks):
        return [work(block) for block in list(blocks)[::-1]][::-1]

    policy = policies(WIDE)["stochastic"]
    here, there = (draw_sums(WIDE, policy, 10**9, streams(7), run=run, compiled=compiled) for run in (map, backwards))
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
