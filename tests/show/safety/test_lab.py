"""The lab of the safe mixture, its figures for a lab that is written out here, and the coin of its mixture."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from derl.experiments import small_batches
from derl.show.drawing import style
from derl.show.safety import figures, moves, playground
from derl.show.safety import lab as labs


def test_a_fall_of_more_than_epsilon_is_marked_where_it_ends():
    step = labs.EPSILON
    mixture = np.array([1, 1 + step, 1 - step / 2, 1, 1 - step / 2, 1 - 3 * step])
    lab = SimpleNamespace(mixture=mixture, pessimistic=mixture + 1, optimistic=mixture - 1, optimum=3.0)
    lines = {line.get_label(): line for line in figures.mixture_path(lab).axes[0].lines}
    for label, expected, color in (("the mixture", mixture, style.BLUE),
                                   ("its pessimistic part", mixture + 1, style.GREEN),
                                   ("its optimistic part", mixture - 1, style.RED)):
        assert list(lines[label].get_ydata()) == list(expected) and lines[label].get_color() == color
        assert list(lines[label].get_xdata()) == [1, 2, 3, 4, 5, 6]
    fallen = lines[r"fell by more than $\epsilon$"]
    assert list(fallen.get_xdata()) == [3, 6] and list(fallen.get_ydata()) == [mixture[2], mixture[5]]
    assert set(lines["optimum"].get_ydata()) == {3.0}


def test_the_price_of_exploring_is_read_off_the_paths():
    alphas = (0.01, 0.5)
    left, right = figures.price_of_exploring(alphas, batch_size=10**12).axes
    found = [labs.safe_mixture_lab(alpha, 10**12, "corridor") for alpha in alphas]
    drops = [max(0, *(one - other for one, other in zip(lab.mixture, lab.mixture[1:], strict=False))) for lab in found]
    assert left.lines[0].get_ydata() == pytest.approx(drops) and list(left.lines[0].get_xdata()) == list(alphas)
    assert set(left.lines[1].get_ydata()) == {labs.EPSILON}
    done, other = right.lines
    marks = dict(zip(done.get_xdata(), done.get_ydata(), strict=True)), dict(
        zip(other.get_xdata(), other.get_ydata(), strict=True))
    assert marks == tuple({alpha: len(lab.mixture) for alpha, lab in zip(alphas, found, strict=True)
                           if lab.converged == finished} for finished in (True, False))


def test_each_step_of_the_slider_has_the_three_paths_of_its_fraction():
    alphas = (0.01, 0.5)
    figure = figures.alpha_slider(alphas)
    assert len(figure.data) == 6 and [trace.visible for trace in figure.data] == [True] * 3 + [False] * 3
    for i, (alpha, step) in enumerate(zip(alphas, figure.layout.sliders[0].steps, strict=True)):
        mixture, safe, bold = (np.array(trace.y) for trace in figure.data[3 * i:3 * i + 3])
        assert mixture == pytest.approx((1 - alpha) * safe + alpha * bold)  # J of a mixture is the mixture of the J
        assert step.args[0]["visible"] == [j // 3 == i for j in range(6)] and step.label == f"{alpha:g}"
        assert list(figure.data[3 * i].x) == list(range(1, len(mixture) + 1))


def test_the_curves_of_the_sample_efficient_algorithm_keep_their_order():
    lines = {line.get_label(): line for line in figures.sample_efficient_curve(2, 3, .2, .1, 20).axes[0].lines}
    fixed, best, ours, flat = (np.array(lines[label].get_ydata(), float) for label in (
        r"repetition, $c_K=2$", r"repetition, best $c_K$", "updated as early as possible",
        "the same, one count for all layers"))
    assert list(lines[r"repetition, $c_K=2$"].get_xdata()) == [10**k for k in range(21)]
    assert (best <= fixed).all() and (ours <= best).all() and (flat[:7] < ours[:7]).all()
    assert fixed[-1] == 2 * 2 * 3 + 1  # one batch each: floor(c_K d H) + 1
    assert set(lines[r"$dH+1$"].get_ydata()) == {7}
    for curve in (fixed, best, ours, flat):
        assert (np.diff(curve) <= 0).all()
    assert fixed[0] == pytest.approx(10 * fixed[1], rel=1e-6)  # ten times the batch, a tenth of the deployments


def test_no_run_needs_more_than_the_bound_that_is_drawn():
    panels = figures.runs_against_batch_size().axes
    assert len(panels) == len(small_batches.SPECS)
    for panel in panels:
        bound, used = panel.lines
        assert list(bound.get_xdata()) == list(used.get_xdata()) == list(small_batches.SIZES)
        assert (np.array(used.get_ydata()) <= np.array(bound.get_ydata())).all() and min(used.get_ydata()) >= 1
        assert used.get_linestyle() == "None" and bound.get_linestyle() == "--"


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
