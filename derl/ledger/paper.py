"""A paper made executable: a package with its statements, their checks, and what LaTeX printed.

The package has one folder per chapter. In each lies a `claims.yml` (what the paper says) beside modules of checks (how
that is checked); a package without chapters has both at its top. No list is kept by hand: every module below the
package is imported before checks run. Two optional tables at the top come from `derl.ledger.numbering`: `numbers.csv`
(label, kind, number, line) and `sections.csv` (number, line). An optional `causes.yml` says what errata have in common.
"""

from __future__ import annotations

import csv
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property
from importlib import resources
from pathlib import Path
from types import MappingProxyType

from derl.inputs import text
from derl.inputs.mappings import mapping
from derl.judge.dependencies import CircularProof, Dependencies
from derl.judge.kernel import checks
from derl.judge.quotes import Quote
from derl.judge.registry import Extra, Registry
from derl.ledger.erratum import Cause, causes
from derl.ledger.recordings import Recorded
from derl.ledger.saying import Letter, table
from derl.ledger.statements import InvalidClaims, Statement, UnknownClaim, join

JUDGE = __name__.partition(".")[0]  # the package that this module is part of
CLAIMS, CAUSES = "claims.yml", "causes.yml"
LONGEST = 200  # characters of an id or a number


class Paper:
    """One paper.

    Parameters
    ----------
    package : str
        Import name of the package that holds the chapters; it must bind this paper to the name `PAPER`, so that
        worker processes find it.
    chapters : sequence of str
        Folders of the package in the order of the book; none where the package itself holds claims.yml.
    quotations : mapping
        Theorems from elsewhere that a proof may quote: a name for `quote` -> what it says. A proof that quotes any
        other is refused.
    extras : mapping
        Packages that checks need and that may be missing: a name for `needs` -> `Extra`.
    libraries : sequence of str
        Installed packages whose versions the ledger notes, by the names under which they are installed.
    command : str
        What a reader types to see the list of statements; empty where there is no such command.
    """

    def __init__(self, package: str, chapters: Iterable[str] = (), *,
                 quotations: Mapping[str, str] = MappingProxyType({}),
                 extras: Mapping[str, Extra] = MappingProxyType({}), libraries: Iterable[str] = (), command: str = ""):
        self.package, self.chapters, self.registry = package, tuple(chapters), Registry(extras, self.printed)
        self.quotations, self.libraries, self.command = dict(quotations), tuple(libraries), command

    @property
    def code(self) -> tuple[str, ...]:
        """Packages whose code decides what is found: the one that judges, and that of the paper."""
        return JUDGE, self.package

    @property
    def version(self) -> str:
        """Of the outermost package that holds the paper; empty where it names none."""
        return str(getattr(importlib.import_module(self.package.partition(".")[0]), "__version__", ""))

    @cached_property
    def formal(self) -> Recorded:
        """What Coq has checked of it."""
        return Recorded(self.package)

    @property
    def files(self) -> dict[str, Path]:
        """Chapter -> its claims.yml."""
        root = resources.files(self.package)
        return {chapter: root.joinpath(chapter, CLAIMS) for chapter in self.chapters} or {"": root.joinpath(CLAIMS)}

    @cached_property
    def statements(self) -> dict[str, Statement]:
        """All statements by id, chapter by chapter."""
        places = {(kind, number): {"label": label, "line": line} if not label.startswith("line-") else {"line": line}
                  for label, (kind, number, line) in self.printed_numbers.items()}
        found = join({chapter: file.read_text(encoding="utf-8") for chapter, file in self.files.items()},
                     self.quotations, places)
        used = {s.erratum["cause"]: s.id for s in found.values() if s.erratum}
        if self.causes and (unknown := next((cause for cause in used if cause not in self.causes), None)):
            raise InvalidClaims(f"claims.yml: {used[unknown]}: the cause of the erratum is {unknown!r}; {CAUSES} has "
                                f"{', '.join(self.causes)}")
        return found

    def printed(self, claim: str, field: str = "statement") -> Quote:
        """A text of a statement, as the default of a parameter of a check; see `derl.judge.quotes`.

        Parameters
        ----------
        claim : str
            Its id.
        field : str
            "statement"; "printed", "corrected" or another field of its erratum; or the name of a step of a check, for
            the step of the proof that refers to it.
        """
        return Quote(self.text, claim, field)

    def text(self, claim: str, field: str = "statement") -> str:
        """The text that `printed` quotes.

        Raises
        ------
        InvalidClaims
            There is no such statement, or it has no such text.
        """
        statement = self.statements.get(claim)
        if statement is None:
            raise InvalidClaims(f"printed({claim!r}): claims.yml has no such statement")
        if field == "statement":
            return statement.statement
        if statement.erratum and field in statement.erratum:
            return statement.erratum[field]
        steps = [step.say for step in statement.proof if any(field == name for _, name, *_ in step.check)]
        if len(steps) != 1:
            raise InvalidClaims(f"printed({claim!r}, {field!r}): {len(steps)} steps of its proof refer to this name, "
                                "and its erratum has no such field")
        return steps[0]

    @cached_property
    def causes(self) -> dict[str, Cause]:
        """What errata have in common, by id, the gravest first; empty where the package has no causes.yml.

        Raises
        ------
        InvalidClaims
            Naming the cause, the field, and what is allowed.
        """
        file = resources.files(self.package).joinpath(CAUSES)
        if not file.is_file():
            return {}
        known, amiss = causes(mapping(file.read_text(encoding="utf-8"), CAUSES, InvalidClaims))
        if amiss:
            raise InvalidClaims(f"{CAUSES}: {amiss}")
        return known

    @cached_property
    def dependencies(self) -> Dependencies:
        """What rests on what.

        Raises
        ------
        InvalidClaims
            Where statements rest on each other.
        """
        return self._graph(lambda statement: statement.uses)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The statements in an order in which each comes after what it uses and after its repair.

        Raises
        ------
        InvalidClaims
            Also where a repair rests on what it repairs.
        """
        return self._graph(lambda statement: (*statement.uses, *filter(None, [statement.repair]))).order

    def _graph(self, edges: Callable[[Statement], tuple[str, ...]]) -> Dependencies:
        try:
            return Dependencies({key: edges(statement) for key, statement in self.statements.items()})
        except CircularProof as error:
            raise InvalidClaims(f"claims.yml: {error}") from None

    def find(self, name: str) -> Statement:
        """The statement with this id, or the only one with this printed number ("C.3", "4.2", "(7)").

        Raises
        ------
        UnknownClaim
            With the nearest ids, or all candidates where a number is ambiguous.
        """
        text(name, "the name of a statement", LONGEST, UnknownClaim)
        if name in self.statements:
            return self.statements[name]
        hits = [s for s in self.statements.values() if s.number and name.lower() in (s.number.lower(), s.name.lower())]
        if len(hits) == 1:
            return hits[0]
        if hits:
            raise UnknownClaim(f"{name!r} is ambiguous: {', '.join(s.id for s in hits)}")
        near = get_close_matches(name[:80], self.statements, n=3, cutoff=0.4)
        hint = f"did you mean {', '.join(near)}?" if near else self._listed()
        raise UnknownClaim(f"no statement has the id or number {name[:60]!r}; {hint}")

    def _listed(self) -> str:
        """Where a reader finds the ids of all statements."""
        return f"`{self.command}` lists them" if self.command else f"there are {', '.join(self.statements)}"

    def register(self) -> Registry:
        """Import every module of checks and return the complete registry.

        The checks are in the order of their modules' names, whatever was imported before.

        Raises
        ------
        InvalidClaims
            Where a check is about a statement that claims.yml does not have.
        """
        package = importlib.import_module(self.package)
        place = {}
        for module in pkgutil.walk_packages(package.__path__, f"{self.package}."):
            importlib.import_module(module.name)
            place[module.name] = len(place)
        self.registry.checks.sort(key=lambda subject: place.get(subject.function.__module__, len(place)))
        if not any(subject.method == "kernel" for subject in self.registry.checks):
            self.registry.checks += checks(self.formal, self.statements)
        for subject in self.registry.checks:
            if subject.claim not in self.statements:
                raise InvalidClaims(f"{subject.source} checks {subject.claim!r}, which claims.yml does not have")
        return self.registry

    @cached_property
    def printed_numbers(self) -> dict[str, tuple[str, str, int]]:
        """Label -> (kind, number, line) as the LaTeX source prints them."""
        return {row["label"]: (row["kind"], row["number"], int(row["line"])) for row in self._table("numbers.csv")}

    @cached_property
    def sections(self) -> tuple[tuple[str, int], ...]:
        """(number, first line) of the sections and subsections, in the order of the LaTeX source."""
        return tuple((row["number"], int(row["line"])) for row in self._table("sections.csv"))

    def letters(self, claim: str) -> dict[str, Letter | None]:
        """Which letters of a statement are numbers, by `letters.csv` of the package, where there is one."""
        return table(self._table("letters.csv"), claim)

    def place(self, statement: Statement) -> str:
        """"Section 4.2, line 346", "Appendix C.2, line 854"; empty for what is not in the paper."""
        if not statement.line:
            return ""
        number = [number for number, line in self.sections if line <= statement.line][-1:]
        if not number:
            return f"line {statement.line}"
        return f"{'Section' if number[0][0].isdigit() else 'Appendix'} {number[0]}, line {statement.line}"

    def _table(self, name: str) -> list[dict]:
        file = resources.files(self.package).joinpath(name)
        return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines())) if file.is_file() else []
