"""The book on paper: contents with page numbers, proofs open, links that stay inside."""

import os
import subprocess
import sys

import pytest
from browser import ROOT
from pypdf import PdfReader

pytestmark = pytest.mark.browser
PAGES = ("potential/elliptical-potential", "layerwise/algorithm-one")  # driven like in_chromium, by pdf.py itself


@pytest.fixture(scope="module")
def printed(html, tmp_path_factory):
    out = tmp_path_factory.mktemp("pdf") / "two.pdf"
    done = subprocess.run([sys.executable, ROOT / "book" / "_setup" / "pdf.py", "--out", out, *PAGES], cwd=ROOT,
                          env=os.environ, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return PdfReader(out)


def test_contents_and_bookmarks_name_the_page_on_which_a_chapter_begins(printed):
    (part, chapters) = printed.outline
    assert part.title == "Deterministic policies" and len(chapters) == len(PAGES)
    contents = " ".join(printed.pages[1].extract_text().split())
    for item in chapters:
        number = printed.get_destination_page_number(item) + 1
        assert f"{item.title} {number}" in contents
        assert item.title.split(":")[0] in printed.pages[number - 1].extract_text()


def test_proofs_stand_open_and_sources_are_left_out(printed):
    text = " ".join(" ".join(page.extract_text().split()) for page in printed.pages)
    assert "read by eye" in text and "computed:" in text  # what carries the steps of a written proof
    assert "def best_constant_and_threshold" not in text


def test_no_link_leads_to_a_file_of_this_machine(printed):
    targets = [str(note.get_object().get("/A", {}).get("/URI", "")) for page in printed.pages
               for note in page.get("/Annots") or []]
    assert len(targets) > 20
    assert [target for target in targets if str(ROOT) in target and "/book/" not in target] == []
