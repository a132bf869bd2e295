"""What Coq has checked: recorded statements, their axioms, and checks of method `kernel`.

A check here does not run Coq. It holds if the recording (`derl.ledger.recordings`) is of the sources that lie beside
the package (where they do), if nothing in them is unfinished, and if the axioms are on the list below. It is stale
where the two statements are not those that somebody has compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from derl.exact.base import digest, of_file
from derl.judge.evidence import Evidence, Stale, steps
from derl.judge.registry import Check, Control
from derl.judge.rows import FormalRow, Row, row

INDEX, SOURCES = "kernel.json", "proofs"
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
    """The recorded theorems of a package of claims.

    Attributes
    ----------
    index : IndexRow
        What was recorded.
    reviewed : dict
        (file, theorem, claim) -> digest of the pair as it was compared.
    proofs : path or None
        Where the sources lie, if they are there.
    """

    index: IndexRow
    reviewed: dict[tuple[str, str, str], str]
    proofs: Path | None

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
                of_file(self.proofs / name) != self.index.files[name].sha256]

    def unfinished(self, theorem: TheoremRow) -> list[str]:
        """What the recorder found unfinished in these files."""
        return [f"{name}: {word}" for name in self.closure(theorem) for word in self.index.files[name].unfinished]

    def sound(self, theorem: TheoremRow) -> list[tuple[str, bool]]:
        """What has to hold before anything counts as checked by Coq's kernel, as named steps."""
        return [("Coq has accepted it, and nothing in its files is unfinished", not self.unfinished(theorem)),
                ("the recording is of the sources", not self.changed(theorem)),
                ("its axioms are on the fixed list", set(theorem.axioms) <= ADMISSIBLE.keys())]

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

    def function(near: bool = False) -> Evidence:
        sound = formal.sound(theorem)
        if all(truth for _, truth in sound) and formal.reviewed.get(theorem.key) != pair_digest(told, theorem, control):
            raise Stale(f"the statement and the Coq theorem `{theorem.theorem}` are not those that were last compared")
        against = near and control is not None and all(truth for _, truth in formal.sound(control))
        return steps([
            *sound, ("no recorded theorem says the contrary", not against),
        ], f"`{theorem.theorem}`, Coq {coq}, {rests}", _trouble(formal, theorem))

    function.__name__ = function.__qualname__ = f"kernel_{theorem.theorem}"
    function.__doc__ = theorem.reading or theorem.omits
    gap = theorem.omits or ("none" if whole or refutes or breaks else NO_CONTROL)
    covers = "everything" if whole or refutes or breaks else theorem.reading or f"what `{theorem.theorem}` says"
    planted = []
    if control:
        plants = control.omits.removeprefix(CONTROL) or control.reading or control.theorem
        planted = [Control(f"{plants} (`{control.theorem}`)", {"near": True}, "corrected" if refutes else "")]
    found = FormalRow(theorem=theorem.theorem, file=f"{SOURCES}/{theorem.file}", line=theorem.line,
                      digest=formal.digest(theorem), omits=gap, axioms=theorem.axioms,
                      scope="core" if theorem.scope == "whole" and not whole else theorem.scope,
                      control=control.theorem if control else "")
    return Check(theorem.claim, function, "kernel", "exact", covers, gap, "quick", refutes, breaks, None,
                 f"checked in Coq: `{theorem.theorem}`", planted, found)


def _trouble(formal: Formal, theorem: TheoremRow) -> str:
    """What a referee has to know when a step fails."""
    return "; ".join([*formal.unfinished(theorem), *(f"{name} has changed" for name in formal.changed(theorem))])
