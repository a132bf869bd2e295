"""What is done to the parts of a formula: the values decide how.

Whole numbers and fractions stay exact as long as the result is rational; floats stay floats; expressions of sympy,
arrays of numpy and balls of flint each bring their own functions. None of these packages is imported here: where a
value comes from one of them, it is loaded already.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import reduce

LARGEST_POWER = 4096  # an exact power beyond it is a float
LARGEST_WHOLE = 100_000  # of which a factorial, a binomial coefficient or a finite sum is taken
ORDER = ("sympy", "flint", "mpmath", "numpy")  # where two meet, the first decides


def family(values) -> str:
    """The package whose numbers these are; "" for Python's own."""
    found = {type(value).__module__.partition(".")[0] for value in values}
    return next((name for name in ORDER if name in found), "")


def lifted(value, package: str):
    """A number of Python as a number of a package; what is one already stays."""
    if isinstance(value, bool):
        value = int(value)
    if package == "sympy":
        return sys.modules["sympy"].sympify(value)
    if package == "flint" and isinstance(value, int | float | Fraction):
        flint = sys.modules["flint"]
        exact = Fraction(value)
        return flint.arb(flint.fmpq(exact.numerator, exact.denominator))
    if package == "mpmath" and isinstance(value, Fraction):
        return sys.modules["mpmath"].mpf(value.numerator) / value.denominator
    if package == "numpy" and isinstance(value, Fraction):
        return int(value) if value.denominator == 1 and abs(value) < 2**53 else float(value)
    return value


def add(*parts):
    package = family(parts)
    return reduce(lambda one, other: one + other, (lifted(part, package) for part in parts))


def times(one, other):
    package = family((one, other))
    return lifted(one, package) * lifted(other, package)


def over(above, below):
    package = family((above, below))
    if not package and isinstance(above, int | Fraction) and isinstance(below, int | Fraction):
        return Fraction(above) / Fraction(below)
    return lifted(above, package) / lifted(below, package)


def power(base, exponent):
    package = family((base, exponent))
    if package:
        if package == "numpy" and getattr(base, "dtype", None) is not None and base.dtype.kind in "iu":
            base = base.astype(float)
        return lifted(base, package) ** lifted(exponent, package)
    if isinstance(exponent, int | Fraction) and isinstance(base, int | Fraction):
        exponent, base = Fraction(exponent), Fraction(base)
        if exponent.denominator == 1 and abs(exponent) <= LARGEST_POWER:
            return base ** int(exponent)
        if base >= 0 and (found := _exact_root(base, exponent.denominator)) is not None and \
                abs(exponent.numerator) <= LARGEST_POWER:
            return found ** exponent.numerator
    if base < 0 and exponent != int(exponent):
        raise ValueError("a root of a negative number")
    return float(base) ** float(exponent)


def _exact_root(base: Fraction, degree: int) -> Fraction | None:
    """The root of a fraction where that is a fraction."""
    if degree > 64:
        return None
    roots = [_whole_root(side, degree) for side in (base.numerator, base.denominator)]
    return None if None in roots else Fraction(*roots)


def _whole_root(number: int, degree: int) -> int | None:
    found = math.isqrt(number) if degree == 2 else _newton(number, degree)
    return found if found**degree == number else None


def _newton(number: int, degree: int) -> int:
    if number < 2:
        return number
    found = 1 << -(-number.bit_length() // degree)
    while (closer := ((degree - 1) * found + number // found ** (degree - 1)) // degree) < found:
        found = closer
    return found


def root(degree: Fraction, inside):
    package = family((inside,))
    if package in ("sympy", "mpmath", "numpy") and degree == 2:
        return sys.modules[package].sqrt(lifted(inside, package))
    if package == "flint" and degree == 2:
        return inside.sqrt()
    return power(inside, 1 / degree)


def _named(name: str) -> Callable:
    def function(value):
        package = family((value,))
        if package == "flint":
            return getattr(value, name)()
        if package:
            return getattr(sys.modules[package], name)(value)
        if name == "log" and value == 1 or name == "sin" and value == 0:
            return Fraction(0)
        if name == "exp" and value == 0:
            return Fraction(1)
        if name == "log" and isinstance(value, int | Fraction) and value > 0:  # beyond the range of floats, too
            return math.log(Fraction(value).numerator) - math.log(Fraction(value).denominator)
        return getattr(math, name)(value)
    return function


log, exp, sin, cos = map(_named, ("log", "exp", "sin", "cos"))


def log_to(inside, base):
    """The logarithm to a base; exact where it is a whole number."""
    if not family((inside, base)) and isinstance(inside, int | Fraction) and isinstance(base, int | Fraction) and \
            inside > 0 and base > 0 and base != 1:
        near = round(log(inside) / log(base))
        if abs(near) <= LARGEST_POWER and Fraction(base) ** near == inside:
            return Fraction(near)
    return over(log(inside), log(base))


def _rounding(name: str) -> Callable:
    def function(value):
        package = family((value,))
        if package == "sympy":
            return getattr(sys.modules["sympy"], {"ceil": "ceiling"}.get(name, name))(value)
        if package == "flint":
            found = getattr(value, name)()
            if found.rad():
                raise ValueError("a ball around a whole number cannot be rounded")
            return found
        if package:
            return getattr(sys.modules[package], name)(value)
        return Fraction(getattr(math, name)(value))
    return function


ceil, floor = _rounding("ceil"), _rounding("floor")


def absolute(value):
    return abs(value)


def _extreme(name: str) -> Callable:
    def function(*values):
        package = family(values)
        values = [lifted(value, package) for value in values]
        if package == "sympy":
            return getattr(sys.modules["sympy"], name.capitalize())(*values)
        if package == "numpy":
            return reduce(getattr(sys.modules["numpy"], f"{name}imum"), values)
        if package == "flint":
            return reduce(lambda one, other: getattr(one, name)(other), values)
        return {"min": min, "max": max}[name](values)
    return function


least, greatest = _extreme("min"), _extreme("max")


def whole(value) -> int:
    """A value that has to be a whole number from 0 to `LARGEST_WHOLE`.

    Raises
    ------
    ValueError
    """
    if value != int(value) or not 0 <= value <= LARGEST_WHOLE:
        raise ValueError(f"{value} is no whole number from 0 to {LARGEST_WHOLE}")
    return int(value)


def factorial(value):
    package = family((value,))
    if package == "sympy":
        return sys.modules["sympy"].factorial(value)
    return Fraction(math.factorial(whole(value)))


def binomial(above, below):
    package = family((above, below))
    if package == "sympy":
        return sys.modules["sympy"].binomial(above, below)
    return Fraction(math.comb(whole(above), whole(below)))
