"""Checks and their negative controls.

A check is a function whose parameters are what could be false in the statement; the defaults are the truth.
A control is a row of data: the check, what is false, and the keyword arguments that make it so. The registry runs the
same function twice, once as it is and once with these arguments, and demands that the second run fails.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from derl.ledger.arguments import shown, source
from derl.ledger.evidence import Evidence
from derl.ledger.quotes import resolving
from derl.ledger.rows import FormalRow
from derl.ledger.verdicts import WORD_OF_METHOD

ARITHMETIC = ("exact", "ball", "float64")
TIERS = ("quick", "full")
VARIANTS = ("", "printed", "corrected")
PLANTS = 12  # changes of its text that a quick run plants on a check; a full run plants all


@dataclass(frozen=True)
class Extra:
    """A package that a check needs and that may be missing: its name in an import, and what installs it."""

    package: str
    install: str


@dataclass(frozen=True)
class Place:
    """A line of code: module, file as Python names it, line; no line (0) for what has no file."""

    module: str = ""
    path: str = ""
    number: int = 0

    @property
    def line(self) -> int:
        """The line; 0 for what was typed at a prompt, whose text Python remembers from 3.13 on."""
        return 0 if Path(self.path).name.startswith("<") else self.number

    @property
    def file(self) -> str:
        """The file, from the folder on that holds its package."""
        path = Path(self.path)
        depth = len(self.module.split(".")) + (path.name == "__init__.py")
        return "/".join(path.parts[-depth:]) if self.line else ""


@dataclass(frozen=True)
class Control:
    """A planted false variant.

    Attributes
    ----------
    plants : str
        What is false.
    arguments : mapping or callable
        Parameter -> value, the keyword arguments that the check must reject; or a function without parameters that
        returns them, where they are expensive or have to be made afresh for each run.
    variant : str
        "printed" if they are the paper's own erroneous form, "corrected" if they are the corrected form in a check that
        refutes the printed one, "" otherwise.
    witness : str
        At which point the variant is false, where the run cannot find one.
    place : Place
        Where the row stands.
    """

    plants: str
    arguments: Mapping | Callable[[], Mapping]
    variant: str = ""
    witness: str = ""
    place: Place = Place()

    def plant(self) -> dict:
        """The changed arguments, for one run."""
        return dict(self.arguments() if callable(self.arguments) else self.arguments)

    @property
    def text(self) -> str:
        """The changed arguments for a reader: `powers = 16`, a line each, or the function that makes them.

        A function among them is shown by its name, and by its source below where it belongs to the package that plants
        it.
        """
        if callable(self.arguments):
            return source(self.arguments) or shown(self.arguments)
        lines = [f"{name} = {shown(value)}" for name, value in self.arguments.items()]
        ours = [value for value in self.arguments.values() if inspect.isfunction(value) and value.__name__ != "<lambda>"
                and value.__module__.partition(".")[0] == self.place.module.partition(".")[0]]
        return "\n\n".join(["\n".join(lines), *filter(None, map(source, ours))])


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
    formal: FormalRow | None = None  # of method kernel: the theorem that was read
    plants: int = PLANTS  # changes of its text that a quick run plants

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
        self._of: dict[Callable, list[Check]] = {}  # function -> the checks that it is

    def check(self, claim: str, *, method: str, arithmetic: str, covers: str, gap: str,
              tier: str = "quick", refutes: bool = False, breaks_proof: bool = False,
              needs: str | None = None, title: str = "", plants: int = PLANTS):
        """Decorator: register a function as a check of the statement `claim`.

        Parameters
        ----------
        covers : str
            "everything" when the check covers the whole statement, otherwise the part that it covers. A counterexample
            to a statement that speaks of all cases covers "everything".
        gap : str
            One line: what the check leaves open; "none" if nothing.
        needs : str or None
            The extra of the paper without which the check cannot run.
        refutes : bool
            The check passes when it confirms an exact counterexample to the printed statement, with its quantifiers.
        breaks_proof : bool
            The check passes when it confirms that the printed deduction is wrong; the statement may be true.
        plants : int
            How many changes of the text that it reads a quick run plants; fewer for a check that takes long.
        """
        for value, allowed, what in ((method, WORD_OF_METHOD, "method"), (arithmetic, ARITHMETIC, "arithmetic"),
                                     (tier, TIERS, "tier"), (needs, (None, *self.extras), "needs")):
            if value not in allowed:
                raise ValueError(f"check of {claim}: {what} is {value!r}; allowed are {', '.join(map(str, allowed))}")
        if method == "kernel":
            raise ValueError(f"check of {claim}: what Coq has checked comes from its recording, not from a function")
        if method == "symbolic" and arithmetic != "exact":
            raise ValueError(f"check of {claim}: a symbolic proof is exact, not in {arithmetic} arithmetic")
        if (refutes or breaks_proof) and arithmetic == "float64":
            raise ValueError(f"check of {claim}: a refutation has to be exact or in ball arithmetic, not float64")

        def register(function):
            if any(c.claim == claim and c.name == function.__name__ for c in self.checks):
                raise ValueError(f"claim {claim} has two checks named {function.__name__}")
            heading = title or function.__name__.replace("_", " ")
            resolved = function if function in self._of else resolving(function)
            made = Check(claim, resolved, method, arithmetic, covers, gap, tier, refutes, breaks_proof,
                         self.extras.get(needs), heading, plants=plants)
            self.checks.append(made)
            self._of.setdefault(resolved, []).append(made)
            return resolved

        return register

    def control(self, of: Callable[..., Evidence], plants: str, arguments: Mapping | Callable, *,
                variant: str = "", witness: str = "") -> None:
        """Register a negative control of the check function `of`, for every claim that it checks.

        Parameters
        ----------
        of : callable
            A registered check.
        plants : str
            What is false, in words.
        arguments : mapping or callable
            Parameter of the check -> value, with at least one entry and without lists, dictionaries, sets and arrays,
            which a run could change; or a function without parameters that returns such a mapping for each run.
        variant, witness : str
            As of `Control`.

        Raises
        ------
        ValueError
            Where one of these does not hold.
        """
        frame = sys._getframe(1)
        place = Place(frame.f_globals.get("__name__", ""), frame.f_code.co_filename, frame.f_lineno)
        if not plants.strip():
            raise ValueError(f"control of {of.__name__}: say what it plants")
        if variant not in VARIANTS:
            raise ValueError(f"control of {of.__name__}: variant is {variant!r}; allowed are "
                             f"{', '.join(map(repr, VARIANTS))}")
        if of not in self._of:
            raise ValueError(f"control {plants!r}: {of.__name__} is not a registered check")
        control = Control(plants, _kept(of, arguments), variant, witness, place)
        for target in self._of[of]:
            target.controls.append(control)

    def of(self, claim: str, tier: str = "full") -> list[Check]:
        """Checks of one statement in a tier; the full tier contains the quick one."""
        return [c for c in self.checks if c.claim == claim and (tier == "full" or c.tier == "quick")]


def _kept(of: Callable, arguments: Mapping | Callable) -> Mapping | Callable:
    """The arguments as no run can change them."""
    if callable(arguments):
        return arguments
    if not isinstance(arguments, Mapping) or not arguments:
        raise ValueError(f"control of {of.__name__}: the arguments are {arguments!r}; allowed are a mapping from "
                         "parameter to value, or a function that returns one")
    for name, value in arguments.items():
        if isinstance(value, set) or hasattr(value, "__setitem__"):
            raise ValueError(f"control of {of.__name__}: {name} is a {type(value).__name__}, which a run could change; "
                             "give a tuple, or a function that makes the arguments for each run")
    return MappingProxyType(dict(arguments))
