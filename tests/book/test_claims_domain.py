"""Statements, cards, links and the ledger pages, on a small book of made-up statements."""

import json
import re
from pathlib import Path

import made_rows
import pytest
from bs4 import BeautifulSoup
from check_words import as_maths, found, number
from sphinx.errors import SphinxError

LEDGER = json.loads((Path(__file__).parent / "sample_paper" / "ledger.json").read_text(encoding="utf-8"))
ONE = "# One\n\n```{claim} lem-even\n```\n\n```{claim} def-even\n:statement-only:\n```\n"
TWO = "# Two\n\n```{claim} thm-odd\n```\n\n```{claim} odd-repaired\n```\n\n```{claim} eq-cited\n```\n"
TABLE = "# Ledger\n\n```{ledger-table}\n:anchors:\n```\n"


def soup(built, page):
    """The page with all boxes opened."""
    return BeautifulSoup(re.sub(r'<template class="waiting">|</template>', "", built.page(page)), "html.parser")


def words(element):
    return " ".join(element.get_text(" ").replace("\N{WORD JOINER}", "").split())


def test_a_statement_is_shown_with_its_verdict_and_its_checks(build):
    built = build({"part/one": ONE, "part/two": TWO})
    assert built.warnings == ""
    block = soup(built, "part/one").find(id="lem-even")
    title = words(block.find(class_="claim-title"))
    assert title == "Lemma 9.1 (Sum of two even numbers) ■ proved ¶"
    assert block.select_one(".claim-statement .math") is not None
    card = words(block.find(class_="claim-card"))
    for part in ("proved by symbolic proof, adversarial search", "line 12 of the paper’s source, label lem:even",
                 "Rests on Definition 9.2", "Used by Theorem 9.3", "0.50 s",
                 "2 checks, 2 false variants, all rejected"):
        assert part in card, card
    box = block.find("details", class_="claim-card")
    assert box.find("summary") is not None and "open" not in box.attrs
    evidence = words(box)
    for part in ("symbolic proof, exact arithmetic",
                 "The worst that the search found gives 0.123457; claimed: at most 0.5: 75.3 % of room.",
                 "Not covered larger numbers", "worst at seed 3",
                 "Break it, and the check says no: Changed to:", "Then it computes 0, which is not at most 1",
                 "sample_paper/checks.py:20"):
        assert part in evidence, evidence
    assert len(box.select("ol.check-steps li")) == 2


def test_the_number_of_an_equation_in_a_statement_leads_there(build):
    built = build({"part/one": ONE, "part/two": TWO})
    link = soup(built, "part/two").select_one("#odd-repaired .claim-statement a")
    assert link["href"] == "#eq-cited" and words(link).startswith("(7)")


def test_where_a_book_has_a_page_of_evidence_a_statement_has_one_line_that_leads_there(build):
    built = build({"part/one": ONE, "part/two": TWO, "book/evidence": "# Evidence\n\n```{evidence}\n```\n"})
    assert built.warnings == ""
    block = soup(built, "part/one").find(id="lem-even")
    assert block.select(".claim-card, .check, .claim-kernel") == []
    line = block.select_one(".claim-checked")
    assert words(line) == ("Checked by symbolic proof, adversarial search: "
                           "2 checks, 2 false variants, all rejected .")
    assert line.a["href"] == "../book/evidence.html#evidence-lem-even"
    page = soup(built, "book/evidence")
    assert {box["id"] for box in page.select("details.evidence")} == {f"evidence-{key}" for key in LEDGER["claims"]}
    box = page.find(id="evidence-lem-even")
    assert "open" not in box.attrs and len(box.select(".check")) == 2
    assert "Rests on Definition 9.2" in words(box) and "Changed to:" in words(box)
    assert box.select(".check-source") == []
    assert box.select_one(".check-place a")["href"] == "../_static/code/sample_paper/checks.html#L10"
    assert box.find("a", href="../part/one.html#lem-even") is not None


def test_evidence_of_a_chapter_without_statements_is_a_warning(build):
    built = build({"part/one": ONE, "part/two": TWO, "other": "# Evidence\n\n```{evidence} nothing\n```\n"})
    assert "no statement is of the chapter 'nothing'" in built.warnings
    assert soup(built, "part/one").select(".claim-card") != []  # the book has no page of evidence


def test_the_source_of_the_check_and_of_its_control_stand_on_the_page_and_nowhere_else(build):
    block = soup(build({"part/one": ONE, "part/two": TWO}), "part/one").find(id="lem-even")
    shown, = [source.get_text() for source in block.select(".check-source pre")]
    assert "def sum_is_twice_a_whole_number(parity=0)" in shown and "# $a$ odd\nparity = 1" in shown
    link = block.select_one(".check-place a")
    assert link["href"] == "../_static/code/sample_paper/checks.html#L10"
    assert block.select_one("a.claim-permalink")["href"] == "#lem-even"


def test_an_equation_is_one_line_that_opens_and_a_lemma_is_not(build):
    built = build({"part/one": ONE, "part/two": TWO + "\n```{claim} thm-odd\n:line:\n:no-anchor:\n```\n"})
    two = soup(built, "part/two")
    line = two.find(id="eq-cited")
    assert "claim-line" in line["class"] and line.select_one("details > .claim-statement") is not None
    assert words(line.summary) == "Equation (7) (Bertrand's postulate) ❝ cited".replace("'", "’")
    assert "claim-full" in two.find(id="thm-odd")["class"]
    assert "claim-full" in two.find(id="odd-repaired")["class"]
    assert len(two.select(".claim-line .claim-card")) == 2


@pytest.mark.parametrize("plain, shown", [
    ("every c_beta >= 1", "every $c_{\\beta}\\ge 1$"),
    ("N = 1e+14, then 10^-3", "$N=10^{14}$, then $10^{-3}$"),
    ("K = 1 a value; Pi a list", "$K=1$ a value; $\\Pi$ a list"),
    ("seed 20220801, a sample", "seed 20220801, a sample"),
    ("V^ = -1 leaves", "V^ = -1 leaves"),
    ("`beta` and $x$ >= 1", "`beta` and $x$ >= 1"),
    ("0 < nu <= sqrt(4/3)", "$0<\\nu\\le\\sqrt{4/3}$"),
])
def test_plain_text_is_set_as_formulas_where_it_is_one(plain, shown):
    assert as_maths(plain).replace(" ", "") == shown.replace(" ", "")


def test_what_a_check_found_is_said_by_kind():
    base = {"method": "exhaustive", "direction": "upper", "measured": "1/2", "claimed": "1", "margin": "1/2"}

    def said(**change):
        return found(made_rows.check(**base | change))

    assert said() == "Over all cases that were tried, the worst gives 1/2; claimed: at most 1: 50.0 % of room."
    assert "the bound is attained" in said(measured="1", margin="0")
    assert said(refutes=True, direction="lower", measured="10", claimed="8", margin="2") == (
        "Computed: 10. The printed statement is wrong if this is at least 8; it is, with 25.0 % to spare.")
    assert "exactly 1; they differ" in said(direction="identity", margin="-1/2", outcome="fail")
    miss = {"planted": "1 < 1", "at": "x = 0", "room": "", "rejected": True, "factor": None}
    assert said(steps=[{"name": "a", "near_miss": miss}, {"name": "b"}]).startswith(
        "All 2 steps hold; beside 1 of them stands a falsehood")


def test_statement_only_has_no_card_and_card_only_has_no_home(build):
    built = build({"part/one": ONE, "top": "# Top\n\n```{claim} lem-even\n:card-only:\n```\n", "part/two": TWO})
    assert built.warnings == ""
    assert soup(built, "part/one").find(id="def-even").find(class_="claim-card") is None
    top = soup(built, "top")
    assert top.find(id="lem-even") is None
    assert top.find(class_="claim-card") is not None
    assert top.find(class_="claim-title").a["href"] == "part/one.html#lem-even"


def test_a_role_links_to_the_home_and_else_to_the_ledger(build):
    text = "# Text\n\n{claim}`lem-even` and {claim}`so it is <thm-odd>`\n"
    built = build({"part/one": ONE, "ledger": TABLE, "text": text})
    assert built.warnings == ""
    first, second = soup(built, "text").select("a.reference:has(.claim-link)")
    assert (first["href"], words(first), first["title"]) == ("part/one.html#lem-even", "Lemma 9.1 ■", "proved")
    assert (second["href"], words(second)) == ("ledger.html#ledger-thm-odd", "so it is ↻")
    assert soup(built, "ledger").find(id="ledger-thm-odd") is not None


def test_a_refuted_statement_names_its_correction_and_a_cited_one_its_weak_links(build):
    built = build({"part/one": ONE, "part/two": TWO})
    two = soup(built, "part/two")
    theorem = words(two.find(id="thm-odd"))
    assert "↻ repaired" in theorem and "The printed statement is wrong if this is" in theorem
    assert "≈ 1.76367e+28 (exact, 32 characters)" in theorem
    assert two.find(id="thm-odd").select_one("a[href='#odd-repaired']") is not None
    assert "Not proved below Theorem 9.3" in words(two.find(id="eq-cited"))
    assert "a result of this book" in words(two.find(id="odd-repaired"))


def test_the_ledger_table_lists_all_or_what_is_asked_for(build):
    built = build({"part/one": ONE, "part/two": TWO, "ledger": TABLE,
                   "some": "# Some\n\n```{ledger-table}\n:kind: lemma, theorem\n```\n\n```{ledger-table}\n"
                           ":verdict: cited\n```\n\n```{ledger-table}\n:part: nowhere\n```\n"})
    rows = soup(built, "ledger").select("table.ledger-table tbody tr")
    assert len(rows) == len(LEDGER["claims"])
    groups = soup(built, "ledger").select("div.filterable > details.filter-group")
    assert [words(group.summary) for group in groups] == ["Part : 5 statements"]
    tables = soup(built, "some").select("table.ledger-table tbody")
    assert [[words(row.td) for row in body.select("tr")] for body in tables] == [["Lemma 9.1 ■", "Theorem 9.3 ↻"],
                                                                                  ["Equation (7) ❝"]]


def test_the_status_page_counts_what_the_ledger_says(build):
    built = build({"ledger": TABLE, "status": "# Status\n\n```{status}\n```\n"})
    status = soup(built, "status")
    last = [words(cell) for cell in status.select("table.status-table tbody tr")[-1].select("td")]
    assert last == ["all", "1", "1", "1", "1", "1", "5"]
    facts = words(status.select_one("dl.facts-status"))
    for part in ("Checks 5, of which 5 passed", "False variants 5 planted, 5 rejected", "expected nothing",
                 "False as printed Theorem 9.3", "commit 0123456789ab"):
        assert part in facts, facts


def test_a_surprise_is_shown(build):
    body = json.loads(json.dumps(LEDGER))
    body["claims"]["lem-even"] |= {"verdict": "failed", "as_expected": False}
    body["claims"]["lem-even"]["checks"][1]["controls"][0]["outcome"] = "NOT REJECTED"
    built = build({"part/one": ONE, "part/two": TWO, "status": "# S\n\n```{status}\n```\n"}, ledger=json.dumps(body))
    facts = words(soup(built, "status").select_one("dl.facts-status"))
    assert "Lemma 9.1 ! (failed, expected: holds)" in facts
    assert "2 false variants, 1 rejected" in words(soup(built, "part/one").find(id="lem-even"))


@pytest.mark.parametrize("text, complaint", [
    ("```{claim} lem-evem\n```\n", "claims.yml has no statement 'lem-evem' (lem-even"),
    ("{claim}`lem-evem`\n", "claims.yml has no statement 'lem-evem' (lem-even"),
    ("```{claim} lem-even\n```\n", "statement lem-even has its home on part/one already"),
    ("{claim}`thm-odd`\n", "claim reference target not found: thm-odd"),
])
def test_a_mistake_on_a_page_is_a_warning_with_its_place(build, text, complaint):
    built = build({"part/one": ONE, "wrong": f"# Wrong\n\n{text}"})
    lines = [line for line in built.warnings.splitlines() if complaint in line]
    assert any("wrong.md" in line or "has its home" in line for line in lines), built.warnings


def test_a_statement_that_the_ledger_lacks_is_a_warning(build):
    body = json.loads(json.dumps(LEDGER))
    del body["claims"]["def-even"]
    assert "statement def-even is not in the ledger" in build({"part/one": ONE}, ledger=json.dumps(body)).warnings


@pytest.mark.parametrize("ledger, complaint", [("{", "is not a whole JSON file"), ('{"schema": 99}', "schema 1")])
def test_an_unusable_ledger_stops_the_build_with_one_line(build, ledger, complaint):
    with pytest.raises(SphinxError, match=complaint) as caught:
        build({"part/one": ONE}, ledger=ledger)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value, shown", [
    (3, "3"), ("3/7", "3/7"), (0.125, "0.125"), (float("inf"), "inf"),
    ("1/3" + "0" * 30, "≈ 3.33333e-31 (exact, 33 characters)"),
    ("9" * 400, "≈ 9.99999e+399 (exact, 400 characters)"), ("-" + "9" * 400, "≈ -9.99999e+399 (exact, 401 characters)"),
])
def test_numbers_are_shortened_and_say_so(value, shown):
    assert number(value) == shown
