"""Words that people type lead to the right page: a recorded list, looked up with the book's own search under node."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import finding
import pytest
import yaml
from packing import pack, unpack
from rules import ROOT
from test_finding import NUMBERS

HERE = Path(__file__).parent
STATIC = ROOT / "book" / "_static"
WANTED = {row["query"]: row["wanted"].split() for row in csv.DictReader((HERE / "queries.csv").open(encoding="utf-8"))}


def found(data: Path, *queries: str) -> dict[str, list[str]]:
    """The addresses of the first results of each query."""
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    done = subprocess.run([shutil.which("node", path=path), HERE / "find_words.mjs", STATIC, data, *queries],
                          capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def lost(hits: dict[str, list[str]]) -> set[str]:
    """The recorded queries whose page is not among the first three results."""
    return {query for query, wanted in WANTED.items()
            if not any(part in target for target in hits[query][:3] for part in wanted)}


@pytest.fixture(scope="module")
def hits(html):
    return found(html / "_static", *WANTED, *NUMBERS)


def test_at_least_thirty_of_the_recorded_queries_find_their_page_among_the_first_three(hits):
    assert len(WANTED) == 32
    assert len(lost(hits)) <= 2, lost(hits)


def test_numbers_still_give_their_statement_first(hits):
    assert {query: hits[query][0].split("#")[-1] for query in NUMBERS} == NUMBERS


def test_without_the_aliases_words_are_lost(html, tmp_path):
    statements, sections = (unpack((html / "_static" / f"{name}.js").read_text(encoding="utf-8"))
                            for name in ("statements", "sections"))
    pack(tmp_path / "statements.js", statements)
    pack(tmp_path / "sections.js", sections | {"aliases": {}})
    assert {"nu_min", "switching cost", "sample complexity"} <= lost(found(tmp_path, *WANTED))


def test_every_alias_leads_to_a_page_of_the_book():
    listed = re.findall(r"file: book/(\S+)", (ROOT / "book" / "_toc.yml").read_text(encoding="utf-8"))
    aliases = yaml.safe_load((ROOT / "book" / "aliases.yml").read_text(encoding="utf-8"))
    assert {target for targets in aliases.values() for target in targets} <= {"index", *listed}


def test_an_alias_that_leads_nowhere_is_left_out_and_warned_of(tmp_path, caplog):
    file = tmp_path / "aliases.yml"
    file.write_text("overview: [map, mapp]\n", encoding="utf-8")
    with caplog.at_level("WARNING"):
        assert finding.aliases(file, {"book/map": {}}) == {"overview": ["book/map.html"]}
    assert "'overview' leads to mapp, which is no page" in caplog.text
    assert finding.aliases(tmp_path / "none.yml", {}) == {}


@pytest.mark.parametrize("typed, targets", [
    ("odd numbers", ["part/two.html"]), ("number odd", ["part/two.html"]), ("batched strange", ["part/one.html"]),
    ("nothing of this", []), ("odd", [])])
def test_an_alias_is_found_in_any_order_and_with_other_endings(typed, targets, tmp_path):
    made = {"odd number": ["part/two.html"], "batch strange": ["part/one.html"]}
    pack(tmp_path / "statements.js", {"statements": {}})
    pages = [["part/one", "One", "", "One", "x"], ["part/two", "Two", "", "Two", "y"]]
    pack(tmp_path / "sections.js", {"sections": pages, "aliases": made})
    assert found(tmp_path, typed)[typed] == targets
