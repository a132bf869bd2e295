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


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("version", list(rules.RULES))
def test_how_often_each_constraint_is_met_by_hand(version, known):
    """In floats, from the lemmas: every ratio at one point, not only the tightest."""
    d, H, epsilon, delta, nu = point = 3, 4, 0.2, 0.05, 0.3
    rule, found = rules.RULES[version], constants.arbitrary_constants(*point, version, known)
    ratios, N, i, xi = program.ratios(version, point, known), found.batch_size, found.i_max, found.xi
    beta, plan = (constants.regression_scale(version, d, H, delta, N), constants.planning_scale(d, H, delta, N))
    b, rho, rate = beta * xi, 1 / 8, (1 - math.log(2)) / 2
    spread, asked = math.log(8 * d * H / delta), dict(found.conditions)
    average = d / (2 * math.log(1.5)) * math.log(1 + i / (2 * d)) / i
    error, t = i * b * (1 if rule.linear else 2 * d), float(rule.threshold or 0) * nu**2
    wanted = {"plan": epsilon / (2 * plan * xi), "resolution": b * N / (2 * H)}
    if version == "repaired":
        left = t + nu**2 / 8
        coverage = nu**4 / left**2 - 2
        wanted |= {"accuracy": nu**4 / (64 + nu**4) / error,
                   "the loop stops": t / (math.sqrt(average) + nu**2 / 8 + 3 * b),
                   "Bernstein": asked["Bernstein"] / (16 * i * spread / nu**2) ** 2,
                   "cost of a layer": (xi / H) ** 2 / (left**2 * (2 + coverage) / (1 + 7 / 8 * N / i * coverage))}
    else:
        if version == "relative":
            stops, left = t / (math.sqrt(average / (1 - rho)) + 3 * b), math.sqrt(1 + rho) * t
            coverage, cost = nu**4 / left**2 - 2, left**2
        elif rule.threshold is None:
            stops, coverage, cost = (1 - rho) * (nu**2 / 4 - 3 * b) / average, 2 - 2 * rho, None
        else:
            stops, left = t / (average / (1 - rho) + 3 * b), (1 + rho) * t
            coverage, cost = nu**2 / left - 2, left
        half = 1 + N / (2 * i) * coverage
        wanted |= {"accuracy": 2 * rho / error, "the loop stops": stops,
                   "Chernoff": asked["Chernoff"] * rate * coverage / (i * math.log(2 * d * H / delta)),
                   "cost of a layer": (xi / H) ** 2 * half / (1 if cost is None else cost * (2 + coverage))}
        if rule.linear:
            wanted["range"] = 0.01 / (H * beta * math.sqrt(2 * i / (coverage * asked["range"])))
    if not known:
        wanted["first layer"] = xi / H * math.sqrt(asked["first layer"]) / (d * math.sqrt(2.2 * spread / rate) + 1)
    assert {name: ratios[name] for name in wanted} == pytest.approx(wanted, rel=1e-6)
    assert ratios.keys() - wanted.keys() == {f"{scale}, {kind}" for scale in ("beta'", "beta")
                                             for kind in ("grid", "doubles")}
