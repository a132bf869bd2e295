"""What a check reports: a measured number, the claimed number and the direction of the inequality.

A check never says "passed". It reports, and `Evidence.holds` compares in the direction of the theorem:
exactly when both sides are exact numbers, within the stated tolerance otherwise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational
from typing import Any

from derl.exact.base import as_fraction

WIDEST = 1e-6  # relative tolerance that a comparison of floats may have
DIRECTIONS = ("upper", "lower", "tight", "identity")
PART = re.compile(r"[^\W\d_](?:(?:[^\W_]|[' -])*[^\W_])?")  # the name of a part of a check: plain words


def exact(value: Any) -> Any:
    """Return `value` as int, Fraction, real number of sympy or float, keeping exact numbers exact.

    Raises
    ------
    ValueError
        If the value is not one real number.
    """
    if type(value).__name__ in ("bool", "bool_", "BooleanTrue", "BooleanFalse"):  # of Python, numpy and sympy
        raise ValueError("evidence needs a number, not a truth value; name what is true as a step")
    if hasattr(value, "free_symbols"):  # an expression of sympy, which is not imported here
        if value.is_Rational:
            return Fraction(int(value.p), int(value.q))
        if value.is_real and value.is_number:
            return float(value) if value.is_Float else value
        raise ValueError(f"evidence needs one real number, not the expression {value}")
    if isinstance(value, Rational):
        return as_fraction(value)
    if isinstance(value, str | bytes):
        raise ValueError(f"evidence needs one real number, not {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"evidence needs one real number, not {value!r}") from None


class Stale(Exception):
    """What a check compares is not what somebody has compared before; the message says what."""


@dataclass(frozen=True)
class Evidence:
    """One measurement against one claim.

    Parameters
    ----------
    measured, claimed : int, Fraction, float or sympy number
        What was computed and what the statement says.
    direction : {"upper", "lower", "tight", "identity"}
        "upper": measured <= claimed; "lower": measured >= claimed; "tight" and "identity": equality.
    scope : str
        What exactly was covered.
    tolerance : float, >= 0
        Slack allowed in the comparison; must be 0 when the arithmetic is exact.
    detail : str
        Where the worst case was met, which steps failed, the seed: anything a referee wants to see.
    steps : tuple of (name, truth)
    parts : tuple of str
        For each step the name of the part of the check to which it belongs, "" for none; empty where no step has one.
    askable : mapping
        Position of a step -> the object that decided it, where that has a method `near_miss()`: the next falsehood.
    """

    measured: Any
    claimed: Any
    direction: str
    scope: str
    tolerance: float = 0
    detail: str = ""
    steps: tuple[tuple[str, bool], ...] = field(default=())
    parts: tuple[str, ...] = field(default=())
    askable: Mapping[int, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self):
        if self.direction not in DIRECTIONS:
            raise ValueError(f"direction is {self.direction!r}; allowed are {', '.join(DIRECTIONS)}")
        if not self.scope.strip():
            raise ValueError("the scope of a check is empty; say what was covered")
        object.__setattr__(self, "measured", exact(self.measured))
        object.__setattr__(self, "claimed", exact(self.claimed))
        if self.tolerance or isinstance(self.measured, float) or isinstance(self.claimed, float):
            for side in ("measured", "claimed"):  # what is compared with a float is a float
                if hasattr(getattr(self, side), "free_symbols"):
                    object.__setattr__(self, side, float(getattr(self, side)))
        widest = WIDEST * max(1, abs(self.claimed)) if math.isfinite(self.claimed) else 0
        if not 0 <= self.tolerance <= widest:
            raise ValueError(f"tolerance is {self.tolerance}; it must lie in [0, {float(widest):g}]")

    @property
    def margin(self):
        """Room left before the claim would fail: claimed - measured for "upper", and so on."""
        if self.direction == "upper":
            return self.claimed - self.measured
        if self.direction == "lower":
            return self.measured - self.claimed
        return -abs(self.measured - self.claimed)

    @property
    def holds(self) -> bool:
        """Whether the measurement agrees with the claim; what is not finite never does."""
        return self.finite and bool(self.margin >= -self.tolerance)

    @property
    def outcomes(self) -> list[tuple[str, Any]]:
        """The steps with what decided them, for a check that takes them over and names its own parts."""
        return [(name, self.askable.get(at, truth)) for at, (name, truth) in enumerate(self.steps)]

    @property
    def finite(self) -> bool:
        """Whether both sides are finite numbers."""
        return math.isfinite(self.measured) and math.isfinite(self.claimed)


def steps(outcomes: Iterable[tuple[str, Any] | str], scope: str, detail: str = "") -> Evidence:
    """Evidence for a proof made of several steps: all of them have to hold.

    Parameters
    ----------
    outcomes : iterable of (name, truth) and of str
        Each truth must be a bool (or sympy's true/false), or an object with such a `truth`; an undecided symbolic
        relation is refused, because a step that could not be decided is not a step that holds. A text between the
        steps names a part of the check, as a headline does: the steps after it belong to this part, up to the next
        text. A part may be continued by the same text. A written proof refers to a part by its name, "check#part".

    Raises
    ------
    ValueError
        There is no step, a step is undecided, or a part has no step or a name that is not plain words.
    """
    decided, parts, askable, part = [], [], {}, ""
    for outcome in outcomes:
        if isinstance(outcome, str):
            if not PART.fullmatch(outcome):
                raise ValueError(f"the part {outcome!r} is not called by plain words: letters, digits, spaces, ' and -")
            if part and (not parts or parts[-1] != part):
                raise ValueError(f"the part {part!r} has no step before the part {outcome!r}")
            part = outcome
            continue
        name, answer = outcome
        truth = getattr(answer, "truth", answer)
        if truth not in (True, False):
            raise ValueError(f"step {name!r} is undecided: {truth}")
        decided.append((name, bool(truth)))
        parts.append(part)
        if hasattr(answer, "near_miss"):
            askable[len(decided) - 1] = answer
    if not decided:
        raise ValueError("a proof without steps proves nothing")
    if parts[-1] != part:
        raise ValueError(f"the part {part!r} has no step after it")
    failed = [name for name, truth in decided if not truth]
    note = "; ".join(filter(None, [detail, "failed: " + ", ".join(failed) if failed else ""]))
    return Evidence(len(decided) - len(failed), len(decided), "identity", scope, detail=note, steps=tuple(decided),
                    parts=tuple(parts) if any(parts) else (), askable=askable)
