"""Things that move without a kernel: ```` ```{moves} layerwise trap ```` on a page.

The numbers come from `derl.show.layerwise.moves.trap()`, which returns plain lists and dicts; they are written into the
page as JSON. What moves is drawn by `_static/moves/trap.js` upon `_static/moves/common.js`, from disk too. The text
of the directive says what to do. A piece with "frames" has pictures beside it that stand still
(`derl.show.drawing.film`): they are seen on paper and without JavaScript. A piece with frames and without a script of
its own is a film, which `_static/moves/film.js` plays.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from derl.show.drawing import film

logger = logging.getLogger(__name__)
FOLDER = Path(__file__).parents[1] / "_static" / "moves"
SHARED = ("common", "wheels")  # scripts on every page with a piece: controls and pictures, and the lock
FILM = "film"


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


def script_of(chapter: str, name: str) -> Path:
    """The script that draws a piece.

    Raises
    ------
    InvalidPiece
    """
    script = FOLDER / f"{name.replace('_', '-')}.js"
    if script.is_file():
        return script
    if "frames" in numbers(chapter, name):
        return FOLDER / f"{FILM}.js"
    raise InvalidPiece(f"no script {script.name} in {FOLDER.name}")


def container(chapter: str, name: str) -> str:
    """The HTML that the script fills, and the pictures that stand still; `</` cannot occur within the JSON."""
    found = numbers(chapter, name)
    data = json.dumps({key: value for key, value in found.items() if key != "frames"}, allow_nan=False,
                      separators=(",", ":")).replace("</", "<\\/")
    still = film.still(found["frames"]) if "frames" in found else ""
    kind = f' data-script="{FILM}"' if script_of(chapter, name).stem == FILM else ""
    return (f'<div class="moves-box" data-piece="{name}"{kind}></div>{still}'
            f'<script type="application/json" data-numbers="{name}">{data}</script>')


class Moves(SphinxDirective):
    """One piece that moves."""

    required_arguments = 2
    has_content = True

    def run(self):
        chapter, name = self.arguments
        try:
            script = script_of(chapter, name).stem
            html = container(chapter, name)
        except InvalidPiece as error:
            logger.warning("moves: %s", error, location=self.get_location())
            return []
        for file in (__file__, import_module(f"derl.show.{chapter}.moves").__file__):
            self.env.note_dependency(file)
        known = self.env.metadata[self.env.docname]
        known["moves"] = f"{known.get('moves', '')} {script}".strip()
        box = nodes.container(classes=["moves"], ids=[f"moves-{name.replace('_', '-')}"])
        box += self.parse_content_to_nodes()
        box += nodes.raw("", html, format="html")
        return [box]


def add_scripts(app, pagename, templatename, context, doctree):
    """Load the scripts on the pages that use them, and on no other."""
    names = app.env.metadata.get(pagename, {}).get("moves", "").split()
    if names:
        for name in dict.fromkeys([*SHARED, *names]):
            app.add_js_file(f"moves/{name}.js", defer="defer")


def setup(app):
    app.add_directive("moves", Moves)
    app.add_css_file("moves/moves.css")
    app.connect("html-page-context", add_scripts)
    return {"version": "1", "parallel_read_safe": True}
