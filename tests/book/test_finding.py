"""The search leads to what readers type; previews and choices above lists, driven in Chromium from disk."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from browser import ROOT, in_chromium

from derl.claims import PAPER

HERE = Path(__file__).parent
NUMBERS = {  # what a reader types -> the statement that must come first
    "Theorem 4.1": "thm-layerwise", "E.9": "thm-arbitrary-formal", "Algorithm 2": "alg-arbitrary",
    "4.2": "lem-batched-potential", "lemma c.1": "lem-elliptical-potential", "thm 3.2": "thm-lower-arbitrary-informal",
    "Assumption 1": "asm-linear-mdp", "(7)": "eq-upper-bound-n", "eq. 30": "eq-xi", "line 781": "ineq-one-over-e",
    "Table 1": "tab-comparison"}
WANTED = {row["query"]: row["wanted"].split() for row in csv.DictReader((HERE / "queries.csv").open(encoding="utf-8"))}


def test_numbers_give_their_statement_first_and_words_their_page_among_three(html):
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    done = subprocess.run([shutil.which("node", path=path), HERE / "find_words.mjs", ROOT / "book" / "_static",
                           html / "_static", *WANTED, *NUMBERS], capture_output=True, text=True, check=False)
    hits = json.loads(done.stdout)
    assert {query: hits[query][0].split("#")[-1] for query in NUMBERS} == NUMBERS
    lost = {query for query, wanted in WANTED.items()
            if not any(part in target for target in hits[query][:3] for part in wanted)}
    assert len(WANTED) > 30 and len(lost) <= 2, lost


def test_every_alias_leads_to_a_page_of_the_book():
    listed = re.findall(r"file: book/(\S+)", (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    aliases = yaml.safe_load((ROOT / "book" / "aliases.yml").read_text(encoding="utf-8"))
    assert {target for targets in aliases.values() for target in targets} <= {"index", *listed}


@pytest.mark.browser
@pytest.mark.slow
def test_links_show_what_they_lead_to(html):
    page = (html / "book" / "map.html").as_uri()
    seen = in_chromium(HERE / "preview.mjs", page, "article a[href$='#lem-trace-det']")
    for way in ("hover", "focus", "tap"):
        assert "Lemma C.3" in seen[way]["text"] and "machine-checked" in seen[way]["text"], way
        assert seen[way]["formulas"] > 0 and seen[way]["inside"], way
    assert seen["closed"] and seen["described"] == "derl-preview"


@pytest.mark.browser
@pytest.mark.slow
def test_the_ledger_and_the_errata_can_be_narrowed(html, ledger):
    page = (html / "book" / "back" / "ledger.html").as_uri()
    seen = in_chromium(HERE / "filters.mjs", page, "table.ledger-table tbody tr", "verdict=refuted")
    refuted = sum(row["verdict"] == "refuted" for row in ledger.claims.values())
    assert seen["all"] == 0 and seen["verdict=refuted"] == {"shown": refuted, "address": "?verdict=refuted"}
    page = (html / "book" / "back" / "errata.html").as_uri()
    seen = in_chromium(HERE / "filters.mjs", page, ".erratum", "fault=typo")
    assert seen["all"] == sum(bool(s.erratum) for s in PAPER.statements.values()) > seen["fault=typo"]["shown"] > 0
