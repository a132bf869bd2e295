r"""Formulas in the LaTeX of a statement, read and evaluated at a point.

Arithmetic, powers, fractions, roots, logarithms, exponentials, minima and maxima, rounding, absolute values. A symbol
is a letter with what is attached to it: `c_K` is "c_K", `\nu_{\min}` is "nu_min", `\beta'` is "beta'", `\tilde h` is
"tilde h". `e` is the base of the natural logarithm unless the point gives it another value. Everything else is no
formula here: `read` raises `NoFormula`, and nobody guesses.

Values are exact as long as they are rational, floats otherwise. sympy's `parse_latex` is not used: it needs one exact
version of antlr or guesses where a text is ambiguous, and it does not read `c_KdH`, `\tilde O` or `\min\{a,b\}`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from derl.inputs import Invalid

GREEK = ("alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
         "phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell").split()
ACCENTS = ("tilde", "hat", "bar", "underline", "overline")
ORDERS = ("O", "tilde O", "Omega", "Theta", "tilde Omega", "tilde Theta")  # the order of something: its formula
FRACTIONS = ("frac", "tfrac", "dfrac")
FUNCTIONS = {"log": math.log, "exp": math.exp, "sin": math.sin, "cos": math.cos}
EXTREMES = {"min": min, "max": max}
OPENING = {"(": ")", "[": "]", r"\{": r"\}", r"\lceil": r"\rceil", r"\lfloor": r"\rfloor", "|": "|"}
SILENT = re.compile(r"\\(?:[,;:!]|quad\b|qquad\b|left\b|right\b|limits\b|displaystyle\b|textstyle\b|"
                    r"(?:big|Big|bigg|Bigg)[lrm]?(?![a-z]))|~")
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
LARGEST_WHOLE = 10_000  # of which a factorial is taken
TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\\[A-Za-z]+|\\.|.)", re.DOTALL)
RELATIONS = re.compile(r"\\(?:leq?|geq?|lt|gt|iff|approx|sim|to|in|mid|colon|ll|gg|ne|neq|mapsto|Rightarrow|succeq|"
                       r"preceq|succ|prec|qquad|quad|notin|subseteq|colonneqq)(?![A-Za-z])|\\text\{[^}]*\}|:=|[=<>:,;]|&|"
                       r"\\\\")
BESIDE = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
LARGEST_POWER = 4096
SYMBOL = re.compile(r"\d+(?:\.\d+)?|\\?[A-Za-z]+(?:_(?:\{[^{}]*\}|\\?[A-Za-z0-9]+))?'*")
# what a formula of a statement is evaluated against, see `derl.ledger.formulas`
REFERENCE = re.compile(r"(?P<place>[A-Za-z_]\w*(?:#[1-9]\d*(?:\.[1-9]\d*)?)?(?:\.[A-Za-z_]\w*)+)"
                       r"(?:\((?P<given>[^()]*)\))?")


class NoFormula(Invalid):
    """The text is no formula that can be evaluated; the message says at what."""


Value = Fraction | float
Node = Callable[[Mapping[str, Value]], Value]


class Formula:
    """A formula that was read: `names` are its symbols, `at(point)` is its value.

    Examples
    --------
    >>> formula = Formula(r"d\\log\\Big(1+\\frac{T}{d\\lambda}\\Big)")
    >>> sorted(formula.names), round(formula.at({"d": 2, "T": 6, "lambda": 1}), 3)
    (['T', 'd', 'lambda'], 2.773)
    """

    def __init__(self, text: str):
        self.text = text
        self._tokens = [found[1] for found in TOKEN.finditer(SILENT.sub(" ", text)) if found[1].strip()]
        self._at, self.names = 0, set()
        if not self._tokens:
            raise NoFormula("nothing")
        try:
            self._node = self._sum()
        except RecursionError:
            raise NoFormula("too many brackets within each other") from None
        if self._at < len(self._tokens):
            raise NoFormula(f"{self._tokens[self._at]} in {text}")

    @property
    def bare(self) -> bool:
        """Whether it is a symbol, or a number, and nothing else."""
        return SYMBOL.fullmatch("".join(self._tokens)) is not None

    def at(self, point: Mapping[str, Value]) -> Value:
        """Its value; a float that is not a number where it has none, or one beyond the range of floats.

        Raises
        ------
        KeyError
            The point lacks a symbol.
        """
        try:
            value = self._node(point)
            float(value)
        except (ZeroDivisionError, ValueError, OverflowError, RecursionError):
            return math.nan
        return value

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        if not token:
            raise NoFormula(f"the end of {self.text}")
        self._at += 1
        return token

    def _take(self, wanted: str) -> None:
        if self._next() != wanted:
            raise NoFormula(f"{self._tokens[self._at - 1]} in place of {wanted} in {self.text}")

    def _sum(self) -> Node:
        first = self._product()
        parts = [(1, first)]
        while self._peek() in ("+", "-"):
            sign = 1 if self._next() == "+" else -1
            parts.append((sign, self._product()))
        if len(parts) == 1:
            return first
        return lambda point: sum((sign * part(point) for sign, part in parts), Fraction(0))

    def _product(self) -> Node:
        sign = 1
        while self._peek() in ("-", "+"):
            sign = -sign if self._next() == "-" else sign
        found = self._factor()
        while True:
            token = self._peek()
            if token in (r"\cdot", r"\times", "*"):
                self._next()
                found = _times(found, self._factor())
            elif token == "/":
                self._next()
                found = _over(found, self._factor())
            elif self._begins(token):
                found = _times(found, self._factor())
            else:
                return found if sign == 1 else _negative(found)

    def _begins(self, token: str) -> bool:
        """Whether a factor begins here, so that a product is meant."""
        return bool(token) and (token[0].isalnum() or token in ("(", "[", "{", r"\{", r"\lceil", r"\lfloor", r"\sqrt",
                                                                r"\binom")
                                or token[1:] in (*GREEK, *ACCENTS, *FRACTIONS, *FUNCTIONS, *EXTREMES))

    def _factor(self) -> Node:
        base = self._atom()
        if self._peek() == "!":
            self._next()
            base = _factorial(base)
        if self._peek() == "^":
            self._next()
            return _power(base, self._argument())
        return base

    def _argument(self) -> Node:
        """What follows a fraction, a root or a hat: a group in braces, or one character."""
        token = self._peek()
        if token == "{":
            return self._braces()
        if NUMBER.fullmatch(token) and len(token) > 1 and "." not in token:  # \frac12 is a half
            self._tokens[self._at] = token[1:]
            digit = Fraction(token[0])
            return lambda point: digit
        if token in ("-", "+", "(", "[", "|", "*", "'"):
            raise NoFormula(f"{token} after a fraction or a power in {self.text}")
        return self._atom(alone=True)

    def _braces(self) -> Node:
        self._take("{")
        found = self._sum()
        self._take("}")
        return found

    def _atom(self, alone: bool = False) -> Node:
        token = self._next()
        word = token[1:] if token.startswith("\\") else ""
        if NUMBER.fullmatch(token):
            number = Fraction(token)
            return lambda point: number
        if word in FRACTIONS:
            above, below = self._argument(), self._argument()
            return _over(above, below)
        if word == "binom":
            above, below = self._argument(), self._argument()
            return lambda point: Fraction(math.comb(_whole(above(point)), _whole(below(point))))
        if word == "sqrt":
            return self._root()
        if word in FUNCTIONS and not alone:
            return self._function(word)
        if word in EXTREMES and not alone:
            return self._extreme(EXTREMES[word])
        if token == "{":
            self._at -= 1
            return self._braces()
        if token in OPENING and not alone:
            return self._bracket(token)
        if word in GREEK or word in ACCENTS or token.isalpha() and len(token) == 1:
            return self._symbol(token, alone)
        raise NoFormula(f"{token} in {self.text}")

    def _root(self) -> Node:
        degree = Fraction(2)
        if self._peek() == "[":
            self._next()
            token = self._next()
            if not NUMBER.fullmatch(token) or not Fraction(token):
                raise NoFormula(f"a root of degree {token} in {self.text}")
            degree = Fraction(token)
            self._take("]")
        inside = self._argument()
        return _power(inside, lambda point: 1 / degree)

    def _bracket(self, token: str) -> Node:
        inside = self._sum()
        self._take(OPENING[token])
        if token == r"\lceil":
            return lambda point: Fraction(math.ceil(inside(point)))
        if token == r"\lfloor":
            return lambda point: Fraction(math.floor(inside(point)))
        return (lambda point: abs(inside(point))) if token == "|" else inside

    def _extreme(self, choose: Callable) -> Node:
        opening = self._next()
        if opening not in (r"\{", "(", "["):
            raise NoFormula(f"{opening} after a minimum in {self.text}")
        parts = [self._sum()]
        while self._peek() == ",":
            self._next()
            parts.append(self._sum())
        self._take(OPENING[opening])
        if len(parts) < 2:
            raise NoFormula(f"a minimum of one in {self.text}")
        return lambda point: choose(part(point) for part in parts)

    def _function(self, word: str) -> Node:
        base = power = None
        while self._peek() in ("^", "_"):
            if self._next() == "^":
                power = self._argument()
            else:
                base = self._argument()
        if self._peek() in ("(", "[", r"\{", "{", "|", r"\lceil", r"\lfloor"):
            inside = self._atom()
        else:  # up to the next sign, bracket or function: \log_d NH
            inside = self._factor()
            while self._begins(self._peek()) and self._peek() not in ("(", "[", r"\{", r"\lceil", r"\lfloor") and \
                    self._peek()[1:] not in (*FUNCTIONS, *EXTREMES):
                inside = _times(inside, self._factor())
        function = FUNCTIONS[word]

        def value(point):
            found = function(inside(point))
            return found / math.log(base(point)) if base else found
        return _power(value, power) if power else value

    def _symbol(self, token: str, alone: bool) -> Node:
        name = token.removeprefix("\\")
        if name in ACCENTS:
            inside = self._next()
            if inside == "{":
                inside = "".join(iter(self._next, "}"))
            name = f"{name} {inside.removeprefix(chr(92))}"
        while not alone and self._peek() in ("_", "'"):
            name += "'" if self._next() == "'" else f"_{self._index()}"
        while alone and self._peek() == "'":
            name += self._next()
        if name == "e":
            return lambda point: point.get("e", math.e)
        if name in ORDERS and self._peek() == "(":
            return lambda point: Fraction(1)
        self.names.add(name)
        return lambda point: point[name]

    def _index(self) -> str:
        token = self._next()
        if token != "{":
            return token.removeprefix("\\")
        found = []
        while (token := self._next()) != "}":
            if token in ("{", "^", "_"):
                raise NoFormula(f"an index of several parts in {self.text}")
            found.append(token.removeprefix("\\"))
        return "".join(found)


def _negative(inside: Node) -> Node:
    return lambda point: -inside(point)


def _factorial(inside: Node) -> Node:
    return lambda point: Fraction(math.factorial(_whole(inside(point))))


def _whole(value: Value) -> int:
    """A value that has to be a whole number, of which a factorial is taken."""
    if value != int(value) or not 0 <= value <= LARGEST_WHOLE:
        raise ValueError(f"{value} is no whole number from 0 to {LARGEST_WHOLE}")
    return int(value)


def _times(one: Node, other: Node) -> Node:
    return lambda point: one(point) * other(point)


def _over(one: Node, other: Node) -> Node:
    return lambda point: one(point) / other(point)


def _power(base: Node, power: Node) -> Node:
    def value(point):
        below, above = base(point), power(point)
        if isinstance(above, Fraction) and above.denominator == 1 and isinstance(below, Fraction) and \
                abs(above) <= LARGEST_POWER:
            return below ** int(above)
        if below < 0 and above != int(above):
            raise ValueError("a root of a negative number")
        return float(below) ** float(above)
    return value


def formulas(text: str) -> Iterator[Formula]:
    """All that can be evaluated in a text: the sides of every relation in its formulas, and lists between commas."""
    for found in BESIDE.finditer(text):
        body = (found[1] or found[2]).strip().rstrip(".,;")
        body = re.sub(r"\\tag\{[^}]*\}|\\(?:begin|end)\{[^}]*\}|\\nonumber", " ", body)
        for part in dict.fromkeys([*RELATIONS.split(body), *_split_outside(body)]):
            try:
                yield Formula(part.strip())
            except NoFormula:
                continue


def _split_outside(body: str) -> Iterator[str]:
    """The sides of relations outside every bracket, so that commas and signs inside a minimum stay."""
    return (side for side, _ in split(body, RELATIONS))


def split(body: str, mark: re.Pattern) -> Iterator[tuple[str, str]]:
    """(piece, the mark that ends it, "" at the end) of a formula, cut at the marks that are outside every bracket."""
    depth, begin, at = 0, 0, 0
    while at < len(body):
        found = mark.match(body, at) if depth == 0 else None
        if found:
            yield body[begin:at], found[0]
            begin = at = found.end()
            continue
        pair = body[at:at + 2]
        if pair[:1] == "\\":  # \\{ and \\} are brackets, and no other command is
            depth += (pair == r"\{") - (pair == r"\}")
            at += 2 if pair in (r"\{", r"\}") else 1
            continue
        depth += (body[at] in "{([") - (body[at] in "})]")
        at += 1
    yield body[begin:], ""
