"""Checks and their negative controls.

A check is a function whose parameters are what could be false in the statement; the defaults are the truth.
A control returns the keyword arguments that plant a false variant. The registry runs the same function twice,
once as it is and once with the planted arguments, and demands that the second run fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from derl.ledger.evidence import Evidence
from derl.ledger.verdicts import WORD_OF_METHOD

ARITHMETIC = ("exact", "ball", "float64")
TIERS = ("quick", "full")
VARIANTS = ("", "printed", "corrected")


@dataclass(frozen=True)
class Extra:
    """A package that a check needs and that may be missing: its name in an import, and what installs it."""

    package: str
    install: str


@dataclass(frozen=True)
class Control:
    """A planted false variant: `plant()` gives the keyword arguments that the check must reject.

    `variant` says what the planted arguments are: "printed" if they are the paper's own erroneous form, "corrected"
    if they are the corrected form in a check that refutes the printed one, "" otherwise. `witness` says at which point
    the variant is false, where the run cannot find one.
    """

    plants: str
    plant: Callable[[], dict]
    variant: str = ""
    witness: str = ""


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
    breaks_proof: bool
    needs: Extra | None
    title: str
    controls: list[Control] = field(default_factory=list)
    formal: Mapping | None = None  # of method kernel: the theorem that was read

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def source(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"


class Registry:
    """All checks, in the order in which their modules define them.

    Parameters
    ----------
    extras : mapping
        Name for `needs` -> `Extra`.
    """

    def __init__(self, extras: Mapping[str, Extra] = MappingProxyType({})):
        self.extras = extras
        self.checks: list[Check] = []

    def check(self, claim: str, *, method: str, arithmetic: str, covers: str, gap: str,
              tier: str = "quick", refutes: bool = False, breaks_proof: bool = False,
              needs: str | None = None, title: str = ""):
        """Decorator: register a function as a check of the statement `claim`.

        Parameters
        ----------
        covers : str
            "everything" when the check covers the whole statement, otherwise the part that it covers.
        gap : str
            One line: what the check leaves open; "none" if nothing.
        needs : str or None
            The extra of the paper without which the check cannot run.
        refutes : bool
            The check passes when it confirms an exact counterexample to the printed statement, with its quantifiers.
        breaks_proof : bool
            The check passes when it confirms that the printed deduction is wrong; the statement may be true.
        """
        for value, allowed, what in ((method, WORD_OF_METHOD, "method"), (arithmetic, ARITHMETIC, "arithmetic"),
                                     (tier, TIERS, "tier"), (needs, (None, *self.extras), "needs")):
            if value not in allowed:
                raise ValueError(f"check of {claim}: {what} is {value!r}; allowed are {', '.join(map(str, allowed))}")
        if method == "kernel":
            raise ValueError(f"check of {claim}: what a kernel has read comes from its recording, not from a function")
        if method == "symbolic" and arithmetic != "exact":
            raise ValueError(f"check of {claim}: a symbolic proof is exact, not in {arithmetic} arithmetic")
        if (refutes or breaks_proof) and arithmetic == "float64":
            raise ValueError(f"check of {claim}: a refutation has to be exact or in ball arithmetic, not float64")

        def register(function):
            if any(c.name == function.__name__ and c.claim == claim for c in self.checks):
                raise ValueError(f"claim {claim} has two checks named {function.__name__}")
            heading = title or function.__name__.replace("_", " ")
            self.checks.append(Check(claim, function, method, arithmetic, covers, gap, tier, refutes, breaks_proof,
                                     self.extras.get(needs), heading))
            return function

        return register

    def control(self, *, of: Callable[..., Evidence], plants: str, variant: str = "", witness: str = ""):
        """Decorator: register a negative control of the check function `of` (for every claim it checks)."""
        if not plants.strip():
            raise ValueError(f"control of {of.__name__}: say what it plants")
        if variant not in VARIANTS:
            raise ValueError(f"control of {of.__name__}: variant is {variant!r}; allowed are "
                             f"{', '.join(map(repr, VARIANTS))}")

        def register(plant):
            targets = [c for c in self.checks if c.function is of]
            if not targets:
                raise ValueError(f"control {plant.__name__}: {of.__name__} is not a registered check")
            for target in targets:
                target.controls.append(Control(plants, plant, variant, witness))
            return plant

        return register

    def of(self, claim: str, tier: str = "full") -> list[Check]:
        """Checks of one statement in a tier; the full tier contains the quick one."""
        return [c for c in self.checks if c.claim == claim and (tier == "full" or c.tier == "quick")]
