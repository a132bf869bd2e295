"""axe-core finds nothing serious or critical on any page; on one page of each kind it looks at colours, too.

The contrast of all texts on all pages, in light and in dark mode, is measured by `contrast` of seen.mjs.
"""

import pytest
from test_pages import pages_of
from touring import PLANTED, chosen, opened_from_disk, tour

pytestmark = pytest.mark.browser
LISTS = ("genindex.html", "index.html")  # the list of terms, and the front door, which sends the reader on


@pytest.mark.parametrize("way, seen", [("over_http", True), pytest.param("from_disk", False, marks=pytest.mark.slow)])
def test_axe_finds_nothing_serious(way, seen, html, request):
    """On one page of each kind; and on all others."""
    met = {page: found["axe"] for page, found in request.getfixturevalue(way).items() if "axe" in found}
    pages = {page.relative_to(html).as_posix() for page in pages_of(html)} - set(LISTS)
    wanted = {page for page in pages if chosen(page) is seen and (seen or opened_from_disk(page))}
    assert wanted and wanted <= met.keys() <= wanted | {*LISTS, PLANTED}
    assert sorted({f"{page}: {fault}" for page in wanted for fault in met[page]}) == []


def test_axe_sees_trouble(tmp_path):
    page = tmp_path / "bad.html"
    page.write_text('<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><main><img src="data:,">'
                    '<p style="color:#ccc;background:#fff">faint</p><button></button></main></body></html>',
                    encoding="utf-8")
    (met,) = tour("brief", [], [page.as_uri()]).values()
    assert {fault.split(" ")[0] for fault in met["axe"]} >= {"image-alt", "color-contrast", "button-name"}


def test_what_stands_aside_hides_no_trouble(tmp_path):
    """Formulas and closed boxes are taken out while axe looks: faults beside them are found, names in them count."""
    page = tmp_path / "bad.html"
    page.write_text(
        '<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><main>'
        '<p style="color:#ccc;background:#fff">faint <mjx-container>x</mjx-container></p>'
        '<a href="#a"><mjx-container></mjx-container></a>'
        '<details open><summary>open</summary><img src="data:,"></details>'
        '<details id="plain"><summary>closed</summary><p>text <mjx-container>y</mjx-container></p></details>'
        '<details><summary>word</summary><p id="word">name</p></details><button aria-labelledby="word"></button>'
        '<button aria-labelledby="gone"></button></main></body></html>',
        encoding="utf-8")
    (met,) = tour("brief", [], [page.as_uri()]).values()
    names = {fault.split(" ")[0] for fault in met["axe"]}
    assert names >= {"color-contrast", "link-name", "image-alt"}
    assert [fault for fault in met["axe"] if fault.startswith("button-name (1)")]  # the word in the closed box is one
    assert met["scripts"]["formulas"] == 3
