"""The family behind the counterexamples for every constant: its recursion and its noise, by the regressions."""

from fractions import Fraction

import numpy as np
import pytest

from derl.exact.matrices import ridge
from derl.mdp.exact import rationals
from derl.theory.analysis.steep_slopes import NOISE_SQUARE, START, X, Z, steep_slopes


@pytest.mark.parametrize("horizon, k", [(4, 1), (6, 2)])
def test_differences_grow_by_the_same_factor_in_every_layer(horizon, k):
    data = steep_slopes(horizon, k)
    # (1 + phi_1 phi_2)/2 in layer H: at s_1, which is never reached there, x and z
    values, growth = rationals(["1/2", "37/50", "13/50"]), 4 * (Fraction(3, 5) - Fraction(1, data.root))
    difference = values[X] - values[Z]
    assert growth > 2 and difference == Fraction(12, 25)
    for h in range(horizon - 2, 0, -1):
        _, operator = ridge(data.mdp.phi[h], data.counts[h])
        values = data.mdp.phi[h, :, 0] @ (operator @ values)
        assert max(values) <= 1 and values[X] - values[Z] == growth * difference
        difference = values[X] - values[Z]


def test_noise_is_bounded_and_trajectories_are_counted():
    data = steep_slopes(4)
    P, corners = data.mdp.transitions(), (-1, 1)
    for h, counts in enumerate(data.counts):
        assert counts.sum() == data.size and (counts >= 0).all()
        inverse, _ = ridge(data.mdp.phi[h], counts)
        rows = data.mdp.phi[h].reshape(-1, 2)
        noise = rows.T @ (counts - P[h] * counts.sum(axis=2)[..., None]).reshape(-1, 3)
        sums = [noise @ np.array([0, a, b], dtype=object) for a in corners for b in corners]
        worst = max(g @ inverse @ g for g in sums)
        assert worst == (0 if h == 0 else NOISE_SQUARE)


def test_true_transitions_do_not_depend_on_the_action():
    P = steep_slopes(5).mdp.transitions()
    assert (P[..., Z] == Fraction(1, 20)).all() and (P[..., START] == 0).all()
