r"""The search game solved: values of optimal play, and how many digits a deployment is worth in the long run.

W_K(m, e) is the probability that K deployments of uniform search match the m digits that are left when e digits are
ruled out at the frontier, nothing ever being tried twice there; h_m(e) = (d-e) W_K(m, e). h is concave in e, and that
makes this search optimal among all (`res-search-optimal`).

In the long run a deployment gains pace(d, N) = sum_e pi_e E_e[A] digits, pi the stationary law of the number of
digits ruled out. The search that is told the digit at the frontier gains 1 + E A, the one that forgets E A. With one
trajectory per deployment every digit takes a number of wrong tries that is uniform on 0..d-1, and every deployment
but the last makes one: 2/(d-1) digits per deployment."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, lcm, prod

import numpy as np

from derl.theory.lower_bounds.game_parameters import whole
from derl.theory.lower_bounds.search_programme import exclusion_kernel


def values(d: int, n: int, N: int, K: int, exact: bool = True) -> list[np.ndarray]:
    """W_0, ..., W_K as tables (n+1, d+1): m digits left, e ruled out; the column e = d is 0 for m >= 1.

    Fractions, or float64 where `exact` is False.
    """
    return list(_tables(whole(d, "d", 2), whole(n, "n", 1), whole(N, "N", 1), whole(K, "K", 0), bool(exact)))


@lru_cache(2**5)
def _tables(d: int, n: int, N: int, K: int, exact: bool) -> list[np.ndarray]:
    kernel, one = exclusion_kernel(d, N, n, exact), Fraction(1) if exact else 1.0
    table = np.full((n + 1, d + 1), 0 * one, dtype=kernel.dtype)
    table[0] = one
    tables = [table]
    for _ in range(K):
        following = tables[0].copy()
        for m in range(1, n + 1):
            steps = kernel[:, :m]
            behind = np.stack([tables[-1][m - a, :d] for a in range(steps.shape[1])])
            following[m, :d] = one - steps.sum(axis=(1, 2)) + (steps * behind).sum(axis=(1, 2))
        tables.append(following)
    for table in tables:
        table.setflags(write=False)  # they are kept
    return tables


def batch_value(d: int, table: np.ndarray, m: int, e: int, batch) -> Fraction:
    """Success probability if these paths are deployed and `table` is the value of what is known then.

    Parameters
    ----------
    table : (n+1, d+1)
        As of `values`.
    m, e : int
        Digits left; the digits 0..e-1 are ruled out at the frontier.
    batch : sequence of tuples of m digits
    """
    matched = defaultdict(list)  # by the frontier digit, if it is one that was tried
    for path in batch:
        if path[0] >= e:
            matched[path[0]].append(path[1:])
    missed = (d - e - len(matched)) * table[m, e + len(matched)]
    found = len(matched) if m == 1 else sum(batch_value(d, table, m - 1, 0, rest) for rest in matched.values())
    return (missed + found) / (d - e)


def decomposition(d: int, table: np.ndarray, m: int, e: int, batch) -> Fraction:
    """The same by nodes: [h(e+k) + k b]/(d-e) at the root, p_v [h(k) - h(0) + k b]/d at every node that is visited."""
    def h(left, out):
        return (d - out) * table[left, out]

    tried = {path[0] for path in batch if path[0] >= e}
    total = (h(m, e + len(tried)) + len(tried) * table[m - 1, 0]) / (d - e)
    nodes: dict[tuple, set] = {}
    for path in batch:
        if path[0] >= e:
            for depth in range(1, m):
                nodes.setdefault(path[:depth], set()).add(path[depth])
    for node, children in nodes.items():
        left = m - len(node)
        weight = Fraction(1, (d - e) * d ** (len(node) - 1) * d)
        total += weight * (h(left, len(children)) - h(left, 0) + len(children) * table[left - 1, 0])
    return total


def law_value(d: int, table: np.ndarray, m: int, e: int, law: dict[tuple, Fraction], N: int) -> Fraction:
    """Success probability if N independent paths of this law are deployed: the sum over all sequences of paths."""
    scale = lcm(*(p.denominator for p in law.values()))
    weights = {path: p.numerator * (scale // p.denominator) for path, p in law.items() if p}
    total = Fraction(0)
    for batch in combinations_with_replacement(weights, N):  # the order of the paths changes nothing
        orders = factorial(N) // prod(factorial(times) for times in Counter(batch).values())
        total += orders * prod(weights[path] for path in batch) * batch_value(d, table, m, e, batch)
    return total / scale**N


def _long_run(d: int, N: int) -> tuple[np.ndarray, np.ndarray]:
    """Moves between the numbers of digits ruled out, (d, d), and the mean advance from each, (d,)."""
    last = int((np.log(float(whole(N, "N", 1))) + 93) / np.log(d)) + 3
    kernel = exclusion_kernel(d, N, last, False)
    return kernel.sum(axis=1), (kernel.sum(axis=2) * np.arange(kernel.shape[1])).sum(axis=1)


def pace(d: int, N: int) -> float:
    """Digits per deployment of optimal play in the long run, float64."""
    moves, gain = _long_run(whole(d, "d", 2), N)
    system = np.vstack([moves.T - np.eye(d), np.ones(d)])
    law = np.linalg.lstsq(system, np.append(np.zeros(d), 1.0), rcond=None)[0]
    return float(law @ gain)


def revealed_pace(d: int, N: int) -> float:
    """mu = 1 + E A, digits per deployment of the search that is told the digit at the frontier."""
    last = int((np.log(float(whole(N, "N", 1))) + 93) / np.log(whole(d, "d", 2))) + 2
    with np.errstate(divide="ignore"):
        return 1.0 - float(np.expm1(float(N) * np.log1p(-(float(d) ** -np.arange(1.0, last + 1)))).sum())
