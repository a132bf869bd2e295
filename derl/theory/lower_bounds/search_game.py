r"""The search of Theorem B.3, exactly: optimal adaptive play found by dynamic programming over what is known.

A code of n digits in 0..d-1 is drawn uniformly. A deployment is a batch of N paths (sequences of n digits);
each path shows how many of its leading digits are right. Level L of the template is reached by a path with L-1
right digits, because the first move is free and each further level takes the core state of the level before.

A deployed policy, Markov or not, stochastic or a mixture, draws its N paths at random, independently of the
code given the past. So whatever happens to it is an average over batches, and so is every probability of an
event. Where a statement is linear in such probabilities, trying every multiset of N paths after every history
tries every algorithm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import factorial

import numpy as np

from derl.theory.lower_bounds.game_parameters import InvalidGame, whole

MOST_STATES = 4096  # d^n codes at most: beyond, the programme would not end


def sequences(d: int, n: int) -> tuple[tuple[int, ...], ...]:
    """All d^n sequences of n digits; they are the codes and the paths."""
    d, n = whole(d, "d", 1), whole(n, "n", 0)
    if d**n > MOST_STATES:
        raise InvalidGame(f"d^n is {d**n}; exact play is for at most {MOST_STATES} codes")
    return tuple(product(range(d), repeat=n))


def matched(path: tuple[int, ...], code: tuple[int, ...]) -> int:
    """Number of leading digits of the path that are right."""
    count = 0
    for own, true in zip(path, code, strict=True):
        if own != true:
            break
        count += 1
    return count


def batches(d: int, n: int, N: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every multiset of N paths."""
    return combinations_with_replacement(sequences(d, n), whole(N, "N", 0))


def optimise(d: int, n: int, N: int, K: int, cost: Callable[[tuple[int, ...]], Fraction], best=min) -> Fraction:
    """Optimal expected cost over all adaptive algorithms with K deployments of N paths.

    The knowledge after some deployments is the set of codes that agree with all observations; given it, the
    code is uniform on the set. All batches are tried at every knowledge that can occur.

    Parameters
    ----------
    cost : function of (f_1, ..., f_K)
        f_k is the number of digits matched by the best path of deployment k alone.
    best : min or max
        What the algorithm is after.
    """
    @cache
    def value(known: tuple[int, ...], history: tuple[int, ...]) -> Fraction:
        if len(history) == K:
            return len(known) * Fraction(cost(history))
        return best(sum(value(cell, (*history, front)) for cell, front in outcome)
                    for outcome in _outcomes(d, n, N, known))

    codes = tuple(range(len(sequences(d, n))))
    return value(codes, ()) / len(codes)


@lru_cache(16)
def _trials(d: int, n: int, N: int) -> list:
    """For every batch, row by row, how many digits of every code its paths match."""
    codes = sequences(d, n)
    table = {path: [matched(path, code) for code in codes] for path in codes}
    return [[table[path] for path in batch] for batch in batches(d, n, N)]


@lru_cache(2**14)
def _outcomes(d: int, n: int, N: int, known: tuple[int, ...]) -> frozenset:
    """What batches can tell of these codes: their parts, each with the digits that the best path has matched."""
    outcomes = set()
    for trial in _trials(d, n, N):
        cells = defaultdict(list)
        for code in known:
            cells[tuple(row[code] for row in trial)].append(code)
        outcomes.add(tuple((tuple(cell), max(seen)) for seen, cell in sorted(cells.items())))
    return frozenset(outcomes)


@lru_cache(2**8, typed=True)
def best_success(d: int, n: int, N: int, K: int) -> Fraction:
    """Largest probability that K deployments of N freely chosen paths match all n digits."""
    return optimise(d, n, N, K, lambda fronts: Fraction(max(fronts, default=0) >= n), max) if n else Fraction(1)


def claim_two_slack(d: int, n: int, N: int, k: int, lower: int, gain: int, factor: Fraction,
                    alone: bool = False) -> Fraction:
    """min over algorithms of P(E_k^c(lower + gain)) - factor P(E_{k-1}^c(lower)), for levels lower and lower + gain.

    Parameters
    ----------
    alone : bool
        False: E_i(j) says that level j is reached in the first i deployments. True: in deployment i alone.
    """

    def missed(fronts, level):
        return Fraction(max(fronts, default=0) < level - 1)

    def cost(fronts):
        now, before = (fronts[k - 1:k], fronts[k - 2:k - 1]) if alone else (fronts[:k], fronts[:k - 1])
        return missed(now, lower + gain) - factor * missed(before, lower)

    return optimise(d, n, N, k, cost)


def two_deployment_success(d: int, n: int, N: int, laws: np.ndarray) -> np.ndarray:
    """Success probability of two deployments of N independent paths, the second one played optimally, in float64.

    Given what the first deployment showed, the code is uniform on a set, and a uniform law on that set is the
    best second policy, because 1-(1-q)^N is concave in q.

    Parameters
    ----------
    laws : (M, d^n)
        Path laws of M first policies, rows on the simplex; columns in the order of `sequences(d, n)`.

    Returns
    -------
    (M,)
    """
    codes = sequences(d, n)
    table = [[matched(path, code) for code in codes] for path in codes]
    weights, members = [], []
    for batch in combinations_with_replacement(range(len(codes)), N):
        cells = defaultdict(int)
        for code in range(len(codes)):
            cells[tuple(table[path][code] for path in batch)] += 1
        value = sum(size * (1.0 if max(seen) == n else 1 - (1 - 1 / size) ** N) for seen, size in cells.items())
        orders = factorial(N)
        for path in set(batch):
            orders //= factorial(batch.count(path))
        weights.append(orders * value / len(codes))
        members.append(batch)
    return np.asarray(laws)[:, np.array(members)].prod(axis=2) @ np.array(weights)
