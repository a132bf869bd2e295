"""Statements and their verdicts on the pages of the book.

- ```` ```{claim} lem-trace-det ```` shows a statement of claims.yml with its verdict and its checks. The block
  is the home of the statement: links go there, and a statement has one home; see claim_directive.py for its options.
- `` {claim}`lem-trace-det` `` is a link "Lemma C.3" with the sign of the verdict.
- `` {measured}`lem-norm-det/name_of_a_check` `` is a number that the run has measured; see measured.py.
- `` {said}`lem-trace-det \\det` `` is a formula of a statement, or its value; see said_role.py.
- ```` ```{evidence} potential ```` has the evidence for every statement of a chapter; where a book has such a page,
  book/evidence/potential, the block of a statement has one line that leads there.
- `{ledger-table}` and `{status}` are generated from the whole ledger (ledger_pages.py).

A statement that the ledger does not know is a warning, and warnings fail the build; so does a missing ledger.
"""

from __future__ import annotations

import importlib
import re
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from check_boxes import (
    depart_details,
    depart_summary,
    depart_waiting,
    details,
    plain,
    summary,
    visit_details,
    visit_summary,
    visit_waiting,
    waiting,
)
from claim_cards import called, sign
from claim_directive import ClaimDirective, EvidenceDirective, depart_said, said, visit_said
from docutils import nodes
from errata_page import Errata
from kernel_box import FormalStatements
from ledger_pages import LedgerTable, Status
from measured import MeasuredRole
from proofreading_page import Proofreading
from said_role import SaidRole
from sphinx import addnodes
from sphinx.domains import Domain, ObjType
from sphinx.errors import SphinxError
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole
from sphinx.util.nodes import make_refnode

from derl.ledger import InvalidLedger, Ledger, Paper, provenance

logger = logging.getLogger(__name__)


class LedgerError(SphinxError):
    category = "The book needs a ledger"


class ClaimsDomain(Domain):
    """Where every statement has its home, and what claims.yml and the ledger say about it."""

    name = "claims"
    label = "Statements"
    object_types = {"claim": ObjType("statement", "claim")}
    initial_data = {"homes": {}, "rows": {}}  # id -> docname of its block, of its row in the ledger table
    data_version = 1

    @cached_property
    def paper(self) -> Paper:
        return importlib.import_module(self.env.config.claims_paper).PAPER

    @property
    def statements(self) -> dict:
        return self.paper.statements

    @cached_property
    def tags(self) -> dict[str, str]:
        """Number of an equation of the paper, as in "(20)" -> its statement; a number may be beside the formula."""
        return {tag: key for key, one in self.statements.items()
                for tag in (one.number, *re.findall(r"\\text\{(\(\d+\))\}", one.statement)) if tag.startswith("(")}

    @cached_property
    def said(self) -> dict[str, str]:
        """Statement -> HTML of its text, filled while pages are written."""
        return {}

    @cached_property
    def checks(self) -> dict:
        """(statement, name of a check) -> the check with its functions, whose source the pages show."""
        return {(check.claim, check.name): check for check in self.paper.register().checks}

    @cached_property
    def ledger_file(self) -> Path:
        return Path(self.env.srcdir, self.env.config.claims_ledger)

    @cached_property
    def ledger(self) -> Ledger:
        try:
            return Ledger.load(self.ledger_file)
        except InvalidLedger as error:
            raise LedgerError(f"{error}; `derl verify --tier quick --out {self.ledger_file}` writes one") from None

    def check_origin(self) -> None:
        """The ledger has to come from this very code; that of other code says nothing about it."""
        if self.ledger.digest != provenance.digest(*self.paper.code):
            raise LedgerError(f"{self.ledger_file} was written by other code than this; "
                              f"`derl verify --tier quick --out {self.ledger_file}` writes one")

    def find(self, key: str, env, location):
        """A statement and its row of the ledger; the page that asks is read again when either file changes."""
        self.note_sources(env)
        if key not in self.statements:
            near = ", ".join(get_close_matches(key, self.statements, n=3)) or "none is near"
            logger.warning("claims.yml has no statement %r (%s)", key, near, location=location)
            return None
        if key not in self.ledger.claims:
            logger.warning("statement %s is not in the ledger %s", key, self.ledger_file, location=location)
            return None
        return self.statements[key], self.ledger.claims[key]

    def note_sources(self, env) -> None:
        """The page that is being read is read again when the ledger or a claims.yml changes."""
        for file in (self.ledger_file, *self.paper.files.values()):
            env.note_dependency(str(file))

    def settle(self, kind: str, key: str, docname: str, location) -> None:
        """Record where a statement stands; twice is a mistake, because a link could not know where to go.

        Of two homes the page that is first by name counts, whichever is read first.
        """
        places = self.data[kind]
        if key in places:
            logger.warning("statement %s has its home on %s already; use :card-only: or :no-anchor: here", key,
                           places[key], location=location)
        places[key] = min(places.get(key, docname), docname)

    def clear_doc(self, docname):
        for kind in ("homes", "rows"):
            self.data[kind] = {key: doc for key, doc in self.data[kind].items() if doc != docname}

    def merge_domaindata(self, docnames, otherdata):
        for kind in ("homes", "rows"):
            for key, docname in otherdata[kind].items():
                if docname in docnames:
                    self.settle(kind, key, docname, docname)

    def resolve_xref(self, env, fromdocname, builder, typ, target, node, contnode):
        if target in self.data["homes"]:
            docname, anchor = self.data["homes"][target], target
        elif target in self.data["rows"]:
            docname, anchor = self.data["rows"][target], f"ledger-{target}"
        else:
            return None  # Sphinx warns
        return make_refnode(builder, fromdocname, docname, anchor, contnode, node["reftitle"])

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):
        return []

    def get_objects(self):
        for key, docname in self.data["homes"].items():
            if key in self.statements:
                statement = self.statements[key]
                shown = f"{statement.name}: {statement.title}".replace("$", "")
                # the search drops an anchor that equals the first entry, and then looks for what is shown
                yield f"claim {key}", shown, "claim", docname, key, 1


class ClaimRole(ReferenceRole):
    """A link to a statement: its name in the paper and the sign of its verdict."""

    def run(self):
        domain, key = self.env.get_domain("claims"), self.target
        found = domain.find(key, self.env, self.get_location())
        if found is None:
            return [nodes.literal("", key)], []
        statement, row = found
        label = self.title if self.has_explicit_title else called(statement)
        content = nodes.inline("", "", *self.inliner.parse(label, self.lineno, self.inliner, None)[0],
                               sign(row.verdict), classes=["claim-link"])
        link = addnodes.pending_xref("", content, refdoc=self.env.docname, refdomain="claims", reftype="claim",
                                     reftarget=key, refexplicit=True, refwarn=True,
                                     reftitle=row.verdict)  # the preview says more
        return [link], []


def check_sources(app):
    """Stop at once, with one line, where there is no usable ledger."""
    domain = app.env.get_domain("claims")
    domain.ledger  # noqa: B018  reading it is the check
    if app.config.claims_origin:
        domain.check_origin()


def load_checks(app, env, docnames):
    """Import the checks once: each process that reads pages would import them anew."""
    if docnames:
        env.get_domain("claims").checks  # noqa: B018


def setup(app):
    app.setup_extension("repository")  # knows where the lines of checks can be read
    app.add_config_value("claims_ledger", "_build/ledger.json", "env")
    app.add_config_value("claims_origin", True, "env")  # refuse a ledger of other code
    app.add_config_value("claims_command", "", "env")  # what runs the checks of a statement, its id behind it
    app.add_config_value("claims_paper", "derl.claims", "env")  # the package that holds statements and checks
    app.add_domain(ClaimsDomain)
    app.add_node(details, html=(visit_details, depart_details), latex=(plain, plain), text=(plain, plain))
    app.add_node(waiting, html=(visit_waiting, depart_waiting), latex=(plain, plain), text=(plain, plain))
    app.add_node(summary, html=(visit_summary, depart_summary), latex=(plain, plain), text=(plain, plain))
    app.add_node(said, html=(visit_said, depart_said), latex=(plain, plain), text=(plain, plain))
    app.add_role("claim", ClaimRole())
    app.add_role("measured", MeasuredRole())
    app.add_role("said", SaidRole())
    app.add_directive("claim", ClaimDirective)
    app.add_directive("evidence", EvidenceDirective)
    app.add_directive("ledger-table", LedgerTable)
    app.add_directive("status", Status)
    app.add_directive("errata", Errata)
    app.add_directive("proofreading", Proofreading)
    app.add_directive("formal-statements", FormalStatements)
    app.connect("builder-inited", check_sources)
    app.connect("env-before-read-docs", load_checks)
    return {"version": "1", "parallel_read_safe": True}
