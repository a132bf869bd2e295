"""What a paper says: the entries of claims.yml, validated."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from derl.exact.base import digest
from derl.inputs import Invalid
from derl.inputs.display import Shown
from derl.inputs.mappings import mapping
from derl.judge.proofs import Step, read
from derl.judge.verdicts import EXPECTED, STRENGTH, amiss
from derl.ledger import erratum as errata_fields
from derl.printed.text import wording

KINDS = ("definition", "assumption", "lemma", "theorem", "corollary", "claim", "property", "condition", "algorithm",
         "equation", "inequality", "table", "remark", "in-text", "result")
FIELDS = {"kind", "number", "label", "line", "title", "statement", "uses", "page", "expected", "word", "repair",
          "erratum", "added", "proof", "reviewed", "unread"}
DEFAULTS = {"kind": "result", "number": "", "label": "", "line": 0}  # a result of one's own
REQUIRED = {"title", "statement", "page"}
# why no check evaluates a formula of a statement that is checked whole
UNREAD = {
    "definition": "it says what a letter means; the checks build that object",
    "range": "it says which values a letter takes; the checks assume that of their symbols",
    "set": "a set of values",
    "object": "the checks have it as one symbol, or build it",
    "premise": "a hypothesis, which holds of the objects that the checks build",
    "case": "a case, in which the checks compute",
    "order": "an order of growth, which the written proof compares",
    "probability": "the written proof adds up what is excluded",
    "elsewhere": "it is of another statement, which has checks of its own",
    "own form": "the checks show it in a form of their own, and do not notice a change of this text",
}
DIGITS = re.compile(r"[0-9a-f]{8}")
# what a page would run or publish: HTML (an order in a formula has no blank and no ">" after its letter), files
FOREIGN = re.compile(r"<(?:[!?/]|[a-zA-Z][\w-]*(?:\s|/?>))|\{(?:raw|include|literalinclude)\}")
IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class InvalidClaims(Invalid):
    """claims.yml breaks its own rules; the message names the entry and the rule."""


class UnknownClaim(Invalid):
    """No statement has this id or number."""


@dataclass(frozen=True, repr=False)
class Statement(Shown):
    """One statement of the paper, or one beside the paper (a result or a definition without number, line 0)."""

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
    added: str = ""  # hypotheses and constants that the statement has here and not in the paper
    word: str | None = None
    proof: tuple[Step, ...] = ()
    chapter: str = ""
    unread: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # word of `UNREAD` -> formulas
    reviewed: str = ""  # `words` as they were when somebody last compared them with the checks

    def _facts(self):
        facts = {"id": self.id, "name": self.name, "title": self.title, "expected": self.expected}
        return facts | ({"word": self.word} if self.word else {}) | ({"repair": self.repair} if self.repair else {})

    @property
    def uses(self) -> tuple[str, ...]:
        """What it uses in its wording or in its proof, each id once."""
        return tuple(dict.fromkeys((*self.uses_statement, *self.uses_proof)))

    @property
    def words(self) -> str:
        """Digest of the words of the statement, eight digits: its formulas, line ends and spaces do not count."""
        return digest(wording(self.statement))[:8]

    @property
    def own(self) -> bool:
        """Whether it is not in the paper: a result, or a definition that results need."""
        return not self.line

    @property
    def fault(self) -> str | None:
        """The class of its erratum, one of `derl.ledger.erratum.CLASSES`, or None."""
        return errata_fields.class_of(self.erratum) if self.erratum else None

    @property
    def standing(self) -> str | None:
        """The class of its erratum, or "open" where it is open under the reading that the erratum names, or None."""
        return errata_fields.standing_of(self.erratum) if self.erratum else None

    @property
    def name(self) -> str:
        """How the statement is called in prose: "Lemma C.3", "Equation (7)", "Line 781", "Result"."""
        if self.kind in ("equation", "inequality", "condition") and self.number:
            return f"{self.kind.capitalize()} ({self.number.strip('()')})"
        if self.number:
            return f"{self.kind.capitalize()} {self.number}"
        return f"Line {self.line}" if self.line else "Definition" if self.kind == "definition" else "Result"


def parse(text: str, quotations: Collection[str] = ()) -> dict[str, Statement]:
    """Read the text of a claims.yml that stands alone.

    Raises
    ------
    InvalidClaims
        Naming the entry, the field, and what is allowed.
    """
    return join({"": text}, quotations)


def join(texts: Mapping[str, str], quotations: Collection[str] = (),
         places: Mapping[tuple[str, str], dict] = MappingProxyType({})) -> dict[str, Statement]:
    """Read the claims.yml of all chapters: chapter -> text.

    Parameters
    ----------
    quotations : collection of str
        Names of the theorems from elsewhere that a proof may quote.
    places : mapping
        (kind, number) as printed -> the fields "label" and "line" of that statement.

    Raises
    ------
    InvalidClaims
    """
    statements: dict[str, Statement] = {}
    for chapter, text in texts.items():
        for key, statement in _entries(text, chapter, quotations, places).items():
            if key in statements:
                raise InvalidClaims(f"claims.yml: {key} stands in {statements[key].chapter} and again in {chapter}")
            statements[key] = statement
    for statement in statements.values():
        for other in (*statement.uses, *filter(None, [statement.repair])):
            if other not in statements:
                raise InvalidClaims(f"claims.yml: {statement.id} refers to the unknown id {other!r}")
    unequal = errata_fields.unequal({key: one.erratum for key, one in statements.items() if one.erratum})
    if unequal:
        raise InvalidClaims(f"claims.yml: {unequal}")
    return statements


def _entries(text: str, chapter: str, quotations: Collection[str], places: Mapping) -> dict[str, Statement]:
    entries: dict[str, Statement] = {}
    page = {}
    for key, entry in mapping(text, "claims.yml", InvalidClaims).items():
        if isinstance(entry, dict):
            entry = page | places.get((str(entry.get("kind")), str(entry.get("number"))), {}) | entry
        entries[key] = read_entry(key, entry, chapter, quotations)
        page = {"page": entries[key].page}
    return entries


def _texts(value) -> list[str]:
    """All texts of an entry."""
    if isinstance(value, Mapping | list):
        return [text for one in (value.values() if isinstance(value, Mapping) else value) for text in _texts(one)]
    return [value] if isinstance(value, str) else []


def read_entry(key: str, entry: dict, chapter: str, quotations: Collection[str]) -> Statement:
    """One entry of claims.yml; whether the ids that it names exist is asked by `join`.

    Fields of `DEFAULTS` may be missing; `expected` follows from `repair`, and what holds is expected to be proved. Its
    proof uses what its steps use, and what `uses` adds to that.

    Raises
    ------
    InvalidClaims
    """
    def demand(truth, rule):
        if not truth:
            raise InvalidClaims(f"claims.yml: {key}: {rule}")

    demand(isinstance(key, str) and IDENTIFIER.fullmatch(key), "an id is lower-case words joined by hyphens")
    demand(isinstance(entry, dict), "an entry is a mapping")
    demand(REQUIRED <= entry.keys(), f"missing {', '.join(sorted(REQUIRED - entry.keys()))}")
    entry = DEFAULTS | {"expected": "holds-with-repair" if entry.get("repair") else "holds"} | entry
    demand(entry.keys() <= FIELDS, f"unknown field {', '.join(sorted(entry.keys() - FIELDS))}")
    found = FOREIGN.search("\0".join(_texts(entry)))
    demand(not found, f"{found and found[0].strip()!r}: texts hold no HTML and no raw, include or literalinclude")
    demand(entry["kind"] in KINDS, f"kind is {entry['kind']!r}; allowed are {', '.join(KINDS)}")
    demand(entry["expected"] in EXPECTED, f"expected is {entry['expected']!r}; allowed are {', '.join(EXPECTED)}")
    demand((entry["expected"] == "holds-with-repair") == bool(entry.get("repair")),
           "`repair` is named exactly where `expected` is holds-with-repair")
    word = entry.get("word", "proved" if entry["expected"] == "holds" else None)
    demand(word is None or word in EXPECTED[entry["expected"]],
           f"word is {word!r}; with expected: {entry['expected']} allowed are {', '.join(EXPECTED[entry['expected']])}")
    demand(isinstance(entry["number"], str), "the number is text, in quotes")
    demand(entry.get("repair") != key, "a statement cannot be its own repair")
    uses = entry.get("uses") or {}
    demand(isinstance(uses, dict) and uses.keys() <= {"statement", "proof"}, "`uses` has the keys statement and proof")
    demand(all(isinstance(ids, list) for ids in uses.values()), "`uses` holds lists of ids")
    statement = tuple(uses.get("statement") or ())
    added = entry.get("added", "")
    demand("added" not in entry or isinstance(added, str) and added.strip(),
           "`added` is a text: what the statement has here and not in the paper")
    demand(not added or entry["line"], "`added` is about a statement of the paper, which has a line")
    reviewed = entry.get("reviewed", "")
    demand("reviewed" not in entry or isinstance(reviewed, str) and DIGITS.fullmatch(reviewed),
           f"`reviewed` is eight hexadecimal digits in quotes, which `derl accept {key}` writes")
    unread = entry.get("unread", {})
    demand(isinstance(unread, dict) and unread.keys() <= UNREAD.keys(),
           f"`unread` has lists of formulas under the words {', '.join(UNREAD)}")
    demand(all(isinstance(some, list) and all(isinstance(one, str) for one in some) for some in unread.values()),
           "`unread` holds lists of formulas, in quotes")
    if "erratum" in entry:
        broken = errata_fields.problem(entry["erratum"])
        demand(not broken, broken)
        fault = errata_fields.class_of(entry["erratum"])
        found = amiss(errata_fields.standing_of(entry["erratum"]), STRENGTH[0] if entry.get("repair") else None)
        demand(word in (None, found) or entry["expected"] not in ("refuted", "holds-with-repair"),
               f"word is {word!r}; with the class {fault} of its erratum it is {found}")
        demand(fault != "gap" or entry["expected"] != "refuted",
               "an erratum that changes a proof names the mended statement as its `repair`, or is open: proof-fails")
    written, problem = read(entry["proof"], quotations) if "proof" in entry else ((), "")
    demand(not problem, problem)
    proof = tuple(dict.fromkeys((*(other for step in written for other in step.use), *(uses.get("proof") or ()))))
    return Statement(
        id=key, kind=entry["kind"], number=entry["number"], label=entry["label"], line=int(entry["line"]),
        title=entry["title"], statement=entry["statement"].strip(), uses_statement=statement, uses_proof=proof,
        page=entry["page"], expected=entry["expected"], repair=entry.get("repair"), erratum=entry.get("erratum"),
        added=added.strip(),
        word=word, proof=written, chapter=chapter, reviewed=reviewed,
        unread={reason: tuple(some) for reason, some in unread.items()},
    )
