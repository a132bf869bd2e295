"""What a proof assistant's kernel has read: recorded statements, their axioms, and checks of method `kernel`.

A package of claims may hold `kernel.json`, which `proofs/record.py` writes from what Coq says, and `reviewed.csv`: for
every pair of theorem and claim the digest of the two statements as somebody compared them. A check here does not run
Coq. It holds if the recording is of the sources that lie beside the package (where they do), if nothing in them is
unfinished, if the axioms are on the list below, and if both statements are those that were compared.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path

from derl.ledger.evidence import Evidence, steps
from derl.ledger.registry import Check, Control

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


def pair_digest(statement: str, row: Mapping, control: Mapping | None = None) -> str:
    """SHA-256 of what has to be compared by eye: the claim, the Coq statement with its definitions, what it omits, and
    the statement of its control with its definitions.

    Parameters
    ----------
    statement : str
        The text of the claim; line breaks do not count.
    row : mapping
        A theorem of the index.
    control : mapping or None
        The theorem of the index that says that a near variant is false, if the row has one.
    """
    body = [" ".join(statement.split()), *_told(row), row["scope"], row["omits"], *(_told(control) if control else ())]
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _told(row: Mapping) -> tuple[str, dict[str, str]]:
    """A statement as Coq prints it, and the sources of the definitions that it stands on."""
    return " ".join(row["statement"].split()), {name: entry["source"] for name, entry in row["definitions"].items()}


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
    def index(self) -> dict:
        file = self.folder.joinpath(INDEX)
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else \
            {"versions": {}, "files": {}, "theorems": []}

    @cached_property
    def reviewed(self) -> dict[tuple[str, str, str], str]:
        """(file, theorem, claim) -> digest of the pair as it was compared."""
        file = self.folder.joinpath(REVIEWED)
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        return {(row["file"], row["theorem"], row["claim"]): row["digest"] for row in csv.DictReader(lines)}

    def of(self, claim: str) -> list[dict]:
        """The theorems about a claim, those that say the whole of it first."""
        return sorted((row for row in self.index["theorems"] if row["claim"] == claim),
                      key=lambda row: row["scope"] == "core")

    def control(self, row: Mapping) -> dict | None:
        """The theorem that says that a near variant is false; for a refutation, the one that is true instead."""
        return next((other for other in self.index["theorems"] if row["control"]
                     and other["theorem"] == row["control"] and other is not row), None)

    def closure(self, row: Mapping) -> list[str]:
        """The files that a theorem depends on, its own first."""
        return [row["file"], *self.index["files"][row["file"]]["uses"]]

    def digest(self, row: Mapping) -> str:
        """SHA-256 of the recorded digests of all files that a theorem depends on."""
        files = self.index["files"]
        return hashlib.sha256("".join(files[name]["sha256"] for name in self.closure(row)).encode()).hexdigest()

    def changed(self, row: Mapping) -> list[str]:
        """The files below a theorem that are not those that were recorded; none where there are no sources."""
        if self.proofs is None:
            return []
        return [name for name in self.closure(row) if not (self.proofs / name).is_file() or
                hashlib.sha256((self.proofs / name).read_bytes()).hexdigest() != self.index["files"][name]["sha256"]]

    def unfinished(self, row: Mapping) -> list[str]:
        """What the recorder found unfinished in these files."""
        return [f"{name}: {word}" for name in self.closure(row) for word in self.index["files"][name]["unfinished"]]

    def sound(self, row: Mapping, axioms: Iterable[str] | None = None) -> list[tuple[str, bool]]:
        """What has to hold before anything counts as read by the kernel, as named steps."""
        rests = row["axioms"] if axioms is None else axioms
        return [("Coq has accepted it, and nothing in its files is unfinished", not self.unfinished(row)),
                ("the recording is of the sources", not self.changed(row)),
                ("its axioms are on the fixed list", set(rests) <= ADMISSIBLE.keys())]

    def whole(self, row: Mapping) -> bool:
        """Whether a row may give the word: it says the whole claim, and a control stands beside it."""
        return row["scope"] == "whole" and self.control(row) is not None


def checks(formal: Formal, statements: Mapping) -> list[Check]:
    """One check for every pair of theorem and claim.

    Parameters
    ----------
    statements : mapping
        id -> statement of claims.yml; a claim that is not in it is left for the registry to refuse.
    """
    return [_check(formal, row, statements) for row in formal.index["theorems"] if row["claim"]]


def _check(formal: Formal, row: dict, statements: Mapping) -> Check:
    key = row["file"], row["theorem"], row["claim"]
    control, whole = formal.control(row), formal.whole(row)
    refutes, breaks = row["scope"] == "refutes", row["scope"] == "breaks"
    told = statements[row["claim"]].statement if row["claim"] in statements else ""
    rests = f"axioms: {', '.join(row['axioms'])}" if row["axioms"] else "no axiom"
    coq = formal.index["versions"].get("coq", "")

    def function(near: bool = False, statement: str = row["statement"],
                 axioms: tuple = tuple(row["axioms"])) -> Evidence:
        asked = row | {"statement": statement}
        against = near and control is not None and all(truth for _, truth in formal.sound(control))
        return steps([
            *formal.sound(row, axioms),
            ("statement, definitions and control are those that were compared with the claim",
             formal.reviewed.get(key) == pair_digest(told, asked, control)),
            ("no recorded theorem says the contrary", not against),
        ], f"`{row['theorem']}`, Coq {coq}, {rests}", _trouble(formal, row))

    function.__name__ = function.__qualname__ = f"kernel_{row['theorem']}"
    function.__doc__ = row["reading"] or row["omits"]
    gap = row["omits"] or ("none" if whole or refutes or breaks else NO_CONTROL)
    covers = "everything" if whole or refutes or breaks else row["reading"] or f"what `{row['theorem']}` says"
    planted = [Control("one hypothesis more than was compared with the claim",
                       {"statement": f"forall unread : bool, unread -> {row['statement']}"}),
               Control("a lemma below that ends in Admitted", {"axioms": (*row["axioms"], "admitted_lemma")})]
    if control:
        plants = control["omits"].removeprefix(CONTROL) or control["reading"] or control["theorem"]
        planted.insert(0, Control(f"{plants} (`{control['theorem']}`)", {"near": True},
                                  "corrected" if refutes else ""))
    return Check(row["claim"], function, "kernel", "exact", covers, gap, "quick", refutes, breaks, None,
                 f"read by a kernel: `{row['theorem']}`", planted, {
        "theorem": row["theorem"], "file": f"{SOURCES}/{row['file']}", "line": row["line"],
        "digest": formal.digest(row), "scope": "core" if row["scope"] == "whole" and not whole else row["scope"],
        "omits": gap, "axioms": row["axioms"], "control": control["theorem"] if control else ""})


def _trouble(formal: Formal, row: Mapping) -> str:
    """What a referee has to know when a step fails."""
    return "; ".join([*formal.unfinished(row), *(f"{name} has changed" for name in formal.changed(row))])


def word(rows: Iterable[Mapping]) -> str:
    """How the checks of a statement say that a kernel has read it; "" where none of method kernel passes.

    Parameters
    ----------
    rows : iterable of mapping
        The checks of one statement in the ledger.
    """
    scopes = {row["formal"]["scope"] for row in rows if row["method"] == "kernel" and row["outcome"] == "pass"}
    for scope, said in (("whole", "machine-checked"), ("refutes", "refutation machine-checked"),
                        ("breaks", "failure of the proof machine-checked"), ("core", "core machine-checked")):
        if scope in scopes:
            return said
    return ""
