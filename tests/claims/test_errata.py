"""Errata come with a class, an effect read off the graph, and a test that tells printed from corrected."""

import pytest

from derl.claims import load
from derl.claims.errata import affected_by, errata
from derl.claims.statements import InvalidClaims, parse

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
res-a: {kind: result, number: "", label: "", line: 0, title: A, statement: s, page: p/q, expected: holds}
thm-b: {kind: theorem, number: "1.2", label: "", line: 9, title: B, statement: s, page: p/q, expected: holds,
        uses: {proof: [lem-a]}}
thm-c: {kind: theorem, number: "1.3", label: "", line: 12, title: C, statement: s, page: p/q, expected: holds,
        uses: {statement: [thm-b]}}
"""
ROWS = {"lem-a": {"checks": [{"name": "refuter", "outcome": "pass", "refutes": True},
                             {"name": "broken", "outcome": "fail", "refutes": True}]},
        "res-a": {"checks": [{"name": "prover", "outcome": "pass", "refutes": False}]}}


def test_effect_and_tests_are_read_off_graph_and_ledger():
    (erratum,) = errata(parse(TWO), ROWS)
    assert erratum.affects == ("thm-b", "thm-c")
    assert erratum.fails_on_printed == ("refuter",) and erratum.passes_on_corrected == ("prover",)
    assert affected_by("thm-c", parse(TWO)) == ()


@pytest.mark.parametrize("change, rule", [
    (("class: false as stated", "class: oops"), "class"), (('printed: "$x<1$", ', ""), "exactly the keys"),
])
def test_a_broken_erratum_is_named(change, rule):
    with pytest.raises(InvalidClaims, match=rule):
        errata(parse(TWO.replace(*change)), ROWS)


def test_every_refuted_statement_of_the_paper_has_an_erratum_and_its_checks():
    from derl.claims.ledger import register_all
    from derl.claims.registry import REGISTRY

    register_all()
    for statement in load().values():
        refuting = [c for c in REGISTRY.of(statement.id) if c.refutes]
        if statement.expected in ("refuted", "holds-with-repair"):
            assert refuting and (statement.erratum or statement.kind == "result"), statement.id
        if statement.repair:
            assert [c for c in REGISTRY.of(statement.repair) if not c.refutes], statement.id


def test_every_erratum_has_a_test_that_fails_on_the_printed_form_and_passes_on_the_corrected_one():
    from derl.claims.ledger import register_all
    from derl.claims.registry import REGISTRY

    register_all()
    for statement in (s for s in load().values() if s.erratum):
        checks = [*REGISTRY.of(statement.id), *(REGISTRY.of(statement.repair) if statement.repair else ())]
        variants = {control.variant for check in checks for control in check.controls}
        assert any(check.refutes for check in checks) or "printed" in variants, f"{statement.id}: nothing fails"
        assert any(not check.refutes for check in checks) or "corrected" in variants, f"{statement.id}: nothing passes"


def test_an_erratum_counts_planted_forms_only_when_they_were_rejected():
    rows = {"lem-a": {"checks": [
        {"name": "refuter", "outcome": "pass", "refutes": True,
         "controls": [{"variant": "corrected", "outcome": "rejected"}]},
        {"name": "holder", "outcome": "pass", "refutes": False,
         "controls": [{"variant": "printed", "outcome": "NOT REJECTED"}]}]}}
    (erratum,) = errata(parse(TWO), rows)
    assert erratum.fails_on_printed == ("refuter",) and erratum.passes_on_corrected == ("refuter", "holder")


def test_an_erratum_says_in_which_section_it_stands():
    from derl.claims import find

    assert find("lem-trace-det").place == "Appendix C.2, line 854" and find("4.1").place == "Section 4.1, line 314"
    assert find("res-sharp-bridge").place == ""
