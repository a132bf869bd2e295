"""The tables of a proofreading: what is not right, section by section of the paper."""

from __future__ import annotations

from pathlib import Path

from check_boxes import text
from docutils import nodes
from ledger_pages import FromLedger, table

from derl.ledger import proofreading


class Proofreading(FromLedger):
    """One table per section of the paper, the gravest row first; the argument is the file of rows."""

    required_arguments = 1

    def shown(self):
        paper = self.domain.paper
        file = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_dependency(str(file))
        content = []
        for section, rows in proofreading.by_section(proofreading.read(file), paper).items():
            content.append(nodes.rubric("", section))
            content.append(table(["Line", "What was read", "What is amiss", "What should stand there", "Class"],
                                 [self.line(row, paper) for row in rows], "proofreading-table"))
        return content

    def line(self, row, paper) -> list[list[nodes.Node]]:
        cells = [text(str(row.line)), [nodes.inline("", row.where, classes=["where"]), *text(row.what)],
                 text(row.finding), text(row.corrected)]
        if not row.statement:
            return [*cells, text("slip")]
        erratum = paper.statements[row.statement].erratum
        word = erratum["class"] if row.verdict == "wrong" and erratum else "open" if row.verdict == "wrong" else "slip"
        return [*cells, [*text(f"{word}: "), *self.inline(f"{{claim}}`{row.statement}`")]]
