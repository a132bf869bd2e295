"""Things that move without a kernel: ```` ```{moves} layerwise trap ```` on a page.

The numbers come from `derl.show.layerwise.moves.trap()`, which returns plain lists and dicts; they are written into the
page as JSON. What moves is drawn by `_static/moves/trap.js` upon `_static/moves/common.js`, from disk too. The text
of the directive says what to do; without JavaScript it is all that is seen.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
FOLDER = Path(__file__).parents[1] / "_static" / "moves"


class InvalidPiece(ValueError):
    """The numbers or the script of a piece are not there; the message says which."""


def numbers(chapter: str, name: str):
    """What derl computes for a piece.

    Raises
    ------
    InvalidPiece
    """
    try:
        return getattr(import_module(f"derl.show.{chapter}.moves"), name)()
    except (ModuleNotFoundError, AttributeError) as error:
        raise InvalidPiece(f"no numbers for {chapter} {name}: {error}") from None


def script_of(name: str) -> Path:
    """The script that draws a piece.

    Raises
    ------
    InvalidPiece
    """
    script = FOLDER / f"{name.replace('_', '-')}.js"
    if not script.is_file():
        raise InvalidPiece(f"no script {script.name} in {FOLDER.name}")
    return script


def container(chapter: str, name: str) -> str:
    """The HTML that the script fills; `</` cannot occur within the JSON."""
    data = json.dumps(numbers(chapter, name), allow_nan=False, separators=(",", ":")).replace("</", "<\\/")
    return (f'<div class="moves-box" data-piece="{name}"></div>'
            f'<script type="application/json" data-numbers="{name}">{data}</script>')


class Moves(SphinxDirective):
    """One piece that moves."""

    required_arguments = 2
    has_content = True

    def run(self):
        chapter, name = self.arguments
        try:
            script_of(name)
            html = container(chapter, name)
        except InvalidPiece as error:
            logger.warning("moves: %s", error, location=self.get_location())
            return []
        for file in (__file__, import_module(f"derl.show.{chapter}.moves").__file__):
            self.env.note_dependency(file)
        known = self.env.metadata[self.env.docname]
        known["moves"] = f"{known.get('moves', '')} {name}".strip()
        box = nodes.container(classes=["moves"], ids=[f"moves-{name.replace('_', '-')}"])
        box += self.parse_content_to_nodes()
        box += nodes.raw("", html, format="html")
        return [box]


def add_scripts(app, pagename, templatename, context, doctree):
    """Load the scripts on the pages that use them, and on no other."""
    names = app.env.metadata.get(pagename, {}).get("moves", "").split()
    if names:
        app.add_js_file("moves/common.js", defer="defer")
        for name in dict.fromkeys(names):
            app.add_js_file(f"moves/{script_of(name).name}", defer="defer")


def setup(app):
    app.add_directive("moves", Moves)
    app.add_css_file("moves/moves.css")
    app.connect("html-page-context", add_scripts)
    return {"version": "1", "parallel_read_safe": True}
