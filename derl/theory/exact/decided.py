"""A decided relation between two expressions, and the falsehood that lies closest to it.

For a step `left >= right` the judge wants to see the same prover reject something that is false and almost the same. So
points of the domain are tried in exact arithmetic; at the best of them, left = rho right; and `left >= (1 + 1/1000) rho
right` is false there. How far rho is from 1 says how much room the step leaves. For an identity the right side is
multiplied by 1 + 1/1000, and a point at which it is not zero is the witness.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass

import sympy

MORE = sympy.Rational(1001, 1000)
VALUES = (0, 1, sympy.Rational(1, 1000), 1000, sympy.Rational(7, 3), sympy.Rational(2, 5))
TRIES = 8


@dataclass(frozen=True)
class NearMiss:
    """A false variant of a step.

    Attributes
    ----------
    planted : str
        What was asked of the prover.
    at : str
        A point at which it is false, in exact numbers.
    room : str
        By which factor, or by how much, the true step could be sharpened at that point.
    rejected : bool
    """

    planted: str
    at: str
    room: str
    rejected: bool


@dataclass(frozen=True)
class Decided:
    """Whether `left relation right` was proved; true or false like a truth value.

    Parameters
    ----------
    relation : {">=", ">", "="}
    variables : tuple of symbols
        Those that range over [0, oo); for "=" every symbol ranges over all values.
    prover : callable
        (left, right) -> bool.
    """

    left: sympy.Expr
    right: sympy.Expr
    relation: str
    variables: tuple
    prover: Callable[[sympy.Expr, sympy.Expr], bool]

    def __post_init__(self):
        object.__setattr__(self, "truth", bool(self.prover(self.left, self.right)))

    def __bool__(self) -> bool:
        return self.truth

    def __int__(self) -> int:
        return int(self.truth)

    @property
    def trivial(self) -> bool:
        """Whether both sides are literally the same, or are plain numbers: then nothing was computed."""
        return self.left == self.right or not (self.left.free_symbols | self.right.free_symbols)

    def near_miss(self) -> NearMiss | None:
        """The falsehood next to a true step, or None where no exact point shows one."""
        best = None
        for point in _points(tuple(sorted(self.left.free_symbols | self.right.free_symbols, key=str))):
            left, right = (_value(side, point) for side in (self.left, self.right))
            if left is None or right is None:
                continue
            if self.relation == "=":
                gap = 1 + (right == 0)  # a point at which the right side is not zero is the better witness
            else:
                gap = left / right if right > 0 else 1 + left - right
            if best is None or gap < best[0]:
                best = (gap, point, left, right)
            if best[0] <= 1:  # no point can be better
                break
        if best is None:
            return None
        _, point, left, right = best
        where = ", ".join(f"{symbol} = {value}" for symbol, value in point.items()) or "the numbers themselves"
        if right != 0 and (right > 0 or self.relation == "="):
            factor = MORE * left / right
            planted, change = self.right * factor, f"times {_short(factor)}"
            room = f"factor {_short(left / right)}"
        else:
            more = left - right + sympy.Rational(1, 1000)
            planted, change, room = self.right + more, f"plus {_short(more)}", _short(left - right)
        return NearMiss(f"the right side {change}", where, room if self.relation != "=" else "none",
                        not self.prover(self.left, planted))


def _short(number: sympy.Expr) -> str:
    return str(number) if len(str(number)) <= 12 else f"{float(number):.6g}"


def _points(symbols: tuple):
    """Points with coordinates that are zero, one, small and large; all of them for one symbol, else some at random."""
    if len(symbols) <= 1:
        for values in itertools.product(VALUES, repeat=len(symbols)):
            yield dict(zip(symbols, map(sympy.sympify, values), strict=True))
        return
    rng = random.Random(0)
    yield dict.fromkeys(symbols, sympy.Integer(1))
    yield dict.fromkeys(symbols, sympy.Integer(0))
    for _ in range(TRIES):
        yield {symbol: sympy.sympify(rng.choice(VALUES)) for symbol in symbols}


def _value(expression: sympy.Expr, point: dict) -> sympy.Expr | None:
    """The value at a point as an exact real number, or None."""
    value = expression.subs(point)
    return value if value.is_number and value.is_real and value.is_finite else None
