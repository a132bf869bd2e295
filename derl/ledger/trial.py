"""Trying a check: once as it is, once with each planted false variant.

No exception is evidence. Whatever raises (the machine for lack of memory, files or processes, a package that is missing
or broken, a solver, a mistake in the code of the check) the check has found nothing: its row is an "error" with the
reason, which neither passes nor fails, refutes or rejects anything, and its statement is not checked. There is one
exception: a text that does not hold the formula that a check evaluates. Then the check fails, whatever else is known of
the statement.
"""

from __future__ import annotations

import inspect
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict, replace

from derl.inputs import parts
from derl.ledger.evidence import Evidence
from derl.ledger.planting import unreadable, variants
from derl.ledger.quotes import arguments as quoted_arguments
from derl.ledger.quotes import quotes
from derl.ledger.registry import Check, Control, Place
from derl.ledger.rows import CheckRow, ControlRow, ControlsRow, MissRow, StepRow

CHEAP = 0.05  # seconds below which a check is run a second time after its controls
NOT_RUN = "NOT RUN"  # a control that has come to no end: neither a rejection nor the lack of one


class Stopped(KeyboardInterrupt):
    """Ctrl-C; told apart from a check that raises KeyboardInterrupt by itself."""


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
    except Stopped:
        raise
    except BaseException as error:  # the ledger records it, and the statement is not checked
        raise _not_run(error) from error
    if type(evidence) is not Evidence:  # a subclass could judge itself
        raise _NotRun(f"returned {type(evidence).__name__} instead of Evidence")
    rounded = any(isinstance(side, float) for side in (evidence.measured, evidence.claimed))
    if subject.arithmetic == "exact" and (rounded or evidence.tolerance):
        raise _NotRun("exact arithmetic reports a float or a tolerance")
    return evidence


def _not_run(error: BaseException, what: str = "") -> _NotRun:
    """What an exception means: that nothing was found."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    said = " ".join(str(error).split())
    return _NotRun(f"{what}{type(error).__name__}: {said} ({where.name}, line {where.lineno})")


def _shown(value):
    """A number as JSON can hold it: exact numbers as text, so that nothing is rounded."""
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
        summary=(subject.function.__doc__ or "").strip().split("\n\n")[0].replace("\n", " "),
        method=subject.method, arithmetic=subject.arithmetic, covers=subject.covers, gap=subject.gap,
        tier=subject.tier, refutes=subject.refutes, breaks_proof=subject.breaks_proof, formal=subject.formal,
        file=where.file, line=where.line, outcome=outcome, **{"seconds": 0.0, "controls": ()} | found)


def lost(subject: Check, status: int) -> CheckRow:
    """The row of a check whose process has died."""
    cause = f"signal {-status}" if status and status < 0 else f"status {status}"
    return check_row(subject, "error", detail=f"the process that ran it has died ({cause})")


def run_check(subject: Check, thorough: bool = False) -> CheckRow:
    """Run one check, its controls and changes of the text that it reads; return its row of the ledger.

    Parameters
    ----------
    thorough : bool
        Plant all changes of the text, not only the first `subject.plants`.
    """
    if subject.needs and not parts.installed(subject.needs.package):
        return check_row(subject, "missing", detail=f"needs {subject.needs.install}")
    started = time.perf_counter()
    try:
        evidence = evidence_of(subject, {})
    except _NotRun as stop:
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
    rejected = bool(controls or tried and tried.count("rejected")) and \
        all(control.outcome == "rejected" for control in controls)
    row = check_row(
        subject, "pass" if evidence.holds else "fail", seconds=seconds, scope=evidence.scope,
        direction=evidence.direction, measured=_shown(evidence.measured), claimed=_shown(evidence.claimed),
        margin=_shown(evidence.margin), tolerance=evidence.tolerance, detail=evidence.detail, steps=steps,
        controls=controls, variants=tried, control=ControlsRow(
            planted="; ".join(control.planted for control in controls) or "changes of the text" * bool(tried) or
            "no control",
            outcome="rejected" if rejected else "NOT REJECTED"))
    silent = [control.detail for control in controls if control.outcome == NOT_RUN]
    if silent and row.passes and all(control.outcome != "NOT REJECTED" for control in controls):
        row = replace(row, outcome="error", detail=f"a control could not be run: {silent[0]}")
    if seconds < CHEAP and evidence_of(subject, {}) != evidence:  # one that remembers what was planted could play along
        row = replace(row, outcome="error", detail=f"a second run finds something else; {evidence.detail}")
    return row


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
        if parts.of_machine(error):
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
    except Stopped:
        raise
    except BaseException as error:
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
                if parts.of_machine(error):
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
