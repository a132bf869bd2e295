"""Each page that computes, as a notebook to take away: same cells, no outputs, the text as plain Markdown.

Jupyter knows none of the book's directives. A statement becomes a quotation with its verdict, a box its text under a
bold title, a role the words that a reader would see; what moves is only in the browser.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from myst_nb.core.read import create_nb_reader
from said_role import quoted as formula

from derl.inputs import files

FOLDER = "_static/notebooks"
LISTS = "book/back/"  # pages made from the ledger: nothing to compute with
FENCE = re.compile(r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[\w:-]+)\} *(?P<title>.*)$")
OPTION = re.compile(r"^:[\w-]+:( .*)?$")
ROLE = re.compile(r"\{(?P<name>[\w:]+)\}`(?P<text>[^`]*)`")
NAMED = re.compile(r"(?P<text>.*?)\s*<(?P<key>[^<>]+)>$", re.DOTALL)
TARGET = re.compile(r"^\([\w-]+\)=\s*$", re.MULTILINE)
EQUATION = re.compile(r"^(\$\$) *\([\w:-]+\) *$", re.MULTILINE)
ANCHOR = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\{[#.][^}]*\}")
QUOTED = ("claim", "headline")
ELSEWHERE = {"moves": "This moves in the book in the browser", "pseudocode": "In the book: the pseudocode",
             "literalinclude": "In the book: the source", "bibliography": "In the book: the references"}
OPENING = """*A page of the book "{book}" as a notebook. Its cells need the module `derl` with its extra `book`: install
both in the folder of the project with* `pip install -e ".[book]"`*, and open this file with the Python that has them,
in Jupyter or an editor. Statements stand here with the verdict of the book; their proofs and checks are behind*
`derl show ID` *and* `derl verify ID`*.*"""
START = """# the cells below run in the folder of their page, as in the book
import os
from pathlib import Path

import derl
from derl.inputs import parts

parts.demand("this page", "matplotlib", "flint", "cvxpy")
os.chdir(Path(derl.__file__).resolve().parents[1] / "{folder}")"""


def plain(text: str, statements, verdicts: dict[str, str]) -> str:
    """MyST of the book as Markdown that Jupyter shows."""
    lines, made, at = text.split("\n"), [], 0
    while at < len(lines):
        opened = FENCE.match(lines[at])
        if opened is None:
            made.append(lines[at])
            at += 1
            continue
        end = next((i for i in range(at + 1, len(lines)) if lines[i].strip() == opened["fence"]), len(lines))
        body = lines[at + 1:end]
        while body and OPTION.match(body[0]):
            body.pop(0)
        made.append(directive(opened["name"], opened["title"], "\n".join(body).strip("\n"), statements, verdicts))
        at = end + 1
    whole = TARGET.sub("", "\n".join(made))
    whole = ANCHOR.sub(r"\1", EQUATION.sub(r"\1", whole))
    return ROLE.sub(lambda role: spoken(role, statements), whole)


def directive(name: str, title: str, body: str, statements, verdicts: dict[str, str]) -> str:
    """What stands in the place of a directive."""
    if name in QUOTED and title in statements:
        statement = statements[title]
        said = f"**{statement.name}** ({statement.title}): *{verdicts.get(title, 'no verdict')}* · `{title}`\n\n"
        return quoted(said + statement.statement.strip())
    if name in ELSEWHERE:
        return f"*({ELSEWHERE[name]}: {title}. {body})*" if body else f"*({ELSEWHERE[name]}: {title}.)*"
    inside = plain(body, statements, verdicts)
    return "\n\n".join(filter(None, [f"**{title}**" if title else "", inside]))


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def spoken(role: re.Match, statements) -> str:
    """The words that a role shows."""
    if role["name"] == "said":
        def look(key: str, field: str) -> str:
            return statements[key].statement if field == "statement" else statements[key].erratum[field]
        return f"${formula(look, role['text'])}$"
    named = NAMED.match(role["text"])
    if named:
        return named["text"]
    statement = statements.get(role["text"]) if role["name"] == "claim" else None
    if statement is None:
        return role["text"]
    return statement.title if statement.own else statement.name


def notebook(source: nbformat.NotebookNode, book: str, statements, verdicts: dict[str, str],
             folder: str = "book") -> nbformat.NotebookNode:
    """The notebook of a page as myst-nb reads it, for Jupyter; ids of cells are their places, so it is reproducible.

    Its first cell names the extra where that is missing, and goes to the folder of the page, given from the root of the
    project: what a cell reads by a relative path lies there.
    """
    made = nbformat.v4.new_notebook(metadata={"kernelspec": dict(source.metadata.get("kernelspec", {})),
                                              "language_info": {"name": "python"}})
    cells = [nbformat.v4.new_markdown_cell(OPENING.format(book=book)),
             nbformat.v4.new_code_cell(START.format(folder=folder), metadata={"jupyter": {"source_hidden": True}})]
    for cell in source.cells:
        if cell.cell_type == "code":
            tags = list(cell.metadata.get("tags", ()))
            hidden = {"jupyter": {"source_hidden": True}} if {"remove-input", "hide-input"} & set(tags) else {}
            cells.append(nbformat.v4.new_code_cell(cell.source, metadata=hidden))
        elif cell.source.strip():
            cells.append(nbformat.v4.new_markdown_cell(plain(cell.source, statements, verdicts).strip()))
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    made.cells = cells
    return made


def shows_code(cell) -> bool:
    """Whether the reader of the page sees the code; a page without any is no notebook to play with."""
    return cell.cell_type == "code" and not {"remove-input", "remove-cell"} & set(cell.metadata.get("tags", ()))


def offer(app, pagename, templatename, context, doctree):
    """Write the notebook of a page that computes, and put a link to it under the title."""
    if doctree is None or app.builder.name != "html" or pagename.startswith(LISTS) or "</h1>" not in context["body"]:
        return
    path = Path(app.env.doc2path(pagename))
    reader = create_nb_reader(str(path), app.env.myst_config, app.env.mystnb_config, path.read_text(encoding="utf-8"))
    source = reader.read(path.read_text(encoding="utf-8")) if reader else None
    if source is None or not any(shows_code(cell) for cell in source.cells):
        return
    domain = app.env.get_domain("claims")
    verdicts = {key: row.verdict for key, row in domain.ledger.claims.items()}
    file = Path(app.outdir, FOLDER, f"{pagename.removeprefix('book/')}.ipynb")
    made = nbformat.writes(notebook(source, app.config.project, domain.statements, verdicts,
                                     Path(pagename).parent.as_posix()), indent=None, separators=(",", ":"))
    files.write(file, f"{made}\n".encode())
    link = f"{'../' * pagename.count('/')}{file.relative_to(app.outdir).as_posix()}"
    context["body"] = context["body"].replace(
        "</h1>", f'</h1>\n<p class="page-notebook"><a href="{link}" download>This page as a notebook</a></p>', 1)


def setup(app):
    app.connect("html-page-context", offer)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
