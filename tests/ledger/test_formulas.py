"""Formulas of statements are read and evaluated against the functions that are checked: one exponent off is noticed."""

import importlib
import inspect
import math
from dataclasses import replace
from fractions import Fraction

import pytest
import rules

from derl.claims import PAPER
from derl.ledger import formulas
from derl.ledger.formulas import Tie, numerals, points
from derl.ledger.latex import Formula, NoFormula
from derl.ledger.latex import formulas as all_formulas

LEAST = 100  # statements with a formula; may only grow

HALF = Fraction(1, 2)


@pytest.mark.parametrize("text, point, value", [
    (r"\frac12+\tfrac{3}{4}", {}, Fraction(5, 4)), (r"2^{d(d+1)/2}", {"d": 2}, 8), (r"\sqrt d", {"d": 9}, 3.0),
    (r"6\cdot10^{12}", {}, 6 * 10**12), (r"\sqrt[3]{8}", {}, 2.0), (r"c_KdH+1", {"c_K": 2, "d": 3, "H": 5}, 31),
    (r"\lfloor c_KdH\rfloor+1", {"c_K": Fraction(3, 2), "d": 3, "H": 5}, 23), (r"\lceil\log_dNH\rceil",
                                                                            {"d": 2, "N": 3, "H": 3}, 4),
    (r"\Big(1-\frac1H\Big)^{H-1}", {"H": 3}, Fraction(4, 9)), (r"\log^2\frac2\nu", {"nu": 2}, 0.0),
    (r"\min\Big(\frac1\epsilon,\,1+\frac{kN}d\Big)", {"epsilon": HALF, "k": 1, "N": 3, "d": 1}, 2),
    (r"\rho\log\rho", {"rho": math.e}, math.e), (r"\beta'-\nu_{\min}", {"beta'": 3, "nu_min": 1}, 2),
    (r"\frac{e}{(e-1)\eta}", {"eta": 1}, math.e / (math.e - 1)), (r"-x^2", {"x": 3}, -9), (r"a-b-c", {"a": 9, "b": 3,
                                                                                            "c": 2}, 4),
    (r"d^{-(L-1)}", {"d": 2, "L": 3}, Fraction(1, 4)), (r"\tilde O(d^2/\nu^4)", {"d": 2, "nu": 1}, 4),
    (r"\binom52", {}, 10), (r"|x-y|", {"x": 1, "y": 3}, 2), (r"1/2H", {"H": 4}, 2)])
def test_a_formula_has_its_value(text, point, value):
    found = Formula(text).at({name: Fraction(number) if not isinstance(number, float) else number
                              for name, number in point.items()})
    assert found == pytest.approx(value) and (not isinstance(value, int | Fraction) or found == value)


@pytest.mark.parametrize("text", ["", "a+", r"\frac{1", r"\sum_k k", r"x\le y", r"\operatorname{tr}A", "(a", "a)",
                                  r"\min\{a\}", r"x_{a^2}", r"\mathbb E X", r"a^-", r"\sqrt[n]{x}", r"\sqrt[0]{x}",
                                  "x²", "(" * 5000])
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(NoFormula):
        Formula(text)


@pytest.mark.parametrize("text", [r"\binom{x}{2}", r"\binom{5}{x}", "x!", "(x-3)!", "20000!"])
def test_a_factorial_is_taken_of_whole_numbers_only(text):
    assert math.isnan(Formula(text).at({"x": Fraction(5, 2)}))


def test_a_formula_without_a_value_is_not_a_number():
    assert math.isnan(Formula(r"\frac1x").at({"x": Fraction(0)})) and math.isnan(Formula(r"\sqrt x").at({"x": -1.0}))


def test_every_side_of_a_relation_is_found_and_a_comma_in_a_minimum_stays():
    found = [formula.text for formula in all_formulas(r"If $a\le\min\{b,c\}=d$, $$x:=\frac12y.$$")]
    assert {"a", r"\min\{b,c\}", "d", "x", r"\frac12y"} <= set(found)


def test_points_are_the_same_every_time():
    assert list(points({"d", "epsilon"})) == list(points(["epsilon", "d"]))
    assert all(point["d"].denominator == 1 for point in list(points({"d"}))[:6])


# ------------------------------------------------------------------------------------------ the paper


def test_every_declared_formula_is_in_the_text_of_its_statement():
    assert formulas.problems(PAPER.statements, PAPER.register().checks, PAPER.package) == []
    assert sum(bool(statement.formula) for statement in PAPER.statements.values()) >= LEAST


def wrong(key, old, new):
    statement = PAPER.statements[key]
    assert old in statement.statement
    text = statement.statement.replace(old, new)
    checks = PAPER.register().of(key)
    return formulas.problems({key: replace(statement, statement=text)}, checks, PAPER.package)


@pytest.mark.parametrize("key, old, new", [
    ("res-sharp-potential", "1/(c_K-1)", "1/c_K"), ("lem-trace-det", r"\rho\log\rho", r"\rho^2\log\rho"),
    ("res-no-reachability", "5600", "560"), ("thm-layerwise-repaired", r"c_KdH\rfloor+1", r"c_KdH\rfloor-1"),
    ("res-shortest-prefix", r"H^4d^3", r"H^3d^4"), ("res-cover-size", "+1", "+2"), ("count-template", "2d+1", "2d+2"),
    ("res-i-max", "1300", "130"), ("res-nu-hexagon", r"\frac38", r"\frac58"),
    ("err-data-as-set", "(10 is", "(100 is"), ("res-spanner-cover", "{120d^2H}", "{12d^2H}"),
    ("res-first-deployment-sharp", "(L-1)", "L"), ("res-law-uncertainty", r"\frac32d", r"\frac12d")])
def test_a_false_constant_exponent_or_sign_is_noticed(key, old, new):
    assert wrong(key, old, old) == [] and wrong(key, old, new)


def test_it_says_where_text_and_function_differ():
    (line,) = wrong("lem-trace-det", r"\rho\log\rho", r"\rho^2\log\rho")
    assert r"$\rho^2\log\rho$: at rho = " in line and "trace_at_most_rho_log_rho.bound(rho) is " in line


@pytest.mark.parametrize("tie, words", [
    ("theory.nowhere.size(d)", "no module has"), ("trace_at_most_rho_log_rho.other(d)", "has no parameter other"),
    ("trace_at_most_rho_log_rho.bound", "name its arguments"),
    ("trace_at_most_rho_log_rho.bound(d, H)", "symbols H, d"),
    ("trace_at_most_rho_log_rho#9.left(d)", "step 9 of"), ("certificates.__name__(d)", "no function")])
def test_a_tie_to_nothing_is_refused(tie, words):
    checks = PAPER.register().of("lem-trace-det")
    assert words in formulas.problem(Tie(tie), PAPER.statements["lem-trace-det"].statement, checks, PAPER.package)


def test_a_function_with_a_value_at_few_points_is_no_tie():
    def at_two(d):
        if d not in seen:
            raise ValueError
        return d**2

    values = [point["d"] for point in points({"d"})]
    rare = sorted(set(values), key=values.count)
    shares = [rare[:number] for number in range(len(rare) + 1)]
    for seen in shares:
        enough = sum(value in seen for value in values) >= formulas.FEWEST
        assert (formulas.compared(Formula("d^2"), Tie("nothing.size(d)"), at_two) is None) == enough
    assert any(0 < sum(value in seen for value in values) < formulas.FEWEST for seen in shares)


def test_numerals_of_a_text():
    assert numerals(r"$2\cdot10^7d$, $\frac12$, $0.44$ and 52, 52") == {
        2 * 10**7: 1, HALF: 1, Fraction(11, 25): 1, 52: 2}
    with pytest.raises(ValueError, match="neither check.parameter"):
        Tie("no reference")


MOST_UNCALLED = 25  # formulas of the library that no check of their statement calls; may only shrink


def test_formulas_of_the_library_are_those_that_checks_call(monkeypatch):
    """A formula of the library that the checks of its statement do not use is right in the library only."""
    monkeypatch.syspath_prepend(rules.ROOT / "attacks")
    written = importlib.import_module("written")
    of, found, met = {}, [], 0
    for check in PAPER.register().checks:
        of.setdefault(check.claim, []).append(check)
    for key, statement in PAPER.statements.items():
        functions = [function for check in of.get(key, []) if not check.formal for function in written.functions(check)]
        for text in statement.formula:
            if text.startswith("theory."):
                met += 1
                function = formulas.target(Tie(text).place, (), PAPER.package)
                found += [] if inspect.unwrap(function) in functions else [f"{key}: {text}"]
    assert len(found) <= MOST_UNCALLED < met, found
