"""What ties the text of a statement to its checks: a recorded comparison.

A program cannot read whether a text says what its checks check. It can tell that one of the two has changed since they
were compared. A package of claims may hold `compared.csv`, with a row for every statement: the digest of its text, the
digest of what its checks compute with, how the two were compared, and who did it. Only `renewed` writes a row.

The text is the statement with its erratum, what it adds, and every step of its proof with what carries the step. The
other side is, for every check that is a function: what it covers and leaves open, the defaults of its parameters (the
truth), every control with its changed arguments, and a digest of its code, with the helpers and the plain numbers in
the same package that it uses; comments and docstrings do not count. A theorem that Coq has checked has a digest of
its own, see `derl.ledger.kernel`.
"""

from __future__ import annotations

import ast
import csv
import inspect
import io
import tokenize
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from numbers import Number

from derl.boundary import digests
from derl.ledger.arguments import shown, source
from derl.ledger.paper import Paper
from derl.ledger.registry import Check
from derl.ledger.relations import true_in
from derl.ledger.statements import Statement

FILE = "compared.csv"
FIELDS = ("id", "how", "text", "checks", "holds", "by")
HOW = {"formula": "formulas of its text are evaluated against the functions that are checked",
       "formal": "text and formal theorem were compared",
       "reading": "text and checks were read side by side",
       "recorded": "text and checks were recorded as they were, and not read side by side again"}
PLAIN = (Number, str, tuple, frozenset)  # what is part of the code of a check where its module names it
DIGITS = 16  # of SHA-256, in hexadecimal


@dataclass(frozen=True)
class Row:
    """What was compared, as of the last comparison.

    Two digests, how (one of `HOW`), how many relations of the text hold wherever they can be evaluated (see
    `derl.ledger.relations`), and who says so.
    """

    how: str
    text: str
    checks: str
    holds: str
    by: str


def text_of(statement: Statement) -> str:
    """Everything that an entry says in words and formulas, a line each; breaks of lines do not count."""
    lines = [("title", statement.title), ("statement", statement.statement), ("added", statement.added),
             *((f"erratum, {name}", said) for name, said in (statement.erratum or {}).items())]
    for number, step in enumerate(statement.proof, 1):
        carried = [*(f"{name}#{first}-{last}" if first else name for name, first, last in step.check),
                   *step.use, *step.joint, *step.quote]
        lines += [(f"step {number}", step.say), (f"step {number} rests on", ", ".join(carried))]
    return "\n".join(f"{name}: {' '.join(str(said).split())}" for name, said in lines if said)


def checks_of(checks: Iterable[Check]) -> str:
    """What checks and controls compute with, a line or more for each."""
    return "\n".join(line for check in checks if check.formal is None for line in _lines(check))


def _lines(check: Check) -> list[str]:
    words = [check.method, check.arithmetic, check.tier, *(["refutes"] if check.refutes else []),
             *(["breaks the proof"] if check.breaks_proof else [])]
    found = [f"{check.name} ({', '.join(words)}) covers {check.covers}; leaves open: {check.gap}"]
    for name, parameter in inspect.signature(check.function).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            value = parameter.default
            found.append(f"  {name} = {shown(value)}")
            if inspect.isfunction(value) and value.__name__ != "<lambda>":
                found += [f"    {line}" for line in source(value).splitlines()]
    found.append(f"  code: {digest(code_of(check.function))}")
    for control in check.controls:
        found.append(f"  false: {control.plants}{f' ({control.variant})' if control.variant else ''}")
        found += [f"    {line}" for line in control.text.splitlines()]
    return found


def code_of(function: Callable) -> str:
    """The code of a function and of what it uses from its own package, without white space, comments and docstrings."""
    found, left = {}, [inspect.unwrap(function)]
    inside = ".".join(function.__module__.split(".")[:2])
    while left:
        one = left.pop()
        name = f"{one.__module__}.{one.__qualname__}"
        if name in found:
            continue
        found[name] = _bare(source(one))
        for word in _names(one.__code__):
            value = one.__globals__.get(word)
            if inspect.isfunction(value) and f"{value.__module__}.".startswith(f"{inside}."):
                left.append(value)
            elif isinstance(value, PLAIN) and not word.startswith("__"):
                found[f"{one.__module__}.{word}"] = shown(value)
    return "\n".join(f"{name}: {found[name]}" for name in sorted(found))


def _names(code) -> set[str]:
    """Global names that a piece of code uses, those of functions inside it too."""
    return set(code.co_names).union(*(_names(part) for part in code.co_consts if inspect.iscode(part)))


@lru_cache(None)
def _bare(text: str) -> str:
    """Code without white space, comments and docstrings, the same in every version of Python."""
    if not text:
        return ""
    lines = text.splitlines()
    try:
        tree = ast.parse(text)
    except SyntaxError:  # of a lambda in the middle of a call
        return "".join(text.split())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            said = node.body[0]
            for at in range(said.lineno - 1, said.end_lineno):
                lines[at] = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            line = token.start[0] - 1
            lines[line] = lines[line][:token.start[1]] if lines[line] else ""
    return "".join("".join(line.split()) for line in lines)


def digest(text: str) -> str:
    """The first digits of SHA-256."""
    return digests.digest(text.encode())[:DIGITS]


def recorded(paper: Paper) -> dict[str, Row] | None:
    """id -> row of `compared.csv`; None where the package has no such file."""
    file = resources.files(paper.package).joinpath(FILE)
    if not file.is_file():
        return None
    return {row["id"]: Row(*(row.get(name) or "0" for name in FIELDS[1:]))
            for row in csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))}


def present(paper: Paper) -> dict[str, tuple[str, str]]:
    """id -> text and checks as they are now."""
    of_claim: dict[str, list[Check]] = {}
    for check in paper.register().checks:
        of_claim.setdefault(check.claim, []).append(check)
    return {key: (text_of(statement), checks_of(of_claim.get(key, ()))) for key, statement in paper.statements.items()}


def held(statement: Statement, row: Row | None) -> str:
    """What holds the text of a statement to its checks, in words; "" where nothing does."""
    said = []
    if statement.formula:
        many = len(statement.formula)
        said.append(f"{many} formula{'s' * (many > 1)} of it, evaluated against what is checked")
    if row and row.how == "formal":
        said.append(HOW["formal"])
    if row:
        how = "both were read" if row.how == "reading" else "recorded without a second reading"
        said.append(f"a digest that notices a change of the text or of its checks ({how}: {row.by})")
    return "; ".join(said)


def ways(paper: Paper) -> dict[str, str]:
    """id -> the strongest of `HOW` that a program holds: a formal pair, else a formula that is evaluated."""
    formula = {key: "formula" for key, statement in paper.statements.items() if statement.formula}
    return formula | {theorem.claim: "formal" for theorem in paper.formal.index.theorems if theorem.claim}


def problems(rows: Mapping[str, Row] | None, now: Mapping[str, tuple[str, str]]) -> list[str]:
    """Statements that are not as they were compared, one line each; nothing where nothing is recorded."""
    if rows is None:
        return []
    found = [f"{key} is in {FILE} and no statement" for key in rows if key not in now]
    for key, (text, checks) in now.items():
        row = rows.get(key)
        changed = ["it was never compared"] if row is None else [
            f"its {what} changed" for what, old, new in (
                ("text has", row.text, text), ("checks or controls have", row.checks, checks)) if old != digest(new)]
        if row and row.how not in HOW:
            changed.append(f"how it was compared is {row.how!r}; allowed are {', '.join(HOW)}")
        if changed:
            found.append(f"{key}: {' and '.join(changed)} since text and checks were compared{_fewer(row, text)}"
                         if row else f"{key}: text and checks were never compared")
    return found


def _fewer(row: Row, text: str) -> str:
    """How many relations of a changed text no longer hold where they are evaluated; "" where none was lost."""
    true = len(true_in(text)) if row.text != digest(text) else int(row.holds)
    return f"; {row.holds} of its relations held where they were evaluated, {true} do" if true < int(row.holds) else ""


def renewed(rows: Mapping[str, Row] | None, now: Mapping[str, tuple[str, str]], ids: Iterable[str],
            how: Mapping[str, str], by: str) -> dict[str, Row]:
    """The rows after somebody has compared these statements; rows of statements that are gone are left out.

    Parameters
    ----------
    how : mapping
        id -> one of `HOW`; a statement that is not in it was read.
    by : str
        Who compared, or on what occasion.
    """
    kept = {key: row for key, row in (rows or {}).items() if key in now}
    for key in ids:
        text, checks = now[key]
        kept[key] = Row(how.get(key, "reading"), digest(text), digest(checks), str(len(true_in(text))), by)
    return dict(sorted(kept.items()))


def written(rows: Mapping[str, Row]) -> str:
    """The content of `compared.csv`."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(FIELDS)
    writer.writerows([key, row.how, row.text, row.checks, row.holds, row.by] for key, row in rows.items())
    return stream.getvalue()
