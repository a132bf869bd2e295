"""Tables and points of the executed table, cell by cell, for runs that are written out here."""


import pytest

from derl.experiments.summary import Estimate, share
from derl.show.comparison import executed, executed_pictures, orders

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


def test_a_point_is_the_median_of_successful_runs(planted):
    """Seven deployments of 28 in the middle; a method that fails in two of ten has no point."""
    planted([row(seed, deployments=3 + seed, trajectories=4 * (3 + seed)) for seed in range(9)]
            + [row(seed, "OLIVE", "nominal", succeeded=seed < 8) for seed in range(10)])
    assert executed.points("oracle", **WHERE) == [
        {"method": "Algorithm 1", "mode": "calibrated", "deployments": 7, "trajectories": 28, "stretches": False}]
    planted([row(seed, "low switching", "theorem", batch_size=1, changes=2 + seed) for seed in range(9)])
    (point,) = executed.points("theorem", **WHERE)
    assert (point["deployments"], point["trajectories"], point["stretches"]) == (6, 36, True)


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


def test_orders_are_told_with_both_numbers(planted):
    one = orders.Pair("a", "b", (10.0, 20.0), (Estimate(300, 200, 400, 9), Estimate(5, 4, 6, 8)))
    two = orders.Pair("c", "a", (30.0, 10.0), (Estimate(900, 900, 900, 7), Estimate(300, 200, 400, 9)))
    header, lines = orders.rows(orders.Orders(("a", "b", "c"), (two, one)), "rate")
    assert header[5] == "rate of the first" and lines == [
        ["a", "b", "300 [200, 400]", "5 [4, 6]", "9, 8", "10", "20", "**the other one**"],
        ["c", "a", "900 [=]", "300 [200, 400]", "7, 9", "30", "10", "the same"]]
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
