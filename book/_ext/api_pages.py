"""The reference of the module, from its docstrings, by autodoc, autosummary and napoleon.

Docstrings of `derl` are plain text: |phi|, s', K^+ and indented formulas mean what a reader of the source sees. Before
napoleon reads their sections they are made into reStructuredText that says the same.
"""

from __future__ import annotations

import re

SECTION = re.compile(r"^-{3,}\s*$")
ITEM = re.compile(r"\s+\d+\. ")
FREE = {"Notes", "Examples"}  # sections whose text is text; in the others indentation belongs to an entry
SPECIAL = re.compile(r"([\\*|])|(_)(?=\W|$)")


def escaped(line: str) -> str:
    """A line of text with literal names in double backticks and nothing else that means something."""
    parts = line.split("`")
    return "".join(f"``{part}``" if i % 2 else SPECIAL.sub(r"\\\1\2", part) for i, part in enumerate(parts)) \
        if len(parts) % 2 else SPECIAL.sub(r"\\\1\2", line.replace("`", "'"))


def as_rst(lines: list[str]) -> list[str]:
    """A docstring in reStructuredText: formulas that are set off become literal blocks, examples stay as they are."""
    found, free, inside = [], True, False
    for i, line in enumerate(lines):
        after, before = (lines[i + 1] if i + 1 < len(lines) else ""), (lines[i - 1] if i else "")
        if SECTION.match(after) and line.strip():
            free, inside = line.strip() in FREE, False
            found.append(line)
        elif SECTION.match(line):
            found.append(line)
        elif line.lstrip().startswith(">>>") or (inside == "example" and line.strip()):
            inside = "example"
            found.append(line)
        elif free and line.startswith("    ") and (inside == "formula" or not before.strip()):
            if inside != "formula":
                found += ["::", ""]
            inside = "formula"
            found.append(line)
        elif not line.strip():
            inside = inside if inside == "formula" else False
            found.append(line)
        else:
            if before.strip() and (inside == "formula" or ITEM.match(line) and not ITEM.match(before)):
                found.append("")
            inside = False
            found.append(escaped(line))
    return found


def mend(app, what, name, obj, options, lines):
    lines[:] = as_rst(lines)


def setup(app):
    for extension in ("sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon"):
        app.setup_extension(extension)
    app.config.autosummary_generate = False
    app.config.autodoc_typehints = "none"
    app.config.autodoc_member_order = "bysource"
    app.config.napoleon_google_docstring = False
    app.config.napoleon_use_rtype = False
    app.connect("autodoc-process-docstring", mend, priority=100)
    return {"version": "1", "parallel_read_safe": True}
