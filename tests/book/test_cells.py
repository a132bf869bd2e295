"""What a reader sees of the code is mathematics: it fits the column, and no cell glues a table together."""

import re

from rules import ROOT

WIDEST = 92
CELL = re.compile(r"^```\{code-cell\} python\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
GLUED = re.compile(r'\(f?"\||Markdown\(|"\s*\|\s*"\.join')
PAGES = [page for page in sorted(ROOT.glob("book/**/*.md")) if "node_modules" not in page.parts]


def cells(text: str) -> list[tuple[str, str]]:
    """(how much is seen, code) of the cells that can be seen: "shown", or "hidden" until a click."""
    return [("hidden" if "hide-" in tags else "shown", code) for tags, code in CELL.findall(text)
            if "remove-" not in tags]


def too_wide(text: str) -> list[str]:
    return [line for seen, code in cells(text) if seen == "shown" for line in code.splitlines() if len(line) > WIDEST]


def glued(text: str) -> list[str]:
    return [code for _, code in cells(text) if GLUED.search(code)]


def test_the_code_that_is_shown_fits_the_column():
    assert sum(len(cells(page.read_text(encoding="utf-8"))) for page in PAGES) > 100
    found = {str(page): too_wide(page.read_text(encoding="utf-8")) for page in PAGES}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_cell_that_can_be_opened_glues_a_table():
    found = {str(page): glued(page.read_text(encoding="utf-8")) for page in PAGES}
    assert {name: codes for name, codes in found.items() if codes} == {}
