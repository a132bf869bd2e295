"""On a desk nothing is cut at the right edge of the text while the margin beside it is empty."""

from pathlib import Path

import pytest
from browser import in_chromium

PAGES = ("beyond/exact-base", "beyond/exchange-law", "beyond/search", "back/graph", "back/trials", "back/attacks",
         "back/why",
         "comparison/executed", "layerwise/fewer-samples", "layerwise/machine-checked", "analysis/failing-steps")
SCRIPT = Path(__file__).with_name("widths.mjs")
pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_nothing_is_cut_beside_an_empty_margin(html):
    found = in_chromium(SCRIPT, "1360", *((html / "book" / f"{page}.html").as_uri() for page in PAGES))
    assert {url: cut for url, cut in found.items() if cut} == {} and len(found) == len(PAGES)


def test_what_is_too_wide_even_in_small_letters_is_seen(html, tmp_path):
    page = (html / "book" / "back" / "trials.html").read_text(encoding="utf-8")
    row = "".join(f"<td>{'wide' * 10}</td>" for _ in range(12))
    table = f'<div class="table-box"><table><tr>{row}</tr></table></div>'
    planted = page.replace("</article>", f"{table}</article>", 1)
    assert planted != page
    planted = planted.replace("../../_static", f"{html.as_uri()}/_static")
    (tmp_path / "planted.html").write_text(planted, encoding="utf-8")
    (cut,) = in_chromium(SCRIPT, "1360", (tmp_path / "planted.html").as_uri()).values()
    assert len(cut) == 1 and cut[0].startswith("DIV table-box")
