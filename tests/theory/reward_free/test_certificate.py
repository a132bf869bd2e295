"""The exact certificate against brute force, against a linear programme, and against the algorithms."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from scipy.optimize import linprog

from derl import Deployer, algorithms, instances, planning
from derl.estimation import fit
from derl.mdp import LinearMDP
from derl.theory.reward_free.certificate import bonus_bounds, certify, root_above, root_below
from derl.theory.reward_free.search import spread, worst_reward


def dataset(size=1000, beta=5.0, seed=0):
    exact = instances.random_simplex(3, 2, 2, 2, seed=seed, exact=True)
    mdp = exact.to_float()
    outcome = algorithms.reward_free_exploration(Deployer(mdp, size, 6, seed=seed), 0.5, 0.1, beta=beta)
    return exact, mdp, outcome.dataset


def certificate(exact, data, horizon=None):
    beta = Fraction(data.beta)
    return certify(exact.phi, exact.transitions(), exact.available, exact.initial, data.counts, (beta, beta),
                   horizon or exact.horizon)


@pytest.mark.parametrize("seed", range(3))
def test_the_bias_is_the_largest_over_all_vertices(seed):
    exact, mdp, data = dataset(seed=seed)
    worst = 0.0
    for h in range(2):
        design = fit(mdp.phi[h], data.counts[h])
        for values in product((0.0, 2.0), repeat=3):
            error = np.abs(mdp.phi[h] @ design.weights(np.array(values)) - mdp.expected_next(h, np.array(values)))
            worst = max(worst, (error / (data.beta * design.norms(mdp.phi[h]))).max())
    assert float(certificate(exact, data).bias_ratio) == pytest.approx(worst**2, rel=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_the_loss_is_the_value_of_a_linear_programme(seed):
    """max over occupancy measures of 2 sum q u, a second formulation of the dynamic programme."""
    exact, mdp, data = dataset(seed=seed)
    H, S, A = mdp.phi.shape[:3]
    P, index = mdp.transitions(), np.arange(H * S * A).reshape(H, S, A)
    u = np.stack([np.minimum(data.beta * fit(mdp.phi[h], data.counts[h]).norms(mdp.phi[h]), H) for h in range(H)])
    rows, right = np.zeros((H * S, H * S * A)), np.zeros(H * S)
    for h, s in np.ndindex(H, S):
        rows[h * S + s, index[h, s]] = 1
        if h == 0:
            right[s] = mdp.initial[s]
        else:
            rows[h * S + s, index[h - 1].ravel()] -= P[h - 1, :, :, s].ravel()
    solution = linprog(-2 * u.ravel(), A_eq=rows, b_eq=right, method="highs")
    assert float(certificate(exact, data).loss) == pytest.approx(-solution.fun, rel=1e-7)


def test_no_searched_reward_beats_the_certificate():
    exact, mdp, data = dataset(size=300)
    found = certificate(exact, data)
    assert found.bias_ratio <= 1
    loss, theta = worst_reward(mdp, lambda t: planning.gap(
        mdp, algorithms.reward_free_planning(data, t).policy, theta=t), np.random.default_rng(0), 20, 20)
    assert 0 <= loss <= float(found.loss)
    rewards = np.einsum("hsad,hd->hsa", mdp.phi, theta)
    assert rewards.min() >= -1e-9 and rewards.max() <= 1 + 1e-9


def test_a_bonus_that_is_too_small_is_seen():
    exact, _, data = dataset(size=300)
    small = Fraction(1, 10**6)
    found = certify(exact.phi, exact.transitions(), exact.available, exact.initial, data.counts, (small, small), 2)
    assert found.bias_ratio > 1


def test_rational_roots_enclose():
    for value in (Fraction(2), Fraction(1, 10**30 + 1), Fraction(10**40), Fraction(9, 4)):
        assert root_below(value) ** 2 <= value <= root_above(value) ** 2
        assert root_above(value) - root_below(value) <= root_above(value) / 2**50
    low, high = bonus_bounds(Fraction(6), Fraction(50))
    digits = Fraction(str(sympy.N(6 * sympy.sqrt(sympy.log(50)), 40)))
    assert low < digits < high < low + Fraction(1, 10**15)


def test_spread_fills_the_unit_interval():
    mdp = instances.random_simplex(5, 3, 3, 3, seed=1)
    theta = spread(mdp, np.random.default_rng(1).normal(size=(3, 3)))
    rewards = np.einsum("hsad,hd->hsa", mdp.phi, theta)
    np.testing.assert_allclose(rewards.min(axis=(1, 2)), 0, atol=1e-12)
    np.testing.assert_allclose(rewards.max(axis=(1, 2)), 1, atol=1e-12)
    np.testing.assert_allclose(np.einsum("hsad,hd->hsa", mdp.phi, spread(mdp, 0 * theta)), 0.5)


def test_closed_actions_do_not_count_for_the_range_of_rewards():
    """Their features are zero, and so are their rewards, which here lie below all others at first."""
    full = instances.random_simplex(5, 3, 3, 2, seed=1)
    mask = np.random.default_rng(np.random.SeedSequence(2)).random((2, 5, 3)) < 0.5
    mask[..., 0] = True
    mdp = LinearMDP(full.phi, full.mu, full.theta, full.initial, mask)
    theta = 9 + np.random.default_rng(1).normal(size=(2, 3))
    rewards = np.einsum("hsad,hd->hsa", mdp.phi, spread(mdp, theta))
    for layer in range(2):
        assert (rewards[layer][mask[layer]].min(), rewards[layer][mask[layer]].max()) == pytest.approx((0, 1))
