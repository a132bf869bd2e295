"""The page of errata, written from claims.yml and the ledger."""

from __future__ import annotations

from check_boxes import facts, listed, text
from docutils import nodes
from ledger_pages import FromLedger

from derl.ledger import errata


class Errata(FromLedger):
    """Every erratum: where, printed, true, class, what it affects, and the checks that tell printed from corrected."""

    def shown(self):
        paper, rows = self.domain.paper, self.domain.ledger.claims
        content = []
        for erratum in errata.errata(paper, rows):
            statement = paper.statements[erratum.id]
            block = nodes.container(classes=["claim", "erratum"])
            block += nodes.paragraph("", "", *self.inline(f"{{claim}}`{erratum.id}`"),
                                     *text(": "), *self.inline(statement.title),
                                     classes=["claim-title"])
            block += facts([
                ("Where", text(paper.place(statement))), ("Class", text(erratum.kind)),
                ("Printed", self.inline(erratum.printed)), ("Correct", self.inline(erratum.corrected)),
                *([("Corrected statement", self.links([erratum.repair]))] if erratum.repair else []),
                ("Rests on it", self.links(erratum.affects) or text("nothing")),
                ("Fails on the printed form", text(", ".join(erratum.fails_on_printed))),
                ("Passes on the corrected form", text(", ".join(erratum.passes_on_corrected))),
            ], "facts-erratum")
            content.append(block)
        return content or [nodes.paragraph("", "None.")]

    def links(self, keys):
        return listed([self.inline(f"{{claim}}`{key}`") for key in keys])
