"""Parameters of the hidden-object games: what is allowed, said in one line."""

from __future__ import annotations

from fractions import Fraction

from derl import inputs
from derl.inputs.decimals import exact_whole


class InvalidGame(inputs.Invalid):
    """A parameter of a game is outside its range; the message says which and what is allowed."""


def whole(value, name: str, low: int) -> int:
    """A whole number >= `low`; floats such as 1e30 are read as the decimal number that they print.

    Raises
    ------
    InvalidGame
    """
    return exact_whole(value, name, low, InvalidGame)


def fraction(value, name: str, **bounds) -> Fraction:
    """A number as a Fraction, at its exact binary value; bounds as in `derl.inputs.real`.

    Raises
    ------
    InvalidGame
    """
    return Fraction(inputs.real(value, name, error=InvalidGame, **bounds))


def half_bias(bias) -> Fraction:
    """The bias of a coin as a Fraction in [0, 1/2].

    Raises
    ------
    InvalidGame
    """
    return fraction(bias, "bias", low=0, high=Fraction(1, 2))
