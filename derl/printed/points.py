"""Points at which formulas are evaluated to compare them, the same for every run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction

from derl.printed.reading import GREEK

ROWS = 12
WHOLE = (2, 3, 4, 5, 6, 7, 9, 11)
PARTS = tuple(Fraction(*pair) for pair in ((1, 2), (1, 3), (1, 5), (2, 7), (3, 10), (1, 11), (4, 9), (1, 50)))


def bare(name: str) -> str:
    """A letter without its accents, its index, its primes and its star."""
    return name.split(" ")[-1].partition("_")[0].partition("^")[0].rstrip("'")


def points(names: Iterable[str]) -> Iterator[dict[str, Fraction]]:
    """Letter -> value: Latin letters are whole numbers, Greek ones also lie between 0 and 1."""
    names = sorted(names)
    for row in range(ROWS):
        point = {}
        for name in names:
            pick = int(hashlib.sha256(f"{name} {row}".encode()).hexdigest(), 16)
            small = bare(name) in GREEK
            below = small if row < ROWS // 2 else not small and row >= ROWS - 2
            values = PARTS if below else WHOLE
            point[name] = Fraction(values[pick % len(values)])
        yield point
