"""The two tiers of tests, and which tests stay together. CONTRIBUTING says what belongs to which tier."""

from functools import cache
from pathlib import Path

import pytest

# what takes minutes, or a program that not every machine has: tests that use one of these fixtures are slow
SLOW_FIXTURES = ("from_disk", "opened", "proofs_built")
TOUR, LABS = "tour", "tests/labs/"
FIRST = (TOUR, "tests/proofs/", LABS)  # the longest chains begin first, so that no worker waits for them at the end
TOO_LATE = "not begun: the minutes of --minutes are over"
BEGUN = pytest.StashKey[float]()  # when this process began
COLLECTED = pytest.StashKey[list[tuple[str, bool]]]()  # id of every test, and whether it is slow


@cache
def scope(root: Path, file: str) -> str:
    """The tests of one file stay together, and so do those that look at one tour of the book, or at one JupyterLab."""
    if file.startswith(LABS):
        return LABS
    text = (root / file).read_text(encoding="utf-8")
    return TOUR if any(word in text for word in ("over_http", "from_disk")) else file


def slow(item) -> bool:
    return item.get_closest_marker("slow") is not None


def misplaced(items) -> list[str]:
    """Tests that use what is slow and are not marked slow."""
    return sorted({item.nodeid.partition("[")[0] for item in items
                   if not slow(item) and not set(SLOW_FIXTURES).isdisjoint(item.fixturenames)})


def begin_with_the_longest(root: Path, items: list) -> None:
    def place(item) -> int:
        own = scope(root, item.nodeid.split("::")[0])
        return next((n for n, begin in enumerate(FIRST) if own.startswith(begin)), len(FIRST))

    items.sort(key=place)
