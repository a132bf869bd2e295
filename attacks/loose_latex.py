r"""What a text prints: its formulas, read as far as they can be, with a letter for every part that is no arithmetic.

`derl.ledger.latex` refuses what it cannot evaluate. Here `2\beta\,\mathbb E_\pi\sum_h\|\phi_h\|` is 2 beta times one
letter, so that its number, its power and its factor can still be compared with what a check computes; what is inside
of the norm is a formula of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from derl.ledger.latex import BESIDE, FRACTIONS, FUNCTIONS, GREEK, OPENING, Formula, NoFormula
from derl.ledger.relations import chains

WRAPPERS = ("operatorname", "mathbb", "mathcal", "mathrm", "mathbf", "mathfrak", "boldsymbol")
BINDERS = ("sum", "prod", "int", "sup", "inf", "mathbb E", "mathbb P", "Pr", "operatorname E")
PAIRS = {r"\|": r"\|", r"\langle": r"\rangle", **OPENING}
MARKS = (r"\top", "*", "+", "-", r"\star", r"\dagger", r"\circ", r"\prime", r"\perp")
WORDS = ((r"at\s+least|no\s+less\s+than|no\s+fewer\s+than|from\s+below\s+by", r"\ge"),
         (r"at\s+most|no\s+more\s+than|bounded\s+by|up\s+to", r"\le"),
         (r"more\s+than|above|larger\s+than|exceeds", ">"), (r"less\s+than|fewer\s+than|below|smaller\s+than", "<"))
IN_WORDS = re.compile("|".join(rf"(?P<w{at}>\b(?:{words}))" for at, (words, _) in enumerate(WORDS)), re.IGNORECASE)
BOUND = re.compile(r"\s+(?:\w+\s+){0,2}?(?:\$\$(.+?)\$\$|\$(.+?)\$|(\d+(?:\.\d+)?))", re.DOTALL)
LAYOUT = re.compile(r"\\tag\{[^}]*\}|\\(?:begin|end)\{[^}]*\}|\\nonumber|\\[,;:! ]")
BARE = re.compile(r"(?<![\w.`#{-])\d+(?:\.\d+)?(?![\w`]|\.\d)")


class Loose(Formula):
    """A formula in which a part that is no arithmetic is a letter of its own; `inside` holds those parts."""

    def __init__(self, text: str, letters: bool = False):
        self.inside: list[str] = []
        self._letters = letters
        super().__init__(text)

    def _function(self, word: str):
        """A logarithm, or a letter for it where the code has one."""
        if not self._letters:
            return super()._function(word)
        begin, names = self._at, set(self.names)
        super()._function(word)
        self.names = names
        return self._letter(f"{word} {''.join(self._tokens[begin:self._at])}")

    def _begins(self, token: str) -> bool:
        return super()._begins(token) or token in PAIRS and token != "|" or token[:1] == "\\" and len(token) > 2 and \
            token not in PAIRS.values() and token not in (r"\cdot", r"\times", r"\ldots", r"\dots", r"\cdots")

    def _factor(self):
        base = self._atom()
        while self._peek() in ("!", "^", "_"):
            token = self._next()
            if token == "!":
                raise NoFormula("a factorial")
            if token == "_":
                self._group()
            elif self._mark():
                continue
            else:
                base = _raised(base, self._argument())
        return base

    def _mark(self) -> bool:
        """Whether the power is no number: a transpose, a star."""
        token = self._peek()
        if token in MARKS:
            self._next()
            return True
        if token == "{" and self._tokens[self._at + 1] in (*MARKS, "(") and self._tokens[self._at + 2] in ("}", ",") \
                or token == "{" and "," in self._tokens[self._at:self._tokens.index("}", self._at)]:
            self._group()
            return True
        return False

    def _group(self) -> str:
        """The text of a group in braces, or of one token."""
        token = self._next()
        if token != "{":
            return token
        depth, found = 1, []
        while depth:
            token = self._next()
            depth += (token == "{") - (token == "}")
            found.append(token)
        return "".join(found[:-1])

    def _letter(self, name: str):
        self.names.add(name)
        return lambda point: point[name]

    def _until(self, close: str) -> str:
        opened, found, depth = self._tokens[self._at - 1], [], 1
        while True:
            token = self._next()
            depth -= token == close
            depth += token == opened and opened != close
            if not depth:
                return " ".join(found)
            found.append(token)

    def _bracket(self, token: str):
        if token in (r"\{", "|"):  # a set, or a size that may hold anything
            at = self._at
            try:
                return super()._bracket(token)
            except NoFormula:
                self._at = at
                inside = self._until(OPENING[token])
                self.inside.append(inside)
                return self._letter(f"{token}{inside}")
        at, names = self._at, set(self.names)
        try:
            return super()._bracket(token)
        except NoFormula:
            self._at, self.names = at, names
            inside = self._until(OPENING[token])
            self.inside.append(inside)
            return self._letter(f"{token}{inside}")

    def _atom(self, alone: bool = False):
        token = self._peek()
        word = token[1:]
        if token in (r"\|", r"\langle"):
            self._next()
            inside = self._until(PAIRS[token])
            self.inside.append(inside)
            return self._letter(f"{token}{inside}")
        known = word in (*GREEK, *FRACTIONS, *FUNCTIONS, "binom", "sqrt", "min", "max", "tilde", "hat", "bar",
                         "underline", "overline")
        if word in ("min", "max") and self._tokens[self._at + 1:self._at + 2] == ["_"]:
            known = False
        if token[:1] == "\\" and word.isalpha() and not known and token not in PAIRS and token not in PAIRS.values():
            self._next()
            name = f"{word} {self._group()}" if word in WRAPPERS else word
            while self._peek() in ("_", "^"):
                name += self._next() + self._group()
            if name.startswith(BINDERS) or word in (*BINDERS, "min", "max"):  # it takes in the rest of the product
                begin = self._at
                if self._begins(self._peek()):
                    inside = self._product_text()
                    self.inside.append(inside)
                    name += inside
                return self._letter(f"{name} {begin}")
            return self._letter(name)
        return super()._atom(alone)

    def _product_text(self) -> str:
        begin, depth = self._at, 0
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if depth == 0 and token in ("+", "-", ")", "]", "}", ","):
                break
            depth += (token in ("(", "[", "{", r"\{")) - (token in (")", "]", "}", r"\}"))
            if depth < 0:
                break
            self._at += 1
        return " ".join(self._tokens[begin:self._at])

    def _index(self) -> str:
        return self._group().removeprefix("\\")


def _raised(base, power):
    def value(point):
        below, above = base(point), power(point)
        if abs(above) > 4096:
            raise OverflowError
        if below < 0 and above != int(above):
            raise ValueError("a root of a negative number")
        return float(below) ** float(above)
    return value


def sides(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """(sides, signs between them) of everything in the formulas of a text that stands between commas and words."""
    for found in BESIDE.finditer(text):
        body = (found[1] or found[2]).strip().rstrip(".,;")
        yield from chains(LAYOUT.sub(" ", body))


def relations(text: str) -> Iterator[tuple[str, str, str]]:
    """(left, sign, right) of all relations of a text; left is "" for a bound in words: at most $x$."""
    for parts, signs in sides(text):
        yield from zip(parts, signs, parts[1:], strict=False)
    for found in IN_WORDS.finditer(text):
        at = next(at for at in range(len(WORDS)) if found[f"w{at}"])
        rest = BOUND.match(text, found.end())
        if rest:
            side = next(iter(sides(f"${rest[1] or rest[2] or rest[3]}$")))[0][0]
            yield "", WORDS[at][1], side


def formula(text: str, letters: bool = False) -> Loose | None:
    """A formula, or None where not even a loose reading is possible.

    Parameters
    ----------
    letters : bool
        Whether a logarithm is a letter.
    """
    try:
        return Loose(text, letters) if text else None
    except (NoFormula, ValueError, IndexError):
        return None
