"""Pages without bytes that no reader needs; what was built is changed last, before its policy is written.

- Comments and the indentation between tags go, except in code and in scripts.
- So do classes that belong to no style: `notranslate` and `nohighlight`, which page.js says once for all formulas and
  code of a page, `internal`, `reference` at a link within the book, and the names of even and odd rows.
- Code of one word is one element, and within code the marks of names and punctuation go, whose colour is that of plain
  code.
- The arrow of a box that opens is drawn by icons.css, and the only class of a span or of an entry in a list, which a
  page has by the hundred, needs no quotes.
- The contents of a page stand beside it; a second list for paper, which has no page numbers, goes.
"""

from __future__ import annotations

import re
from pathlib import Path

from light_figures import rewrite

DROPPED = {"notranslate", "nohighlight", "internal", "row-even", "row-odd"}
CLASS = re.compile(r' class="([^"]*)"')
WITHIN = re.compile(r'(<a class="[^"]*)\breference\b(?!(?: [\w-]+)* (?:external|download)\b) ?')
WORD = re.compile(r'<code class="docutils literal"><span class="pre">([^<]*)</span></code>')
FAINT = re.compile(r'<span class="(?:n|p|nn|w)">([^<]*)</span>')
TAG = re.compile(r"<[a-z][^<>]*\bclass=[^<>]*>")
KEPT = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>)", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ARROW = re.compile(r'(<span class="sd-summary-state-marker sd-summary-chevron-right">)<svg\b.*?</svg>', re.DOTALL)
OFTEN = re.compile(r'<(span|li) class="([\w-]+)">')
TWICE = re.compile(r'<div id="jb-print-toc">.*?</nav>\s*</div>', re.DOTALL)
INDENT = re.compile(r"\n\s+")


def _class(found: re.Match) -> str:
    """The attribute without the classes that are dropped; nothing where none is left."""
    left = [name for name in found[1].split() if name not in DROPPED]
    return f' class="{" ".join(left)}"' if left else ""


def light(html: str) -> str:
    """The same page in fewer bytes; code and scripts stay as they are, letter by letter."""
    parts = KEPT.split(TWICE.sub("", html))  # text, kept, name of its tag, text, ...
    for at in range(0, len(parts), 3):
        parts[at] = INDENT.sub("\n", COMMENT.sub("", parts[at]))
    html = "".join(part for at, part in enumerate(parts) if at % 3 != 2)
    html = ARROW.sub(r"\1", html)
    html = WITHIN.sub(r"\1", FAINT.sub(r"\1", html))
    html = TAG.sub(lambda tag: CLASS.sub(_class, tag[0]), html)
    return OFTEN.sub(r"<\1 class=\2>", WORD.sub(r'<code class="literal pre">\1</code>', html))


def lighten(app, error) -> None:
    if error is None and app.builder.name == "html":
        pages = Path(app.outdir).rglob("*.html")
        rewrite((page for page in pages if "_static" not in page.relative_to(app.outdir).parts), light)


def setup(app):
    app.connect("build-finished", lighten, priority=800)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
