"""The coin of the safe mixture: what the slider shows is enough, and the formula behind it by hand."""

import math

import pytest
from scipy import stats

from derl.show.safety import moves


@pytest.mark.parametrize("row", moves.coin()["rows"], ids=lambda row: f"{row['needed']}-{row['alpha']:g}")
def test_too_few_explorers_are_as_rare_as_is_said(row):
    """The lower tail of the binomial law, from scipy; and the root of the quadratic equation, in floats."""
    data = moves.coin()
    needed, alpha, level = row["needed"], row["alpha"], data["level"]
    assert stats.binom.cdf(needed - 1, row["enough"], alpha) <= math.exp(-level)
    root = (needed + level + math.sqrt(level**2 + 2 * level * needed)) / alpha
    assert row["enough"] - 1 < root + 1e-6 and root <= row["enough"]


def test_every_position_of_the_two_sliders_has_its_row():
    data = moves.coin()
    assert [(row["needed"], row["alpha"]) for row in data["rows"]] == [
        (needed, alpha) for needed in data["needed"] for alpha in data["alphas"]]
    assert data["alphas"][0] == 0.05 and data["alphas"][-1] == 0.5 and data["level"] == 7
