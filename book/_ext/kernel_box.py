"""The box "Checked in Coq" of a statement, and the page that puts claims beside what Coq says.

Coq text stands on that page and on the pages of the Coq files (`code_pages`) only; a box says what a theorem means, and
leads there. Everything comes from the recordings, so the book builds without Coq. Nothing here decides anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from check_boxes import linked, waiting
from claim_cards import Inline, badge, called, counted, details, facts, listed, summary, text
from docutils import nodes
from docutils.statemachine import StringList
from ledger_pages import FromLedger, table

from derl.judge.kernel import ADMISSIBLE, DefinitionRow, Formal, TheoremRow
from derl.ledger.rows import StatementRow

SCOPE = {"whole": "says the whole claim", "core": "says a part of the claim", "refutes": "refutes the printed claim",
         "breaks": "refutes a step of the printed proof"}


def kernel_box(formal: Formal, claim: str, row: StatementRow, inline: Inline, docname: str) -> list[nodes.Node]:
    """A box, closed at first, with all theorems about a claim; nothing where there is none.

    Parameters
    ----------
    formal : Formal
        The recordings of the paper.
    claim : str
        Id of the statement.
    row : StatementRow
    inline : callable
        Text with maths and roles -> nodes.
    docname : str
        The page that shows the box.
    """
    entries = [check for check in row.checks if check.method == "kernel"]
    if not entries:
        return []
    passed = [check.formal.theorem for check in entries if check.passes]
    word = row.kernel or "no theorem passes"
    box = details("", summary("", f"Checked in Coq: {word}, {counted(len(entries), 'theorem')}"),
                  classes=["claim-kernel"])
    for theorem in formal.of(claim):
        box += theorem_box(formal, theorem, theorem.theorem in passed, inline, docname)
    return [box]


def theorem_box(formal: Formal, row: TheoremRow, passed: bool, inline: Inline, docname: str) -> nodes.container:
    """One theorem: what it says in words, its axioms, what it omits, its control, and where Coq's text stands."""
    box = nodes.container(classes=["kernel-theorem"])
    says = SCOPE[row.scope] + ("" if passed else "; NOT ACCEPTED, see the check")
    box += nodes.paragraph("", "", nodes.strong("", "", nodes.literal("", row.theorem)), *text(f" {says}"))
    if row.reading:
        box += nodes.paragraph("", "", *inline(row.reading))
    entries = [("Statement and proof", [source(formal, row, docname)]),
               ("Axioms", axioms(row)),
               ("Omits", inline(row.omits) if row.omits else text("nothing"))]
    control = formal.control(row)
    if control:
        entries.append(("True instead" if row.scope in ("refutes", "breaks") else "Refuted near it", [
            *inline(control.omits.removeprefix("control: ") or control.reading), *text(" ("),
            source(formal, control, docname, control.theorem), *text(")")]))
    box += facts(entries, "facts-kernel")
    return box


def coq_page(formal: Formal, file: str, line: int, docname: str) -> str:
    """Where a line of a Coq file can be read, with the goals of its proofs; empty where the book has no such page."""
    if formal.proofs is None or not (formal.proofs / file).is_file():
        return ""
    page = PurePosixPath("_static/code/proofs", file).with_suffix(".html")
    return f"{'../' * docname.count('/')}{page}#L{line}"


def source(formal: Formal, row: TheoremRow, docname: str, name: str = "") -> nodes.Node:
    """The place of a theorem, or its name, as a link to the page of its Coq file."""
    place = nodes.literal("", name or f"proofs/{row.file}:{row.line}")
    address = coq_page(formal, row.file, row.line, docname)
    return linked(place, address) if address else place


def axioms(row: TheoremRow) -> list[nodes.Node]:
    """The axioms by their names, each with what it says."""
    if not row.axioms:
        return text("none")
    return listed([[nodes.abbreviation("", name.rpartition(".")[2], explanation=ADMISSIBLE.get(name, "NOT ADMITTED"))]
                   for name in row.axioms])


def definitions(formal: Formal, found: Mapping[str, DefinitionRow], docname: str) -> nodes.paragraph:
    """The names of the definitions that a statement stands on in the end, each a link to its Coq text."""
    names = [[definition(formal, key, entry, docname)] for key, entry in found.items()]
    return nodes.paragraph("", "", *text("Its words: "), *listed(names), *text("."), classes=["formal-words"])


def definition(formal: Formal, key: str, entry: DefinitionRow, docname: str) -> nodes.Node:
    """The name of a definition; a link where its file is known."""
    _, *folders, name = key.split(".")
    shown, file = nodes.inline("", name), "/".join(folders) + ".v"
    line = defined_at(formal.proofs / file, entry.source) if coq_page(formal, file, 1, docname) else 0
    return linked(shown, coq_page(formal, file, line, docname)) if line else shown


@cache
def defined_at(file: Path, definition: str) -> int:
    """The line of a Coq file on which a definition begins; 0 where the file has it not, word for word."""
    source = file.read_text(encoding="utf-8")
    found = re.search(r"\s+".join(map(re.escape, definition.split())), source)
    return source.count("\n", 0, found.start()) + 1 if found else 0


def code(said: str, language: str = "text") -> nodes.literal_block:
    return nodes.literal_block(said, said, language=language, classes=["kernel-code"])


class FormalStatements(FromLedger):
    """Counts, axioms, and a box for each chapter: for every theorem the claim, what Coq says, and the reading."""

    def shown(self):
        formal, ledger = self.domain.paper.formal, self.domain.ledger.claims
        rows = [row for row in formal.index.theorems if row.claim in ledger]
        content = [self.counts(formal, rows, ledger), self.axioms(rows)]
        for chapter in dict.fromkeys(self.domain.statements[row.claim].chapter for row in rows):
            here = [row for row in rows if self.domain.statements[row.claim].chapter == chapter]
            section = nodes.section("", nodes.title("", chapter.replace("_", " ").capitalize()),
                                    ids=[f"formal-{chapter.replace('_', '-')}"], names=[])
            claims = dict.fromkeys(row.claim for row in here)
            line = summary("", f"{counted(len(claims), 'claim')}, {counted(len(here), 'theorem')}")
            section += details("", line, *[self.entry(claim, formal.of(claim), ledger[claim]) for claim in claims],
                               classes=["formal-chapter"])
            content.append(section)
        return content

    def counts(self, formal, rows, ledger) -> nodes.table:
        def claims(word):
            return str(sum(row.kernel == word for row in ledger.values()))
        tools = [row for row in formal.index.theorems if not row.claim]
        controls = [row for row in tools if row.omits.startswith("control:")]
        lines = [("statements machine-checked as a whole", claims("machine-checked")),
                 ("printed statements whose refutation is machine-checked", claims("refutation machine-checked")),
                 ("printed proofs whose failure is machine-checked", claims("failure of the proof machine-checked")),
                 ("statements with a machine-checked core", claims("core machine-checked")),
                 ("theorems about statements", str(len({row.theorem for row in rows}))),
                 ("controls: false variants that Coq refutes", str(len(controls))),
                 ("files; admitted steps in them", f"{len(formal.index.files)}; " + str(sum(
                     len(entry.unfinished) for entry in formal.index.files.values()))),
                 ("read by", ", ".join(f"{name} {version}" for name, version in formal.index.versions.items()))]
        return table(["What", "How many"], [[text(a), text(b)] for a, b in lines], "formal-counts")

    def axioms(self, rows) -> nodes.table:
        lines = [("no axiom", "the kernel's rules alone", [r for r in rows if not r.axioms])]
        lines += [(name, says, [r for r in rows if name in r.axioms]) for name, says in ADMISSIBLE.items()]
        return table(["Axiom", "What it says", "Theorems"], [
            [[nodes.literal("", name)] if "." in name else text(name), text(says),
             text(str(len({row.theorem for row in found})))] for name, says, found in lines], "formal-axioms")

    def entry(self, claim: str, theorems: list[TheoremRow], row: StatementRow) -> details:
        """One line that opens: name, title, verdict and what Coq has read of it; inside, the two texts."""
        statement = self.domain.statements[claim]
        scopes = ", ".join(dict.fromkeys(SCOPE[theorem.scope].removeprefix("says ") for theorem in theorems))
        line = summary("", "", nodes.strong("", "", *self.inline(called(statement))), *text(" "))
        if statement.number:
            line += nodes.inline("", "", *self.inline(statement.title), classes=["claim-name"])
        line += [*text(" "), badge(row.verdict),
                 nodes.inline("", f" {counted(len(theorems), 'theorem')}: {scopes}", classes=["how"])]
        return details("", line, self.pair(claim, theorems), ids=[f"formal-{claim}"], classes=["formal-entry"])

    def pair(self, claim: str, theorems: list[TheoremRow]) -> nodes.container:
        """The claim on the left; on the right the Coq statements, and the names of their definitions."""
        statement, formal = self.domain.statements[claim], self.domain.paper.formal
        left = nodes.container("", nodes.paragraph("", "", *self.inline(f"{{claim}}`{claim}`")),
                               classes=["formal-claim"])
        self.state.nested_parse(StringList(statement.statement.splitlines(), source="claims.yml"), 0, left)
        right = nodes.container(classes=["formal-coq"])
        for row in theorems:
            right += nodes.paragraph("", "", nodes.literal("", row.theorem), *text(f" {SCOPE[row.scope]}. "),
                                     *self.inline(row.reading))
            right += waiting("", code(row.statement))
            if row.omits:
                right += nodes.paragraph("", "", nodes.emphasis("", "Omits: "), *self.inline(row.omits))
        said = {key: entry for row in theorems for key, entry in row.definitions.items()}
        if said:
            right += definitions(formal, said, self.env.docname)
        return nodes.container("", left, right, classes=["formal-pair"])
