"""The page of the proofreading shows what the file says."""

from browser import ROOT
from bs4 import BeautifulSoup

from derl.ledger.proofreading import read


def test_every_row_that_is_not_right_stands_on_the_page_with_its_statement(html):
    page = BeautifulSoup((html / "book" / "back" / "proofreading.html").read_text(encoding="utf-8"), "html.parser")
    shown = page.select("table.proofreading-table tbody tr")
    rows = [row for row in read(ROOT / "book" / "back" / "proofreading.csv") if row.verdict != "right"]
    assert sorted(int(row.td.get_text()) for row in shown) == [row.line for row in rows]
    assert len(page.select("table.proofreading-table .claim-link")) == sum(row.statement != "" for row in rows)
    assert f"wrong {sum(row.verdict == 'wrong' for row in rows):>5}" in page.get_text()
