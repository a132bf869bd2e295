"""Checks and their false variants.

A check is a function whose parameters are what could be false in the statement; the defaults are the truth.
A false variant is data: what is false, and the keyword arguments that make it so. The same function runs twice, once as
it is and once with these arguments, and the second run has to fail.

    @claim("lem-squares", false={"a sum of cubes": {"power": 3}})
    def squares_add_up(text, power=2):
        '''Induction: the step from n to n + 1, for every n >= 1.'''
        yield equal(text("s_{n+1}-s_n=", n=n), (n + 1)**power)
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import GeneratorType, MappingProxyType

from derl.judge.evidence import Evidence, steps
from derl.judge.quotes import Quote, quotes, resolving
from derl.judge.rows import FormalRow
from derl.judge.verdicts import WORD_OF_METHOD

ARITHMETIC = ("exact", "ball", "float64")
TIERS = ("quick", "full")
NOTHING: Mapping = MappingProxyType({})
TEXT = "text"  # the first parameter of a check that reads its own statement
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
    plants: int = PLANTS  # changes of its text that a quick run plants, and relations that it turns

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring, without the title that it may begin with."""
        return _paragraph(self.function).removeprefix(f"{self.title}: ")

    @property
    def source(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}"


class Registry:
    """All checks, in the order in which their modules define them.

    Parameters
    ----------
    extras : mapping
        Name for `needs` -> `Extra`.
    printed : callable
        Id of a statement -> `Quote` of it, for checks whose first parameter is `text`.
    """

    def __init__(self, extras: Mapping[str, Extra] = NOTHING, printed: Callable[[str], Quote] | None = None):
        self.extras, self._printed = extras, printed
        self.checks: list[Check] = []
        self._of: dict[Callable, list[Check]] = {}  # function -> the checks that it is

    def claim(self, key: str, *, false: Mapping = NOTHING, as_printed: Mapping = NOTHING,
              as_corrected: Mapping = NOTHING, method: str = "symbolic", arithmetic: str = "exact",
              covers: str = "everything", gap: str = "none", tier: str = "quick", refutes: bool = False,
              breaks_proof: bool = False, needs: str | None = None, plants: int = PLANTS, title: str = "",
              words: str = ""):
        """Decorator: register a function as a check of the statement `key`.

        The function returns `Evidence`, or a list of steps, or yields them; a step without a name has the title as its
        name. If the first parameter is `text` and has no default, it is given the printed statement. The docstring
        begins with the title, "Title: what is covered.", or its first sentence is the title; what is covered is the
        scope of the steps.

        Parameters
        ----------
        false : mapping
            What is false, in words -> the arguments that make it so: a mapping from parameters to values (with at least
            one entry and without lists, dictionaries, sets and arrays, which a run could change), or a function without
            parameters that returns one. A pair of this and a text says at which point the variant is false, where the
            run cannot find one. The variants belong to all statements for which the function has been registered, so
            the uppermost of several decorators names them.
        as_printed, as_corrected : mapping
            The same for variants that are the paper's own erroneous form, and for the corrected form in a check that
            refutes the printed one.
        covers : str
            "everything" when the check covers the whole statement, otherwise the part that it covers. A counterexample
            to a statement that speaks of all cases covers "everything".
        gap : str
            One line: what the check leaves open; "none" if nothing.
        needs : str or None
            The extra of the paper without which the check cannot run.
        refutes : bool
            The check passes when it confirms an exact counterexample to the printed statement, with its quantifiers.
            It has to evaluate a formula of that statement, or `words` says why it cannot.
        breaks_proof : bool
            The check passes when it confirms that the printed deduction is wrong; the statement may be true.
        plants : int
            How many changes of the text that it reads a quick run plants; fewer for a check that takes long.
        title : str
            For the one of several decorators that needs a title of its own.
        words : str
            Why a refutation evaluates no formula of its statement.

        Raises
        ------
        ValueError
            Where one of these does not hold.
        """
        for value, allowed, what in ((method, WORD_OF_METHOD, "method"), (arithmetic, ARITHMETIC, "arithmetic"),
                                     (tier, TIERS, "tier"), (needs, (None, *self.extras), "needs")):
            if value not in allowed:
                raise ValueError(f"check of {key}: {what} is {value!r}; allowed are {', '.join(map(str, allowed))}")
        if method == "kernel":
            raise ValueError(f"check of {key}: what Coq has checked comes from its recording, not from a function")
        if method == "symbolic" and arithmetic != "exact":
            raise ValueError(f"check of {key}: a symbolic proof is exact, not in {arithmetic} arithmetic")
        if (refutes or breaks_proof) and arithmetic == "float64":
            raise ValueError(f"check of {key}: a refutation has to be exact or in ball arithmetic, not float64")
        frame = sys._getframe(1)
        place = Place(frame.f_globals.get("__name__", ""), frame.f_code.co_filename, frame.f_lineno)

        def register(function):
            if any(c.claim == key and c.name == function.__name__ for c in self.checks):
                raise ValueError(f"claim {key} has two checks named {function.__name__}")
            made = function if function in self._of else resolving(_reporting(self._reading(function, key)))
            reads = any(quote.key == (key, "statement") for quote in quotes(made).values())
            if refutes and self._printed is not None and reads == bool(words):
                raise ValueError(f"check of {key}: {function.__name__} refutes, and has to evaluate a formula of the "
                                 "statement, or to say in `words` why it does not")
            targets = self._of.setdefault(made, [])
            targets.append(Check(key, made, method, arithmetic, covers, gap, tier, refutes, breaks_proof,
                                 self.extras.get(needs), title or _title(function), plants=plants))
            self.checks.append(targets[-1])
            for variant, planted in (("", false), ("printed", as_printed), ("corrected", as_corrected)):
                for what, arguments in planted.items():
                    control = _control(function, what, arguments, variant, place)
                    for target in targets:
                        target.controls.append(control)
            return made

        return register

    def _reading(self, function: Callable, key: str) -> Callable:
        """The function with the printed statement as the default of its first parameter `text`."""
        parameters = [*inspect.signature(function).parameters.values()]
        if not parameters or parameters[0].name != TEXT or parameters[0].default is not inspect.Parameter.empty:
            return function
        inner = inspect.unwrap(function)  # where a decorator wraps it, the defaults are those of the function inside
        if self._printed is None or len(inner.__defaults__ or ()) + 1 != inner.__code__.co_argcount:
            raise ValueError(f"check of {key}: {function.__name__} reads the statement, and "
                             f"{'every other parameter needs a default' if self._printed else 'there is no paper'}")
        inner.__defaults__ = (self._printed(key), *(inner.__defaults__ or ()))
        return function

    def of(self, claim: str, tier: str = "full") -> list[Check]:
        """Checks of one statement in a tier; the full tier contains the quick one."""
        return [c for c in self.checks if c.claim == claim and (tier == "full" or c.tier == "quick")]


def _paragraph(function: Callable) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((function.__doc__ or "").strip().split("\n\n")[0].split())


def _title(function: Callable) -> str:
    """What a docstring begins with: up to its first colon, or its first sentence; else the name of the function."""
    title, colon, _ = _paragraph(function).partition(": ")
    return (title if colon else re.split(r"(?<=[^.])\. |\.$", title)[0]) or function.__name__.replace("_", " ")


def _reporting(function: Callable) -> Callable:
    """The function with `Evidence` made of the steps that it returns or yields."""
    title = _title(function)
    scope = _paragraph(function).removeprefix(f"{title}: ")

    @functools.wraps(function)
    def reported(*arguments, **keywords):
        answer = function(*arguments, **keywords)
        if not isinstance(answer, list | GeneratorType):
            return answer
        return steps((one if isinstance(one, str | tuple) else (title, one) for one in answer), scope)

    return reported


def _control(of: Callable, plants: str, arguments: Mapping | Callable | tuple, variant: str, place: Place) -> Control:
    """A false variant as no run can change it.

    Raises
    ------
    ValueError
    """
    if not plants.strip():
        raise ValueError(f"control of {of.__name__}: say what it plants")
    arguments, witness = arguments if isinstance(arguments, tuple) else (arguments, "")
    return Control(plants, _kept(of, arguments), variant, witness, place)


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
