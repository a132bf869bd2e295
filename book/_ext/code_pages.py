"""The files of checks, proofs and algorithms as pages with line numbers: a card points at a line without a network.

The page of a Coq file also has the goals after each sentence of the proofs that were recorded (`proofs/record.py`);
code.js shows them.
"""

from __future__ import annotations

import html
import importlib
import json
from pathlib import Path, PurePosixPath

import algorithm_boxes
from csp import policy

from derl.inputs import files

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">{policy}<meta name="viewport" content="width=device-width">
<title>{name}</title><link rel="stylesheet" href="{up}code.css">{script}</head>
<body><h1>{name}</h1><ol aria-label="source">
{lines}
</ol>{goals}</body></html>
"""


def page(name: str, source: str, goals: dict | None = None) -> str:
    """The page of a file, named from the root of the project: line n has the id Ln."""
    up = "../" * len(PurePosixPath(name).parts)
    lines = "\n".join(f'<li id="L{n}">{html.escape(line, quote=False)}' for n, line in
                      enumerate(source.splitlines(), 1))
    kept = json.dumps(goals, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return PAGE.format(policy=policy(), name=html.escape(name), up=up, lines=lines,
                       script=f'<script src="{up}code.js"></script>' if goals else "",
                       goals=f'<script type="application/json" id="goals">{kept}</script>' if goals else "")


def recorded_goals(source: str, recorded: dict) -> dict:
    """The goals that code.js shows on the page of a Coq file.

    Parameters
    ----------
    source : str
    recorded : dict
        A file of `proofs/recorded/`: texts of hypotheses and goals, and theorems with line and proof.

    Returns
    -------
    dict
        `texts`, and `sentences`: the line on which a sentence ends, the sentence, and the goals after it, each the
        numbers of its hypotheses and last of what it claims. A sentence that changes no goal is left out.

    Raises
    ------
    ValueError
        A sentence is not in the source, so the recording is of another one.
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    sentences = []
    for name, theorem in recorded["theorems"].items():
        at = starts[theorem["line"] - 1]
        for n, (said, goals) in enumerate(theorem["proof"]):
            at = source.find(said, at)
            if at < 0:
                raise ValueError(f"the recorded proof of {name} has a sentence that its source has not: {said}")
            at += len(said)
            if n and goals is not None:
                sentences.append([source.count("\n", 0, at) + 1, said, goals])
    return {"texts": recorded["texts"], "sentences": sentences}


def write(named: set[str], root: Path, folder: Path) -> None:
    """One page for each file, named from the root; a file that is not there has none."""
    for name in sorted(named):
        file = root / name
        if file.is_file():
            source, goals = file.read_text(encoding="utf-8"), None
            kept = root / "proofs" / "recorded" / f"{file.parent.name}-{file.stem}.json"
            if file.suffix == ".v" and kept.is_file():
                goals = recorded_goals(source, json.loads(kept.read_text(encoding="utf-8")))
            files.write(folder / PurePosixPath(name).with_suffix(".html"), page(name, source, goals).encode())


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
