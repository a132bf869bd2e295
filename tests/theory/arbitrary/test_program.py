"""The program's numbers against constraints that are derived without it: slips in the kernel that have to show."""

import math
from dataclasses import replace

import pytest

pytest.importorskip("flint")

from derl.claims.arbitrary import program  # noqa: E402
from derl.theory.arbitrary import constants, regression_scale, rules  # noqa: E402

POINTS = ((1, 1, 0.5, 0.5, 1.0), (3, 20, 1e-3, 1e-6, 0.3), (30, 4, 0.5, 0.5, 0.02))


def test_the_kernel_as_it_is():
    ratio, where = program.worst(grid=POINTS)
    assert 1 <= ratio < 1 + 1e-6, where


def noise_ten_times_too_small(d, horizon, delta, batch_size, evaluates, length=1.0):
    return regression_scale.scale(d, horizon, delta, batch_size, evaluates, length) / 10


def without_the_policy_class(d, horizon, delta, batch_size, evaluates, length=1.0):
    return regression_scale.scale(d, horizon, delta, batch_size, False, length)


def without_matrices(d, horizon, delta, batch_size, evaluates, length=1.0):
    """The union bound over weights alone, and no doubles."""
    log_det = d / 2 * math.log1p(batch_size / d)
    log_weights = d * math.log(2 * d * batch_size * (batch_size**0.5 + 2 * d**0.5) + 3) * (2 if evaluates else 1)
    noise = math.sqrt((log_det + math.log(12 * (horizon + 1) / delta) + log_weights) / 2)
    return length * (d**0.5 + 2 * batch_size**-0.5 + noise)


@pytest.mark.parametrize("slip", [
    lambda patch: patch.setattr(constants, "scale", noise_ten_times_too_small),
    lambda patch: patch.setattr(constants, "scale", without_the_policy_class),
    lambda patch: patch.setattr(constants, "scale", without_matrices),
    lambda patch: patch.setattr(constants, "POTENTIAL", 1.0),
    lambda patch: patch.setattr(constants, "CHERNOFF", 2 * constants.CHERNOFF),
    lambda patch: patch.setattr(program, "planning_scale", lambda d, horizon, delta, size:
                                constants.planning_scale(d, horizon, delta, size) / horizon),
    lambda patch: patch.setattr(constants, "_at", scaled(constants._at, "Bernstein", 0.01)),
    lambda patch: patch.setattr(constants, "_at", scaled(constants._at, "range", 0.01)),
    lambda patch: patch.setattr(constants, "_at", scaled(constants._at, "first layer", 0.9)),
    lambda patch: patch.setattr(constants, "batch_bound", lambda *given: 0.9 * rules.batch_bound(*given)),
    lambda patch: patch.setattr(constants, "xi_bounds", lambda *given: {
        name: 1.01 * value for name, value in rules.xi_bounds(*given).items()}),
], ids=["noise", "policy class", "matrices", "potential", "chernoff", "planning without H", "bernstein", "range",
        "first layer", "batch", "xi"])
def test_a_slip_in_the_kernel_breaks_a_constraint(slip, monkeypatch):
    slip(monkeypatch)
    ratio, _ = program.worst(grid=POINTS)
    assert ratio < 1


def scaled(function, name, factor):
    def changed(*arguments):
        found = function(*arguments)
        return replace(found, conditions=tuple((key, factor * value if key == name else value)
                                               for key, value in found.conditions))

    return changed
