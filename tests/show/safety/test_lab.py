"""The lab of the safe mixture and the figures of its page."""

import numpy as np
import pytest

from derl.show.safety import figures, playground
from derl.show.safety import lab as labs


def test_the_drop_on_the_corridor_is_four_times_alpha():
    for alpha in (0.02, 0.05, 0.5):
        lab = labs.safe_mixture_lab(alpha)
        assert lab.drop == pytest.approx(4 * alpha) and lab.safe is (alpha <= 0.05)
        assert f"{lab.drop:.3f}" in lab.sentence and ("within" in lab.sentence) is lab.safe
        np.testing.assert_allclose(lab.mixture, (1 - alpha) * lab.pessimistic + alpha * lab.optimistic)
        assert (np.diff(lab.pessimistic) >= -1e-9).all() and lab.regret > 0


def test_a_tiny_fraction_of_a_small_batch_does_not_finish():
    lab = labs.safe_mixture_lab(0.01, 10**8)
    assert not lab.converged and len(lab.mixture) == lab.allowed and "not finished" in lab.sentence


@pytest.mark.parametrize("arguments, word", [({"instance": "maze"}, "instance"), ({"alpha": 0}, "alpha"),
                                             ({"batch_size": 0}, "batch_size|N")])
def test_bad_settings_are_named_in_one_line(arguments, word):
    with pytest.raises(ValueError, match=word) as caught:
        labs.safe_mixture_lab(**arguments)
    assert "\n" not in str(caught.value)


def test_the_lab_shows_as_many_deployments_as_were_asked_for():
    lab = labs.safe_mixture_lab(0.5)
    figure = playground.path(lab, 3)
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert all(list(lines[label].get_xdata()) == [1, 2, 3] for _, label, *_ in figures.PARTS)
    for part, label, *_ in figures.PARTS:
        np.testing.assert_array_equal(lines[label].get_ydata(), getattr(lab, part)[:3])
    whole = {line.get_label(): line for line in playground.path(lab, len(lab.mixture)).axes[0].lines}
    fallen = whole["fell too far"].get_xdata()
    assert list(fallen) == [k for k in range(2, len(lab.mixture) + 1)
                            if lab.mixture[k - 1] < lab.mixture[k - 2] - labs.EPSILON - labs.ROUNDING] != []
    assert list(whole["optimum"].get_ydata()) == [lab.optimum] * 2
    early, late = (playground.view(k, 0.5, 12, "corridor") for k in (2, playground.MOST_STEPS))
    assert early.last == late.last == len(lab.mixture) and late.sentence == lab.sentence
    assert early.sentence.startswith(f"deployment 2: the mixture earns {lab.mixture[1]:.3f} of {lab.optimum:.3f}")
