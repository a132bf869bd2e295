"""Every page of the book in a real Chromium: from disk and over http, with every outside host refused."""

from urllib.parse import unquote, urlsplit

import pytest
from test_pages import anchors
from touring import PLANTED, tour

pytestmark = pytest.mark.browser


def gathered(report: dict, key: str) -> dict:
    """Page -> what was found under `key`, where anything was."""
    return {url: found[key] for url, found in report.items() if found.get(key) and url != PLANTED}


WAYS = ["over_http", pytest.param("from_disk", marks=pytest.mark.slow)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("trouble", ["outside", "failed", "errors"])
def test_pages_open_without(way, trouble, request):
    assert gathered(request.getfixturevalue(way), trouble) == {}


@pytest.mark.parametrize("way", WAYS)
def test_the_search_finds_lemmas_and_leads_to_them(way, request, html):
    hits = [urlsplit(link) for link in request.getfixturevalue(way)["search"]["hits"]]
    lemmas = [link for link in hits if link.fragment.startswith("lem-")]
    assert lemmas
    for link in lemmas:
        page = html / unquote(link.path).split("_build/html/")[-1].lstrip("/")
        assert link.fragment in anchors(page), link.geturl()


@pytest.mark.slow
def test_maths_is_set(from_disk):
    assert sum(found.get("formulas", 0) for found in from_disk.values()) > 50
    assert gathered(from_disk, "unset") == {}
    assert gathered(from_disk, "broken") == {}
    assert gathered(from_disk, "raw") == {}


@pytest.mark.slow
def test_every_picture_says_what_it_shows(from_disk):
    assert gathered(from_disk, "nameless") == {}


@pytest.mark.parametrize("way", WAYS)
def test_no_page_scrolls_sideways(way, request):
    """On a phone; and with open boxes on a desk, a tablet and a phone."""
    assert gathered(request.getfixturevalue(way), "wide") == {}


@pytest.mark.slow
def test_the_code_that_is_shown_fits_the_column(from_disk):
    assert gathered(from_disk, "cut") == {}


@pytest.mark.slow
def test_figures_are_drawn_for_the_phone_that_shows_them(from_disk):
    assert gathered(from_disk, "tiny") == {}


@pytest.mark.slow
def test_no_line_begins_with_a_full_stop(from_disk):
    assert gathered(from_disk, "orphans") == {}


@pytest.mark.slow
def test_the_switch_makes_pages_dark_and_light_and_texts_stay_readable(from_disk):
    toured = {url: found["themes"] for url, found in from_disk.items() if "themes" in found}
    assert toured
    for url, themes in toured.items():
        assert {"light", "dark"} <= themes.keys(), url
        assert themes["light"]["ground"] != themes["dark"]["ground"], url
        assert [themes[mode]["faint"] for mode in ("light", "dark")] == [[], []], url


@pytest.mark.slow
def test_widgets_on_pages_move_without_a_kernel(from_disk):
    assert [url for url, found in from_disk.items() if found.get("slides") is False] == []


@pytest.mark.parametrize("depth", ["brief", pytest.param("full", marks=pytest.mark.slow)])
def test_the_tour_sees_trouble(depth, tmp_path):
    """A page with everything wrong: the tour must report each fault."""
    page = tmp_path / "bad.html"
    page.write_text(
        '<html data-theme="light"><body><button class="theme-switch-button">x</button><article>'
        '<p style="color:#bbb">faint $$x$$</p><img src="_images/gone.svg"><svg></svg><span class="math">x</span>'
        '<div style="width:900px">wide</div>'
        f'<div class="cell_input"><pre style="overflow:auto;width:99px">{"x" * 99}</pre></div>'
        '<script src="http://example.org/a.js"></script>'
        '<script>throw new Error("thrown")</script></article></body></html>', encoding="utf-8")
    (found,) = tour(depth, [page.as_uri()]).values()
    assert found["outside"] == ["http://example.org/a.js"]
    assert any("gone.svg" in url for url in found["failed"])
    assert any("thrown" in error for error in found["errors"])
    assert found["wide"]
    if depth == "brief":
        return
    assert [len(found[key]) for key in ("nameless", "unset", "raw", "wide", "tiny", "cut")] == [2, 1, 2, 1, 1, 1]
    assert found["themes"]["light"]["faint"]
