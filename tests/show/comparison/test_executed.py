"""The executed table, cell by cell: intervals, unfinished cells, points and curves, and no more than was run."""

import math
import re
import sys
from pathlib import Path

import pytest

from derl.experiments import table1 as stages
from derl.experiments.methods import METHODS
from derl.experiments.recorded import recorded
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


def test_a_cell_is_its_median_with_the_interval_of_its_runs(planted):
    planted([row(seed, trajectories=seed + 1) for seed in range(100)])
    header, (line,) = executed.of_family(**WHERE)
    assert executed.seeds() == "100" and line[:2] == ["Algorithm 1", "calibrated"]
    assert line[header.index("trajectories")] == "50 [40, 61]" and line[header.index("deployments")] == "9 [=]"
    low = share([True] * 100).low
    assert line[header.index("succeeds")] == f"1 [{low:.3g}, 1]" and low < 1


def test_one_seed_has_no_interval_and_never_looks_certain(planted):
    planted([row(0)])
    header, (line,) = executed.of_family(**WHERE)
    assert line[header.index("deployments")] == "9 (1 run, no interval)"
    assert "[=]" not in " ".join(line) and line[header.index("succeeds")] == "1 [0.025, 1]"
    planted([row(seed) for seed in range(5)])
    assert "9 (5 runs, no interval)" in executed.of_family(**WHERE)[1][0]
    planted([row(seed) for seed in range(6)])
    assert "9 [=]" in executed.of_family(**WHERE)[1][0]


def test_a_table_that_is_not_finished_says_so(planted):
    planted([row(seed) for seed in range(8)] + [row(seed, method="OLIVE", mode="nominal") for seed in range(7)])
    assert executed.seeds() == "7 to 8"
    names = [line[0] for line in executed.of_family(**WHERE)[1]]
    assert names == ["Algorithm 1", "OLIVE (7 of 8 seeds)"]
    planted([row(seed) for seed in range(8)])
    assert executed.seeds() == "8" and executed.of_family(**WHERE)[1][0][0] == "Algorithm 1"


def test_a_cell_of_which_less_than_half_arrived_is_not_reached(planted):
    planted([row(seed, trajectories=None if seed % 3 else 36) for seed in range(60)])
    header, (line,) = executed.of_family(**WHERE)
    assert line[header.index("trajectories")] == "not reached"
    planted([row(seed, trajectories=None if seed % 2 else 36) for seed in range(60)])
    assert executed.of_family(**WHERE)[1][0][header.index("trajectories")] == "36 [36, not reached]"


def test_what_a_number_looks_like():
    assert [executed.number(x) for x in (None, math.inf, 0, 1e-13, 0.25, 12345, 1e-3)] == [
        "", "not reached", "0", "0", "0.25", "$1.2\\cdot10^{4}$", "$1.0\\cdot10^{-3}$"]
    assert executed.cell(None) == "" and executed.cell(Estimate(3, 2, 4, 9)) == "3 [2, 4]"


def test_an_exponent_needs_runs_at_both_ends(planted):
    rows = [row(seed, trajectories=36) for seed in range(9)]
    rows += [row(seed, trajectories=36 * 2**5 * (1 + seed % 2), d=10, axis="d") for seed in range(9)]
    planted(rows)
    found = executed.fit("Algorithm 1", "d")
    assert found.value == pytest.approx(5, abs=1e-9) and found.low - 1e-9 <= 5 <= found.high <= 8 + 1e-9
    assert found.low <= 3 + 1e-9  # one step of the grid of N, by 4, over a range of 2
    assert executed.fit("Algorithm 1", "H") is None
    planted([entry for entry in rows if entry["seed"] == 0])
    assert "no interval" in executed.cell(executed.fit("Algorithm 1", "d"))


def test_the_front_holds_what_nothing_beats():
    points = [{"deployments": a, "trajectories": b} for a, b in ((1, 9), (2, 5), (3, 6), (2, 7), (9, 1))]
    assert [(one["deployments"], one["trajectories"]) for one in executed.front(points)] == [(1, 9), (2, 5), (9, 1)]


def test_promises_to_the_last_digit():
    header, body = executed.promised()
    size = {line[0]: line[-1] for line in body}
    assert header[-1] == "$N$ to the last digit"
    assert len(size["cuts, L = 1"]) > 20 and size["cuts, L = 1"].isdigit() and size["LSVI-UCB"] == ""
    of_pessimism = next(line for line in body if line[0] == "uniform, pessimistic")
    assert of_pessimism[2] == "nothing promised"


def test_pictures_of_what_is_recorded():
    import matplotlib.pyplot as plt

    left, right = executed_pictures.pareto().axes
    shown = " ".join(text.get_text() for text in right.texts).replace("\n", " ")
    assert "Algorithm 1" in shown and left.get_xscale() == right.get_yscale() == "log"
    (ax,) = executed_pictures.rare().axes
    assert ax.xaxis_inverted() and len(ax.containers) >= 7
    plt.close("all")
    assert len(executed_pictures.success().axes) == 2
    plt.close("all")
    near = [{"method": name, "deployments": x, "trajectories": 10} for name, x in (("a", 1), ("b", 1.1), ("c", 100))]
    assert [names for names, *_ in executed_pictures.labels(near)] == ["a\nb", "c"]


def test_luck_knowledge_and_stretches_are_not_on_the_front():
    hollow = {(name, mode): executed_pictures.hollow({"method": name, "mode": mode}) for name, mode in (
        ("OLIVE", "theorem"), ("designs, L = H", "nominal"), ("spanning policies", "nominal"),
        ("designs, L = H", "theorem"), ("cuts, L = 1", "nominal"), ("uniform, pessimistic", "calibrated"))}
    assert list(hollow.values()) == [True, True, True, False, False, False]
    assert executed_pictures.hollow({"method": "low switching", "mode": "theorem", "stretches": True})


def test_a_failure_and_a_run_that_did_not_end_are_marked(planted):
    planted([row(seed, succeeded=seed < 8) for seed in range(10)])
    header, (line,) = executed.of_family(**WHERE)
    assert line[-1].endswith("**below**") and line[header.index("$N$ from")] == "oracle"
    planted([row(seed, succeeded=seed < 9) for seed in range(10)])
    assert "below" not in executed.of_family(**WHERE)[1][0][-1]
    planted([row(seed, "LSVI-UCB", stop="none", succeeded=False) for seed in range(10)])
    header, (line,) = executed.of_family(**WHERE)
    assert line[header.index("trajectories")] == line[header.index("deployments")] == "not run to its stop"
    assert line[header.index("$N$ from")] == "own" and line[-1].endswith("**below**")
    planted([row(seed, stop="none", succeeded=False, batch_size=None) for seed in range(10)])
    assert executed.of_family(**WHERE)[1][0][header.index("trajectories")] == "no $N$ up to the cap"


def test_every_family_has_the_row_without_data():
    for family, d, horizon, epsilon in stages.BASE:
        body = executed.overview(family=family, d=d, horizon=horizon, epsilon=epsilon, axis="base")[1]
        assert body[0][0] == "no data" and re.match(r"[01]", body[0][-1])
    succeeded = {family: executed.share([entry["succeeded"] for entry in recorded("no_data")[0]
                                         if entry["family"] == family]).value for family in ("template", "simplex")}
    assert succeeded["template"] < 0.5 < succeeded["simplex"]


def test_reconstructions_are_called_so_on_the_page():
    found = {name for name, method in METHODS.items()
             if "reconstruction" in (sys.modules[method.entry.function.__module__].__doc__ or "").lower()}
    assert found == set(executed.RECONSTRUCTIONS)
    page = (Path(__file__).parents[3] / "book/comparison/executed.md").read_text()
    assert "**reconstructions**" in page and "show.RECONSTRUCTIONS" in page
    assert "order of the theorems is kept" not in page and "every constant explicit, where" not in page


def test_paired_differences_are_those_of_shared_seeds(planted):
    planted([row(seed, trajectories=10 * (seed + 1), succeeded=seed > 0) for seed in range(10)]
            + [row(seed, "batched LSVI-UCB", trajectories=30 * (seed + 1), succeeded=seed < 9) for seed in range(10)])
    (line,) = executed.paired()[1]
    assert line == ["batched LSVI-UCB", "3 [=]", "1 of 10", "1 of 10"]


def test_what_fresh_seeds_say_of_the_oracle_is_counted(planted):
    planted([row(seed, size=4, succeeded=seed < 8) for seed in range(10)]
            + [row(seed, "OLIVE", "nominal", size=4) for seed in range(10)]
            + [row(seed, "LSVI-UCB", succeeded=False) for seed in range(10)])
    assert executed.too_small() == (1, 2)


def test_exponents_over_a_short_range_are_marked():
    assert "short" in executed.mark("d") and "short" not in executed.mark("epsilon")
    header, body = executed.exponents()
    assert body and all(len(line) == len(header) for line in body)


def test_the_curves_rise_and_have_the_chosen_size():
    curves = executed.curves()
    assert len(curves) >= 15
    for name, curve in curves.items():
        sizes = [size for size, _ in curve]
        assert sizes == sorted(set(sizes)) and len(sizes) >= 2, name
    assert sum(curve[-1][1].value > curve[0][1].value for curve in curves.values()) > len(curves) / 2
    header, body = executed.sensitivity()
    assert len(header) == 1 + len(stages.CONSTANTS) and len(body) >= 6
    header, body = executed.bonus_everywhere()
    assert set(header[1:]) == {family for family, *_ in stages.BASE}
    assert set(executed.died()) == set(header[1:])


def test_names_do_not_stand_on_each_other():
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    ax.set(xscale="log", yscale="log", xlim=(1, 100), ylim=(1, 1e9))
    executed_pictures.name_points(ax, [("one name", 1, 1000), ("another", 1.5, 1000), ("far away", 50, 10)])
    heights = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert heights["one name"] != heights["another"] and len(ax.texts) == 3
    assert executed_pictures.meet((0, 0, 2, 2), (1, 1, 3, 3)) and not executed_pictures.meet((0, 0, 1, 1), (1, 0, 2, 1))
    plt.close("all")


def test_the_overview_takes_the_theorem_and_the_tuned_setting_of_a_method(planted):
    planted([row(seed, mode=mode, trajectories=total, deployments=made)
             for mode, total, made in (("theorem", 500, 6), ("nominal", 300, 7), ("calibrated", 100, 8))
             for seed in range(10)]
            + [row(seed, method="FRANCIS", mode="nominal", trajectories=70, within=None) for seed in range(10)])
    one, two = executed.overview(**WHERE)[1]
    assert one[:6] == ["Algorithm 1", "6 [=]", "500 [=]", "oracle", "8 [=]", "100 [=]"]
    assert two[:6] == ["FRANCIS", "", "", "oracle", "9 [=]", "70 [=]"] and two[7] == "" and one[7].startswith("1 [")


def test_what_olives_own_condition_changes_is_counted(planted):
    lost = {"loss": 0.1, "invariant": False, "succeeded": False}
    planted([row(0, "OLIVE", loss=0.1, invariant=True), row(1, "OLIVE", **lost), row(2, "OLIVE", **lost, stop="none"),
             row(3, "OLIVE", succeeded=False, loss=0.9, invariant=True),
             row(4, "OLIVE", succeeded=False, invariant=None),
             row(0, invariant=True), row(1, invariant=False), row(2, invariant=False, succeeded=False)])
    assert executed.stricter() == (4, 1, 2, 1)


def test_the_page_says_that_one_method_has_a_condition_of_its_own():
    assert [name for name, method in METHODS.items() if not method.sound.__name__ == "<lambda>"] == ["OLIVE"]
    page = (Path(__file__).parents[3] / "book/comparison/executed.md").read_text()
    assert "No other method has such a condition of its own" in page and "show.stricter()" in page


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
