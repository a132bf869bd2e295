"""The figure of one deployment: its points lie below its bounds, which differ by the root of d."""

import numpy as np
import pytest

from derl.show.beyond import one_deployment


def test_measured_errors_are_below_the_new_bound_which_is_below_the_old_one(monkeypatch):
    monkeypatch.setattr(one_deployment, "SIZES", (2, 3, 4))
    old, new, measured = (line.get_ydata() for line in one_deployment.figure().axes[0].lines)
    assert (measured < new).all() and (np.diff(new) > 0).all()
    assert np.asarray(old) / new == pytest.approx(np.sqrt([2, 3, 4]))
