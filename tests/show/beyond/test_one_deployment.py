"""The figures of one deployment: errors below their bounds, sizes between the two sides, slopes near H."""

import numpy as np
import pytest

from derl.show.beyond import one_deployment


def test_measured_errors_are_below_the_new_bound_which_is_below_the_old_one(monkeypatch):
    monkeypatch.setattr(one_deployment, "SIZES", (2, 3, 4))
    old, new, measured = (line.get_ydata() for line in one_deployment.figure().axes[0].lines)
    assert (measured < new).all() and (np.diff(new) > 0).all()
    assert np.asarray(old) / new == pytest.approx(np.sqrt([2, 3, 4]))


def test_sizes_lie_between_the_two_sides_and_grow_with_the_power_of_the_horizon(monkeypatch):
    monkeypatch.setattr(one_deployment, "SIZES", (2, 4, 6))
    monkeypatch.setattr(one_deployment, "LOCKS", 12)
    sufficient, measured, uniform, necessary = (np.array(found) for found in one_deployment.sizes().values())
    assert (necessary <= uniform).all() and (uniform <= 2 * necessary).all()
    assert (necessary <= measured).all() and (measured < sufficient).all()
    lines = one_deployment.sides().axes[0].lines
    assert len(lines) == 4 and all("slope" in line.get_label() for line in lines)
    assert one_deployment.slope([d**3.0 for d in (2, 4, 6)]) == pytest.approx(3)
