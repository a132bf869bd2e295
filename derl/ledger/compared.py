"""What ties the text of a statement to its checks: a recorded comparison.

A program cannot read whether a text says what its checks check. It can tell that one of the two has changed since they
were compared. A package of claims may hold `compared.csv`, with a row for every statement: the digest of its text, the
digest of what its checks compute with, how the two were compared, and who did it. Only `renewed` writes a row.

The text is the statement with its erratum, what it adds, and every step of its proof with what carries the step. The
other side is, for every check that is a function: what it covers and leaves open, the defaults of its parameters (the
truth), every control with its changed arguments, and a digest of its code, with the helpers, classes, symbols, arrays
and plain values in the same package that it uses. Comments and docstrings do not count. A theorem that Coq has checked
has a digest of its own, see `derl.ledger.kernel`.
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

from derl.inputs import digests
from derl.inputs.files import table
from derl.ledger.arguments import shown, source
from derl.ledger.paper import Paper
from derl.ledger.registry import Check
from derl.ledger.relations import true_in
from derl.ledger.statements import InvalidClaims, Statement

FILE = "compared.csv"
FIELDS = ("id", "how", "text", "checks", "holds", "by")
HOW = {"formula": "formulas of its text are evaluated against the functions that are checked",
       "formal": "text and formal theorem were compared",
       "reading": "text and checks were read side by side",
       "recorded": "text and checks were recorded as they were, and not read side by side again"}
PLAIN = (Number, str, tuple, frozenset, set, list, dict, range)  # part of the code of a check whose module names them
LAYOUT = {tokenize.INDENT: "{", tokenize.DEDENT: "}", tokenize.NEWLINE: ";"}  # where blocks and lines begin and end
SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)
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
        carried = [*(f"{name}#{part}" if part else name for name, part in step.check),
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
                found.append(f"    with what it uses: {digest(code_of(value))}")
    found.append(f"  code: {digest(code_of(check.function))}")
    for control in check.controls:
        found.append(f"  false: {control.plants}{f' ({control.variant})' if control.variant else ''}")
        found += [f"    {line}" for line in control.text.splitlines()]
    return found


def code_of(function: Callable) -> str:
    """The code of a function and of what it uses from its own package, without comments and docstrings."""
    found, left = {}, [inspect.unwrap(function)]
    inside = ".".join(function.__module__.split(".")[:2])
    while left:
        one = left.pop()
        name = f"{one.__module__}.{one.__qualname__}"
        if name in found:
            continue
        found[name] = _bare(source(one))
        if inspect.isclass(one):
            left += [inspect.unwrap(part) for part in vars(one).values() if inspect.isfunction(part)]
            continue
        for word in _names(one.__code__):
            value = one.__globals__.get(word)
            inner = inspect.unwrap(value) if callable(value) else None
            if inspect.isfunction(inner) or inspect.isclass(inner):
                left += [inner] if f"{inner.__module__}.".startswith(f"{inside}.") else []
            elif not word.startswith("__") and (told := _told(value)):
                found[f"{one.__module__}.{word}"] = told
    return "\n".join(f"{name}: {found[name]}" for name in sorted(found))


def _told(value) -> str:
    """A value that a module names, in words that change where it does; of symbols with what is supposed of them."""
    if hasattr(value, "free_symbols"):
        supposed = {str(symbol): sorted(getattr(symbol, "assumptions0", {}).items()) for symbol in value.free_symbols}
        return f"{value} with {sorted(supposed.items())}"
    if hasattr(value, "tolist"):
        return str(value.tolist())
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    return shown(value) if isinstance(value, PLAIN) else ""


def _names(code) -> set[str]:
    """Global names that a piece of code uses, those of functions inside it too."""
    return set(code.co_names).union(*(_names(part) for part in code.co_consts if inspect.iscode(part)))


@lru_cache(None)
def _bare(text: str) -> str:
    """The words of a piece of code and where its blocks begin and end, without comments and docstrings.

    It is the same in every version of Python; newer ones take the text of an f-string apart, and it is put together.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:  # of a lambda in the middle of a call
        return " ".join(text.split())
    said = {(node.body[0].lineno, node.body[0].col_offset) for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None}
    lines, words, depth, began = text.splitlines(keepends=True), [], 0, (1, 0)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":
            began = token.start if not depth else began
            depth += 1
        elif kind == "FSTRING_END":
            depth -= 1
            words += [] if depth else [_between(lines, began, token.end)]
        elif not depth and token.type not in SILENT and not (token.type == tokenize.STRING and token.start in said):
            word = LAYOUT.get(token.type, token.string)
            if word != ";" or words and words[-1] not in ("{", "}", ";"):  # a docstring leaves its line behind
                words.append(word)
    return " ".join(words)


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text from one place to another."""
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1]:end[1]]
    return "".join([lines[start[0] - 1][start[1]:], *lines[start[0]:end[0] - 1], lines[end[0] - 1][:end[1]]])


def digest(text: str) -> str:
    """The first digits of SHA-256."""
    return digests.digest(text.encode())[:DIGITS]


def recorded(paper: Paper) -> dict[str, Row] | None:
    """id -> row of `compared.csv`; None where the package has no such file.

    Raises
    ------
    InvalidClaims
        The file is no such table; the message names the line.
    """
    file = resources.files(paper.package).joinpath(FILE)
    if not file.is_file():
        return None
    try:
        found = csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))
        rows, wrong = [*found], tuple(found.fieldnames or ()) != FIELDS
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidClaims(f"{FILE}: {error}") from None
    if wrong:
        raise InvalidClaims(f"{FILE} begins with {', '.join(found.fieldnames or ()) or 'nothing'}; "
                            f"its first line must be {','.join(FIELDS)}")
    found = {}
    for line, row in enumerate(rows, 2):
        if None in row or None in row.values() or not row["id"]:
            raise InvalidClaims(f"{FILE}, line {line}: a row has {len(FIELDS)} fields, the first is a statement's id")
        if row["id"] in found:
            raise InvalidClaims(f"{FILE}, line {line}: {row['id']} has a row already")
        if row["how"] not in HOW or not row["holds"].isdecimal():
            raise InvalidClaims(f"{FILE}, line {line}: `how` is one of {', '.join(HOW)}, and `holds` a whole number")
        found[row["id"]] = Row(*(row[name] for name in FIELDS[1:]))
    return found


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
        said.append(f"{many} formula{'s' * (many > 1)} of it, evaluated against a check or a function of the library")
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
    return table(FIELDS, ([key, row.how, row.text, row.checks, row.holds, row.by] for key, row in rows.items()))
