"""Search, previews of links, choices above lists: driven in a real Chromium, from disk."""

from pathlib import Path

import pytest
from browser import in_chromium

from derl.claims import PAPER

pytestmark = [pytest.mark.browser, pytest.mark.slow]
HERE = Path(__file__).parent

NUMBERS = {  # what a reader types -> the statement that must come first
    "Theorem 4.1": "thm-layerwise", "C.5": "lem-overestimation", "E.9": "thm-arbitrary-formal",
    "Lemma C.3": "lem-trace-det", "Algorithm 2": "alg-arbitrary", "Lemma 4.2": "lem-batched-potential",
    "4.2": "lem-batched-potential", "lemma c.1": "lem-elliptical-potential", "C.2": "lem-norm-det",
    "C.4": "lem-concentration", "theorem c.6": "thm-layerwise-detailed", "D.1": "lem-concentration-reward-free",
    "Lemma D.2": "lem-overestimation-reward-free", "D.3": "lem-reward-free-gap", "Theorem D.4": "thm-reward-free",
    "3.1": "thm-lower-deterministic-informal", "Theorem B.2": "thm-lower-deterministic", "B.3": "thm-lower-arbitrary",
    "thm 3.2": "thm-lower-arbitrary-informal", "Corollary 3.3": "cor-stationary", "Definition 2.1": "def-deployment",
    "Assumption 1": "asm-linear-mdp", "Algorithm 1": "alg-layerwise", "alg 3": "alg-reward-free-exploration",
    "Algorithm 7": "alg-safe-mixture", "(7)": "eq-upper-bound-n", "Equation (12)": "eq-n-constraint-2",
    "eq. 30": "eq-xi", "line 781": "ineq-one-over-e", "Table 1": "tab-comparison",
}
WORDS = {  # what must be among the first three
    "elliptical potential": "potential/elliptical-potential", "notation": "foundations/notation",
    "safe mixture": "safety/safe-mixture", "errata": "back/errata", "reachability": "reachability/reachability",
    "overestimation": "#lem-overestimation", "matrix bernstein": "#lem-matrix-bernstein", "blow-up": "#lem-blow-up",
    "how to read": "how-to-read", "verdict words": "how-to-read", "lower bound deterministic": "lower-bounds",
    "batched": "#lem-batched-potential", "bertrand": None, "reward-free": "reward-free/", "exercises": "#exercises",
    "status": "back/status", "compact bandit": "res-compact-bandit", "labs": "labs",
    "find the hidden arm": "#res-exact-deterministic-game", "norms determinants": "#lem-norm-det",
}


@pytest.fixture(scope="module")
def hits(html):
    return in_chromium(HERE / "find.mjs", (html / "search.html").as_uri(), *NUMBERS, *WORDS)


def test_a_number_gives_its_statement_first(hits):
    first = {query: hits[query][0]["target"].split("#")[-1] if hits[query] else None for query in NUMBERS}
    assert first == NUMBERS
    assert set(NUMBERS.values()) <= PAPER.statements.keys()


def test_words_are_found_among_the_first_three(hits):
    lost = {query: [hit["target"] for hit in hits[query][:3]] for query, wanted in WORDS.items()
            if (wanted is None) != (not hits[query]) or wanted and not any(
                wanted in hit["target"] for hit in hits[query][:3])}
    assert lost == {}


def test_results_have_excerpts_from_disk(hits):
    assert all(hits[query][0]["excerpt"] for query in ("Theorem 4.1", "overestimation", "elliptical potential"))
    assert hits["set"] > 0  # formulas of the last results


def test_links_show_what_they_lead_to(html):
    page = (html / "book" / "map.html").as_uri()
    seen = in_chromium(HERE / "preview.mjs", page, "article a[href$='#lem-trace-det']")
    for way in ("hover", "focus", "tap"):
        assert "Lemma C.3" in seen[way]["text"] and "machine-checked" in seen[way]["text"], way
        assert seen[way]["formulas"] > 0 and seen[way]["inside"], way
    assert seen["closed"] and seen["described"] == "derl-preview"
    assert seen["tap"]["stayed"] and seen["tap"]["went"].endswith("#lem-trace-det")


def test_the_ledger_is_closed_by_chapter_and_opens_what_is_chosen(html, ledger):
    rows = ledger.claims
    page = (html / "book" / "back" / "ledger.html").as_uri()
    seen = in_chromium(HERE / "filters.mjs", page, "table.ledger-table tbody tr", "verdict=refuted", "kind=lemma",
                       "chapter=appendix-e", "text=bernstein")
    refuted = sum(row["verdict"] == "refuted" for row in rows.values())
    assert seen["all"] == 0 and seen["bare"] == len(rows)
    assert seen["verdict=refuted"] == {"shown": refuted, "address": "?verdict=refuted"} and seen["linked"] == refuted
    assert seen["kind=lemma"]["shown"] == sum(row["kind"] == "lemma" for row in rows.values())
    assert 0 < seen["text=bernstein"]["shown"] < 20


def test_the_errata_can_be_narrowed_by_class(html):
    page = (html / "book" / "back" / "errata.html").as_uri()
    seen = in_chromium(HERE / "filters.mjs", page, ".erratum", "fault=typo", "fault=gap")
    assert seen["all"] == seen["bare"] == sum(bool(s.erratum) for s in PAPER.statements.values())
    assert 0 < seen["fault=typo"]["shown"] < seen["all"]
