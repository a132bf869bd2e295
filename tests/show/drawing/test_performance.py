"""The page on performance shows what was measured."""

import importlib
import json

import pytest
import rules

from derl.show.drawing import performance

RESULTS = rules.ROOT / "speed" / "results.json"
MADE = {"machine": {"flops": 1e10, "bytes": 1e9},
        "kernels": {"a, large": {"times": {"derl": 0.001, "peer": 0.03}, "flops": 1e6, "bytes": 1e7},
                    "b": {"times": {"other": 2e-6, "derl": 1e-6}, "flops": 1e4, "bytes": 1e2}},
        "deployment": {"times": {"derl on sums, N = 1e3": 1e-4, "derl on sums, N = 1e15": 2e-4, "walks": 2.0},
                       "binomials": {"count": 1000, "numpy": 5e-7, "compiled": 5e-8}, "growth": {"sums": 2.0}},
        "scaling": {"a against S": {"sizes": [1, 2, 4], "seconds": [1, 2, 4], "exponent": 1.0, "expected": 1}}}


@pytest.mark.parametrize("seconds, text", [(2.0, "2 s"), (0.00123456, "1.23 ms"), (1e-6, "1 µs"), (5e-10, "0.5 ns")])
def test_times_have_the_unit_that_fits(seconds, text):
    assert performance.written(seconds) == text


def test_rows_are_in_the_order_of_their_times_with_the_ratio_to_ours():
    lines = performance.comparison(MADE).data.splitlines()[2:]
    assert lines == ["| a, large | derl | 1 ms |  |", "|  | peer | 30 ms | 30.0 |", "| b | derl | 1 µs |  |",
                     "|  | other | 2 µs | 2.0 |"]
    assert "| walks | 2 s | 20000 |" in performance.deployments(MADE).data


def test_the_roof_is_the_lower_of_two():
    """1e9 operations per second at 0.1 operations a byte, where reading allows 1e8; the other is at the top."""
    assert performance.placed(MADE) == {"a, large": (0.1, 1e9, 10.0), "b": (100.0, 1e10, 1.0)}
    assert [line.get_label() for line in performance.roofline(MADE).axes[0].lines] == ["roof", "a", "b"]
    assert "| a against S | 1 to 4 | 1.00 | 1 |" in performance.scaling(MADE).data


def test_binomials_are_the_least_that_a_deployment_costs():
    said = performance.limit(MADE).data
    assert "1000 binomials at 50 ns are 50 µs of 200 µs" in said
    assert "Against walks: 10,000 times; binomials alone would be 40,000 times" in said
    assert "2.00 (sums)" in said


def test_what_is_on_file_is_whole():
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert len(results["kernels"]) == 5 and all("derl" in kernel["times"] for kernel in results["kernels"].values())
    assert all(time > 0 for kernel in results["kernels"].values() for time in kernel["times"].values())
    assert performance.limit(results)
    assert len(results["scaling"]) >= 4 and performance.comparison(results) and performance.roofs(results)


def test_the_lead_in_planning_is_said_for_each_size():
    made = {"kernels": {f"planning, S = {S}, d = 20": {"times": {"derl": 0.01, "QuantEcon": taken}}
                        for S, taken in ((100, 0.0105), (1000, 0.7))}}
    assert performance.planning(made).data == ("S = 100: QuantEcon takes 1.05 times the time of derl; "
                                               "S = 1000: QuantEcon takes 70 times the time of derl.")
    figure = performance.roofline({**MADE, "kernels": {
        f"planning, S = {S}": {"times": {"derl": 0.01}, "flops": 1e6, "bytes": 1e6} for S in (100, 1000)}})
    assert [drawn.get_label() for drawn in figure.axes[0].lines] == ["roof", "planning, S = 100", "planning, S = 1000"]


def test_a_difference_below_its_noise_is_printed_as_such(monkeypatch):
    """The times of a long run and a short one, where the short one happens to take longer."""
    monkeypatch.syspath_prepend(rules.ROOT / "speed")
    measuring = importlib.import_module("measuring")
    clock, cost = [0.0], {"long": iter([9, 9, 1.00, 1.30, 1.50]), "short": iter([9, 9, 1.05, 1.10, 1.90])}
    monkeypatch.setattr(measuring, "process_time", lambda: clock[0])

    def work(name):
        def run():
            clock[0] += next(cost[name])
        return run

    taken, noise = measuring.difference(work("long"), work("short"), 3)
    assert taken == pytest.approx(-0.05) and noise == pytest.approx(0.30 + 0.05) and not taken > noise
    assert measuring.line("derl", None, noise, None) == f"    {'derl':32}  below its noise of 3.5e+02 ms"
    assert measuring.line("derl", 0.002, noise, 0.001).split() == ["derl", "2", "ms", "2"]


def test_rows_that_were_not_measured_again_keep_their_commit(monkeypatch):
    monkeypatch.syspath_prepend(rules.ROOT / "speed")
    since = importlib.import_module("since")
    run = {"wall": 1.0, "cpu": 1.0, "exit": 0}
    before = {"commits": {"then": "a", "now": "b"}, "day": "1", "commands": {"make test": {"then": run, "now": run},
              "derl verify --tier quick": {"then": run, "now": run}},
              "contents": {"then": {"checks": 1, "pages": 2}, "now": {"checks": 3, "pages": 4}}}
    before = json.loads(json.dumps(before))
    again = {"then": run | {"commit": "a"}, "now": run | {"commit": "c"}}
    found = since.merged(before, {"commits": {"then": "a", "now": "c"}, "day": "2", "shared": {},
                                  "commands": {"derl verify --tier quick": again},
                                  "contents": {"then": {"checks": 1}, "now": {"checks": 5}}})
    assert found["commands"] == {"make test": {"then": run | {"commit": "a"}, "now": run | {"commit": "b"}},
                                 "derl verify --tier quick": again}
    assert found["contents"] == {"then": {"checks": 1, "pages": 2}, "now": {"checks": 5, "pages": 4}}
    assert (found["day"], found["commits"]["now"]) == ("2", "c")


def test_commands_stand_beside_those_of_an_earlier_commit():
    quick, full = ({side: {"wall": wall, "cpu": 9.0, "exit": 0} for side in ("then", "now")} for wall in (20.0, 40.0))
    made = {"commits": {"then": "0123456789ab", "now": "b" * 12}, "contents": {
        "then": {"statements": 3, "checks": 4, "pages": 2}, "now": {"statements": 5, "checks": 9, "pages": 6}},
            "commands": {"make book, from nothing": {"then": {"wall": 300.4, "cpu": 400.0, "exit": 0},
                                                     "now": {"wall": 100.2, "cpu": 160.0, "exit": 0}},
                         "derl verify --tier quick": quick, "derl verify --tier full": full,
                         "make test": {"then": {"wall": 60.0, "cpu": 60.0, "passed": 10, "exit": 0},
                                       "now": {"wall": 90.0, "cpu": 120.0, "passed": 30, "exit": 2,
                                               "commit": "c" * 12}}},
            "shared": {"quick": {"checks": 3, "then": 18.0, "now": 6.0},
                       "full": {"checks": 4, "then": 30.0, "now": 12.0}}}
    head, _, *rows = performance.since({"since": made}).data.splitlines()
    assert head == "| command | at 0123456, 3 statements | now, 5 statements | ratio | ratio of CPU times |"
    assert rows == ["| `make book`, from nothing | 300 s, 2 pages | 100 s, 6 pages | 3.00 | 2.50 |",
                    "| `derl verify --tier quick` | 20 s, 4 checks | 20 s, 9 checks | 1.00 | 1.00 |",
                    "| of it the first runs of the 3 checks of both, added up | 18.0 s | 6.0 s | 3.00 | – |",
                    "| `derl verify --tier full` | 40 s | 40 s | 1.00 | 1.00 |",
                    "| of it the first runs of the 4 checks of both, added up | 30.0 s | 12.0 s | 2.50 | – |",
                    "| `make test` | 60 s, 10 tests | 90 s, 30 tests, at ccccccc, exit status 2 | 0.67 | 0.50 |"]
