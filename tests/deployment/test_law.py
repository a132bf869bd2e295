"""The counts have the joint law of N simulated trajectories; wrong samplers are rejected by the same tests.

Twice: for N = 2 against the whole law, enumerated in rationals; for N = 60 against the trajectory sampler. Sums take
the same tests: with one-hot features their moments are the counts.
Level 1e-3 for the file, shared by its statistical tests; sample sizes and seeds are fixed here.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from chisquare import of_names
from scipy import stats

from derl.deployment.counts import CountSampler
from derl.deployment.sizes import safe_multinomial
from derl.deployment.sums import draw_sums
from derl.deployment.trajectories import counts_of, sample
from derl.mdp import Mixture, instances, planning

LEVEL = 1e-3 / 60  # statistical assertions in this file
SMALL_RUNS, RUNS, N = 2000, 2000, 60


def generator(*key):
    return np.random.default_rng(np.random.SeedSequence(3, spawn_key=key))


def cube(mdp):
    """A function (rng, policy, n) -> counts, drawn with every transition."""
    sampler = CountSampler(mdp)
    return lambda rng, policy, n: sampler.draw(rng, policy, n).counts


def from_sums(mdp):
    """The same from sums, for features that are the unit vectors."""
    assert (mdp.phi.reshape(mdp.horizon, -1, mdp.dim) == np.eye(mdp.dim)).all()

    def draw(rng, policy, n):
        sums = draw_sums(mdp, policy, n, lambda *at: rng)
        counts = sums.moments.reshape(*mdp.phi.shape[:3], mdp.n_states)
        np.testing.assert_array_equal(counts.sum(axis=3), sums.visits)
        return counts.astype(np.int64)

    return draw


WAYS = {"cube": cube, "sums": from_sums}


# ---- N = 2, H = 2, S = 2, A = 2: the whole law

def eighths(*numbers):
    return [Fraction(number, 8) for number in numbers]


START = eighths(3, 5)
MOVES = [[[eighths(1, 7), eighths(6, 2)], [eighths(8, 0), eighths(3, 5)]],  # MOVES[h][s][a][s']
         [[eighths(4, 4), eighths(7, 1)], [eighths(2, 6), eighths(0, 8)]]]
SMALL = instances.tabular(np.array(MOVES, float), np.zeros((2, 2, 2)), np.array(START, float))
LEFT, RIGHT = np.zeros((2, 2), int), np.ones((2, 2), int)
CROOKED = np.array([[0, 1], [1, 0]])
COIN = np.array([[[0.25, 0.75], [0.5, 0.5]], [[1.0, 0.0], [0.125, 0.875]]])
MIXED = Mixture((LEFT, RIGHT), [0.25, 0.75])
BOTH_KINDS = Mixture((CROOKED, COIN), [0.5, 0.5])


def members(policy):
    """Weights and action probabilities of the members, in rationals."""
    if isinstance(policy, Mixture):
        pairs = zip(policy.weights, policy.policies, strict=True)
        return [(Fraction(weight), rows) for weight, member in pairs for _, rows in members(member)]
    rows = np.eye(2)[policy] if policy.ndim == 2 else policy
    return [(Fraction(1), [[[Fraction(x) for x in state] for state in layer] for layer in rows])]


def per_step(policy):
    """The wrong reading of a mixture: one stochastic policy with the averaged action probabilities."""
    mixed = members(policy)
    return [(Fraction(1), [[[sum(w * rows[h][s][a] for w, rows in mixed) for a in (0, 1)] for s in (0, 1)]
                           for h in (0, 1)])]


def one_trajectory(mixed):
    """Law of the transitions ((s, a, s') at layer 1, (s, a, s') at layer 2) of one trajectory."""
    law = Counter()
    for weight, rows in mixed:
        for s, a, t, b, u in product((0, 1), repeat=5):
            law[(s, a, t), (t, b, u)] += (weight * START[s] * rows[0][s][a] * MOVES[0][s][a][t]
                                          * rows[1][t][b] * MOVES[1][t][b][u])
    return law


def two_trajectories(single):
    """Law of the counts of two independent trajectories: per layer, the sorted pair of transitions."""
    law = Counter()
    for (left, p), (right, q) in product(single.items(), repeat=2):
        if p * q:
            law[tuple(tuple(sorted(pair)) for pair in zip(left, right, strict=True))] += p * q
    return law


def independent_layers(law):
    """The wrong law: the same law at each layer, but layers independent of each other."""
    first, second = Counter(), Counter()
    for (one, two), p in law.items():
        first[one] += p
        second[two] += p
    return Counter({(one, two): p * q for (one, p), (two, q) in product(first.items(), second.items())})


def drawn(policy, seed, way):
    """Empirical law of the counts over SMALL_RUNS deployments of N = 2."""
    draw, seen = WAYS[way](SMALL), Counter()
    rng = generator(0, seed)
    for _ in range(SMALL_RUNS):
        counts = draw(rng, policy, 2)
        where = np.argwhere(counts)
        pairs = [[], []]
        for (h, s, a, t), n in zip(where.tolist(), counts[tuple(where.T)], strict=True):
            pairs[h] += [(s, a, t)] * int(n)
        seen[tuple(map(tuple, pairs))] += 1
    return seen


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number, policy", list(enumerate([CROOKED, COIN, MIXED, BOTH_KINDS])))
def test_the_whole_law_of_two_trajectories(number, policy, way):
    law = two_trajectories(one_trajectory(members(policy)))
    seen = drawn(policy, number, way)
    assert of_names(seen, law) > LEVEL
    assert of_names(seen, independent_layers(law)) < LEVEL**2
    mixed_per_step = two_trajectories(one_trajectory(per_step(policy)))
    if isinstance(policy, Mixture):
        assert of_names(seen, mixed_per_step) < LEVEL**2
    else:
        assert mixed_per_step == law  # for one policy there is nothing to mix


# ---- N = 60: against simulated trajectories, in a chain that remembers where it began

def sticky(horizon=4, n_states=3, n_actions=2):
    rng = generator(1)
    noise = rng.dirichlet(np.ones(n_states), (horizon, n_states, n_actions))
    moves = 0.75 * np.eye(n_states)[:, None] + 0.25 * noise
    return instances.tabular(moves, np.zeros(moves.shape[:3]), np.full(n_states, 1 / n_states))


STICKY = sticky()
POLICIES = tuple(generator(2).integers(0, 2, (3, 4, 3)))
STOCHASTIC = generator(3).dirichlet([1, 1], (4, 3))
MIXTURE = Mixture((*POLICIES, STOCHASTIC), [0.3, 0.3, 0.2, 0.2])


def features(counts):
    """Three pairs of numbers that tie layers together, (runs, 3, 2), from counts (runs, H, S, A, S)."""
    states = counts.sum(axis=(3, 4))
    pairs = [(states[:, 0, 0], states[:, -1, 0]),
             (counts[:, 0, 1, :, 1].sum(axis=1), counts[:, -1, 1, :, 1].sum(axis=1)),
             (counts[:, 1, 2].sum(axis=(1, 2)), counts[:, 2, :, 0].sum(axis=(1, 2)))]
    return np.stack([np.stack(pair, axis=1) for pair in pairs], axis=1)


def by_counts(policy, seed, way):
    draw, rng = WAYS[way](STICKY), generator(4, seed)
    return features(np.stack([draw(rng, policy, N) for _ in range(RUNS)]))


def by_trajectories(policy, seed, **options):
    """All runs in one simulation: trajectory i belongs to run i // N."""
    paths = sample(STICKY, policy, RUNS * N, generator(5, seed), **options)
    shape = (RUNS, STICKY.horizon, 3, 2, 3)
    counts = np.zeros(shape, np.int64)
    run = np.repeat(np.arange(RUNS), N)
    for h in range(STICKY.horizon):
        np.add.at(counts, (run, h, paths.states[:, h], paths.actions[:, h], paths.states[:, h + 1]), 1)
    return features(counts)


def by_independent_layers(policy, seed):
    """The wrong sampler: every layer drawn from its own marginal law."""
    joint = planning.occupancy(STICKY, policy)[..., None] * STICKY.transitions()
    rows = safe_multinomial(generator(6, seed), np.full((RUNS, 1), N), joint.reshape(1, STICKY.horizon, -1))
    return features(rows.reshape(RUNS, STICKY.horizon, 3, 2, 3))


def same_law(left, right):
    """p-values of the two-sample chi-square test for each pair, binned by its common quintiles."""
    pvalues = []
    for j in range(left.shape[1]):
        codes = []
        edges = [np.unique(np.quantile(np.concatenate([left[:, j, k], right[:, j, k]]), [0.2, 0.4, 0.6, 0.8]))
                 for k in (0, 1)]
        for side in (left, right):
            first, second = (np.searchsorted(edges[k], side[:, j, k]) for k in (0, 1))
            codes.append(np.bincount(first * 5 + second, minlength=25))
        table = np.array(codes)
        pvalues.append(stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue)
    return np.array(pvalues)


@pytest.mark.parametrize("number, policy", list(enumerate([POLICIES[0], STOCHASTIC, MIXTURE])))
def test_counts_and_trajectories_have_the_same_joint_law(number, policy):
    reference = by_trajectories(policy, number)
    for way in WAYS:
        assert (same_law(by_counts(policy, number, way), reference) > LEVEL).all()
    assert (same_law(by_independent_layers(policy, number), reference) < LEVEL**2).any()


def test_a_trajectory_keeps_its_policy_to_the_end():
    """Of two policies with constant actions, each action is taken equally often at every layer."""
    constant = Mixture((np.zeros((4, 3), int), np.ones((4, 3), int)), [0.4, 0.6])
    batch = CountSampler(STICKY).draw(generator(7), constant, 10**15)
    assert (batch.visits.sum(axis=1) == batch.members).all()
    paths = (sample(STICKY, constant, 1000, generator(8), mix_each_step=mix) for mix in (False, True))
    right, wrong = (counts_of(walks, 3, 2).sum(axis=(1, 3)) for walks in paths)
    assert (right == right[0]).all() and not (wrong == wrong[0]).all()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n", [10**3, 10**12, 10**15, 10**18])
def test_occupancies_at_every_size(n, way):
    """n_h(s, a) is binomial with the occupancy as its chance: mean and variance over 400 deployments."""
    runs, mdp = 400, instances.random_simplex(4, 2, 3, 3, seed=1)
    policy = Mixture((np.zeros((3, 4), int), np.full((3, 4, 2), 0.5)), [0.5, 0.5])
    chance = planning.occupancy(mdp, policy)
    sampler, rng = CountSampler(mdp), generator(9, n.bit_length())
    visits = np.stack([(sampler.draw(rng, policy, n) if way == "cube" else
                        draw_sums(mdp, policy, n, lambda *at: rng)).visits for _ in range(runs)])
    z = (visits - n * chance) / np.sqrt(n * chance * (1 - chance))
    assert 2 * stats.norm.sf(abs(z.sum(axis=0)).max() / np.sqrt(runs)) * chance.size > LEVEL
    spread = stats.chi2(runs).cdf((z**2).sum(axis=0))
    assert 2 * np.minimum(spread, 1 - spread).min() * chance.size > LEVEL
