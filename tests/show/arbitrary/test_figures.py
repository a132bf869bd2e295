"""The pictures of Algorithm 2 on a run that is written out here: two policies, their covariances, four turns.

Policy 1 covers e_1 and policy 2 covers e_2, so the sums after 1, ..., 4 turns are diag(1, 0), (1, 1), (1, 2), (2, 2).
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.arbitrary import figures, moves, sizes
from derl.show.arbitrary import lab as labs
from derl.show.drawing import InvalidChoice, style

VALUES = np.array([4.0, 3.0, 2.0, 0.5])


def record(layer=1, statistic=2.0, threshold=0.75):
    cover = SimpleNamespace(estimates=np.array([np.diag([1.0, 0.0]), np.diag([0.0, 1.0])]), values=VALUES,
                            order=np.array([0, 1, 1, 0]), counts=np.array([2, 2]), excess=np.diag([2.0, 2.0]),
                            matrix=np.diag([3.0, 3.0]))
    return SimpleNamespace(layer=layer, iterations=4, n_policies=4, n_distinct=2, cover=cover, statistic=statistic,
                           threshold=threshold, policy=SimpleNamespace(weights=np.array([0.5, 0.5])))


def run(version="self-certifying", *layers):
    return labs.CoverLab("by hand", version, None, SimpleNamespace(trace=layers or (record(),)))


def extent(curve):
    return np.abs(np.asarray(curve)).max(axis=1)


def test_an_ellipse_reaches_as_far_as_the_form():
    curve = labs.ellipse(np.diag([4.0, 1.0]), 5)
    np.testing.assert_allclose(curve, [[2, 0, -2, 0, 2], [0, 1, 0, -1, 0]], atol=1e-12)
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    x, y = labs.ellipse(matrix, 40)
    np.testing.assert_allclose((3 * x**2 - 2 * x * y + 2 * y**2) / 5, 1)  # the inverse is (3, -1; -1, 2) / 5
    for u in ([1, 0], [0, 1], [0.6, -0.8]):
        assert np.max(u @ labs.ellipse(matrix, 4001)) == pytest.approx(np.sqrt(u @ matrix @ u), rel=1e-5)


def test_planes_of_a_diagonal_matrix():
    e = np.eye(3)
    for entries, plane, wanted in (([5, 1, 3], "leading", [0, 2]), ([5, 1, 3], "least", [1, 2]),
                                   ([5, 0, 3], "least", [2, 0]), ([5, 0, 3], "leading", [0, 2])):
        np.testing.assert_allclose(labs.plane_of(np.diag(np.array(entries, float)), plane), e[:, wanted], atol=1e-12)
    for plane in labs.PLANES:
        assert labs.plane_of(np.diag([1.0, 7.0]), plane).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("version", ["self-certifying", "repaired"])
def test_the_steps_of_a_run_by_hand(version):
    before = [(0, 0), (1, 0), (1, 1), (1, 2)]
    added = [(1, 0), (0, 1), (0, 1), (1, 0)]
    for i in range(1, 5):
        step = labs.cover_step(run(version), 1, i)
        for found, wanted in ((step.before, before[i - 1]), (step.added, added[i - 1]),
                              (step.after, np.add(before[i - 1], added[i - 1]))):
            np.testing.assert_allclose(found, np.diag(np.array(wanted, float)), atol=1e-12)
        assert (step.index, step.times) == ((1, 1), (2, 1), (2, 2), (1, 2))[i - 1]
        assert step.values.tolist() == [4, 3, 2, 0.5][:i] and step.least == pytest.approx([0, 1, 1, 2][:i], abs=1e-12)
        assert step.stops == (i == 4) and step.threshold == (2 if version == "self-certifying" else 0.75)
    words = "least eigenvalue 2, wanted 2" if version == "self-certifying" else "wanted at most 0.75"
    assert step.sentence == ("layer 1, policy 4 of 4 (no. 1 again, 2 times so far): promised uncertainty 0.5; "
                             f"{words}: stop")
    assert "policy 3 of 4 (no. 2 again" in labs.cover_step(run(version), 1, 3).sentence
    early = labs.cover_step(run("repaired", record(threshold=3.5)), 1, 2)  # met, but the run went on
    assert early.values[-1] < early.threshold and not early.stops


def test_least_eigenvalues_leave_out_what_is_never_reached():
    kept = record()
    kept.cover.estimates = np.array([np.diag([1.0, 0, 0]), np.diag([0, 1.0, 0])])
    step = labs.cover_step(run("self-certifying", kept), 1, 4)
    assert step.least == pytest.approx([0, 1, 1, 2], abs=1e-12)


def test_ellipses_after_one_two_and_all_policies():
    trace = (record(1), SimpleNamespace(layer=2, cover=None), record(3))
    found = figures.covariance_ellipsoids(SimpleNamespace(trace=trace))
    drawn = [ax for ax in found.axes if ax.get_visible()]
    assert [ax.get_title() for ax in drawn] == ["layer 1: 4 policies", "layer 3: 4 policies"]
    for ax in drawn:
        reach = [extent(line.get_data()) for line in ax.lines]
        np.testing.assert_allclose(reach, [[1, 0], [1, 1], [2**0.5, 2**0.5]], atol=1e-9)  # after 1, 2 and 4
        assert [line.get_color() for line in ax.lines] == [style.BLUE, style.BLUE, style.RED]
        assert [line.get_alpha() for line in ax.lines[:2]] == [pytest.approx(0.55), pytest.approx(0.85)]
    assert found.get_supxlabel() == r"$\phi_1$"


def test_bars_of_the_cover_are_stacked_by_policy():
    kept = record()
    kept.cover.estimates = np.array([[[0.5, 0.1], [0.1, 0.25]], [[0, 0], [0, 1]], [[0.25, 0], [0, 0.5]]])
    kept.cover.counts, kept.cover.excess = np.array([1, 3, 2]), np.array([[1.0, 0.1], [0.1, 4.25]])
    kept.policy.weights = np.array([1, 3, 2]) / 6
    axes = figures.policy_cover(SimpleNamespace(trace=(kept,)), ["left", "right"]).axes[0]
    found = [(bar.get_x() + bar.get_width() / 2, bar.get_y(), bar.get_height()) for bar in axes.patches]
    assert found == [(0, 0, 0), (1, 0, 3), (0, 0, 0.5), (1, 3, 1), (0, 0.5, 0.5), (1, 4, 0.25)]  # the most turns first
    assert [(note.get_text(), *note.get_position()) for note in axes.texts] == [("2", 1, 1.5), ("3", 1, 3.5)]
    assert axes.get_title() == "layer 1: 2 distinct of 4"
    rows = figures.cover_rows(SimpleNamespace(trace=(SimpleNamespace(cover=None), kept)), ["left", "right"])
    assert [(*row[:3], row[5]) for row in rows] == [(1, 1, 1, "left"), (1, 2, 3, "right"), (1, 3, 2, "right")]
    shares = ((1 / 6, 1 / 7), (1 / 2, 4 / 7), (1 / 3, 2 / 7))
    assert [row[3:5] for row in rows] == [pytest.approx(pair) for pair in shares]
    assert [row[5] for row in figures.cover_rows(SimpleNamespace(trace=(record(),)))] == ["$e_{1}$", "$e_{2}$"]


@pytest.mark.parametrize("version", ["self-certifying", "repaired"])
def test_a_step_shows_the_ellipse_before_and_after(version):
    shape, course = figures.growth(labs.cover_step(run(version), 1, 3))
    lines = {line.get_label(): extent(line.get_data()) for line in shape.axes[0].lines}
    np.testing.assert_allclose([lines["before"], lines["policy 3 alone"], lines["with it"]],
                               [[1, 1], [0, 1], [1, 2**0.5]], atol=1e-9)
    assert ("disc to be covered" in lines) == (version == "self-certifying")
    curves = {line.get_label(): line.get_data() for line in course.axes[0].lines}
    assert [list(part) for part in curves["promised uncertainty V"]] == [[1, 2, 3], [4, 3, 2]]
    if version == "self-certifying":
        np.testing.assert_allclose(lines["disc to be covered"], [2**0.5] * 2)
        np.testing.assert_allclose(curves["least eigenvalue"], [[1, 2, 3], [0.001, 1, 1]])  # 0 has no logarithm
    assert curves["stop"][1][0] == (2 if version == "self-certifying" else 0.75)
    assert course.axes[0].get_xlim() == (0.5, 4.5)


def test_the_slider_goes_through_the_run():
    figure = figures.growth_slider(run("self-certifying", record(1), record(2)))
    steps = figure.layout.sliders[0].steps
    assert [step.label for step in steps] == ["1:1", "1:2", "1:3", "1:4", "2:1", "2:2", "2:3", "2:4"]
    shown = steps[6].args[0]
    np.testing.assert_allclose([extent([x, y]) for x, y in zip(shown["x"][:4], shown["y"][:4], strict=True)],
                               [[1, 1], [0, 1], [1, 1.414], [1.414, 1.414]], atol=1e-3)
    assert shown["x"][4:] == [[1, 2, 3]] * 2 and shown["y"][4:] == [[4, 3, 2], [0.01, 1, 1]]
    assert shown["name"][1] == "policy 3 alone" and "<br>promised uncertainty 2" in steps[6].args[1]["title.text"]
    assert figure.layout.xaxis.range == pytest.approx((-1.1 * 2**0.5, 1.1 * 2**0.5))
    assert figure.layout.yaxis2.range == pytest.approx((np.log10(0.8 * 0.01), np.log10(1.4 * 2)))
    assert figure.layout.shapes[0].y0 == 2


def test_the_threshold_is_drawn_where_the_rule_looks_at_v():
    axes = figures.stopping([record(statistic=0.5, threshold=0.75), record(statistic=2.0, threshold=1.5)],
                            ["by value", "by eigenvalue"]).axes[0]
    curves = [line for line in axes.lines if len(line.get_xdata()) == 4]
    assert [line.get_label() for line in curves] == ["by value: i = 4", "by eigenvalue: i = 4"]
    assert all(list(line.get_xdata()) == [1, 2, 3, 4] and (line.get_ydata() == VALUES).all() for line in curves)
    ends = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines if line.get_marker() == "o"]
    assert ends == [(4, 0.5)] * 2
    assert [line.get_ydata()[0] for line in axes.lines if len(line.get_xdata()) == 2] == [0.75]


def test_bisection_finds_the_power_at_which_success_begins(monkeypatch):
    for power in (5, 8, 12):
        monkeypatch.setattr(sizes, "succeeds", lambda name, version, size, least=10**power: size >= least)
        sizes.smallest_size.cache_clear()
        assert sizes.smallest_size("lock", "relative") == sizes.smallest_size("lock", "repaired") == 10**power
    monkeypatch.setattr(sizes, "succeeds", lambda name, version, size: size > 10**12)
    sizes.smallest_size.cache_clear()
    with pytest.raises(InvalidChoice, match="no success up to N = 1e12"):
        sizes.smallest_size("lock", "spectral")
    sizes.smallest_size.cache_clear()


@pytest.mark.parametrize(("converged", "worst", "good"), [(True, 0.1, True), (True, 0.11, False), (False, 0.0, False)])
def test_success_is_an_end_by_the_rule_and_a_loss_of_at_most_epsilon(monkeypatch, converged, worst, good):
    asked = {}

    def answer(name, version, **options):
        asked.update(options)
        return SimpleNamespace(outcome=SimpleNamespace(converged=converged),
                               audit=SimpleNamespace(loss_bound=np.array([0.0, worst])))

    monkeypatch.setattr(sizes.runs, "run", answer)
    monkeypatch.setattr(sizes, "theorem_size", lambda name, version: 10**9)
    assert sizes.succeeds("lock", "spectral", 10**6) is good and asked["shrink"] == 1000
    sizes.succeeds("lock", "spectral", 10**12)
    assert asked["shrink"] == 1  # never more than the theorem


def test_a_sampled_loss_is_the_worst_of_the_rewards_at_each_horizon(monkeypatch):
    losses = {(0, 1): 0.25, (0, 2): 0.5, (1, 1): 0.75, (1, 2): 0.125, (2, 1): 0.0, (2, 2): 0.25}
    drawn = iter(range(3))
    monkeypatch.setattr(sizes, "random_reward", lambda mdp, rng: next(drawn))
    monkeypatch.setattr(sizes, "arbitrary_policy_planning",
                        lambda data, theta, horizon: SimpleNamespace(policy=(theta, horizon)))

    def gap(mdp, policy, horizon, theta):
        assert policy == (theta, None if horizon == 2 else horizon)  # all layers: planning without a horizon
        return losses[theta, horizon]

    monkeypatch.setattr(sizes.planning, "gap", gap)
    run = SimpleNamespace(mdp=SimpleNamespace(horizon=2), outcome=SimpleNamespace(dataset=None))
    assert sizes.sampled_losses(run, None, 3).tolist() == [0.75, 0.5]


def test_marks_of_theorem_and_trial_stand_in_the_row_of_their_version(monkeypatch):
    monkeypatch.setattr(sizes, "theorem_size", lambda name, version: 10 ** (6 + len(version)))
    monkeypatch.setattr(sizes, "smallest_size", lambda name, version: 10 ** len(version))
    axes = sizes.batch_sizes(("lock", "simplex")).axes[0]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    for line in axes.lines:
        x, y = line.get_xdata()[-1], line.get_ydata()[-1]
        version = next(key for key, words in sizes.NAMES.items() if words == rows[round(y)])
        filled = line.get_fillstyle() == "full"
        assert x == 10.0 ** (6 * filled + len(version)) and abs(y - round(y)) == pytest.approx(0.22)
    assert len(axes.lines) == 3 * 2 * 5 and axes.yaxis_inverted()


def test_a_tenth_of_the_accuracy_costs_a_hundred_times_the_batch_once_it_decides():
    found = {(curve["d"], curve["epsilon"]): curve for curve in moves.reach()["curves"]}
    assert len(found) == 12
    for d in (2, 3, 5, 10):
        curve = found[d, 0.1]
        assert curve["logs"] == pytest.approx([-2 + k * (2 - math.log10(d) / 2) / 8 for k in range(9)])
        for version, logs in curve["sizes"].items():
            for at, nu in ((0, 0.01), (-1, d**-0.5)):
                assert logs[at] == pytest.approx(math.log10(moves.size(d, 0.1, nu, version)), abs=1e-3)
        assert curve["sizes"] == found[d, 0.3]["sizes"] == found[d, 0.03]["sizes"]  # the covariances decide
    assert found[10, 0.1]["sizes"]["spectral"][0] > found[2, 0.1]["sizes"]["spectral"][0] + np.log10(5)
    for version in ("squared", "spectral", "self-certifying"):
        ratio = moves.size(2, 1e-9, 0.5, version) / moves.size(2, 1e-8, 0.5, version)
        assert 100 < ratio < 200  # N grows like log N^2 / epsilon^2
