"""The order of two methods is said only where the runs carry it, and a certificate counts where it is below epsilon."""

import pytest

from derl.experiments.methods import METHODS
from derl.experiments.summary import Estimate, median
from derl.show.comparison import executed, orders


def about(value: float, spread: float = 1.0) -> Estimate:
    return Estimate(value, value / spread, value * spread, 20)


def test_pairs_nearer_than_the_grid_are_not_ordered():
    rates = {"a": 1.0, "b": 2.0, "c": 3.0}
    found = orders.ordered(rates, {"a": about(100), "b": about(30), "c": about(10)})
    assert found.pairs == 3
    (one,) = found.resolved
    assert (one.more, one.fewer, one.rates) == ("a", "c", (1.0, 3.0)) and found.reversed == (one,)
    kept = orders.ordered(rates, {"a": about(10), "c": about(100)})
    assert kept.reversed == () and [(one.more, one.fewer) for one in kept.resolved] == [("c", "a")]


def test_intervals_have_to_be_apart_and_not_the_medians():
    rates = {"a": 1.0, "b": 2.0}
    assert orders.ordered(rates, {"a": about(40), "b": about(10)}).resolved
    assert not orders.ordered(rates, {"a": about(40, 1.1), "b": about(10)}).resolved


def test_an_upper_bound_is_only_the_smaller_one_of_a_pair():
    found = {"a": about(100), "b": about(1)}
    assert orders.ordered({"a": 1.0, "b": 2.0}, found, at_most=("b",)).resolved
    assert not orders.ordered({"a": 1.0, "b": 2.0}, found, at_most=("a",)).resolved


def test_a_method_with_too_few_runs_for_an_interval_is_not_compared():
    found = {"a": about(100), "b": median([1.0, 2.0])}
    assert orders.ordered({"a": 1.0, "b": 2.0}, found).methods == ("a",)


def test_every_row_that_succeeds_is_compared_also_one_that_ends_by_its_own_rule():
    found = orders.of_the_printed_table(1)
    assert "low switching" in found.methods and "Algorithm 2" not in found.methods  # one run has no interval
    out = orders.left_out(found)
    for name in executed.PRINTED.values():
        rows = executed.chosen(method=name, mode=orders.tuned(METHODS[name]), **executed.TEMPLATE)
        good = bool(rows) and sum(bool(row["succeeded"]) for row in rows) >= 0.9 * len(rows)
        assert (name in found.methods) == (good and len(rows) == 20)
        assert (name in out) == (name not in found.methods)


def test_a_certificate_above_epsilon_is_no_certificate():
    found, useless = orders.that_certify()
    assert orders.IMPROVED in useless and orders.IMPROVED not in found.methods
    for name in found.methods:
        rows = executed.chosen(method=name, mode="calibrated", **executed.TEMPLATE)
        assert sum(row["certified"] <= row["epsilon"] for row in rows) >= 0.9 * len(rows)
    assert len(found.resolved) < found.pairs == len(found.methods) * (len(found.methods) - 1) // 2


def test_the_order_of_the_theorems_is_computed_from_the_record():
    found, _ = orders.that_certify()
    assert found.reversed
    for one in found.reversed:
        assert one.rates[0] < one.rates[1] and one.runs[0].low >= 4 * one.runs[1].high
        assert one.rates[0] == METHODS[one.more].literal(5, 4, 0.2, 0.1, 5**-0.5, 4)[1]
        rows = executed.chosen(method=one.fewer, mode="calibrated", **executed.TEMPLATE)
        assert one.runs[1].value == median(executed.counted(rows, "trajectories")).value


def test_the_row_of_the_printed_table_is_not_the_improvement_of_the_book():
    assert executed.PRINTED["tab-row-arbitrary"] == orders.PRINTED_FORM != orders.IMPROVED
    (run,) = orders.printed_form(1)
    rows = executed.chosen(method=orders.IMPROVED, mode="calibrated", **executed.TEMPLATE)
    (size,) = {row["batch_size"] for row in rows}
    assert run["batch_size"] == size and run["deployments"] == 4 and run["succeeded"]


def test_the_slope_of_c_is_taken_out_twice():
    slope = orders.slope_of_c("d")
    assert slope < 0
    header, body = orders.at_fixed_c()
    line = next(line for line in body if line[0] == "Algorithm 1")
    fitted = executed.fit("Algorithm 1", "d")
    assert line[1].startswith(executed.number(fitted.value - 2 * slope)) and f"{slope:.2f}" in header[1]


def test_a_grid_that_never_fails_is_no_calibration():
    assert [family.split(" ")[0] for family in orders.never_failed()] == ["simplex"]


def test_constants_by_hand_and_what_the_rule_gives():
    found = orders.moffle_by_its_rule()
    assert found["rule"] == pytest.approx(0.2**2 / (5**2 * 4**4)) and found["level"] == 0.2
    assert found["by_rule"] == pytest.approx(found["deployments"] * 0.2 / found["rule"])
