"""What the height of each page of the book consists of, before and after: book/back/heights.csv.

    python speed/page_heights.py [--html _build/html] [--when after]

Every page is opened in Chromium, 1360 pixels wide, as tests/book/test_heights.py does; the rows of that moment are
replaced, those of other moments stay. `before` was measured once, on the built book of the commit before statements
became one line each.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "book" / "back" / "heights.csv"
PARTS = ("cards", "statements", "proofs", "figures", "interactives", "tables", "code", "prose")
COLUMNS = ("when", "name", "page", *PARTS)


def measured(html: Path) -> list[dict]:
    """Pixels of each part, page by page."""
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "book" / "_setup")]
    from browser import in_chromium

    pages = sorted(path for path in (html / "book").rglob("*.html"))
    found = in_chromium(ROOT / "tests" / "book" / "heights.mjs", *[page.as_uri() for page in pages])
    return [{"name": page.relative_to(html / "book").with_suffix("").as_posix(), **found[page.as_uri()]}
            for page in pages if page.as_uri() in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--html", type=Path, default=ROOT / "_build" / "html")
    parser.add_argument("--when", default="after", choices=("before", "after"))
    given = parser.parse_args()
    rows = [row | {"when": given.when} for row in measured(given.html.resolve())]
    if TABLE.is_file():
        with TABLE.open(encoding="utf-8", newline="") as stream:
            rows += [row for row in csv.DictReader(stream) if row["when"] != given.when]
    with TABLE.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["when"] == "after", row["name"])))
    for row in rows:
        if row["when"] == given.when:
            print(f"{row['name']:34} {row['page']:>7} px, cards {int(row['cards']) / int(row['page']):4.0%}")


if __name__ == "__main__":
    main()
