"""These checks compare the program's own numbers for every version of Algorithm 2 with the constraints of its proof.

The check takes from the program the numbers that it returns and the parts of a rule that it acts on (reward, way of
evaluation, threshold); every constraint is derived here from the lemma that requires it, in ball arithmetic. The union
bounds count functions twice, on the grid of Algorithm 5 and as the doubles of the program.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, isqrt

from derl.claims import Evidence, claim
from derl.claims.arbitrary.theorem_r_explicit import stated_size
from derl.printed import Text
from derl.theory.arbitrary.constants import arbitrary_constants, planning_scale, regression_scale
from derl.theory.arbitrary.rules import EIGENVALUE, RULES

GRID = tuple(product((1, 3, 30), (1, 4, 20), (0.5, 1e-3), (0.5, 1e-6), (1.0, 0.3, 0.02)))
DOUBLES = 2**64 - 2**53 + 1  # finite ones, and all NaN as one


def balls(digits: int = 40):
    """The type of real balls, at so many decimal digits."""
    import flint
    flint.ctx.dps = digits
    return flint.arb


@lru_cache(2**6)
def power(base: int, exponent: int):
    """A whole number of tens of thousands of digits, multiplied fast."""
    import flint
    return flint.fmpz(base) ** exponent


def classes(d: int, horizon: int, size: int, length: Fraction, scale: Fraction, linear: bool) -> tuple:
    """How many functions Algorithms 5 and 6 may meet: on the grid with epsilon_0 = 1/N, and as doubles."""
    pairs = d * (d + 1) // 2
    weights = power(2 * ceil((isqrt(size) + 1) * length / 2 * 2 * d * size) + 1, d)
    matrices = power(2 * ceil(scale**2 * 4 * d * size**2) + 1, pairs)
    rewards = power(2 * ceil(Fraction(1, 2) * 4 * d * size**2) + 1, pairs)
    entries = power(2 * ceil(2 * d * size) + 1, d) if linear else pairs
    grid = weights * matrices + weights**2 * matrices + rewards * (1 + entries)
    evaluated = weights if linear else power(DOUBLES, d)  # x'Vx for all directions x needs the net, whatever computes V
    doubles = power(DOUBLES, d + pairs) * (1 + evaluated) + power(DOUBLES, pairs) * (1 + entries)
    return grid, doubles


def planning_classes(d: int, horizon: int, size: int, scale: Fraction) -> tuple:
    """The same for Algorithm 4: values divided by H, all linear rewards, all caps h~ <= H."""
    pairs = d * (d + 1) // 2
    weights = power(2 * ceil(((isqrt(size) + 1) / Fraction(2) + isqrt(d) + 1) * 2 * d * size) + 1, d)
    matrices = power(2 * ceil(scale**2 * 4 * d * size**2) + 1, pairs)
    return horizon * weights * matrices, horizon * power(DOUBLES, d + pairs)


def needed_scale(d, layers, delta, size, count, length, arb):
    """sqrt d + 2 epsilon_0 sqrt N + sqrt((log det + log(functions/failure))/2), for one class of functions."""
    log_det = arb(d) / 2 * (1 + arb(size) / d).log()
    return arb(length.numerator) / length.denominator * (
        arb(d).sqrt() + 2 / arb(size).sqrt() + ((log_det + (arb(layers) * count * 4 / delta).log()) / 2).sqrt())


def room(value, needed) -> float:
    """value/needed, rounded down."""
    return float((value / needed).lower())


def ratios(version: str, point: tuple, known_start: bool, shrink=1.0, table=arbitrary_constants) -> dict[str, float]:
    """Constraint -> how many times over the program's number meets it; 1 is just enough."""
    arb, rule = balls(), RULES[version]
    d, horizon, epsilon, delta, nu = point
    found = table(d, horizon, epsilon, delta, nu, version, known_start)
    size, conditions = found.batch_size, dict(found.conditions)
    own, plan = regression_scale(version, d, horizon, delta, size) * shrink, planning_scale(d, horizon, delta, size)
    length = Fraction(51, 50) if rule.linear else Fraction(1)
    result = {}
    for name, count in zip(("grid", "doubles"), classes(d, horizon, size, length, Fraction(own), rule.linear),
                           strict=True):
        result[f"beta', {name}"] = room(arb(own), needed_scale(d, horizon + 1, delta, size, count, length, arb))
    for name, count in zip(("grid", "doubles"), planning_classes(d, horizon, size, Fraction(plan) / horizon),
                           strict=True):
        needed = needed_scale(d, horizon, delta, size, count, Fraction(1), arb)
        result[f"beta, {name}"] = room(arb(plan) / horizon, needed)
    xi, b, i, N, nu2 = arb(found.xi), arb(own) * arb(found.xi), arb(found.i_max), arb(size), arb(nu) ** 2
    spread, rate = (8 * arb(d) * horizon / arb(delta)).log(), (1 - arb(2).log()) / 2
    rho = arb(1) / 8
    average = d / (2 * (arb(3) / 2).log()) * (1 + i / (2 * d)).log() / i  # of i values of the squared norm
    threshold = None if rule.threshold is None else arb(rule.threshold.numerator) / rule.threshold.denominator * nu2
    error = i * b * (1 if rule.linear else 2 * d)  # |Sigma~ - Sigma|
    result["accuracy"] = room(nu2**2 / (64 + nu2**2) if rule.rho is None else 2 * rho, error)
    if rule.threshold is None:
        coverage = EIGENVALUE - 2 * rho
        result["the loop stops"] = room((1 - rho) * (nu2 / 4 - 3 * b), average)
    elif rule.reward == "norm":
        most = average.sqrt() + nu2 / 8 if rule.rho is None else average.sqrt() / (1 - rho).sqrt()
        result["the loop stops"] = room(threshold, most + 3 * b)
        left = threshold + nu2 / 8 if rule.rho is None else (1 + rho).sqrt() * threshold
        coverage = nu2**2 / left**2 - 2
    else:
        result["the loop stops"] = room(threshold, average / (1 - rho) + 3 * b)
        left = (1 + rho) * threshold
        coverage = nu2 / left - 2
    if rule.rho is None:  # the printed proof: an additive error of at most nu^2/(4i), 7/8 of the mean are left
        result["Bernstein"] = room(arb(conditions["Bernstein"]), (4 * spread * 4 * i / nu2) ** 2)
        cost = left**2 * (2 + coverage) / (1 + arb(7) / 8 * N / i * coverage)
    else:
        result["Chernoff"] = room(arb(conditions["Chernoff"]),
                                  i / (rate * coverage) * (2 * arb(d) * horizon / arb(delta)).log())
        half = 1 + N / (2 * i) * coverage
        cost = (left**2 if rule.reward == "norm" else left) * (2 + coverage) / half if rule.threshold else 1 / half
    result["cost of a layer"] = room((xi / horizon) ** 2, cost)
    result["resolution"] = room(b / (2 * horizon), 1 / N)
    result["plan"] = room(arb(epsilon), 2 * arb(plan) * xi)
    if rule.linear:
        largest = (2 * i / (coverage * arb(conditions["range"]))).sqrt()
        result["range"] = room(arb(1) / 100, horizon * arb(own) * largest)
    if not known_start:
        level = spread / rate  # d exp(-rate level) = delta/(8H)
        cost = (d * (2 * arb(11) / 10 * level).sqrt() + 1) / arb(conditions["first layer"]).sqrt()
        result["first layer"] = room(xi / horizon, cost)
    return result


def worst(shrink=1.0, table=arbitrary_constants, grid=GRID, versions=tuple(RULES)) -> tuple[float, str]:
    """The tightest constraint over the grid, and its parameters."""
    result = [(value, f"{name}, '{version}', {point}")
              for version, point, known in product(versions, grid, (True, False))
              for name, value in ratios(version, point, known, shrink, table).items()]
    return min(result)


SMALL = ((1, 1, 0.5, 0.5, 1.0), (3, 20, 1e-3, 1e-6, 0.3))


def altered(**factors):
    """`arbitrary_constants` with some of its numbers multiplied; `conditions` maps names to factors."""
    def table(*arguments):
        result = arbitrary_constants(*arguments)
        conditions = tuple((name, value * factors.get("conditions", {}).get(name, 1))
                           for name, value in result.conditions)
        changed = {name: type(getattr(result, name))(getattr(result, name) * factor)
                   for name, factor in factors.items() if name != "conditions"}
        return replace(result, conditions=conditions, **changed)

    return table


def grid_of(text: Text) -> tuple:
    """(d, H, epsilon, delta, nu) at all points that the text names."""
    d, H, *others = (text.entries(rf"{letter}\in") for letter in ("d", "H", r"\epsilon", r"\delta", r"\nu"))
    return tuple(product(map(int, d), map(int, H), *(map(float, values) for values in others)))


@claim("res-program-constants", method="interval", arithmetic="ball", needs="rigor", plants=2,
       false={"beta' smaller by one part in ten thousand: the grid's class at d = 30, H = 20, nu = 1/50": {
                  "grid": ((30, 20, 1e-3, 1e-6, 0.02),), "shrink": 0.9999},
              "N smaller by one part in a million: cost of a layer": {
                  "grid": SMALL, "table": altered(batch_size=1 - 1e-6)},
              "xi larger by one part in a million: accuracy, or the plan": {
                  "grid": SMALL, "table": altered(xi=1 + 1e-6)},
              "9/10 of i_max: at d = 1 the square need not be small": {
                  "grid": ((1, 1, 0.5, 0.5, 1.0),), "table": altered(i_max=0.9), "versions": ("squared",)},
              "99 % of the condition of Bernstein's inequality": {
                  "grid": SMALL, "table": altered(conditions={"Bernstein": 0.99})},
              "99 % of the condition for the range of unclipped values": {
                  "grid": SMALL, "table": altered(conditions={"range": 0.99})}})
def program_meets_every_constraint(text, grid=None, **changed):
    """Every constraint at every point of the grid, rounded against the program: Least ratio of what the program has to
    what a constraint needs; versions, settings, s_1 known and unknown."""
    grid = grid_of(text) if grid is None else grid
    ratio, where = worst(grid=grid, **changed)
    return Evidence(ratio, 1.0, "lower", f"{2 * len(RULES) * len(grid)} settings: d = 1, 3, 30, H = 1, 4, 20, epsilon "
                    "= 1/2, 1/1000, delta = 1/2, 1e-6, nu = 1, 3/10, 1/50; five versions", detail=f"tightest: {where}")


@claim("res-program-constants", method="stress", arithmetic="float64", covers="the stated N against the program's",
       gap="the grid", tier="full",
       false={"three quarters of the stated N": {"divisor": 4 / 3}})
def stated_size_over_the_program(divisor=1.0):
    """How far the program stays below the stated N: Least stated N over the program's N: Theorem R, squared reward,
    linear evaluation; law of s_1 known."""
    result = [(stated_size(version, *point) / divisor / arbitrary_constants(*point, version, True).batch_size, point)
              for version, point in product(("relative", "squared", "spectral"), GRID)]
    least, where = min(result)
    return Evidence(least, 2e4, "lower", f"{len(result)} settings", detail=f"least {least:.3g} at {where}; largest "
                    f"{max(result)[0]:.2g}")
