"""Numbers, choices and texts that a caller passes: each is returned in its proper type, or refused in one line.

Every message has the same form: the name, the value that was found, and what is allowed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

from derl.exact.base import Invalid

LONGEST = 60  # characters of a value that a message repeats
DIGITS = 400  # of numerator and denominator, and the largest power of ten: the range of float64, and some room
WRITTEN = "a number such as 12, 0.1, 1/10 or 1e10"
NUMBER = re.compile(r"[+-]?(\d[\d_]*(/\d+)?|(\d+(\.\d*)?|\.\d+)(e(?P<exponent>[+-]?\d+))?)", re.IGNORECASE | re.ASCII)


def shown(value: Any) -> str:
    """A value as a message repeats it: on one line, and cut where it is long."""
    try:
        if isinstance(value, Rational) and not is_foreign(value):
            bits = max(int(value.numerator).bit_length(), int(value.denominator).bit_length())
            kind = "whole number" if value.denominator == 1 else "fraction"
            return str(value) if bits <= 200 else f"a {kind} of about {_digits(bits)} digits"
        if isinstance(value, Real) and not is_foreign(value):
            return str(value)  # numpy's numbers would bring their type
        found = " ".join(repr(value[:LONGEST] if isinstance(value, str) else value).split())
    except Exception:  # a foreign object may fail even at being shown
        found = f"a {type(value).__name__}"
    return found if len(found) <= LONGEST else f"{found[:LONGEST - 3]}..."


def whole(value: Any, name: str, low: int | None = 1, high: int | None = None, error: type[Invalid] = Invalid) -> int:
    """A whole number between two bounds, as int; 3.0 and Fraction(3) count, True does not.

    Parameters
    ----------
    low, high : int or None
        Both allowed themselves; None where there is no bound.

    Raises
    ------
    error

    Examples
    --------
    >>> from derl.inputs import Invalid, whole
    >>> whole(12.0, "N", 1)
    12
    >>> try:
    ...     whole(0, "N", 1)
    ... except Invalid as error:
    ...     print(error)
    ...
    N is 0; it must be a whole number >= 1
    """
    number = _as_whole(value)
    if number is None or (low is not None and number < low) or (high is not None and number > high):
        raise error(f"{name} is {shown(value)}; it must be a whole number{_range(low, high)}")
    return number


def real(value: Any, name: str, low: Real | None = None, high: Real | None = None, above: Real | None = None,
         below: Real | None = None, error: type[Invalid] = Invalid) -> float | int | Fraction:
    """A finite real number in a range; exact numbers stay exact, everything else becomes float.

    Numbers that float64 cannot hold (10**400, or a fraction that would round to 0) are refused.

    Parameters
    ----------
    low, high : number or None
        Bounds that are allowed themselves.
    above, below : number or None
        Bounds that are not.

    Raises
    ------
    error

    Examples
    --------
    >>> from derl.inputs import real
    >>> real(0.5, "epsilon", above=0, below=1)
    0.5
    """
    number = _as_real(value)
    fits = (number is not None and (low is None or number >= low) and (high is None or number <= high)
            and (above is None or number > above) and (below is None or number < below))
    if not fits:
        first = f">= {low}" if low is not None else f"> {above}" if above is not None else ""
        last = f"<= {high}" if high is not None else f"< {below}" if below is not None else ""
        ends = f"in [{low}, {high}]" if None not in (low, high) else " and ".join(filter(None, (first, last)))
        raise error(f"{name} is {shown(value)}; it must be a finite number{' ' * bool(ends)}{ends}")
    return number


def choice(value: Any, name: str, allowed: Collection, error: type[Invalid] = Invalid) -> Any:
    """One of some values, in the form in which the list has it.

    Raises
    ------
    error
    """
    try:
        hash(value)  # no list and no array
        found = [] if isinstance(value, bool) else [option for option in allowed if option == value]
    except Exception:  # a foreign object may fail in any way at being compared
        found = []
    if not found:
        raise error(f"{name} is {shown(value)}; allowed are {', '.join(map(repr, allowed))}")
    return found[0]


def text(value: Any, name: str, longest: int, error: type[Invalid] = Invalid) -> str:
    """A text of at most so many characters.

    Raises
    ------
    error
    """
    if not isinstance(value, str):
        raise error(f"{name} is {shown(value)}; it must be a text")
    if len(value) > longest:
        raise error(f"{name} has {len(value)} characters; at most {longest} are allowed")
    return value


def number(value: str, name: str, error: type[Invalid] = Invalid, form: str = WRITTEN) -> Fraction:
    """The exact value of a written number: "12", "0.1", "1/10", "1e10".

    A long text or a large power of ten is refused before anything is computed with it: 1e99999999 as a fraction would
    have a hundred million digits. What is accepted can be written as a fraction and read again: numerator and
    denominator are at most 10^400.

    Parameters
    ----------
    form : str
        What the message says is allowed.

    Raises
    ------
    error
    """
    written = text(value, name, 2 * DIGITS + 4, error).strip()
    match = NUMBER.fullmatch(written)
    power = match["exponent"] if match else None
    if match is None or power is not None and (len(power) > 5 or abs(int(power)) > DIGITS):
        limit = "" if match is None else f" with a power of ten of at most {DIGITS}"
        raise error(f"{name} is {shown(written)}; it must be {form}{limit}")
    try:
        found = Fraction(written)
    except (ValueError, ZeroDivisionError):
        raise error(f"{name} is {shown(written)}; it must be {form}") from None
    if max(abs(found.numerator), found.denominator) > 10**DIGITS:
        raise error(f"{name} is {shown(written)}; as a fraction it must have at most {DIGITS} digits above and below")
    return found


def is_foreign(value: Any) -> bool:
    """Truth values (Python's, numpy's, sympy's), which equal 1 and 0, and numpy's spans of time, which say Integral."""
    return (isinstance(value, bool) or type(value).__name__ in ("bool", "bool_", "BooleanTrue", "BooleanFalse")
            or getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M"))


def _scalar(value: Any) -> Any:
    """The entry of an array without dimensions; anything else as it is, and None for an entry that is masked."""
    if type(value).__module__.startswith("numpy.ma"):
        return None if value.mask.all() else _scalar(value.data)
    dtype = getattr(value, "dtype", None)
    if getattr(value, "shape", None) == () and getattr(dtype, "kind", "") in "iuf" and hasattr(value, "item"):
        return value.item()
    return value


def _as_whole(value: Any) -> int | None:
    """The whole number, or None where it is none."""
    try:
        value = _scalar(value)
        if is_foreign(value) or not isinstance(value, Real):
            return None
        if isinstance(value, Rational):  # numpy's and sympy's integers register as such
            return int(value) if value.denominator == 1 else None
        return int(value) if math.isfinite(value) and value == int(value) else None
    except Exception:  # a foreign object may fail in any way at being a number
        return None


def _as_real(value: Any) -> float | int | Fraction | None:
    """The number, or None where it is none, infinite, complex, a truth value, or out of the range of float64."""
    try:
        value = _scalar(value)
        if is_foreign(value) or not isinstance(value, Real) and not getattr(value, "is_real", False):
            return None  # sympy's numbers say is_real
        close = float(value)
        if not math.isfinite(close) or close == 0 != value:
            return None
        if isinstance(value, Integral):
            return int(value)
        if isinstance(value, Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        return close
    except Exception:  # a foreign object may fail in any way at being a number
        return None


def _digits(bits: int) -> int:
    return int(bits * math.log10(2)) + 1


def _range(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f" in {low}..{high}"
    return f" >= {low}" if low is not None else f" <= {high}" if high is not None else ""
