"""Every page of the book in a real Chromium, from disk on a phone; one page of each kind with open boxes and axe."""

from pathlib import Path

import pytest
from browser import in_chromium
from test_pages import pages_of

pytestmark = pytest.mark.browser
CHOSEN = ("book/index.html", "search.html", "layerwise/algorithm-one.html", "reachability/reachability.html",
          "back/ledger.html")  # one of each kind


def tour(pages, chosen=()) -> dict[str, dict]:
    """Address -> what was met; the chosen pages are looked at with open boxes, and by axe in both modes."""
    return in_chromium(Path(__file__).with_name("tour.mjs"), *(page.as_uri() for page in pages), "--",
                       *(page.as_uri() for page in chosen))


def trouble(met: dict[str, dict]) -> dict[str, dict]:
    """What is wrong, without what is empty."""
    found = {url.partition("/html/")[2]: {key: what for key, what in seen.items() if what} for url, seen in met.items()}
    return {page: wrong for page, wrong in found.items() if wrong}


def parts(html):
    pages = pages_of(html)
    return [[page for page in pages if page.as_posix().endswith(CHOSEN) is seen] for seen in (False, True)]


def test_every_page_opens_without_trouble(html):
    others, chosen = parts(html)
    assert len(chosen) >= len(CHOSEN) and trouble(tour(others, chosen)) == {}


@pytest.mark.slow
def test_the_others_are_without_trouble_with_open_boxes_and_in_both_modes(html):
    front = html / "index.html"  # sends the reader on
    assert trouble(tour([], [page for page in parts(html)[0] if page != front])) == {}


@pytest.mark.slow
def test_a_page_with_everything_wrong_is_seen(tmp_path):
    page = tmp_path / "bad.html"
    page.write_text(
        '<html data-theme="light"><body><article><p style="color:#bbb">faint $$x$$</p><img src="gone.svg">'
        '<span class="math">x</span><div class="moves-box" data-piece="dead"></div>'
        '<p style="width:900px">wide</p><script src="http://example.org/a.js"></script>'
        '<script>throw new Error("thrown")</script></article></body></html>', encoding="utf-8")
    (met,) = tour([], [page]).values()
    assert met["outside"] == ["http://example.org/a.js"] and met["still"] == ["dead"]
    for key in ("failed", "errors", "unset", "raw", "nameless", "wide", "axe"):
        assert met[key], key
    assert {"image-alt", "color-contrast", "dark"} <= {fault.split(" ")[0].strip(":") for fault in met["axe"]}
