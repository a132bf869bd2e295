r"""The two hidden-object games of the lower bounds: closed forms and dynamic programmes.

**Deterministic policies: a bandit.** One of m arms is biased and every deployment pulls one arm, N times. As N
grows a pull shows whether its arm is the biased one, so K deployments and one guess find it with probability
(K+1)/m. No algorithm does better for any N. The printed template has m = (d-1)(H-1) arms, the compact bandit with
D features and T layers (D-3)(T-1).

**Arbitrary policies: a search.** A code of core states is hidden and each deployment draws N paths. The theorem
bounds how far they get; `search_programme` computes it.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from derl.theory.lower_bounds.game_parameters import fraction, half_bias, whole
from derl.theory.lower_bounds.search_programme import fits_rationals, success_curve

EXACT_WORK = 4096  # N (H-2) up to which exact rationals are the default


# ---------------------------------------------------------------------------------------------- the bandit


def template_arms(d: int, H: int) -> int:
    """(d-1)(H-1), the number of places for the optimal state when the core states are fixed. Source: l. 582."""
    return (whole(d, "d", 1) - 1) * (whole(H, "H", 1) - 1)


def compact_arms(D: int, T: int) -> int:
    """(D-3)(T-1), the number of arms of the compact bandit with D >= 3 features and T layers."""
    return (whole(D, "D", 3) - 3) * (whole(T, "T", 1) - 1)


def bandit_failure(m: int, K: int, served: int = 1) -> Fraction:
    """Minimax failure probability with m arms and K deployments as N grows: 1 - (K + served)/m, and 0 beyond.

    Parameters
    ----------
    served : int, >= 1
        How many arms one output policy is good for (see `arms_served`); 1 for deterministic outputs.

    Examples
    --------
    >>> from derl.theory import lower_bounds
    >>> lower_bounds.bandit_failure(10, 3)
    Fraction(3, 5)
    """
    m, K, served = whole(m, "m", 0), whole(K, "K", 0), whole(served, "served", 1)
    return Fraction(0) if K + served >= m else 1 - Fraction(K + served, m)


def exact_failure_deterministic(d: int, H: int, K: int) -> Fraction:
    """Exact minimax failure probability of K deterministic deployments on the printed template, N to infinity.

    The minimum is over all algorithms that deploy one deterministic policy at a time and output one, the
    maximum over the (d-1)(H-1) places of the optimal state. For every finite N the minimax failure is at least
    this value.

    Source: Theorem B.2, made exact.
    """
    return bandit_failure(template_arms(d, H), K)


def deployments_for_failure(m: int, delta: Fraction, served: int = 1) -> int:
    """Smallest K with `bandit_failure(m, K) <= delta`, for 0 <= delta < 1."""
    delta = fraction(delta, "delta", low=0, below=1)
    needed = (1 - delta) * whole(m, "m", 0) - whole(served, "served", 1)
    return max(0, -((-needed.numerator) // needed.denominator))


def arms_served(epsilon: Fraction, bias: Fraction) -> int | None:
    """How many arms one (possibly stochastic) output policy can be epsilon-optimal for; None for "all of them".

    A policy that takes the biased arm with probability q loses bias (1-q). It is epsilon-optimal iff q >= 1 -
    epsilon/bias; these probabilities sum to at most 1 over the arms, so at most floor(bias/(bias-epsilon)) arms
    are served. That is one iff bias > 2 epsilon. At bias = epsilon, as printed, every policy is epsilon-optimal
    for every arm.
    """
    epsilon = fraction(epsilon, "epsilon", low=0)
    bias = half_bias(fraction(bias, "bias", above=0))
    return None if bias <= epsilon else (bias / (bias - epsilon)).__floor__()


# ---------------------------------------------------------------------------------------------- the search


def ceil_log(base: int, x: int) -> int:
    """Smallest c >= 0 with base**c >= x, in integers."""
    base, x = whole(base, "base", 2), whole(x, "x", 1)
    c = max(0, int((x.bit_length() - 1) / np.log2(base)) - 1)
    power = base**c
    while power < x:
        c, power = c + 1, power * base
    return c


def paper_deployments_arbitrary(d: int, H: int, N: int) -> int:
    """Largest K to which Theorem B.3 applies: floor((H-2) / (2 ceil(log_d NH))). Source: Theorem B.3."""
    return (whole(H, "H", 3) - 2) // (2 * ceil_log(d, whole(N, "N", 1) * H))


def improved_deployments_arbitrary(d: int, H: int, N: int) -> int:
    """Largest K for which failure >= ((d-1)/d)(1-1/H)^K is proved: floor((H-2) / ceil(log_d NH))."""
    return (whole(H, "H", 3) - 2) // ceil_log(d, whole(N, "N", 1) * H)


def advance_probability(d: int, digits: int, N: int) -> Fraction:
    """1-(1-d^-digits)^N: best probability that one deployment gets `digits` unknown digits right, exactly."""
    return 1 - (1 - Fraction(1, whole(d, "d", 1) ** whole(digits, "digits", 0))) ** whole(N, "N", 0)


def first_deployment_reach(d: int, L: int, N: int) -> Fraction:
    """Largest probability that the first deployment reaches level L: 1-(1-d^-(L-1))^N. Source: Claim 1, sharp."""
    return advance_probability(d, whole(L, "L", 1) - 1, N)


def largest_pace(d: int, N: int) -> Fraction:
    """ceil(log_d N) + d/(d-1): no deployment of N trajectories gains more digits than that on average."""
    d = whole(d, "d", 2)
    return ceil_log(d, whole(N, "N", 1)) + Fraction(d, d - 1)


def failure_without_horizon_log(d: int, n: int, N: int, K: int) -> Fraction:
    """Proved lower bound on the probability that K deployments do not match all n digits, for every algorithm.

    With l = ceil(log_d N), the digits matched are stochastically at most K(l+1) - 1 plus K independent geometric
    numbers, P(>= j) = d^-j. Their sum reaches m = n + 1 - K(l+1) iff m + K - 1 coins with probability 1/d show at
    least m heads.

    Parameters
    ----------
    d : int, >= 2
    n, K : int, >= 0
    N : int, >= 1
        Trajectories per deployment; they may depend on one another.
    """
    d, n, K = whole(d, "d", 2), whole(n, "n", 0), whole(K, "K", 0)
    m = n + 1 - K * (ceil_log(d, whole(N, "N", 1)) + 1)
    if n == 0 or m <= 0:
        return Fraction(0)
    flips, total, term = m + K - 1, 0, 0
    for heads in range(m, flips + 1):  # C(flips, heads) (d-1)^(flips-heads), the largest first
        term = comb(flips, m) * (d - 1) ** (K - 1) if heads == m else term * (flips - heads + 1) // (heads * (d - 1))
        total += term
    return 1 - Fraction(total, d**flips)


def mean_bound_without_horizon_log(d: int, n: int, N: int, K: int) -> Fraction:
    """1 - (K pace - 1)/n, at least 0: what Markov's inequality leaves of `failure_without_horizon_log`."""
    gain = max(Fraction(0), whole(K, "K", 0) * largest_pace(d, N) - 1)
    return max(Fraction(0), 1 - gain / whole(n, "n", 1))


def deployments_without_horizon_log(d: int, n: int, N: int, failure=Fraction(1, 2)) -> int:
    """Largest K for which `failure_without_horizon_log` is at least `failure`, in (0, 1]."""
    failure = fraction(failure, "failure", above=0, high=1)
    low, high = 0, whole(n, "n", 1) + 2  # the bound decreases in K, is 1 at K = 0 and 0 from n + 2 on
    while high - low > 1:
        middle = (low + high) // 2
        if failure_without_horizon_log(d, n, N, middle) >= failure:
            low = middle
        else:
            high = middle
    return low


def exact_success_arbitrary(d: int, H: int, N: int, K: int, memory: str = "forget", exact: bool | None = None):
    """Probability that K deployments of N trajectories reach the layer of the hidden arm, by uniform search.

    In the template with arms at level H-1 (Theorem B.3) this takes n = H-2 digits, the core states of levels 1
    to H-2.

    Parameters
    ----------
    d : int, >= 2
    H : int, >= 2
    N : int, >= 1
        Up to 1e30 and beyond; floats are read as the decimal number that they print.
    K : int, >= 0
    memory : {"forget", "exclude", "reveal"}
        See `search_programme`: plain uniform search, with exclusion of wrong digits, or the bound for all algorithms.
    exact : bool, optional
        Rationals or float64. By default rationals where N (H-2) <= 4096, H <= 16, and K is not so large that they
        outgrow `search_programme.MOST_BITS`.

    Returns
    -------
    Fraction or float
        In float64 with absolute error of about 1e-12.

    Raises
    ------
    InvalidGame
        Also where the programme would not fit into memory or into a day.

    Examples
    --------
    >>> from derl.theory import lower_bounds
    >>> round(float(lower_bounds.exact_success_arbitrary(3, 4, 10, 2)), 4)
    0.9896
    """
    n = whole(H, "H", 2) - 2
    if exact is None:
        exact = (whole(N, "N", 1) * n <= EXACT_WORK and H <= 16
                 and fits_rationals(whole(d, "d", 2), n, whole(N, "N", 1), whole(K, "K", 0)))
    return success_curve(d, n, N, K, memory, exact)[-1]
