"""What a hurried reader sees first: verdicts with their signs, and one box for each headline result.

- `{verdict-counts}`: every verdict word with its sign and how often it was given; what it means, on demand.
- ```` ```{headline} id ````: a statement in the plain words of the directive, with its verdict; its text, footprint,
  command, cost, file and line open on demand.
"""

from __future__ import annotations

from collections import Counter

from check_boxes import details, facts, linked, listed, seconds, summary, text
from claim_cards import badge, called
from docutils import nodes
from ledger_pages import FromLedger, table
from repository import line_of
from sphinx.util.docutils import SphinxDirective

from derl.judge.verdicts import MEANING, SIGNS


class VerdictCounts(FromLedger):
    """A pill for each verdict word of the last run with its number; behind a disclosure what the words mean."""

    def shown(self):
        count = Counter(row.verdict for row in self.domain.ledger.claims.values())
        words = [word for word in SIGNS if count[word]]
        pills = nodes.paragraph("", "", *[node for word in words for node in (
            badge(word), *text(f"\N{NO-BREAK SPACE}{count[word]} "))], classes=["counts"])
        rows = [[[badge(word)], text(MEANING[word])] for word in words]
        legend = details("", summary("", "What the words mean"),
                         table(["verdict", "what it means"], rows, "counts-table"))
        return [pills, legend]


class Headline(SphinxDirective):
    """One result that can be read without the rest of the book."""

    required_arguments = 1
    has_content = True

    def run(self):
        domain, key = self.env.get_domain("claims"), self.arguments[0]
        domain.note_sources(self.env)
        found = domain.find(key, self.env, self.get_location())
        if found is None:
            return []
        statement, row = found
        box = nodes.container(classes=["claim", "headline"])
        box += nodes.paragraph("", "", nodes.strong("", "", *self.inline(called(statement))), nodes.Text(" "),
                               badge(row.verdict), classes=["claim-title"])
        if self.content:
            box += nodes.container("", *self.parse_content_to_nodes(), classes=["in-words"])
        box += details("", summary("", "Statement, what it rests on, and one command"),
                       *self.parse_text_to_nodes(statement.statement),
                       facts(self.footprint(domain, statement, row), "facts-card"))
        return [box]

    def footprint(self, domain, statement, row) -> list[tuple[str, list[nodes.Node]]]:
        """What it rests on, how to run it, what that costs, where the check stands."""
        below = Counter(domain.ledger.claims[key].verdict for key in domain.paper.dependencies.below(statement.id)
                        if key in domain.ledger.claims)
        words = [[badge(word), *text(f" {below[word]}")] for word in SIGNS if below[word]]
        steps = f"; its written proof has {len(statement.proof)} steps" if statement.proof else ""
        eye = sorted({word for step in statement.proof for word in step.joint})
        quoted = sorted({word for step in statement.proof for word in step.quote})
        steps += f"; read by eye: {', '.join(eye)}" if eye else ""
        steps += f"; quoted: {', '.join(quoted)}" if quoted else ""
        rests = [*(listed(words) or text("nothing else")), *text(steps)]
        rows = [("Page", self.inline(f"{{claim}}`{statement.id}`")), ("Rests on", rests),
                ("Run it", [nodes.literal("", f"derl verify {statement.id}"), *text(f", {seconds(row.seconds)}")])]
        if statement.repair:
            rows.insert(1, ("Corrected", self.inline(f"{{claim}}`{statement.repair}`")))
        if row.checks:
            first = row.checks[0]
            place = nodes.literal("", f"{first.file}:{first.line}")
            address = line_of(first.file, first.line, self.config, self.env.docname)
            rows.append(("Check", [linked(place, address)]))
        return rows

    def inline(self, line: str) -> list[nodes.Node]:
        """Nodes of one line of MyST."""
        return self.state.inline_text(line, self.lineno)[0]


def setup(app):
    app.add_directive("verdict-counts", VerdictCounts)
    app.add_directive("headline", Headline)
    return {"version": "1", "parallel_read_safe": True}
