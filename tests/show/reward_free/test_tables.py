"""Tables and curves of Algorithms 3 and 4, for runs that are written out here and for K written out here."""

import math
from types import SimpleNamespace

import pytest

from derl.mdp import instances as models
from derl.show.reward_free import figures, tables
from derl.theory.reward_free import samples


def test_the_totals_are_deployments_times_batches():
    d, horizon = 2, 3
    lines = {line.get_label(): line for line in figures.batch_sizes(d, horizon, 0.2, 0.1, largest=20.0).axes[0].lines}
    assert len(lines) == 3
    for version, (label, colour, style) in figures.LINES.items():
        factors, totals = lines[label].get_data()
        assert factors[0] == pytest.approx(1.3) and factors[-1] == pytest.approx(20) and len(factors) == 60
        assert (lines[label].get_color(), lines[label].get_linestyle()) == (colour, style)
        for at in (0, 20, 59):
            deployments = math.floor(factors[at] * d * horizon) + (horizon if version == "flat" else 1)
            size = samples.batch_size_reward_free(d, horizon, 0.2, 0.1, factors[at], version=version)
            assert totals[at] == pytest.approx(deployments * size, rel=1e-12)
    explicit, sharp, flat = (lines[figures.LINES[name][0]].get_ydata() for name in ("explicit", "sharp", "flat"))
    assert (flat < sharp).all() and (sharp <= explicit).all()


def cells(shown):
    return [line.strip("| ").split(" | ") for line in shown.data.splitlines()]


def test_the_printed_corner_is_undervalued_although_the_regression_is_right():
    printed, repaired = ([float(x) for x in row[1:]] for row in cells(tables.corner_replay(10**18))[2:])
    assert printed[0] < printed[1]
    assert repaired[0] >= repaired[1]
    assert max(printed[2], repaired[2]) < 1


def test_deployments_and_sizes_of_each_analysis(monkeypatch):
    sizes = {"explicit": 3 * 10**9, "sharp": 2 * 10**8, "flat": 10**7}
    monkeypatch.setattr(tables.samples, "batch_size_reward_free", lambda *where, version: sizes[version])
    shown = cells(tables.batch_sizes(3, 4, 0.5, 0.1, (2, 2.5)))
    assert shown[0] == ["$c_K$", "$K$", "$N$, printed analysis", "$N$, sharp lemma", "$N$, flat threshold"]
    # floor(c_K d H) + 1 deployments
    assert shown[2:] == [["2", "25", "3.0·10⁹", "2.0·10⁸", "1.0·10⁷"], ["2.5", "31", "3.0·10⁹", "2.0·10⁸", "1.0·10⁷"]]


def test_the_loss_of_the_own_reward_stands_before_the_largest_one(monkeypatch):
    trap = models.optimism_trap()
    found = iter((11, 12, 13))
    monkeypatch.setattr(tables, "reward_free_exploration", lambda deployer, *accuracy, version: SimpleNamespace(
        dataset=SimpleNamespace(deployments=next(found))))
    monkeypatch.setattr(tables, "reward_free_planning", lambda data, theta, version: SimpleNamespace(policy=None))
    monkeypatch.setattr(tables.planning, "gap", lambda mdp, policy, theta: 0.25 if theta is mdp.theta else 99.0)
    monkeypatch.setattr(tables, "worst_reward", lambda *words: (0.5, None))
    shown = cells(tables.search_for_a_bad_reward(trap))
    assert shown[0] == ["version", "deployments", "loss, reward of the trap", "largest loss found"]
    assert shown[2:] == [[version, str(count), "0.25", "0.50"] for version, count in (
        ("as-printed", 11), ("repaired", 12), ("clipped", 13))]
