"""The lock of the book: wheels that one turns, a body and a shackle, drawn as shapes of SVG.

`book/_static/moves/wheels.js` draws the same shapes in the page and makes the wheels turn; a test compares the two.
A shape is `[key, tag, attributes, words]`. A film (`derl.show.drawing.film`) moves the shapes that keep their key.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

WIDE, HIGH, STEP = 40, 84, 46  # of a wheel, and from one wheel to the next, in pixels
ROOM = 14  # between the body of the lock and its first wheel
TOP = 40  # of the wheels, below the shackle
BOTTOM = 44  # from the end of the wheels to that of the body and of the marks
MARKS = {"right": "✓", "wrong": "✕", "dark": "?", "": ""}  # what is known of a wheel, for those who see no colours
WORDS = {"right": "right", "wrong": "wrong", "dark": "not tested", "": ""}


def _near(value: float) -> float:
    """One decimal, half up, as the script rounds."""
    return math.floor(value * 10 + 0.5) / 10


def drum(key: str, x: float, y: float, labels: Sequence[str], index: int, state: str = "", turn: float = 0.0) -> list:
    """One wheel with its upper left corner at (x, y).

    Parameters
    ----------
    labels : sequence of str
        What is written round the wheel.
    index : int
        The label in the window.
    state : {"", "right", "wrong", "dark"}
        What is known about the label in the window; "dark" means that it was not tested.
    turn : float in [-1, 1]
        How far the wheel has been turned towards the next label.
    """
    shapes = [[f"{key}-face", "rect", {"x": x, "y": y, "width": WIDE, "height": HIGH, "rx": 8, "class": "wheel-face"},
               None]]
    for row in (-2, -1, 0, 1, 2):
        angle = (row - turn) * 0.68
        flat = math.cos(angle)
        if flat <= 0.3:
            continue
        label = labels[(index + row) % len(labels)]
        size = 24 * flat * (1 if len(label) < 3 else 0.6)
        shapes.append([f"{key}-{(index + row) % len(labels)}-{row}", "text",
                       {"x": x + WIDE / 2, "y": _near(y + HIGH / 2 + 46 * math.sin(angle) + size * 0.35),
                        "text-anchor": "middle", "class": "wheel-label", "opacity": _near(flat * flat * flat),
                        "style": f"font-size:{_near(size):g}px"}, label])
    shapes += [[f"{key}-shade{at}", "rect", {"x": x, "y": y + at, "width": WIDE, "height": 22, "rx": 8,
                                             "class": "wheel-shade"}, None] for at in (0, HIGH - 22)]
    shapes.append([f"{key}-window", "rect", {"x": x + 2, "y": y + HIGH / 2 - 17, "width": WIDE - 4, "height": 34,
                                             "rx": 5, "class": f"wheel-window {state}".strip()}, None])
    shapes.append([f"{key}-mark", "text", {"x": x + WIDE / 2, "y": y + HIGH + 18, "text-anchor": "middle",
                                           "class": f"wheel-mark {state}".strip()}, MARKS[state]])
    return shapes


def cell(key: str, x: float, y: float, label: str, state: str = "") -> list:
    """A small flat window with a label, as a record of what a wheel showed."""
    words = "?" if state == "dark" else f"{label} {MARKS[state]}".strip()
    return [[f"{key}-cell", "rect", {"x": x, "y": y, "width": WIDE, "height": 22, "rx": 4,
                                     "class": f"wheel-cell {state}".strip()}, None],
            [f"{key}-words", "text", {"x": x + WIDE / 2, "y": y + 16, "text-anchor": "middle", "class": "wheel-words"},
             words]]


def body(key: str, x: float, y: float, n: int, opened: bool = False) -> list:
    """Shackle and body of a lock with n wheels."""
    width = 2 * ROOM + STEP * n - (STEP - WIDE)
    middle, lift = x + width // 2, 10 if opened else 0
    reach = min(width // 2 - 18, 46)
    right = f"V{y + TOP - 22}" if opened else f"V{y + TOP - 6}"
    return [[f"{key}-shackle", "path", {"class": "lock-shackle", "d":
             f"M{middle - reach} {y + TOP - 6}V{y + 22 - lift}Q{middle - reach} {y + 6 - lift} {middle - reach + 18} "
             f"{y + 6 - lift}H{middle + reach - 18}Q{middle + reach} {y + 6 - lift} {middle + reach} {y + 22 - lift}"
             f"{right}"}, None],
            [f"{key}-body", "rect", {"x": x, "y": y + TOP - 10, "width": width, "height": HIGH + 36, "rx": 12,
                                     "class": "lock-body"}, None]]


def size(n: int) -> tuple[int, int]:
    """Width and height of a lock with n wheels."""
    return 2 * ROOM + STEP * n - (STEP - WIDE), TOP + HIGH + BOTTOM - 14


def lock(key: str, x: float, y: float, labels: Sequence[str], indices: Sequence[int],
         states: Sequence[str] | None = None, opened: bool = False) -> list:
    """The whole lock, with its upper left corner at (x, y).

    Parameters
    ----------
    labels : sequence of str
        What is written round each wheel.
    indices : sequence of int
        For each wheel the label in its window.
    states : sequence of str, optional
        For each wheel what is known, see `drum`.
    """
    states = states or [""] * len(indices)
    shapes = body(key, x, y, len(indices), opened)
    for j, (index, state) in enumerate(zip(indices, states, strict=True)):
        shapes += drum(f"{key}{j}", x + ROOM + STEP * j, y + TOP, labels, index, state)
    return shapes


def tried(code: Sequence[int], hidden: Sequence[int]) -> list[str]:
    """What one trajectory that plays a code shows of each wheel of the hidden code."""
    wrong = next((j for j, (own, true) in enumerate(zip(code, hidden, strict=True)) if own != true), len(code))
    return ["right"] * wrong + ["wrong", *["dark"] * (len(code) - wrong - 1)][:len(code) - wrong]


def in_words(indices: Sequence[int], states: Sequence[str]) -> str:
    """The lock in words, for readers who do not see it."""
    return "A lock. " + "; ".join(f"wheel {j}: {index}" + (f", {WORDS[state]}" if state else "")
                                  for j, (index, state) in enumerate(zip(indices, states, strict=True), 1)) + "."
