"""Sentences and tables of the results beyond the paper, for runs and ledgers that are written out here."""

from types import SimpleNamespace

import pytest

from derl.show.beyond import figures, law, smallest


def test_slopes_in_a_sentence():
    """Batches d, d^2 and d^3 of three seeds: slope 2, and Student's interval 2 +- 4.30/sqrt 3 = 2.48."""
    found = [smallest.Smallest(d, 1, 8, (d, d**2, d**3)) for d in (2, 4, 8)]
    assert figures.said(found).startswith(
        "Slopes of log N against log d on locks with 8 layers, means over 3 seeds with 95 % intervals: 2.0 (-0.5 to "
        "4.5) for L = 1.")


def test_needed_deployments_are_drawn_for_the_largest_dimension(monkeypatch):
    """With a pace of 1, 2, 3, ... digits for N = 1, d, d^2, ...: 8 // (2 pace) + 1 deployments."""
    monkeypatch.setattr(figures.lower_bounds, "largest_pace",
                        lambda d, size: next(k for k in range(99) if d**k >= size) + 1)
    right = figures.smallest([smallest.Smallest(d, 1, 8, (d, 2 * d)) for d in (2, 5)]).axes[1]
    needed = next(line for line in right.lines if line.get_label() == "needed, $d=5$")
    assert list(needed.get_xdata()) == list(range(12))
    assert list(needed.get_ydata()) == [8 // (2 * (k + 1)) + 1 for k in range(12)]


def ceil_log(base: int, number: int) -> int:
    return next(k for k in range(10**4) if base**k >= number)


@pytest.mark.parametrize("d, horizon, size", [(3, 9, 1), (3, 12, 9), (4, 30, 27), (5, 40, 10**6)])
def test_what_is_excluded_by_counting(d, horizon, size):
    """With d = 3 and H = 9 the logarithm of H - 1 = 8 codes is 3, and that of H would be 4."""
    assert law.printed(d, horizon, size) == (horizon - 2) // ceil_log(d - 1, size * (horizon - 1))
    assert law.sharpened(d, horizon, size) == int(horizon / (2 * law.lower_bounds.largest_pace(d - 1, size)))


@pytest.mark.parametrize("lost, good", [(0.19, True), (0.2, True), (0.21, False)])
def test_a_run_succeeds_within_epsilon(monkeypatch, lost, good):
    monkeypatch.setattr(smallest, "block_exploration", lambda deployer, *words, **options: SimpleNamespace(policy=None))
    monkeypatch.setattr(smallest.planning, "gap", lambda mdp, policy: lost)
    assert smallest.succeeds(2, 4, 100, 0) is good
