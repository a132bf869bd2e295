r"""Whether a formula means anything: every letter is of a sort, and every operation wants sorts.

    Notation(sorts).problem(Text(r"$\|\phi\|_{\Sigma_\phi^{-1}}$"))     # "a vector is no index", in this formula

A letter is a number, a whole number (a "large" one is a size, and a "size" never has an index), a vector, a matrix, a
function, a policy, a state, an action, a measure or an event. A sum has parts of one sort. A norm is that of a vector
or a matrix, and its index is a matrix. An index is a whole number or a name. What a maximum or a sum runs over occurs
in it. The two sides of a relation are of one sort and not the same. Letters that the notation does not name may be of
any sort. This module evaluates no formula.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from derl.printed.bounds import no_number, no_probability, no_size
from derl.printed.reading import GREEK, Unreadable, is_number, latex
from derl.printed.text import Chain, Text

SORTS = ("number", "whole", "size", "large", "vector", "row", "matrix", "function", "policy", "state", "action",
         "measure", "event", "any")
NUMERIC = frozenset(("number", "whole", "function", "any"))
INDEXED = frozenset(("vector", "matrix", "function", "state", "action", "policy", "whole"))
RUNS = frozenset(("whole", "policy", "state", "action", "any"))  # what an extreme or a sum may run over
BLACKBOARD = frozenset("ERPNZ1C")
ACCENTS = frozenset((r"\hat", r"\tilde", r"\bar", r"\underline", r"\overline"))
EXTREMES = frozenset((r"\max", r"\min", r"\sum", r"\sup", r"\inf", r"\prod"))
MARKS = frozenset(("*", r"\top", "+", r"\dagger", r"\complement", r"\circ", r"\prime", "-", r"\perp", r"\infty"))
CLOSING = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", r"\lceil": r"\rceil", r"\lfloor": r"\rfloor",
           r"\langle": r"\rangle"}
COMPARED = frozenset((r"\le", r"\ge", "<", ">"))
LOEWNER = frozenset((r"\succeq", r"\preceq", r"\succ", r"\prec"))
PRODUCTS = {("row", "vector"): "number", ("vector", "row"): "matrix", ("matrix", "vector"): "vector",
            ("row", "matrix"): "row", ("matrix", "matrix"): "matrix"}
NAMES = frozenset(("{plan}", r"{\infty}"))  # words as an index
EIGENVALUES = tuple(("_", "{", extreme) for extreme in (r"\min", r"\max"))
SEPARATES = frozenset((",", ";", r"\mid", ":"))
INSIDE = frozenset((*COMPARED, *LOEWNER, "=", r"\in", r"\to", r"\ne", r"\subseteq", r"\sim", r"\approx", r"\mapsto",
                    r"\setminus", r"\cup", r"\cap", r"\bigcup", r"\times", r"\notin", ":=", r"\leftarrow",
                    r"\subset", r"\colon", "&", "\\\\"))  # what joins parts of which nothing is asked


class Meaningless(Unreadable):
    """A formula holds a letter of the wrong sort; the message says what and where."""


@dataclass(frozen=True)
class Notation:
    r"""The sort of each letter.

    Attributes
    ----------
    sorts : mapping
        A letter as LaTeX writes it without its backslash, such as `phi` -> one of `SORTS`.
    indices : mapping
        A letter -> the numbers that may be its index, and what may be added to a letter in its index: `1`, `+1`. An
        absent letter may have any.
    accents : mapping
        A letter -> the accents that it may have, such as `tilde`; an absent letter may have any.
    """

    sorts: Mapping[str, str]
    indices: Mapping[str, Collection[str]] = field(default_factory=dict)
    accents: Mapping[str, Collection[str]] = field(default_factory=dict)

    def problem(self, text: Text) -> str:
        """What is wrong with the first formula that means nothing; "" where there is none."""
        for chain in text.chains:
            try:
                self._chain(chain)
            except Meaningless as problem:
                side = latex(tuple(t.text for part in chain.sides for t in part))
                return f"{problem}, in {side}"
        return no_probability(text)

    def _chain(self, chain: Chain) -> None:
        numbers = (no_number(tuple(token.text for token in side)) for side in chain.sides)
        if problem := no_size(chain, self.sorts) or next(filter(None, numbers), ""):
            raise Meaningless(problem)
        sorts = [_Reader(tuple(token.text for token in side), self).whole() if side else "any" for side in chain.sides]
        signs = {token.text for token in chain.signs}
        if signs & {r"\le", "<"} and signs & {r"\ge", ">"}:
            raise Meaningless("relations of both directions")
        for at, sign in enumerate(token.text for token in chain.signs):
            left, right = sorts[at], sorts[at + 1]
            texts = [tuple(token.text for token in chain.sides[number]) for number in (at, at + 1)]
            if sign in (*COMPARED, *LOEWNER, "=") and texts[0] == texts[1] and texts[0]:
                raise Meaningless(f"{latex(texts[0])} is compared with itself")
            zero = ("0",) in texts  # of every sort
            if sign in COMPARED and not zero and not {left, right} <= NUMERIC | {"set", "list"}:
                raise Meaningless(f"{sign} compares {_a(left)} with {_a(right)}")
            if sign in LOEWNER and not zero and not {left, right} <= {"matrix", "any"}:
                raise Meaningless(f"{sign} compares {_a(left)} with {_a(right)}")
            space = texts[1][:3] == (r"\mathbb", "R", "^")
            if sign == r"\in" and space and left in ("number", "whole"):
                raise Meaningless(f"{_a(left)} is no vector")
            if sign == "=" and not zero and not _same(left, right):
                raise Meaningless(f"{_a(left)} is no {right}")


def _a(sort: str) -> str:
    return f"an {sort}" if sort[0] in "ae" else f"a {sort}"


def _same(one: str, other: str) -> bool:
    return one == other or "any" in (one, other) or {one, other} <= NUMERIC or bool({one, other} & {"set", "list"})


class _Reader:
    def __init__(self, tokens: Sequence[str], notation: Notation):
        self.tokens, self.sorts, self.indices, self.at = tokens, notation.sorts, notation.indices, 0
        self.accents = notation.accents
        self.bound: list[str] = []

    def sort(self, letter: str) -> str:
        found = self.sorts.get(letter.lstrip("\\"), "any")
        return "whole" if found in ("size", "large") else found

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def whole(self) -> str:
        return self.listed("")

    def listed(self, end: str) -> str:
        """What comes before a closing bracket: the sort of one expression, or a list of several."""
        found, several = [], False
        while self.at < len(self.tokens) and self.peek() != end:
            if self.peek() in SEPARATES or self.peek() in INSIDE:
                several = True
                self.next()
                continue
            before = self.at
            found.append(self.sum(end))
            if self.at == before:
                self.next()
                several = True
        self.entries = found
        return "list" if several or not found else found[0]

    def sum(self, end: str) -> str:
        while self.peek() in ("+", "-", r"\pm"):
            self.next()
        sort = self.product(end)
        while self.peek() in ("+", "-", r"\pm", r"\mp"):
            self.next()
            first = self.peek()
            other = self.product(end)
            if not _same(sort, other) and first != "0":
                raise Meaningless(f"{_a(sort)} and {_a(other)} have no sum")
            sort = other if sort in ("any", "whole") and other != "any" else sort
        return sort

    def product(self, end: str) -> str:
        outside = len(self.bound)
        sort = self.factors(end)
        del self.bound[outside:]
        return sort

    def factors(self, end: str) -> str:
        sort, started = "number", False
        while self.at < len(self.tokens):
            token = self.peek()
            if token in ("+", "-", r"\pm", r"\mp") and started or token == end or token in SEPARATES \
                    or token in INSIDE or token in CLOSING.values():
                break
            if token == "|" and end == "|":
                break
            if token == r"\|" and end == r"\|":
                break
            if token in (r"\cdot", r"\,"):
                self.next()
                continue
            if token == "/":
                self.next()
                if (below := self.factor(end)) not in NUMERIC | {"list", "set"}:
                    raise Meaningless(f"nothing is divided by {_a(below)}")
                continue
            found = self.factor(end)
            sort = found if not started else self.times(sort, found)
            started = True
        return sort if started else "any"

    def times(self, one: str, other: str) -> str:
        if "any" in (one, other) or "set" in (one, other):
            return "any"
        if "list" in (one, other):
            if one in ("number", "whole", "vector", "matrix", "state") and other == "list":
                raise Meaningless(f"{_a(one)} has no arguments")
            return "any"
        if "whole" == one == other:
            return "whole"
        if one == "measure":
            if other in ("state", "action", "policy", "matrix"):
                raise Meaningless(f"a measure and {_a(other)} have no product")
            return other if other == "function" else "any"
        if one in NUMERIC:
            return other if other not in NUMERIC else "number"
        if other in NUMERIC:
            return one
        if (one, other) in PRODUCTS:
            return PRODUCTS[one, other]
        raise Meaningless(f"{_a(one)} and {_a(other)} have no product")

    def factor(self, end: str) -> str:
        token = self.next()
        if is_number(token):
            return self.scripts("whole" if token.isdigit() else "number")
        if token in (r"\frac", r"\tfrac", r"\dfrac"):
            above, below = self.argument(), self.argument()
            if below not in NUMERIC | {"list", "set"}:
                raise Meaningless(f"nothing is divided by {_a(below)}")
            return self.scripts("number" if above == "whole" else above)
        if token == r"\sqrt":
            if self.peek() == "[":
                self.bracket(self.next())
            return self.scripts(self.numeric(self.argument(), "a root"))
        if token in (r"\log", r"\exp"):
            scripted = self.scripts("number")
            if self.peek() and self.peek() != end and self.peek() not in ("/", *SEPARATES, *CLOSING.values()):
                self.numeric(self.factor(end), "a logarithm")
            return scripted
        if token in EXTREMES:
            return self.extreme(end)
        if token == r"\mathbb":
            letter = self.next()
            letter = self.word() if letter == "{" else letter
            if letter not in BLACKBOARD:
                raise Meaningless(f"there is no \\mathbb {letter}")
            if letter == "R":
                self.scripts("any")
                return "set"
            sort = self.scripts("number" if letter in "E1" else "any", names=True)
            if letter == "E" and self.peek() == "[":
                inside = self.bracket(self.next())
                return self.entries[0] if inside == "list" and self.entries else inside
            return sort
        if token == r"\mathcal":
            letter = self.next()
            if len(letter) != 1 or not letter.isupper():
                raise Meaningless(f"there is no \\mathcal {letter}")
            return self.scripts("any", names=True)
        if token in (r"\mathrm", r"\mathbf", r"\mathbin"):
            if self.next() == "{":
                self.word()
            return self.scripts("any", names=True)
        if token == r"\det" or token.startswith((r"\operatorname{tr}", r"\operatorname{Tr}")):
            if self.scripts("any") and self.peek() and (found := self.factor(end)) not in ("matrix", "any", "list"):
                raise Meaningless(f"{_a(found)} has no {token}")
            return "number"
        if token == r"\|":
            found = self.listed(r"\|")
            self.next()
            return self.norm(found)
        if token == "|":
            found = self.listed("|")
            self.next()
            if found in ("vector", "matrix", "policy", "state", "action", "row"):
                raise Meaningless(f"{_a(found)} has no absolute value")
            return self.scripts("number")
        if token in ACCENTS:
            if self.peek() == "{":
                self.next()
                sort = self.listed("}")
                self.next()
                return self.scripts(sort, names=True)
            letter = self.next()
            if token[1:] not in self.accents.get(letter.lstrip("\\"), (token[1:],)):
                raise Meaningless(f"there is no {token} {letter}")
            return self.factor_letter(letter, end)
        if token in CLOSING:
            return self.bracket(token)
        if _letter(token):
            return self.factor_letter(token, end)
        return self.scripts("any", names=True) if token not in CLOSING.values() else "any"

    def factor_letter(self, letter: str, end: str) -> str:
        sort = self.sort(letter)
        if self.peek() == "_" and self.sorts.get(letter) == "size":
            raise Meaningless(f"{letter} has no index")
        self.index(letter)
        free = letter in ("c", "C") or sort in ("any", "measure", "event")
        if self.peek() == "_" and self.peek(1) == letter:
            raise Meaningless(f"{letter} is its own index")
        eigenvalue = letter in (r"\sigma", r"\lambda") and self.tokens[self.at:self.at + 3] in EIGENVALUES
        found = self.scripts(sort, names=free)
        if eigenvalue and self.peek() in ("(", "["):
            if (inside := self.bracket(self.next())) not in ("matrix", "any", "list"):
                raise Meaningless(f"{_a(inside)} has no eigenvalues")
            return "number"
        if self.peek() == "(" and sort in ("function", "policy", "vector", "measure", "action", "event"):
            self.next()
            inside = self.listed(")")
            entries = self.entries
            self.next()
            if inside in ("vector", "row", "matrix", "number") and sort == "vector":
                return self.times(found, self.scripts(inside))
            self.arguments(letter, sort, entries)
            return self.scripts({"policy": "action", "measure": "number"}.get(sort, found))
        return found

    def index(self, letter: str) -> None:
        """Refuses a number that is no index of this letter, also one that is added to an index."""
        allowed = self.indices.get(letter.lstrip("\\"))
        if allowed is None or self.peek() != "_":
            return
        inside = [self.peek(1)]
        if inside == ["{"]:
            rest = self.tokens[self.at + 2:]
            inside = list(rest[:rest.index("}")]) if "}" in rest else []
        if len(inside) == 1 and (inside[0].isdigit() or inside[0] in (r"\min", r"\max")):
            named = inside[0].lstrip("\\")
        elif len(inside) == 3 and _letter(inside[0]) and inside[1] in ("+", "-"):
            named = inside[1] + inside[2]
        else:
            return
        if named not in allowed:
            raise Meaningless(f"{letter} has the index {''.join(inside)}")

    def arguments(self, letter: str, sort: str, entries: list[str]) -> None:
        """The arguments of a function that are of a sort that no function has."""
        if sort == "policy" and entries and entries[0] not in ("state", "any", "list"):
            raise Meaningless(f"a policy has no action at a {entries[0]}")
        if sort == "function" and letter == "J" and entries and entries[0] not in ("policy", "any", "list"):
            raise Meaningless(f"J is a function of policies and not of a {entries[0]}")
        if sort == "measure" and entries == ["measure"]:
            raise Meaningless(f"{letter} of a measure")
        if letter in ("V", "Q", "r") and entries and entries[0] in ("measure", "matrix", "vector", "action"):
            raise Meaningless(f"{letter} is no function of a {entries[0]}")

    def word(self) -> str:
        """A word in braces, of which the first one has been passed."""
        found = ""
        while self.peek() and (token := self.next()) != "}":
            found += token
        return found

    def numeric(self, sort: str, what: str) -> str:
        if sort not in NUMERIC | {"list", "set"}:
            raise Meaningless(f"{what} of {_a(sort)}")
        return "number"

    def argument(self, number: str = "whole") -> str:
        """The sort of what is in braces, of one letter, or of a number, for which it is `number`."""
        if self.peek() == "{":
            self.next()
            sort = self.listed("}")
            self.next()
            return sort
        token = self.next()
        return number if is_number(token) else self.sort(token) if _letter(token) else "any"

    def bracket(self, opening: str) -> str:
        sort = self.listed(CLOSING[opening])
        entries = self.entries
        self.next()
        if opening == "[" and sort == "list":
            found = self.scripts(sort)
            self.entries = entries
            return found
        if opening == r"\langle":
            if any(entry in ("number", "whole", "policy", "state", "action") for entry in entries):
                raise Meaningless("an inner product is of two vectors")
            return self.scripts("number")
        if opening == r"\{":
            return self.scripts("set")
        if opening in (r"\lceil", r"\lfloor"):
            return self.scripts(self.numeric(sort, "rounding"))
        if opening == "[" and sort == "whole":
            return self.scripts("any")
        return self.scripts(sort)

    def norm(self, sort: str) -> str:
        if sort in ("number", "whole", "policy", "state", "action"):
            raise Meaningless(f"{_a(sort)} has no norm")
        if self.peek() == "^" and self.peek(1).isdigit():
            if self.peek(1) != "2":
                raise Meaningless(f"a norm to the power {self.peek(1)}")
            self.at += 2
        if self.peek() == "_":
            self.next()
            index = self.argument("any")
            if index in ("number", "vector", "policy", "state", "action", "function"):
                raise Meaningless(f"a norm has a matrix and no {index} as its index")
            if index == "matrix" and sort in ("matrix", "function"):
                raise Meaningless(f"the norm with a matrix is that of a vector and not of {_a(sort)}")
            if self.peek() == "^" and self.peek(1).isdigit() and self.peek(1) != "2":
                raise Meaningless(f"a norm to the power {self.peek(1)}")
        return self.scripts("number")

    def extreme(self, end: str) -> str:
        letter, related = "", False
        if self.peek() == "_":
            self.next()
            start = self.at
            if self.peek() == "{":
                self.next()
                self.listed("}")
                self.next()
                inside = self.tokens[start + 1:self.at - 1]
            else:
                inside = (self.next(),)
            related = any(token in INSIDE or token in SEPARATES for token in inside)
            letters = [token for token in inside if _letter(token)]
            letter = letters[0] if letters else ""
            if letter and not related and len(inside) == 1:
                sort = self.sort(letter)
                if sort not in RUNS:
                    raise Meaningless(f"nothing runs over {_a(sort)}")
                if letter in self.bound:
                    raise Meaningless(f"two things run over {letter}")
                rest = self.tokens[self.at:]
                if rest and rest[0] not in (")", "}", "]") and letter not in rest and \
                        self.sort(rest[0]) not in ("function", "any"):
                    raise Meaningless(f"{letter} does not occur in what runs over it")
                self.bound.append(letter)
        if self.peek() == "^":
            self.next()
            if (sort := self.argument("any")) not in ("whole", "any", "list", "set"):
                raise Meaningless(f"a sum has a whole number as its end and no {sort}")
        if self.peek() == r"\{" or self.peek() == "(" and not letter:
            self.next()
            before = self.tokens[self.at - 1]
            sort = self.listed(CLOSING[before])
            entries = self.entries
            self.next()
            if sort == "list" and not {*entries} <= NUMERIC | {"list", "set"} and not {*entries} & {"list", "set"}:
                raise Meaningless("an extreme of what is no number")
            return self.scripts("number" if sort == "list" else "any")
        return "number"

    def scripts(self, sort: str, names: bool = False) -> str:
        """The sort of something with its indices and exponents."""
        while self.peek() in ("_", "^", "'", "!"):
            mark = self.next()
            if mark in ("'", "!"):
                continue
            start = self.at
            inside = self.argument("any")
            texts = self.tokens[start:self.at]
            if mark == "_" and sort == "matrix" and len(texts) == 4 and {*texts[1:3]} <= {*"ijkl"}:
                sort = "number"  # an entry
                continue
            if "".join(texts) in NAMES or "|" in texts or texts[-2:-1] and texts[1] in (r"\min", r"\max", r"\mathrm"):
                continue
            if mark == "_":
                entries = self.entries if texts[0] == "{" else [inside]
                if not names:
                    if inside == "policy" and sort == "matrix":
                        raise Meaningless("a policy is no index of a matrix")
                    for entry in entries or [inside]:
                        if entry in ("vector", "matrix", "row", "measure"):
                            raise Meaningless(f"{_a(entry)} is no index")
                        if sort in ("vector", "matrix", "whole", "number") and entry in ("function", "event"):
                            raise Meaningless(f"{_a(entry)} is no index of {_a(sort)}")
                        if entry == "number" and len(entries) <= 1 and sort in INDEXED:
                            raise Meaningless("a number that is not whole is no index")
                continue
            if texts[0] in MARKS or texts[:2] == ("{", texts[1] if len(texts) > 1 else "") and texts[1:2] and \
                    texts[1] in MARKS - {"-"}:
                if r"\top" in texts:
                    if sort in ("function", "policy", "state", "action", "whole"):
                        raise Meaningless(f"{_a(sort)} is not transposed")
                    sort = {"vector": "row", "row": "vector"}.get(sort, sort)
                continue
            if inside in ("vector", "matrix", "row", "measure") and not names:
                raise Meaningless(f"{_a(inside)} is no exponent")
            if sort == "matrix" and "".join(texts) in ("{-2}", "{-0}", "{+1}"):
                raise Meaningless(f"a matrix to the power {texts[1]}{texts[2]}")
            if sort in ("vector", "row") and texts[-1 if texts[0] != "{" else -2].isdigit():
                raise Meaningless(f"{_a(sort)} has no power")
            if sort == "vector" and inside == "number" or sort in ("number", "whole") and inside in (
                    "policy", "state", "action"):
                raise Meaningless(f"{_a(sort)} has no {inside} as its exponent")
            if sort == "function" and inside in ("state", "action"):
                raise Meaningless(f"a function has no {inside} as its index above")
            if sort == "whole":
                sort = "number" if "-" in texts else "whole"
        return sort


def _letter(token: str) -> bool:
    return token.isalpha() and token.isascii() and len(token) == 1 or token[:1] == "\\" and token[1:] in GREEK
