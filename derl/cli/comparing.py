"""The command that records that text and checks of statements were compared: `derl paper compare`."""

from __future__ import annotations

import difflib
import subprocess
import sys
from importlib import resources
from pathlib import Path

import click

from derl.claims import PAPER
from derl.cli.group import complain
from derl.cli.papers import of_folder
from derl.cli.printing import echo
from derl.inputs import Invalid, files
from derl.inputs.mappings import mapping
from derl.ledger import Paper, compared
from derl.ledger.statements import read_entry

COMMITS = 400  # of claims.yml that are searched for the text as it was compared


class NothingCompared(Invalid):
    """The comparison cannot be recorded; the message says why."""


@click.command(epilog="""\b
Examples:
  derl paper compare
  derl paper compare C.3
  derl paper compare C.3 4.2 --renew --by "read after the proof was shortened"
  derl paper compare --renew --by "merged: rewritten in plain English" """)
@click.argument("names", nargs=-1, metavar="[ID | NUMBER]...")
@click.option("--renew", is_flag=True, help="Record that they agree as they now are; without names, all that changed.")
@click.option("--by", metavar="TEXT", default="", help="Who compared, or on what occasion; needed to renew.")
@click.option("--unread", is_flag=True, help="Record without having read; cards say so.")
@click.option("--folder", metavar="FOLDER", help="Of a paper of your own; by default the paper of this book.")
def compare(names, renew, by, unread, folder):
    """Show the statements whose text, checks or controls changed since they were compared, each beside its checks.

    Only --renew records a comparison. Exit status: 0 nothing has changed, or it was recorded; 1 something has.
    """
    if renew and not by.strip():
        raise NothingCompared("--renew needs --by: say who compared text and checks, or on what occasion")
    paper = PAPER if folder is None else of_folder(Path(folder).expanduser().resolve())
    rows, now = compared.recorded(paper) or {}, compared.present(paper)
    changed = {line.partition(":")[0].split()[0]: line for line in compared.problems(rows, now)}
    chosen = list(dict.fromkeys(paper.find(name).id for name in names)) or list(changed)
    if renew:
        ways = dict.fromkeys(now, "recorded") if unread else {}
        there = [key for key in chosen if key in now]
        kept = compared.renewed(rows, now, there, ways | compared.ways(paper), by.strip())
        for key in chosen:
            echo(f"{key}: {kept[key].how}" if key in kept else f"{key}: no statement any more")
        files.write(Path(str(resources.files(paper.package))) / compared.FILE, compared.written(kept).encode())
        return
    for key in chosen:
        if key in now:
            echo(_shown(paper, key, rows.get(key), *now[key], briefly=not names))
    for line in changed.values():
        complain(line)
    sys.exit(int(bool(changed)))


def _shown(paper: Paper, key: str, row: compared.Row | None, text: str, checks: str, briefly: bool) -> str:
    """A statement for somebody who compares: what changed in its text, and the arguments of its checks."""
    before = None if row is None else _as_compared(paper, key, row.text)
    if row is not None and row.text == compared.digest(text):
        said = text if not briefly else "its text is as it was compared"
    elif before is None:
        said = text
    else:
        said = "\n".join(line for line in difflib.unified_diff(before.splitlines(), text.splitlines(), "as compared",
                                                               "now", lineterm="", n=0))
    last = f"last compared: {row.how}, {row.by}" if row else "never compared"
    return f"== {key} ({last})\n{said}\n-- its checks\n{checks or '(none but recorded theorems)'}\n"


def _as_compared(paper: Paper, key: str, wanted: str) -> str | None:
    """The text of a statement as it was compared, from the history of its claims.yml; None where it is not found."""
    chapter = paper.statements[key].chapter
    file = Path(str(paper.files[chapter]))
    try:
        listed = _git(file, "log", f"-{COMMITS}", "--format=%H", "--", file.name)
        for commit in listed.split():
            found = _entry(_git(file, "show", f"{commit}:./{file.name}"), key, paper)
            if found is not None and compared.digest(found) == wanted:
                return found
    except OSError:
        return None
    return None


def _entry(content: str, key: str, paper: Paper) -> str | None:
    """The text of one entry of an old claims.yml; None where it has none or broke the rules of today."""
    try:
        raw = mapping(content, "claims.yml", Invalid)
        return compared.text_of(read_entry(key, raw[key], "", paper.quotations)) if key in raw else None
    except Invalid:
        return None


def _git(file: Path, *words: str) -> str:
    return subprocess.run(["git", "-c", "core.fsmonitor=false", "-C", str(file.parent), *words], capture_output=True,
                          text=True, check=False).stdout
