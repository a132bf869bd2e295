"""What is done to the parts of a formula: the values decide how.

Whole numbers and fractions stay exact as long as the result is rational and has at most `LARGEST` bits; floats stay
floats; expressions of sympy, arrays of numpy, balls of flint and intervals of mpmath ("iv") each bring their own
functions. None of these packages is imported here: where a value comes from one of them, it is loaded already.

An irrational number, such as the root of two, is a float only where no value is an expression, a ball or an interval:
`package` names the package of the values, and a float never becomes a ball or an interval.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import reduce

LARGEST = 200_000  # bits of an exact power
LARGEST_WHOLE = 100_000  # terms of a finite sum
LARGEST_FACTORIAL = 10_000  # of which a factorial or a binomial coefficient is taken
LARGEST_EXPONENT = 10**15  # of e, and argument of sine and cosine, in intervals
CLOSE = 1e-12  # a float that near to a whole number is not rounded, where the values were exact
ORDER = ("sympy", "flint", "iv", "mpmath", "numpy")  # where two meet, the first decides


class Undecided(ValueError):
    """An interval is too wide; with more bits it may do."""


def family(values) -> str:
    """The package whose numbers these are; "" for Python's own."""
    modules = {type(value).__module__ or "" for value in values}
    found = {"iv" if name == "mpmath.ctx_iv" else name.partition(".")[0] for name in modules}
    return next((name for name in ORDER if name in found), "")


def functions(package: str):
    """What has the functions of a package."""
    return sys.modules["mpmath"].iv if package == "iv" else sys.modules[package]


def lifted(value, package: str):
    """A number of Python as a number of a package; what is one already stays."""
    if isinstance(value, bool):
        value = int(value)
    if package == "sympy":
        return sys.modules["sympy"].sympify(value)
    if package in ("flint", "iv") and isinstance(value, float):
        raise ValueError(f"the float {value} among balls; give a fraction or a ball")
    if package == "iv" and isinstance(value, int | Fraction):
        return functions("iv").mpf(value.numerator) / value.denominator
    if package == "flint" and isinstance(value, int | Fraction):
        flint, exact = sys.modules["flint"], Fraction(value)
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
    if package == "iv" and any(isinstance(part, Fraction) and part == 0 for part in (one, other)):
        return Fraction(0)
    return lifted(one, package) * lifted(other, package)


def over(above, below):
    package = family((above, below))
    if not package and isinstance(above, int | Fraction) and isinstance(below, int | Fraction):
        return Fraction(above) / Fraction(below)
    return lifted(above, package) / lifted(below, package)


def power(base, exponent, package: str = ""):
    """A power; exact where it is rational."""
    if isinstance(exponent, int | Fraction) and isinstance(base, int | Fraction):
        exponent, base = Fraction(exponent), Fraction(base)
        if base < 0 and exponent.denominator > 1:
            raise ValueError("a root of a negative number")
        if _bits(base, exponent) <= LARGEST:
            found = base if exponent.denominator == 1 else _exact_root(base, exponent.denominator)
            if found is not None:
                return found ** exponent.numerator
    package = family((base, exponent)) or package
    if package == "numpy":  # whole numbers of numpy have no negative powers
        base = base if hasattr(base, "dtype") else float(base)
    if package == "iv":
        return _interval_power(base, exponent)
    if package:
        base, exponent = lifted(base, package), lifted(exponent, package)
        if package == "sympy" and base.is_Rational and exponent.is_Rational and \
                _bits(Fraction(base.p, base.q), Fraction(exponent.p, exponent.q)) > LARGEST:
            raise ValueError(f"a power with more than {LARGEST} bits")
        return base ** exponent
    if base < 0 and exponent != int(exponent):
        raise ValueError("a root of a negative number")
    return float(base) ** float(exponent)


def _bits(base: Fraction, exponent: Fraction) -> int:
    """At most so many bits has a power."""
    return max(base.numerator.bit_length(), base.denominator.bit_length()) * abs(exponent.numerator) \
        if abs(base) != 1 else 1


def _interval_power(base, exponent):
    if (base := lifted(base, "iv")) > 0:
        return exp(lifted(log(base), "iv") * lifted(exponent, "iv"))
    if isinstance(exponent, Fraction) and exponent.denominator == 1 and abs(exponent) <= LARGEST:
        return base ** int(exponent)
    raise Undecided("a power of a number that is not positive")


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


def root(degree: Fraction, inside, package: str = ""):
    """The root of a degree; exact where it is rational."""
    if degree == 2 and (kind := family((inside,))):
        if kind == "iv" and not inside >= 0:
            raise Undecided("a root of a number that is not positive")
        return inside.sqrt() if kind == "flint" else functions(kind).sqrt(inside)
    return power(inside, 1 / degree, package)


def _named(name: str) -> Callable:
    def function(value, package: str = ""):
        package = family((value,)) or package
        if name == "log" and value == 1 or name == "sin" and value == 0:
            return Fraction(0)
        if name in ("exp", "cos") and value == 0:
            return Fraction(1)
        if package == "flint":
            return getattr(lifted(value, package), name)()
        if package == "iv":
            value = lifted(value, package)
            if name == "log" and not value > 0:
                raise Undecided("a logarithm of a number that is not positive")
            if name != "log" and not abs(value) <= LARGEST_EXPONENT:
                raise ValueError(f"{name} of a number that is too large")
        if package:
            return getattr(functions(package), name)(lifted(value, package))
        if name == "log" and isinstance(value, int | Fraction) and value > 0:
            return _log(Fraction(value))
        return getattr(math, name)(value)

    def plain(value, package: str = ""):
        if family((value,)) == "numpy":  # comparing an array gives an array
            return getattr(sys.modules["numpy"], name)(value)
        return function(value, package)
    return plain


def _log(value: Fraction) -> float:
    """The logarithm of a fraction, near one and beyond the range of floats, too."""
    if Fraction(1, 2) < value < 2:
        return math.log1p(value - 1)
    return math.log(value.numerator) - math.log(value.denominator)


log, exp, sin, cos = map(_named, ("log", "exp", "sin", "cos"))


def log_to(inside, base, package: str = ""):
    """The logarithm to a base; exact where it is a whole number."""
    if _rational(inside, base):
        whole, exact = _whole_log(Fraction(inside), Fraction(base))
        if exact:
            return Fraction(whole)
    return over(log(inside, package), log(base, package))


def _rational(inside, base) -> bool:
    return isinstance(inside, int | Fraction) and isinstance(base, int | Fraction) and inside > 0 and \
        base > 0 and base != 1


def _whole_log(inside: Fraction, base: Fraction) -> tuple[int, bool]:
    """The logarithm rounded down, and whether it is that whole number."""
    if base < 1:
        whole, exact = _whole_log(inside, 1 / base)
        return -whole if exact else -whole - 1, exact
    found = math.floor(_log(inside) / _log(base))
    if abs(found) * max(base.numerator.bit_length(), base.denominator.bit_length()) > LARGEST:
        raise ValueError("the logarithm is too large")
    while base**found > inside:
        found -= 1
    while base ** (found + 1) <= inside:
        found += 1
    return found, base**found == inside


def rounded_log(name: str, inside, base, package: str = ""):
    """The logarithm to a base, rounded up ("ceil") or down ("floor"): of fractions without an error of rounding."""
    if not _rational(inside, base):
        return {"ceil": ceil, "floor": floor}[name](log_to(inside, base, package))
    whole, exact = _whole_log(Fraction(inside), Fraction(base))
    return Fraction(whole if exact or name == "floor" else whole + 1)


def _whole_end(interval, name: str) -> int:
    """The whole number to which both ends of an interval are rounded."""
    ends = interval._mpi_
    if max(exponent + bits for _, _, exponent, bits in ends) > LARGEST:
        raise ValueError("a number that is too large to be rounded")
    found = {sys.modules["mpmath"].libmp.to_int(end, name[0]) for end in ends}
    if len(found) > 1:
        raise Undecided("an interval around a whole number cannot be rounded")
    return found.pop()


def _rounding(name: str) -> Callable:
    def function(value, exact: bool = False):
        """`exact`: the values were, so that a float so near to a whole number may be on its other side."""
        package = family((value,))
        if package == "sympy":
            return getattr(sys.modules["sympy"], {"ceil": "ceiling"}.get(name, name))(value)
        if package == "flint":
            found = getattr(value, name)()
            if not found.is_exact():
                raise ValueError("a ball around a whole number cannot be rounded")
            return found
        if package == "iv":
            return Fraction(_whole_end(value, name))
        if package:
            return getattr(sys.modules[package], name)(value)
        if exact and isinstance(value, float) and abs(value - round(value)) <= CLOSE * max(1.0, abs(value)):
            raise ValueError(f"{value} is too near to a whole number to be rounded")
        return Fraction(getattr(math, name)(value))
    return function


ceil, floor = _rounding("ceil"), _rounding("floor")


def absolute(value):
    return abs(value)


def _extreme(name: str) -> Callable:
    def function(*values):
        package, given = family(values), values
        values = [lifted(value, package) for value in values]
        if package == "sympy":
            return getattr(sys.modules["sympy"], name.capitalize())(*values)
        if package == "numpy":
            return reduce(getattr(sys.modules["numpy"], f"{name}imum"), values)
        if package == "flint":
            return reduce(lambda one, other: getattr(one, name)(other), values)
        if package == "iv":
            for value, one in zip(given, values, strict=True):  # a number that decides stays exact
                if all((one <= other if name == "min" else one >= other) is True for other in values):
                    return value
            ends = ([getattr(value, end) for value in values] for end in "ab")
            return functions("iv").mpf([{"min": min, "max": max}[name](some) for some in ends])
        return {"min": min, "max": max}[name](values)
    return function


least, greatest = _extreme("min"), _extreme("max")


def whole(value) -> int:
    """A value that has to be a whole number from 0 to `LARGEST_FACTORIAL`; a ball has to be exact.

    Raises
    ------
    ValueError
    """
    if family((value,)) == "flint":
        value = Fraction(int(value.unique_fmpz() if value.is_exact() else -1))
    if family((value,)) == "iv" or value != int(value) or not 0 <= value <= LARGEST_FACTORIAL:
        raise ValueError(f"{value} is no whole number from 0 to {LARGEST_FACTORIAL}")
    return int(value)


def factorial(value):
    if family((value,)) == "sympy":
        return sys.modules["sympy"].factorial(whole(value) if value.is_Number else value)
    return Fraction(math.factorial(whole(value)))


def binomial(above, below):
    if family((above, below)) == "sympy":
        sympy = sys.modules["sympy"]
        return sympy.binomial(*(whole(value) if sympy.sympify(value).is_Number else value for value in (above, below)))
    return Fraction(math.comb(whole(above), whole(below)))
