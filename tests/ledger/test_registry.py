"""The registry decides, and it cannot be talked into a good word."""

import linecache
from fractions import Fraction

import numpy as np
import pytest
import sympy

from derl.claims import PAPER
from derl.ledger.evidence import Evidence, steps
from derl.ledger.quotes import quotes
from derl.ledger.registry import Extra, Registry
from derl.ledger.trial import place, run_check, run_control
from derl.ledger.verdicts import verdict


def registered(claimed=1, plants=None, measured=1, **options):
    registry = Registry()
    settings = dict(method="symbolic", arithmetic="exact", covers="everything", gap="none") | options

    @registry.check("lem-x", **settings)
    def measures(value=measured) -> Evidence:
        """Measures one number."""
        return Evidence(value, claimed, "upper", "one number")

    for planted in plants or []:
        registry.control(measures, f"value {planted}", {"value": planted})
    return run_check(registry.checks[0])


@pytest.mark.parametrize("package, outcome, detail", [
    ("no_such_package", "missing", "needs paper[sage]"), ("json", "pass", "")])
def test_what_a_check_needs_is_an_extra_of_its_paper(package, outcome, detail):
    registry = Registry({"sage": Extra(package, "paper[sage]")})

    @registry.check("lem-x", method="exhaustive", arithmetic="exact", covers="everything", gap="none", needs="sage")
    def measures(value=1) -> Evidence:
        return Evidence(value, 1, "identity", "one number")

    row = run_check(registry.checks[0])
    assert (row["outcome"], row["detail"]) == (outcome, detail)
    with pytest.raises(ValueError, match="needs is 'sdp'; allowed are None, sage"):
        registry.check("lem-x", method="exhaustive", arithmetic="exact", covers="everything", gap="none", needs="sdp")


@pytest.mark.parametrize("measured, claimed, direction, holds", [
    (1, 2, "upper", True), (2, 1, "upper", False), (2, 1, "lower", True), (1, 2, "lower", False),
    (Fraction(1, 3), Fraction(1, 3), "tight", True), (Fraction(1, 3), 0.3333333, "identity", False),
    (float("nan"), 1, "upper", False), (1, float("nan"), "lower", False),
    (float("inf"), float("inf"), "identity", False), (sympy.Rational(1, 3), Fraction(1, 3), "identity", True),
])
def test_the_direction_of_the_inequality_decides(measured, claimed, direction, holds):
    assert Evidence(measured, claimed, direction, "s").holds is holds


def test_exact_numbers_are_compared_exactly():
    third = Fraction(1, 3)
    assert not Evidence(third + Fraction(1, 10**40), third, "upper", "s").holds
    assert isinstance(Evidence(sympy.Rational(1, 3), 1, "upper", "s").measured, Fraction)


@pytest.mark.parametrize("arguments", [
    (1, 2, "sideways", "s"), (1, 2, "upper", "  "), ("one", 2, "upper", "s"), (sympy.Symbol("x"), 2, "upper", "s"),
])
def test_unusable_evidence_is_refused(arguments):
    with pytest.raises(ValueError):
        Evidence(*arguments)


def test_an_undecided_or_empty_proof_is_refused():
    with pytest.raises(ValueError, match="undecided"):
        steps([("x > 0", sympy.Symbol("x") > 0)], "s")
    with pytest.raises(ValueError, match="nothing"):
        steps([], "s")


def test_one_false_step_fails_the_proof_and_is_named():
    evidence = steps([("first", True), ("second", sympy.false)], "s")
    assert not evidence.holds and "second" in evidence.detail


def test_a_passing_check_with_a_rejected_control_gives_its_word():
    row = registered(plants=[2])
    assert row["outcome"] == "pass" and row["control"]["outcome"] == "rejected"
    assert verdict([row]) == ("proved", "none")


@pytest.mark.parametrize("plants", [None, [1], [2, 1]])
def test_a_check_without_a_biting_control_fails(plants):
    assert verdict([registered(plants=plants)])[0] == "failed"


def test_a_control_that_crashes_or_plants_nothing_is_not_a_rejection():
    assert registered(plants=["not a number"])["control"]["outcome"] == "NOT REJECTED"
    registry = Registry()

    @registry.check("lem-x", method="run", arithmetic="exact", covers="everything", gap="none")
    def measures(value=1):
        return Evidence(value, 1, "upper", "s")

    registry.control(measures, "nothing", dict)
    assert run_check(registry.checks[0])["control"]["outcome"] == "NOT REJECTED"


def controlled(arguments, plants="two for one", **options):
    registry = Registry()

    @registry.check("lem-x", method="exhaustive", arithmetic="exact", covers="everything", gap="none")
    def measures(value=1, kept=(1,)):
        if isinstance(kept, list):
            kept.append(value)
        return Evidence(value + len(kept) - 1, 1, "upper", "s")

    registry.control(measures, plants, arguments, **options)
    return registry.checks[0]


def test_a_control_is_a_row_that_says_what_it_changes_and_where_it_stands():
    (control,) = controlled({"value": 2}).controls
    assert control.text == "value = 2" and control.plant() == {"value": 2}
    line = linecache.getline(__file__, control.place.line).strip()
    assert control.place.file.endswith("test_registry.py") and line.startswith("registry.control(measures")


@pytest.mark.parametrize("arguments, words", [
    (None, "a mapping"), ({}, "a mapping"), (["value"], "a mapping"), ({"kept": [1]}, "kept is a list"),
    ({"kept": {1}}, "kept is a set"), ({"value": {"a": 1}}, "value is a dict"),
    ({"kept": np.ones(1)}, "kept is a ndarray")])
def test_arguments_that_a_run_could_change_or_that_are_none_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        controlled(arguments)


@pytest.mark.parametrize("change", [{"plants": "  "}, {"variant": "other"}])
def test_a_control_without_words_or_of_an_unknown_variant_is_refused(change):
    with pytest.raises(ValueError, match="control of measures"):
        controlled({"value": 2}, **change)


def test_a_control_of_what_is_no_check_is_refused():
    with pytest.raises(ValueError, match="not a registered check"):
        Registry().control(controlled, "anything", {"value": 2})


def test_no_run_and_no_caller_changes_what_is_planted():
    given = {"value": 2}
    (control,) = controlled(given).controls
    given["value"] = 1
    control.plant()["value"] = 1
    assert control.plant() == {"value": 2}
    with pytest.raises(TypeError):
        control.arguments["value"] = 1


def test_a_function_makes_the_arguments_afresh_for_each_run_and_is_shown_by_its_source():
    check = controlled(lambda: {"kept": [1]})
    found = [run_control(check, check.controls[0], check.function())["measured"] for _ in range(2)]
    assert found == ["2", "2"] and check.controls[0].text == "lambda: {'kept': [1]}"


def test_a_planted_function_of_the_same_package_comes_with_its_source():
    (control,) = controlled({"value": controlled}).controls
    assert control.text.startswith("value = controlled\n\ndef controlled(arguments")
    assert controlled({"value": linecache.getline}).controls[0].text == "value = getline"


def test_a_crash_is_an_error_and_no_finding_about_the_claim():
    registry = Registry()

    @registry.check("lem-x", method="run", arithmetic="exact", covers="everything", gap="none")
    def crashes():
        raise ZeroDivisionError("somewhere")

    row = run_check(registry.checks[0])
    assert row["outcome"] == "error" and "somewhere" in row["detail"]
    word, why = verdict([row])
    assert word == "not checked" and "crashes could not be run: ZeroDivisionError: somewhere" in why


def test_partial_checks_do_not_raise_the_word():
    partial = registered(plants=[2], covers="d = 1", gap="d > 1")
    assert verdict([partial]) == ("tested", "d > 1")
    stress = registered(plants=[2], method="stress", arithmetic="float64", gap="random search")
    assert verdict([partial, stress]) == ("tested", "random search")
    assert verdict([registered(plants=[2], method="exhaustive"), stress])[0] == "enumerated"


def test_a_refutation_is_repaired_only_by_a_good_repair():
    row = registered(plants=[2], refutes=True)
    assert verdict([row])[0] == "refuted"
    assert verdict([row], repair="proved")[0] == "repaired"
    assert verdict([row], repair="failed")[0] == "refuted"


def test_a_refutation_keeps_its_gap():
    row = registered(plants=[2], refutes=True, gap="one tail")
    assert verdict([row], repair="proved") == ("repaired", "one tail")
    assert verdict([registered(plants=[2], refutes=True)]) == ("refuted", "none")


def test_a_float_cannot_refute():
    with pytest.raises(ValueError, match="exact"):
        registered(plants=[2], refutes=True, arithmetic="float64")


def test_no_checks_is_not_checked_and_cited_is_cited():
    assert verdict([])[0] == "not checked" and verdict([], cited=True)[0] == "cited"


@pytest.mark.parametrize("options", [{"method": "guess"}, {"arithmetic": "float16"}, {"tier": "slow"}, {"needs": "x"}])
def test_unknown_words_are_refused(options):
    with pytest.raises(ValueError, match="allowed"):
        registered(**options)


def test_every_registered_check_has_a_control_and_a_summary():
    checks = PAPER.register().checks
    assert checks
    assert [c.source for c in checks if not (c.controls or quotes(c.function))] == []
    assert [c.source for c in checks if not (c.function.__doc__ or "").strip()] == []
    assert [c.source for c in checks if not (c.covers.strip() and c.gap.strip())] == []


def test_a_counterexample_covers_the_statement_that_it_refutes():
    """One word for all of them: what else a refutation covers is the part of the statement that it refutes."""
    refuting = [check for check in PAPER.register().checks if check.refutes]
    assert len(refuting) > 50
    assert [check.source for check in refuting if "counterexample" in check.covers] == []


def test_the_place_of_a_check_is_its_own_file_also_where_a_decorator_wraps_it():
    from contextlib import contextmanager

    from derl.ledger.trial import place

    @contextmanager
    def precise():
        yield

    @precise()
    def wrapped():
        return None

    assert place(wrapped).file.endswith("test_registry.py")


def test_a_kernel_that_read_a_part_says_which_part():
    """The scope of such a check is what was written down when the two texts were compared."""
    from derl.claims import PAPER
    from derl.ledger.kernel import NO_CONTROL

    checks = PAPER.register().checks
    parts = [check for check in checks if check.method == "kernel" and check.covers != "everything"]
    assert len(parts) > 10
    assert all(check.covers == check.function.__doc__ or check.covers.startswith("what `") for check in parts)
    assert sum(check.covers == check.function.__doc__ for check in parts) > len(parts) / 2
    whole = [check for check in checks if check.method == "kernel" and check.covers == "everything"]
    assert whole and all(check.gap != NO_CONTROL for check in whole)


def test_the_place_of_a_function_is_its_file_below_the_folder_of_its_package(monkeypatch):
    from derl.theory import potential
    from derl.theory.potential import bounds

    assert place(bounds.refined_bound).file == "derl/theory/potential/bounds.py"
    assert place(potential.violations).file == "derl/theory/potential/__init__.py"
    nowhere = place(eval("lambda: 0"))
    assert (nowhere.file, nowhere.line) == ("", 0)
    monkeypatch.setitem(linecache.cache, "<typed>", (9, None, ["lambda: 0"], "<typed>"))  # as Python 3.13 does
    typed = place(eval(compile("lambda: 0", "<typed>", "eval")))
    assert (typed.file, typed.line) == ("", 0)


def test_the_full_tier_contains_the_quick_one_and_not_the_other_way_round():
    registry = Registry()

    def one() -> Evidence:
        """Measures one number."""
        return Evidence(1, 1, "upper", "one number")

    def another() -> Evidence:
        """Measures it at length."""
        return one()

    settings = {"method": "symbolic", "arithmetic": "exact", "covers": "everything", "gap": "none"}
    for claim, function, tier in (("lem-x", one, "quick"), ("lem-x", another, "full"), ("lem-y", one, "quick")):
        registry.check(claim, tier=tier, **settings)(function)
    assert [check.tier for check in registry.of("lem-x")] == ["quick", "full"]
    assert [check.tier for check in registry.of("lem-x", "quick")] == ["quick"]


@pytest.mark.parametrize("direction, sign", [("upper", 1), ("lower", -1), ("tight", 1), ("identity", -1)])
def test_a_tolerance_is_room_for_rounding_and_for_no_more(direction, sign):
    assert Evidence(1.0, 1.0, direction, "one number", tolerance=1e-9).holds
    assert Evidence(1.0 + sign * 5e-10, 1.0, direction, "one number", tolerance=1e-9).holds
    assert not Evidence(1.0 + sign * 2e-9, 1.0, direction, "one number", tolerance=1e-9).holds


def test_checks_stand_in_the_order_of_their_modules_whatever_was_imported_before():
    """Workers name a check by its place, and pages list checks in this order."""
    checks = PAPER.register().checks
    before = list(checks)
    checks.sort(key=lambda check: check.function.__module__, reverse=True)
    assert checks != before
    assert PAPER.register().checks == before
