"""The first use of a symbol on a page is a link to its line in the notation, and shows that line.

The terms of the notation are written [$\\nu$, $\\nu_h$]{#sym-nu}: every formula in the term is a way to write it.
A class `in-<pages>`, as in [$\\alpha$]{#sym-alpha .in-safety}, keeps a symbol to pages whose path begins so (with
hyphens for slashes), and there it goes before a symbol of the same look. Nothing is linked in a heading, in another
link, in a statement's own box or in the notation itself.
"""

from __future__ import annotations

from docutils import nodes
from finding import SYMBOL

NOTATION = "book/foundations/notation"
EXCEPT = ("book/back/",)  # lists, which quote what stands elsewhere
SCOPE = "in-"
UNTOUCHED = (nodes.title, nodes.reference, nodes.term, nodes.caption, nodes.rubric, nodes.raw)


def terms(doctree: nodes.document) -> list[tuple[str, str, str]]:
    """(formula, anchor, beginning of the paths of its pages) of the notation."""
    found = []
    for node in doctree.findall(nodes.inline):
        for key in (key for key in node["ids"] if key.startswith(SYMBOL)):
            scope = next((name.removeprefix(SCOPE) for name in node["classes"] if name.startswith(SCOPE)), "")
            found += [(plain(formula), key, scope) for formula in node.findall(nodes.math)]
    return found


def plain(formula: nodes.math) -> str:
    return "".join(formula.astext().split())


def read(app, doctree):
    """Keep the symbols of the notation for the other pages."""
    if app.env.docname == NOTATION:
        app.env.book_symbols = terms(doctree)


def merge(app, env, docnames, other):
    """Take the symbols from the process that has read the notation."""
    if NOTATION in docnames:
        env.book_symbols = other.book_symbols


def known(symbols: list[tuple[str, str, str]], docname: str) -> dict[str, str]:
    """Formula -> anchor for one page; a symbol of few pages goes before one of all."""
    path = docname.removeprefix("book/").replace("/", "-")
    fitting = sorted((symbol for symbol in symbols if path.startswith(symbol[2])), key=lambda symbol: len(symbol[2]))
    return {formula: anchor for formula, anchor, _ in fitting}


def link(app, doctree, docname):
    """Make the first formula that is a symbol a link, once per symbol and page."""
    symbols = known(getattr(app.env, "book_symbols", []), docname)
    if docname == NOTATION or docname.startswith(EXCEPT) or app.builder.format != "html":
        return
    done = set()
    for formula in list(doctree.findall(nodes.math)):
        anchor = symbols.get(plain(formula))
        if anchor and anchor not in done and not shielded(formula):
            done.add(anchor)
            target = f"{app.builder.get_relative_uri(docname, NOTATION)}#{anchor}"
            reference = nodes.reference("", "", internal=True, refuri=target, classes=["symbol"])
            formula.parent.replace(formula, reference)
            reference += formula


def shielded(node: nodes.Node) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, UNTOUCHED) or "claim" in getattr(node, "attributes", {}).get("classes", ()):
            return True
    return False


def setup(app):
    app.connect("doctree-read", read)
    app.connect("env-merge-info", merge)
    app.connect("doctree-resolved", link)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
