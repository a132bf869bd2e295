"""These are the symbols of this chapter's checks, and functions for logarithms of products of their powers."""

from __future__ import annotations

import sympy
from sympy import Rational, exp, log

from derl.exact.compared import every, exactly
from derl.exact.quotients import remembered
from derl.printed import Range, Text, Unreadable

HALF = Rational(1, 2)
C_BETA = Rational(3, 2)  # beta = C_BETA d H sqrt(log(2dKNH/delta)), Lemma C.4, repaired

c, d, H, e, L, b = sympy.symbols("c d H e L b", positive=True)  # c_K, d, H, epsilon, L, c_beta^2
DELTA = d * H / (e * exp(L))  # delta, as L = log(Hd/(delta epsilon))


@remembered
def expanded_log(expression):
    """log(expression) as a sum of multiples of logarithms of symbols and numbers."""
    return sympy.expand(sympy.expand_log(log(expression), force=True))


def log_size(text: Text, trade_off=c, constant=1):
    """log of the N that a statement prints, in log c_K, log H, log d, log epsilon and log L.

    Parameters
    ----------
    constant : int or Expr
        The value of the letter c, where the statement has one.
    """
    return expanded_log(text(r"N\ge", c=sympy.sympify(constant), c_K=trade_off, d=d, H=H, epsilon=e, delta=DELTA))


def number(value, rational: bool = True):
    """A value in which no letter is left, and no root or logarithm if it has to be rational.

    Raises
    ------
    Unreadable
    """
    value = sympy.simplify(value)
    if value.free_symbols or not value.is_finite or rational and not value.is_Rational:
        raise Unreadable(f"{value} is not a {'rational ' if rational else ''}number")
    return value


def ends(result: Range) -> tuple:
    """Both ends of a range.

    Raises
    ------
    Unreadable
        One of them is missing.
    """
    if result.low is None or result.high is None:
        raise Unreadable("the range has only one end")
    return Rational(result.low), Rational(result.high)


def least_argument(text: Text):
    """What dH/(delta epsilon) is at least, from the ranges of dH, epsilon and delta that a statement prints.

    Raises
    ------
    Unreadable
        The statement has no upper end for epsilon or delta, or none above 0.
    """
    ends = [text.range(letter).high for letter in (r"\epsilon", r"\delta")]
    if not all(ends):
        raise Unreadable(f"{text.name} has no upper end above 0 for epsilon or for delta")
    return text(r"dH\ge", numbers=Rational) / (Rational(ends[0]) * Rational(ends[1]))


def values_fit(rewards: Range) -> tuple:
    """A step: that H rewards of this range make values from 0 to H."""
    return "sums of H rewards range from 0 to H", every(exactly(rewards.low, 0), exactly(rewards.high, 1))


@remembered
def exponent(log_size, base):
    """The power of `base` in exp(log_size): the coefficient of its logarithm."""
    return sympy.simplify(sympy.expand(log_size).coeff(log(base)))
