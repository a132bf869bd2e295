"""The lab of Algorithm 2, and the figures of its page."""

import numpy as np
import pytest

from derl.show.arbitrary import lab as labs
from derl.show.arbitrary import playground, sizes
from derl.theory import reachability


def short():
    """The shortest run, which `cover_lab` computes once."""
    return labs.cover_lab("plane", "self-certifying")


@pytest.mark.parametrize("instance", labs.INSTANCES)
def test_the_reachability_handed_over_is_certified(instance):
    found = reachability.nu_min(labs.INSTANCES[instance](), subspace="reachable", relative=0.05)
    assert labs.NU_SQUARED[instance] <= float(found.lower) ** 2


@pytest.mark.parametrize("instance", labs.INSTANCES)
@pytest.mark.parametrize("version", labs.VERSIONS)
def test_every_layer_ends_where_the_algorithm_ended(instance, version):
    lab = labs.cover_lab(instance, version)
    assert lab.outcome.converged and labs.cover_lab(instance, version) is lab  # computed once
    for layer, length in enumerate(lab.lengths, start=1):
        record = lab.outcome.trace[layer - 1]
        step = labs.cover_step(lab, layer, 10**9)
        assert step.stops and step.policy == step.length == length == record.iterations
        seen = step.least[-1] if step.watches_eigenvalue else step.values[-1]
        assert seen == pytest.approx(record.statistic) and "stop" in step.sentence
        if length > 1:
            before = labs.cover_step(lab, layer, length - 1)
            assert not before.stops
            margin = 2 - before.least[-1] if step.watches_eigenvalue else before.values[-1] - before.threshold
            assert margin > -1e-12  # a tie is possible: the lock's covariances are whole numbers


@pytest.mark.parametrize("plane", labs.PLANES)
def test_the_shadow_has_the_extreme_eigenvalues(plane):
    lab = labs.cover_lab("simplex", "squared")
    step = labs.cover_step(lab, 3, 10**9, plane)
    eigenvalues = np.linalg.eigvalsh(lab.outcome.trace[2].cover.excess)
    kept = eigenvalues[1:] if plane == "leading" else eigenvalues[:2]
    np.testing.assert_allclose(np.linalg.eigvalsh(step.after), kept)


@pytest.mark.parametrize("call, word", [
    (lambda: labs.cover_lab("maze"), "instance"),
    (lambda: labs.cover_lab("plane", "best"), "version"),
    (lambda: labs.cover_step(short(), 5), "layer"), (lambda: labs.cover_step(short(), 0), "layer"),
    (lambda: labs.cover_step(short(), 1, 0), "policy"),
    (lambda: labs.cover_step(short(), 1, 1.5), "policy"),
    (lambda: labs.cover_step(short(), 1, 1, "middle"), "plane"),
])
def test_bad_settings_are_named_in_one_line(call, word):
    with pytest.raises(ValueError, match=word) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_theorems_ask_for_more_than_a_trial(monkeypatch):
    enough = 10**8  # that is tried here; where success begins, by bisection, is the test above
    assert all(sizes.succeeds("lock", version, enough) for version in sizes.RULES)
    monkeypatch.setattr(sizes, "smallest_size", lambda name, version: enough)
    (ax,) = sizes.batch_sizes(("lock",)).axes
    spans = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2]
    assert len(spans) == 5 and all(least == enough < theorem for least, theorem in spans)


def test_the_slopes_are_the_derived_exponents():
    (ax,) = sizes.batch_sizes_against_reachability(coefficients=(0.001, 0.002)).axes
    powers = [line.get_label().split("{")[1].split("}")[0] for line in ax.lines]
    slopes = [np.diff(np.log(line.get_ydata()))[0] / np.log(2) for line in ax.lines]
    np.testing.assert_allclose(slopes, np.array(powers, float), atol=1.5)  # logarithms
    assert powers == ["-18", "-8", "-4", "-4", "-6", "-14"]


def test_losses_stay_below_epsilon():
    (ax,) = sizes.losses(("lock",), rewards=5).axes
    small, full = (line.get_ydata() for line in ax.lines[1:3])
    assert (full < small).all() and (small <= 0.1).all()


def test_the_view_is_the_step_and_ends_with_its_layer():
    lab = short()
    for policy, layer in ((1, 1), (10**3, 2), (2, 99)):
        view = playground.view(policy, layer, "self-certifying", "plane", "leading")
        step = labs.cover_step(lab, min(layer, len(lab.lengths)), policy, "leading")
        assert view.sentence == step.sentence and view.last == min(step.length, playground.MOST_STEPS)
        assert view.idle == ("plane",)  # two dimensions have one plane
    assert playground.view(1, 1, "self-certifying", "simplex", "leading").idle == ()
