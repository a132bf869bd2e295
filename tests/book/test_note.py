"""The chapter "Beyond the paper" as a note: title, abstract, every result with its page, its own references."""

import json
import os
import re
import subprocess
import sys

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
    return [" ".join(page.extract_text().split()) for page in PdfReader(out).pages]


def test_every_result_is_there_with_its_verdict_and_page(note):
    claims = json.loads((ROOT / "_build" / "ledger.json").read_text(encoding="utf-8"))["claims"]
    contents, text = " ".join(note[:5]), " ".join(note)
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
    assert "Exercise" not in text and "derl verify" not in text and "code_prompt" not in text


def test_pages_of_results_are_where_the_table_says(note):
    contents = " ".join(note[:5])
    title = "One deployment, no reachability"
    number = int(contents.partition(title)[2].split()[5])  # verdict, steps, checks, planted, rejected, page
    assert title in note[number - 1]
