"""Checks, their negative controls, and how outcomes become a verdict.

A check is a function whose parameters are what could be false in the statement; the defaults are the truth.
A control returns the keyword arguments that plant a false variant. The registry runs the same function twice,
once as it is and once with the planted arguments, and demands that the second run fails.
"""

from __future__ import annotations

import importlib.util
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

from derl.claims.evidence import Evidence

WORD_OF_METHOD = {
    "symbolic": "proved",
    "certificate": "certified",
    "interval": "certified",
    "exhaustive": "enumerated",
    "stress": "tested",
    "statistical": "tested",
    "run": "tested",
}
STRENGTH = ("proved", "certified", "enumerated", "tested")
GOOD = (*STRENGTH, "repaired", "cited")
ARITHMETIC = ("exact", "ball", "float64")
TIERS = ("quick", "full")
VARIANTS = ("", "printed", "corrected")
PACKAGE_OF_EXTRA = {"rigor": "flint", "sdp": "cvxpy", "gym": "gymnasium"}


@dataclass(frozen=True)
class Control:
    """A planted false variant: `plant()` gives the keyword arguments that the check must reject.

    `variant` says what the planted arguments are: "printed" if they are the paper's own erroneous form, "corrected"
    if they are the corrected form in a check that refutes the printed one, "" otherwise.
    """

    plants: str
    plant: Callable[[], dict]
    variant: str = ""


@dataclass(frozen=True)
class Check:
    """One way of checking one statement."""

    claim: str
    function: Callable[..., Evidence]
    method: str
    arithmetic: str
    covers: str
    gap: str
    tier: str
    refutes: bool
    needs: str | None
    title: str
    controls: list[Control] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def source(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"


class Registry:
    """All checks, in the order in which their modules define them."""

    def __init__(self):
        self.checks: list[Check] = []

    def check(self, claim: str, *, method: str, arithmetic: str, covers: str, gap: str,
              tier: str = "quick", refutes: bool = False, needs: str | None = None, title: str = ""):
        """Decorator: register a function as a check of the statement `claim`.

        Parameters
        ----------
        covers : str
            "everything" when the check covers the whole statement, otherwise the part that it covers.
        gap : str
            One line: what the check leaves open; "none" if nothing.
        refutes : bool
            The check passes when it confirms an exact counterexample to the printed statement.
        """
        for value, allowed, what in ((method, WORD_OF_METHOD, "method"), (arithmetic, ARITHMETIC, "arithmetic"),
                                     (tier, TIERS, "tier"), (needs, (None, *PACKAGE_OF_EXTRA), "needs")):
            if value not in allowed:
                raise ValueError(f"check of {claim}: {what} is {value!r}; allowed are {', '.join(map(str, allowed))}")
        if refutes and arithmetic == "float64":
            raise ValueError(f"check of {claim}: a refutation has to be exact or in ball arithmetic, not float64")

        def register(function):
            if any(c.name == function.__name__ and c.claim == claim for c in self.checks):
                raise ValueError(f"claim {claim} has two checks named {function.__name__}")
            heading = title or function.__name__.replace("_", " ")
            self.checks.append(Check(claim, function, method, arithmetic, covers, gap, tier, refutes, needs, heading))
            return function

        return register

    def control(self, *, of: Callable[..., Evidence], plants: str, variant: str = ""):
        """Decorator: register a negative control of the check function `of` (for every claim it checks)."""
        if variant not in VARIANTS:
            raise ValueError(f"control of {of.__name__}: variant is {variant!r}; allowed are "
                             f"{', '.join(map(repr, VARIANTS))}")

        def register(plant):
            targets = [c for c in self.checks if c.function is of]
            if not targets:
                raise ValueError(f"control {plant.__name__}: {of.__name__} is not a registered check")
            for target in targets:
                target.controls.append(Control(plants, plant, variant))
            return plant

        return register

    def of(self, claim: str, tier: str = "full") -> list[Check]:
        """Checks of one statement in a tier; the full tier contains the quick one."""
        return [c for c in self.checks if c.claim == claim and (tier == "full" or c.tier == "quick")]


REGISTRY = Registry()
check = REGISTRY.check
control = REGISTRY.control


def _attempt(function: Callable[..., Evidence], arguments: dict) -> tuple[Evidence | None, str]:
    """Run a check; an exception is an error of the check, neither a pass nor a rejection."""
    try:
        evidence = function(**arguments)
    except Exception as error:  # the ledger records it and the verdict becomes "failed"
        where = traceback.extract_tb(error.__traceback__)[-1]
        return None, f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
    if not isinstance(evidence, Evidence):
        return None, f"returned {type(evidence).__name__} instead of Evidence"
    return evidence, ""


def _shown(value):
    """A number as JSON can hold it: exact numbers as text, so that nothing is rounded."""
    return value if isinstance(value, float | int) or value is None else str(value)


def run_check(subject: Check) -> dict:
    """Run one check and all its controls; return its row of the ledger."""
    row = {
        "name": subject.name, "title": subject.title, "source": subject.source,
        "summary": (subject.function.__doc__ or "").strip().split("\n\n")[0].replace("\n", " "),
        "method": subject.method, "arithmetic": subject.arithmetic, "covers": subject.covers, "gap": subject.gap,
        "tier": subject.tier, "refutes": subject.refutes,
    }
    if subject.needs and importlib.util.find_spec(PACKAGE_OF_EXTRA[subject.needs]) is None:
        return row | {"outcome": "missing", "detail": f"needs derl[{subject.needs}]", "seconds": 0.0, "controls": []}
    started = time.perf_counter()
    evidence, error = _attempt(subject.function, {})
    row["seconds"] = round(time.perf_counter() - started, 3)
    if evidence is None:
        return row | {"outcome": "error", "detail": error, "controls": []}
    row |= {
        "outcome": "pass" if evidence.holds else "fail", "scope": evidence.scope, "direction": evidence.direction,
        "measured": _shown(evidence.measured), "claimed": _shown(evidence.claimed), "margin": _shown(evidence.margin),
        "tolerance": evidence.tolerance, "detail": evidence.detail,
        "steps": [{"name": name, "holds": truth} for name, truth in evidence.steps],
    }
    row["controls"] = [run_control(subject, planted) for planted in subject.controls]
    row["control"] = {
        "planted": "; ".join(c["planted"] for c in row["controls"]) or "no control",
        "outcome": "rejected" if row["controls"] and all(c["outcome"] == "rejected" for c in row["controls"])
        else "NOT REJECTED",
    }
    return row


def run_control(subject: Check, planted: Control) -> dict:
    """Run the check on the planted variant: "rejected" only if it measured something and the claim failed."""
    arguments, row = planted.plant(), {"planted": planted.plants, "variant": planted.variant}
    if not arguments:
        return row | {"outcome": "NOT REJECTED", "detail": "the control plants nothing"}
    evidence, error = _attempt(subject.function, arguments)
    if evidence is None:
        return row | {"outcome": "NOT REJECTED", "detail": error}
    return row | {"outcome": "NOT REJECTED" if evidence.holds else "rejected",
                  "measured": _shown(evidence.measured), "claimed": _shown(evidence.claimed), "detail": evidence.detail}


def verdict(rows: list[dict], cited: bool = False, repair: str | None = None) -> tuple[str, str]:
    """The verdict word of a statement and its scope gap, from the rows of its checks.

    Parameters
    ----------
    repair : str or None
        Verdict of the corrected statement, where claims.yml names one.

    Returns
    -------
    word : str
        proved, certified, enumerated, tested, refuted, repaired, cited, "not checked" or "failed".
    gap : str
    """
    if any(row["outcome"] in ("fail", "error") or (row["outcome"] == "pass" and row["control"]["outcome"] != "rejected")
           for row in rows):
        return "failed", "a check or its control failed"
    passing = [row for row in rows if row["outcome"] == "pass"]
    if any(row["refutes"] for row in passing):
        open_ends = dict.fromkeys(row["gap"] for row in passing if row["refutes"] and row["gap"] != "none")
        return ("repaired" if repair in GOOD else "refuted"), "; ".join(open_ends) or "none"
    if cited:
        return "cited", "rests on an outside theorem"
    if not passing:
        return "not checked", "; ".join(row["detail"] for row in rows) or "no check in this tier"
    whole = [row for row in passing if row["covers"] == "everything"]
    if not whole:
        return "tested", "; ".join(dict.fromkeys(row["gap"] for row in passing if row["gap"] != "none")) or "none"
    best = min(whole, key=lambda row: STRENGTH.index(WORD_OF_METHOD[row["method"]]))
    return WORD_OF_METHOD[best["method"]], best["gap"]


def as_expected(word: str, expected: str) -> bool:
    """Whether a verdict word agrees with the expectation written in claims.yml."""
    return {"holds": word in STRENGTH, "holds-with-repair": word == "repaired",
            "refuted": word == "refuted", "cited": word == "cited"}[expected]
