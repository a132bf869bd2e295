"""What the browser needs to find and to preview things, from disk too, where a page may read no other page.

Two scripts are written, each loaded when it is needed:

- `_static/statements.js`: of each statement name, title, verdict, home and text (previews, and the search); and the
  text of every numbered equation, term and symbol that has an anchor (previews).
- `_static/sections.js`: of each section its page, title and text, and the words of `book/aliases.yml` that lead to a
  page although it does not contain them (the search).

Formulas stay TeX between `\\(` and `\\)`; MathJax sets them where they are shown.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

from derl.inputs import files

SILENT = (nodes.raw, nodes.image, nodes.comment, nodes.literal_block, nodes.math_block, addnodes.toctree, nodes.target)
GENERATED = {"claim", "evidence", "cell_input", "verdict", "claim-sign", "ledger-table", "section-group",
             "status-table"}
ALIASES = Path("book", "aliases.yml")  # from the root of the sources
SYMBOL = "sym-"  # ids of symbols begin so: [$\nu$]{#sym-nu}


def words(node: nodes.Node) -> str:
    """The text of a node with its formulas as TeX, without code, tables, pictures, cards and the sections in it."""
    parts = []

    def walk(at):
        for child in at.children:
            if isinstance(child, nodes.Text):
                parts.append(child.astext())
            elif isinstance(child, nodes.math):
                parts.append(f"\\({child.astext()}\\)")
            elif isinstance(child, (nodes.section, *SILENT)) or hides(child):
                parts.append(" ")
            else:
                walk(child)
                if not isinstance(child, nodes.Inline) or isinstance(child, addnodes.desc_signature):
                    parts.append(" ")

    walk(node)
    return " ".join("".join(parts).split())


def hides(node: nodes.Node) -> bool:
    """Statements have entries of their own; code and its outputs are not searched."""
    return isinstance(node, nodes.Element) and bool(
        GENERATED & set(node.get("classes", ())))


def sections(doctree: nodes.document) -> list[list[str]]:
    """(anchor, title, text) of every section of a page."""
    found = []
    for section in doctree.findall(nodes.section):
        title = next(iter(section.findall(nodes.title)), None)
        body = words(section)
        head = words(title) if title is not None else ""
        found.append([section["ids"][0] if section["ids"] else "", head, body.removeprefix(head).strip()])
    return found


def anchored(doctree: nodes.document) -> dict[str, str]:
    """Anchor -> what stands there, for numbered equations, terms of a glossary and symbols of the notation."""
    found = {}
    for block in doctree.findall(nodes.math_block):
        for key in block["ids"]:
            found[key] = f"\\[{block.astext()}\\]"
    for item in doctree.findall(nodes.definition_list_item):
        for term in item.findall(nodes.term):
            inner = (key for node in term.findall(nodes.inline) for key in node["ids"] if key.startswith(SYMBOL))
            for key in (*term["ids"], *inner):
                found[key] = ": ".join(filter(None, map(words, item.children)))
    return found


def pack(file: Path, value) -> None:
    """Write a value of JSON into a script that page.js loads: pages from disk cannot fetch data."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    files.write(file, f'(window.derlKept??={{}})["{file.stem}"]={text};\n'.encode())


def kept(app, pagename: str) -> Path:
    """What is known of a page: a file, because pages are written by several processes, and not in every build."""
    return Path(app.doctreedir, "finding", f"{pagename}.json")


def collect(app, pagename, templatename, context, doctree):
    """Write down what a page holds."""
    if doctree is not None and app.builder.name == "html":
        said = app.env.get_domain("claims").said
        page = {"title": context["title"], "sections": sections(doctree), "anchors": anchored(doctree), "said": said}
        files.write(kept(app, pagename), json.dumps(page).encode())
        said.clear()


def finished(app, error):
    """Write both scripts."""
    if error is not None or app.builder.name != "html":
        return
    domain, static = app.env.get_domain("claims"), Path(app.outdir, "_static")
    pages = {name: json.loads(kept(app, name).read_text(encoding="utf-8")) for name in sorted(app.env.found_docs)}
    statements, repaired = {}, {s.repair: key for key, s in domain.statements.items() if s.repair}
    for key, docname in sorted(domain.data["homes"].items(), key=lambda home: home[1]):
        if key in domain.statements and key in domain.ledger.claims:
            statement = domain.statements[key]
            statements[key] = {
                "name": "" if statement.own else statement.name, "title": tex(statement.title),
                "kind": statement.kind, "number": statement.number.strip("()").lower(), "line": statement.line,
                "verdict": domain.ledger.claims[key].verdict, "page": docname,
                "html": pages[docname]["said"].get(key, ""), "repairs": repaired.get(key, "")}
    anchors = {f"{name}#{key}": text for name, page in pages.items() for key, text in page["anchors"].items()}
    pack(static / "statements.js", {
        "statements": statements, "anchors": anchors, "maths": getattr(app.config, "mathjax3_config", None) or {}})
    pack(static / "sections.js", {
        "sections": [[name, page["title"], *section] for name, page in pages.items() for section in page["sections"]],
        "aliases": aliases(Path(app.srcdir, ALIASES), pages)})


def aliases(file: Path, pages: dict[str, dict]) -> dict[str, list[str]]:
    """Words that readers type -> addresses of pages from the root; a page that is not there is a warning."""
    found: dict[str, list[str]] = {}
    if not file.is_file():
        return found
    for words, targets in yaml.safe_load(file.read_text(encoding="utf-8")).items():
        for target in targets:
            page = f"book/{target}"
            if page in pages:
                found.setdefault(words, []).append(f"{page}.html")
            else:
                logging.getLogger(__name__).warning("%s: '%s' leads to %s, which is no page", ALIASES, words, target)
    return found


def tex(title: str) -> str:
    """Dollar signs as the brackets that MathJax looks for."""
    return re.sub(r"\$([^$]*)\$", r"\\(\1\\)", title)


def setup(app):
    app.connect("html-page-context", collect)
    app.connect("build-finished", finished)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
