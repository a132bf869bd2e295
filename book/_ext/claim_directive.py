"""The directive `claim`: one statement on a page, in full or as one line. The directive `evidence`: all of a chapter.

Options: `:line:` (one line that opens) and `:full:` (the statement's text is seen at once) override what the kind of
the statement suggests; `:statement-only:` (home, without checks), `:card-only:` (checks, no home), `:no-anchor:` (a
repetition elsewhere).
"""

from __future__ import annotations

import re

from check_boxes import details, summary
from claim_cards import Surroundings, badge, called, card, checked_line, evidence, is_minor, permalink
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from kernel_box import kernel_box
from proof_blocks import proof_block
from repository import line_of
from said_panel import opens
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
EQUATION = re.compile(r"(?<=[a-z]\s)\(\d+\)|(?<=\), )\(\d+\)")  # an equation of the paper, as in "by (20), (23)"


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


class OfStatements(SphinxDirective):
    """What the directives about statements share."""

    def address(self, file: str, line: int) -> str:
        """Where a line of a check can be read."""
        return line_of(file, line, self.config, self.env.docname)

    def around(self, statement, sources: bool = True) -> Surroundings:
        domain = self.env.get_domain("claims")
        return Surroundings(self.inline, domain.paper.dependencies.used_by[statement.id],
                            lambda name: domain.checks.get((statement.id, name)), self.address,
                            self.config.claims_command, sources)

    @staticmethod
    def of_title(statement) -> str:
        """What the heading says after the name: the title, or where the paper says what it does not number."""
        if statement.number:
            return f"({statement.title})"
        return "" if statement.own else f"(line {statement.line} of the paper's source)"

    def inline(self, text: str) -> list[nodes.Node]:
        """Nodes of one line of MyST, so that maths and roles work in every text of claims.yml and of a check."""
        return self.state.inline_text(text, self.lineno)[0]


class ClaimDirective(OfStatements):
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
        """The proof and one line with a link to the evidence; where the book has no page for it, the evidence."""
        proof = [] if "card-only" in self.options else proof_block(
            statement, row.checks, self.inline, self.blocks, self.domain.paper.quotations)
        page = evidence_page(self.env, statement.chapter)
        if page:
            address = f"{'../' * self.env.docname.count('/')}{page}.html#evidence-{statement.id}"
            return [*proof, checked_line(statement, row, self.inline, address)]
        read = kernel_box(self.domain.paper.formal, statement.id, row, self.inline, self.env.docname)
        return [*proof, card(statement, row, self.around(statement)), *read]

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
                    opens=opens(statement.statement, self.domain.paper.letters(statement.id)))

    def blocks(self, text: str) -> list[nodes.Node]:
        """Nodes of several lines of MyST; a number of an equation leads to the statement that has it."""
        tags, body = self.domain.tags, nodes.container()
        text = EQUATION.sub(lambda at: f"{{claim}}`{at[0]} <{tags[at[0]]}>`" if at[0] in tags else at[0], text)
        self.state.nested_parse(StringList(text.splitlines(), source="claims.yml"), 0, body)
        return body.children


class EvidenceDirective(OfStatements):
    """The evidence for every statement of a chapter, one box for each."""

    optional_arguments = 1  # the chapter; none where a paper has no chapters

    def run(self):
        domain, chapter = self.env.get_domain("claims"), "".join(self.arguments)
        domain.note_sources(self.env)
        found = [statement for statement in domain.statements.values()
                 if statement.chapter == chapter and statement.id in domain.ledger.claims]
        if not found:
            logger.warning("evidence: no statement is of the chapter %r", chapter, location=self.get_location())
        return [self.entry(statement, domain) for statement in found]

    def entry(self, statement, domain) -> details:
        """Closed at first; a link to it opens it."""
        row = domain.ledger.claims[statement.id]
        line = summary("", "", nodes.strong("", "", *self.inline(called(statement))), nodes.Text(" "),
                       nodes.inline("", "", *self.inline(self.of_title(statement)), classes=["claim-name"]),
                       nodes.Text(" "), badge(row.verdict), classes=["claim-title"])
        home = nodes.paragraph("", "", nodes.Text("Statement and proof: "), *self.inline(f"{{claim}}`{statement.id}`"))
        return details("", line, home, *evidence(statement, row, self.around(statement, sources=False)),
                       *kernel_box(domain.paper.formal, statement.id, row, self.inline, self.env.docname),
                       ids=[f"evidence-{statement.id}"], classes=["evidence"])


def evidence_page(env, chapter: str) -> str:
    """The page with the evidence of a chapter; empty where the book has none."""
    page = "/".join(filter(None, ("book/evidence", chapter.replace("_", "-"))))
    return page if page in env.found_docs else ""
