"""What the page says about many states and many machines is computed from what was measured."""

import json

import pytest
import rules

from derl.show.drawing import scale

PART = {"times": {"cube": 10.0, "sums": 1.0}, "memory": {"cube": 4e9, "sums": 2e7}}
MADE = {"large": {"factored": {"steps": {"instance": {"seconds": 2.0, "peak": 3.25e9}}}, "deployed": PART,
                  "layerwise": PART, "arbitrary": PART, "blocks": {"S": 10**5, "d": 20, "N": 10, "seconds": [1.0] * 8}}}


def test_amounts_have_the_unit_that_fits():
    assert [scale.amount(size) for size in (12, 3.25e9, 8e4, 2.5e12)] == ["12 B", "3.25 GB", "80 kB", "2.5 TB"]


def test_tables_say_what_was_measured():
    assert "| instance | 2 s | 3.25 GB |" in scale.steps(MADE).data
    assert "| 10 s | 1 s | 10.0 | 4 GB | 20 MB | 200 |" in scale.beside(MADE).data


@pytest.mark.parametrize("seconds, workers, last", [([3, 1, 1, 1], 1, 6), ([3, 1, 1, 1], 2, 3), ([1, 1, 1, 3], 2, 4),
                                                    ([1, 2], 5, 2)])
def test_a_free_worker_takes_the_next_block(seconds, workers, last):
    assert scale.makespan(seconds, workers) == last


def test_a_ring_sends_everything_nearly_twice():
    assert scale.reduced(10**5, 20, 1) == 0
    assert scale.reduced(10**5, 20, 2) == pytest.approx(8 * 21 * 10**5 / scale.NETWORK)
    assert scale.reduced(10**7, 1000, 10**6) == pytest.approx(2 * 8 * 1001 * 10**7 / scale.NETWORK, rel=1e-5)
    assert "| 8 | 1 s | 23.5 ms | 7.8 |" in scale.simulated(MADE).data
    assert "| 16 | 1 s | 25.2 ms | 7.8 |" in scale.simulated(MADE).data  # eight blocks keep eight workers busy
    assert "| 10⁷ | 1000 | 320 GB | 80.1 GB | 128 s | 400 MB | 8.01 MB |" in scale.on_paper(MADE).data


def test_what_is_on_file_is_whole():
    results = json.loads((rules.ROOT / "speed" / "results.json").read_text(encoding="utf-8"))
    part = results["large"]["factored"]
    assert part["S"] == 10**5 and max(step["peak"] for step in part["steps"].values()) < 8e9
    assert scale.steps(results) and scale.beside(results) and scale.simulated(results) and scale.on_paper(results)
