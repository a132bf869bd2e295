"""Exact linear algebra on integers: independence, null vectors, definiteness, square roots rounded outwards."""

from __future__ import annotations

import math
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from derl.inputs import as_fraction


def in_integers(array) -> tuple[np.ndarray, int]:
    """An array of Fractions as integers, and their least common denominator."""
    scale = lcm(1, *(int(entry.denominator) for entry in array.ravel()))  # a Fraction may hold integers of numpy
    return np.frompyfunc(lambda entry: int(entry.numerator) * (scale // int(entry.denominator)), 1, 1)(array), scale


def _echelon(rows):
    """Indices of independent rows, and the rows reduced by the ones before: (pivot column, row)."""
    chosen, reduced = [], []
    for index, row in enumerate(rows):
        row = [int(x) for x in row]
        for pivot, other in reduced:
            if row[pivot]:
                factor = row[pivot]
                row = [other[pivot] * x - factor * y for x, y in zip(row, other, strict=True)]
        divisor = gcd(*row)
        if divisor:
            row = [x // divisor for x in row]
            reduced.append((next(i for i, x in enumerate(row) if x), row))
            chosen.append(index)
        if len(chosen) == len(row):
            break
    return chosen, reduced


def independent(rows: np.ndarray) -> list[int]:
    """Indices of rows that form a basis of the row space, by exact elimination; rows (n, d) of int."""
    return _echelon(rows)[0]


def null_vector(rows: np.ndarray) -> np.ndarray:
    """A nonzero integer vector orthogonal to all rows; the rows (n, d) of int must not span R^d."""
    _, reduced = _echelon(rows)
    vector = [Fraction(0)] * rows.shape[1]
    vector[min(set(range(rows.shape[1])) - {pivot for pivot, _ in reduced})] = Fraction(1)
    for pivot, row in reversed(reduced):  # a row is zero at the pivots of the rows before it
        vector[pivot] = -sum(x * y for x, y in zip(row, vector, strict=True)) / row[pivot]
    return in_integers(np.array(vector, dtype=object))[0]


def positive_semidefinite(matrix: np.ndarray) -> bool:
    """Whether a symmetric matrix of ints or Fractions is positive semidefinite, by L D L' without rounding.

    A pivot of zero is allowed only where its whole remaining row is zero.
    """
    rows = [[as_fraction(x) for x in row] for row in matrix]
    for i in range(len(rows)):
        pivot = rows[i][i]
        if pivot < 0 or pivot == 0 and any(rows[i][i:]):
            return False
        for k in range(i + 1, len(rows)) if pivot else ():
            if rows[k][i]:
                factor = rows[k][i] / pivot
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i], strict=True)]
    return True


def root_below(value: Fraction) -> float:
    """The largest float whose square is at most value >= 0."""
    root = math.sqrt(value)
    while Fraction(root) ** 2 > value:
        root = math.nextafter(root, 0.0)
    while Fraction(above := math.nextafter(root, math.inf)) ** 2 <= value:
        root = above
    return root


def root_above(value: Fraction) -> float:
    """The smallest float whose square is at least value >= 0."""
    root = root_below(value)
    return root if Fraction(root) ** 2 == value else math.nextafter(root, math.inf)


def float_below(value: Fraction) -> float:
    """The largest float that is at most value."""
    nearest = float(value)
    return nearest if nearest <= value else math.nextafter(nearest, -math.inf)


def float_above(value: Fraction) -> float:
    """The smallest float that is at least value."""
    return 0.0 - float_below(-value)  # never -0.0


def grid(array, bits: int) -> np.ndarray:
    """A float array as integers over 2^bits, rounded to the nearest."""
    return np.frompyfunc(lambda x: round(Fraction(float(x)) * (1 << bits)), 1, 1)(np.asarray(array)).astype(object)
