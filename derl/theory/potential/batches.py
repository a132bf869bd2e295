"""Reading batches and numbers: exact fractions from user input, square roots of positive semi-definite batches.

Numbers may be int, Fraction or text such as "1/10"; a float is read as the decimal that Python prints for it
(0.1 means 1/10). Every refusal is one line: which argument, what was found, what is allowed.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl import inputs
from derl.inputs.arrays import as_floats
from derl.inputs.decimals import exact_real, exact_whole

LARGEST = 10**100  # of the numbers that formulas in 64-bit arithmetic take, and 1 over the smallest epsilon
ENTRIES = 10**8  # of an array that is returned
KINDS = ("matrices", "copies", "vectors")
SLACK = 1e-9  # relative room for rounding in the inputs: norms up to 1 + SLACK, eigenvalues down to -SLACK


class InvalidPotential(inputs.Invalid):
    """An argument is outside its range; the message says which, what was found and what is allowed."""


def rational(value, name: str, **bounds) -> Fraction:
    """Read a finite real number, or text, as an exact fraction; bounds as in `derl.inputs.real`."""
    return exact_real(value, name, InvalidPotential, **bounds)


def whole(value, name: str) -> int:
    """Read a whole number >= 1 that only exact arithmetic sees."""
    return exact_whole(value, name, 1, InvalidPotential)


def count(value, name: str) -> int:
    """Read a whole number from 1 to `LARGEST`: products of three of them are still floats."""
    number = whole(value, name)
    if number > LARGEST:
        raise InvalidPotential(f"{name} is {inputs.shown(number)}; it must be a whole number in 1..10^100")
    return number


def level(epsilon, name: str = "epsilon") -> Fraction:
    """Read a violation level: 1e-100 <= epsilon <= 1. (Above 1 nothing violates: tr(A^{-1} Phi) <= tr Phi <= N.)"""
    return _not_tiny(rational(epsilon, name, above=0, high=1), name)


def _not_tiny(number: Fraction, name: str) -> Fraction:
    if number * LARGEST < 1:
        raise InvalidPotential(f"{name} is {float(number):.3g}; it must be at least 1e-100")
    return number


def affordable(rows: int, d: int) -> None:
    """Refuse an array (rows, d) that would not fit in memory."""
    if rows * d > ENTRIES:
        raise InvalidPotential(f"the batches have {inputs.shown(rows)} rows of {inputs.shown(d)} numbers; at most "
                               f"{ENTRIES} numbers are allowed")


def roots(increments, N: int, kind: str | None) -> np.ndarray:
    """Square roots X_k, shape (..., K, n, d), of validated batches Phi_k = X_k^T X_k."""
    array = finite(increments, "increments")
    if kind is None:
        if array.ndim not in (2, 3):
            raise InvalidPotential(f"increments has {array.ndim} axes; (K, d, d) or (K, d), or name the kind")
        kind = "copies" if array.ndim == 2 else "matrices"
    inputs.choice(kind, "kind", KINDS, InvalidPotential)
    if array.ndim < (2 if kind == "copies" else 3) or array.shape[-1] < 1:
        raise InvalidPotential(f"increments has shape {array.shape}, which does not fit kind {kind!r}")
    if kind == "matrices":
        found = root_of_psd(array, "increments")
        largest = np.einsum("...kii->...k", array).max(initial=0.0)
        if largest > N * (1 + SLACK):
            raise InvalidPotential(f"a batch has trace {largest:.6g}; N = {N} vectors of length <= 1 have at most {N}")
        return found
    longest = np.linalg.norm(array, axis=-1).max(initial=0.0)
    if longest > 1 + SLACK:
        raise InvalidPotential(f"a vector has length {longest:.9g}; it must be <= 1")
    if kind == "copies":
        return np.sqrt(float(N)) * array[..., None, :]
    if array.shape[-2] > N:
        raise InvalidPotential(f"a batch has {array.shape[-2]} vectors; at most N = {N} are allowed")
    return array


def root_of_psd(matrix, name: str) -> np.ndarray:
    """X with X^T X = matrix, for symmetric positive semi-definite matrices (..., d, d)."""
    values, vectors = np.linalg.eigh(symmetric(matrix, name))
    scale = np.abs(values).max(axis=-1, initial=0.0)
    if (values < -SLACK * scale[..., None]).any():
        raise InvalidPotential(f"{name} is not positive semi-definite: it has the eigenvalue {values.min():.6g}")
    return np.sqrt(np.maximum(values, 0.0))[..., None] * np.swapaxes(vectors, -1, -2)


def symmetric(matrix, name: str) -> np.ndarray:
    array = finite(matrix, name)
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < 1:
        raise InvalidPotential(f"{name} has shape {array.shape}; it must be (..., d, d)")
    mirrored = np.swapaxes(array, -1, -2)
    if np.abs(array - mirrored).max(initial=0.0) > SLACK * np.abs(array).max(initial=0.0):
        raise InvalidPotential(f"{name} is not symmetric")
    return (array + mirrored) / 2


def finite(values, name: str) -> np.ndarray:
    array = as_floats(values, name, InvalidPotential)
    if not np.isfinite(array).all():
        raise InvalidPotential(f"{name} contains NaN or infinity")
    return array


def positive(epsilon) -> float:
    return float(_not_tiny(rational(epsilon, "epsilon", above=0, high=LARGEST), "epsilon"))
