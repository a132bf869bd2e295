r"""Rounding to a grid, the size of the grid, and what rounding does to value functions, in rational numbers.

Rounding goes up, entry by entry: eta ceil(x/eta), so 0 <= rounded - x < eta. For a vector the error is shorter than
sqrt(d) eta. For a symmetric matrix it is a symmetric matrix E with entries in [0, eta), and

    -(d/2) eta <= x^T E x <= d eta      for |x| = 1,

the left side because a unit vector with p positive entries of sum P and m negative ones of sum -M has
x^T E x >= -2 eta P M, P^2 <= p X, M^2 <= m Y with X + Y <= 1, and 2 sqrt(p m X Y) <= sqrt(p m) <= d/2.

A class of functions of m numbers from [-bound, bound], each rounded up to the grid, has at most
(2 ceil(bound/eta) + 1)^m members. The 1 is the number zero.

Rounding up may destroy definiteness. `definite_neighbour` does not: it moves entries away from zero and pays with
the diagonal. Its error matrix has the diagonal in [(d-1) eta, d eta] and the rest in [-eta, eta], so it lies between
0 and (2d-1) eta.

Source: Definition E.1, Appendix E.2.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, isqrt

import numpy as np

from derl.inputs import Invalid, as_fraction, real

BITS = 128  # square roots are enclosed to 2^-128


class InvalidGrid(Invalid):
    """A grid that does not exist; the message says which number is wrong."""


def discretise(values, resolution: Fraction) -> np.ndarray:
    """Every entry rounded up to a multiple of the resolution, exactly.

    Parameters
    ----------
    values : array of int or Fraction
    resolution : Fraction, > 0

    Raises
    ------
    InvalidGrid

    Source: Definition E.1.
    """
    resolution = _positive(resolution)
    array = np.asarray(values, dtype=object)
    return np.array([resolution * ceil(as_fraction(x) / resolution) for x in array.ravel()],
                    dtype=object).reshape(array.shape)


def grid_points(bound: Fraction, resolution: Fraction) -> int:
    """Multiples of the resolution that numbers in [-bound, bound] are rounded up to, at most: 2 ceil(bound/eta) + 1."""
    bound = real(bound, "bound", low=0, error=InvalidGrid)
    return 2 * ceil(as_fraction(bound) / _positive(resolution)) + 1


def grid_limit(bound: Fraction, resolution: Fraction) -> Fraction:
    """The largest number of the printed grid, eta ceil(bound/eta)."""
    return _positive(resolution) * ceil(as_fraction(bound) / resolution)


def printed_grid(bound: Fraction, resolution: Fraction) -> set[Fraction]:
    """The grid as it is printed, per entry: |x/eta| in {1, ..., ceil(bound/eta)}, without zero.

    Source: line 1353.
    """
    resolution = _positive(resolution)
    return {sign * k * resolution for k in range(1, ceil(as_fraction(bound) / resolution) + 1) for sign in (1, -1)}


def away_from_zero(values, resolution: Fraction) -> np.ndarray:
    """Every entry moved to the next nonzero multiple of the resolution, away from zero (0 goes up), exactly."""
    array = np.asarray(values, dtype=object)
    return np.array([(1 if x >= 0 else -1) * resolution * max(1, ceil(abs(as_fraction(x)) / resolution))
                     for x in array.ravel()], dtype=object).reshape(array.shape)


def definite_neighbour(Sigma, bound: Fraction, resolution: Fraction) -> np.ndarray:
    """A matrix of the printed grid near Sigma that is positive semidefinite where Sigma is.

    Parameters
    ----------
    Sigma : (d, d), symmetric, 0 <= Sigma <= bound I
    bound : Fraction, > 0
        B; the printed grid goes to d B.
    resolution : Fraction, > 0
        eta, the step of the grid.

    Returns
    -------
    (d, d) array of Fraction, no entry zero. For B >= eta it is Sigma + E with 0 <= E <= (2d-1) eta I; for B < eta it
    is eta in every entry.

    Source: line 1405.
    """
    resolution, Sigma = _positive(resolution), np.asarray(Sigma, dtype=object)
    d = len(Sigma)
    if _positive(bound) < resolution:
        return np.full((d, d), resolution, dtype=object)
    near = away_from_zero(Sigma, resolution)
    for i in range(d):
        near[i, i] = away_from_zero([Sigma[i, i] + (d - 1) * resolution], resolution)[0]
    return near


def root_bounds(square: Fraction, bits: int = BITS) -> tuple[Fraction, Fraction]:
    """Rational lower <= sqrt(square) <= upper, equal where the root is rational, otherwise 2^-bits apart.

    Raises
    ------
    InvalidGrid
        If the square is negative.
    """
    square = Fraction(real(square, "the square", low=0, error=InvalidGrid))
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    if top**2 == square.numerator and bottom**2 == square.denominator:
        return Fraction(top, bottom), Fraction(top, bottom)
    unit = 1 << bits
    low = isqrt(square.numerator * unit**2 // square.denominator)
    return Fraction(low, unit), Fraction(low + 1, unit)


def q_bounds(w, Sigma, phi) -> tuple[Fraction, Fraction]:
    """Rational bounds of min(w^T phi + sqrt((phi^T Sigma phi)_+), 1) for vectors w, phi (d,) and Sigma (d, d)."""
    linear = sum((a * b for a, b in zip(w, phi, strict=True)), Fraction(0))
    square = max(Fraction(0), quadratic(Sigma, phi))
    low, high = root_bounds(square)
    return min(linear + low, Fraction(1)), min(linear + high, Fraction(1))


def quadratic(Sigma, phi) -> Fraction:
    """phi^T Sigma phi, exactly."""
    d = len(phi)
    return sum((Sigma[i][j] * phi[i] * phi[j] for i in range(d) for j in range(d)), Fraction(0))


def rounding_effect(w, Sigma, features, resolution: Fraction) -> tuple[Fraction, Fraction]:
    """What rounding w to epsilon_0/(2d) and Sigma to epsilon_0^2/(4d) does to Q, divided by epsilon_0.

    Parameters
    ----------
    w : (d,)
    Sigma : (d, d), symmetric
    features : (A, d)
        phi(s, a) of the actions of one state, |phi| <= 1.
    resolution : Fraction
        epsilon_0.

    Returns
    -------
    distance : Fraction
        Upper bound of max_a |Q - Q~|/epsilon_0, 2^-127/epsilon_0 too large at most.
    loss : Fraction
        Upper bound of (Q(pi) - Q(pi~))/epsilon_0 for the greedy actions of Q and of Q~.

    Source: Lemma E.2.
    """
    d = len(w)
    rough = (discretise(w, resolution / (2 * d)), discretise(Sigma, resolution**2 / (4 * d)))
    fine = [q_bounds(w, Sigma, phi) for phi in features]
    coarse = [q_bounds(*rough, phi) for phi in features]
    distance = max(max(f[1] - c[0], c[1] - f[0]) for f, c in zip(fine, coarse, strict=True))
    # a_~ may be any action that the bounds allow to be greedy for Q~
    possible = [a for a, c in enumerate(coarse) if c[1] >= max(low for low, _ in coarse)]
    loss = max(high for _, high in fine) - min(fine[a][0] for a in possible)
    return distance / resolution, loss / resolution


def zero_one_matrices(d: int):
    """All symmetric d x d matrices with entries 0 and 1, as integer object arrays."""
    upper = np.triu_indices(d)
    for bits in product((0, 1), repeat=len(upper[0])):
        matrix = np.zeros((d, d), dtype=object)
        matrix[upper] = bits
        matrix.T[upper] = bits
        yield matrix


def float_rounding(values: np.ndarray, resolution: float) -> np.ndarray:
    """eta ceil(x/eta) as float64 computes it, shape of `values`."""
    return resolution * np.ceil(np.asarray(values, dtype=np.float64) / resolution)


def _positive(resolution) -> Fraction:
    return Fraction(real(resolution, "resolution", above=0, error=InvalidGrid))
