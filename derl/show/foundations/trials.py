"""A check of the ledger on the true statement, on a false variant, or between them.

The registry has the keyword arguments that a control passes to its check. If they are numbers, they change in steps: a
whole number in whole numbers, any other number in equal parts, exactly where it is exact. Anything else (a rule, a
name, a switch) changes at once.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Rational, Real

from derl.claims import PAPER
from derl.judge import trial, verdicts
from derl.judge.evidence import Evidence
from derl.judge.registry import Check, Control
from derl.judge.rows import ControlRow, ControlsRow
from derl.show.foundations.light import checks

STOPS = 20  # of the way from the truth to a falsehood, at most
PATH = 0.6  # seconds that the runs along a whole way may take


@dataclass(frozen=True, eq=False)
class Trial:
    """One run of a check.

    Attributes
    ----------
    check : Check
    control : Control
        The control whose false variant is the last stop.
    stop, stops : int
        The position: stop 0 is the true statement, the last stop is the false variant.
    arguments : dict
        name -> (what is true, what is planted, what was run).
    evidence : Evidence or None
    error : str
        Why there is no evidence.
    word : str
        The verdict that the ledger would write from this run alone.
    witness : str
        A point at which the variant is false, as the control found it.
    """

    check: Check
    control: Control
    stop: int
    stops: int
    arguments: dict[str, tuple]
    evidence: Evidence | None
    error: str
    word: str
    witness: str

    @property
    def passes(self) -> bool:
        """Whether the check accepts what was run."""
        return self.evidence is not None and self.evidence.holds

    @property
    def broken(self) -> list[str]:
        """The steps that fail."""
        return [name for name, holds in self.evidence.steps if not holds] if self.evidence else []


def _number(value) -> bool:
    """Whether it lies on a line: no truth value, no symbol."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return False
    return isinstance(value, Real) or getattr(value, "is_Rational", False)


def _parts(true, false) -> int:
    """How many steps lead from one value to the other; 1 where there is nothing between them."""
    if isinstance(true, tuple) and isinstance(false, tuple) and len(true) == len(false) > 0:
        counts = [_parts(one, other) for one, other in zip(true, false, strict=True) if one is not other]
        return min((count for count in counts if count), default=1)
    if not (_number(true) and _number(false)):
        return 1
    if isinstance(true, Integral) and isinstance(false, Integral):
        return min(STOPS, abs(int(false) - int(true)))
    return STOPS


def between(true, false, share: Fraction):
    """The value at this share of the way, 0 < share < 1; numbers stay of the kind that they are."""
    if isinstance(true, tuple):
        return tuple(one if one is other else between(one, other, share)
                     for one, other in zip(true, false, strict=True))
    if hasattr(true, "free_symbols") or hasattr(false, "free_symbols"):  # of sympy, which stays exact
        return true + (false - true) * share.numerator / share.denominator
    if isinstance(true, Integral) and isinstance(false, Integral):
        return int(true) + round((int(false) - int(true)) * share)
    if isinstance(true, Rational) and isinstance(false, Rational):
        return Fraction(true) + (Fraction(false) - Fraction(true)) * share
    return float(true) + (float(false) - float(true)) * float(share)


def way(check: Check, control: Control) -> tuple[dict[str, tuple], int]:
    """Argument -> (what is true, what is planted), and how many stops lie on the way."""
    defaults = inspect.signature(check.function).parameters
    pairs = {name: (defaults[name].default if name in defaults else None, planted)
             for name, planted in control.plant().items()}
    counts = [_parts(*pair) for pair in pairs.values()]
    return pairs, min(counts) if all(count > 1 for count in counts) else 1


@lru_cache(maxsize=128)
def _answer(claim: str, name: str, plants: str, stop: int) -> tuple[dict, Evidence | None, str]:
    """What was run at a stop, and what came of it."""
    check = checks()[claim, name]
    if stop == 0:
        return {}, *trial.attempt(check, {})
    control = control_of(check, plants)
    pairs, stops = way(check, control)
    arguments = {key: false if stop >= stops else between(true, false, Fraction(stop, stops))
                 for key, (true, false) in pairs.items()}
    return arguments, *trial.attempt(check, arguments)


@lru_cache(maxsize=128)
def _control(claim: str, name: str, plants: str) -> ControlRow:
    """The registry's own row of the control."""
    check = checks()[claim, name]
    return trial.run_control(check, control_of(check, plants), _answer(claim, name, "", 0)[1])


def control_of(check: Check, plants: str) -> Control:
    """The first control that says this."""
    return next(control for control in check.controls if control.plants == plants)


def tried(claim: str, name: str, plants: str, stop: int) -> Trial:
    """Run a check on the true statement (stop 0), on a false variant (the last stop), or between them.

    Parameters
    ----------
    claim, name : str
        Statement and check.
    plants : str
        The description of the control.
    stop : int, >= 0
        Beyond the last stop, the last one.
    """
    check = checks()[claim, name]
    control = control_of(check, plants)
    pairs, stops = way(check, control)
    stop = min(stop, stops)
    ran, evidence, error = _answer(claim, name, plants if stop else "", stop)
    row = _control(claim, name, plants)
    shown = {key: (true, false, ran.get(key, true)) for key, (true, false) in pairs.items()}
    return Trial(check, control, stop, stops, shown, evidence, error, _word(check, evidence, error, row.outcome),
                 row.witness or row.detail)


def _word(check: Check, evidence: Evidence | None, error: str, control: str) -> str:
    statement = PAPER.statements[check.claim]
    row = trial.check_row(check, "error" if evidence is None else "pass" if evidence.holds else "fail", detail=error,
                          control=ControlsRow(planted="", outcome=control))
    word, gap = verdicts.verdict([row])
    return verdicts.earned(word, gap, statement.kind, [] if statement.proof else ["there is none"])[0]


def path(claim: str, name: str, plants: str, stop: int, seconds: float) -> list[Trial]:
    """The runs at all stops if they fit into the given time; otherwise at both ends and at the current stop."""
    last = tried(claim, name, plants, STOPS).stops
    stops = range(last + 1) if seconds * last <= PATH else sorted({0, min(stop, last), last})
    return [tried(claim, name, plants, at) for at in stops]
