"""Trying a check: once as it is, once with each planted false variant.

No exception is evidence. Whatever raises (the machine for lack of memory, files or processes, a package that is missing
or broken, a solver, a mistake in the code of the check) the check has found nothing: its row is an "error" with the
reason, which neither passes nor fails, refutes or rejects anything, and its statement is not checked. There is one
exception: a text that does not hold the formula that a check evaluates. Then the check fails, whatever else is known of
the statement.
"""

from __future__ import annotations

import inspect
import multiprocessing
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, replace

from derl.exact.base import installed, of_machine
from derl.judge.evidence import Evidence, Stale
from derl.judge.planting import unreadable, variants
from derl.judge.quotes import arguments as quoted_arguments
from derl.judge.quotes import quotes
from derl.judge.registry import Check, Control, Place
from derl.judge.rows import CheckRow, ControlRow, ControlsRow, MissRow, StepRow, VariantsRow
from derl.judge.tautologies import tautologies

CHEAP = 0.05  # seconds below which a check is run a second time after its controls
NOT_RUN = "NOT RUN"  # a control that has come to no end: neither a rejection nor the lack of one


class _NotRun(Exception):
    """A check or a control has come to no end; the message says why."""


def attempt(subject: Check, arguments: dict) -> tuple[Evidence | None, str]:
    """Run a check with these arguments and say what it found, or what went wrong.

    Whatever it raises, and evidence of the wrong kind, is an error: neither a pass nor a rejection.
    """
    try:
        return evidence_of(subject, arguments), ""
    except _NotRun as stop:
        return None, str(stop)


def evidence_of(subject: Check, arguments: dict) -> Evidence:
    """What a check finds.

    Raises
    ------
    _NotRun
    """
    if "flint" in sys.modules:  # digits of balls that a check before has set: what is found must not depend on it
        sys.modules["flint"].ctx.default()
    try:
        evidence = subject.function(**arguments)
    except BaseException as error:  # the ledger records it, and the statement is not checked
        if _ctrl_c(error):
            raise
        raise _not_run(error) from error
    if type(evidence) is not Evidence:  # a subclass could judge itself
        raise _NotRun(f"returned {type(evidence).__name__} instead of Evidence")
    rounded = any(isinstance(side, float) for side in (evidence.measured, evidence.claimed))
    if subject.arithmetic == "exact" and (rounded or evidence.tolerance):
        raise _NotRun("exact arithmetic reports a float or a tolerance")
    try:
        bool(evidence.holds)
    except TypeError as error:  # sympy cannot compare two of its numbers
        raise _NotRun(f"undecided: {evidence.measured} and {evidence.claimed} cannot be compared") from error
    return evidence


def _ctrl_c(error: BaseException) -> bool:
    """Whether an exception is Ctrl-C; a worker does not hear that, so it is the check itself that raises it there."""
    return isinstance(error, KeyboardInterrupt) and multiprocessing.parent_process() is None


def _not_run(error: BaseException, what: str = "") -> _NotRun:
    """What an exception means: that nothing was found."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    said = " ".join(str(error).split())
    return _NotRun(f"{what}{type(error).__name__}: {said} ({where.name}, line {where.lineno})")


def _shown(value):
    """A number as JSON can hold it: rational numbers as text, so that they are not rounded."""
    if hasattr(value, "free_symbols"):
        return float(value)
    return value if isinstance(value, float | int) or value is None else str(value)


def place(function: Callable) -> Place:
    """Where a function is defined; nowhere for what was typed at a prompt."""
    function = inspect.unwrap(function)  # where a decorator wraps it, the file is that of the check, too
    try:
        return Place(function.__module__, inspect.getsourcefile(function), inspect.getsourcelines(function)[1])
    except (OSError, TypeError):
        return Place()


def check_row(subject: Check, outcome: str, **found) -> CheckRow:
    """The row of a check: who it is, and what became of it.

    Parameters
    ----------
    **found
        Fields of `CheckRow` beside the outcome.
    """
    where = place(subject.function) if subject.formal is None else subject.formal
    return CheckRow(
        name=subject.name, title=subject.title, source=subject.source,
        summary=subject.summary,
        method=subject.method, arithmetic=subject.arithmetic, covers=subject.covers, gap=subject.gap,
        tier=subject.tier, refutes=subject.refutes, breaks_proof=subject.breaks_proof, formal=subject.formal,
        file=where.file, line=where.line, outcome=outcome, **{"seconds": 0.0, "controls": ()} | found)


def lost(subject: Check) -> CheckRow:
    """The row of a check whose process has died."""
    return check_row(subject, "error", detail="the process that ran it has died")


def run_check(subject: Check, thorough: bool = False) -> CheckRow:
    """Run one check, its controls and changes of the text that it reads; return its row of the ledger.

    Parameters
    ----------
    thorough : bool
        Plant all changes of the text, not only the first `subject.plants`.
    """
    if subject.needs and not installed(subject.needs.package):
        return check_row(subject, "missing", detail=f"needs {subject.needs.install}")
    started = time.perf_counter()
    try:
        evidence = evidence_of(subject, {})
    except _NotRun as stop:
        if isinstance(stop.__cause__, Stale):
            return check_row(subject, "stale", detail=str(stop.__cause__), seconds=_since(started))
        outcome = "fail" if unreadable(stop) else "error"
        return check_row(subject, outcome, detail=str(stop), seconds=_since(started))
    seconds = _since(started)
    try:
        return _judged(subject, evidence, seconds, thorough)
    except _NotRun as stop:  # while steps were asked for falsehoods
        return check_row(subject, "error", detail=str(stop), seconds=seconds)


def _since(started: float) -> float:
    return round(time.perf_counter() - started, 3)


def _judged(subject: Check, evidence: Evidence, seconds: float, thorough: bool) -> CheckRow:
    """The row of a check that has found something.

    Raises
    ------
    _NotRun
    """
    steps = tuple(_step(evidence, at) for at in range(len(evidence.steps)))
    controls = tuple(run_control(subject, planted, evidence) for planted in subject.controls)
    tried = variants(subject, lambda arguments: evidence_of(subject, arguments), None if thorough else subject.plants) \
        if evidence.holds else None
    rejected = bool(controls or tried and tried.count("rejected") or subject.formal) and \
        all(control.outcome == "rejected" for control in controls)
    row = check_row(
        subject, "pass" if evidence.holds else "fail", seconds=seconds, scope=evidence.scope,
        direction=evidence.direction, measured=_shown(evidence.measured), claimed=_shown(evidence.claimed),
        margin=_shown(evidence.margin), tolerance=evidence.tolerance, detail=evidence.detail, steps=steps,
        controls=controls, variants=tried, control=ControlsRow(
            planted="; ".join(control.planted for control in controls) or "changes of the text" * bool(tried) or
            "no control",
            outcome="rejected" if rejected else "NOT REJECTED"))
    if open_ends := _undecided(subject, evidence):
        row = replace(row, outcome="error", detail="undecided: the prover shows neither that these steps are true, nor "
                                                   f"a point where they are false: {', '.join(open_ends)}")
    if idle := _idle(subject, evidence, [*controls, *filter(None, [tried])]):
        row = replace(row, outcome="error", detail=f"steps that hold whatever is changed: {', '.join(idle)}")
    silent = [control.detail for control in controls if control.outcome == NOT_RUN]
    if silent and row.passes and all(control.outcome != "NOT REJECTED" for control in controls):
        row = replace(row, outcome="error", detail=f"a control could not be run: {silent[0]}")
    if seconds < CHEAP and evidence_of(subject, {}) != evidence:  # one that remembers what was planted could play along
        row = replace(row, outcome="error", detail=f"a second run finds something else; {evidence.detail}")
    return row


def _undecided(subject: Check, evidence: Evidence) -> list[str]:
    """The steps of a symbolic check that are not shown, where none of them is shown to be false."""
    failed = [(name, evidence.askable.get(at)) for at, (name, holds) in enumerate(evidence.steps) if not holds]
    if subject.method != "symbolic" or not all(hasattr(step, "witness") for _, step in failed):
        return []
    return [] if witness_of(evidence, subject.method) else [name for name, _ in failed]


def _idle(subject: Check, evidence: Evidence, planted: list[ControlRow | VariantsRow]) -> list[str]:
    """The tautologies of a symbolic check that nothing that was planted breaks."""
    if subject.method != "symbolic" or not evidence.holds:
        return []
    broken = {name for row in planted for name in row.breaks}
    return tautologies(evidence, quotes(subject.function), lambda arguments: evidence_of(subject, arguments), broken)


def _step(evidence: Evidence, at: int) -> StepRow:
    """A step, and the falsehood next to it: what was planted, where it is false, how much room there is, the answer."""
    (name, holds), step = evidence.steps[at], evidence.askable.get(at)
    made = StepRow(name=name, part=evidence.parts[at] if evidence.parts else "", holds=holds)
    if step is None or not step.truth:
        return made
    if step.trivial:
        return replace(made, bookkeeping=True)
    try:
        miss = step.near_miss()
    except Exception as error:  # a falsehood that cannot be asked is not rejected
        if of_machine(error):
            raise _not_run(error) from error
        return replace(made, near_miss=MissRow(
            planted=f"{type(error).__name__}: {error}", at="", room="", rejected=False, factor=None))
    return replace(made, near_miss=MissRow(**asdict(miss)) if miss else None)


def run_control(subject: Check, planted: Control, truth: Evidence) -> ControlRow:
    """Run the check on the planted variant.

    "rejected" only where an argument differs from its default, something finite was measured, and the claim failed.
    "NOT RUN" where anything was raised: an exception is no rejection, and no lack of one.
    """
    try:
        found = _answered(subject, planted, truth)
    except _NotRun as stop:
        found = {"outcome": NOT_RUN, "detail": str(stop)}
    return ControlRow(planted=planted.plants, variant=planted.variant, **found)


def _answered(subject: Check, planted: Control, truth: Evidence) -> dict:
    """What a planted variant comes to: fields of `ControlRow`.

    Raises
    ------
    _NotRun
    """
    try:
        arguments = planted.plant()
        parameters = inspect.signature(subject.function).parameters
        defaults = {name: parameter.default for name, parameter in parameters.items()}
        defaults |= quoted_arguments(quotes(subject.function), {})
        same = all(name in defaults and _equal(value, defaults[name]) for name, value in arguments.items())
    except BaseException as error:
        if _ctrl_c(error):
            raise
        raise _not_run(error, "cannot be planted: ") from error
    if same:
        return {"outcome": "NOT REJECTED", "detail": "the control plants nothing"}
    evidence = evidence_of(subject, arguments)
    held = {name for name, holds in truth.steps if holds}
    return {"outcome": "rejected" if evidence.finite and not evidence.holds else "NOT REJECTED",
            "measured": _shown(evidence.measured), "claimed": _shown(evidence.claimed), "detail": evidence.detail,
            "breaks": tuple(name for name, holds in evidence.steps if not holds and name in held),
            "witness": planted.witness or witness_of(evidence, subject.method)}


def witness_of(evidence: Evidence, method: str) -> str:
    """Where a planted variant is false: the numbers that disagree, or a point at which a step is false; "" if unknown.

    A machine that cannot look for the point stops the control.

    A prover that answers "not shown" has not shown the opposite: for a symbolic step an exact point is required.
    """
    if not evidence.steps:
        return f"measured {evidence.measured}, claimed {evidence.claimed} ({evidence.direction})"[:300]
    for at, (name, holds) in enumerate(evidence.steps):
        step = evidence.askable.get(at)
        if not holds and hasattr(step, "witness"):
            try:
                found = step.witness()
            except Exception as error:  # no point where the sides have values
                if of_machine(error):
                    raise _not_run(error) from error
                found = ""
            if found:
                return f"{name}: {found}"[:300]
    return "" if method == "symbolic" else evidence.detail[:300]  # computed on the objects that the step names


def _equal(value, default) -> bool:
    """Whether a planted argument is the default; what cannot be compared is another."""
    if value is default:
        return True
    try:
        return bool(value == default)
    except (TypeError, ValueError):
        return False
