"""What a proofreading found amiss: section by section of the paper, one line each, which opens."""

from __future__ import annotations

from pathlib import Path

from check_boxes import details, facts, summary, text
from check_words import counted
from docutils import nodes
from ledger_pages import FromLedger, filterable, traits_of

from derl.ledger import proofreading


class Proofreading(FromLedger):
    """One box per section of the paper, its gravest line first; the argument is the file of rows."""

    required_arguments = 1

    def shown(self):
        paper = self.domain.paper
        file = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_dependency(str(file))
        groups = []
        for section, rows in proofreading.by_section(proofreading.read(file), paper).items():
            wrong = sum(row.verdict == "wrong" for row in rows)
            said = f"{section}: {counted(len(rows), 'line')}, {wrong} with a mathematical content"
            group = details("", summary("", "", nodes.strong("", said)), classes=["filter-group", "section-group"])
            group += [self.line(row, section, paper) for row in rows]
            groups.append(group)
        return filterable(*groups)

    def line(self, row, section: str, paper) -> details:
        """Line of the source, place and class; opened, what was read, what is amiss and what should stand there."""
        word = self.word(row, paper)
        line = summary("", "", nodes.inline("", word, classes=["severity", f"severity-{word.replace(' ', '-')}"]),
                       nodes.Text(" "), nodes.strong("", f"Line {row.line}"), nodes.Text(f": {row.where}"))
        box = details("", line, classes=["erratum", *traits_of(verdict=row.verdict, kind=row.kind, section=section)])
        box += facts([("Read", text(row.what)), ("Amiss", text(row.finding)),
                      ("Should be", text(row.corrected)),
                      *([("Statement", self.inline(f"{{claim}}`{row.statement}`"))] if row.statement else [])],
                     "facts-erratum")
        return box

    @staticmethod
    def word(row, paper) -> str:
        if row.verdict != "wrong":
            return "slip"
        return paper.statements[row.statement].fault or "open"
