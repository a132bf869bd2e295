"""axe-core finds nothing serious or critical on any page, in light and in dark mode."""

from pathlib import Path

import pytest
from browser import in_chromium
from test_pages import pages_of

pytestmark = pytest.mark.browser
AXE = Path(__file__).with_name("axe.mjs")


def test_axe_finds_nothing_serious(html):
    found = in_chromium(AXE, *[page.as_uri() for page in pages_of(html) if page.name not in ("genindex.html",)
                               and page != html / "index.html"])
    assert sorted({f"{url.split('/html/')[-1]}: {fault}" for url, faults in found.items() for fault in faults}) == []


def test_axe_sees_trouble(tmp_path):
    page = tmp_path / "bad.html"
    page.write_text('<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><main><img src="data:,">'
                    '<p style="color:#ccc;background:#fff">faint</p><button></button></main></body></html>',
                    encoding="utf-8")
    (faults,) = in_chromium(AXE, page.as_uri()).values()
    assert {fault.split(" ")[0] for fault in faults} >= {"image-alt", "color-contrast", "button-name"}
