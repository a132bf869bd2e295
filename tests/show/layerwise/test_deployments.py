"""The picture of a run shows every deployment, and the test where there is one."""

import pytest
from matplotlib import pyplot as plt

from derl.show.layerwise import deployments

ROWS = [{"deployment": k, "value": value, "threshold": 0.5, "statistic": statistic}
        for k, value, statistic in ((1, 0.1, 2.0), (2, 0.3, 0.75), (3, 0.9, 0.25))]
STARTS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture
def axes(monkeypatch):
    """The axes of the next picture, which is not closed."""
    found = []
    monkeypatch.setattr(plt, "close", lambda figure: found.__setitem__(slice(None), figure.axes))
    yield found
    monkeypatch.undo()
    plt.close("all")


def test_values_and_the_statistic_over_its_threshold(axes):
    deployments.of_run(ROWS, 1.0, ".svg")
    optimum, deployed = axes[0].lines
    assert list(optimum.get_ydata()) == [1.0, 1.0]
    assert (list(deployed.get_xdata()), list(deployed.get_ydata())) == ([1, 2, 3], [0.1, 0.3, 0.9])
    ratio, level = axes[1].lines
    assert (list(ratio.get_xdata()), list(ratio.get_ydata())) == ([1, 2, 3], [4.0, 1.5, 0.5])
    assert list(level.get_ydata()) == [1, 1] and axes[1].get_yscale() == "log"


@pytest.mark.parametrize("missing", [{"threshold": None}, {"statistic": None}])
def test_without_a_test_there_is_one_panel(axes, missing):
    deployments.of_run([row | missing for row in ROWS], 1.0, ".svg")
    assert len(axes) == 1


def test_a_statistic_of_zero_is_shown_on_a_linear_scale(axes):
    deployments.of_run([*ROWS, {"deployment": 4, "value": 1.0, "threshold": 0.5, "statistic": 0.0}], 1.0, ".svg")
    assert list(axes[1].lines[0].get_ydata()) == [4.0, 1.5, 0.5, 0.0] and axes[1].get_yscale() == "linear"


@pytest.mark.parametrize("ending", STARTS)
def test_the_ending_chooses_the_format_and_a_picture_is_the_same_twice(ending):
    made = deployments.of_run(ROWS, 1.0, ending)
    assert made.startswith(STARTS[ending])
    assert ending == ".pdf" or made == deployments.of_run(ROWS, 1.0, ending)
