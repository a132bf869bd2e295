"""Errata answer in fields, share a cause, and have an effect and a test that tells printed from corrected."""

import re
from dataclasses import replace

import made_rows
import pytest

from derl.claims import PAPER, find
from derl.judge.dependencies import Dependencies
from derl.ledger.errata import by_cause, errata
from derl.ledger.erratum import FIELDS, Cause, causes, class_of, problem
from derl.ledger.paper import Paper
from derl.ledger.statements import InvalidClaims, parse

FIELDS_OF_A = ('{printed: "$x<1$", corrected: "$x\\\\le 1$", reading: r, nearby: "no; searched for x", margin: m, '
               'becomes: b, as_printed: "false", under_reading: "true", changes: the statement, cause: edge}')
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
  erratum: ERRATUM
res-a: {kind: result, number: "", label: "", line: 0, title: A, statement: s, page: p/q, expected: holds, word: proved}
thm-b: {kind: theorem, number: "1.2", label: "", line: 9, title: B, statement: s, page: p/q, expected: cited,
        uses: {proof: [lem-a]}}
thm-c: {kind: theorem, number: "1.3", label: "", line: 12, title: C, statement: s, page: p/q, expected: cited,
        uses: {statement: [thm-b]}}
""".replace("ERRATUM", FIELDS_OF_A)
ROWS = {"lem-a": made_rows.statement(made_rows.check(name="refuter", refutes=True),
                                     made_rows.check(name="broken", outcome="fail", refutes=True)),
        "res-a": made_rows.statement(made_rows.check(name="prover"))}


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
    (('as_printed: "false"', "as_printed: oops"), "`as_printed` of the erratum is 'oops'; allowed are false, false at"),
    (('as_printed: "false"', "as_printed: false"), "`as_printed` of the erratum is not a text"),
    (("changes: the statement", "changes: much"), "`changes` of the erratum is 'much'; allowed are nothing, a proof"),
    (('under_reading: "true"', "under_reading: maybe"), "`under_reading` of the erratum is 'maybe'; allowed are true"),
    (('as_printed: "false"', "as_printed: a misprint"), "a slip in writing and an edge change nothing"),
    (('as_printed: "false"', "as_printed: unclear"), "what has to be stated otherwise is false"),
    (("nearby: \"no; searched for x\"", 'nearby: "no"'), 'names a line ("line 12"), or begins with "no; searched for'),
    (("becomes: b", "becomes: Nothing changes"), "its field `becomes` says that nothing changes"),
    ((", cause: edge", ", cause: edge, severity: high"), "unknown field `severity`; allowed are printed"),
    ((", cause: edge", ", cause: ''"), "`cause` of the erratum is not a text"),
    *[((f"{name}: {value}, ", ""), f"no field `{name}`: ") for name, value in (
        ("printed", '"$x<1$"'), ("reading", "r"), ("nearby", '"no; searched for x"'), ("margin", "m"),
        ("becomes", "b"))],
    ((FIELDS_OF_A, "a sentence"), "an erratum is a mapping"),
    (("  erratum: ", "  word: proof mended\n  erratum: "), "with the class false of its erratum it is repaired"),
])
def test_a_broken_erratum_is_named_in_one_line_when_the_statements_are_read(change, rule):
    assert TWO.count(change[0]) == 1
    with pytest.raises(InvalidClaims, match=re.escape(rule)) as caught:
        parse(TWO.replace(*change))
    assert str(caught.value).startswith("claims.yml: lem-a: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize("printed, reading, changes, found", [
    ("false", "true", "the statement", "false"), ("false", "open", "a normalisation", "gap"),
    ("false", "true", "a proof", "gap"), ("not shown", "open", "a proof", "gap"), ("unclear", "true", "a proof", "gap"),
    ("false at the edge", "true", "nothing", "corner case"), ("a misprint", "true", "nothing", "typo"),
    ("false", "true", "nothing", "harmless"), ("unclear", "true", "nothing", "harmless"),
    ("not shown", "true", "nothing", "harmless"),
])
def test_the_class_follows_from_what_is_printed_and_what_changes(printed, reading, changes, found):
    entry = dict.fromkeys(FIELDS, "line 7") | {"as_printed": printed, "under_reading": reading, "changes": changes}
    assert (problem(entry), class_of(entry)) == ("", found)


def test_what_is_open_under_its_reading_changes_a_proof_and_a_misprint_has_a_line_that_is_right():
    entry = dict.fromkeys(FIELDS, "no; searched for x") | {"as_printed": "unclear", "under_reading": "open",
                                                           "changes": "nothing"}
    assert "what is open changes a proof" in problem(entry)
    assert "names the line that has the right form" in problem(entry | {"as_printed": "a misprint",
                                                                        "under_reading": "true"})


def test_equal_faults_have_equal_classes():
    """One cause and one sentence nearby: the class is that of the first."""
    other = TWO[:TWO.index("thm-b:")].replace("lem-a: &base", "lem-d:").replace("res-a", "res-d")
    assert len(parse(TWO + other)) == 6
    with pytest.raises(InvalidClaims, match="lem-a and lem-d have one cause and one line nearby, and the classes false"
                                            " and gap"):
        parse(TWO + other.replace("changes: the statement", "changes: a proof"))


def test_what_an_erratum_prints_is_made_of_quotations_and_their_lines():
    for statement in PAPER.statements.values():
        if statement.erratum:
            assert re.fullmatch(r'"[^"]+"( \(line \d+\))?(; "[^"]+"( \(line \d+\))?)*',
                                statement.erratum["printed"]), statement.id


def test_lines_that_an_erratum_names_nearby_are_lines_of_the_paper():
    for statement in PAPER.statements.values():
        if statement.erratum:
            named = [int(number) for number in re.findall(r"\blines? (\d+)", statement.erratum["nearby"])]
            assert all(150 <= number <= 1988 for number in named), statement.id


def test_errata_are_grouped_by_cause_in_the_order_of_the_causes_and_the_gravest_class_first():
    (one,) = errata(Made(TWO), ROWS)
    made = [replace(one, id=key, cause=cause, kind=kind) for key, cause, kind in (
        ("a", "slip", "typo"), ("b", "cap", "gap"), ("c", "cap", "false"), ("d", "own-fault", "gap"))]
    groups = by_cause(made, {"cap": Cause("A cap", "said"), "unused": Cause("U", ""), "slip": Cause("Slips", "")})
    assert [(g.id, g.cause.title, [e.id for e in g.errata]) for g in groups] == [
        ("cap", "A cap", ["c", "b"]), ("slip", "Slips", ["a"]), ("own-fault", "Own fault", ["d"])]


def test_causes_are_read_in_the_order_of_their_file_and_a_broken_one_is_named():
    known, amiss = causes({"b": {"title": "B ", "says": "s"}, "a": {"title": "A", "says": ""}})
    assert (list(known), known["b"], amiss) == (["b", "a"], Cause("B", "s"), "")
    for broken in ({"title": "B"}, {"title": "B", "says": "", "more": 1}, "B"):
        assert causes({"b": broken}) == ({}, "b: a cause has the fields title, says")


def test_every_cause_of_the_paper_is_used_and_the_gravest_ones_come_before_the_slips():
    used = {statement.erratum["cause"] for statement in PAPER.statements.values() if statement.erratum}
    assert used == PAPER.causes.keys()
    grave = [{e.kind for e in group.errata} & {"false", "gap"} for group in by_cause(errata(PAPER, {}), PAPER.causes)]
    assert grave[0] and not grave[-1]


def test_an_unknown_cause_is_refused(monkeypatch):
    paper = Paper("derl.claims", PAPER.chapters, quotations=PAPER.quotations)
    monkeypatch.setattr(Paper, "causes", {key: cause for key, cause in PAPER.causes.items() if key != "inner-cap"})
    with pytest.raises(InvalidClaims, match="the cause of the erratum is 'inner-cap'; causes.yml has bonus-"):
        len(paper.statements)


def test_every_refuted_statement_of_the_paper_has_an_erratum():
    for statement in PAPER.statements.values():
        if statement.expected in ("refuted", "holds-with-repair"):
            assert statement.erratum or statement.own, statement.id


def test_every_erratum_has_a_test_that_fails_on_the_printed_form_and_passes_on_the_corrected_one(ledger):
    for erratum in errata(PAPER, ledger.claims):
        assert erratum.fails_on_printed and erratum.passes_on_corrected, erratum.id


def test_an_erratum_counts_planted_forms_only_when_they_were_rejected():
    rows = {"lem-a": made_rows.statement(
        made_rows.check(name="refuter", refutes=True, controls=[{"variant": "corrected"}]),
        made_rows.check(name="holder", controls=[{"variant": "printed", "outcome": "NOT REJECTED"}]))}
    (erratum,) = errata(Made(TWO), rows)
    assert erratum.fails_on_printed == ("refuter",) and erratum.passes_on_corrected == ("refuter", "holder")


def test_an_erratum_says_in_which_section_it_stands():
    assert PAPER.place(find("C.3")) == "Appendix C.2, line 854" and PAPER.place(find("4.1")) == "Section 4.1, line 314"
    assert all((PAPER.place(statement) == "") == statement.own for statement in PAPER.statements.values())
    assert {s.kind for s in PAPER.statements.values() if s.own} == {"result", "definition"}
