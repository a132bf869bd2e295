"""The pages on performance and on many states show what was measured."""

import json

import pytest
import rules

from derl.show.drawing import performance, scale

RESULTS = rules.ROOT / "speed" / "results.json"
MADE = {"machine": {"flops": 1e10, "bytes": 1e9},
        "kernels": {"a, large": {"times": {"derl": 0.001, "peer": 0.03}, "flops": 1e6, "bytes": 1e7},
                    "b": {"times": {"other": 2e-6, "derl": 1e-6}, "flops": 1e4, "bytes": 1e2}},
        "deployment": {"times": {"derl on sums, N = 1e3": 1e-4, "derl on sums, N = 1e15": 2e-4, "walks": 2.0},
                       "binomials": {"count": 1000, "numpy": 5e-8}, "growth": {"sums": 2.0}},
        "scaling": {"a against S": {"sizes": [1, 2, 4], "seconds": [1, 2, 4], "exponent": 1.0, "expected": 1}}}


@pytest.mark.parametrize("seconds, text", [(2.0, "2 s"), (0.00123456, "1.23 ms"), (1e-6, "1 µs"), (5e-10, "0.5 ns"),
                                           (0.99996, "1 s")])
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
    assert all("derl" in kernel["times"] for kernel in results["kernels"].values())
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


def test_the_wait_for_each_command_is_shown():
    made = {"book": {"commands": {"make book": {"wall": 199.4, "cpu": 283.0}}}}
    assert performance.book(made).data.endswith("| `make book` | 199 s | 283 s |")


def test_the_wait_in_each_browser_is_shown():
    run = {"loaded": 50, "memory": 812, "seconds": {"first click": 2.14, "again": 0.1}}
    told = performance.live({"live": {"Chrome/1": run, "Firefox/2": run | {"memory": 700}}}).data.splitlines()
    assert told[0] == "|  | Chrome/1 | Firefox/2 |" and told[2] == "| first click | 2.1 s | 2.1 s |"
    assert told[-1].endswith("| 812 MB | 700 MB |")


PART = {"times": {"cube": 10.0, "sums": 1.0}, "memory": {"cube": 4e9, "sums": 2e7}}
LARGE = {"large": {"factored": {"steps": {"instance": {"seconds": 2.0, "peak": 3.25e9}}}, "deployed": PART,
                  "layerwise": PART, "arbitrary": PART, "blocks": {"S": 10**5, "d": 20, "N": 10, "seconds": [1.0] * 8}}}


def test_amounts_have_the_unit_that_fits():
    assert [scale.amount(size) for size in (12, 3.25e9, 8e4, 2.5e12)] == ["12 B", "3.25 GB", "80 kB", "2.5 TB"]


def test_tables_say_what_was_measured():
    assert "| instance | 2 s | 3.25 GB |" in scale.steps(LARGE).data
    assert "| 10 s | 1 s | 10.0 | 4 GB | 20 MB | 200 |" in scale.beside(LARGE).data


@pytest.mark.parametrize("seconds, workers, last", [([3, 1, 1, 1], 1, 6), ([3, 1, 1, 1], 2, 3), ([1, 1, 1, 3], 2, 4),
                                                    ([1, 2], 5, 2)])
def test_a_free_worker_takes_the_next_block(seconds, workers, last):
    assert scale.makespan(seconds, workers) == last


def test_a_ring_sends_everything_nearly_twice():
    assert scale.reduced(10**5, 20, 1) == 0
    assert scale.reduced(10**5, 20, 2) == pytest.approx(8 * 21 * 10**5 / scale.NETWORK)
    assert scale.reduced(10**7, 1000, 10**6) == pytest.approx(2 * 8 * 1001 * 10**7 / scale.NETWORK, rel=1e-5)
    assert "| 8 | 1 s | 23.5 ms | 7.8 |" in scale.simulated(LARGE).data
    assert "| 16 | 1 s | 25.2 ms | 7.8 |" in scale.simulated(LARGE).data  # eight blocks keep eight workers busy
    assert "| 10⁷ | 1000 | 320 GB | 80.1 GB | 128 s | 400 MB | 8.01 MB |" in scale.on_paper(LARGE).data


def test_what_is_on_file_of_many_states_is_whole():
    results = json.loads((rules.ROOT / "speed" / "results.json").read_text(encoding="utf-8"))
    part = results["large"]["factored"]
    assert part["S"] == 10**5 and max(step["peak"] for step in part["steps"].values()) < 8e9
    assert scale.steps(results) and scale.beside(results) and scale.simulated(results) and scale.on_paper(results)


def test_the_last_worker_ends_the_layer():
    assert [scale.makespan(times, 3) for times in ([3, 1, 1, 1], [1, 1, 1], [2, 2, 2, 5])] == [3, 1, 7]
