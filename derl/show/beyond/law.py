"""The exchange law in numbers: how many deployments are needed, and how many are enough, for each batch size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from derl.theory import lower_bounds
from derl.theory.beyond import exchange

EPSILON, DELTA = 0.1, 0.1


@dataclass(frozen=True)
class Side:
    """One curve: log_d N and K."""

    exponents: np.ndarray
    deployments: np.ndarray


def printed(d: int, horizon: int, size: int) -> int:
    """Deployments that the repaired Theorem B.3 proves to be too few on plain locks with H - 1 digits."""
    return (horizon - 2) // lower_bounds.ceil_log(d - 1, size * (horizon - 1))


def sharpened(d: int, horizon: int, size: int) -> int:
    """The same without H in the logarithm: failure at least 1/3."""
    return int(horizon // (2 * lower_bounds.largest_pace(d - 1, size)))


def counted(d: int, horizon: int, size: int) -> int:
    """The same by the exact tail of a binomial: success with probability 1/2 is excluded."""
    return lower_bounds.deployments_without_horizon_log(d - 1, horizon - 1, size)


@cache
def enough(d: int, horizon: int) -> tuple[tuple[int, float], ...]:
    """(K, log_d N) of block exploration for L = 1..H at nu^2 = 1/d, designs with g = d; K strictly decreasing."""
    found: dict[int, float] = {}
    for block in range(1, horizon + 1):
        number = len(exchange.blocks(horizon, block))
        try:
            size = exchange.batch_size(d, horizon, EPSILON, DELTA, block, d, d**-0.5 if number > 1 else None)
        except exchange.InvalidExchange:
            break
        exponent = float(np.log(float(size)) / np.log(d))
        found[number] = min(found.get(number, np.inf), exponent)
    best, kept = np.inf, {}
    for number in sorted(found):  # more deployments than a smaller number needs with less are of no use
        if found[number] < best:
            kept[number] = best = found[number]
    return tuple(sorted(kept.items(), reverse=True))


def sides(d: int, horizon: int, most: int) -> dict[str, Side]:
    """The curves for N = d^0, d^1, ..., d^most; where K deployments are too few, at least K + 1 are needed."""
    exponents = np.arange(most + 1)
    below = {name: Side(exponents, np.array([bound(d, horizon, d**int(x)) + 1 for x in exponents]))
             for name, bound in (("printed", printed), ("sharpened", sharpened), ("counted", counted))}
    steps = enough(d, horizon)
    return below | {"enough": Side(np.array([x for _, x in steps]), np.array([k for k, _ in steps]))}
