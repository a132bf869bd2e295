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


class InvalidMixture(ValueError):
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
    alpha = Fraction(alpha)
    if not 0 <= alpha <= 1:
        raise InvalidMixture(f"alpha is {alpha}; it must lie in [0, 1]")
    if trajectories < 0 or needed < 0:
        raise InvalidMixture(f"{trajectories} trajectories and {needed} needed; both must be >= 0")
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
    alpha, level = Fraction(alpha), Fraction(level)
    if not 0 < alpha <= 1 or needed < 1 or level < 0:
        raise InvalidMixture(f"needed is {needed}, alpha {alpha}, level {level}; >= 1, in (0, 1] and >= 0 are allowed")
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
    """max_i J(pi_i) - J(pi_{i+1}); constraint (c) holds with epsilon exactly when this is at most epsilon."""
    return max((a - b for a, b in zip(values, values[1:], strict=False)), default=Fraction(0))


def repetitions(batch_size: int, allowed: int) -> int:
    """ceil(N/N_0): deployments of at most N_0 trajectories that make one batch of N."""
    if batch_size < 1 or allowed < 1:
        raise InvalidMixture(f"N is {batch_size} and N_0 is {allowed}; both must be >= 1")
    return -(-batch_size // allowed)
