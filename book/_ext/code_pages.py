"""The files of checks, proofs and algorithms as pages with line numbers: a card points at a line without a network."""

from __future__ import annotations

import html
import importlib
from pathlib import Path, PurePosixPath

import algorithm_boxes

from derl.inputs import files

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{name}</title>
<style>
:root {{ color-scheme: light dark; }}
h1 {{ font: 600 1rem sans-serif; margin: 1rem; }}
pre {{ margin: 0; font: 0.85rem/1.45 monospace; counter-reset: line; }}
pre > span {{
  display: block; position: relative; min-height: 1.45em; padding: 0 1rem 0 4.5rem; counter-increment: line;
  scroll-margin-top: 30vh; white-space: pre-wrap;
}}
pre > span::before {{
  content: counter(line); position: absolute; left: 0; width: 3.5rem; text-align: right; opacity: 0.7;
}}
pre > span:target {{ background: Mark; color: MarkText; }}
</style></head>
<body><h1>{name}</h1><pre tabindex="0" aria-label="source">{lines}</pre></body></html>
"""


def page(name: str, source: str) -> str:
    """A file as HTML; line n has the id Ln."""
    lines = "".join(f'<span id="L{n}">{html.escape(line)}</span>' for n, line in enumerate(source.splitlines(), 1))
    return PAGE.format(name=html.escape(name), lines=lines)


def write(named: set[str], root: Path, folder: Path) -> None:
    """One page per file of the ledger, named as there; a file that is not there has none."""
    for name in sorted(named):
        file = root / name
        if file.is_file():
            target = folder / PurePosixPath(name).with_suffix(".html")
            files.write(target, page(name, file.read_text(encoding="utf-8")).encode())


def finished(app, error):
    """Write the pages of all files that the ledger names or pseudocode leads to, and of all Coq files."""
    if error is None and app.builder.name == "html":
        domain = app.env.get_domain("claims")
        names = {check.file for row in domain.ledger.claims.values() for check in row.checks}
        package = Path(importlib.import_module(domain.paper.package.split(".")[0]).__file__).parent
        proofs = {path.relative_to(package.parent).as_posix() for path in package.parent.glob("proofs/*/*.v")}
        names |= proofs | algorithm_boxes.files(Path(app.srcdir))
        write(names - {""}, package.parent, Path(app.outdir, "_static", "code"))


def setup(app):
    app.connect("build-finished", finished)
    return {"version": "1", "parallel_read_safe": True}
