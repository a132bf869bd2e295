"""A certificate of a whole reproduction, and what two of them have in common.

A certificate has steps (command, minutes, outcome), digests that are the same on every machine (`everywhere`: sources,
verdicts, recorded results, formal statements), and digests that may differ from processor to processor, or from run to
run (`here`: measured numbers, rendered pages).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from pathlib import Path

from derl.inputs import Invalid, files, shown
from derl.inputs.digests import contents, digest, untimed
from derl.ledger.ledger import Ledger
from derl.ledger.rows import Malformed, Row, plain, read, row

SCHEMA = 1
LARGEST = 10**7  # bytes of a certificate that are read
NEEDED = ("verify", "book", "test")  # steps without which nothing is confirmed
FULL = "verdicts, tier full"
SILENT = re.compile(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)


class InvalidCertificate(Invalid):
    """A file that is no certificate of a reproduction; the message is one line."""


@row
class CommandRow(Row):
    """One step of a reproduction: a command, and what became of it."""

    CALLED = "a step of"
    name: str
    command: str
    minutes: float
    passed: bool


@row
class Certificate(Row):
    """A reproduction: its steps, digests that are the same everywhere, and digests that may differ."""

    CALLED = "the certificate"
    schema: int
    commit: str
    environment: dict[str, str]
    steps: tuple[CommandRow, ...]
    everywhere: dict[str, str]
    here: dict[str, str]


def of_files(root: Path, names: Iterable[str]) -> str:
    """Of files by name and content."""
    return digest(contents(root, (root / name for name in names)))


def of_verdicts(ledger: Ledger) -> str:
    """Of the words: verdicts, and what became of every check and every control; no measured number is in it."""
    return digest({key: [row.verdict, row.expected, row.scope_gap, sorted(
        [check.name, check.method, check.outcome, [control.outcome for control in check.controls]]
        for check in row.checks)] for key, row in ledger.claims.items()})


def of_numbers(ledger: Ledger) -> str:
    """Digest of all that was found, except the times."""
    return digest(untimed(plain(ledger.claims)))


def of_words(page: str) -> str:
    """Of the words of a page: without its scripts and pictures, and without numbers."""
    text = html.unescape(SILENT.sub(" ", page))
    return digest(" ".join(re.findall(r"[^\W\d_]+", text)).encode())


def load(path) -> Certificate:
    """A certificate from its file.

    Raises
    ------
    InvalidCertificate
    """
    content = files.read(path, LARGEST, InvalidCertificate)
    try:
        body = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise InvalidCertificate(f"{path} is no whole JSON file; run `make reproduce` again") from None
    try:
        found = read(Certificate, body)
        if found.schema != SCHEMA:
            raise Malformed(f"its schema is {found.schema}; it must be {SCHEMA}")
        if more := body.keys() - found.keys():
            raise Malformed(f"it has the unknown field {shown(min(more))}")
        if not found.everywhere:
            raise Malformed("it has no digest")
    except Malformed as error:
        raise InvalidCertificate(f"{path} is no certificate of a reproduction: {error}") from None
    return found


def compared(mine: Certificate, yours: Certificate) -> tuple[list[str], bool]:
    """What two certificates say of each other, line by line, and whether they confirm each other.

    They do where both are of the same known commit without changes, the checks of the full tier, the book and the tests
    of both have passed, as all their other steps, and all digests that are the same everywhere are there in both and
    equal.
    """
    lines, good = [], True
    commits = {mine.commit, yours.commit}
    if len(commits) > 1 or "+" in "".join(commits) or commits & {"unknown", "none", ""}:
        lines.append(f"NOT  commit: {mine.commit} and {yours.commit} (a + means changed files)")
        good = False
    made = [{step.name for step in one.steps} for one in (mine, yours)]
    for who, one, names in (("first", mine, made[0]), ("second", yours, made[1])):
        failed = [step.name for step in one.steps if not step.passed]
        failed += [name for name in NEEDED if name not in names] + [FULL] * (FULL not in one.everywhere)
        if failed:
            lines.append(f"NOT  passed or there in the {who}: {', '.join(failed)}")
            good = False
    for name in sorted(made[0] ^ made[1]):
        lines.append(f"     {name} was run in one of them only")
    for one, other, must in ((mine.everywhere, yours.everywhere, True), (mine.here, yours.here, False)):
        for name in sorted(one.keys() | other.keys()):
            pair = one.get(name), other.get(name)
            same = pair[0] == pair[1]
            mark = "same" if same else "NOT " if must else "    "
            why = "" if same else " differs" if None not in pair else " is in one of them only"
            may = "" if must or same else ", as it may"
            lines.append(f"{mark} {name}{why}{may}")
            good &= same or not must
    for name in sorted(mine.environment.keys() | yours.environment.keys()):
        pair = mine.environment.get(name, "absent"), yours.environment.get(name, "absent")
        if pair[0] != pair[1]:
            lines.append(f"     {name}: {pair[0]} and {pair[1]}")
    return lines, good
