"""What the paper says: the entries of claims.yml, validated.

`numbers.csv` is a table (label, kind, number, line) made from the LaTeX source by `derl.claims.numbering`;
a test holds every number in claims.yml to it. `sections.csv` says where sections begin.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

KINDS = ("definition", "assumption", "lemma", "theorem", "corollary", "claim", "property", "condition", "algorithm",
         "equation", "inequality", "table", "remark", "in-text", "result")
EXPECTED = ("holds", "holds-with-repair", "refuted", "cited")
FIELDS = {"kind", "number", "label", "line", "title", "statement", "uses", "page", "expected", "repair", "erratum"}
REQUIRED = FIELDS - {"repair", "erratum", "uses"}
IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class InvalidClaims(ValueError):
    """claims.yml breaks its own rules; the message names the entry and the rule."""


class UnknownClaim(ValueError):
    """No statement has this id or number."""


@dataclass(frozen=True)
class Statement:
    """One statement of the paper, or one result of this book (`kind == "result"`, no number, line 0)."""

    id: str
    kind: str
    number: str
    label: str
    line: int
    title: str
    statement: str
    uses_statement: tuple[str, ...]
    uses_proof: tuple[str, ...]
    page: str
    expected: str
    repair: str | None = None
    erratum: Mapping | None = None

    @property
    def name(self) -> str:
        """How the statement is called in prose: "Lemma C.3", "Equation (7)", "Line 781", "Result"."""
        if self.kind in ("equation", "inequality", "condition") and self.number:
            return f"{self.kind.capitalize()} ({self.number.strip('()')})"
        if self.number:
            return f"{self.kind.capitalize()} {self.number}"
        return f"Line {self.line}" if self.line else "Result"

    @property
    def place(self) -> str:
        """Where it stands in the paper: "Section 4.2, line 346", "Appendix C.2, line 854"; empty for a result."""
        if not self.line:
            return ""
        number = [number for number, line in sections() if line <= self.line][-1]
        return f"{'Section' if number[0].isdigit() else 'Appendix'} {number}, line {self.line}"


def parse(text: str) -> dict[str, Statement]:
    """Read the text of a claims.yml.

    Raises
    ------
    InvalidClaims
        Naming the entry, the field, and what is allowed.
    """
    try:
        raw = yaml.load(text, Loader=_UniqueKeys)
    except yaml.YAMLError as error:
        raise InvalidClaims(f"claims.yml is not valid YAML: {' '.join(str(error).split())}") from None
    if not isinstance(raw, dict) or not raw:
        raise InvalidClaims("claims.yml is empty; it must map ids to statements")
    statements = {key: _statement(key, entry) for key, entry in raw.items()}
    for statement in statements.values():
        edges = (*statement.uses_statement, *statement.uses_proof, *filter(None, [statement.repair]))
        for other in edges:
            if other not in statements:
                raise InvalidClaims(f"claims.yml: {statement.id} refers to the unknown id {other!r}")
    return statements


def _statement(key: str, entry: dict) -> Statement:
    def demand(truth, rule):
        if not truth:
            raise InvalidClaims(f"claims.yml: {key}: {rule}")

    demand(isinstance(key, str) and IDENTIFIER.fullmatch(key), "an id is lower-case words joined by hyphens")
    demand(isinstance(entry, dict), "an entry is a mapping")
    demand(REQUIRED <= entry.keys(), f"missing {', '.join(sorted(REQUIRED - entry.keys()))}")
    demand(entry.keys() <= FIELDS, f"unknown field {', '.join(sorted(entry.keys() - FIELDS))}")
    demand(entry["kind"] in KINDS, f"kind is {entry['kind']!r}; allowed are {', '.join(KINDS)}")
    demand(entry["expected"] in EXPECTED, f"expected is {entry['expected']!r}; allowed are {', '.join(EXPECTED)}")
    demand((entry["expected"] == "holds-with-repair") == bool(entry.get("repair")),
           "`repair` is named exactly where `expected` is holds-with-repair")
    demand(isinstance(entry["number"], str), "the number is text, in quotes")
    uses = entry.get("uses") or {}
    demand(isinstance(uses, dict) and uses.keys() <= {"statement", "proof"}, "`uses` has the keys statement and proof")
    return Statement(
        id=key, kind=entry["kind"], number=entry["number"], label=entry["label"] or "", line=int(entry["line"]),
        title=entry["title"], statement=entry["statement"].strip(), uses_statement=tuple(uses.get("statement", ())),
        uses_proof=tuple(uses.get("proof", ())), page=entry["page"], expected=entry["expected"],
        repair=entry.get("repair"), erratum=entry.get("erratum"),
    )


class _UniqueKeys(yaml.SafeLoader):
    """YAML keeps the last of two equal keys without a word; two claims with one id must not pass."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=deep) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise InvalidClaims(f"claims.yml: the key {key!r} stands twice (line {node.start_mark.line + 1})")
        return super().construct_mapping(node, deep)


@cache
def load() -> dict[str, Statement]:
    """The statements of claims.yml, by id, in the order of the file."""
    return parse(resources.files("derl.claims").joinpath("claims.yml").read_text(encoding="utf-8"))


@cache
def printed_numbers() -> dict[str, tuple[str, str, int]]:
    """Label -> (kind, number, line) as the LaTeX source prints them."""
    text = resources.files("derl.claims").joinpath("numbers.csv").read_text(encoding="utf-8")
    return {row["label"]: (row["kind"], row["number"], int(row["line"])) for row in csv.DictReader(text.splitlines())}


@cache
def sections() -> tuple[tuple[str, int], ...]:
    """(number, first line) of the sections and subsections, in the order of the LaTeX source."""
    text = resources.files("derl.claims").joinpath("sections.csv").read_text(encoding="utf-8")
    return tuple((row["number"], int(row["line"])) for row in csv.DictReader(text.splitlines()))


def find(name: str) -> Statement:
    """The statement with this id, or the only one with this printed number ("C.3", "4.2", "(7)").

    Raises
    ------
    UnknownClaim
        With the nearest ids, or all candidates where a number is ambiguous.
    """
    statements = load()
    if name in statements:
        return statements[name]
    hits = [s for s in statements.values() if s.number and name.lower() in (s.number.lower(), s.name.lower())]
    if len(hits) == 1:
        return hits[0]
    if hits:
        raise UnknownClaim(f"{name!r} is ambiguous: {', '.join(s.id for s in hits)}")
    from difflib import get_close_matches

    near = get_close_matches(name, statements, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}?" if near else "`derl show` without arguments lists them"
    raise UnknownClaim(f"no statement has the id or number {name!r}; {hint}")
