"""Comparing a statement with its checks and with Coq, and recording that somebody has done so.

`reviewed` of an entry of claims.yml is the digest of its words, and `reviewed.csv` has one for each pair of a statement
and a theorem of Coq. Where a digest is another one the statement is stale, until `accept` records the present one.
"""

from __future__ import annotations

import csv
import difflib
import inspect
import io
import re
from pathlib import Path

from derl.inputs import Invalid, files
from derl.inputs.git import git
from derl.inputs.mappings import mapping
from derl.judge.kernel import TheoremRow, pair_digest
from derl.ledger.paper import Paper
from derl.ledger.recordings import REVIEWED
from derl.ledger.statements import InvalidClaims, Statement

FIELDS = ("file", "theorem", "claim", "digest")


def due(paper: Paper, statement: Statement) -> list[str]:
    """What nobody has compared as it now is: the words of the statement, and theorems of Coq by name."""
    return [*["its words"] * (statement.reviewed != statement.words),
            *(f"its pair with {theorem.theorem}" for theorem in paper.formal.of(statement.id)
              if paper.formal.reviewed.get(theorem.key) != _pair(paper, statement, theorem))]


def compared(paper: Paper, statement: Statement) -> str:
    """What has to be read before the statement is accepted.

    Its text, how that differs from the text of the last commit, what each check says of itself, and what Coq states.
    """
    checks = [check for check in paper.register().of(statement.id) if check.formal is None]
    parts = [f"{statement.name}: {statement.title}  [{statement.id}]", statement.statement,
             _difference(paper, statement)]
    parts += [f"check {check.name} [{check.method}, covers {check.covers}]\n"
              + inspect.cleandoc(check.function.__doc__ or check.title) for check in checks]
    parts += [_in_coq(paper, theorem) for theorem in paper.formal.of(statement.id)]
    return "\n\n".join(parts)


def accept(paper: Paper, statement: Statement) -> None:
    """Record the words of the statement and its pairs with theorems of Coq as compared.

    Raises
    ------
    InvalidFile
        A file cannot be written.
    """
    place = Path(str(paper.files[statement.chapter]))
    files.write(place, marked(place.read_text(encoding="utf-8"), statement.id, statement.words).encode())
    if not paper.formal.of(statement.id):
        return
    pairs = {theorem.key for theorem in paper.formal.index.theorems if theorem.claim}
    found = {key: kept for key, kept in paper.formal.reviewed.items() if key in pairs}
    found |= {theorem.key: _pair(paper, statement, theorem) for theorem in paper.formal.of(statement.id)}
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows([FIELDS, *([*key, kept] for key, kept in sorted(found.items()))])
    files.write(Path(str(paper.formal.folder)) / REVIEWED, table.getvalue().encode())
    paper.formal.reviewed.update(found)  # the next statement of the same command adds to these


def marked(text: str, key: str, words: str) -> str:
    """The text of a claims.yml with `reviewed` of one entry set; the field stands after `statement` where it is new.

    Raises
    ------
    InvalidClaims
        The entry has no field `statement` on a line of its own.
    """
    line = f'  reviewed: "{words}"\n'
    entry = re.search(rf"^{re.escape(key)}:[ \t]*\n(?:(?:[ \t#].*)?\n)*", f"{text}\n", re.MULTILINE)
    block = entry[0] if entry else ""
    made, count = re.subn(r"^  reviewed:.*\n", line, block, count=1, flags=re.MULTILINE)
    if not count:
        made, count = re.subn(r"^  statement:.*\n(?:(?:   .*)?\n)*", lambda found: _with(found[0], line), block,
                              count=1, flags=re.MULTILINE)
    if not count:
        raise InvalidClaims(f"claims.yml: {key}: add the line {line.strip()} to its entry by hand")
    return (f"{text}\n"[:entry.start()] + made + f"{text}\n"[entry.end():])[:-1]


def _with(block: str, line: str) -> str:
    """A field with another line after it, before the empty lines that end it."""
    field = block.rstrip("\n") + "\n"
    return field + line + block[len(field):]


def _pair(paper: Paper, statement: Statement, theorem: TheoremRow) -> str:
    return pair_digest(statement.statement, theorem, paper.formal.control(theorem))


def _difference(paper: Paper, statement: Statement) -> str:
    """How the text differs from that of the last commit."""
    place = Path(str(paper.files[statement.chapter]))
    before = git(place.parent, "show", f"HEAD:./{place.name}")
    if before is None:
        return "no commit holds an earlier text"
    try:
        entry = mapping(before, "claims.yml of the last commit", InvalidClaims).get(statement.id)
    except Invalid as problem:
        return str(problem)
    if not isinstance(entry, dict) or not isinstance(entry.get("statement"), str):
        return "the last commit does not have this statement"
    lines = difflib.unified_diff(entry["statement"].strip().splitlines(), statement.statement.splitlines(),
                                 "the last commit", "now", lineterm="", n=1)
    return "\n".join(lines) or "the text is that of the last commit"


def _in_coq(paper: Paper, theorem: TheoremRow) -> str:
    control = paper.formal.control(theorem)
    lines = [f"Coq {theorem.theorem} [{theorem.file}:{theorem.line}, {theorem.scope}]", theorem.statement]
    for name, entry in theorem.definitions.items():
        lines += [f"{name}{': ' * bool(entry.models)}{entry.models}", f"  {entry.source}"]
    lines += [f"reading: {theorem.reading or '(none)'}", f"omits: {theorem.omits or 'nothing'}",
              f"false variant: {control.statement if control else '(none)'}"]
    return "\n".join(lines)
