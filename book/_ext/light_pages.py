"""Pages without bytes that no reader needs: indentation between tags, and classes that stand at every formula and link.

`notranslate` and `nohighlight` are said by page.js once for all formulas and code of a page; `internal` and the names
of even and odd rows belong to no style of the book. What was built is changed last, before its policy is written.
"""

from __future__ import annotations

import re
from pathlib import Path

from derl.inputs import files

DROPPED = {"notranslate", "nohighlight", "internal", "row-even", "row-odd"}
CLASS = re.compile(r' class="([^"]*)"')
TAG = re.compile(r"<[a-z][^<>]*\bclass=[^<>]*>")
KEPT = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>)", re.DOTALL)
INDENT = re.compile(r"\n\s+")


def _class(found: re.Match) -> str:
    """The attribute without the classes that are dropped; nothing where none is left."""
    left = [name for name in found[1].split() if name not in DROPPED]
    return f' class="{" ".join(left)}"' if left else ""


def light(html: str) -> str:
    """The same page in fewer bytes; code and scripts stay as they are, letter by letter."""
    parts = KEPT.split(html)  # text, kept, name of its tag, text, ...
    for at in range(0, len(parts), 3):
        parts[at] = INDENT.sub("\n", parts[at])
    html = "".join(part for at, part in enumerate(parts) if at % 3 != 2)
    return TAG.sub(lambda tag: CLASS.sub(_class, tag[0]), html)


def lighten(app, error) -> None:
    if error is None and app.builder.name == "html":
        for page in Path(app.outdir).rglob("*.html"):
            if "_static" not in page.relative_to(app.outdir).parts:
                before = page.read_text(encoding="utf-8")
                after = light(before)
                if after != before:
                    files.write(page, after.encode())


def setup(app):
    app.connect("build-finished", lighten, priority=800)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
