"""These checks compare the numbers with which Algorithms 3, 4 and direct exploration run with their constraints.

As in `derl.claims.layerwise.numbers`, the constraints are written from the statements, in rational enclosures, for the
integer N and the float beta that the program returns. They cover the versions explicit, sharp, flat, direct and paper.
"""

from __future__ import annotations

from fractions import Fraction

from derl.claims import Evidence, claim
from derl.claims.layerwise.numbers import GRID, at_least, count_holds
from derl.exact.directed import logarithm, total
from derl.theory.reward_free import direct, samples

VERSIONS = ("explicit", "sharp", "flat", "direct")


def numbers_of(version: str, d: int, H: int, eps: float, delta: float, c: float):
    """N, K and beta as the program returns them."""
    if version == "direct":
        plan = direct.budget(d, H, eps, delta, c)
        return plan.batch_size, plan.deployments, plan.beta
    n = samples.batch_size_reward_free(d, H, eps, delta, c, version=version)
    K = samples.deployments_reward_free(d, H, c, version)
    return n, K, samples.bonus_scale_reward_free(d, H, delta, K, n)


def constraints(version: str, n: int, K: int, beta: Fraction, sizes) -> dict[str, bool]:
    """Constraint -> whether it holds."""
    d, H, eps, delta, c = sizes
    G = 2 * H + 1
    level = {"flat": eps**2 / (16 * H * G**2 * beta**2), "direct": eps**2 / (64 * H * beta**2)}.get(
        version, eps**2 / (16 * H**2 * G**2 * beta**2))
    test = {"flat": 16 * beta * H * G / eps, "direct": 32 * beta * H / eps}.get(version, 8 * (beta * H * G / eps) ** 2)
    return {
        "number": K == int(c * d * H) + (H if version == "flat" else 1),
        "bonus": beta**2 >= total([(4 * d**2 * H**2, logarithm(2 * d * K * n * H / delta))])[1],
        "count": count_holds(n, level, H if version in ("flat", "direct") else 1, c),
        "test": n >= total([(test, logarithm(2 * K / delta))])[1],
    }


def sets():
    """The parameter sets with epsilon <= H, and as the program reads them."""
    for d, H, eps, delta, c in GRID:
        if Fraction(eps) <= H:
            floats = tuple(float(Fraction(value)) for value in (eps, delta, c))
            yield (d, H, *floats), (d, H, *map(Fraction, floats))


def _shrunk(version, *sizes):
    n, K, beta = numbers_of(version, *sizes)
    return n * 9 // 10 + 1, K, beta


@claim("res-numbers-reward-free", method="interval", plants=3,
       false={"nine tenths of N: count or test fails in most sets": {"numbers": _shrunk},
              "beta smaller by one per cent: below its bound everywhere": {
                  "numbers": lambda *sizes: (*numbers_of(*sizes)[:2], numbers_of(*sizes)[2] * 0.99)},
              "1/c instead of 1/(c-1) in the printed N: at c = 2 its square root": {
                  "size_of_the_paper": lambda d, H, eps, delta, c: int(
                      samples.batch_size_reward_free(d, H, eps, delta, c) ** ((c - 1) / c)) + 1}})
def sizes_satisfy_the_proofs(text, numbers=numbers_of, size_of_the_paper=samples.batch_size_reward_free):
    """N, K and beta of every version, in rational enclosures: Constraints that fail, over all versions and parameter
    sets; the printed size; and the ends of the sets."""
    _, _, epsilons, deltas, trade_offs = zip(*(exact for _, exact in sets()), strict=True)
    ends = {r"$\epsilon$ from": min(epsilons), r"$\delta$ from": min(deltas),
            r"$\delta$ from $10^{-100}$ to": max(deltas), "and $c_K$ from": min(trade_offs)}
    broken = [f"{words} {float(end)}" for words, end in ends.items() if float(text("", after=words)) != float(end)]
    cases = 0
    for floats, sizes in sets():
        for version in VERSIONS:
            n, K, beta = numbers(version, *floats)
            result, cases = constraints(version, n, K, Fraction(beta), sizes), cases + 1
            broken += [f"{version} {floats}: {name}" for name, truth in result.items() if not truth]
        d, H, eps, delta, c = sizes
        if d * H / (delta * eps) >= 2:
            L = logarithm(logarithm(d * H / (delta * eps)))
            wanted = total([(1, logarithm(c)), (6 * c + 1, logarithm(H)), (3 * c, logarithm(d)),
                            (-2 * c, logarithm(eps)), (2 * c, L)])
            n, cases = size_of_the_paper(*floats), cases + 1
            least = total([(1, wanted), (c - 1, logarithm(text("c=")))])
            if not at_least(total([(c - 1, logarithm(n))]), least):
                broken.append(f"paper {floats}")
    return Evidence(len(broken), 0, "identity", f"{cases} cases, versions {', '.join(VERSIONS)}, paper",
                    detail="; ".join(broken[:3]))
