"""One layer of a deployment: the law of the cube's layer, on tiny instances exactly; wrong samplers are rejected.

Level 1e-3 for the file, shared by its statistical tests; sample sizes and seeds are fixed here.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from chisquare import of_names
from scipy import stats

from derl import Deployer, instances, planning
from derl.deployment import CountSampler, InvalidDeployment, ProtocolViolation
from derl.deployment.layer_sums import draw_layer
from derl.deployment.sizes import CHUNK, LARGEST_EXACT
from derl.mdp import LinearMDP, Mixture

LEVEL = 1e-3 / 60
RUNS = 4000


def generator(*key):
    return np.random.default_rng(np.random.SeedSequence(23, spawn_key=key))


def streams(*key):
    return lambda *at: generator(*key, *at)


def turned(mdp):
    """The same MDP in other coordinates: features and measures with both signs, so that rows are formed."""
    turn = np.linalg.qr(generator(0).normal(size=(mdp.dim, mdp.dim)))[0]
    return LinearMDP(mdp.phi @ turn, turn.T @ mdp.mu, mdp.theta @ turn, mdp.initial)


# ---- N = 2, H = 3, S = 2, A = 2: the whole law of what is handed over

PHI = np.array([[[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [0, 1]]]] * 3)  # eighths, so that the law is rational
MU = np.array([[[0.25, 0.75], [1, 0]], [[0.5, 0.5], [0.125, 0.875]], [[0.75, 0.25], [0.375, 0.625]]])
TINY = LinearMDP(PHI, MU, np.zeros((3, 2)), np.array([0.375, 0.625]))
LEFT, CROOKED = np.zeros((3, 2), int), np.array([[0, 1], [1, 0], [1, 1]])
COIN = np.array([[[0.25, 0.75], [0.5, 0.5]], [[1.0, 0.0], [0.125, 0.875]], [[0.5, 0.5], [0.25, 0.75]]])
POLICIES = [CROOKED, COIN, Mixture((LEFT, CROOKED), [0.25, 0.75]), Mixture((CROOKED, COIN), [0.5, 0.5])]


def single(policy, layer):
    """Law of (s_1, s_h, a_h, s_{h+1}) of one trajectory, in rationals."""
    law = Counter()
    members = zip(policy.weights, policy.policies, strict=True) if isinstance(policy, Mixture) else [(1.0, policy)]
    for weight, member in members:
        rows = np.eye(2)[member] if member.ndim == 2 else member
        for first in (0, 1):
            here = {first: Fraction(float(weight)) * Fraction(float(TINY.initial[first]))}
            for h in range(layer):
                steps = Counter()
                for (s, p), a, t in product(here.items(), (0, 1), (0, 1)):
                    q = p * Fraction(float(rows[h, s, a])) * Fraction(float(PHI[h, s, a] @ MU[h][:, t]))
                    steps[t] += q
                    if h == layer - 1:
                        law[first, s, a, t] += q
                here = steps
    return Counter({key: p for key, p in law.items() if p})


def handed(walks):
    """What two trajectories leave behind, as a key: starts, visits, arrivals and moments."""
    starts, visits, moments = np.zeros(2, int), np.zeros((2, 2), int), np.zeros((2, 2))
    arrivals = np.zeros(2, int)
    for first, s, a, t in walks:
        starts[first] += 1
        visits[s, a] += 1
        arrivals[t] += 1
        moments[:, t] += PHI[0, s, a]
    return key(starts, visits, arrivals, moments)


def key(*arrays):
    return tuple(tuple(np.round(array, 6).ravel().tolist()) for array in arrays)


@cache
def law_of_two(number, layer):
    law = Counter()
    for (one, p), (two, q) in product(single(POLICIES[number], layer).items(), repeat=2):
        law[handed([one, two])] += p * q
    return law


CASES = [*product(range(4), (1, 2, 3), (False, True))]
QUICK = [(number, 3, bool(number % 2)) for number in range(4)]  # each value once


@pytest.mark.parametrize("number, layer, signed", [
    case if case in QUICK else pytest.param(*case, marks=pytest.mark.slow) for case in CASES])
def test_the_whole_law_of_two_trajectories(number, layer, signed):
    mdp, policy = turned(TINY) if signed else TINY, POLICIES[number]
    back = np.linalg.lstsq(mdp.phi[0].reshape(-1, 2), PHI[0].reshape(-1, 2), rcond=None)[0].T
    seen, rng = Counter(), generator(1, number, layer, signed)
    for _ in range(RUNS if number % 2 else RUNS // 4):
        sums = draw_layer(mdp, policy, 2, layer, lambda *at: rng)
        seen[key(sums.initial, sums.visits, sums.arrivals, back @ sums.moments)] += 1
    assert of_names(seen, law_of_two(number, layer)) > LEVEL
    assert of_names(seen, law_of_two((number + 1) % 4, layer)) < LEVEL  # the same test sees another policy


@pytest.mark.parametrize("n", [60, 10**6])
def test_the_law_is_that_of_the_cube(n):
    """Starts, visits, arrivals and moments against those of the cube; other shares are rejected."""
    mdp = instances.random_simplex(5, 3, 3, 3, seed=4)
    rng = generator(2, n)
    policy = Mixture((rng.integers(0, 3, (3, 5)), rng.dirichlet(np.ones(3), (3, 5))), [0.4, 0.6])
    sampler, layer, runs = CountSampler(mdp), 3, 1500
    found = {"cube": [], "layer": [], "wrong": []}
    wrong = Mixture(policy.policies, [0.5, 0.5])
    for _ in range(runs):
        counts = sampler.draw(rng, policy, n).counts
        found["cube"].append([counts[0].sum(axis=(1, 2))[0], counts[2, 1, 2].sum(), counts[2].sum(axis=(0, 1))[3],
                              *(mdp.phi[2].reshape(-1, 3).T @ counts[2].reshape(-1, 5))[:2, 1]])
        for name, which in (("layer", policy), ("wrong", wrong)):
            sums = draw_layer(mdp, which, n, layer, lambda *at: rng)
            found[name].append([sums.initial[0], sums.visits[1, 2], sums.arrivals[3], *sums.moments[:2, 1]])
    found = {name: np.array(rows, float) for name, rows in found.items()}
    p_values = [stats.ks_2samp(one, other).pvalue for one, other in zip(found["cube"].T, found["layer"].T, strict=True)]
    assert min(p_values) > LEVEL
    apart = np.cov(found["cube"].T) - np.cov(found["layer"].T)
    spread = np.sqrt(np.diag(np.cov(found["cube"].T)))
    assert (np.abs(apart) / np.outer(spread, spread)).max() < 6 / np.sqrt(runs / 2)
    if n > 60:
        assert min(stats.ks_2samp(one, other).pvalue
                   for one, other in zip(found["cube"].T, found["wrong"].T, strict=True)) < LEVEL


@pytest.mark.parametrize("n", [1, 40, 10**6, CHUNK, LARGEST_EXACT])
@pytest.mark.parametrize("signed", [False, True])
def test_every_trajectory_is_counted_once(n, signed):
    mdp = instances.random_simplex(300, 2, 3, 3, seed=0)
    mdp = turned(mdp) if signed else mdp
    policy = Mixture((np.zeros((3, 300), int), np.full((3, 300, 2), 0.5)), [0.25, 0.75])
    for layer in (1, 3):
        sums = draw_layer(mdp, policy, n, layer, streams(3))
        for counts in (sums.visits, sums.initial, sums.arrivals, sums.members):
            assert sum(counts.ravel().tolist()) == n and (counts >= 0).all()  # in Python integers
        expected = np.einsum("sa,sad->d", sums.visits.astype(float), mdp.phi[layer - 1])
        np.testing.assert_allclose(sums.moments.sum(axis=1), expected, rtol=1e-11, atol=1e-11 * n)
        assert sums.exact == (n <= CHUNK) and sums.layer == layer
    with pytest.raises(ValueError, match="read-only"):
        sums.moments[0, 0] = 1.0


@pytest.mark.parametrize("n", [10**3, 10**12, 10**18])
def test_visits_have_their_mean_and_spread(n):
    runs, mdp = 400, instances.random_simplex(4, 2, 3, 3, seed=1)
    policy = Mixture((np.zeros((3, 4), int), np.full((3, 4, 2), 0.5)), [0.5, 0.5])
    chance, rng = planning.occupancy(mdp, policy)[2], generator(4, n.bit_length())
    visits = np.stack([draw_layer(mdp, policy, n, 3, lambda *at: rng).visits for _ in range(runs)])
    z = (visits - n * chance) / np.sqrt(n * chance * (1 - chance))
    assert 2 * stats.norm.sf(abs(z.sum(axis=0)).max() / np.sqrt(runs)) * chance.size > LEVEL
    spread = stats.chi2(runs).cdf((z**2).sum(axis=0))
    assert 2 * np.minimum(spread, 1 - spread).min() * chance.size > LEVEL


def test_the_mean_is_the_mean():
    sums = draw_layer(TINY, COIN, 1000, 3, streams(5), mode="expected")
    wanted = Deployer(TINY, 1000, 1, "any", mode="expected").deploy_sums(COIN)
    np.testing.assert_allclose(sums.visits, wanted.visits[2], rtol=1e-12)
    np.testing.assert_allclose(sums.moments, wanted.moments[2], rtol=1e-12)
    np.testing.assert_allclose(sums.arrivals.sum(), 1000)
    assert not sums.exact and sums.mode == "expected"


def test_two_dask_workers_draw_what_one_machine_draws():
    distributed = pytest.importorskip("distributed")
    mdp = instances.random_simplex(600, 2, 3, 2, seed=0)
    policy = Mixture((np.zeros((2, 600), int), np.ones((2, 600), int)), [0.5, 0.5])
    alone = Deployer(mdp, 10**7, 1, "any", seed=3).deploy_layer(policy, 2)
    with (distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as both,
          distributed.Client(both) as client):
        def run(work, blocks):
            return client.gather(client.map(work, list(blocks), pure=False))

        together = Deployer(mdp, 10**7, 1, "any", seed=3).deploy_layer(policy, 2, run)
    for name in ("visits", "moments", "arrivals", "initial"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(together, name))


def test_a_layer_is_a_deployment_under_the_same_rules():
    deployer = Deployer(TINY, 50, 1, seed=1)
    with pytest.raises(ProtocolViolation, match="deterministic"):
        deployer.deploy_layer(COIN, 1)
    for layer in (0, 4, 1.5):
        with pytest.raises(InvalidDeployment, match="layer"):
            deployer.deploy_layer(CROOKED, layer)
    assert deployer.deploy_layer(CROOKED, 2).visits.sum() == 50 and deployer.trajectories == 50
    with pytest.raises(ProtocolViolation, match="all K"):
        deployer.deploy_layer(CROOKED, 1)
    with pytest.raises(InvalidDeployment, match="exact"):
        Deployer(TINY, 50, 2, mode="gaussian").deploy_layer(CROOKED, 1)


@pytest.mark.parametrize("sums", [(1.0, 1.0), (1.2, 0.7), (0.7, 1.2)])
def test_features_that_are_not_probabilities_lead_where_their_measures_say(sums):
    """Nonnegative features off the simplex: measures of any total mass, so that features do not add up to 1."""
    masses = np.array(sums)
    phi = np.tile(np.array([1 / 3, 2 / 3]) / masses, (3, 2, 1, 1))
    mdp = LinearMDP(phi, np.tile(np.diag(masses), (3, 1, 1)), np.zeros((3, 2)), np.array([0.5, 0.5]))
    runs, n = 300, 10**4
    rng, policy = generator(6, *(int(10 * mass) for mass in sums)), np.zeros((3, 2), int)
    visits = np.stack([draw_layer(mdp, policy, n, 3, lambda *at: rng).visits[:, 0]
                       for _ in range(runs)])
    z = (visits[:, 0].sum() - runs * n / 3) / np.sqrt(runs * n * 2 / 9)
    assert 2 * stats.norm.sf(abs(z)) > LEVEL
