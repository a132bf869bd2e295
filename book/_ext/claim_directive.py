"""The `claim` directive: one statement on a page, in full or as one line.

Options: `:line:` (one line that opens) and `:full:` (the statement's text is seen at once) override what the kind of
the statement suggests; `:statement-only:` (home, without checks), `:card-only:` (checks, no home), `:no-anchor:` (a
repetition elsewhere).
"""

from __future__ import annotations

from check_boxes import details, summary
from claim_cards import Surroundings, badge, called, card, is_minor, permalink
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from kernel_box import kernel_box
from proof_blocks import proof_block
from repository import line_of
from said_panel import opens
from sphinx.util.docutils import SphinxDirective


class said(nodes.General, nodes.Element):
    """The text of a statement; its HTML is also kept for previews and for the search."""


def visit_said(translator, node):
    formulas = " ".join(map(str, node["opens"]))
    named = {"data-statement": node["statement"], "data-said": formulas} if formulas else {}
    translator.body.append(translator.starttag(node, "div", CLASS="claim-statement", **named))
    node["from"] = len(translator.body)


def depart_said(translator, node):
    if node["key"]:
        translator.builder.env.get_domain("claims").said[node["key"]] = "".join(translator.body[node["from"]:])
    translator.body.append("</div>\n")


class ClaimDirective(SphinxDirective):
    """Show one statement."""

    required_arguments = 1
    option_spec = {name: directives.flag
                   for name in ("line", "full", "statement-only", "card-only", "no-anchor")}

    def run(self):
        self.domain, key = self.env.get_domain("claims"), self.arguments[0]
        found = self.domain.find(key, self.env, self.get_location())
        if found is None:
            return []
        statement, row = found
        line = "line" in self.options or is_minor(statement, self.domain.statements) and not self.options
        block = nodes.container(classes=["claim", f"claim-{statement.kind}", f"claim-{'line' if line else 'full'}"])
        home = not {"card-only", "no-anchor"} & self.options.keys()
        if home:
            block["ids"].append(key)
            self.domain.settle("homes", key, self.env.docname, self.get_location())
        block += self.in_one_line(statement, row, home) if line else self.in_full(statement, row, home)
        return [block]

    def in_full(self, statement, row, home: bool) -> list[nodes.Node]:
        """Heading with the verdict, the text, and one line of disclosures."""
        content = [self.heading(statement, row, home)]
        if "card-only" not in self.options:
            content.append(self.text(statement, home))
        if "statement-only" not in self.options:
            content.append(nodes.container("", *self.behind(statement, row), classes=["claim-more"]))
        return content

    def in_one_line(self, statement, row, home: bool) -> list[nodes.Node]:
        """A line with name, title and verdict; it opens."""
        line = summary("", "", nodes.strong("", "", *self.inline(called(statement))), nodes.Text(" "),
                       nodes.inline("", "", *self.inline(self.of_title(statement)), classes=["claim-name"]),
                       nodes.Text(" "), badge(row.verdict), classes=["claim-title"])
        box = details("", line, self.text(statement, home))
        if "statement-only" not in self.options:
            box += nodes.container("", *self.behind(statement, row), classes=["claim-more"])
        return [box, *([permalink(statement.id, statement.name)] if home else [])]

    def behind(self, statement, row) -> list[nodes.Node]:
        """Proof, checks, and what a proof assistant says."""
        def address(file: str, line: int) -> str:
            return line_of(file, line, self.config, self.env.docname)

        around = Surroundings(self.inline, self.domain.paper.dependencies.used_by[statement.id],
                              lambda name: self.domain.checks.get((statement.id, name)),
                              address, self.config.claims_command)
        proof = [] if "card-only" in self.options else proof_block(
            statement, row.checks, self.inline, self.blocks, self.domain.paper.quotations)
        read = kernel_box(self.domain.paper.formal, statement.id, row, self.inline, address)
        return [*proof, card(statement, row, around), *read]

    def heading(self, statement, row, home: bool) -> nodes.paragraph:
        name = nodes.strong("", "", *self.inline(called(statement)))
        if "card-only" in self.options:
            name = nodes.inline("", "", *self.inline(f"{{claim}}`{statement.id}`"))
        rest = nodes.inline("", "", *self.inline(self.of_title(statement)), classes=["claim-name"])
        link = [permalink(statement.id, statement.name)] if home else []
        return nodes.paragraph("", "", name, nodes.Text(" "), rest, nodes.Text(" "), badge(row.verdict), *link,
                               classes=["claim-title"])

    def text(self, statement, home: bool) -> said:
        return said("", *self.blocks(statement.statement), key=statement.id if home else "", statement=statement.id,
                    opens=opens(statement.statement))

    @staticmethod
    def of_title(statement) -> str:
        return "" if statement.own else f"({statement.title})"

    def inline(self, text: str) -> list[nodes.Node]:
        """Nodes of one line of MyST, so that maths and roles work in every text of claims.yml and of a check."""
        return self.state.inline_text(text, self.lineno)[0]

    def blocks(self, text: str) -> list[nodes.Node]:
        """Nodes of several lines of MyST."""
        body = nodes.container()
        self.state.nested_parse(StringList(text.splitlines(), source="claims.yml"), 0, body)
        return body.children
