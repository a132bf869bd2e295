"""Figures for two widths of screen: `derl.show.drawing.two_widths` writes both into one file, the page takes its pick.

The wide drawing keeps its name, the narrow one stands beside it as NAME-narrow.svg.
"""

from __future__ import annotations

import re
from pathlib import Path

from derl.inputs import files
from derl.show.drawing import two_widths

BREAKPOINT = 600  # CSS pixels: below this the narrow drawing is shown
IMAGE = re.compile(r'<img\b[^>]*\bsrc="([^"]*_images/[^"/]*)\.svg"[^>]*>')


def with_choice(body: str, has_narrow) -> str:
    """The HTML of a page with a `picture` around each image that was drawn twice.

    Parameters
    ----------
    has_narrow : callable
        Whether the file of this name, without folder and ending, was drawn twice.
    """
    def chosen(image):
        if not has_narrow(Path(image[1]).name):
            return image[0]
        return (f'<picture><source media="(max-width: {BREAKPOINT}px)" srcset="{image[1]}-narrow.svg">'
                f"{image[0]}</picture>")
    return IMAGE.sub(chosen, body)


def write_choice(app, pagename, templatename, context, doctree):
    """Change the page that is about to be written."""
    twice = app.env.phone_figures = getattr(app.env, "phone_figures", {})
    paths = {Path(name).stem: Path(app.srcdir, path) for path, (_, name) in app.env.images.items()}

    def has_narrow(stem):
        if stem not in twice:
            path = paths.get(stem)
            twice[stem] = path is not None and two_widths.OPENING in path.read_text(encoding="utf-8")
        return twice[stem]
    if "body" in context:
        context["body"] = with_choice(context["body"], has_narrow)


def take_apart(app, exception):
    """Split the files that Sphinx has copied."""
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir, "_images").glob("*.svg"):
            wide, narrow = two_widths.apart(path.read_text(encoding="utf-8"))
            if narrow is not None:
                files.write(path.with_name(f"{path.stem}-narrow.svg"), narrow.encode())
                files.write(path, wide.encode())


def setup(app):
    app.connect("html-page-context", write_choice)
    app.connect("build-finished", take_apart)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
