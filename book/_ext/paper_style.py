"""The style of statements, verdicts and checks for a paper that is not this book: book.css is put into its site."""

from pathlib import Path

from sphinx.util.fileutil import copy_asset_file

STYLE = Path(__file__).parents[1] / "_static" / "book.css"


def copy(app, exception):
    """Put the style beside the other static files of a site that was built."""
    if exception is None and app.builder.format == "html":
        copy_asset_file(STYLE, Path(app.outdir, "_static"))


def setup(app):
    app.add_css_file(STYLE.name)
    app.connect("build-finished", copy)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
