"""These checks compare the numbers with which the programs for Algorithm 1 run with the constraints of the proofs.

The constraints (number, bonus, count, first deployment, test) are written here from the statements, in rational
enclosures, and share no formula with the program; N is the integer that the program returns, and beta the float, read
as a rational number. Except for one version, some constraint also has to fail when N is one per cent smaller.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.claims.layerwise.symbols import number
from derl.exact.compared import every, exactly, less_than
from derl.exact.directed import Interval, logarithm, root, total
from derl.printed import Text
from derl.theory import constants
from derl.theory.layerwise import samples

# d, H, epsilon, delta, c_K: corners first
GRID = (*((d, H, eps, delta, c) for (eps, delta), d, H, c in product(
            (("1/1000", "1/1000000"), ("1", "9/10")), (1, 2, 60), (1, 40), ("11/10", "2", "50"))),
        (1, 2, "1", "9/10", "2"), (1, 1, "1", "1e-100", "50"), (2, 4, "4", "1e-100", "50"),  # where the test decides N
        (7, 10, "1/5", "1/10", "6"), (3, 3, "3", "1/2", "2"), (500, 300, "1/100", "1/20", "4"))
CURVE = tuple(product((2, 10), (1, 10), ("1/10",), ("1/10",), (9, 11, 15, 40)))  # d, H, epsilon, delta, log10 of N


def at_least(left: Interval, right: Interval) -> bool:
    """Whether left >= right for all points of the enclosures."""
    return left[0] >= right[1]


def count_holds(n: int, x: Fraction, rows: int, c: Fraction) -> bool:
    """(1 + N x)^c > 1 + c rows N."""
    return total([(c, logarithm(1 + n * x))])[0] > logarithm(1 + c * rows * n)[1]


def bracket_holds(d, H, delta, earlier: int, beta: Fraction) -> bool:
    """beta/H above the bracket of the covering argument for the best u of a list, or above sqrt d + sqrt n."""
    scale = beta / H
    if d == 1 or earlier == 0 or scale >= total([(1, root(d)), (1, root(earlier))])[1]:
        return scale >= root(d)[1] or (d == 1 and scale >= 1)
    inside, spread, union = root(Fraction(d) * earlier), logarithm(1 + Fraction(earlier, d)), logarithm(2 * H / delta)

    def likely(u):
        """The right side in floats: where it is least, the enclosures are asked first."""
        def grown(log_x):
            return max(log_x, 0) + math.log1p(math.exp(-abs(log_x)))

        logs = d * grown(math.log(4 * earlier) - math.log(u)) + d * (d + 1) / 2 * grown(
            math.log(8 * scale) + math.log(d * earlier) / 2 - math.log(u))
        return float(u) + math.sqrt((logs + d / 2 * grown(math.log(earlier) - math.log(d))) / 2)

    for u in sorted((Fraction(float(d * v)) for v in np.logspace(-3, 1, 81)), key=likely):
        logs = total([(Fraction(d, 2), spread), (d, logarithm(1 + 4 * earlier / u)),
                      (Fraction(d * (d + 1), 2), logarithm(tuple(1 + 8 * scale * end / u for end in inside))),
                      (1, union)])
        if scale >= total([(1, root(d)), (1, (u, u)), (1, root(tuple(end / 2 for end in logs)))])[1]:
            return True
    return False


def constraints(plan, d, H, eps, delta, c) -> dict[str, bool]:
    """Constraint -> whether the numbers of `plan` satisfy it."""
    n, K, beta, share = plan.batch_size, plan.deployments, Fraction(plan.beta), Fraction(plan.share)
    late = plan.version in ("chernoff", "covering", "share")
    level = (share * eps / (2 * beta)) ** 2 / (H**2 if plan.layered else H)
    rest = (1 - share) ** 2 * eps
    test = 4 * beta * H / rest if late else 2 * beta**2 * H**2 / (rest * eps)
    closed = beta**2 >= total([(Fraction(9, 4) * d**2 * H**2, logarithm(2 * d * K * n * H / delta))])[1]
    covered = plan.version in ("covering", "share") and bracket_holds(d, H, delta, (K - 1) * n, beta)
    return {
        "number": K == int(c * d * H) + 1,
        "bonus": covered or closed,
        "count": count_holds(n, level, 1 if plan.layered else H, c),
        "first": 4 * beta**2 >= d * (share * eps) ** 2 and level <= Fraction(1, d),
        "test": n >= total([(test, logarithm(2 * K / delta))])[1],
    }


def wasteful(plan, d, H, eps, delta, c) -> bool:
    """Whether with one per cent fewer trajectories, at the same beta, count and test would still hold by much."""
    beta, share, n = Fraction(plan.beta), Fraction(plan.share), plan.batch_size * 99 // 100
    late = plan.version in ("chernoff", "covering", "share")
    x = (share * eps / (2 * beta)) ** 2 / (H**2 if plan.layered else H)
    rest = (1 - share) ** 2 * eps
    test = 4 * beta * H / rest if late else 2 * beta**2 * H**2 / (rest * eps)
    enough = total([(c, logarithm(n * x))])[0] >= logarithm(c * n * (1 if plan.layered else H))[1]
    return plan.version != "explicit" and plan.batch_size > 200 and enough and n >= total(
        [(test, logarithm(2 * plan.deployments / delta))])[1]


def _parameters(d, H, eps, delta, c):
    return d, H, Fraction(eps), Fraction(delta), Fraction(c)


@claim("res-numbers-layerwise", method="interval",
       false={"one per cent fewer trajectories: count or test fails in most budgets": {"scale": Fraction(99, 100)},
              "c_beta = 7/5 instead of 3/2: below (9/4) l in version sharp": {
                  "budget": lambda *parameters: samples.budget(*parameters, c_beta=1.4)}})
def budgets_satisfy_the_proofs(text, budget=samples.budget, scale=Fraction(1)):
    """N, K and beta of every version, in rational enclosures: Constraints that fail, over all versions and parameter
    sets; `scale` multiplies N."""
    broken, sets = [], 0
    ends = [text("", after=words, skip=skip) for words, skip in (
        (r"$\epsilon$ from", 0), (r"$\delta$ from", 0), (r"$\delta$ from", 1), ("$c_K$ from", 0))]
    tried = list(zip(*(_parameters(*parameters) for parameters in GRID), strict=True))
    if ends != [min(tried[2]), min(tried[3]), max(tried[3]), min(tried[4])] or text(
            "", after=r"$\epsilon$ from", skip=1, H=40) != 40:
        broken.append("the parameter sets are not those of the text")
    for parameters in GRID:
        d, H, eps, delta, c = _parameters(*parameters)
        if eps > H:
            continue
        for version in samples.STEPS:
            plan = budget(d, H, float(eps), float(delta), float(c), version)
            if scale != 1:
                plan = samples.Budget(**{**vars(plan), "batch_size": int(plan.batch_size * scale)})
            exact = _parameters(d, H, float(eps), float(delta), float(c))
            sets += 1
            broken += [f"{version} {parameters}: {name}" for name, truth in constraints(plan, *exact).items()
                       if not truth]
            if scale == 1 and wasteful(plan, *exact):
                broken.append(f"{version} {parameters}: wasteful")
    return Evidence(len(broken), 0, "identity", f"{sets} budgets, versions {', '.join(samples.STEPS)}",
                    detail="; ".join(broken[:3]))


@claim("res-numbers-printed", method="interval", plants=3,
       false={"H^{4c} instead of H^{4c+1}: at H = 40, c_K = 2, N is 40 times too small": {
                  "size": lambda d, H, eps, delta, c: max(1, int(
                      samples.proved_batch_size(d, H, eps, delta, c) / H ** (1 / (c - 1))))},
              "beta = (3/2) d H sqrt(l): its square is half of (9/2) l": {
                  "bonus": lambda *parameters: samples.proved_bonus_scale(*parameters) / 2**0.5}})
def printed_numbers_satisfy_the_proof(text, size=samples.proved_batch_size, bonus=samples.proved_bonus_scale):
    """The printed N with its absolute constant, and the beta that goes with it: N^{c-1} against the printed product
    with C = 2 * 10^7, the bonus, the count and the test, for integer c_K."""
    broken, sets = [], 0
    constant, excess = text("c=", numbers=Fraction), text("", after="this bound by less than", numbers=Fraction)
    least, largest, smallest = text(r"dH\ge"), text.range(r"\epsilon").high, text.range("c_K").low
    allowed = [sizes for sizes in GRID if sizes[0] * sizes[1] >= least and Fraction(sizes[2]) <= largest
               and Fraction(sizes[4]) >= smallest]
    for parameters in allowed:
        d, H, eps, delta, c = _parameters(*parameters)
        n = size(d, H, float(eps), float(delta), float(c))
        beta = Fraction(bonus(d, H, float(delta), n))
        eps, delta = Fraction(float(eps)), Fraction(float(delta))
        L = logarithm(H * d / (delta * eps))
        product_of_the_text = total([(c, logarithm(L)), (c, logarithm(L)), (1, logarithm(c)), (4 * c + 1, logarithm(H)),
                         (3 * c, logarithm(d)), (-2 * c, logarithm(eps)), (c - 1, logarithm(constant))])
        l = logarithm(2 * d * H * n / delta)  # noqa: E741
        x = eps**2 / (16 * H**2 * beta**2)
        sets += 1
        result = {
            "printed size": at_least(total([(c - 1, logarithm(n))]), product_of_the_text),
            "not more": total([(c - 1, logarithm(n))])[0] <= product_of_the_text[1] + (c - 1) * excess,
            "bonus": Fraction(9, 2) * d**2 * H**2 * l[1] <= beta**2 <= Fraction(4501, 1000) * (d * H) ** 2 * l[1],
            "count": count_holds(n, x, 1, c),
            "few deployments": logarithm(1 + n * x)[0] > 2,
            "test": n >= total([(16 * beta * H / eps, l), (16 * beta * H / eps, logarithm(2))])[1],
        }
        broken += [f"{parameters}: {name}" for name, truth in result.items() if not truth]
    return Evidence(len(broken), 0, "identity", f"{sets} parameter sets", detail="; ".join(broken[:3]))


@claim("res-numbers-curve", method="interval", plants=3,
       false={"one deployment less than allowed, seen at d = 2, H = 1, N = 10^9": {
                  "deployments": lambda *parameters: samples.deployments_for(*parameters) - 1}})
def curve_is_the_largest_root(text, deployments=samples.deployments_for):
    """The curve of K against N, at K - 1 and at K: The inequality of the block count holds at K - 1 deployments and
    fails at K, for the program's own K and beta."""
    outcomes = []
    letters = sympy.symbols("N x z H", positive=True)
    grows, room = text.sides(r"(1+Nx)^z\le", **dict(zip(("N", "x", "z", "H"), letters, strict=True)))
    base, power = grows.as_base_exp()

    def at(value, *numbers):
        """A side at N, x, z, H, as a fraction."""
        result = value.subs({letter: sympy.Rational(one) for letter, one in zip(letters, numbers, strict=True)})
        return Fraction(str(number(result)))
    for d, H, eps, delta, exponent in CURVE:
        n, share = 10**exponent, Fraction(1, 2)
        K = deployments(d, H, float(Fraction(eps)), float(Fraction(delta)), n, "chernoff")
        beta = Fraction(samples.bonus_scale_sharp(d, H, float(Fraction(delta)), K, math.log(n), "chernoff"))
        x = (share * Fraction(eps) / (2 * beta)) ** 2 / H

        def holds(z, H=H, n=n, x=x):
            where = (n, x, z, H)
            return total([(at(power, *where), logarithm(at(base, *where)))])[1] <= logarithm(at(room, *where))[0]

        below, above = (text("z=", after=words, K=K, d=d, H=H) for words in ("holds at", "fails at"))
        middle = (K - Fraction(1, 2)) / (d * H)  # a z* between the two
        outcomes += [(f"d = {d}, H = {H}, N = 1e{exponent}: K - 1 = {K - 1} is allowed", holds(below)),
                     (f"and {K} is not", not holds(above)),
                     ("the largest z between the two gives K", every(
                         exactly(text("", {"z^*": middle}, after="res-tradeoff-layerwise`", d=d, H=H), K),
                         less_than(below, middle), less_than(middle, above)))]
    return steps(outcomes, f"{len(CURVE)} sizes, version chernoff")


def _half_beyond_one_dimension(d, H, *rest, version):
    n = constants.batch_size_layerwise(d, H, *rest, version=version)
    return n // 2 + 1 if min(d, H) > 1 else n


def coefficients(text: Text) -> tuple[Fraction, Fraction, Fraction]:
    """Of a statement: beta^2 over d^2 H^2 log(2dKNH/delta), x over epsilon^2/(H^2 beta^2), and N over its inverse times
    log(2K/delta)."""
    d, H, K, N, e, beta, level = sympy.symbols("d H K N e beta level", positive=True)
    scale = text(r"\beta=", d=d, H=H, K=K, N=N, delta=2 * d * K * N * H * sympy.exp(-level))
    part = text("x=", epsilon=e, H=H, beta=beta) * H**2 * beta**2 / e**2
    asked = text(r"N\ge", epsilon=e, H=H, beta=beta, K=K, delta=2 * K * sympy.exp(-level)) * e**2 / (H * beta) ** 2
    return tuple(Fraction(str(number(each))) for each in (scale**2 / (d * H) ** 2 / level, part, asked / level))


@claim("res-numbers-sharp", method="interval", plants=3,
       false={"half of the trajectories: the test fails wherever it decides N": {
                  "size": lambda *parameters, version: constants.batch_size_layerwise(
                      *parameters, version=version) // 2 + 1},
              "half of the trajectories where d and H are at least 2": {"size": _half_beyond_one_dimension}})
def sharp_sizes_satisfy_the_proof(text, size=constants.batch_size_layerwise):
    """The sharp N of the trade-off page: Count per layer and Hoeffding's test at beta = (3/2) dH
    sqrt(log(2dKNH/delta)), enclosed."""
    broken, sets = [], 0
    scale, part, asked = coefficients(text)
    for parameters in GRID:
        d, H, eps, delta, c = _parameters(*parameters)
        n = size(d, H, float(eps), float(delta), float(c), version="sharp")
        eps, delta, c = (Fraction(float(value)) for value in (eps, delta, c))
        K = int(c * d * H) + 1
        beta_square = total([(scale * d**2 * H**2, logarithm(2 * d * K * n * H / delta))])[1]
        result = {
            "count": count_holds(n, part * eps**2 / (H**2 * beta_square), 1, c),
            "test": n >= total([(asked * beta_square * H**2 / eps**2, logarithm(2 * K / delta))])[1],
            "bonus": Fraction(constants.bonus_scale_with_batch(d, H, float(delta), K, n)) ** 2
            >= total([(scale * d**2 * H**2, logarithm(2 * d * K * n * H / delta))])[1],
        }
        sets += 1
        broken += [f"{parameters}: {name}" for name, truth in result.items() if not truth]
    return Evidence(len(broken), 0, "identity", f"{sets} parameter sets", detail="; ".join(broken[:3]))
