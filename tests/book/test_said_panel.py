"""A reader puts numbers into a formula: on a page from the disk, with the policy of the site, in Chromium."""

import io
import shutil
from pathlib import Path

import pytest
import second_paper
from browser import ROOT, in_chromium
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from derl.ledger import verify

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("said")
    source = folder / "source"
    source.mkdir()
    shutil.copy(Path(second_paper.__file__).with_name("page.md"), source / "index.md")
    verify(second_paper.PAPER).save(source / "ledger.json")
    settings = {"extensions": ["myst_parser", "claims_domain", "said_panel", "csp"], "claims_paper": "second_paper",
                "claims_ledger": "ledger.json", "myst_enable_extensions": ["dollarmath"], "html_theme": "basic",
                "html_static_path": [str(ROOT / "book" / "_static")], "suppress_warnings": ["config.cache"]}
    with patch_docutils(), docutils_namespace():
        Sphinx(source, None, folder / "html", folder / "trees", "html", settings, status=io.StringIO(),
               warning=io.StringIO(), freshenv=True).build()
    return folder / "html" / "index.html"


def test_the_panel_computes_refuses_and_is_used_by_keyboard_and_phone(page):
    found = in_chromium(HERE / "said_panel.mjs", page.as_uri())
    assert not [error for error in found["errors"] if "said" in error.lower()], found["errors"]
    for name in ("light", "dark", "phone"):
        one = found[name]
        assert one["empty"] == "Give n a number." and one["focused"] and one["closed"] and not one["wide"]
        assert one["inside"] == "= 1601" and one["outside"] == "n is 40; allowed is 0 ≤ n ≤ 39."
        assert one["begins"] == "= 41"
        assert "allowed are numbers such as" in one["wrong"] and one["fraction"] == "= 41.75"
        assert "41 → 42: false, as a check shows" in one["changes"]
