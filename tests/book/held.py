r"""What holds the numbers and formulas in the prose of a page, so that a changed digit, exponent or sign is noticed.

    text      the wording, a step or the erratum of a statement that the page names has the same formula, or one with
              the same value at all points
    value     both sides are evaluated, with the values that the paragraph or its section gives to letters, and agree
    set       the value of a letter that such a relation uses
    cell      a cell of the page has the number, or the same value for the same name
    place     a statement that the page names has this number or this line, or a list of the page counts up to it
    row       numbers.csv names the origin of the number

The statements that a paragraph names come first, then those of its section, those of the page, those that these use,
and for long formulas all. What holds an item has to reject the same item with a number changed by one, and with a
relation turned round; else the item is held loosely, as 134 < 144, or a number that is in a cell by chance may be.

What is held loosely or not at all is in `recorded.csv`, with what it was compared with, if it was.
`python tests/book/held.py` prints what differs from the record; with `--count` how much each of these holds, with
`--only page` for one page; `--renew` writes the record.
"""

from __future__ import annotations

import csv
import itertools
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path

from page_items import KINDS, LAYOUT, MATHS, NAMED, SAME, SAYS, Item, in_cells, items, plain, prose, variants

from derl.claims import PAPER
from derl.ledger.formulas import points
from derl.ledger.latex import Formula, NoFormula
from derl.ledger.relations import DOWN, UP, chains, holds, so

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("recorded.csv")
SECTIONS = ROOT / "derl" / "claims" / "sections.csv"
sys.path.insert(0, str(ROOT / "attacks"))
from loose_latex import formula as loose  # noqa: E402
from loose_latex import sides as all_sides  # noqa: E402

NEAR = re.compile(r"\\approx(?![a-z])|=\\[cl]?dots|\\[cl]?dots(?==)")
TRIES = 64  # choices among several values of the letters of a relation
LONG = 6  # tokens of a formula that is looked for in all statements
LARGE = 9  # a number in words up to this one may be in a cell by chance


# --------------------------------------------------------------------------------------------------- statements


@cache
def texts(key: str) -> str:
    """What a statement, its proof and its erratum say."""
    statement = PAPER.statements[key]
    return "\n".join([statement.title, statement.statement, statement.added, *(step.say for step in statement.proof),
                      *map(str, (statement.erratum or {}).values())])


@cache
def tokens(key: str) -> str:
    """The formulas of a statement, token by token."""
    return "|".join(plain(a or b) for a, b in MATHS.findall(texts(key)))


@cache
def words(key: str) -> str:
    """A statement without its formulas."""
    return MATHS.sub(" X ", texts(key))


@lru_cache(2**16)
def mark(side: str) -> tuple | None:
    """What a side of a relation is worth: its letters, and its values at the points of `derl.ledger.formulas`."""
    found = loose(side)
    if found is None:
        return None
    values = [float(found.at(point)) for point in (points(found.names) if found.names else [{}])]
    kept = tuple(f"{value:.9e}" for value in values if math.isfinite(value))
    return (*sorted(found.names), *kept) if kept else None


def marked(left: str, sign: str, right: str) -> tuple | None:
    """The same for a relation, in one of its two directions."""
    one, other = mark(left), mark(right)
    if one is None or other is None:
        return None
    if sign == "=":
        return ("=", *sorted((one, other), key=str))
    if sign in UP:
        one, other, sign = other, one, DOWN[UP.index(sign)]
    return SAME.get(sign, sign), one, other


@cache
def marks(key: str) -> frozenset:
    """The marks of all sides and relations of a statement, its proof and its erratum."""
    found = set()
    for parts, signs in all_sides(texts(key)):
        found.update(map(mark, parts))
        found.update(marked(*triple) for triple in zip(parts, signs, parts[1:], strict=False))
    return frozenset(found - {None})


def named(text: str) -> list[str]:
    """The statements that a part of a page names, with their repairs."""
    keys = [key for key in NAMED.findall(text) if key in PAPER.statements]
    return list(dict.fromkeys([*keys, *filter(None, (PAPER.statements[key].repair for key in keys))]))


# ------------------------------------------------------------------------------------------------------- values


@lru_cache(2**15)
def read(text: str) -> Formula | None:
    """A formula that can be evaluated, or None."""
    try:
        return Formula(text)
    except (NoFormula, ValueError, IndexError):
        return None


def parts(formula: str) -> Iterator[tuple[list[str], list[str]]]:
    """Sides and signs of what stands between two commas of a formula; about equal is equal."""
    yield from chains(NEAR.sub("=", LAYOUT.sub(" ", formula)).strip().rstrip(".,;"))


def relations(formula: str) -> Iterator[tuple[str, str, str]]:
    """(left, sign, right) of all relations of a formula."""
    for sides, signs in parts(formula):
        yield from zip(sides, signs, sides[1:], strict=False)


def setting(left: str, sign: str, right: str) -> tuple[str, Fraction] | None:
    """(letter, value) where a relation only gives a value to a letter."""
    letter, number = (read(left), read(right)) if sign == "=" else (None, None)
    if letter and number and letter.bare and len(letter.names) == 1 and not number.names:
        return next(iter(letter.names)), number.at({})
    return None


def rounding(text: str) -> float:
    """The relative error of a side that is a decimal, or a multiple, 11.2/sqrt(N), as far as it is typed; else 0."""
    found = re.fullmatch(r"\s*-?(\d+\.(\d+))([^-+]*)", text)
    return 0.51 * 10.0 ** -len(found[2]) / (float(found[1]) or 1) if found else 0.0


def agrees(left: str, sign: str, right: str, point: Mapping) -> bool:
    """Whether a relation holds at a point, decimals as far as they are typed."""
    one, other = (float(read(side).at(point)) for side in (left, right))
    if not (math.isfinite(one) and math.isfinite(other)):
        return False
    close = max(rounding(left), rounding(right)) * max(abs(one), abs(other))
    return so(one, sign, other) or sign == "=" and abs(one - other) <= close


def choices(left: str, right: str, values: Mapping[str, set]) -> Iterator[dict]:
    """The points that the values of the letters of a relation make, if all have one and they are not too many."""
    if read(left) is None or read(right) is None:
        return
    names = sorted(read(left).names | read(right).names)
    if set(names) <= values.keys() and math.prod(len(values[name]) for name in names) <= TRIES:
        for chosen in itertools.product(*(values[name] for name in names)):
            yield dict(zip(names, chosen, strict=True))


def same(left: str, right: str) -> bool:
    """Whether two sides have the same value at every point, decimals as far as they are typed."""
    if mark(left) is not None and mark(left) == mark(right):
        return True
    if not (read(left) and read(right) and max(rounding(left), rounding(right))):
        return False
    return all(agrees(left, "=", right, point) for point in points(read(left).names | read(right).names))


# --------------------------------------------------------------------------------------------------------- a page


@dataclass(frozen=True)
class Level:
    """What may hold the items of a paragraph: its own surroundings, those of its section, or of the page."""

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    marks: tuple[frozenset, ...]
    keys: tuple[str, ...]
    numbers: frozenset
    pairs: frozenset
    values: Mapping[str, set]

    @classmethod
    def of(cls, keys: Iterable[str], cells: tuple[frozenset, frozenset], values: Mapping[str, set]) -> Level:
        keys = tuple(keys)
        return cls(tuple(map(tokens, keys)), tuple(map(words, keys)), tuple(map(marks, keys)), keys, *cells, values)


class Page:
    """A page, and for each of its items what holds it.

    Attributes
    ----------
    by : list of (Item, str)
        Every item with "text", "value", "set", "cell", "place" or "row"; with "loose" where the same holds a false
        variant of it, and "" where nothing holds it.
    """

    def __init__(self, name: str, text: str, rows: Iterable[str] = ()):
        home = [key for key, statement in PAPER.statements.items() if statement.page == name]
        whole = [*dict.fromkeys([*named(prose(text)), *home])]
        used = [*dict.fromkeys([*whole, *(used for key in whole for used in PAPER.statements[key].uses)])]
        self.by = []
        self._last: dict[str, int] = {}  # number of the step, hint or item of a list that begins last, by its label
        for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
            told = [(paragraph, list(items(paragraph))) for paragraph in re.split(r"\n\s*\n", prose(section))]
            values, cells = _values(item for _, found in told for item in found), in_cells(section, text)
            far = [Level.of(keys, in_cells(text, text), values) for keys in (whole, used)]
            around = [Level.of(named(prose(section)), cells, values), *far]
            self._used = set()
            for paragraph, found in told:
                levels = [Level.of(named(paragraph), cells, _values(found)), *around]
                self._use(found, levels[:2])
            for paragraph, found in told:
                levels = [Level.of(named(paragraph), cells, _values(found)), *around]
                self.by += [(item, "row" if item.text in rows else self._item(item, levels)) for item in found]

    def _use(self, found: Iterable[Item], levels: Iterable[Level]) -> None:
        """Note the values of letters that an equality uses and that it rejects when they are changed by one."""
        for item in found:
            for left, sign, right in relations(item.text) if item.formula else ():
                if sign == "=" and not setting(left, sign, right):
                    for level in levels:
                        for point in choices(left, right, level.values):
                            if agrees(left, sign, right, point):
                                self._used.update((name, value) for name, value in point.items() if not any(
                                    agrees(left, sign, right, point | {name: value + step}) for step in (1, -1)))

    def _item(self, item: Item, levels: list[Level]) -> str:
        if item.place.endswith("#"):
            before, self._last[item.place] = self._last.get(item.place, 0), int(item.text)
            return "place" if int(item.text) in (1, before + 1) else ""
        if not item.formula:
            kind = self._sharp(item.text, levels, lambda text, level: _number(text, item, level))
            return kind or "loose" * (item.place in KINDS and _anywhere(item.text, item.place))
        kinds = [self._sharp(item.text, levels, self._holds)]
        if kinds[0] in ("", "loose"):
            pieces = list(self._pieces(item.text, levels))
            kinds = pieces if pieces and all(pieces) else kinds
        if kinds[0] == "" and _in_all(item.text):
            return "text"
        return next((kind for kind in ("", "loose") if kind in kinds), kinds[0])

    def _pieces(self, formula: str, levels: list[Level]) -> Iterator[str]:
        """What holds each part of a formula: what is between commas, or each relation of it."""
        for sides, signs in parts(formula):
            piece = "".join(itertools.chain(*itertools.zip_longest(sides, signs, fillvalue="")))
            if SAYS.search(piece):
                kind = self._sharp(piece, levels, self._holds)
                if kind or len(signs) < 2:
                    yield kind
                else:
                    for triple in zip(sides, signs, sides[1:], strict=False):
                        yield self._sharp("".join(triple), levels, self._holds)

    @staticmethod
    def _sharp(text: str, levels: list[Level], holds) -> str:
        """What holds a text and does not hold the same with another number or relation; "loose", or nothing."""
        loose = ""
        for level in levels:
            if kind := holds(text, level):
                if not any(holds(variant, level) for variant in variants(text)):
                    return kind
                loose = "loose"
        return loose

    def _holds(self, text: str, level: Level) -> str:
        if any(form in formulas for form in _turned(plain(text)) for formulas in level.tokens):
            return "text"
        found = list(parts(text))
        if len(found) != 1:
            return ""
        sides, signs = found[0]
        if not signs:
            return self._side(sides[0], level)
        if len(signs) > 1:
            return "value" if set(signs) == {"="} and _numeric(sides) else ""
        return self._pair(sides[0], signs[0], sides[1], level)

    def _side(self, side: str, level: Level) -> str:
        if mark(side) is None:
            return ""
        if any(mark(side) in worth for worth in level.marks):
            return "text"
        value = read(side)
        number = value.at({}) if value and not value.names else None
        return "cell" if isinstance(number, Fraction) and number in level.numbers else ""

    def _pair(self, left: str, sign: str, right: str, level: Level) -> str:
        found = marked(left, sign, right)
        if found and any(found in worth for worth in level.marks):
            return "text"
        given = setting(left, sign, right)
        if given:
            return "cell" if given in level.pairs else "set" if given in self._used else ""
        if sign == "=" and same(left, right) or holds(left, sign, right):
            return "value"
        return "value" if any(agrees(left, sign, right, point) for point in choices(left, right, level.values)) else ""


def _values(found: Iterable[Item]) -> dict[str, set]:
    values: dict[str, set] = {}
    for item in found:
        for triple in relations(item.text) if item.formula else ():
            if given := setting(*triple):
                values.setdefault(given[0], set()).add(given[1])
    return values


def _anywhere(number: str, place: str) -> bool:
    """Whether some statement or section has this number, or some statement is on this line."""
    if place in ("section", "appendix"):
        with SECTIONS.open(encoding="utf-8", newline="") as stream:
            return number in {row["number"] for row in csv.DictReader(stream)}
    return _placed(number, place, Level((), (), (), tuple(PAPER.statements), frozenset(), frozenset(), {}))


def _in_all(formula: str) -> bool:
    """Whether some statement has a long formula, and none has a false variant of it."""
    def found(text: str) -> bool:
        return any(form in tokens(key) for form in _turned(plain(text)) for key in PAPER.statements)
    return len(plain(formula).split()) >= LONG and found(formula) and not any(map(found, variants(formula)))


def _turned(formula: str) -> Iterator[str]:
    """A formula, and the same with the sides of its only equality exchanged."""
    yield formula
    left, sign, right = formula.partition(" = ")
    if sign and " = " not in right:
        yield f" {right.strip()} = {left.strip()} "


def _numeric(sides: list[str]) -> bool:
    """Whether the numbers of a chain agree, "m = 3 * 3 = 9", of which the rest is letters."""
    numbers = [side for side in sides if read(side) and not read(side).names]
    return len(numbers) > 1 and all(read(side) and read(side).bare for side in sides if side not in numbers) and \
        all(agrees(one, "=", other, {}) for one, other in itertools.pairwise(numbers))


def _number(text: str, item: Item, level: Level) -> str:
    """What holds a number in words."""
    if item.place:
        return "place" if _placed(text, item.place, level) else ""
    try:
        number = Fraction(text.replace(",", ""))
    except ValueError:
        return ""
    letter = re.search(r"(?:^|[ (,])([A-Za-z]\w*) =$", item.before)
    if letter:
        return "cell" if (letter[1], number) in level.pairs else ""
    if number > LARGE or "." in text:
        if number in level.numbers:
            return "cell"
        if any(re.search(rf"(?<![\d.]){re.escape(text)}(?!\d|\.\d)", found) for found in level.words) or \
                any((f"{float(number):.9e}",) in worth for worth in level.marks):
            return "text"
    return ""


def _placed(text: str, place: str, level: Level) -> bool:
    """Whether it is the number of a statement, or of its line, or a statement says so."""
    for statement in map(PAPER.statements.get, level.keys):
        if place == "line":
            if text == str(statement.line):
                return True
        elif text == statement.number.strip("()") and (
                place in (statement.kind, "equation") and (place == statement.kind or statement.number[:1] == "(")):
            return True
    number = rf"\b{place}s?\s+\(?{re.escape(text)}(?!\d|\.\d)"
    return any(re.search(number, found, re.IGNORECASE) for found in level.words)


# -------------------------------------------------------------------------------------------------------- the record


def pages() -> dict[str, str]:
    """Every page of the book: its name -> its text."""
    return {path.relative_to(ROOT / "book").with_suffix("").as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((ROOT / "book").rglob("*.md")) if "node_modules" not in path.parts}


def held(texts: Mapping[str, str]) -> Iterator[tuple[str, Item, str]]:
    """(page, item, what holds it) for all items of some pages."""
    with RECORD.with_name("numbers.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for name, text in texts.items():
        for item, by in Page(name, text, {row["number"] for row in rows if row["page"] == name}).by:
            yield name, item, by


def unheld(texts: Mapping[str, str]) -> dict[tuple[str, str], Counter]:
    """(page, formula or number) of what is held loosely, or by nothing -> how often it is there as "loose", or ""."""
    found: dict[tuple[str, str], Counter] = {}
    for name, item, by in held(texts):
        if by in ("", "loose"):
            found.setdefault((name, item.text), Counter())[by] += 1
    return found


def recorded() -> dict[tuple[str, str], dict]:
    """The rows of recorded.csv by page and item."""
    with RECORD.open(encoding="utf-8", newline="") as stream:
        return {(row["page"], row["item"]): row for row in csv.DictReader(stream)}


def problems(found: Mapping, rows: Mapping) -> tuple[list[str], list[str]]:
    """What is new and held by nothing, beyond what is gone of that kind; and every other difference from the record.

    The first says that something false was written, or something that nothing can hold; the second that something
    has changed.
    """
    changes = {"": Counter(), "loose": Counter()}
    for key in {**found, **rows}:
        for kind, column in (("", "unheld"), ("loose", "loose")):
            now, before = found.get(key, Counter())[kind], int(rows[key][column]) if key in rows else 0
            changes[kind][key] = now - before
    new, gone = ([f"{page}: {item} {words}" for kind in changes for (page, item), count in changes[kind].items()
                  if count * sign > 0 for _ in range(abs(count))]
                 for sign, words in ((1, "is not recorded, and held loosely or by nothing"),
                                     (-1, "is recorded, and is not there or is held")))
    return (new if sum(changes[""].values()) > 0 else []), new + gone


def renew(found: Mapping, rows: Mapping) -> None:
    """Write what is held loosely or by nothing; what a row was compared with stays."""
    with RECORD.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("page", "item", "unheld", "loose", "compared"))
        for key, count in sorted(found.items()):
            writer.writerow((*key, count[""], count["loose"], rows.get(key, {}).get("compared", "")))


def main() -> int:
    if "--count" in sys.argv:
        count = Counter(("formulas" if item.formula else "numbers", by or "nothing") for _, item, by in held(pages()))
        print(*(f"{kind:10}{by:10}{number:5}" for (kind, by), number in sorted(count.items())), sep="\n")
        return 0
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    found = unheld({name: text for name, text in pages().items() if only in ("", name)})
    rows = {key: row for key, row in (recorded() if RECORD.is_file() else {}).items() if only in ("", key[0])}
    if "--renew" in sys.argv and not only:
        renew(found, rows)
        return 0
    false, changed = problems(found, rows)
    print(*(f"held by nothing: {line}" for line in false), *changed, sep="\n", end="\n" * bool(changed))
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
