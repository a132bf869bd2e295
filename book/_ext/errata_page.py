"""The page of errata, written from claims.yml and the ledger: cause by cause, the gravest first, one line for each."""

from __future__ import annotations

from collections import Counter

from check_boxes import details, facts, listed, summary, text
from check_words import counted
from docutils import nodes
from ledger_pages import FromLedger, chapter_of, filterable, table, traits_of

from derl.ledger import errata
from derl.ledger.erratum import CLASS_MEANS, CLASSES


class Errata(FromLedger):
    """Every erratum under its cause: where, printed, read charitably, true, how much, what becomes of the result."""

    def shown(self):
        paper, rows = self.domain.paper, self.domain.ledger.claims
        known = errata.errata(paper, rows)
        if not known:
            return [nodes.paragraph("", "None.")]
        causes = errata.by_cause(known, paper.causes)
        count = Counter(erratum.kind for erratum in known)
        own = {kind: sum(any(e.kind == kind for e in group.errata) for group in causes) for kind in CLASSES}
        lead = nodes.paragraph("", f"{counted(len(causes), 'cause')}, {counted(len(known), 'statement')}.")
        legend = table(["class", "what it means", "statements", "causes"],
                       [[text(kind), text(CLASS_MEANS[kind]), text(str(count[kind])), text(str(own[kind]))]
                        for kind in CLASSES if count[kind]], "errata-table")
        return [lead, legend, *filterable(*map(self.group, causes)), *self.additions()]

    def additions(self) -> list[nodes.Node]:
        """Statements that are shown with a hypothesis, a constant or a reading that the paper does not print."""
        added = sorted((s for s in self.domain.statements.values() if s.added), key=lambda s: s.line)
        if not added:
            return []
        rows = [[self.inline(f"{{claim}}`{s.id}`"), text(str(s.line)), self.inline(s.added)] for s in added]
        return [nodes.rubric("", f"Hypotheses and constants that this book adds: {counted(len(added), 'statement')}"),
                table(["statement", "line", "added here"], rows, "errata-table")]

    def group(self, group) -> nodes.container:
        """One cause with its statements."""
        head = f"{group.cause.title}: {counted(len(group.errata), 'statement')}"
        said = [nodes.paragraph("", "", *self.inline(group.cause.says))] if group.cause.says else []
        return nodes.container("", nodes.rubric("", head), *said, *map(self.block, group.errata),
                               classes=["filter-group"])

    def block(self, erratum) -> details:
        """One line with class, statement and title; opened, what was asked before it was called wrong, and checks."""
        paper, statement = self.domain.paper, self.domain.statements[erratum.id]
        slug = erratum.kind.replace(" ", "-")
        line = summary("", "", nodes.inline("", erratum.kind, classes=["severity", f"severity-{slug}"]),
                       nodes.Text(" "), nodes.strong("", statement.name), nodes.Text(": "),
                       *self.inline(statement.title))
        verdict = self.domain.ledger.claims[erratum.id].verdict
        traits = traits_of(fault=erratum.kind, verdict=verdict, kind=statement.kind,
                           chapter=chapter_of(statement.page))
        box = details("", line, classes=["erratum", *traits])
        box += facts([
            ("Statement", self.links([erratum.id])), ("Where", text(paper.place(statement))),
            ("In the paper", self.inline(erratum.printed)), ("To the letter", text(erratum.as_printed)),
            ("Read charitably", self.inline(erratum.reading)), ("Under this reading", text(erratum.under_reading)),
            ("Said nearby", self.inline(erratum.nearby)), ("Margin", self.inline(erratum.margin)),
            ("Correct", self.inline(erratum.corrected)), ("What changes", text(erratum.changes)),
            ("The result", self.inline(erratum.becomes)),
            *([("Corrected statement", self.links([erratum.repair]))] if erratum.repair else []),
            ("Rests on it", self.links(erratum.affects) or text("nothing")),
            ("Fails on the printed form", text(", ".join(erratum.fails_on_printed))),
            ("Passes on the corrected form", text(", ".join(erratum.passes_on_corrected))),
        ], "facts-erratum")
        return box

    def links(self, keys):
        return listed([self.inline(f"{{claim}}`{key}`") for key in keys])
