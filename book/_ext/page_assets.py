"""Small repairs of the finished HTML: plotly.js only where a page has a plotly figure, wide tables in boxes."""

import re

SCRIPT = "_static/vendor/plotly/plotly.min.js"
TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)


def add_plotly(app, pagename, templatename, context, doctree):
    """Load the vendored plotly.js before the first figure; the theme itself never needs it."""
    if "plotly-graph-div" in context.get("body", ""):
        context["body"] = f'<script src="{context["pathto"](SCRIPT, 1)}"></script>\n{context["body"]}'


def box_tables(app, pagename, templatename, context, doctree):
    """A wide table scrolls inside its own box, which the keyboard can reach; the page never scrolls sideways."""
    if "body" in context:
        box = r'<div class="table-box" tabindex="0" role="region" aria-label="table">\g<0></div>'
        context["body"] = TABLE.sub(box, context["body"])


def setup(app):
    app.connect("html-page-context", add_plotly)
    app.connect("html-page-context", box_tables)
    return {"version": "1", "parallel_read_safe": True}
