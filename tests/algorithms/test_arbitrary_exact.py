"""The printed Algorithm 2 in fractions: actions that are not available, the grid, the plan."""

from fractions import Fraction

import numpy as np
import pytest

from derl import Deployer, instances
from derl.algorithms.arbitrary_exact import _Undecided, argmax_bounds, exact_optq, printed_exploration, printed_planning
from derl.claims.arbitrary.exact_run import small_data, two_layers
from derl.exact.matrices import ridge
from derl.mdp import exact


@pytest.fixture(scope="module")
def run():
    mdp = two_layers()
    deployer = Deployer(mdp.to_float(), 10**12, 2, "any", seed=3)
    layers, counts = printed_exploration(mdp, deployer, Fraction(1, 2), Fraction(100), Fraction(1, 10**12))
    return mdp, deployer, layers, counts


def test_it_stops_by_its_own_rule_and_deploys_once_per_layer(run):
    mdp, deployer, layers, counts = run
    assert deployer.deployments == mdp.horizon == len(layers) and all(layer.stopped for layer in layers)
    for layer in layers:
        assert layer.value[0] <= layer.value[1] <= Fraction(3, 16)
        assert layer.iterations == 50  # 4 I + 25 of each
    assert counts.sum(axis=(1, 2, 3)).tolist() == [10**12] * 2


def test_closed_actions_are_never_taken(run):
    mdp, _, layers, counts = run
    assert not mdp.available[1, 2, 0] and counts[1, 2, 0].sum() == 0
    assert all(policy[1, 2] == 1 for policy in layers[1].policies)


def test_the_plan_is_optimal(run):
    mdp, _, _, counts = run
    plan = printed_planning(mdp, counts, mdp.theta, Fraction(100))
    assert exact.evaluate(mdp, plan).value == exact.optimal(mdp).value


def test_without_data_every_q_is_at_the_cap():
    mdp = two_layers()
    plan = printed_planning(mdp, np.zeros((2, 3, 2, 3), dtype=object), mdp.theta, Fraction(100))
    assert plan.tolist() == [[0, 0, 0], [0, 0, 1]]  # ties go to the first available action


def test_a_limit_on_the_iterations():
    mdp = two_layers()
    layers, _ = printed_exploration(mdp, Deployer(mdp.to_float(), 100, 2, "any"), Fraction(1, 2), Fraction(1),
                                    Fraction(1, 100), i_max=3)
    assert [layer.iterations for layer in layers] == [3, 3] and not any(layer.stopped for layer in layers)


def test_an_unavailable_action_is_not_greedy():
    mdp, counts, matrix = small_data()
    arguments = (list(mdp.phi), [counts], matrix, Fraction(1), Fraction(1, 800), mdp.initial)
    assert exact_optq(*arguments, mdp.available).policy[1, 2] == 1
    assert exact_optq(*arguments).distance <= Fraction(1, 800)


def test_a_best_action_is_decided_by_the_bounds_or_not_at_all():
    """Two states, three actions; an upper end above the best lower end leaves it open, a touching one does not."""
    low = np.array([[1, 3, 2], [5, 5, 4]], dtype=object)
    high = np.array([[2, 4, 3], [6, 6, 5]], dtype=object)
    assert argmax_bounds((low, high)).tolist() == [1, 0]
    for at in ((0, 0), (0, 2), (1, 2), (1, 1)):
        higher = high.copy()
        higher[at] += 5
        with pytest.raises(_Undecided):
            argmax_bounds((low, higher))


def floating_plan(mdp, counts, theta, beta):
    """Algorithm 4 as printed, in plain loops and float64; (plan, the smallest lead of a greedy action)."""
    phi, available, H = mdp.phi.astype(float), mdp.available, mdp.horizon
    value, plan, lead = np.zeros(mdp.n_states), np.zeros((H, mdp.n_states), int), np.inf
    for h in reversed(range(H)):
        matrix, target = np.eye(phi.shape[3]), np.zeros(phi.shape[3])
        for s, a, t in np.argwhere(counts[h] > 0):
            matrix += counts[h, s, a, t] * np.outer(phi[h, s, a], phi[h, s, a])
            target += counts[h, s, a, t] * phi[h, s, a] * value[t]
        w, inverse = np.linalg.solve(matrix, target), np.linalg.inv(matrix)
        q = np.full(available[h].shape, -np.inf)
        for s, a in np.argwhere(available[h]):
            x = phi[h, s, a]
            q[s, a] = min(x @ w + x @ theta[h].astype(float) + min(beta * np.sqrt(x @ inverse @ x), H), H)
        best = np.sort(q, axis=1)
        lead = min(lead, (best[:, -1] - best[:, -2]).min())
        value, plan[h] = q.max(axis=1), q.argmax(axis=1)
    return plan, lead


def test_the_printed_plan_in_fractions_is_that_of_plain_loops():
    """Few data, so that regressions have weights of both signs."""
    compared = signs = 0
    for seed in range(12):
        mdp = instances.random_simplex(4, 3, 3, 3, seed=seed, exact=True)
        counts = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(7,))).integers(0, 3, (3, 4, 3, 4))
        wanted, lead = floating_plan(mdp, counts, mdp.theta, 1 / 3)
        if lead > 1e-6:
            plan = printed_planning(mdp, counts.astype(object), mdp.theta, Fraction(1, 3))
            assert plan.tolist() == wanted.tolist(), seed
            compared += 1
            signs += any((ridge(mdp.phi[h], counts[h])[1] < 0).any() for h in range(3))
    assert compared >= 6 and signs
