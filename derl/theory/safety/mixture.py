r"""Mixing a cautious and an exploring policy: how many of the trajectories explore, and what safety costs.

Each of m trajectories explores with probability alpha, independently: their number is binomial. Probabilities are
exact Fractions.

    P(Bin(m, alpha) < N) <= e^{-L}    for    m alpha >= N + L + sqrt(L^2 + 2 L N),

because the lower tail of a binomial variable with mean mu satisfies P(X <= mu - s) <= exp(-s^2/(2 mu)), and this mu
is the root of (mu - N)^2 = 2 L mu.

Source: Appendix F.2, Algorithm 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, comb, isqrt

from derl.inputs import Invalid, real, whole


class InvalidMixture(Invalid):
    """A mixture that does not exist; the message says which number is wrong."""


def too_few(trajectories: int, alpha: Fraction, needed: int) -> Fraction:
    """P(Bin(trajectories, alpha) < needed), exactly.

    Parameters
    ----------
    trajectories, needed : int, >= 0
    alpha : Fraction, in [0, 1]

    Raises
    ------
    InvalidMixture
    """
    alpha = Fraction(real(alpha, "alpha", low=0, high=1, error=InvalidMixture))
    trajectories = whole(trajectories, "trajectories", 0, error=InvalidMixture)
    needed = whole(needed, "needed", 0, error=InvalidMixture)
    p, q = alpha.numerator, alpha.denominator
    hits = (comb(trajectories, k) * p**k * (q - p) ** (trajectories - k) for k in range(min(needed, trajectories + 1)))
    return Fraction(sum(hits), q**trajectories)


def enough_trajectories(needed: int, alpha: Fraction, level: Fraction) -> int:
    """(N + L + sqrt(L^2 + 2LN))/alpha, rounded up: fewer than `needed` explore with probability at most e^{-level}.

    Parameters
    ----------
    needed : int, >= 1
    alpha : Fraction, in (0, 1]
    level : Fraction, >= 0
        L, for example log(K/delta).
    """
    needed = whole(needed, "needed", error=InvalidMixture)
    alpha = Fraction(real(alpha, "alpha", above=0, high=1, error=InvalidMixture))
    level = Fraction(real(level, "level", low=0, error=InvalidMixture))
    square = level**2 + 2 * level * needed
    unit = 1 << 32
    root = Fraction(isqrt(ceil(square * unit**2)) + 1, unit)  # above the square root
    return ceil((needed + level + root) / alpha)


def mixed_value(alpha: Fraction, cautious: Fraction, exploring: Fraction) -> Fraction:
    """J of the mixture at the level of trajectories: (1 - alpha) J_p + alpha J_o."""
    return (1 - alpha) * cautious + alpha * exploring


def stepwise_value(alpha: Fraction, horizon: int) -> Fraction:
    """Value of mixing at every step where one exploring action ends all reward: sum_h (1 - alpha)^h, not H."""
    return sum(((1 - Fraction(alpha)) ** h for h in range(1, horizon + 1)), Fraction(0))


def largest_drop(values: Sequence[Fraction]) -> Fraction:
    """The largest J(pi_i) - J(pi_{i+1}), 0 where J never falls; (c) says that it is at most epsilon."""
    drops = (a - b for a, b in zip(values, values[1:], strict=False))
    return max([values[0] - values[0], *drops])  # the zero of their kind


def repetitions(batch_size: int, allowed: int) -> int:
    """ceil(N/N_0): deployments of at most N_0 trajectories that make one batch of N."""
    return -(-whole(batch_size, "N", error=InvalidMixture) // whole(allowed, "N_0", error=InvalidMixture))
