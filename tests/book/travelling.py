"""Sentences that readers quote: superlatives and claims without exception, where a hurried reader looks.

Looked at are the front page, the headline results, the abstract of the new results, the errata, the README, and of
every page what it says in plain words, in three lines and at its end. `python tests/book/travelling.py` prints those
that travelling.csv does not list yet, as rows to be filled in: the statement that carries the sentence with its
hypotheses, or "description" where the sentence says how the book or a program works.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

from typed_numbers import prose, sentences

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("travelling.csv")
WHOLE = ("README", "book/index", "book/in-ten-minutes", "book/beyond/index", "book/back/errata", "book/evidence/index")
TRAVELS = re.compile(
    r"(?<!\$-)(?<!near-)(?<!D-)(?<!G-)\b(?:closes?|closed up|(?:the )?best known|the best|no better|every word"
    r"|(?:all|every) (?:absolute )?constants?|for every \$N|for the first time|the first to|the only|only if|no one"
    r"|nobody|no algorithm|no strategy|no other|no smaller|never|always|optimal|exactly|attained|solved|is new|are new"
    r"|necessary|unavoidable|impossible)\b", re.IGNORECASE)
SECTION = re.compile(r"^## (?:In plain words|Recap)\n(.*?)(?=^## |\Z)|\} In three lines\n(.*?)\n:::",
                     re.MULTILINE | re.DOTALL)


def pages(everything: bool = False) -> dict[str, str]:
    """What is looked at of every page, or everything on it: its name -> the text."""
    files = [ROOT / "README.md", *sorted((ROOT / "book").rglob("*.md"))]
    read = {path.relative_to(ROOT).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
            for path in files if "node_modules" not in path.parts}
    return {name: scope(text, everything or name in WHOLE) for name, text in read.items()}


def scope(text: str, whole: bool) -> str:
    """The parts of a page that are quoted."""
    return text if whole else "\n\n".join(a or b for a, b in SECTION.findall(text))


def travelling(text: str) -> list[str]:
    """The sentences of a text that claim something without exception."""
    return [sentence for sentence in sentences(prose(text)) if TRAVELS.search(sentence)]


def listed() -> list[dict]:
    """The rows of travelling.csv: page, how the sentence begins, the statement that carries it."""
    return list(csv.DictReader(LIST.read_text(encoding="utf-8").splitlines()))


def unlisted(texts: dict[str, str], rows: list[dict]) -> list[tuple[str, str]]:
    """(page, sentence) without a row."""
    return [(page, sentence) for page, text in texts.items() for sentence in travelling(text)
            if not any(row["page"] == page and sentence.startswith(row["sentence"]) for row in rows)]


if __name__ == "__main__":
    csv.writer(sys.stdout, lineterminator="\n").writerows(
        (page, sentence, "") for page, sentence in unlisted(pages(), listed() if LIST.is_file() else []))
