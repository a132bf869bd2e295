"""The page of errata, written from claims.yml and the ledger: the gravest first, one line each, which opens."""

from __future__ import annotations

from check_boxes import details, facts, listed, summary, text
from check_words import counted
from docutils import nodes
from ledger_pages import FromLedger, chapter_of, filterable, traits_of

from derl.ledger import errata

MEANING = {"headline false": "Theorems, lemmas and algorithms that are false as stated",
           "false as stated": "Formulas and sentences that are false as stated",
           "proof fails": "The printed deduction fails; the statement is true, or open",
           "constant": "Another constant or exponent", "slip": "Slips"}
SHORT = {"headline false": "false as stated"}


class Errata(FromLedger):
    """Every erratum: where, printed, true, class, what it affects, and the checks that tell printed from corrected."""

    def shown(self):
        paper, rows = self.domain.paper, self.domain.ledger.claims
        known = errata.errata(paper, rows)
        groups = []
        for severity in errata.SEVERITIES:
            found = [erratum for erratum in known if erratum.severity == severity]
            if found:
                head = f"{MEANING[severity]}: {len(found)}"
                groups.append(nodes.container("", nodes.rubric("", head), *map(self.block, found),
                                              classes=["filter-group"]))
        lead = nodes.paragraph("", f"{counted(len(known), 'erratum').replace('erratums', 'errata')}.")
        return [lead, *filterable(*groups)] if known else [nodes.paragraph("", "None.")]

    def block(self, erratum) -> details:
        """One line with severity, statement and title; opened, both forms and the checks."""
        paper, statement = self.domain.paper, self.domain.statements[erratum.id]
        word = SHORT.get(erratum.severity, erratum.severity)
        slug = word.replace(" ", "-")
        line = summary("", "", nodes.inline("", word, classes=["severity", f"severity-{slug}"]), nodes.Text(" "),
                       nodes.strong("", statement.name), nodes.Text(": "), *self.inline(statement.title))
        verdict = self.domain.ledger.claims[erratum.id]["verdict"]
        traits = traits_of(severity=word, verdict=verdict, kind=statement.kind, chapter=chapter_of(statement.page))
        box = details("", line, classes=["erratum", *traits])
        box += facts([
            ("Statement", self.links([erratum.id])),
            ("Where", text(paper.place(statement))), ("Class", text(erratum.kind)),
            ("Printed", self.inline(erratum.printed)), ("Correct", self.inline(erratum.corrected)),
            *([("Corrected statement", self.links([erratum.repair]))] if erratum.repair else []),
            ("Rests on it", self.links(erratum.affects) or text("nothing")),
            ("Fails on the printed form", text(", ".join(erratum.fails_on_printed))),
            ("Passes on the corrected form", text(", ".join(erratum.passes_on_corrected))),
        ], "facts-erratum")
        return box

    def links(self, keys):
        return listed([self.inline(f"{{claim}}`{key}`") for key in keys])
