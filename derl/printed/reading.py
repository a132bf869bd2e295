r"""Reading formulas written in LaTeX: tokens with their places, and the tree that they make.

Sums, products, powers, fractions, roots, logarithms, exponentials, minima and maxima, rounding, absolute values,
binomials, factorials, finite sums. A letter is a letter with what is attached to it: `c_K` is "c_K", `\nu_{\min}` is
"nu_min", `\beta'` is "beta'", `\tilde h` is "tilde h", `x^*` is "x^*", `\mathcal K` is "mathcal K". Which letters there
are is not asked. `read` refuses everything else with `Unreadable`; nobody guesses.

sympy's `parse_latex` is not used: it needs one exact version of antlr or guesses where a text is ambiguous, and it does
not read `c_KdH`, `\tilde O` or `\min\{a,b\}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from derl.exact.base import Invalid

GREEK = frozenset("alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma "
                  "tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell".split())
ACCENTS = frozenset("tilde hat bar underline overline mathcal mathbb mathrm mathbf boldsymbol".split())
FRACTIONS = frozenset(("frac", "tfrac", "dfrac"))
FUNCTIONS = frozenset(("log", "exp", "sin", "cos"))
EXTREMES = frozenset(("min", "max"))
BEGINS = GREEK | ACCENTS | FRACTIONS | FUNCTIONS | EXTREMES | {"sqrt", "binom", "sum"}  # commands that begin a factor
BRACKETS = frozenset(("(", "[", "{", r"\{", r"\lceil", r"\lfloor"))  # that do
MARKS = frozenset(("*", "+", "-", r"\circ", r"\top", r"\dagger", r"\complement"))  # as an exponent: part of a name
CLOSING = {"(": ")", "[": "]", r"\{": r"\}", r"\lceil": r"\rceil", r"\lfloor": r"\rfloor", "|": "|"}
TOKEN = re.compile(r"""
    (?P<silent>\s+ | ~ | \\(?:[,;:!\ ]|quad\b|qquad\b|left\b|right\b|limits\b|displaystyle\b|textstyle\b|nonumber\b|
               (?:big|Big|bigg|Bigg)[lrm]?(?![A-Za-z])|tag\{[^{}]*\}))
  | (?P<words>\\(?:text|operatorname)\{[^{}]*\} | \\(?:begin|end)\{[^{}]*\}(?:\{[^{}]*\})?)
  | (?P<number>[0-9]{1,3}(?:(?:\{,\}|\\,|\\;)[0-9]{3}(?![0-9]))+(?:\.[0-9]+)? | [0-9]+(?:\.[0-9]+)?)
  | (?P<command>\\[A-Za-z]+ | \\.)
  | (?P<other>:= | .)""", re.VERBOSE | re.DOTALL)
SAME = {r"\leq": r"\le", r"\geq": r"\ge", r"\lt": "<", r"\gt": ">", r"\neq": r"\ne", r"\lbrace": r"\{",
        r"\rbrace": r"\}"}
ARGUMENTS = {"^": 1, "_": 1, r"\sqrt": 1, r"\frac": 2, r"\tfrac": 2, r"\dfrac": 2, r"\binom": 2,
             **{f"\\{accent}": 1 for accent in ACCENTS}}  # how many follow
NUMBER = re.compile(r"[0-9][0-9{},.;\\]*")
SCIENTIFIC = re.compile(r"[0-9][eE][+-]?[0-9]")
WORD = re.compile(r"\{[A-Za-z]{3,}\}")  # r^{plan}
DEEPEST = 60  # formulas within each other
LONGEST = 1000  # signs of a number


class Unreadable(Invalid):
    """The text holds no such formula, or one that is not arithmetic; the message says what and where."""


@dataclass(frozen=True)
class Token:
    """A token of a formula: its text, and where it begins and ends in the text of which it is a part."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Node:
    """A part of a formula.

    Attributes
    ----------
    kind : str
        "number", "letter", "given" (a piece whose value is given), or what is done to the parts: "sum", "negative",
        "product", "quotient", "power", "root", "log", "exp", "sin", "cos", "min", "max", "ceil", "floor", "abs",
        "binomial", "factorial", "apply" (a letter to arguments), "powered" (that to a power), "series" (a sum with
        bounds), "order" (of something).
    value : Fraction or str
        The number; the name of the letter, or the text of the piece. Of a quotient: the letter that is applied in what
        is divided by; then that has to be a function, since `a/d(H+1)` is not clear.
    parts : tuple of Node
    """

    kind: str
    value: Fraction | str = ""
    parts: tuple[Node, ...] = ()

    def letters(self) -> Iterator[str]:
        """The letters in it, each as often as it occurs; the index of a series is none of them."""
        if self.kind in ("letter", "apply", "powered"):
            yield self.value
        bound = self.value if self.kind == "series" else None
        for part in self.parts:
            yield from (name for name in part.letters() if name != bound)


def tokens(text: str, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
    r"""The tokens of a part of a text; spaces, sizes of brackets and tags are none.

    A digit that is a whole argument is a token of its own, as TeX reads it: `\frac12` is a half, `x^10` is `x^1 0`.
    """
    return tuple(_tokens(text, start, len(text) if end is None else end))


def _tokens(text: str, start: int, end: int) -> Iterator[Token]:
    owed = 0  # arguments of what was before
    for found in TOKEN.finditer(text, start, end):
        if found["silent"]:
            continue
        at, sign = found.start(), found[0]
        while owed and len(sign) > 1 and sign.isdigit() and sign.isascii():
            yield Token(sign[0], at, at + 1)
            at, sign, owed = at + 1, sign[1:], owed - 1
        yield Token(SAME.get(sign, sign), at, found.end())
        owed = ARGUMENTS.get(sign, 0 if sign in "{[" else max(owed - 1, 0))


def is_number(token: str) -> bool:
    """Whether a token is a number."""
    return NUMBER.fullmatch(token) is not None


def number(token: str) -> Fraction:
    r"""The number that a token is: `0.5`, `1{,}024`, `850\,000`.

    Raises
    ------
    Unreadable
    """
    if len(token) > LONGEST:
        raise Unreadable(f"a number of more than {LONGEST} signs")
    return Fraction(re.sub(r"\{,\}|\\.", "", token))


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The tokens of a formula without their places."""
    return tuple(token.text for token in tokens(text))


@lru_cache(maxsize=16384)
def read(formula: tuple[str, ...], given: tuple[str, ...] = ()) -> Node:
    r"""The tree of a formula, given as its tokens.

    Parameters
    ----------
    formula : tuple of str
        From `words` or `tokens`.
    given : tuple of str
        Pieces of LaTeX that are read as one part each, such as `\det A`; the longest is looked for first.

    Raises
    ------
    Unreadable
    """
    return _Reader(formula, given).whole()


class _Reader:
    def __init__(self, formula: tuple[str, ...], given: tuple[str, ...]):
        self.tokens = list(_printed(list(_with_pieces(formula, given))))
        self.at = self.depth = 0

    def whole(self) -> Node:
        if not self.tokens:
            raise Unreadable("an empty formula cannot be evaluated")
        if SCIENTIFIC.search(self.shown()):
            raise Unreadable(f"a number in scientific notation or a product with e, in {self.shown()}")
        found = self.sum()
        if self.peek():
            raise self.refusal(self.peek())
        return found

    def refusal(self, token: str) -> Unreadable:
        return Unreadable(f"{_one(token)} is not arithmetic, in {self.shown()}" if token else
                          f"{self.shown()} ends too early")

    def shown(self) -> str:
        return "".join(_shown(self.tokens))

    def peek(self) -> str | Node:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str | Node:
        token = self.peek()
        if token == "":
            raise self.refusal("")
        self.at += 1
        return token

    def take(self, wanted: str) -> None:
        token = self.next()
        if token != wanted:
            raise self.refusal(token)

    def sum(self) -> Node:
        parts = [self.product()]
        while self.peek() in ("+", "-"):
            negative = self.next() == "-"
            part = self.product()
            parts.append(Node("negative", parts=(part,)) if negative else part)
        return parts[0] if len(parts) == 1 else Node("sum", parts=tuple(parts))

    def product(self) -> Node:
        negative = False
        while self.peek() in ("-", "+"):
            negative ^= self.next() == "-"
        found, divided = self.factor(), False
        factor = found
        while True:
            token = self.peek()
            if token in (r"\cdot", r"\times", "/"):
                divided = self.next() == "/"
                bracket = self.peek() in CLOSING
                factor = self.factor()
                unsure = divided and not bracket and factor.kind in ("apply", "powered")  # a/d(H+1)
                found = Node("quotient" if divided else "product", factor.value if unsure else "", (found, factor))
            elif self.begins(token):
                if divided:
                    raise Unreadable(f"what is divided by, in {self.shown()}, needs a bracket")
                factor = self.beside(found, factor)
                found = Node("product", parts=(found, factor))
            else:
                return Node("negative", parts=(found,)) if negative else found

    def beside(self, found: Node, last: Node) -> Node:
        """The factor that follows a product without a sign, whose last factor is given."""
        if isinstance(self.peek(), str) and is_number(self.peek()) and is_number(_one(self.tokens[self.at - 1])):
            raise Unreadable(f"a number follows a number, in {self.shown()}")
        factor = self.factor()
        if last.kind == "number" and factor.kind == "quotient" and {p.kind for p in factor.parts} == {"number"}:
            raise Unreadable(f"a mixed number or a product, in {self.shown()}: a sign is needed")
        return factor

    def begins(self, token: str | Node) -> bool:
        """Whether a factor begins here, so that a product is meant."""
        if isinstance(token, Node):
            return True
        word = token[1:] if token.startswith("\\") else ""
        return bool(token) and token.isascii() and (token[0].isalnum() or word in BEGINS or token in BRACKETS
                                                    or token.startswith(r"\operatorname"))

    def factor(self) -> Node:
        base = self.atom()
        if self.peek() == "!":
            self.next()
            base = Node("factorial", parts=(base,))
        if self.peek() == "^":
            at = self.at
            self.next()
            found = self.argument()
            if WORD.fullmatch("".join(map(_one, self.tokens[at + 1:self.at]))):
                raise Unreadable(f"a word or a product as an exponent, in {self.shown()}")
            base = Node("power", parts=(base, found))
        if self.peek() in ("!", "^"):  # n!!, x^n!, a^b^c
            raise Unreadable(f"{self.shown()} needs a bracket")
        return base

    def argument(self) -> Node:
        """What follows a fraction, a root or a hat: a group in braces, or one character."""
        token = self.peek()
        if token == "{":
            return self.braces()
        several = isinstance(token, str) and (len(token) > 1 and is_number(token) or token in ARGUMENTS)
        if several or token in ("-", "+", "(", "[", "|", "*", "'"):
            raise self.refusal(token)
        return self.atom(alone=True)

    def braces(self) -> Node:
        self.take("{")
        found = self.sum()
        self.take("}")
        return found

    def atom(self, alone: bool = False) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("too many formulas within each other")
        found = self._atom(alone)
        self.depth -= 1
        return found

    def _atom(self, alone: bool) -> Node:
        token = self.next()
        if isinstance(token, Node):
            return token
        word = token[1:] if token.startswith("\\") else ""
        if is_number(token):
            return Node("number", number(token))
        if word in FRACTIONS:
            return Node("quotient", parts=(self.argument(), self.argument()))
        if word == "binom":
            return Node("binomial", parts=(self.argument(), self.argument()))
        if word == "sqrt":
            return self.root()
        if word in FUNCTIONS and not alone:
            return self.function(word)
        if word in EXTREMES and not alone:
            return self.extreme(word)
        if word == "sum" and not alone:
            return self.series()
        if token in CLOSING and not alone:
            return self.bracket(token)
        if token.startswith(r"\operatorname{") and not alone:
            return self.applied(token[14:-1])
        if word in GREEK | ACCENTS or token.isalpha() and len(token) == 1 and token.isascii():
            return self.letter(token, alone)
        raise self.refusal(token)

    def root(self) -> Node:
        degree = Fraction(2)
        if self.peek() == "[":
            self.next()
            token = self.next()
            if not isinstance(token, str) or not is_number(token):
                raise self.refusal(token)
            degree = number(token)
            if degree < 1 or degree.denominator > 1:
                raise self.refusal(token)
            self.take("]")
        return Node("root", degree, (self.argument(),))

    def bracket(self, token: str) -> Node:
        inside = self.sum()
        self.take(CLOSING[token])
        kind = {r"\lceil": "ceil", r"\lfloor": "floor", "|": "abs"}.get(token)
        return Node(kind, parts=(inside,)) if kind else inside

    def several(self, opening: str) -> tuple[Node, ...]:
        """Formulas with commas between them, up to the bracket that closes."""
        parts = [self.sum()]
        while self.peek() == ",":
            self.next()
            parts.append(self.sum())
        self.take(CLOSING[opening])
        return tuple(parts)

    def extreme(self, word: str) -> Node:
        opening = self.next()
        if opening not in (r"\{", "(", "["):
            raise self.refusal(opening)
        parts = self.several(opening)
        if len(parts) < 2:
            raise Unreadable(f"a {word}imum of one formula")
        return Node(word, parts=parts)

    def function(self, word: str) -> Node:
        base = power = None
        while self.peek() in ("^", "_"):
            if self.next() == "^":
                power = self.argument()
            else:
                base = self.argument()
        if power is not None and power.kind == "negative":
            raise Unreadable(f"the inverse of {word} or 1 over it, in {self.shown()}")
        if self.peek() in ("(", "[", r"\{", "|", r"\lceil", r"\lfloor"):
            inside = self.atom()
            if self.peek() == "^":
                raise Unreadable(f"a power of {word} or of what is in its bracket, in {self.shown()}")
        else:  # up to the next sign, bracket or function: \log_d NH
            inside = self.factor()
            while self.begins(self.peek()) and self.peek() not in ("(", "[", r"\{", r"\lceil", r"\lfloor") and \
                    (isinstance(self.peek(), Node) or self.peek()[1:] not in FUNCTIONS | EXTREMES | {"sum"}):
                inside = Node("product", parts=(inside, self.factor()))
        found = Node(word, parts=(inside,) if base is None else (inside, base))
        return Node("power", parts=(found, power)) if power else found

    def series(self) -> Node:
        low = high = name = None
        while self.peek() in ("_", "^"):
            if self.next() == "^":
                high = self.argument()
            else:
                self.take("{")
                index = self.letter(self.next(), False)
                name = index.value
                self.take("=")
                low = self.sum()
                self.take("}")
        if low is None or high is None or name is None:
            raise Unreadable("a sum needs bounds of the form \\sum_{i=1}^n")
        return Node("series", name, (low, high, self.product()))

    def letter(self, token: str | Node, alone: bool) -> Node:
        if isinstance(token, Node):
            raise Unreadable("a given piece cannot be a letter")
        name = token.removeprefix("\\")
        if name in ACCENTS:
            inside = self.next()
            if inside == "{":
                inside = "".join(_name(part) for part in iter(self.next, "}"))
            name = f"{name} {_name(inside)}"
        elif name not in GREEK and not (token.isalpha() and token.isascii() and len(token) == 1):
            raise self.refusal(token)
        while not alone and (self.peek() in ("_", "'") or self.peek() == "^" and self.marked()):
            mark = self.next()
            name += "'" if mark == "'" else f"^{_name(self.next())}" if mark == "^" else f"_{self.index()}"
        while alone and self.peek() == "'":
            name += self.next()
        if not alone and self.peek() == "(":
            if name in ("O", "Omega", "Theta", "tilde O", "tilde Omega", "tilde Theta"):
                self.next()
                return Node("order", name, self.several("("))
            at = self.at
            self.next()
            parts = self.several("(")
            if len(parts) > 1 or self.peek() not in ("^", "!"):
                return Node("apply", name, parts)
            if self.next() == "^":
                return Node("powered", name, (*parts, self.argument()))
            self.at = at
        return Node("letter", name)

    def marked(self) -> bool:
        mark, *after = self.tokens[self.at + 1:self.at + 3] or [""]
        if mark in ("+", "-") and after and isinstance(after[0], str) and is_number(after[0]):
            raise self.refusal(mark)  # x^-1
        return mark in MARKS

    def index(self) -> str:
        token = self.next()
        if token != "{":
            return _name(token)
        found, depth, nested = [], 1, False
        while depth:
            token = self.next()
            depth += (token == "{") - (token == "}")
            nested |= token in ("{", "^", "_")
            if depth:
                found.append(_name(token))
        return "{" + "".join(found) + "}" if nested else "".join(found)

    def applied(self, name: str) -> Node:
        """A named operator, `\\operatorname{tr}`: what follows is its argument."""
        if self.peek() == "(":
            self.next()
            return Node("apply", name, self.several("("))
        return Node("apply", name, (self.factor(),))


def _name(token: str | Node) -> str:
    return _one(token).removeprefix("\\")


def _one(token: str | Node) -> str:
    return token if isinstance(token, str) else str(token.value)


def _shown(found: Iterable[str | Node]) -> Iterator[str]:
    """The tokens as LaTeX, with a space after a command where a letter follows."""
    last = ""
    for token in map(_one, found):
        if last.startswith("\\") and last[-1:].isalpha() and token[:1].isalpha():
            yield " "
        yield token
        last = token


def latex(found: Iterable[str]) -> str:
    """Tokens as LaTeX."""
    return "".join(_shown(found))


def _with_pieces(formula: tuple[str, ...], given: tuple[str, ...]) -> Iterator[str | Node]:
    pieces = sorted(((words(piece), piece) for piece in given), key=lambda pair: -len(pair[0]))
    at = 0
    while at < len(formula):
        for piece, text in pieces:
            if piece and formula[at:at + len(piece)] == piece and not _goes_on(formula, at + len(piece)):
                yield Node("given", text)
                at += len(piece)
                break
        else:
            yield formula[at]
            at += 1


def _printed(found: list[str | Node]) -> Iterator[str | Node]:
    """The tokens without braces that print nothing, those that hold no argument: `{a+b}c` is read as a+bc."""
    owed, opened, last, degree = 0, [], "", False  # `opened`: arguments owed after each brace, or None if it is silent
    for token in found:
        degree = token != "]" if degree else token == "[" and last == r"\sqrt"
        if token == "{":
            opened.append(owed - 1 if owed else None)
            owed = 0
        elif token == "}" and opened:
            owed = opened[-1] or 0
        elif not degree and not (token == "]" and owed):
            owed = ARGUMENTS.get(token, max(owed - 1, 0)) if isinstance(token, str) else max(owed - 1, 0)
        last = token
        if token in ("{", "}") and opened and (opened[-1] if token == "{" else opened.pop()) is None:
            continue
        yield token
    if opened:
        raise Unreadable(f"a brace is not closed, in {latex(map(_one, found))}")


def _goes_on(formula: tuple[str, ...], at: int) -> bool:
    """Whether an index or a prime follows, so that the piece would be another letter."""
    return formula[at:at + 1] in (("_",), ("'",)) and formula[at - 1] not in (")", "]", "|", r"\|", "}")
