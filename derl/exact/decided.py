"""A decided relation between two expressions, and the falsehood that lies closest to it.

For a step `left >= right` the judge wants to see the same prover reject something that is false and almost the same. So
points of the domain are tried in exact arithmetic; at the best of them, left = rho right; and `left >= (1 + 1/1000) rho
right` is false there. How far rho is from 1 says how much room the step leaves. For an identity the right side is
multiplied by 1 + 1/1000, and a point at which it is not zero is the witness.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy

from derl.exact.base import ONLY_SIDES
from derl.exact.points import points, short, value_at, written

MORE = sympy.Rational(1001, 1000)
DENIED = {"=": "!=", ">=": "<", ">": "<="}
PATIENT = 100  # points that are tried to find one at which a planted variant is false


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
    factor : float or None
        By what the right side was multiplied in the false variant; None where something was added.
    """

    planted: str
    at: str
    room: str
    rejected: bool
    factor: float | None = None


@dataclass(frozen=True)
class Decided:
    """Whether `left relation right` was proved; true or false like a truth value.

    It is false where a side contains a float, because a rounded number proves no statement.

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
        if ONLY_SIDES.get():
            object.__setattr__(self, "truth", True)
            return
        rounded = self.left.has(sympy.Float) or self.right.has(sympy.Float)
        object.__setattr__(self, "truth", not rounded and bool(self.prover(self.left, self.right)))

    def __bool__(self) -> bool:
        return self.truth

    def __int__(self) -> int:
        return int(self.truth)

    @property
    def trivial(self) -> bool:
        """Whether nothing was computed: both sides are literally the same, or the left one is the right one and more.

        What the left side has more is then a sum of symbols that are supposed not to be negative, with positive
        numbers before them: `y + t >= y`.
        """
        return self.left == self.right or self.relation != "=" and _added(self.left, self.right, self.variables)

    def witness(self) -> str:
        """A point at which the relation is false, with both values; "" where none was found."""
        for point in points(self.left, self.right, tries=PATIENT, nonnegative=self.variables):
            left, right = (value_at(side, point) for side in (self.left, self.right))
            if left is None or right is None:
                continue
            wrong = {"=": sympy.Ne, ">=": sympy.Lt, ">": sympy.Le}[self.relation](left, right)
            if wrong is sympy.true and (self.relation == ">" or sympy.N(left - right, 30) != 0):
                return f"{written(point)}: {short(left)} {DENIED[self.relation]} {short(right)}"
        return ""

    def near_miss(self) -> NearMiss | None:
        """The falsehood next to a true step, or None where no exact point shows one."""
        best = None
        for point in points(self.left, self.right, nonnegative=self.variables):
            left, right = (value_at(side, point) for side in (self.left, self.right))
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
        if right != 0 and (right > 0 or self.relation == "="):
            ratio = sympy.Integer(1) if self.relation == "=" else _rational(left / right)
            factor = MORE * ratio
            planted, change = self.right * factor, f"times {short(factor)}"
            room, many = f"factor {short(ratio)}", float(factor)
        else:
            gap = _rational(left - right)
            more = gap + sympy.Rational(1, 1000)
            planted, change, room, many = self.right + more, f"plus {short(more)}", short(gap), None
        return NearMiss(f"the right side {change}", written(point), room if self.relation != "=" else "none",
                        not self.prover(self.left, planted), many)


def _added(left: sympy.Expr, right: sympy.Expr, variables: tuple) -> bool:
    """Whether `left` as it is written is `right` and terms that are not negative by supposition."""
    if right == 0:  # a difference that was computed and has no minus sign says something; a bare symbol does not
        return left.is_Symbol and _supposed(left, variables)
    more = list(sympy.Add.make_args(left))
    for term in sympy.Add.make_args(right):
        if term not in more:
            return False
        more.remove(term)
    return bool(more) and all(_supposed(term, variables) for term in more)


def _supposed(term: sympy.Expr, variables: tuple) -> bool:
    """Whether a term is a positive number times powers of symbols that range over [0, oo)."""
    number, rest = term.as_coeff_Mul()
    powers = [factor.as_base_exp() for factor in sympy.Mul.make_args(rest)]
    return number.is_Rational and number > 0 and all(
        base.is_Symbol and (base in variables or base.is_nonnegative) and power.is_Integer and power > 0
        for base, power in powers)


def _rational(number: sympy.Expr) -> sympy.Rational:
    """The number itself, or a rational one that is nearer to it than a part in 10^12."""
    return number if number.is_Rational else sympy.Rational(str(sympy.N(number, 18)))
