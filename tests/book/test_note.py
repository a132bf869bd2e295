"""The chapter "Beyond the paper" as a paper: nine pages and references, then every result with its page and proof."""

import json
import os
import re
import subprocess
import sys
from unicodedata import normalize

import pytest
from browser import ROOT
from pypdf import PdfReader

from derl.claims import PAPER

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def note(html, tmp_path_factory):
    out = tmp_path_factory.mktemp("note") / "beyond.pdf"
    done = subprocess.run([sys.executable, ROOT / "book" / "_setup" / "note.py", "--out", out], cwd=ROOT,
                          env=os.environ, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return [normalize("NFKC", " ".join(page.extract_text().split())) for page in PdfReader(out).pages]  # no ligatures


@pytest.fixture(scope="module")
def listed(note):
    """The pages between the paper and the proofs: references, definitions, the table of all results."""
    first = next(number for number, page in enumerate(note) if "A Definitions" in page)
    assert first <= 11
    return note[first:first + 4]


def test_every_result_is_there_with_its_verdict_and_page(note, listed):
    claims = json.loads((ROOT / "_build" / "ledger.json").read_text(encoding="utf-8"))["claims"]
    contents, text = " ".join(listed), " ".join(note)
    for key, statement in PAPER.statements.items():
        if not statement.page.startswith("beyond/"):
            continue
        title = re.split(r"[$'’]", statement.title)[0][:20].strip()  # formulas are set, quotes curled
        if statement.kind == "definition":  # explained where it is used, and no result
            assert title in text, key
            continue
        assert title in contents, key
        assert claims[key]["verdict"] in contents


def test_it_has_an_abstract_and_references_of_its_own_and_no_exercises(note):
    text = " ".join(note)
    assert "Abstract" in note[0] and "References" in text
    references = text.rpartition("References")[2]
    assert "Xiao" in references and "Huang" in references
    assert all(section in text for section in ("Introduction", "Related work", "What is checked", "What is open"))
    assert "Exercise" not in text and "code_prompt" not in text


def test_pages_of_results_are_where_the_table_says(note, listed):
    contents = " ".join(listed)
    title = "One deployment, no reachability"
    number = int(contents.partition(title)[2].split()[5])  # verdict, steps, checks, planted, rejected, page
    assert title in note[number - 1]
