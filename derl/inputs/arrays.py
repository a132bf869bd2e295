"""Arrays that a caller passes are converted to float64 before any check, so rules apply to the numbers that are used.

A row of float16 that sums to 1 in its own arithmetic need not sum to 1 in float64. A number with more digits than
float64 has is rounded once, here.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from derl.inputs.values import Invalid, is_foreign

NESTED = 8  # lists in lists that are searched for masked arrays; numbers lie no deeper


def as_array(value: Any, name: str, error: type[Invalid] = Invalid) -> np.ndarray:
    """The value as an array of whatever kind; numpy's own array is not copied.

    Raises
    ------
    error
        It is no array (rows of different lengths, an object that fails in its own way), or has masked entries.
    """
    if type(value) is np.ndarray:
        return value
    try:
        return np.asarray(unmasked(value, name, error))
    except error:
        raise
    except MemoryError:
        raise
    except Exception as problem:  # a foreign object may fail in any way at becoming an array
        raise error(f"{name} must be an array of real numbers, no rows of different lengths ({_reason(problem)})"
                    ) from None


def as_floats(value: Any, name: str, error: type[Invalid] = Invalid) -> np.ndarray:
    """The value as an array of float64; an array of float64 is not copied.

    Whole numbers, floats of any width, and objects that are real numbers (Fractions, numbers of sympy) are taken at the
    float64 next to them. Truth values, texts, complex numbers, dates and missing values (None, NA) are refused.

    Raises
    ------
    error

    Examples
    --------
    >>> import numpy as np
    >>> from derl.inputs.arrays import as_floats
    >>> float(as_floats(np.array([1, 2**-11], np.float16), "row").sum())
    1.00048828125
    """
    raw = as_array(value, name, error)
    if raw.dtype == np.float64:
        return raw
    try:
        if raw.dtype.kind not in "iufO":
            raise TypeError(f"dtype {raw.dtype}")
        if raw.dtype.hasobject:
            _demand_numbers(raw)
        with np.errstate(over="ignore"):  # what becomes infinite is refused as such
            return raw.astype(np.float64, copy=False)
    except MemoryError:
        raise
    except Exception as problem:  # as above
        raise error(f"{name} must be an array of real numbers ({_reason(problem)})") from None


def unmasked(value: Any, name: str, error: type[Invalid] = Invalid) -> Any:
    """The value itself, if no entry of it is masked.

    Raises
    ------
    error
        An array, or one in a list, has masked entries, which numpy would otherwise replace by the values under the
        mask.
    """
    if _has_masked(value, NESTED):
        raise error(f"{name} has masked entries; masked entries have no value, so give an array without a mask")
    return value


def _has_masked(value: Any, depth: int) -> bool:
    if isinstance(value, np.ma.MaskedArray):
        return bool(np.ma.getmaskarray(value).any())
    if isinstance(value, list | tuple) and depth:
        return any(_has_masked(entry, depth - 1) for entry in value)
    return False


def _demand_numbers(array: np.ndarray) -> None:
    for entry in array.ravel().tolist():
        if is_foreign(entry) or not isinstance(entry, Real) and not getattr(entry, "is_real", False):
            raise TypeError(f"an entry is of type {type(entry).__name__}")


def _reason(problem: Exception) -> str:
    return " ".join(str(problem).split())[:200]
