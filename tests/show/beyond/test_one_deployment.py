"""The figures of one deployment: losses between their bounds, sizes between the two sides, slopes near H."""

import numpy as np
import pytest

from derl.show.beyond import one_deployment


def test_the_measured_loss_is_between_its_bounds_in_both_panels(monkeypatch):
    monkeypatch.setattr(one_deployment, "SIZES", (4,))
    monkeypatch.setattr(one_deployment, "HORIZONS", (4,))
    for panel in one_deployment.figure().axes[:2]:
        old, new, measured, necessary = (np.asarray(line.get_ydata()) for line in panel.lines)
        assert (necessary <= measured).all() and (measured < new).all() and (100 * new**2 < old**2).all()


def test_sizes_lie_between_the_two_sides_and_grow_with_the_power_of_the_horizon(monkeypatch):
    monkeypatch.setattr(one_deployment, "SIZES", (2, 4, 6))
    monkeypatch.setattr(one_deployment, "LOCKS", 12)
    sufficient, measured, uniform, necessary = (np.array(found) for found in one_deployment.sizes().values())
    assert (necessary <= uniform).all() and (uniform <= 2 * necessary).all()
    assert (necessary <= 1.2 * measured).all() and (measured < sufficient).all()  # a mean over twelve locks
    lines = one_deployment.sides().axes[0].lines
    assert len(lines) == 4 and all("slope" in line.get_label() for line in lines)
    assert one_deployment.slope([d**3.0 for d in (2, 4, 6)]) == pytest.approx(3)
