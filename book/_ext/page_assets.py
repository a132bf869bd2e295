"""Small repairs of the finished HTML.

- A table scrolls in a box that the keyboard reaches; a cell of the head is never an empty `th`.
- No line begins with a full stop: punctuation behind a formula stays with it.
- Of FontAwesome's script (1.4 MB on every page) the book uses twelve pictures; icons.css has its own.
"""

import re
from pathlib import Path

TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
EMPTY_HEAD = re.compile(r"<th\b([^>]*)>((?:\s|<p>|</p>)*)</th>")
INLINE = re.compile(r'((?:<a class="[\w -]*\bsymbol\b[^>]*>)?'
                    r'<span class="(?:said-formula )?math notranslate nohighlight">\\\('
                    r'(?:(?!</span>).)*?</span>(?:</a>)?)([.,;:!?)\]’”]+)', re.DOTALL)
DISPLAY = re.compile(r'(\\\])(</(?:span|div)>)\s*([.,;])(?=\s|<)')
SYMBOL = re.compile(r'(<a class="[\w -]*\bsymbol\b[^"]*" href="[^"]*#sym-([\w-]+)")>')
SPOILED = (('<summary aria-label="Toggle hidden content">', "<summary>"),  # a name that is not what is read
           ('<div role="list" class="citation-list">', '<div class="citation-list">'))  # its entries are no list items
UNUSED = "scripts/fontawesome.js"


def mend(html: str) -> str:
    """The body of a page with all repairs."""
    for spoiled, sound in SPOILED:
        html = html.replace(spoiled, sound)
    html = INLINE.sub(r'<span class="glued">\1\2</span>', html)
    html = DISPLAY.sub(r"\3\1\2", html)
    html = SYMBOL.sub(named, html)
    return TABLE.sub(boxed, html)


def named(match: re.Match) -> str:
    """A link that is one formula has a name for those who hear it: sym-trade-off is "trade off"."""
    return f'{match[1]} aria-label="{match[2].replace("-", " ")}, in the notation">'


def boxed(match: re.Match) -> str:
    table = EMPTY_HEAD.sub(r"<td\1>\2</td>", match.group())
    return f'<div class="table-box" tabindex="0" role="region" aria-label="table">{table}</div>'


def mend_page(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = mend(context["body"])


def trim(app, error):
    script = Path(app.outdir, "_static", UNUSED)
    if error is None and script.is_file():
        script.write_text("// The book draws its icons itself: icons.css\n", encoding="utf-8")


def setup(app):
    app.connect("html-page-context", mend_page)
    app.connect("build-finished", trim)
    return {"version": "1", "parallel_read_safe": True}
