"""How long the sentences of each page are: median, longest, and the share of those over 30 words.

    python tests/rules/reading.py [PAGE ...]      # paths below the root; without any, all pages and statements

A formula counts as one word. Run it before and after an edit of the texts.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONG = 30  # words


def lengths(paragraphs: list[str]) -> list[int]:
    """Words of every sentence."""
    from prose import sentences, words

    return [n for paragraph in paragraphs for one in sentences(paragraph) if (n := words(one))]


def row(name: str, counts: list[int]) -> str:
    """One line of the table: sentences, median, longest, share over 30 words."""
    share = sum(n > LONG for n in counts) / len(counts)
    return f"{name:48} {len(counts):6} {statistics.median(counts):7g} {max(counts):8} {share:7.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("pages", nargs="*", help="such as book/index.md")
    given = parser.parse_args()
    from prose import sources

    found = {name: texts for name, texts in sources(ROOT).items() if not name.endswith(".py")}
    if unknown := [page for page in given.pages if page not in found]:
        raise SystemExit(f"reading: {unknown[0]} is no page; a page is a path such as book/index.md")
    print(f"{'page':48} {'sent.':>6} {'median':>7} {'longest':>8} {'over 30':>7}")
    everything = []
    for name in given.pages or found:
        counts = lengths(found[name])
        everything += counts
        if counts:
            print(row(name.removeprefix("book/"), counts))
    if everything:
        print(row("all", everything))


if __name__ == "__main__":
    main()
