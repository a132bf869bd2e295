"""Does the label of a control say what the control plants?

    python attacks/labels.py           compare with the exceptions in tests/claims/labels.csv
    python attacks/labels.py --renew   record what is excepted now
    python attacks/labels.py --all     list all pairs whose labels fit each other's arguments better
    python attacks/labels.py --alike   list the pairs that nothing in label or arguments tells apart

A label is English with formulas, `3 sqrt(d) gamma for 4`, and the arguments are values and pieces of code, `error = 3`.
Both have numbers, names and fragments of formulas. For every two controls of a check their labels have to share more of
these with their own arguments, and with the defaults these replace, than with the arguments of the other; otherwise
they may have been exchanged. The more a mark is shared by the controls of its check, the less it counts. Some labels
use other signs than their arguments; for these the number of crossed pairs of their check is recorded.
Exit status: 0 no check has more crossed pairs than are recorded; 1 one has, a line for each pair.
"""

from __future__ import annotations

import argparse
import csv
import inspect
import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path

from derl.inputs import files

FILE = Path(__file__).resolve().parents[1] / "tests" / "claims" / "labels.csv"
MARK = re.compile(r"\d+(?:\.\d+)?(?:\s*/\s*\d+)?|[A-Za-z]+|\*\*|\^|[-+*/<>=(),]")
WORDS = {"zero": 0, "no": 0, "without": 0, "nothing": 0, "never": 0, "one": 1, "once": 1, "two": 2, "twice": 2,
         "double": 2, "doubled": 2, "both": 2, "three": 3, "third": "1/3", "thirds": 3, "four": 4, "quarter": "1/4",
         "fourth": 4, "five": 5, "fifth": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "tenth": "1/10",
         "half": "1/2", "halves": 2, "square": 2, "squared": 2, "cubed": 3, "hundred": 100, "thousand": 1000,
         "hundredth": "1/100", "true": 1, "false": 0}
EMPTY = {"the", "for", "and", "that", "with", "place", "not", "lambda", "fraction", "rational", "from", "than", "are",
         "its", "has", "which", "their", "where", "instead", "none"}
WEIGHTS = {"number": 2.0, "word": 1.0, "letter": 0.5, "pair": 1.0}
ENDINGS = re.compile(r"(?:ies|ing|ed|es|s|ly|e)$")
NEAR = 1e-9


def marks(text: str) -> set[tuple]:
    """Numbers, words, letters and neighbouring signs of a label or of arguments."""
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text.replace("_", " ").replace("**", "^"))
    tokens, found = [token[0] for token in MARK.finditer(text)], set()
    for token in tokens:
        low = token.lower()
        if low in WORDS:
            found.add(("number", Fraction(WORDS[low])))
        if token[0].isdigit():
            parts = [Fraction(part.strip()) for part in token.split("/")]
            found |= {("number", part) for part in parts}
            if len(parts) == 2 and parts[1]:
                found.add(("number", parts[0] / parts[1]))
        elif token.isalpha() and len(token) > 2 and low not in EMPTY:
            found.add(("word", ENDINGS.sub("", low) or low))
        elif token.isalpha():
            found.add(("letter", token))
    for one, other in itertools.pairwise(tokens):
        if not (one.isalpha() and len(one) > 2 or other.isalpha() and len(other) > 2):
            found.add(("pair", one, other))
    for number, power in re.findall(r"(\d+)\s*\^\s*(\d+)", text):
        if int(power) < 40:
            found.add(("number", Fraction(int(number) ** int(power))))
    return found


def planted(check, control) -> tuple[set, set]:
    """Marks of the arguments of a control, and of the defaults that they replace."""
    defaults = {name: parameter.default for name, parameter in inspect.signature(check.function).parameters.items()}
    arguments = control.arguments
    if callable(arguments):
        return marks(_said(arguments)), set()
    new = set().union(*(marks(name) | marks(_said(value)) for name, value in arguments.items()))
    old = set().union(*(marks(_said(defaults.get(name, inspect.Parameter.empty))) for name in arguments))
    return new, old - new


def _said(value) -> str:
    from derl.ledger.arguments import shown, source

    if value is inspect.Parameter.empty:
        return ""
    words = shown(value)
    return f"{words} {source(value)}" if isinstance(value, Callable) and inspect.isfunction(value) and \
        value.__name__ != "<lambda>" and value.__module__.startswith("derl.claims") else words


def fit(label: set, new: set, old: set, rare: Counter, many: int) -> float:
    """How much a label shares with arguments; with the defaults half as much."""
    def worth(one):
        return WEIGHTS[one[0]] * (1 - (rare[one] - 1) / many)
    return sum(map(worth, label & new)) + sum(map(worth, label & old)) / 2


def pairs(check) -> Iterator[tuple[str, str, float]]:
    """(label, label, how much better they fit their own arguments) for every two controls of a check."""
    labels = [marks(control.plants) for control in check.controls]
    given = [planted(check, control) for control in check.controls]
    rare = Counter(one for new, old in given for one in new | old)
    fits = [[fit(label, *one, rare, len(labels)) for one in given] for label in labels]
    for i, j in itertools.combinations(range(len(labels)), 2):
        yield (check.controls[i].plants, check.controls[j].plants,
               fits[i][i] + fits[j][j] - fits[i][j] - fits[j][i])


def table(checks: Iterable) -> list[tuple[str, str, str, float]]:
    """(check, label, label, gain) of all pairs of controls, each check once."""
    done, found = set(), []
    for check in checks:
        if check.formal is None and check.source not in done:
            done.add(check.source)
            found += [(check.source, *row) for row in pairs(check)]
    return found


def crossed(rows: Iterable[tuple]) -> list[str]:
    """Pairs whose labels fit each other's arguments better, a line each."""
    return [f"{name}: {one!r} fits the arguments of {other!r} better, and the other way round"
            for name, one, other, gain in rows if gain < -NEAR]


def recorded() -> dict[str, int]:
    """How many crossed pairs of a check were looked at and excepted."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {row["check"]: int(row["crossed"]) for row in csv.DictReader(stream)}


def problems(rows: Iterable[tuple], before: dict[str, int]) -> list[str]:
    """Crossed pairs of the checks that have more of them than are recorded, a line each."""
    rows = list(rows)
    many = Counter(name for name, _, _, gain in rows if gain < -NEAR)
    return [line for line in crossed(rows) if many[name := line.partition(":")[0]] > before.get(name, 0)]


def main() -> int:
    from derl.claims import PAPER

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--alike", action="store_true")
    parser.add_argument("--only", default="", help="checks, joined by spaces")
    options = parser.parse_args()
    only = options.only.split()
    rows = table(check for check in PAPER.register().checks if not only or check.name in only)
    alike = [row for row in rows if abs(row[3]) <= NEAR]
    if options.alike:
        print(*(f"{name}: {one!r} and {other!r}" for name, one, other, _ in alike), sep="\n")
    if options.renew:
        many = Counter(name for name, _, _, gain in rows if gain < -NEAR)
        FILE.write_text(files.table(("check", "crossed"), sorted(many.items())), encoding="utf-8")
    found = crossed(rows) if options.all else problems(rows, recorded())
    print(*found, sep="\n", end="\n" if found else "")
    if not only:
        told = sum(gain > NEAR for *_, gain in rows)
        print(f"{len(rows)} pairs of controls; {told} are told apart by their labels, {len(alike)} are not, "
              f"{len(rows) - told - len(alike)} are crossed")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
