"""Tables and the figure of the refinements."""

from fractions import Fraction
from math import ceil
from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.beyond import refinements
from derl.theory.lower_bounds.search_programme import success_curve


def cells(table):
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def number(cell):
    """1.2·10¹⁸ as a float."""
    mantissa, _, power = cell.partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")) or 0)


def test_needles_beat_one_bandit_at_the_largest_size():
    last = [row for row in cells(refinements.needed()) if row[0] == "1000000"]
    assert len(last) == 4 and all(float(row[3]) > float(row[2]) for row in last)


def test_the_prefix_wins_for_small_coefficients():
    rows = cells(refinements.sizes_without_nu())
    assert all(number(row[3]) < number(row[2]) for row in rows[1:])


def test_excluded_deployments_are_shares_of_dh(monkeypatch):
    """One compact bandit with m arms: failure 1 - (K + 1)/m is at most delta from K on."""
    monkeypatch.setattr(refinements, "SIZES", ((100, 100), (200, 200)))
    rows = cells(refinements.needed((Fraction(1, 10), Fraction(1, 2))))
    assert [row[:2] for row in rows[:2]] == [["100", "0.1"], ["100", "0.5"]]
    for row, delta in zip(rows, (Fraction(1, 10), Fraction(1, 2)) * len(refinements.SIZES), strict=True):
        d = horizon = int(row[0])
        arms = refinements.compact_arms(d, horizon)
        assert float(row[2]) == pytest.approx((ceil((1 - delta) * arms) - 1) / (d * horizon), abs=6e-4)
        found = refinements.gates.excluded(d, horizon, 0.1, delta)
        assert row[3] == "–" or float(row[3]) == pytest.approx(found.excluded / (d * horizon), abs=6e-4)
        assert row[4:] == [str(found.stages), str(found.rewards)]


def test_failures_are_drawn_against_deployments_over_dh(monkeypatch):
    """One bandit by hand, and a bound of the needles that knows only its stages and its duds."""
    asked = set()
    monkeypatch.setattr(refinements.gates, "success_bound", lambda stages, arms, levels, half, duds: (
        asked.add((stages, arms, levels)) or Fraction(min(duds, 10**6), 10**6)))
    d = horizon = 40
    one, best, line = refinements.failures(d, horizon, most=2).axes[0].lines
    arms = refinements.compact_arms(d, horizon)
    shares = np.linspace(0, 1, 101)
    assert one.get_xdata() == pytest.approx(shares) and best.get_xdata() == pytest.approx(shares)
    assert one.get_ydata() == pytest.approx([max(0, 1 - (int(x * d * horizon) + 1) / arms) for x in shares])
    assert best.get_ydata()[0] == pytest.approx(1 - 1 / 10**6)  # one stage: K + 1 duds
    assert set(line.get_xdata()) == {1 + 1 / (d * horizon)}
    reward = float(refinements.gates.REWARD) * 0.1  # layers of reward for each stage and level
    assert asked == {(stages, 37 * ((40 - ceil(reward * stages * levels)) // stages), levels)
                     for stages in (1, 2) for levels in (4, 6, 8, 10, 12) if 40 > reward * stages * levels}


def test_sizes_stand_in_the_column_of_their_version(monkeypatch):
    sizes = {"spectral": 3e9, "self-certifying": 4e10}
    monkeypatch.setattr(refinements, "arbitrary_constants",
                        lambda d, horizon, epsilon, delta, nu, version, known: SimpleNamespace(
                            batch_size=sizes[version] / nu))
    monkeypatch.setattr(refinements.prefix, "prefix_constants",
                        lambda d, horizon, epsilon, delta, nu, known: SimpleNamespace(batch_size=5e11 / nu))
    assert cells(refinements.sizes_without_nu())[:2] == [
        ["0.5", "6.0·10⁹", "8.0·10¹⁰", "1.0·10¹²"], ["0.1", "3.0·10¹⁰", "4.0·10¹¹", "5.0·10¹²"]]
    lines = refinements.sizes_curve().axes[0].lines
    for line, size in zip(lines, (3e9, 4e10, 5e11), strict=True):
        assert line.get_ydata() == pytest.approx(size / np.asarray(line.get_xdata()))


def test_paces_with_one_trajectory_by_hand():
    """d = 3, N = 1: told the digit 1 + 1/2 per deployment, forgetting 1/2; four equal chances at d = 2, N = 16."""
    row = next(row for row in cells(refinements.paces()) if row[:2] == ["3", "1"])
    assert row[2] == "0.500" and row[4] == "1.500" and row[5] == "100"
    assert float(row[6]) == pytest.approx(100 / float(row[3]), abs=0.1)
    told, optimal, forgets = (line.get_data() for line in refinements.pace_curve(3, 1).axes[0].lines)
    assert told[1][0] == pytest.approx(1.5) and forgets[1][0] == pytest.approx(0.5)
    assert list(told[0]) == [1, 2, 3, 6, 10] == list(optimal[0])
    assert np.asarray(told[1]) - forgets[1] == pytest.approx(1)
    curve = success_curve(3, 100, 1, int(row[7]), "exclude")
    assert curve[-1] >= 0.5 > curve[-2]
