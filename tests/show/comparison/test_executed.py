"""What the page of the executed table says: intervals, unfinished cells, single runs, and no more than was run."""

import math
import re

import pytest

from derl.experiments.recorded import recorded
from derl.experiments.summary import Estimate, median, share
from derl.show.comparison import executed, executed_pictures

WHERE = {"family": "template", "d": 5, "horizon": 4, "epsilon": 0.2, "axis": "base"}


def row(seed, method="Algorithm 1", mode="calibrated", **found):
    return {**WHERE, "probability": None, "method": method, "mode": mode, "seed": seed, "smallest": 4, "deployments": 9,
            "changes": 9, "trajectories": 36, "anytime_trajectories": 12, "optimistic": 1.0, "succeeded": True, **found}


@pytest.fixture
def planted(monkeypatch):
    """A table in the place of the recorded one."""
    def forget():
        executed.of_method.cache_clear()
        executed.sizes.cache_clear()

    def plant(rows):
        forget()
        monkeypatch.setattr(executed, "recorded", lambda name="table1": (tuple(rows), {}))
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
    planted([row(seed, trajectories=None if seed % 3 else 36, smallest=None) for seed in range(60)])
    header, (line,) = executed.of_family(**WHERE)
    assert line[header.index("trajectories")] == "not reached" and line[header.index("smallest $N$")] == ""
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
    assert found.value == pytest.approx(5, abs=1e-9) and found.low - 1e-9 <= 5 <= found.high <= 6 + 1e-9
    assert executed.fit("Algorithm 1", "H") is None
    planted([entry for entry in rows if entry["seed"] == 0])
    assert "no interval" in executed.cell(executed.fit("Algorithm 1", "d"))


def test_the_front_holds_what_nothing_beats():
    points = [{"deployments": a, "trajectories": b} for a, b in ((1, 9), (2, 5), (3, 6), (2, 7), (9, 1))]
    assert [(one["deployments"], one["trajectories"]) for one in executed.front(points)] == [(1, 9), (2, 5), (9, 1)]


def test_inversions_are_pairs_whose_order_turns(planted):
    planted([row(seed, method=name, mode=mode, trajectories=total) for seed in range(3)
             for name, mode, total in (("Algorithm 1", "calibrated", 50), ("Algorithms 3 and 4", "calibrated", 20))])
    assert [found[:2] for found in executed.inversions()] == [("Algorithm 1", "Algorithms 3 and 4")]
    planted([row(seed, method=name, mode=mode, trajectories=total) for seed in range(3)
             for name, mode, total in (("Algorithm 1", "calibrated", 20), ("Algorithms 3 and 4", "calibrated", 50))])
    assert executed.inversions() == []


def test_the_recorded_table_is_shown_whole():
    rows, _ = recorded()
    header, body = executed.of_family(**executed.TEMPLATE)
    there = {(entry["method"], entry["mode"]) for entry in executed.chosen(**executed.TEMPLATE)}
    assert len(body) == len(there) and all(len(line) == len(header) for line in body)
    one = next(entry for entry in rows if entry["method"] == "Algorithm 1" and entry["family"] == "template")
    group = executed.chosen(**executed.TEMPLATE, method="Algorithm 1", mode=one["mode"])
    expected = executed.cell(median([entry["trajectories"] for entry in group]))
    line = next(line for line in body if line[0] == "Algorithm 1" and line[1] == executed.MODES[one["mode"]])
    assert line[header.index("trajectories")] == expected
    assert re.fullmatch(r"\d+( to \d+)?", executed.seeds())


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
    assert "OLIVE" in shown and left.get_xscale() == right.get_yscale() == "log"
    (ax,) = executed_pictures.rare().axes
    assert ax.xaxis_inverted() and len(ax.containers) >= 7
    plt.close("all")
    near = [{"method": name, "deployments": x, "trajectories": 10} for name, x in (("a", 1), ("b", 1.1), ("c", 100))]
    assert [names for names, *_ in executed_pictures.labels(near)] == ["a\nb", "c"]


def test_luck_and_knowledge_are_not_on_the_front():
    hollow = {(name, mode): executed_pictures.hollow({"method": name, "mode": mode}) for name, mode in (
        ("OLIVE", "theorem"), ("designs, L = H", "nominal"), ("spanning policies", "nominal"),
        ("designs, L = H", "theorem"), ("cuts, L = 1", "nominal"), ("uniform, pessimistic", "calibrated"))}
    assert list(hollow.values()) == [True, True, True, False, False, False]


def test_names_do_not_stand_on_each_other():
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    ax.set(xscale="log", yscale="log", xlim=(1, 100), ylim=(1, 1e9))
    executed_pictures.name_points(ax, [("one name", 1, 1000), ("another", 1.5, 1000), ("far away", 50, 10)])
    heights = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert heights["one name"] != heights["another"] and len(ax.texts) == 3
    assert executed_pictures.meet((0, 0, 2, 2), (1, 1, 3, 3)) and not executed_pictures.meet((0, 0, 1, 1), (1, 0, 2, 1))
    plt.close("all")


def test_theorems_without_reachability_are_a_table():
    header, body = executed.whatever_is_reached()
    assert len(body) == 15 and all(len(line) == len(header) for line in body)
    by_method = {}
    for line in body:
        by_method.setdefault(line[0].split(" (")[0], set()).add(line[2])
    assert all(len(sizes) == 1 for sizes in by_method.values())  # N does not see p


def test_the_overview_takes_the_theorem_and_the_tuned_setting_of_a_method(planted):
    planted([row(seed, mode=mode, trajectories=total, deployments=made)
             for mode, total, made in (("theorem", 500, 6), ("nominal", 300, 7), ("calibrated", 100, 8))
             for seed in range(10)]
            + [row(seed, method="FRANCIS", mode="nominal", trajectories=70) for seed in range(10)])
    assert executed.overview(**WHERE)[1] == [["Algorithm 1", "6 [=]", "500 [=]", "8 [=]", "100 [=]"],
                                             ["FRANCIS", "", "", "9 [=]", "70 [=]"]]
