"""Ball arithmetic for replays: rationals as balls, comparisons that must be certain, and the bonus scale as a ball.

Needs python-flint (`derl[rigor]`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np

from derl.exact.base import Unavailable, as_fraction

PRECISION = 400  # bits


class Undecided(ArithmeticError):
    """A comparison that the balls do not settle; a smaller deviation or a larger N may help."""


def _flint():
    """The package, which may be missing.

    Raises
    ------
    Unavailable
    """
    try:
        return importlib.import_module("flint")
    except ImportError as error:
        raise Unavailable(f"ball arithmetic needs python-flint ({error}): pip install 'derl[rigor]'") from error


@contextmanager
def precise() -> Iterator[None]:
    """Work with `PRECISION` bits, and leave the precision as it was."""
    ctx = _flint().ctx

    old, ctx.prec = ctx.prec, PRECISION
    try:
        yield
    finally:
        ctx.prec = old


def ball(value: Fraction):
    """The ball of a rational number."""
    flint = _flint()
    arb, fmpq = flint.arb, flint.fmpq

    value = as_fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def balls(array) -> np.ndarray:
    """An array of rationals as an array of balls."""
    return np.vectorize(ball, otypes=[object])(array)


def lower(value) -> Fraction:
    """A rational number not above any point of the ball."""
    mantissa, exponent = value.lower().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def upper(value) -> Fraction:
    """A rational number not below any point of the ball."""
    return -lower(-value)


def below(a, b) -> bool:
    """Whether a < b, for all points of both balls.

    Raises
    ------
    Undecided
    """
    if a < b:
        return True
    if a >= b:
        return False
    raise Undecided(f"{a} against {b}")


def minimum(a, b):
    """The smaller ball where that is certain; an exact tie gives either."""
    return a if a <= b else b if b <= a else a.min(b)


def log_scale(argument: Fraction, factor: Fraction):
    """factor sqrt(log(argument)) as a ball."""
    with precise():
        return ball(Fraction(factor)) * ball(argument).log().sqrt()


def bonus_scale(dim: int, horizon: int, epsilon: Fraction, delta: Fraction, c_beta: Fraction):
    """beta = c_beta d H sqrt(log(dH/(delta epsilon))) as a ball."""
    return log_scale(Fraction(dim * horizon) / (delta * epsilon), c_beta * dim * horizon)
