"""The film of the exact base: the first deployment pays d for each wheel, the next one d - 1."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from derl.show.drawing import film
from derl.theory.beyond import junk_game

DIGITS, CODES, WHEELS = 3, 64, 10
HIDDEN = (1, 2, 0, 0, 1, 2, 1, 0, 2, 1)
JUNK = (0, 0, 2, 1, 2, 0, 0, 1, 1, 2)  # the digit whose feature is reused after each wheel: never the right one
STEP, LEFT = 31, 8
FRAME = (326, 190)


def reach(digits: int) -> list[Fraction]:
    """Expected number of codes of a uniform batch that pass 0, 1, ... wheels, at most 1 wheel beyond the last code."""
    chances = junk_game.advance(digits, CODES, WHEELS)
    return [Fraction(CODES, digits**a) for a in range(len([p for p in chances if p == 1]) + 1)]


@cache
def prices() -> dict:
    """The film: the first deployment wheel by wheel, the digits that its data exclude, and the next deployment."""
    first, later = reach(DIGITS), reach(DIGITS - 1)
    opened = len(first) - 2  # wheels that at least one code of the batch passes on average
    frames = [(picture(0, [], 0), f"A lock with {DIGITS} digits for each wheel, and batches of {CODES} codes.")]
    rows = []
    for a in range(1, opened + 1):
        frames.append((picture(a, first[:a + 1], 0), f"First deployment: each wheel has {DIGITS} possible digits, so "
                       f"about {show(first[a])} of {show(first[a - 1])} codes {verb(first[a])} wheel {a}."))
        rows.append(("first", a, DIGITS, show(first[a])))
    frames.append((picture(opened, first[:opened + 1], 0, True),
                   "The trajectories that left the lock ended in junk states. Their features show one digit of each "
                   f"wheel that is wrong, so {DIGITS - 1} digits are left."))
    for a in range(1, len(later) - 1):
        if opened + a > WHEELS:
            break
        frames.append((picture(opened, later[:a + 1], opened, True), f"Next deployment: {DIGITS - 1} digits are left, "
                       f"so about {show(later[a])} of {show(later[a - 1])} codes {verb(later[a])} wheel {opened + a}."))
        rows.append(("next", opened + a, DIGITS - 1, show(later[a])))
    return film.film(FRAME, frames, ("deployment", "wheel", "possible digits", "codes that pass, on average"), rows,
                     "How far a batch of codes gets in the first deployment and in the next one")


def verb(number: Fraction) -> str:
    return "passes" if show(number) == "1" else "pass"


def show(number: Fraction) -> str:
    """A number of codes with at most one decimal."""
    return f"{float(number):.1f}".removesuffix(".0")


def picture(opened: int, passing: list[Fraction], start: int, crossed: bool = False) -> list:
    """One picture: each wheel as a column of its digits, and the codes that still run above the wheels they passed."""
    shapes = []
    for j in range(WHEELS):
        x, known = LEFT + STEP * j, j < (start or opened) or (start and j < start + len(passing) - 1)
        shapes.append(film.text(f"n{j}", x + 13, 102, str(j + 1), "", "middle"))
        for digit in range(DIGITS):
            out = crossed and not known and digit == JUNK[j]
            right = known and digit == HIDDEN[j]
            state = "right" if right else "dark" if out or known else ""
            shapes.append(film.shape(f"d{j}-{digit}", "rect", x=float(x), y=108.0 + 26 * digit, width=26, height=22,
                                     rx=4, kind=f"wheel-cell {state}".strip()))
            shapes.append(film.text(f"t{j}-{digit}", x + 13, 124 + 26 * digit, "✕" if out else str(digit),
                                    "wheel-words" if right or not (out or known) else "", "middle"))
    for a, many in enumerate(passing[1:], 1):
        x, height = LEFT + STEP * (start + a - 1), 64 * float(many) / CODES
        shapes += [film.bar(f"b{start}-{a}", x, 84 - height, 26, height, "blue" if start else "orange"),
                   film.text(f"v{start}-{a}", x + 13, 80 - height, show(many), "", "middle")]
    return shapes
