"""The two pages that show the whole ledger: the table of all statements and the status of the last run."""

from __future__ import annotations

import re
from collections import Counter

from check_boxes import details, facts, listed, seconds, summary, text
from check_words import as_maths, counted
from claim_cards import badge, methods_of
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from derl.judge.proofs import JOINTS
from derl.judge.verdicts import SIGNS
from derl.ledger.rows import StatementRow


def table(header: list[str], rows: list[list[list[nodes.Node]]], style: str,
          traits: list[list[str]] | None = None) -> nodes.table:
    """A table of inline nodes; `traits` are the classes of its rows, by which filters.js chooses."""
    group = nodes.tgroup(cols=len(header))
    group += [nodes.colspec(colwidth=1) for _ in header]
    group += nodes.thead("", table_row([text(name) for name in header]))
    body = nodes.tbody("", *[table_row(row) for row in rows])
    for line, names in zip(body, traits or [[]] * len(rows), strict=True):
        line["classes"] += names
    group += body
    return nodes.table("", group, classes=[style])


def table_row(cells: list[list[nodes.Node]]) -> nodes.row:
    return nodes.row("", *[nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells])


def traits_of(**values: str) -> list[str]:
    """The classes by which filters.js chooses."""
    return [f"is-{name}-{re.sub(r'[^a-z0-9]+', '-', value.lower()).strip('-')}" for name, value in values.items()]


def chapter_of(page: str) -> str:
    """The page by which lists are narrowed; a name that several parts use comes with its part."""
    part, _, name = page.rpartition("/")
    return f"{part}-{name}" if name in ("appendix", "search", "machine-checked") else name


def filterable(*content: nodes.Node) -> list[nodes.Node]:
    """A list above which choices stand once the script has run."""
    script = nodes.raw("", '<script defer src="../../_static/filters.js"></script>', format="html")
    return [script, nodes.container("", *content, classes=["filterable"])]


class FromLedger(SphinxDirective):
    """What both directives share: the sources, and the page's dependence on them."""

    def run(self):
        self.domain = self.env.get_domain("claims")
        self.domain.note_sources(self.env)
        return self.shown()

    def inline(self, line: str) -> list[nodes.Node]:
        return self.state.inline_text(line, self.lineno)[0]


class LedgerTable(FromLedger):
    """All statements, or those of one part of the book, of some kinds or with some verdicts."""

    option_spec = {"part": directives.unchanged, "kind": directives.unchanged, "verdict": directives.unchanged,
                   "anchors": directives.flag}

    def shown(self):
        chapters: dict[str, list] = {}
        for key, row in self.domain.ledger.claims.items():
            statement = self.domain.statements[key]
            if self.keeps("part", statement.page.split("/")[0]) and self.keeps("kind", statement.kind) and \
                    self.keeps("verdict", row.verdict):
                traits = traits_of(verdict=row.verdict, kind=statement.kind, chapter=chapter_of(statement.page))
                name = row.chapter or statement.page.split("/")[0]
                chapters.setdefault(name, []).append((self.line(key, statement, row), traits))
        if not chapters:
            return [nodes.paragraph("", "None.")]
        if "anchors" in self.options:
            return filterable(*(self.group(name, lines) for name, lines in chapters.items()))
        return [self.of_lines([line for lines in chapters.values() for line in lines])]

    def of_lines(self, lines: list) -> nodes.table:
        header = ["Statement", "What it says, and what the checks leave open", "Verdict", "Time of its checks"]
        return table(header, [line for line, _ in lines], "ledger-table", [traits for _, traits in lines])

    def group(self, name: str, lines: list) -> details:
        """The statements of one chapter in a box that is closed until it is opened, or until a choice shows some."""
        title = name.replace("_", " ").capitalize()
        head = summary("", "", nodes.strong("", title), nodes.Text(f": {counted(len(lines), 'statement')}"))
        return details("", head, self.of_lines(lines), classes=["filter-group", "section-group"])

    def keeps(self, option: str, value: str) -> bool:
        wanted = self.options.get(option, "")
        return not wanted or value in [word.strip() for word in wanted.split(",")]

    def line(self, key: str, statement, row: StatementRow) -> list[list[nodes.Node]]:
        own = statement.own  # its name is its title, which stands in the next column
        link = self.inline(f"{{claim}}`Result <{key}>`" if own else f"{{claim}}`{key}`")
        if "anchors" in self.options:
            link = [nodes.inline("", "", *link, ids=[f"ledger-{key}"])]
            self.domain.settle("rows", key, self.env.docname, self.get_location())
        how = nodes.inline("", ", ".join(methods_of(row)), classes=["how"])
        says = self.inline(statement.title)
        if row.scope_gap != "none":
            says.append(nodes.inline("", "", *text("open: "), *self.inline(as_maths(row.scope_gap)),
                                     classes=["how"]))
        return [link, says, [badge(row.verdict), how], text(seconds(row.seconds) if row.checks else "")]


class Status(FromLedger):
    """How many statements have which verdict, what failed, what was repaired, and the run that says so."""

    def shown(self):
        ledger, known = self.domain.ledger, self.domain.statements
        kinds = [kind for kind in dict.fromkeys(s.kind for s in known.values())]
        words = [word for word in SIGNS if any(row.verdict == word for row in ledger.claims.values())]
        count = Counter((known[key].kind, row.verdict) for key, row in ledger.claims.items())
        rows = [[text(kind), *[text(str(count[kind, word] or "")) for word in words],
                 text(str(sum(count[kind, word] for word in words)))] for kind in kinds]
        rows.append([text("all"), *[text(str(sum(count[kind, word] for kind in kinds))) for word in words],
                     text(str(len(ledger.claims)))])
        checks = [check for row in ledger.claims.values() for check in row.checks]
        controls = [control for row in ledger.claims.values() for control in row.controls]
        rejected = sum(control.outcome == "rejected" for control in controls)
        surprises = [[*self.inline(f"{{claim}}`{key}`"), *text(f" ({word}, expected: {expected})")]
                     for key, (word, expected) in ledger.surprises.items()]
        facts_of_run = [
            ("Checks", text(f"{len(checks)}, of which {sum(check.passes for check in checks)} passed")),
            ("False variants", text(f"{len(controls)} planted, {rejected} rejected")),
            ("Differs from what was expected", listed(surprises) or text("nothing")),
            ("False as printed", self.with_verdict("refuted", "repaired")),
            ("True, its proof mended", self.with_verdict("proof mended")),
            ("Open, a corrected result proved", self.with_verdict("open")),
            ("True or open as printed, its proof fails", self.with_verdict("proof fails")),
            ("Slips", self.with_verdict("minor slip")),
            ("Not checked", self.with_verdict("stale", "not checked", "failed")),
            *self.carriers("joint", "Read by eye", JOINTS),
            *self.carriers("quote", "Quoted", self.domain.paper.quotations),
            ("Tier", text(ledger.tier)), ("Time in checks", text(seconds(ledger.seconds))),
            ("Code", text(f"version {ledger.version}, commit {ledger.commit}, seed {ledger.seed}")),
            ("Environment", text(", ".join(f"{name} {value}" for name, value in ledger.environment.items()))),
        ]
        return [table(["", *words, "all"], rows, "status-table"), facts(facts_of_run, "facts-status")]

    def carriers(self, name: str, title: str, meaning: dict) -> list[tuple[str, list[nodes.Node]]]:
        """How many proved statements have a proof with each joint, or with each quotation."""
        proved = [self.domain.statements[key] for key, row in self.domain.ledger.claims.items()
                  if row.verdict == "proved"]
        count = Counter(word for statement in proved
                        for word in {word for step in statement.proof for word in getattr(step, name)})
        without = sum(not any(getattr(step, name) for step in statement.proof) for statement in proved)
        often = sorted(count, key=lambda word: (-count[word], word))
        return [(f"{title}, in proofs", text("; ".join(f"{word} {count[word]} ({meaning[word]})" for word in often)
                                              + f"; none in {without} of {len(proved)}"))]

    def with_verdict(self, *words: str) -> list[nodes.Node]:
        keys = [key for key, row in self.domain.ledger.claims.items() if row.verdict in words]
        return listed([self.inline(f"{{claim}}`{key}`") for key in keys]) or text("nothing")
