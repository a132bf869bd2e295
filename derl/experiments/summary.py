"""From rows of many seeds to cells with intervals: medians, frequencies, exponents.

Every interval has level 95 %. That of a median is between two order statistics, exact whatever the law is; that of a
frequency is Clopper's and Pearson's; that of an exponent is a bootstrap over the seeds. What a run did not reach (None)
counts as larger than everything that was reached. Fewer than six runs have no interval of this level between order
statistics, nor one by bootstrap: it is then the whole line, and never a single point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

LEVEL, RESAMPLES, STREAM = 0.95, 1000, 47


@dataclass(frozen=True)
class Estimate:
    """A number and its interval; infinite where more than half of the runs, or too many of them, did not get there.

    Attributes
    ----------
    value, low, high : float
    count : int
        Runs behind it.
    """

    value: float
    low: float
    high: float
    count: int

    @property
    def bounded(self) -> bool:
        """Whether there are enough runs for an interval."""
        return self.low > -math.inf


def median(values: Iterable[float | None], level: float = LEVEL) -> Estimate:
    """The median of a sample, between order statistics of binomial rank.

    Raises
    ------
    ValueError
        An empty sample.
    """
    ordered = np.sort([math.inf if value is None else float(value) for value in values])
    n = len(ordered)
    if not n:
        raise ValueError("a median needs at least one value")
    rank = int(stats.binom.ppf((1 - level) / 2, n, 0.5))  # P(fewer than rank values below the median) <= (1 - level)/2
    low, high = (ordered[rank - 1], ordered[n - rank]) if rank else (-math.inf, math.inf)
    return Estimate(float(ordered[(n - 1) // 2]), float(low), float(high), n)


def share(hits: Iterable[bool | float | None], level: float = LEVEL) -> Estimate:
    """A frequency; of fractions, the frequency of those that are 1."""
    sample = [hit is not None and float(hit) >= 1 for hit in hits]
    n, k = len(sample), sum(sample)
    if not n:
        raise ValueError("a frequency needs at least one run")
    low = float(stats.beta.ppf((1 - level) / 2, k, n - k + 1)) if k else 0.0
    high = float(stats.beta.ppf((1 + level) / 2, k + 1, n - k)) if k < n else 1.0
    return Estimate(k / n, low, high, n)


def exponent(groups: Sequence[tuple[float, Sequence[float | None]]], level: float = LEVEL) -> Estimate | None:
    """The slope of log(median) against log(x), for samples at several x; None where a median is not finite or is 0.

    Parameters
    ----------
    groups : list of (x, values)
        At least two different x > 0.
    """
    samples = [(x, np.array([math.inf if v is None else float(v) for v in values])) for x, values in groups]
    if len({x for x, _ in samples}) < 2:
        raise ValueError("an exponent needs samples at two different places")
    places, middle = np.log([x for x, _ in samples]), np.array([np.median(values) for _, values in samples])
    if not _reached(middle):
        return None
    value, fewest = float(_slopes(places, middle[:, None])[0]), min(len(values) for _, values in samples)
    if not stats.binom.ppf((1 - level) / 2, fewest, 0.5):
        return Estimate(value, -math.inf, math.inf, fewest)
    rng = np.random.default_rng(np.random.SeedSequence(0, spawn_key=(STREAM,)))
    medians = np.stack([np.median(rng.choice(values, (RESAMPLES, len(values))), axis=1) for _, values in samples])
    slopes = _slopes(places, medians[:, _reached(medians)])
    if len(slopes) < (1 + level) / 2 * RESAMPLES:  # too often a median that is not reached
        return Estimate(value, -math.inf, math.inf, fewest)
    low, high = np.quantile(slopes, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(low), float(high), fewest)


def _reached(medians: np.ndarray) -> np.ndarray:
    """Whether all medians (x, ...) are positive and finite."""
    return ((medians > 0) & (medians < math.inf)).all(axis=0)


def _slopes(places: np.ndarray, medians: np.ndarray) -> np.ndarray:
    """Slopes (n,) of the lines through log medians (x, n)."""
    return np.polyfit(places, np.log(medians), 1)[0]


def cells(rows: Iterable[dict], *names: str) -> dict[tuple, list[dict]]:
    """Rows by the values of some columns, in the order of their first appearance."""
    found: dict[tuple, list[dict]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(name) for name in names), []).append(row)
    return found


def column(rows: Iterable[dict], name: str) -> list:
    """One column, None where a row has none."""
    return [row.get(name) for row in rows]
