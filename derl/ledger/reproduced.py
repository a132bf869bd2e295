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

from derl.boundary import Invalid, files, shown
from derl.boundary.digests import contents, digest, untimed
from derl.ledger.ledger import Ledger
from derl.ledger.rows import plain

SCHEMA = 1
LARGEST = 10**7  # bytes of a certificate that are read
FIELDS = {"schema": int, "commit": str, "environment": dict, "steps": list, "everywhere": dict, "here": dict}
STEP = {"name": str, "command": str, "minutes": (int, float), "passed": bool}
NEEDED = ("verify", "book", "test")  # steps without which nothing is confirmed
FULL = "verdicts, tier full"
SILENT = re.compile(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)


class InvalidCertificate(Invalid):
    """A file that is no certificate of a reproduction; the message is one line."""


def of_files(root: Path, names: Iterable[str]) -> str:
    """Of files by name and content."""
    return digest(contents(root, (root / name for name in names)))


def of_verdicts(ledger: Ledger) -> str:
    """Of the words: verdicts, and what became of every check and every control; no measured number is in it."""
    return digest({key: [row.verdict, row.expected, row.scope_gap, sorted(
        [check.name, check.method, check.outcome, [control.outcome for control in check.controls]]
        for check in row.checks)] for key, row in ledger.claims.items()})


def of_numbers(ledger: Ledger) -> str:
    """Of all that was found, but for the times."""
    return digest(untimed(plain(ledger.claims)))


def of_words(page: str) -> str:
    """Of the words of a page: without its scripts and pictures, and without numbers."""
    text = html.unescape(SILENT.sub(" ", page))
    return digest(" ".join(re.findall(r"[^\W\d_]+", text)).encode())


def read(path) -> dict:
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
    problem = _problem(body)
    if problem:
        raise InvalidCertificate(f"{path} is no certificate of a reproduction: {problem}")
    return body


def _problem(body) -> str:
    if not isinstance(body, dict) or set(body) != set(FIELDS):
        return f"it must have {', '.join(FIELDS)}"
    for name, kind in FIELDS.items():
        if not isinstance(body[name], kind):
            return f"{name} is {shown(body[name])}"
    if body["schema"] != SCHEMA:
        return f"its schema is {shown(body['schema'])}; it must be {SCHEMA}"
    for part in ("everywhere", "here", "environment"):
        for name, value in body[part].items():
            if not isinstance(value, str):
                return f"{part}: {shown(name)} is {shown(value)}; it must be a text"
    for step in body["steps"]:
        if not isinstance(step, dict) or any(not isinstance(step.get(name), kind) for name, kind in STEP.items()):
            return f"a step is {shown(step)}"
    return "" if body["everywhere"] else "it has no digest"


def compared(mine: dict, yours: dict) -> tuple[list[str], bool]:
    """What two certificates say of each other, line by line, and whether they confirm each other.

    They do where both are of the same known commit without changes, the checks of the full tier, the book and the tests
    of both have passed, as all their other steps, and all digests that are the same everywhere are there in both and
    equal.
    """
    lines, good = [], True
    commits = {mine["commit"], yours["commit"]}
    if len(commits) > 1 or "+" in "".join(commits) or commits & {"unknown", "none", ""}:
        lines.append(f"NOT  commit: {mine['commit']} and {yours['commit']} (a + means changed files)")
        good = False
    made = [{step["name"] for step in one["steps"]} for one in (mine, yours)]
    for who, one, names in (("first", mine, made[0]), ("second", yours, made[1])):
        failed = [step["name"] for step in one["steps"] if not step["passed"]]
        failed += [name for name in NEEDED if name not in names] + [FULL] * (FULL not in one["everywhere"])
        if failed:
            lines.append(f"NOT  passed or there in the {who}: {', '.join(failed)}")
            good = False
    for name in sorted(made[0] ^ made[1]):
        lines.append(f"     {name} was run in one of them only")
    for part, must in (("everywhere", True), ("here", False)):
        for name in sorted(mine[part].keys() | yours[part].keys()):
            pair = mine[part].get(name), yours[part].get(name)
            same = pair[0] == pair[1]
            mark = "same" if same else "NOT " if must else "    "
            why = "" if same else " differs" if None not in pair else " is in one of them only"
            may = "" if must or same else ", as it may"
            lines.append(f"{mark} {name}{why}{may}")
            good &= same or not must
    for name in sorted(mine["environment"].keys() | yours["environment"].keys()):
        pair = mine["environment"].get(name, "absent"), yours["environment"].get(name, "absent")
        if pair[0] != pair[1]:
            lines.append(f"     {name}: {pair[0]} and {pair[1]}")
    return lines, good
