r"""A printed text as a program: its formulas are looked up by how they begin, and evaluated.

    said = Text(r"Let $d\ge2$ and $0<\epsilon\le1$. If $K\le\frac{dH}{8}$, then $\|A\|\le2\sqrt d$.")
    said(r"K\le", d=4, H=6)                      # the right side: 3
    said(r"\|A\|\le", d=Symbol("d"))             # values decide the arithmetic: 2*sqrt(d)
    said.range(r"\epsilon")                      # an object: 0 < . <= 1
    said.sides(r"\|A\|\le", {r"\|A\|": norm}, d=4)   # a piece that is no arithmetic has the value that is given

The sign belongs to what is looked up, so a text with its sign turned holds no such formula. What is looked up has to be
there once; `after` says after which words. Every place that was looked up is remembered in `places`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from derl.printed.ranges import Range, Relation
from derl.printed.reading import Token, Unreadable, latex, read, tokens, words
from derl.printed.values import value

MATHS = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
SIGNS = frozenset((r"\le", r"\ge", "<", ">", "=", r"\approx", r"\sim", r"\in", r"\ne", r"\to", ":=", r"\succeq",
                   r"\preceq", r"\succ", r"\prec", r"\ll", r"\gg", r"\colonneqq", r"\iff", r"\Rightarrow", r"\mapsto",
                   r"\subseteq", r"\notin", r"\leftarrow", r"\equiv"))
APART = frozenset((",", ";", ":", ".", "&", "\\\\", r"\mid", r"\colon"))
OPEN = frozenset(("{", "(", "[", r"\{", r"\lceil", r"\lfloor", r"\langle"))
CLOSE = frozenset(("}", ")", "]", r"\}", r"\rceil", r"\rfloor", r"\rangle"))
DOTS = (".",) * 3
BEGINNING = "^"  # for `after`: the first formula of the text counts
COMPARES = {r"\le": (None, True), "<": (None, False), r"\ge": (True, None), ">": (False, None)}

REVERSED = {r"\le": r"\ge", r"\ge": r"\le", "<": ">", ">": "<"}


def wording(source: str) -> str:
    """The words of a text: a dollar sign for each formula, one space between words."""
    return " ".join(MATHS.sub(" $ ", source).split())


@dataclass(frozen=True)
class Chain:
    """Sides with the signs between them: `0 < epsilon <= 1` has three sides and two signs."""

    sides: tuple[tuple[Token, ...], ...]
    signs: tuple[Token, ...]
    listed: tuple[tuple[Token, ...], ...] = ()  # what stands before the first side, with commas between: d in `d,H>=2`

    @cached_property
    def texts(self) -> list[tuple[str, ...]]:
        """The tokens of each side as text."""
        return [tuple(token.text for token in side) for side in self.sides]

    def begins(self, at: int, wanted: tuple[str, ...]) -> int | None:
        """The number of the sign up to which the chain reads so from side `at` on; None where it does not."""
        text: tuple[str, ...] = ()
        for sign in range(at, len(self.signs)):
            text += (*self.texts[sign], self.signs[sign].text)
            if _matches(text, wanted):
                return sign
        return None


@dataclass
class Text:
    """A text with formulas between dollar signs.

    Attributes
    ----------
    source : str
    name : str
        What messages call it.
    places : list of (int, int)
        Beginning and end of the formulas that have been looked up.
    heard : list of (int, int)
        Beginning and end of the words that have been asked for.
    change : callable or None
        (value, where it begins) -> what is read in its place, so that the judge sees what a check makes of it.
    """

    source: str
    name: str = "the text"
    places: list[tuple[int, int]] = field(default_factory=list, compare=False)
    heard: list[tuple[int, int]] = field(default_factory=list, compare=False)
    change: Callable[[Any, int], Any] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self):
        self._chains: list[Chain] | None = None
        self._known: dict[tuple, tuple[Chain, int]] = {}  # what has been looked up

    def __call__(self, begins: str, given: Mapping[str, Any] | None = None, /, *, after: str = "", skip: int = 0,
                 numbers: Callable | None = None, **letters: Any) -> Any:
        r"""The value of the right side of a relation, or of a formula.

        Parameters
        ----------
        begins : str
            How the relation reads up to its sign: `N\ge`, `\|A\|\le`; three dots in it stand for anything. Empty: the
            first formula after the words `after`.
        given : mapping, optional
            A letter or piece in LaTeX -> its value.
        after : str
            Words of the text after which it is looked for, whatever the spaces between them; the first one counts.
            `BEGINNING` is before all words.
        skip : int
            How many of those after these words are passed over.
        numbers : callable, optional
            What each number of the text becomes, such as `sympy.Rational`.
        **letters
            The values of letters; `lambda_` is lambda.

        Raises
        ------
        Unreadable
            The text has no such formula, or several, or it is not arithmetic, or a letter has no value.
        """
        chain, sign = self._found(begins, after, skip=skip)
        return self._value(chain.sides[sign + 1], given, numbers, letters)

    def sides(self, begins: str, given: Mapping[str, Any] | None = None, /, *, after: str = "", skip: int = 0,
              numbers: Callable | None = None, **letters: Any) -> tuple[Any, Any]:
        """The values of both sides of a relation; parameters as of a call."""
        chain, sign = self._found(begins, after, skip=skip)
        self._saw(chain, sign)
        return tuple(self._value(chain.sides[at], given, numbers, letters) for at in (sign, sign + 1))

    def relation(self, begins: str, given: Mapping[str, Any] | None = None, /, *, after: str = "",
                 numbers: Callable | None = None, **letters: Any) -> Relation:
        """Both sides of a relation with its sign; where `begins` ends before the sign, that is read from the text."""
        chain, sign = self._found(begins, after, signless=True)
        self._saw(chain, sign)
        left, right = (self._value(chain.sides[at], given, numbers, letters) for at in (sign, sign + 1))
        return Relation(left, chain.signs[sign].text, right)

    def function(self, begins: str, *letters: str, given: Mapping[str, Any] | None = None, after: str = "",
                 numbers: Callable | None = None) -> Callable:
        """The right side of a relation as a function of these letters or pieces, in this order; else as a call."""
        chain, sign = self._found(begins, after)

        def formula(*values, **more):
            if len(values) != len(letters):
                raise TypeError(f"a function of {', '.join(letters)} was given {len(values)} values")
            named = dict(zip(letters, values, strict=True))
            pieces = {piece: named.pop(piece) for piece in letters if not _is_name(piece)}
            return self._value(chain.sides[sign + 1], dict(given or {}) | pieces, numbers,
                               {_letter(name): one for name, one in named.items()} | more)
        return formula

    def range(self, letter: str, given: Mapping[str, Any] | None = None, /, *, after: str = "", **letters: Any
              ) -> Range:
        r"""The values that the text allows a letter, from `d,H\ge2`, `0<\epsilon\le1` or `\delta\in(0,1)`.

        The words `after` say from where on it is looked for; then the first that is said counts.

        Raises
        ------
        Unreadable
            The text says nothing about this letter, or two things.
        """
        wanted, found = words(letter), {}
        start = self._after(after)
        for chain in self.chains:
            if chain.sides[0] and chain.sides[0][0].start < start:
                continue
            at = next((at for at, text in enumerate(chain.texts) if text == wanted), None)
            listed = at is None and any(tuple(t.text for t in side) == wanted for side in chain.listed)
            if at is None and not listed or not chain.signs:
                continue
            at = 0 if listed else at
            for sign, other, turned in ((at, at + 1, False), (at - 1, at - 1, True)):
                if 0 <= sign < len(chain.signs):
                    for end, bound in self._bound(chain, sign, other, turned, given, letters).items():
                        if not after and found.get(end, bound) != bound:
                            raise Unreadable(f"{self.name} says two things about the range of {letter}; "
                                             "say after which words")
                        found.setdefault(end, bound)
        if not found:
            raise Unreadable(f"{self.name} says nothing about the range of {letter}")
        return Range(**found)

    def interval(self, given: Mapping[str, Any] | None = None, /, *, after: str, **letters: Any) -> Range:
        """The first formula after the words `after` as an interval: `$[0,1]$`; other parameters as of a call.

        Raises
        ------
        Unreadable
            The formula is no interval, or an end of it is not arithmetic.
        """
        chain, _ = self._found("", after)
        if not (found := self._ends(chain.sides[0], given, letters)):
            raise Unreadable(f"{self.name} has no interval after {after!r}")
        return Range(**found)

    def entries(self, begins: str, given: Mapping[str, Any] | None = None, /, *, after: str = "", skip: int = 0,
                numbers: Callable | None = None, **letters: Any) -> tuple:
        r"""The entries of a bracket such as `(200,2,3)` or `\{1,2\}`, the right side of a relation or a formula.

        Other parameters as of a call.

        Raises
        ------
        Unreadable
            What is found is no bracket with several entries.
        """
        chain, sign = self._found(begins, after, skip=skip)
        side, depth, parts = chain.sides[sign + 1], 0, [[]]
        for token in side[1:-1]:
            depth += (token.text in OPEN) - (token.text in CLOSE)
            if token.text == "," and not depth:
                parts.append([])
            else:
                parts[-1].append(token)
        if len(parts) < 2 or side[0].text not in ("(", "[", r"\{") or side[-1].text not in (")", "]", r"\}"):
            raise Unreadable(f"{self.name} has no list in a bracket there: {latex(tuple(t.text for t in side))}")
        return tuple(self._value(tuple(part), given, numbers, letters) for part in parts)

    def _bound(self, chain: Chain, sign: int, other: int, turned: bool, given, letters) -> dict:
        """What one sign of a chain says of a letter: ends of its range, as fields of `Range`."""
        text, side = chain.signs[sign].text, chain.sides[other]
        if text == r"\in" and not turned:
            return self._interval(chain, sign, given, letters)
        if text not in COMPARES:
            return {}
        low, high = COMPARES[text]
        upper = (low is None) != turned  # the letter is below the other side
        try:
            bound = self._value(side, given, None, letters)
        except Unreadable:
            return {}
        self._saw(chain, sign)
        belongs = bool(low if low is not None else high)
        return {"top": bound, "high_belongs": belongs} if upper else {"bottom": bound, "low_belongs": belongs}

    def _interval(self, chain: Chain, sign: int, given, letters) -> dict:
        """The interval after a sign; nothing where the letter is in another set."""
        if found := self._ends(chain.sides[sign + 1], given, letters):
            self._saw(chain, sign)
        return found

    def _ends(self, side: tuple[Token, ...], given, letters) -> dict:
        """The ends of an interval such as `(0,1]`; nothing where it is none."""
        texts = [token.text for token in side]
        if len(side) < 5 or texts[0] not in "([" or texts[-1] not in ")]" or texts.count(",") != 1:
            return {}
        comma = texts.index(",")
        low, high = (self._value(part, given, None, letters) for part in (side[1:comma], side[comma + 1:-1]))
        return {"bottom": low, "top": high, "low_belongs": texts[0] == "[", "high_belongs": texts[-1] == "]"}

    def shown(self, begins: str, *, after: str = "", right: bool = False) -> str:
        """The relation as it is printed, between dollar signs, for the name of a step; with `right` its right side."""
        chain, sign = self._found(begins, after, signless=True)
        return f"${self._slice(chain.sides[max(sign + right, 0)][0].start, chain.sides[sign + 1][-1].end)}$"

    def piece(self, wanted: str) -> str:
        """A piece of a formula as it is printed, spaces and sizes of brackets included.

        Raises
        ------
        Unreadable
            No formula of the text holds it.
        """
        looked_for = words(wanted)
        for found in MATHS.finditer(self.source):
            there = tokens(self.source, *found.span(1 if found[1] else 2))
            for at in range(len(there) - len(looked_for) + 1 if looked_for else 0):
                part = there[at:at + len(looked_for)]
                if tuple(token.text for token in part) == looked_for:
                    return self._slice(part[0].start, part[-1].end)
        raise Unreadable(f"no formula of {self.name} holds {wanted}")

    def _slice(self, start: int, end: int) -> str:
        found = self.source[len(re.sub(r"\\left\s*$", "", self.source[:start])):end]
        if len(re.findall(r"\\left\b", found)) != len(re.findall(r"\\right\b", found)):  # one of a pair is outside
            found = re.sub(r"\\(?:left|right)\b", "", found)
        return found

    def edit(self, old: str, new: str) -> Text:
        """The text with a piece of it changed; it has to be there once.

        Raises
        ------
        Unreadable
            The piece is not there, or more than once; or nothing changes.
        """
        count = self.source.count(old) if old else 0
        if count != 1:
            raise Unreadable(f"{self.name} holds {old!r} {count} times; an edit names a piece that is there once")
        if old == new:
            raise Unreadable("the edit changes nothing")
        return Text(self.source.replace(old, new), self.name)

    @property
    def chains(self) -> list[Chain]:
        """All relations and formulas of the text, in its order."""
        if self._chains is None:
            self._chains = [chain for found in MATHS.finditer(self.source)
                            for chain in _chains(tokens(self.source, *found.span(1 if found[1] else 2)))]
        return self._chains

    def _after(self, after: str) -> int:
        if not after or after == BEGINNING:
            return 0
        found = [match.span() for match in re.finditer(_spaced(after), self.source)]
        if len(found) != 1:
            raise Unreadable(f"{self.name} holds the words {after!r} {len(found)} times; once is needed")
        if found[0] not in self.heard:
            self.heard.append(found[0])
        return found[0][1]

    def repeat(self, other: Text) -> None:
        """Look up what has been looked up in another text.

        Raises
        ------
        Unreadable
        """
        for asked, *more in other._known:
            self._found(*asked, **dict(more))

    def _found(self, *asked: Any, **more: Any) -> tuple[Chain, int]:
        """The chain and the number of the sign; -1 where the first side itself is meant; parameters of `_looked_up`."""
        key = (asked, *more.items())
        if key not in self._known:
            self._known[key] = self._looked_up(*asked, **more)
        return self._known[key]

    def _looked_up(self, begins: str, after: str, signless: bool = False, skip: int = 0) -> tuple[Chain, int]:
        start, wanted = self._after(after), words(begins)
        if not wanted:
            if not after:
                raise Unreadable("say how the formula begins, or after which words it is")
            behind = [chain for chain in self.chains if chain.sides[0] and chain.sides[0][0].start >= start][skip:]
            if not behind:
                raise Unreadable(f"{self.name} has no formula after {after!r}")
            self._saw(behind[0], -1)
            return behind[0], -1
        found = []
        for chain in self.chains:
            for at in range(len(chain.signs)):
                if not chain.sides[at] or not chain.sides[at + 1] or chain.sides[at][0].start < start:
                    continue
                if signless and _matches(chain.texts[at], wanted):
                    found.append((chain, at))
                elif (sign := chain.begins(at, wanted)) is not None:
                    found.append((chain, sign))
        if after and found:
            self._nearest(found[0], wanted, start, begins, after)
            found = found[skip:skip + 1]
        if not found:
            raise Unreadable(f"{self.name} has no relation that begins with {begins}")
        if len({chain.texts[sign + 1] for chain, sign in found}) > 1:
            raise Unreadable(f"{self.name} has {len(found)} relations that begin with {begins}; say after which words")
        for chain, sign in found:
            self._saw(chain, sign, right_only=DOTS[0] in wanted)
        return found[0]

    def _nearest(self, found: tuple[Chain, int], wanted: tuple[str, ...], start: int, begins: str, after: str) -> None:
        """Refuse what was found where a nearer relation begins so with its sign turned: it may be the one meant."""
        if wanted[-1] not in REVERSED:
            return
        turned = (*wanted[:-1], REVERSED[wanted[-1]])
        for chain in self.chains:
            for at in range(len(chain.signs)):
                if chain.sides[at] and chain.sides[at][0].start >= start and chain.begins(at, turned) is not None:
                    if chain.sides[at][0].start < found[0].sides[found[1]][0].start:
                        raise Unreadable(f"{self.name} has after {after!r} first a relation with the sign of {begins} "
                                         "turned")
                    return

    def _saw(self, chain: Chain, sign: int, right_only: bool = False) -> None:
        sides = chain.sides[max(sign, 0):sign + 2]
        place = (chain.signs[sign].start if right_only else min(side[0].start for side in sides if side),
                 max(side[-1].end for side in sides if side))
        if place not in self.places:
            self.places.append(place)

    def _value(self, side: tuple[Token, ...], given, numbers, letters) -> Any:
        given = dict(given or {})
        names = {_letter(name): found for name, found in letters.items()}
        names |= {_letter(piece): found for piece, found in given.items()}
        texts = tuple(token.text for token in side)
        try:
            pieces = tuple(piece for piece in given if not _is_letter(piece))
            found = value(read(texts, pieces), names | given, numbers)
        except Unreadable as problem:
            raise Unreadable(f"{self.name}: {problem}: {latex(texts)}") from problem.__cause__
        return self.change(found, side[0].start) if self.change else found


def _spaced(phrase: str) -> str:
    return r"\s+".join(map(re.escape, re.split(r"\s+", phrase)))  # a line may end between two words


def _is_name(name: str) -> bool:
    r"""Whether it names a letter of Python or of LaTeX, `lambda_` or `\lambda`, and is no other piece of LaTeX."""
    return re.fullmatch(r"\w+", name) is not None or _is_letter(name)


@lru_cache(maxsize=16384)
def _is_letter(piece: str) -> bool:
    """Whether a piece of LaTeX is one letter, with an index or an accent."""
    try:
        return read(words(piece)).kind == "letter"
    except Unreadable:
        return False


@lru_cache(maxsize=16384)
def _letter(name: str) -> str:
    r"""A letter as the tree names it: `lambda_` and `\lambda` are lambda, `\nu_{\min}` is nu_min."""
    if re.fullmatch(r"\w+", name):
        return name.rstrip("_")
    return read(words(name)).value if _is_letter(name) else name


def _matches(text: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether the tokens are the wanted ones, in which three dots stand for anything."""
    at = next((i for i in range(len(wanted) - 2) if wanted[i:i + 3] == DOTS), None)
    if at is None:
        return text == wanted
    before, behind = wanted[:at], wanted[at + 3:]
    return len(text) >= len(before) + len(behind) and text[:at] == before and text[len(text) - len(behind):] == behind


def _chains(found: tuple[Token, ...]) -> Iterator[Chain]:
    """The chains of one formula: cut at commas and words, then at signs, outside of all brackets."""
    sides: list[list[Token]] = [[]]
    signs: list[Token] = []
    listed: list[tuple[Token, ...]] = []
    depth = 0
    for token in (*found, Token(";", 0, 0)):
        depth += (token.text in OPEN) - (token.text in CLOSE)
        apart = token.text in APART or token.text.startswith((r"\text{", r"\begin{", r"\end{"))
        if depth <= 0 and apart:
            depth = 0
            if any(sides):
                yield Chain(tuple(map(tuple, sides)), tuple(signs), tuple(listed) if signs else ())
                listed = [*listed, tuple(sides[0])] if token.text == "," and not signs else []
            sides, signs = [[]], []
        elif depth <= 0 and token.text in SIGNS:
            signs.append(token)
            sides.append([])
        else:
            sides[-1].append(token)
