"""The registry decides, and it cannot be talked into a good word."""

import linecache
from fractions import Fraction

import numpy as np
import pytest
import sympy

from derl.claims import PAPER
from derl.exact.symbolic import by_sign, exceeds
from derl.judge.evidence import Evidence, steps
from derl.judge.quotes import Quote, quotes
from derl.judge.registry import Extra, Registry
from derl.judge.trial import place, run_check, run_control
from derl.judge.verdicts import verdict
from derl.ledger.arguments import changed


def registered(claimed=1, plants=None, measured=1, **options):
    registry = Registry()

    @registry.claim("lem-x", false={f"value {planted}": {"value": planted} for planted in plants or []}, **options)
    def measures(value=measured):
        """Measures one number."""
        return Evidence(value, claimed, "upper", "one number")

    return run_check(registry.checks[0])


@pytest.mark.parametrize("package, outcome, detail", [
    ("no_such_package", "missing", "needs paper[sage]"), ("json", "pass", "")])
def test_what_a_check_needs_is_an_extra_of_its_paper(package, outcome, detail):
    registry = Registry({"sage": Extra(package, "paper[sage]")})

    @registry.claim("lem-x", needs="sage")
    def measures(value=1):
        return Evidence(value, 1, "identity", "one number")

    row = run_check(registry.checks[0])
    assert (row["outcome"], row["detail"]) == (outcome, detail)
    with pytest.raises(ValueError, match="needs is 'sdp'; allowed are None, sage"):
        registry.claim("lem-x", needs="sdp")


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

    @registry.claim("lem-x", false={"nothing": dict}, method="run")
    def measures(value=1):
        return Evidence(value, 1, "upper", "s")

    assert run_check(registry.checks[0])["control"]["outcome"] == "NOT REJECTED"


def controlled(arguments, plants="two for one"):
    registry = Registry()

    @registry.claim("lem-x", false={plants: arguments}, method="exhaustive")
    def measures(value=1, kept=(1,)):
        if isinstance(kept, list):
            kept.append(value)
        return Evidence(value + len(kept) - 1, 1, "upper", "s")

    return registry.checks[0]


def test_a_control_is_a_row_that_says_what_it_changes_and_where_it_stands():
    (control,) = controlled({"value": 2}).controls
    assert changed(control) == "value = 2" and control.plant() == {"value": 2}
    line = linecache.getline(__file__, control.place.line).strip()
    assert control.place.file.endswith("test_registry.py") and line.startswith("@registry.claim(")


@pytest.mark.parametrize("arguments, words", [
    (None, "a mapping"), ({}, "a mapping"), (["value"], "a mapping"), ({"kept": [1]}, "kept is a list"),
    ({"kept": {1}}, "kept is a set"), ({"value": {"a": 1}}, "value is a dict"),
    ({"kept": np.ones(1)}, "kept is a ndarray")])
def test_arguments_that_a_run_could_change_or_that_are_none_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        controlled(arguments)


def test_a_control_without_words_is_refused():
    with pytest.raises(ValueError, match="control of measures"):
        controlled({"value": 2}, plants="  ")


def test_variants_are_the_printed_form_and_the_corrected_one_and_name_a_point_where_the_run_cannot():
    registry = Registry()

    @registry.claim("lem-y", title="The same for y")
    @registry.claim("lem-x", false={"two": {"value": 2}}, as_printed={"three": ({"value": 3}, "at x = 0")})
    def measures(value=1):
        """One number: measured at x = 0."""
        return Evidence(value, 1, "upper", "s")

    first, second = registry.checks
    assert [(c.plants, c.variant, c.witness) for c in first.controls] == [
        ("two", "", ""), ("three", "printed", "at x = 0")]
    assert (first.title, first.summary, second.title) == ("One number", "measured at x = 0.", "The same for y")


def test_a_check_reads_its_statement_and_yields_steps_whose_scope_is_in_the_docstring():
    registry = Registry(printed=lambda key: Quote(lambda claim, field: "Let $x=2$.", key, "statement"))

    @registry.claim("lem-x", false={"three": {"claimed": 3}})
    def reads(text, claimed=2):
        """The value of x: one number."""
        yield text("x=") == claimed
        yield "twice", 2 * text("x=") == 2 * claimed

    row = run_check(registry.checks[0])
    assert row["outcome"] == "pass" and row["scope"] == "one number."
    assert [step["name"] for step in row["steps"]] == ["The value of x", "twice"]
    with pytest.raises(ValueError, match="there is no paper"):
        Registry().claim("lem-x")(lambda text: None)


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
    assert found == ["2", "2"] and changed(check.controls[0]) == "lambda: {'kept': [1]}"


def test_a_planted_function_of_the_same_package_comes_with_its_source():
    (control,) = controlled({"value": controlled}).controls
    assert changed(control).startswith("value = controlled\n\ndef controlled(arguments")
    assert changed(controlled({"value": linecache.getline}).controls[0]) == "value = getline"


def test_a_crash_is_an_error_and_no_finding_about_the_claim():
    registry = Registry()

    @registry.claim("lem-x", method="run")
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


@pytest.mark.parametrize("reads, words", [(False, ""), (True, "it has no formula")])
def test_a_refutation_reads_its_statement_or_says_why_not(reads, words):
    registry = Registry(printed=lambda key: Quote(lambda claim, field: "Let $x=2$.", key, "statement"))

    def reading(text):
        return Evidence(text("x="), 3, "identity", "x")

    def silent():
        return Evidence(2, 3, "identity", "x")

    with pytest.raises(ValueError, match="evaluate a formula of the statement, or to say in `words`"):
        registry.claim("lem-x", refutes=True, words=words)(reading if reads else silent)
    registry.claim("lem-x", refutes=True, words="" if reads else "it has no formula")(reading if reads else silent)


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
    assert [c.source for c in checks if not (c.controls or quotes(c.function) or c.formal)] == []
    assert [c.source for c in checks if not (c.function.__doc__ or "").strip()] == []
    assert [c.source for c in checks if not (c.covers.strip() and c.gap.strip())] == []


def test_a_counterexample_covers_the_statement_that_it_refutes():
    """One word for all of them: what else a refutation covers is the part of the statement that it refutes."""
    refuting = [check for check in PAPER.register().checks if check.refutes]
    assert len(refuting) > 50
    assert [check.source for check in refuting if "counterexample" in check.covers] == []


def test_the_place_of_a_check_is_its_own_file_also_where_a_decorator_wraps_it():
    from contextlib import contextmanager

    from derl.judge.trial import place

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
    from derl.judge.kernel import NO_CONTROL

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

    for claim, function, tier in (("lem-x", one, "quick"), ("lem-x", another, "full"), ("lem-y", one, "quick")):
        registry.claim(claim, tier=tier)(function)
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


def test_numbers_of_sympy_are_compared_exactly():
    near = sympy.Rational(str(sympy.log(2).evalf(40)))  # a float does not tell it from log 2
    found = Evidence(sympy.log(2), near + Fraction(1, 10**30), "upper", "one number")
    assert found.holds and found.margin < Fraction(1, 10**29)
    assert registered(claimed=sympy.log(2), measured=Fraction(1, 2), plants=[1])["outcome"] == "pass"
    assert registered(claimed=sympy.log(2), measured=1)["outcome"] == "fail"
    assert Evidence(sympy.log(2), 0.6931471805599453, "identity", "one number").measured == 0.6931471805599453


@pytest.mark.parametrize("step, outcome", [
    (exceeds(1, sympy.log(2)), "error"), (exceeds(sympy.Rational(1, 2), 1), "fail"),
    (by_sign(1, sympy.log(2)), "pass")])
def test_a_step_that_the_prover_cannot_decide_is_not_a_false_one(step, outcome):
    registry = Registry()

    @registry.claim("lem-x")
    def measures(value=1):
        return steps([("1 exceeds log 2", step)], "one number")

    row = run_check(registry.checks[0])
    assert row["outcome"] == outcome and ("undecided" in row["detail"]) == (outcome == "error"), row["detail"]
