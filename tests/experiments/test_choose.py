"""The search for a practical batch size, and the lines of a run that says nothing."""

import math
from dataclasses import replace

import pytest
from click.testing import CliRunner

from derl.algorithms import run_by_name
from derl.cli import main
from derl.experiments.choose import choose, sizes
from derl.mdp import instances

SPEC = "lock:d=3,horizon=2,digits=1-2,bias=0.5"


def test_the_search_stops_at_the_first_size_with_few_failures():
    asked = []
    rows = list(sizes(4, 1, 100, lambda size, number: asked.append((size, number)) or size * (number + 1) > 6))
    assert [(row["size"], row["tried"], row["failed"], row["chosen"]) for row in rows] == [
        (1, 2, 2, False), (4, 4, 1, True)]
    assert asked == [(1, 0), (1, 1), (4, 0), (4, 1), (4, 2), (4, 3)]
    assert [row["size"] for row in sizes(3, 0, 20, lambda size, number: False)] == [1, 4, 16]


def test_a_smaller_bonus_needs_a_smaller_batch():
    found = choose(instances.from_spec(SPEC), "uniform_pessimism", 0.2, 0.2, runs=5, most=4**9, scales=(1.0, 4.0**-4))
    assert [row.scale for row in found] == [1.0, 4.0**-4] and all(row.batch_size for row in found)
    assert found[1].batch_size < found[0].batch_size and all(row.deployments == 1 for row in found)
    assert all(row.low <= row.successes / row.runs <= row.high for row in found)


def test_where_no_size_suffices_the_row_says_so():
    row, = choose(instances.from_spec(SPEC), "uniform_pessimism", 1e-3, 0.2, runs=2, most=4, scales=(1.0,))
    assert row.batch_size is None and math.isnan(row.deployments) and row.runs == 0


def test_the_command_says_that_it_is_a_heuristic():
    found = CliRunner().invoke(main, ["choose", "uniform_pessimism", "--instance", SPEC, "--epsilon", "0.2",
                                      "--delta", "0.2", "--runs", "2", "--most", "1024"])
    assert found.exit_code == 0, found.output
    assert "no guarantee" in found.output and "fewest trajectories: c_beta = " in found.output


@pytest.mark.parametrize("name, size, most, expected", [
    ("uniform_pessimism", 10, None, ["the bonus is at least H = 3"]), ("layerwise_exploration", 10**12, None, []),
    ("layerwise_exploration", 10, 2, ["the bonus is at least H = 3", "after 2 of K = 2 deployments"]),
    ("one_deployment_exploration", 10, None, ["after 1 of K = 1 deployments"])])
def test_a_run_says_when_it_says_nothing(name, size, most, expected):
    found = run_by_name(name, instances.from_spec(SPEC), 0.5, 0.1, size, most)
    assert len(found.remarks) == len(expected), found.remarks
    assert all(words in remark for words, remark in zip(expected, found.remarks, strict=True))


@pytest.mark.parametrize("bound, says", [(0.0, False), (2.9, False), (3.0, True), (None, True)])  # None: it is infinite
def test_a_bound_on_the_loss_that_says_nothing_is_named(bound, says):
    found = run_by_name("layerwise_exploration", instances.from_spec(SPEC), 0.5, 0.1, 10**12)
    assert len(replace(found, findings={"loss_bound": bound}).remarks) == says


def test_the_frequency_is_that_of_runs_that_have_not_chosen(monkeypatch):
    seeds, runs = [], 5
    monkeypatch.setattr("derl.experiments.choose.run_by_name", lambda *words, **more: seeds.append(
        words[6]) or run_by_name(*words, **more))
    choose(instances.from_spec(SPEC), "uniform_pessimism", 0.2, 0.2, runs=runs, most=4**9, scales=(1.0,), seed=7)
    assert len({*seeds[-runs:]}) == runs and not {*seeds[-runs:]} & {*seeds[:-runs]}
