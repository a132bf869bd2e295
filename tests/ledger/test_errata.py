"""Errata come with a class, an effect read off the graph, and a test that tells printed from corrected."""

import pytest

from derl.claims import PAPER, find
from derl.ledger.dependencies import Dependencies
from derl.ledger.errata import errata
from derl.ledger.statements import InvalidClaims, parse

TWO = """
lem-a: &base
  kind: lemma
  number: "1.1"
  label: lem:a
  line: 3
  title: A
  statement: text
  page: p/q
  expected: holds-with-repair
  repair: res-a
  erratum: {printed: "$x<1$", corrected: "$x\\\\le 1$", class: false as stated}
res-a: {kind: result, number: "", label: "", line: 0, title: A, statement: s, page: p/q, expected: holds, word: proved}
thm-b: {kind: theorem, number: "1.2", label: "", line: 9, title: B, statement: s, page: p/q, expected: cited,
        uses: {proof: [lem-a]}}
thm-c: {kind: theorem, number: "1.3", label: "", line: 12, title: C, statement: s, page: p/q, expected: cited,
        uses: {statement: [thm-b]}}
"""
ROWS = {"lem-a": {"checks": [{"name": "refuter", "outcome": "pass", "refutes": True},
                             {"name": "broken", "outcome": "fail", "refutes": True}]},
        "res-a": {"checks": [{"name": "prover", "outcome": "pass", "refutes": False}]}}


class Made:
    """A paper of made-up statements."""

    def __init__(self, text):
        self.statements = parse(text)
        self.dependencies = Dependencies({key: statement.uses for key, statement in self.statements.items()})


def test_effect_and_tests_are_read_off_graph_and_ledger():
    (erratum,) = errata(Made(TWO), ROWS)
    assert erratum.affects == ("thm-b", "thm-c")
    assert erratum.fails_on_printed == ("refuter",) and erratum.passes_on_corrected == ("prover",)


@pytest.mark.parametrize("change, rule", [
    (("class: false as stated", "class: oops"), "class"), (('printed: "$x<1$", ', ""), "has the keys"),
    (("class: false as stated", "class: typo, severity: oops"), "severity"),
])
def test_a_broken_erratum_is_named(change, rule):
    with pytest.raises(InvalidClaims, match=rule):
        errata(Made(TWO.replace(*change)), ROWS)


@pytest.mark.parametrize("entry, verdict, severity", [
    ("class: false as stated", "repaired", "headline false"), ("class: false as stated", "", "false as stated"),
    ("class: 'step wrong, statement true'", "proved", "proof fails"), ("class: typo", "repaired", "slip"),
    ("class: false as stated, severity: constant", "repaired", "constant"),
])
def test_the_severity_follows_from_class_kind_and_verdict_unless_it_is_named(entry, verdict, severity):
    rows = {**ROWS, "lem-a": {**ROWS["lem-a"], "verdict": verdict}}
    (erratum,) = errata(Made(TWO.replace("class: false as stated", entry)), rows)
    assert erratum.severity == severity


def test_every_refuted_statement_of_the_paper_has_an_erratum():
    for statement in PAPER.load().values():
        if statement.expected in ("refuted", "holds-with-repair"):
            assert statement.erratum or statement.kind == "result", statement.id


def test_every_erratum_has_a_test_that_fails_on_the_printed_form_and_passes_on_the_corrected_one(ledger):
    for erratum in errata(PAPER, ledger.claims):
        assert erratum.fails_on_printed and erratum.passes_on_corrected, erratum.id


def test_an_erratum_counts_planted_forms_only_when_they_were_rejected():
    rows = {"lem-a": {"checks": [
        {"name": "refuter", "outcome": "pass", "refutes": True,
         "controls": [{"variant": "corrected", "outcome": "rejected"}]},
        {"name": "holder", "outcome": "pass", "refutes": False,
         "controls": [{"variant": "printed", "outcome": "NOT REJECTED"}]}]}}
    (erratum,) = errata(Made(TWO), rows)
    assert erratum.fails_on_printed == ("refuter",) and erratum.passes_on_corrected == ("refuter", "holder")


def test_an_erratum_says_in_which_section_it_stands():
    assert PAPER.place(find("C.3")) == "Appendix C.2, line 854" and PAPER.place(find("4.1")) == "Section 4.1, line 314"
    assert all((PAPER.place(statement) == "") == (statement.kind == "result") for statement in PAPER.load().values())
