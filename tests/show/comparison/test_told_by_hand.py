"""Tables and points of the executed table, cell by cell, for runs that are written out here."""

import math

import numpy as np
import pytest

from derl.experiments.summary import Estimate, share
from derl.show.comparison import executed, executed_pictures, front, orders
from derl.show.layerwise.growth import Count

WHERE = {"family": "template", "d": 5, "horizon": 4, "epsilon": 0.2, "axis": "base"}


def row(seed, method="Algorithm 1", mode="calibrated", **found):
    return {**WHERE, "probability": None, "method": method, "mode": mode, "seed": seed, "deployments": 9,
            "changes": 8, "trajectories": 36, "anytime_trajectories": 12, "optimistic": 1.0, "succeeded": True,
            "stop": "own rule", "batch_size": 4, "within": True, "certified": 0.5, "loss": 0.125, "worst": 0.25,
            "distinct": 7, "invariant": True, "c_beta": 0.5, **found}


@pytest.fixture
def planted(monkeypatch):
    """A table in the place of the recorded one; other records by name."""
    def forget():
        executed.of_method.cache_clear()
        executed.sizes.cache_clear()

    def plant(rows, **others):
        forget()
        found = {"table1": tuple(rows), **others}
        for module in (executed, orders):
            monkeypatch.setattr(module, "recorded", lambda name="table1": (found.get(name, ()), {}))
    yield plant
    forget()


def ten(**found):
    return [row(seed, **found) for seed in range(10)]


def test_each_cell_of_a_family_stands_below_its_header(planted):
    planted(ten(optimistic=0.5, within=False))
    header, (line,) = executed.of_family(**WHERE)
    rate, none = (executed.cell(share(hits)) for hits in ([True] * 10, [False] * 10))
    assert dict(zip(header, line, strict=True)) == {
        "method": "Algorithm 1", "constants": "calibrated", "$N$ from": "oracle", "$N$": "4 [=]",
        "deployments": "9 [=]", "policies in a row": "8 [=]", "trajectories": "36 [=]", "anytime (oracle)": "12 [=]",
        "optimistic": none, "bonus suffices": none, "succeeds": rate}


def test_each_cell_of_the_losses_stands_below_its_header(planted):
    planted(ten(), seconds=({"method": "Algorithm 1", "mode": "calibrated", "seconds": 1.5},))
    header, (line,) = executed.losses(**WHERE)
    assert dict(zip(header, line, strict=True)) == {
        "method": "Algorithm 1", "constants": "calibrated", "certified loss": "0.5 [=]", "loss": "0.125 [=]",
        "worst linear reward": "0.25 [=]", "distinct policies": "7 [=]",
        "invariant kept": executed.cell(share([True] * 10)), "seconds": "1.5", "$\\nu_{\\min}$ an input?": "no",
        "Definition 2.1": "yes"}


def test_the_rare_family_the_bases_and_the_bonus_by_hand(planted):
    rates = [executed.cell(share([True] * k + [False] * (10 - k))) for k in range(11)]
    rare = [row(seed, method="cuts, L = 1", mode="theorem", family="rare", probability=0.01, batch_size=10**6,
                succeeded=seed < 9) for seed in range(10)]
    turned = tuple({"family": "lock", "method": "OLIVE", "same_log": i < 4, "same_policy": i < 7} for i in range(10))
    bonus = [row(seed, within=seed < 8, family="lock") for seed in range(10)] + ten()
    planted(rare + bonus, rotated=turned)
    header, (line,) = executed.whatever_is_reached()
    assert dict(zip(header, line, strict=True)) == {
        "method": "cuts, L = 1", "$p$": "0.01", "$N$": executed.number(10**6), "deployments": "9 [=]",
        "loss": "0.125 [=]", "worst linear reward": "0.25 [=]", "succeeds": rates[9]}
    assert executed.bases() == (["method", "family", "same deployments", "same policy returned"],
                                [["OLIVE", "lock", rates[4], rates[7]]])
    assert executed.bonus_everywhere() == (["method", "lock", "template"], [["Algorithm 1", rates[8], rates[10]]])


def test_constants_of_the_bonus_from_the_largest_on(planted):
    planted([row(seed, axis="c", c_beta=c, trajectories=total, succeeded=seed < good)
             for c, total, good in ((0.25, 10, 5), (1.0, 40, 10)) for seed in range(10)])
    assert executed.sensitivity() == (["method", "$c=1$", "$c=0.25$"],
                                      [["Algorithm 1", "40 [=], succeeds 1", "10 [=], succeeds 0.5"]])


def test_the_share_of_runs_in_which_the_optimum_died(planted):
    planted([row(seed, "OLIVE", "nominal", invariant=seed >= 3) for seed in range(10)])
    assert executed.died() == {"template": pytest.approx(0.3)}


def test_a_point_is_the_median_of_successful_runs(planted):
    """Seven deployments of 28 in the middle; a method that fails in two of ten has no point."""
    planted([row(seed, deployments=3 + seed, trajectories=4 * (3 + seed)) for seed in range(9)]
            + [row(seed, "OLIVE", "nominal", succeeded=seed < 8) for seed in range(10)])
    assert executed.points("oracle", **WHERE) == [
        {"method": "Algorithm 1", "mode": "calibrated", "deployments": 7, "trajectories": 28, "stretches": False}]
    planted([row(seed, "low switching", "theorem", batch_size=1, changes=2 + seed) for seed in range(9)])
    (point,) = executed.points("theorem", **WHERE)
    assert (point["deployments"], point["trajectories"], point["stretches"]) == (6, 36, True)


def test_points_are_drawn_where_they_are_and_reward_free_methods_are_squares(monkeypatch):
    found = [{"method": "Algorithm 1", "mode": "theorem", "deployments": 3, "trajectories": 10**6},
             {"method": "Algorithms 3 and 4", "mode": "theorem", "deployments": 30, "trajectories": 10**3},
             {"method": "OLIVE", "mode": "theorem", "deployments": 2, "trajectories": 10}]
    monkeypatch.setattr(executed, "points", lambda kind, **where: found if kind == "theorem" else found[:1])
    left, right = executed_pictures.pareto().axes
    marks = [(line.get_xdata()[0], line.get_ydata()[0], line.get_marker(), line.get_fillstyle())
             for line in left.lines[:3]]
    assert marks == [(3, 10**6, "o", "full"), (30, 10**3, "s", "full"), (2, 10, "o", "none")]
    assert [list(part) for part in left.lines[3].get_data()] == [[3, 30], [10**6, 10**3]]  # OLIVE was told the answer
    assert len(right.lines) == 2 and {text.get_text() for text in left.texts} == {point["method"] for point in found}


def test_the_rare_picture_draws_medians_with_their_intervals_and_p_zero_apart(planted):
    planted([row(seed, "cuts, L = 1", "nominal", family="rare", probability=p, trajectories=total * (1 + seed))
             for p, total in ((0.1, 100), (0.01, 1000), (0.0, 7)) for seed in range(9)])
    axes = executed_pictures.rare().axes[0]
    (container,) = axes.containers
    line, (low, high), _ = container
    assert [list(part) for part in line.get_data()] == [[0.1, 0.01], [500, 5000]]
    assert list(low.get_ydata()) == [200, 2000] and list(high.get_ydata()) == [800, 8000]  # ranks 2 and 8 of 9
    (hollow,) = [one for one in axes.lines if one.get_fillstyle() == "none"]
    assert (hollow.get_xdata()[0], hollow.get_ydata()[0]) == (1e-5, 35)


def test_the_front_page_draws_counts_and_bounds_by_hand():
    counts = [Count("compact bandit", d, h, 0, made, True, loss, 0) for d, h, made, loss in (
        (6, 4, 17, 0.0), (4, 3, 7, 0.001))]
    size, counted, needed, mixtures = front.deployments(counts).axes[0].lines
    assert [list(part) for part in size.get_data()] == [[12, 24], [12, 24]]
    assert [list(part) for part in counted.get_data()] == [[24, 12], [17, 7]]
    assert list(needed.get_ydata()) == pytest.approx([0.9 * 3 * 3 - 1, 0.9 * 1 * 2 - 1])
    assert list(mixtures.get_ydata()) == [4, 3]
    assert front.said(counts).startswith(
        "2 runs at the proved batch size, ε = 0.5: at d = 6, H = 4 the repaired Algorithm 1 deploys 17 policies and "
        "loses 0. With mixtures 4 deployments are enough")


def test_orders_are_told_with_both_numbers(planted):
    one = orders.Reversed("a", "b", (10.0, 20.0), (Estimate(300, 200, 400, 9), Estimate(5, 4, 6, 8)))
    found = orders.Orders(("a", "b"), 1, 1, (one,))
    assert orders.lines(found) == ["| a | b | 10 < 20 | 300 [200, 400] | 5 [4, 6] | 9, 8 |"]
    planted([row(seed, d=d, axis=axis, c_beta=c) for d, axis, c in ((5, "base", 0.5), (10, "d", 0.25))
             for seed in range(3)])
    assert orders.slope_of_c("d") == pytest.approx(-1)  # c halves as d doubles
    planted(ten(certified=0.2), calibration=tuple(
        {"family": family, "d": 5, "horizon": 4, "c_beta": c, "within": family == "lock" or c > 0.1}
        for family in ("lock", "template") for c in orders.GRID for _ in range(10)))
    assert orders.never_failed() == ["lock (d = 5, H = 4)"]
    assert orders.certifies("Algorithm 1")  # a loss of epsilon is certified by epsilon
    planted(ten(certified=0.2001))
    assert not orders.certifies("Algorithm 1")
    planted(ten(stop="own rule")[:7] + ten(stop="none")[7:])
    assert orders.ended_at_a_cap() == [("Algorithm 1", "calibrated", 3, 10)]


def test_curves_are_frequencies_by_size(planted):
    planted([row(seed, axis="N", size=size, succeeded=seed < good) for size, good in ((64, 9), (4, 2))
             for seed in range(10)])
    ((name, curve),) = executed.curves().items()
    assert name == "Algorithm 1" and [(size, found.value) for size, found in curve] == [(4.0, 0.2), (64.0, 0.9)]
    left, _ = executed_pictures.success().axes
    line, (low, high), _ = left.containers[0]
    assert [list(part) for part in line.get_data()] == [[4, 64], [0.2, 0.9]]
    assert list(low.get_ydata()) == pytest.approx([found.low for _, found in curve])
    assert list(high.get_ydata()) == pytest.approx([found.high for _, found in curve])
    assert set(left.lines[-1].get_ydata()) == {0.9}


def test_numbers_of_four_digits_are_written_out():
    assert [executed.number(x) for x in (1020, 9999.4, 0.01, 0.00999, -0.5)] == [
        "1020", "10000", "0.01", "$1.0\\cdot10^{-2}$", "-0.5"]
    assert executed.cell(Estimate(math.inf, math.inf, math.inf, 9)) == "not reached"
    assert executed.cell(Estimate(2, 1, math.inf, 9)) == "2 [1, not reached]"
    assert np.isinf(executed.METHODS["uniform, pessimistic"].literal(5, 4, 0.2, 0.1, 0.4, 4)[1])
