"""The symbolic tools behind the proofs say no, and they do not guess."""

import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from sympy import log

from derl.exact.symbolic import below, nonnegative, nonnegative_from, positive

x, y = sympy.symbols("x y", nonnegative=True)
def test_nonnegative_and_positive_accept():
    assert nonnegative((1 + x) / (1 + x * y), x, y) and nonnegative(-x / (-1 - y), x, y) and nonnegative(0, x)
    assert positive(1 + x, x) and not positive(x, x)


def test_nonnegative_from_needs_start_and_slope():
    assert nonnegative_from(y - log(1 + y), y, 0)
    assert not nonnegative_from(log(1 + y) - y, y, 0)
    assert not nonnegative_from(y - log(1 + y) - Fraction(1, 100), y, 0)
    assert nonnegative_from(y * log(y) - y + 1, y, 1)
    assert not nonnegative_from(log(y) - y + 1, y, 1)


def test_below_is_strict_and_exact():
    assert below(log(2), sympy.Rational(7, 10)) and not below(sympy.Rational(7, 10), log(2))
    assert not below(1, 1)
    assert below(3 * log(2), log(9)) and not below(log(9), 3 * log(2))
    with pytest.raises(ValueError, match="not monotone"):
        below(-log(2), 0)


def test_large_numbers_and_powers_take_neither_memory_nor_minutes():
    """In a process of its own, because sympy's simplify multiplies (1 + x)^(10^9) out here."""
    question = ("import resource, sympy\nresource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\n"
                "from derl.exact.symbolic import *\n"
                "x, y = sympy.symbols('x y', nonnegative=True)\n"
                "a, b = sympy.symbols('a b', commutative=False)\n"
                "f = sympy.log(x) + 9 * x * y**2 / 5 - (x - 1) / x\n"
                "print([bool(nonnegative_from(f - (x + 1) / least, x, 1, y, depth=2)) for least in (1000, 10**9)],\n"
                "      bool(nonnegative_from(f + (x - 1) / sympy.Integer(10)**9, x, 1, y, depth=2)))\n"
                "p, m = (1 + x)**10**9, (1 + x + y)**399\n"
                "print([bool(q) for q in (at_least(p, 1, x), at_least(p / (1 + y), 1, x, y), equal(p, p * (1 + x)),\n"
                "    same_fraction(p, p + 1), same_operator(p, p + 1), same_operator((a + b)**40, 0),\n"
                "    by_sign(p - 1), at_least(m * (1 + x**2 + y)**399, 1, x, y), equal(m * sympy.sqrt(2), m),\n"
                "    nonnegative_from(p - 1 - x, x, 0), nonnegative_from(x - 1 + 1 / p, x, 1)\n"
                "    )], bool(at_least((1 + x)**300, 1, x)))")
    done = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout == f"[False, False] True\n{[False] * 11} True\n", done.stderr[-500:]
