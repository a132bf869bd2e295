"""The formulas and numbers in the prose of a page, and the numbers in its cells.

An item is a formula with a digit, an exponent or a relation, or a number in words. Left out are code, front matter,
addresses, options of directives, and what a role prints. Alternative texts and captions of pictures are prose.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from derl.ledger.latex import SILENT

SHOWN = ("{admonition}", "{dropdown}", "{headline}", "{moves}", "{figure}", "{glossary}")
UNTITLED = ("{headline}", "{moves}", "{figure}", "{glossary}")
FENCE = re.compile(r"^(?P<mark>[`:]{3,})(?P<kind>[^\n]*)\n(?P<body>.*?)^(?P=mark)[ ]*$", re.MULTILINE | re.DOTALL)
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
OPTIONS = re.compile(r"^(?::[^\n]*\n|---\n.*?\n---\n)+")
PICTURE = re.compile(r'\b(?:alt|caption): *"((?:\\.|[^"\\])*)"|^: +(?:alt|caption): *([^"\n][^\n]*)$', re.MULTILINE)
FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
CLAIM = re.compile(r"\{claim\}`(?:[^`<]*<)?([^`<>]*)>?`")
STATEMENT = re.compile(r"^(`{3,}|:{3,})\{claim\} +(\S+)\n(?:[^`].*?\n)??\1[ ]*$", re.MULTILINE | re.DOTALL)
DROPPED = re.compile(r"\{[a-z:]+\}`[^`]*`|`[^`\n]*`|\]\([^)\n]*\)|^:[a-z_-]+:[^\n]*$|^%[^\n]*$|^\([\w-]+\)=$"
                     r"|</?(?:a|script|link|img|div|span)\b[^>\n]*>", re.MULTILINE)
NAMED = re.compile(r"\{claim ([^}]*)\}")
MATHS = re.compile(r"(?<!\\)\$\$(.+?)\$\$|(?<!\\)\$((?:\\.|[^$\\])+)\$", re.DOTALL)
SAYS = re.compile(r"\d|\^|[=<>]|\\(?:leq?|geq?|lt|gt|ll|gg|approx|succeq|preceq|min|max|sqrt|sum|prod|subseteq|ne)"
                  r"(?![a-zA-Z])")
NUMBER = re.compile(r"(?<![\w.])(?:[A-F]\.)?\d+(?:,\d{3})*(?:\.\d+)*(?!\w)")
KINDS = ("theorem", "lemma", "corollary", "definition", "claim", "condition", "algorithm", "remark", "assumption",
         "equation", "inequality", "line")
PLACE = re.compile(rf"\b({'|'.join(KINDS)})s?\s+\(?[A-F]?\.?\d[\d.]*\)?(?:(?:,| and|,? or| to|-)\s*\(?[A-F]?\.?\d[\d.]*"
                   r"\)?)*", re.IGNORECASE)
LAYOUT = re.compile(r"\\tag\{[^}]*\}|\\(?:begin|end)\{[^}]*\}|\\nonumber")
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S")
SAME = {r"\leq": r"\le", r"\geq": r"\ge", r"\lt": "<", r"\gt": ">"}
TURNED = {"<": ">", ">": "<", r"\le": r"\ge", r"\ge": r"\le", r"\leq": r"\ge", r"\geq": r"\le"}
ALIAS = {"horizon": "H", "batch_size": "N", "deployments": "K", "max_deployments": "K"}  # parameters


@dataclass(frozen=True)
class Item:
    """A formula, or a number in words with the kind of place ("lemma", "line") that it is the number of, if any."""

    text: str
    formula: bool
    before: str = ""
    place: str = ""


def prose(text: str) -> str:
    """A page without code; statements that it shows or names become `{claim id}`."""
    def kept(found: re.Match) -> str:
        words = found["kind"].split()
        if not words or words[0] not in SHOWN:
            return "\n\n".join(a or b for a, b in PICTURE.findall(found["body"])).replace("\\\\", "\\") + "\n"
        name = f"{{claim {words[1]}}} " if words[0] == "{headline}" else ""
        return f"{name}{'' if words[0] in UNTITLED else ' '.join(words[1:])}\n\n{found['body']}"

    text = STATEMENT.sub(r"{claim \2}", FRONT.sub("", text))
    for _ in range(3):  # a directive within another
        text = FENCE.sub(kept, text)
    return DROPPED.sub(" ", CLAIM.sub(r"{claim \1}", text))


def items(paragraph: str) -> Iterator[Item]:
    """The items of a paragraph of `prose`."""
    for maths in MATHS.finditer(paragraph):
        body = " ".join((maths[1] or maths[2]).split())
        if SAYS.search(body):
            yield Item(body, True)
    bare = NAMED.sub(" ", MATHS.sub(" X ", paragraph))
    places = list(PLACE.finditer(bare))
    for digits in NUMBER.finditer(bare):
        place = next((place[1].lower() for place in places if place.start() <= digits.start() < place.end()), "")
        if not place and bare[digits.start() - 1:digits.start()] + bare[digits.end():digits.end() + 1] == "()":
            place = "equation"
        yield Item(digits[0], False, " ".join(bare[:digits.start()].split()[-2:]), place)


def variants(text: str) -> Iterator[str]:
    """A formula or number with one of its numbers one higher or lower, or with one of its relations turned round."""
    for found in re.finditer(r"(?<=frac)\d(?=\d)|\d+", text):
        for number in (int(found[0]) + 1, int(found[0]) - 1):
            if number >= 0:
                yield text[:found.start()] + str(number) + text[found.end():]
    for found in re.finditer(r"\\(?:leq?|geq?)(?![a-zA-Z])|[<>]", text):
        yield text[:found.start()] + TURNED[found[0]] + text[found.end():]


def plain(formula: str) -> str:
    """The tokens of a formula between spaces, without what does not change its meaning."""
    formula = SILENT.sub(" ", LAYOUT.sub(" ", formula)).strip().rstrip(".,;")
    formula = re.sub(r"\\[td]?frac\s*(\d)", r"\\frac{\1}", formula)
    formula = re.sub(r"(\\frac\{\d+\})\s*(\d)", r"\1{\2}", formula)
    tokens = f" {' '.join(SAME.get(token, token) for token in TOKEN.findall(formula))} "
    while (shorter := re.sub(r" \{ (\S+) \} ", r" \1 ", tokens)) != tokens:
        tokens = shorter
    return tokens


# --------------------------------------------------------------------------------------------------------- cells


@cache
def in_cells(text: str, page: str) -> tuple[frozenset, frozenset]:
    """All numbers in the cells of a part of a page, and all (name, number) of assignments, arguments and loops."""
    numbers, pairs = set(), set()
    for cell in CELL.findall(text):
        for node in ast.walk(ast.parse(OPTIONS.sub("", cell))):
            numbers.add(constant(node))
            if isinstance(node, ast.Call):
                pairs.update(_pairs(ast.Tuple([ast.Name(name) for name in _parameters(ast.unparse(node.func), page)]),
                                    ast.Tuple(node.args)))
                pairs.update(pair for word in node.keywords for pair in _pairs(ast.Name(word.arg), word.value))
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                pairs.update(_pairs(node.targets[0], node.value))
            elif isinstance(node, ast.For | ast.comprehension):
                pairs.update(pair for each in getattr(node.iter, "elts", ()) for pair in _pairs(node.target, each))
    return frozenset(numbers - {None}), frozenset(pairs)


def constant(node: ast.AST) -> Fraction | None:
    """The value of a number, a fraction, a power or a negative in code; None for anything else."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inside = constant(node.operand)
        return None if inside is None else -inside
    if isinstance(node, ast.BinOp):
        one, other = constant(node.left), constant(node.right)
        if one and other and isinstance(node.op, ast.Pow) and other.denominator == 1 and abs(other) < 64:
            return one ** int(other)
        if one is not None and other and isinstance(node.op, ast.Div):
            return one / other
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fraction":
        parts = [constant(arg) for arg in node.args]
        if len(parts) == 2 and None not in parts and parts[1]:
            return parts[0] / parts[1]
    return None


def _pairs(target: ast.AST, value: ast.AST) -> Iterator[tuple[str, Fraction]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts, strict=False):
            yield from _pairs(one, other)
    elif isinstance(target, ast.Name) and target.id and (number := constant(value)) is not None:
        yield ALIAS.get(target.id, target.id), number


@cache
def _parameters(call: str, page: str) -> tuple[str, ...]:
    """The names of the parameters of a function of this package that a cell of a page calls."""
    first, *rest = call.split(".")
    target = _imported(page).get(first)
    for name in rest:
        target = getattr(target, name, None)
    try:
        return tuple(inspect.signature(target).parameters)
    except (TypeError, ValueError):
        return ()


@cache
def _imported(page: str) -> dict:
    """What the cells of a page import from this package, by name."""
    found = {}
    for line in re.findall(r"^from derl[\w.]* import [\w., ]+$", page, re.MULTILINE):
        for node in ast.parse(line).body:
            module = importlib.import_module(node.module)
            for alias in node.names:
                found[alias.asname or alias.name] = getattr(module, alias.name, None) or importlib.import_module(
                    f"{node.module}.{alias.name}")
    return found
