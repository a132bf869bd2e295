"""From rows to words: what a proof may rest on, what counts as ground, which steps a written proof has to name."""

import json
from dataclasses import replace
from itertools import product

import made_rows
import pytest
import second_paper

from derl.claims import PAPER
from derl.judge import proofs
from derl.judge.registry import Registry
from derl.judge.verdicts import (
    GROUNDLESS,
    MEANT,
    MENDS,
    STRENGTH,
    amiss,
    as_expected,
    carried,
    earned,
    grounded,
    verdict,
    weakest,
)
from derl.judge.words import words
from derl.ledger import Evidence, InvalidClaims, InvalidLedger, Ledger, verify
from derl.ledger.errata import errata
from derl.ledger.statements import parse
from derl.ledger.verification import _entry


def row(method="symbolic", outcome="pass", control="rejected", **others):
    return made_rows.check(**{"method": method, "outcome": outcome, "control": control} | others)


@pytest.mark.parametrize("word", ["failed", "not checked", "refuted", "repaired", "proof mended",
                                  "open", "proof fails", "minor slip"])
def test_no_proof_rests_on_what_has_no_ground(word):
    assert word in GROUNDLESS and word not in MENDS
    assert carried("machine-checked", "none", {"lem-b": word}) == ("machine-checked", "none")  # it rests on axioms
    for own in set(MENDS) - {"machine-checked"}:
        found, why = carried(own, "none", {"lem-a": "proved", "lem-b": word})
        assert found == ("not checked" if word == "not checked" else "failed")
        assert "lem-b" in why and "lem-a" not in why
        assert carried(own, "none", {"lem-b": word, "lem-c": "failed"})[0] == "failed"
    assert carried("refuted", "none", {"lem-b": word}) == ("refuted", "none")


@pytest.mark.parametrize("word", MENDS)
def test_proofs_rest_on_what_has_ground(word):
    assert carried("proved", "none", {"lem-a": word}) == ("proved", "none")


def test_the_strongest_check_gives_the_word_and_one_bad_control_spoils_it():
    assert verdict([row("run"), row("symbolic"), row("exhaustive")])[0] == "proved"
    assert verdict([row("run"), row("exhaustive")])[0] == "enumerated"
    assert verdict([row(), row(control="NOT REJECTED")])[0] == "failed"
    assert verdict([row(), row(outcome="fail")])[0] == "failed"


UNRUN = {"outcome": "error", "detail": "MemoryError: none left", "control": "NOT REJECTED"}


@pytest.mark.parametrize("rows, word", [
    ([row(**UNRUN)], "not checked"), ([row(outcome="missing", detail="needs derl[sdp]")], "not checked"),
    ([row(), row("run", **UNRUN)], "proved"), ([row("run"), row(**UNRUN)], "not checked"),
    ([row("run"), row("stress", **UNRUN)], "tested"), ([row(**UNRUN | {"refutes": True})], "not checked"),
    ([row(), row(**UNRUN | {"refutes": True})], "not checked"), ([row(refutes=True), row(**UNRUN)], "refuted"),
    ([row(breaks_proof=True), row(**UNRUN)], "proof fails"), ([row(), row(**UNRUN | {"breaks_proof": True})],
                                                              "not checked"),
    ([row(outcome="fail"), row(**UNRUN)], "failed"), ([row(control="NOT REJECTED"), row(**UNRUN)], "failed"),
])
def test_a_check_that_could_not_be_run_changes_no_word_and_lends_none(rows, word):
    found, why = verdict(rows)
    assert found == word
    assert word != "not checked" or "check could not be run: " in why
    assert not as_expected("not checked", "holds") and not as_expected("not checked", "refuted")


def test_what_is_to_be_proved_is_not_as_expected_where_it_is_only_tested():
    assert as_expected("tested", "holds") and as_expected("machine-checked", "holds", "proved")
    assert not as_expected("tested", "holds", "proved") and not as_expected("enumerated", "holds", "proved")


def test_what_is_corrected_by_something_unchecked_is_not_checked():
    for kind, repair in product(("refutes", "breaks_proof"), ("not checked", "stale")):
        assert verdict([row(**{kind: True})], repair=repair)[0] == repair
    assert verdict([row(refutes=True)], repair="failed")[0] == "refuted"


def test_a_proof_that_lacks_a_step_which_could_not_be_run_is_not_checked():
    """The same rows decay to a sample where nothing was kept from running."""
    key, = [key for key, statement in second_paper.PAPER.statements.items() if statement.proof][:1]
    rows = verify(second_paper.PAPER, [key]).claims[key].checks
    assert words(second_paper.PAPER, {key: rows})[key][0] == "proved"
    extra = row("run", name="another", **UNRUN)
    bare = [replace(entry, name="renamed") for entry in rows]
    assert words(second_paper.PAPER, {key: bare})[key][0] == "tested"
    word, why = words(second_paper.PAPER, {key: [*bare, extra]})[key]
    assert word == "not checked" and "another could not be run: MemoryError" in why


@pytest.mark.parametrize("kind", ["refutes", "breaks_proof"])
def test_the_gap_of_a_refutation_is_that_of_the_checks_that_refute(kind):
    whole = row(**{kind: True})
    assert verdict([whole, row(gap="small d only")])[1] == "none"
    assert verdict([whole, row(gap="one instance", **{kind: True})])[1] == "one instance"


@pytest.mark.parametrize("fault, repair, word", [
    (None, None, "refuted"), (None, "proved", "repaired"), ("false", None, "refuted"), ("false", "proved", "repaired"),
    ("false", "failed", "refuted"), ("gap", "proved", "proof mended"), ("gap", None, "proof fails"),
    ("open", "proved", "open"), ("open", None, "proof fails"), ("gap", "failed", "proof fails"),
    ("typo", None, "minor slip"), ("harmless", "proved", "minor slip"),
    ("corner case", None, "minor slip"), ("typo", "failed", "refuted"),
])
def test_a_false_statement_and_a_true_one_with_a_mended_proof_have_different_words(fault, repair, word):
    assert amiss(fault, repair) == verdict([row(refutes=True)], repair=repair, fault=fault)[0] == word
    expected = "holds-with-repair" if repair == "proved" else "refuted"
    assert as_expected(word, expected, fault=fault) == (repair != "failed" or fault == "gap" or word == "refuted" and
                                                        fault != "typo")
    for other in {"refuted", "repaired", "proof mended", "open", "proof fails", "minor slip"} - {word}:
        assert repair == "failed" or not as_expected(other, expected, fault=fault)


def test_no_statement_that_is_true_open_or_slight_counts_as_false(ledger):
    for key, entry in ledger.claims.items():
        fault = PAPER.statements[key].fault
        assert entry["verdict"] not in ("refuted", "repaired") or fault in ("false", None), key
        assert entry["verdict"] != "minor slip" or fault in ("corner case", "harmless", "typo"), key


def test_definitions_assumptions_and_conditions_are_stated(ledger):
    supposed = [key for key, s in PAPER.statements.items() if s.kind in ("definition", "assumption", "condition")]
    assert {"def-cut-model", "cond-induction"} <= set(supposed)
    assert {ledger.claims[key]["verdict"] for key in supposed} == {"stated"}


def test_grounded_needs_a_strong_word_and_nothing_weak_below():
    assert grounded("proved", []) and grounded("enumerated", [])
    assert not grounded("proved", ["lem-a"]) and not grounded("tested", []) and not grounded("tested", ["lem-a"])
    kinds = {"a": "lemma", "b": "lemma", "c": "definition"}
    assert weakest("abc", {"a": "tested", "b": "certified", "c": "stated"}, kinds) == ["a"]


@pytest.mark.parametrize("key", ["thm-layerwise-repaired", "lem-trace-det"])
def test_a_weak_statement_below_is_named_unless_a_kernel_has_read_the_whole(key):
    below = [other for other in PAPER.dependencies.below(key) if PAPER.statements[other].kind not in MEANT]
    words = {other: ("tested", "none") for other in PAPER.statements}
    assert below or key == "lem-trace-det"
    for word, weak in (("proved", set(below)), ("machine-checked", set())):
        made = _entry(PAPER, PAPER.statements[key], words | {key: (word, "none")}, [])
        assert set(made["weakest"]) == weak and made["grounded"] == (not weak)
    one = {key: ("machine-checked", "none")}
    assert _entry(PAPER, PAPER.statements[key], one, [])["grounded"]


def step(*check):
    return proofs.Step("it follows", check, (), (), ())


@pytest.mark.parametrize("named, complaint", [
    ((("check", "start"), ("check", "each entry")), None), ((("check", ""),), None),
    ((("check", "start"), ("check", "each entry"), ("check", "start")), None),
    ((("check", "start"),), "no step names check#each entry"),
    ((("check", "each entry"),), "no step names check#start"),
    ((("check", ""), ("check", "end")), "names check#end; the parts of check are start, each entry"),
    ((("other", ""),), "which does not exist"),
])
def test_a_written_proof_names_every_part_and_no_other(named, complaint):
    made = [{"name": "0", "part": "start"}, {"name": "1", "part": "each entry"}, {"name": "2", "part": "each entry"}]
    found = proofs.problems((step(*named),), [row(steps=made)])
    assert found == [] if complaint is None else complaint in found[0]


def test_a_step_without_a_part_is_named_with_its_whole_check():
    made = [row(steps=[{"name": "a = b"}, {"name": "c = d", "part": "end"}])]
    assert proofs.problems((step(("check", "end")),), made) == [
        "no step names the step 'a = b' of check, which belongs to no part"]
    assert proofs.problems((step(("check", "end"), ("check", "")),), made) == []


def test_a_part_of_a_check_that_measures_one_number_does_not_exist():
    assert proofs.problems((step(("check", "start"),),), [row(method="run", steps=[])]) == [
        "step 1 names check#start; the parts of check are not named"]


@pytest.mark.parametrize("word", ["check#3", "check#2-5", "check#", "check#a_b", "check#x#y", "3"])
def test_a_number_is_no_part(word):
    found, problem = proofs.read([{"say": "it follows", "check": word}])
    assert not found and problem.startswith(f"step 1 of the proof: check {word!r} names neither a check nor a part")
    assert "\n" not in problem


@pytest.mark.parametrize("options, why", [
    ({"method": "symbolic", "arithmetic": "ball"}, "symbolic proof is exact"),
    ({"method": "symbolic", "arithmetic": "float64"}, "symbolic proof is exact"),
    ({"arithmetic": "float64", "refutes": True}, "a refutation has to be"),
    ({"arithmetic": "float64", "breaks_proof": True}, "a refutation has to be"),
])
def test_what_arithmetic_cannot_carry_is_refused(options, why):
    with pytest.raises(ValueError, match=why):
        Registry().claim("lem-a", **{"method": "run"} | options)


def test_infinite_bounds_do_not_hold():
    for side in (1.0, float("inf"), -float("inf"), float("nan")):
        assert not Evidence(side, float("inf"), "upper", "one number").holds
        assert not Evidence(side, -float("inf"), "lower", "one number").holds
    assert Evidence(2, 1, "lower", "one number").margin == 1 and Evidence(1, 2, "upper", "one number").margin == 1


def test_the_full_tier_holds_the_quick_one():
    quick, full = (verify(second_paper.PAPER, tier=tier) for tier in ("quick", "full"))
    for key, found in quick.claims.items():
        names = {check["name"] for check in full.claims[key]["checks"]}
        assert found["checks"] and {check["name"] for check in found["checks"]} <= names
    assert not full.surprises and len(full.claims) == 4


def test_only_the_full_tier_runs_its_checks(monkeypatch):
    registry = second_paper.PAPER.register()
    slow, *quick = registry.checks
    assert quick and {check.tier for check in registry.checks} == {"quick"}
    monkeypatch.setattr(registry, "checks", [replace(slow, tier="full"), *quick])
    names = {tier: {check["name"] for row in verify(second_paper.PAPER, tier=tier).claims.values()
                    for check in row["checks"]} for tier in ("quick", "full")}
    assert names["quick"] == {check.name for check in quick} and names["full"] == names["quick"] | {slow.name}


def test_a_run_says_the_seed_that_it_had():
    assert verify(second_paper.PAPER).seed == 0 == Ledger("quick", {}, {}, "none").seed


def test_a_ledger_of_another_schema_is_refused(tmp_path):
    path = tmp_path / "ledger.json"
    verify(second_paper.PAPER, tier="quick").save(path)
    assert Ledger.load(path).claims
    body = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(body | {"schema": body["schema"] + 1}), encoding="utf-8")
    with pytest.raises(InvalidLedger, match="schema"):
        Ledger.load(path)


def test_an_unknown_repair_is_named():
    entry = """lem-a:
  {kind: lemma, number: "", label: "", line: 0, title: A, statement: text, page: a, expected: holds-with-repair,
   repair: res-a}
"""
    with pytest.raises(InvalidClaims, match="unknown id 'res-a'"):
        parse(entry)


def test_what_rejects_the_printed_form_is_listed_beside_what_breaks_it():
    paper = second_paper.PAPER
    rows = dict(verify(paper, tier="full").claims)
    found, = errata(paper, rows)
    assert found.fails_on_printed
    sound, *others = rows["res-euler-primes"].checks
    printed = replace(sound, controls=(replace(rows["thm-euler-primes"].checks[0].controls[0], variant="printed"),))
    rows["res-euler-primes"] = replace(rows["res-euler-primes"], checks=(printed, *others))
    again, = errata(paper, rows)
    assert set(again.fails_on_printed) == {*found.fails_on_printed, sound.name}


@pytest.mark.parametrize("kind, words", [("algorithm", {"certified", "enumerated", "tested"}), ("table", {"tested"})])
def test_runs_of_an_algorithm_and_of_a_table_are_executed_not_proved(kind, words):
    """What a kernel has read or a proof shows keeps its word; so does a whole table that was listed exactly."""
    for word in STRENGTH:
        assert earned(word, "none", kind, []) == ("executed" if word in words else word, "none")
    assert all(earned(word, "none", "lemma", []) == (word, "none") for word in STRENGTH)


def test_what_has_changed_is_what_differs_and_what_is_new():
    old, new = (Ledger("quick", {key: made_rows.statement(verdict=word) for key, word in found.items()}, {},
                              "none") for found in (
        {"a": "proved", "b": "proved"}, {"a": "proved", "b": "tested", "c": "executed"}))
    assert new.changes(old) == [("b", "proved", "tested"), ("c", "absent", "executed")]
    assert new.changes(new) == []
