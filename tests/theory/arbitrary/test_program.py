"""The program's numbers against constraints that are derived without it: slips in the kernel that have to show."""

import math

import pytest

pytest.importorskip("flint")

from derl.claims.arbitrary import program  # noqa: E402
from derl.theory.arbitrary import constants, rules  # noqa: E402

POINTS = ((1, 1, 0.5, 0.5, 1.0), (3, 20, 1e-3, 1e-6, 0.3), (30, 4, 0.5, 0.5, 0.02))


def test_the_kernel_as_it_is():
    ratio, where = program.worst(grid=POINTS)
    assert 1 <= ratio < 1 + 1e-6, where


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
