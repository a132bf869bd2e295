r"""A certificate that one dataset serves every reward, re-checked in rational numbers.

Given the transition counts of a dataset and the true (rational) MDP, no probability is left. For V: S -> [0, T] the
ridge regression errs at (s, a) by

    phi^T w_V - P V = sum_{s'} D(s') V(s'),      D = phi^T Lambda^{-1} sum phi n(., ., s') - P(s' | s, a),

a linear form in V; its largest absolute value over all V is T max(sum D^+, sum D^-), at a vertex. If that is at most
beta |phi|_{Lambda^{-1}} for every available (s, a) and every layer, then Equation (14) holds for all V at once, and by
Lemma D.3 (repaired) planning with horizon T loses, for every reward r: S x A -> [0, 1] at once, linear or not, at most

    2 max_pi E_pi sum_h min(beta |phi|_{Lambda_h^{-1}}, T).

The maximum is dynamic programming with rewards u. Square roots and beta are replaced by rational bounds on the safe
side.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np

from derl.exact.logarithms import enclosure
from derl.exact.matrices import inverse

ROOT_BITS = 60  # relative accuracy of the rational square roots


@dataclass(frozen=True)
class Certificate:
    """What was verified about one dataset.

    Attributes
    ----------
    bias_ratio : Fraction
        Upper bound on the largest |phi^T w_V - P V|^2/(beta |phi|_{Lambda^{-1}})^2 over V in [0, T]^S, layers,
        states and actions. At most 1: Equation (14) holds for every V.
    loss : Fraction
        Upper bound on 2 max_pi E_pi sum_h u_h: what planning can lose on any reward in [0, 1] if `bias_ratio` <= 1.
    """

    bias_ratio: Fraction
    loss: Fraction


def certify(phi, transitions, available, initial, counts, beta: tuple[Fraction, Fraction], horizon: int) -> Certificate:
    """Check one dataset for planning with horizon T = `horizon`.

    Parameters
    ----------
    phi : (H, S, A, d), transitions : (H, S, A, S), initial : (S,)
        Rational arrays (objects), the true MDP.
    available : (H, S, A) bool
    counts : (T, S, A, S)
        Whole numbers, as the planner sees them.
    beta : (lower, upper)
        Rational bounds on the bonus scale.
    """
    ratio = Fraction(0)
    value = np.full(len(initial), Fraction(0), dtype=object)
    for h in reversed(range(horizon)):
        rows = [(s, a) for s, a in np.argwhere(available[h])]
        visits = {pair: [Fraction(int(n)) for n in counts[h][pair]] for pair in rows if counts[h][pair].any()}
        inverse = _inverse_design(phi[h], visits)
        moment = sum((phi[h][pair][:, None] * np.array(next_counts, dtype=object)[None, :]
                      for pair, next_counts in visits.items()), np.full((phi.shape[3], len(initial)), Fraction(0)))
        regression = inverse @ moment
        following = np.full((len(initial),), None, dtype=object)
        for s, a in rows:
            feature = phi[h, s, a]
            error = feature @ regression - transitions[h, s, a]
            square = feature @ inverse @ feature
            worst = horizon * max(sum(e for e in error if e > 0), -sum(e for e in error if e < 0))
            ratio = max(ratio, Fraction(worst) ** 2 / (beta[0] ** 2 * square))
            q = min(beta[1] * root_above(square), Fraction(horizon)) + transitions[h, s, a] @ value
            following[s] = q if following[s] is None else max(following[s], q)
        value = following
    return Certificate(ratio, 2 * (initial @ value))


def bonus_bounds(factor: Fraction, argument: Fraction) -> tuple[Fraction, Fraction]:
    """Rational bounds on factor sqrt(log(argument)), for argument > 1."""
    low, high = enclosure(Fraction(argument), 96)
    return factor * root_below(low), factor * root_above(high)


def root_above(square: Fraction) -> Fraction:
    """A rational number >= sqrt(square), relative excess below 2^-58."""
    return _root(square, 1)


def root_below(square: Fraction) -> Fraction:
    """A rational number <= sqrt(square)."""
    return _root(square, 0)


def _root(square: Fraction, up: int) -> Fraction:
    if square == 0:
        return Fraction(0)
    scale = max(0, 2 * ROOT_BITS - (square.numerator.bit_length() - square.denominator.bit_length()))
    scale += scale % 2
    return Fraction(isqrt((square.numerator << scale) // square.denominator) + up, 1 << (scale // 2))


def _inverse_design(phi, visits) -> np.ndarray:
    """Inverse of I + sum n phi phi^T in rationals."""
    design = np.eye(phi.shape[2], dtype=int).astype(object)
    for pair, next_counts in visits.items():
        design = design + sum(next_counts) * np.outer(phi[pair], phi[pair])
    return inverse(design)
