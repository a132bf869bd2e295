"""What Coq has checked: recorded statements, their axioms, and checks of method `kernel`.

A package of claims may hold `kernel.json`, which `proofs/record.py` writes from what Coq says, and `reviewed.csv`: for
every pair of theorem and claim the digest of the two statements as somebody compared them. A check here does not run
Coq. It holds if the recording is of the sources that lie beside the package (where they do), if nothing in them is
unfinished, if the axioms are on the list below, and if both statements are those that were compared.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from importlib import resources
from pathlib import Path

from derl.inputs import shown
from derl.inputs.digests import digest
from derl.ledger.evidence import Evidence, steps
from derl.ledger.registry import Check, Control
from derl.ledger.rows import CheckRow, FormalRow, Malformed, Row, read, row

INDEX, REVIEWED, SOURCES = "kernel.json", "reviewed.csv", "proofs"
# what Coq's real numbers rest on, and the choice operator of mathcomp-analysis that makes them a field of MathComp
ADMISSIBLE = {
    "ClassicalDedekindReals.sig_forall_dec": "a predicate on the natural numbers holds everywhere or fails somewhere",
    "ClassicalDedekindReals.sig_not_dec": "a negation holds or does not",
    "FunctionalExtensionality.functional_extensionality_dep": "functions with equal values are equal",
    "Classical_Prop.classic": "excluded middle",
    "Epsilon.epsilon_statement": "Hilbert's choice operator",
}
SCOPES = ("whole", "core", "refutes", "breaks")
NO_CONTROL = "no near variant is refuted in Coq"
CONTROL = "control: "


@row
class DefinitionRow(Row):
    """A definition that a statement uses: its source, and the comment that says what it models."""

    CALLED = "a definition of"
    source: str
    models: str


@row
class TheoremRow(Row):
    """A theorem as it was recorded.

    Attributes
    ----------
    theorem, file, line : str, str, int
        Its name, and where it stands below the folder of sources.
    claim : str
        Id of the statement that it is about; empty for a tool.
    scope : str
        One of `SCOPES`; empty for a tool.
    omits : str
        What of the claim it does not say; of a tool that is a control, what it shows to be false.
    control : str
        The theorem that says that a near variant is false.
    reading : str
        What it says, in words.
    source, statement : str
        As it is written, and as Coq prints it.
    definitions : dict of DefinitionRow
    axioms : tuple of str
    """

    CALLED = "a theorem of"
    theorem: str
    file: str
    claim: str
    scope: str
    omits: str
    control: str
    reading: str
    line: int
    source: str
    statement: str
    definitions: dict[str, DefinitionRow]
    axioms: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """What a comparison with the claim is kept under."""
        return self.file, self.theorem, self.claim


@row
class SourceRow(Row):
    """A file of sources: its digest, the files that it uses, and what is unfinished in it."""

    CALLED = "the file"
    sha256: str
    uses: tuple[str, ...]
    unfinished: tuple[str, ...]


@row
class IndexRow(Row):
    """The whole of `kernel.json`; `versions` are those of Coq and its libraries."""

    CALLED = INDEX
    versions: dict[str, str]
    files: dict[str, SourceRow]
    theorems: tuple[TheoremRow, ...]


def packed(index: Mapping) -> str:
    """The text of `kernel.json`: one line for each file, each definition and each theorem.

    Parameters
    ----------
    index : mapping
        As `IndexRow`, of plain values. A definition that several theorems use is written once, and they name it.

    Raises
    ------
    Malformed
        Two theorems use different definitions of one name.
    """
    once: dict[str, Mapping] = {}
    for theorem in index["theorems"]:
        for name, said in theorem["definitions"].items():
            if once.setdefault(name, said) != said:
                raise Malformed(f"two theorems use different definitions of {name}")
    parts = {"versions": index["versions"], "files": index["files"], "definitions": dict(sorted(once.items()))}
    lines = [f'"{part}":{{\n' + ",\n".join(f"{_line(name)}:{_line(said)}" for name, said in entries.items()) + "\n}"
             for part, entries in parts.items()]
    told = ",\n".join(_line({**theorem, "definitions": [*theorem["definitions"]]}) for theorem in index["theorems"])
    return "{" + ",\n".join([*lines, f'"theorems":[\n{told}\n]']) + "}\n"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unpacked(text: str) -> dict:
    """The recording in a text of `packed`, with its definitions beside each theorem again.

    Raises
    ------
    Malformed
        The text is no JSON, or no such recording, or a theorem names a definition that is not in it.
    """
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise Malformed(f"{INDEX} is no JSON: {error or 'nested too deeply'}") from None
    if not isinstance(found, dict):
        raise Malformed(f"{INDEX} is {shown(found)}, not an object")
    once, theorems = found.pop("definitions", None), found.get("theorems")
    if not isinstance(once, dict) or not isinstance(theorems, list):
        raise Malformed(f"{INDEX} needs an object `definitions` and a list `theorems`")
    for theorem in theorems:
        names = theorem.get("definitions") if isinstance(theorem, dict) else ()
        if not isinstance(names, list):
            raise Malformed(f"a theorem of {INDEX} has no list of definitions: {shown(theorem)}")
        if missing := [name for name in names if name not in once]:
            raise Malformed(f"the theorem {theorem.get('theorem')} of {INDEX} names the definition {missing[0]}, "
                            "which is not among its definitions")
        theorem["definitions"] = {name: once[name] for name in names}
    return found


def pair_digest(statement: str, theorem: TheoremRow, control: TheoremRow | None = None) -> str:
    """SHA-256 of what has to be compared by eye: the claim, the Coq statement with its definitions, what it omits, and
    the statement of its control with its definitions.

    Parameters
    ----------
    statement : str
        The text of the claim; line breaks do not count.
    theorem : TheoremRow
    control : TheoremRow or None
        The theorem of the index that says that a near variant is false, if there is one.
    """
    return digest([" ".join(statement.split()), *_told(theorem), theorem.scope, theorem.omits,
                   *(_told(control) if control else ())])


def _told(theorem: TheoremRow) -> tuple[str, dict[str, str]]:
    """A statement as Coq prints it, and the sources of the definitions that it uses."""
    return " ".join(theorem.statement.split()), {name: entry.source for name, entry in theorem.definitions.items()}


class Formal:
    """The recorded theorems of a package of claims; empty where it has none.

    Parameters
    ----------
    package : str
        Import name of the package.
    proofs : path or None
        Where the sources lie; by default `proofs/` beside the outermost package, if it is there.
    """

    def __init__(self, package: str, proofs: Path | None = None):
        self.folder = resources.files(package)
        beside = Path(str(self.folder)).resolve().parents[package.count(".")] / SOURCES
        self.proofs = proofs or (beside if (beside / "theorems.csv").is_file() else None)

    @cached_property
    def index(self) -> IndexRow:
        """What was recorded.

        Raises
        ------
        Malformed
            It is no such recording, or a theorem is in a file, or a file uses one, that was not recorded.
        """
        file = self.folder.joinpath(INDEX)
        if not file.is_file():
            return IndexRow(versions={}, files={}, theorems=())
        try:
            found = read(IndexRow, unpacked(file.read_text(encoding="utf-8")))
        except UnicodeDecodeError as error:
            raise Malformed(f"{INDEX} is no JSON: {error}") from None
        named = [(f"the theorem {row.theorem}", row.file) for row in found.theorems]
        named += [(f"the file {name}", other) for name, row in found.files.items() for other in row.uses]
        for what, name in named:
            if name not in found.files:
                raise Malformed(f"{what} of {INDEX} names the file {shown(name)}, which is not among its files")
        return found

    @cached_property
    def reviewed(self) -> dict[tuple[str, str, str], str]:
        """(file, theorem, claim) -> digest of the pair as it was compared.

        Raises
        ------
        Malformed
            The file is no such table.
        """
        file = self.folder.joinpath(REVIEWED)
        if not file.is_file():
            return {}
        try:
            table = csv.DictReader(file.read_text(encoding="utf-8").splitlines(), restval="")
            rows = [*table]
        except (UnicodeDecodeError, csv.Error) as error:
            raise Malformed(f"{REVIEWED}: {error}") from None
        columns = ("file", "theorem", "claim", "digest")
        if missing := [name for name in columns if name not in (table.fieldnames or ())]:
            raise Malformed(f"{REVIEWED} has no column {missing[0]!r}; it needs {', '.join(columns)}")
        return {(row["file"], row["theorem"], row["claim"]): row["digest"] for row in rows}

    def of(self, claim: str) -> list[TheoremRow]:
        """The theorems about a claim, those that say the whole of it first."""
        return sorted((theorem for theorem in self.index.theorems if theorem.claim == claim),
                      key=lambda theorem: theorem.scope == "core")

    def control(self, theorem: TheoremRow) -> TheoremRow | None:
        """The theorem that says that a near variant is false; for a refutation, the one that is true instead."""
        return next((other for other in self.index.theorems if theorem.control
                     and other.theorem == theorem.control and other is not theorem), None)

    def closure(self, theorem: TheoremRow) -> list[str]:
        """The files that a theorem depends on, its own first."""
        return [theorem.file, *self.index.files[theorem.file].uses]

    def digest(self, theorem: TheoremRow) -> str:
        """SHA-256 of the recorded digests of all files that a theorem depends on."""
        return digest("".join(self.index.files[name].sha256 for name in self.closure(theorem)).encode())

    def changed(self, theorem: TheoremRow) -> list[str]:
        """The files below a theorem that are not those that were recorded; none where there are no sources."""
        if self.proofs is None:
            return []
        return [name for name in self.closure(theorem) if not (self.proofs / name).is_file() or
                digest((self.proofs / name).read_bytes()) != self.index.files[name].sha256]

    def unfinished(self, theorem: TheoremRow) -> list[str]:
        """What the recorder found unfinished in these files."""
        return [f"{name}: {word}" for name in self.closure(theorem) for word in self.index.files[name].unfinished]

    def sound(self, theorem: TheoremRow, axioms: Iterable[str] | None = None) -> list[tuple[str, bool]]:
        """What has to hold before anything counts as checked by Coq's kernel, as named steps."""
        rests = theorem.axioms if axioms is None else axioms
        return [("Coq has accepted it, and nothing in its files is unfinished", not self.unfinished(theorem)),
                ("the recording is of the sources", not self.changed(theorem)),
                ("its axioms are on the fixed list", set(rests) <= ADMISSIBLE.keys())]

    def whole(self, theorem: TheoremRow) -> bool:
        """Whether a theorem may give the word: it says the whole claim, and it has a control."""
        return theorem.scope == "whole" and self.control(theorem) is not None


def checks(formal: Formal, statements: Mapping) -> list[Check]:
    """One check for every pair of theorem and claim.

    Parameters
    ----------
    statements : mapping
        id -> statement of claims.yml; a claim that is not in it is left for the registry to refuse.
    """
    return [_check(formal, theorem, statements) for theorem in formal.index.theorems if theorem.claim]


def _check(formal: Formal, theorem: TheoremRow, statements: Mapping) -> Check:
    control, whole = formal.control(theorem), formal.whole(theorem)
    refutes, breaks = theorem.scope == "refutes", theorem.scope == "breaks"
    told = statements[theorem.claim].statement if theorem.claim in statements else ""
    rests = f"axioms: {', '.join(theorem.axioms)}" if theorem.axioms else "no axiom"
    coq = formal.index.versions.get("coq", "")

    def function(near: bool = False, statement: str = theorem.statement,
                 axioms: tuple = theorem.axioms) -> Evidence:
        asked = replace(theorem, statement=statement)
        against = near and control is not None and all(truth for _, truth in formal.sound(control))
        return steps([
            *formal.sound(theorem, axioms),
            ("statement, definitions and control are those that were compared with the claim",
             formal.reviewed.get(theorem.key) == pair_digest(told, asked, control)),
            ("no recorded theorem says the contrary", not against),
        ], f"`{theorem.theorem}`, Coq {coq}, {rests}", _trouble(formal, theorem))

    function.__name__ = function.__qualname__ = f"kernel_{theorem.theorem}"
    function.__doc__ = theorem.reading or theorem.omits
    gap = theorem.omits or ("none" if whole or refutes or breaks else NO_CONTROL)
    covers = "everything" if whole or refutes or breaks else theorem.reading or f"what `{theorem.theorem}` says"
    planted = [Control("one hypothesis more than was compared with the claim",
                       {"statement": f"forall unread : bool, unread -> {theorem.statement}"}),
               Control("a lemma below that ends in Admitted", {"axioms": (*theorem.axioms, "admitted_lemma")})]
    if control:
        plants = control.omits.removeprefix(CONTROL) or control.reading or control.theorem
        planted.insert(0, Control(f"{plants} (`{control.theorem}`)", {"near": True}, "corrected" if refutes else ""))
    found = FormalRow(theorem=theorem.theorem, file=f"{SOURCES}/{theorem.file}", line=theorem.line,
                      digest=formal.digest(theorem), omits=gap, axioms=theorem.axioms,
                      scope="core" if theorem.scope == "whole" and not whole else theorem.scope,
                      control=control.theorem if control else "")
    return Check(theorem.claim, function, "kernel", "exact", covers, gap, "quick", refutes, breaks, None,
                 f"checked in Coq: `{theorem.theorem}`", planted, found)


def _trouble(formal: Formal, theorem: TheoremRow) -> str:
    """What a referee has to know when a step fails."""
    return "; ".join([*formal.unfinished(theorem), *(f"{name} has changed" for name in formal.changed(theorem))])


def word(rows: Iterable[CheckRow]) -> str:
    """How much of a statement Coq has checked, in words; "" where no check of method `kernel` passes.

    Parameters
    ----------
    rows : iterable of CheckRow
        The checks of one statement.
    """
    scopes = {row.formal.scope for row in rows if row.method == "kernel" and row.passes}
    for scope, said in (("whole", "machine-checked"), ("refutes", "refutation machine-checked"),
                        ("breaks", "failure of the proof machine-checked"), ("core", "core machine-checked")):
        if scope in scopes:
            return said
    return ""
