r"""The search for a hidden code, by dynamic programming over the frontier: exact rationals or float64.

A code of n digits, each one of d, is hidden. A deployment draws N paths and sees how many leading digits of each
path are right. The frontier is the longest prefix matched so far. Three ways of playing:

    forget    uniform search beyond the frontier, wrong digits at the frontier are tried again;
    exclude   uniform search beyond the frontier among the digits not yet ruled out;
    reveal    the digit at the frontier is given away after each deployment, uniform search beyond it.

"forget" and "exclude" are algorithms, so they bound the best success probability from below. "reveal" bounds it
from above for every algorithm: uniform search maximises P(advance >= a) for all a at once, because 1-(1-t)^N is
concave in t.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from derl.inputs import choice, real, shown
from derl.inputs.rational_arrays import fractions
from derl.inputs.rational_arrays import whole as whole_numbers
from derl.theory.lower_bounds.game_parameters import InvalidGame, whole

MEMORIES = ("forget", "exclude", "reveal")
NEGLIGIBLE = 1e-40  # float64 programmes drop states that are less likely than this
MOST_BITS = 10**6  # of the rationals of one programme
MOST_NUMBERS, MOST_STEPS = 10**8, 10**11  # kept at once, and in all


def success_curve(d: int, n: int, N: int, K: int, memory: str = "forget", exact: bool = False) -> np.ndarray:
    """Probabilities, after 0, 1, ..., K deployments, that all n digits have been matched.

    Returns
    -------
    (K+1,) float64, or object holding Fractions

    Raises
    ------
    InvalidGame
        Also where the programme would not fit into memory or into a day.
    """
    d, n, N, K = whole(d, "d", 2), whole(n, "n", 0), whole(N, "N", 1), whole(K, "K", 0)
    choice(memory, "memory", MEMORIES, InvalidGame)
    if exact and not fits_rationals(d, n, N, K):
        raise InvalidGame(f"d, n, N, K are {', '.join(map(shown, (d, n, N, K)))}; rationals need K N n log2 d <= "
                          f"{MOST_BITS:.0e}, and float64 has no such limit")
    if not exact and max(d, N) > 10**300:
        raise InvalidGame(f"{'N' if N > d else 'd'} is {shown(max(d, N))}; float64 takes at most 1e300")
    states = d if memory == "exclude" else 1
    if states * max(states, n) > MOST_NUMBERS or K > MOST_NUMBERS or K * n * states > MOST_STEPS:
        raise InvalidGame(f"d, n, K are {shown(d)}, {shown(n)}, {shown(K)}; with memory={memory!r} the programme keeps "
                          f"{'d max(d, n)' if states > 1 else 'n'} numbers (at most {MOST_NUMBERS:.0e}) for K rounds "
                          f"(at most {MOST_STEPS:.0e} in all)")
    one = Fraction(1) if exact else 1.0
    if n == 0:
        return np.array([one] * (K + 1), dtype=object if exact else float)
    step = exclusion_kernel(d, N, n, exact) if memory == "exclude" else _uniform_kernel(d, N, n, exact)
    states = step.shape[0]
    alive = np.zeros((n, states), dtype=step.dtype)  # alive[f, e]: frontier f, e wrong digits known there
    alive[0, 0] = one
    low, high, reached, curve = 0, 1, 0 * one, [0 * one]  # alive is 0 outside low..high-1
    for k in range(1, K + 1):
        shift = 1 if memory == "reveal" and k > 1 else 0
        following, high = np.zeros_like(alive), min(n, high + shift + step.shape[1] - 1)
        following[low + shift:high] = advanced(alive[low:high - shift], step)
        alive = following
        # what is no longer alive has arrived; the sum is exact in rationals and positive in float64
        reached = one - alive.sum() if exact else max(reached, 1.0 - float(alive.sum()))
        curve.append(reached)
        if not exact:
            heavy = np.nonzero(alive.sum(axis=1) > NEGLIGIBLE)[0]
            low, high = (int(heavy[0]), int(heavy[-1]) + 1) if heavy.size else (n, n)
            alive[:low] = alive[high:] = 0.0
    return np.array(curve, dtype=object if exact else float)


def fits_rationals(d: int, n: int, N: int, K: int) -> bool:
    """Whether the rationals of the programme stay small enough: their denominators are powers of d up to d^(K N n)."""
    return max(K, 1) * N * n * d.bit_length() <= MOST_BITS


def advanced(alive: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Where the frontiers are after one deployment, as far as they are among the given ones.

    Parameters
    ----------
    alive : (F, states)
        Probabilities of frontier and state.
    step : (states, A, states)
        Probabilities of an advance and of the state after it, given the state before.
    """
    if len(alive) and step.shape[0] == 1 and step.dtype != object:
        return np.convolve(alive[:, 0], step[0, :, 0])[:len(alive), None]
    below = 1
    if step.dtype == object:
        (alive, below), (step, unit) = whole_numbers(alive), whole_numbers(step)
        below *= unit
    following = np.zeros_like(alive)
    for a in range(min(step.shape[1], len(alive))):
        following[a:] += alive[:len(alive) - a] @ step[:, a]
    return fractions(following, below) if step.dtype == object else following


def deployments_for_success(d: int, n: int, N: int, probability: float = 0.5, memory: str = "forget") -> int:
    """Smallest K after which all n digits have been matched with at least this probability, in float64."""
    probability = real(probability, "probability", low=0, below=1, error=InvalidGame)
    K = 16 + int(1.1 * whole(n, "n", 0) / max(1.0, np.log(float(N)) / np.log(d)))  # a guess, doubled if short
    while (curve := success_curve(d, n, N, K, memory))[-1] < probability:
        K *= 2
    return int(np.argmax(curve >= probability))


def _miss(probability, N: int, exact: bool):
    """(1-probability)^N - 1, elementwise and without cancellation."""
    if exact:
        return np.array([(1 - p) ** N - 1 for p in probability.ravel()], dtype=object).reshape(probability.shape)
    with np.errstate(divide="ignore"):
        return np.expm1(float(N) * np.log1p(-probability))


def _powers(d: int, n: int, N: int, exact: bool) -> np.ndarray:
    """d^-a for a = 0, 1, ...: all n+1 of them in rationals, as far as they matter in float64."""
    if exact:
        return np.array([Fraction(1, d**a) for a in range(n + 1)], dtype=object)
    last = min(n, int((np.log(float(N)) - np.log(NEGLIGIBLE)) / np.log(d)) + 2)
    return float(d) ** -np.arange(last + 1.0)


def _uniform_kernel(d: int, N: int, n: int, exact: bool) -> np.ndarray:
    """(1, A, 1): P(advance = a) = (1-d^-(a+1))^N - (1-d^-a)^N, a = 0..A-1."""
    powers = _powers(d, n, N, exact)
    miss = _miss(powers, N, exact)
    return (miss[1:] - miss[:-1]).reshape(1, -1, 1)


@lru_cache(2**6, typed=True)
def exclusion_kernel(d: int, N: int, n: int, exact: bool) -> np.ndarray:
    """(d, A, d): P(advance = a and e' digits are ruled out at the new frontier, given e at the old one).

    A node a digits further is met with probability p_a = 1/((d-e) d^(a-1)) per path. Its visited children are
    exactly a given set of j wrong ones with probability sum_i (-1)^(j-i) C(j,i) (1 - p_a (d-i)/d)^N, by
    inclusion and exclusion.
    """
    powers = _powers(d, n, N, exact)
    ratio = Fraction if exact else (lambda x, y: x / y)
    kernel = np.zeros((d, len(powers) - 1, d), dtype=powers.dtype)
    for e in range(d):
        left = d - e
        for a in range(kernel.shape[1]):
            children, met = (left, 1) if a == 0 else (d, powers[a] * ratio(d, left))
            for j in range(1, children):
                avoid = np.array([met * ratio(children - i, children) for i in range(j + 1)], dtype=powers.dtype)
                signs = [(-1) ** (j - i) * comb(j, i) for i in range(j + 1)]
                kernel[e, a, j + (e if a == 0 else 0)] = comb(children - 1, j) * (_miss(avoid, N, exact) @ signs)
    kernel = kernel if exact else np.maximum(kernel, 0.0)
    kernel.setflags(write=False)  # it is kept
    return kernel
