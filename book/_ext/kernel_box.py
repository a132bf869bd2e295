"""The box "Checked in Coq" of a statement, and the page that puts claims beside what Coq says.

Everything comes from the recordings, so the book builds without Coq. Nothing here decides anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from check_boxes import Address, linked, outside, waiting
from claim_cards import Inline, badge, called, counted, details, facts, listed, summary, text
from docutils import nodes
from docutils.statemachine import StringList
from ledger_pages import FromLedger, table

from derl.ledger.kernel import ADMISSIBLE, DefinitionRow, Formal, TheoremRow
from derl.ledger.rows import StatementRow

SCOPE = {"whole": "says the whole claim", "core": "says a part of the claim", "refutes": "refutes the printed claim",
         "breaks": "refutes a step of the printed proof"}

TRUST = ("A proof that Coq's kernel accepts is as trustworthy as Coq with its virtual machine, MathComp, and the "
         "axioms named here. The independent checker coqchk reads our compiled files again, but not MathComp's, and "
         "not the two files of certificates that the virtual machine decides.")


def kernel_box(formal: Formal, claim: str, row: StatementRow, inline: Inline, address: Address) -> list[nodes.Node]:
    """A box, closed at first, with all theorems about a claim; nothing where there is none.

    Parameters
    ----------
    formal : Formal
        The recordings of the paper.
    claim : str
        Id of the statement.
    row : StatementRow
    address : callable
        File and line -> where they can be read.
    """
    entries = [check for check in row.checks if check.method == "kernel"]
    if not entries:
        return []
    passed = [check.formal.theorem for check in entries if check.passes]
    word = row.kernel or "no theorem passes"
    box = details("", summary("", f"Checked in Coq: {word}, {counted(len(entries), 'theorem')}"),
                  classes=["claim-kernel"])
    for theorem in formal.of(claim):
        box += theorem_box(formal, theorem, theorem.theorem in passed, inline, address)
    box += nodes.paragraph("", TRUST, classes=["kernel-trust"])
    return [box]


def theorem_box(formal: Formal, row: TheoremRow, passed: bool, inline: Inline, address: Address) -> nodes.container:
    """One theorem: reading, statement, definitions, axioms, what it omits, its control, its proof."""
    box = nodes.container(classes=["kernel-theorem"])
    says = SCOPE[row.scope] + ("" if passed else "; NOT ACCEPTED, see the check")
    box += nodes.paragraph("", "", nodes.strong("", "", nodes.literal("", row.theorem)), *text(f" {says}"))
    if row.reading:
        box += nodes.paragraph("", "", *inline(row.reading))
    box += code(row.statement)
    if row.definitions:
        box += definitions(row.definitions)
    place = nodes.literal("", f"proofs/{row.file}:{row.line}")
    link = address(f"proofs/{row.file}", row.line)
    entries = [("Axioms", axioms(row)),
               ("Omits", inline(row.omits) if row.omits else text("nothing")),
               ("Source", [linked(place, link) if outside(link) else place])]
    box += facts(entries, "facts-kernel")
    control = formal.control(row)
    if control:
        inner = details("", summary("", "What is true instead" if row.scope in ("refutes", "breaks") else
                                    "The false variant that Coq refutes"))
        inner += nodes.paragraph("", "", nodes.literal("", control.theorem),
                                 *text(": "), *inline(control.omits.removeprefix("control: ") or control.reading))
        inner += code(control.statement)
        box += inner
    box += proof(formal, row)
    return box


def axioms(row: TheoremRow) -> list[nodes.Node]:
    """The axioms by their names, each with what it says."""
    if not row.axioms:
        return text("none")
    return listed([[nodes.abbreviation("", name.rpartition(".")[2], explanation=ADMISSIBLE.get(name, "NOT ADMITTED"))]
                   for name in row.axioms])


def definitions(found: Mapping[str, DefinitionRow]) -> details:
    """The definitions that the statement stands on, in the end, with the comments that say what they model."""
    box = details("", summary("", f"Its words: {counted(len(found), 'definition')}"))
    box += waiting("", code("\n".join((f"(* {entry.models} *)\n" if entry.models else "") + entry.source
                                      for entry in found.values())))
    return box


def code(said: str, language: str = "coq") -> nodes.literal_block:
    return nodes.literal_block(said, said, language=language, classes=["kernel-code"])


@cache
def recorded(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def proof(formal: Formal, row: TheoremRow) -> nodes.Element:
    """The proof sentence by sentence; each that changes the goals opens on a click."""
    if formal.proofs is None:
        return nodes.paragraph("", "The recorded goals lie in the repository.")
    name = row.file.removesuffix(".v").replace("/", "-") + ".json"
    body = recorded(formal.proofs / "recorded" / name)
    steps = body["theorems"][row.theorem]["proof"][1:]
    box = details("", summary("", f"The proof, {counted(len(steps), 'sentence')}, with the goals after each"),
                  classes=["kernel-proof"])
    inside = waiting()
    box += inside
    for said, goals in joined(steps):
        if goals is None:
            inside += nodes.paragraph("", "", nodes.literal("", said), classes=["kernel-sentence"])
            continue
        step = details("", summary("", "", nodes.literal("", said)), classes=["kernel-sentence"])
        step += code(after(goals, body["texts"]), "none")
        inside += step
    return box


def joined(steps: list) -> list[tuple[str, list | None]]:
    """Bullets and braces stand before the sentence that they open."""
    found, before = [], ""
    for said, goals in steps:
        if goals is None and said.strip("-+*{}") == "":
            before += f"{said} "
            continue
        found.append((before + said, goals))
        before = ""
    return [*found, (before.strip(), None)] if before else found


def after(goals: list[list[int]], texts: list[str]) -> str:
    """The goals for the eye: the first with its hypotheses, then the others."""
    if not goals:
        return "no goal left"
    first = [texts[i] for i in goals[0]]
    others = [f"then: {texts[goal[-1]]}" for goal in goals[1:]]
    return "\n".join([*first[:-1], "─" * 24, first[-1], *others])


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
        lines = [("no axiom", "everything without a root or a logarithm", [r for r in rows if not r.axioms])]
        lines += [(name, says, [r for r in rows if name in r.axioms]) for name, says in ADMISSIBLE.items()]
        return table(["Axiom", "What it says", "Theorems"], [
            [[nodes.literal("", name)] if "." in name else text(name), text(says),
             text(str(len({row.theorem for row in found})))] for name, says, found in lines], "formal-axioms")

    def entry(self, claim: str, theorems: list[TheoremRow], row: StatementRow) -> details:
        """One line that opens: name, title, verdict and what Coq has read of it; inside, the two texts."""
        statement = self.domain.statements[claim]
        scopes = ", ".join(dict.fromkeys(SCOPE[theorem.scope].removeprefix("says ") for theorem in theorems))
        line = summary("", "", nodes.strong("", "", *self.inline(called(statement))), *text(" "))
        if not statement.own:
            line += nodes.inline("", "", *self.inline(statement.title), classes=["claim-name"])
        line += [*text(" "), badge(row.verdict),
                 nodes.inline("", f" {counted(len(theorems), 'theorem')}: {scopes}", classes=["how"])]
        return details("", line, self.pair(claim, theorems), ids=[f"formal-{claim}"], classes=["formal-entry"])

    def pair(self, claim: str, theorems: list[TheoremRow]) -> nodes.container:
        """The claim on the left; on the right the Coq statements, and once the definitions that they stand on."""
        statement = self.domain.statements[claim]
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
            right += definitions(said)
        return nodes.container("", left, right, classes=["formal-pair"])
