"""These checks establish the theorem without reachability: its sums, side conditions, closed form, and a comparison."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy
from sympy import Rational as R
from sympy import log

from derl.claims import Evidence, claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.quotients import simplified
from derl.exact.symbolic import at_least, below, equal, nonnegative_from
from derl.theory.beyond import truncation
from derl.theory.comparison import zhang

SCALE = R(73, 10)
s, t, u, v, w = sympy.symbols("s t u v w", nonnegative=True)
d, H, K, N, y, beta, epsilon, delta = sympy.symbols("d H K N y beta epsilon delta", positive=True)
E_UP = R(271829, 100000)  # above e
TWO = 2 + t  # d >= 2


def share_of_size(text, law, block, cover, share, words):
    """What Y <= tau kappa^2/4 asks of N, over the N of the theorem; each as the statements print it."""
    L, P = sympy.symbols("L P", positive=True)
    last = r"\frac32d\log(1+\frac Nd)+\log\frac{2H}\delta"  # P
    tau = text(r"\tau=", epsilon=epsilon, K=K, H=H)
    y = law(r"\operatorname{tr}(\Sigma_h^{-1}\Lambda_h)\le y=", {last: P}, N=N, e=sympy.E)
    Y = block("Y=", c=share, e=sympy.E, d=d, L=L, y=y)
    limit = block(r"Y=...\le", tau=tau, kappa=cover(r"\kappa=", tau=tau, d=d, beta=beta, H=H))
    stated = text(r"N\ge", {last: P}, c=text("c=", after=words), p=text("p=", after=words), d=d, L=L, K=K, H=H,
                  beta=beta, epsilon=epsilon)
    return simplified(Y * N / limit / stated)


def sizes_of_covers(text, law, block, estimates, design, spanner):
    """For designs and for spanners: the loss from planning, the N that is needed, and the grid."""
    small, wide, layers = 1 / (1 + v), 1 + u, 2 + s  # tau <= 1, beta >= 1, H >= 2
    loss, needed, grids = [], [], []
    for share, cover, words in ((1, design, "res-design-cover"), (3, spanner, "res-spanner-cover")):
        kappa = cover(r"\kappa=", tau=small, d=TWO, beta=wide, H=layers)
        error = estimates("E=", beta=wide, H=layers, kappa=kappa, tau=small)
        loss.append(at_least((layers * small) ** 2, sympy.expand((2 * layers * error) ** 2), t, s, u, v))
        grids.append(at_least(estimates(r"N\ge", d=TWO, tau=small, kappa=kappa), 8 * TWO / cover(
            r"\eta=", tau=small, d=TWO, H=layers), t, s, u, v))
        needed.append(at_least(1, share_of_size(text, law, block, cover, share, words).subs(sympy.E, E_UP)))
    return loss, needed, grids


def loss_from_planning_of_theorem(text, blocks, planning, half, estimates, loss, needed, grids):
    """The parts "loss from planning", "condition on N" and "events" of `theorem_in_steps`."""
    tau = text(r"\tau=", epsilon=epsilon, K=K, H=H)
    side = estimates(r"N\ge", d=1, tau=1, kappa=1)
    high = side * TWO**2
    return [
        "loss from planning",
        hypotheses(text, ("for all linear rewards in",), "With probability at least",
                   least=(("d", 2), ("H", 2), ("L", 1))),
        ("planning, two sides: (2 H E)^2 = 28 H^2 tau^2/(36 d) <= (H tau)^2 for d >= 2",
         loss[0]),
        ("and with the narrower cut, 28/(14400 d^4)", loss[1]),
        ("2 K H tau + H tau <= epsilon: K = 1 + s",
         at_least(1, ((blocks * K * H * tau + planning * H * tau) / epsilon).subs(K, 1 + s), s)),
        "condition on N",
        ("e < 2.71829, and e^2/(e-1) increases from 2 on: derivative (x^2 - 2x)/(x-1)^2",
         every(below(1, log(E_UP)), equal(sympy.diff(u**2 / (u - 1), u), (u**2 - 2 * u) / (u - 1)**2),
               at_least((2 + s)**2 - 2 * (2 + s), 0, s))),
        ("design: N = 1296 e^2/(e-1) d^{L+2} K^2 H^4 beta^2 P/epsilon^2 is enough", needed[0]),
        ("spanner: N = 1555200 e^2/(e-1) d^{L+5} K^2 H^4 beta^2 P/epsilon^2 is enough", needed[1]),
        ("Y <= tau kappa^2/4 makes N >= 17 d^2/(tau kappa^2): 4 e^2/(e-1) log(2H/delta) >= 17.2 log 4 > 17",
         every(below(side / (4 * R(43, 10)), log(4)), below(log(R(27182, 10000)), 1),
               at_most(R(43, 10), R(27182, 10000)**2 / R(17182, 10000)))),
        ("4d/kappa^2 <= N since tau <= 1", at_least(high, 4 * TWO, t)),
        ("8d/eta <= N: design, 112 d H/tau against 612 d^3 beta^2 H^2/tau^2", grids[0]),
        ("8d/eta <= N: spanner, 960 d^3 H/tau against 17 14400 d^6 beta^2 H^2/tau^2", grids[1]),
        ("N >= 16", at_least(high, 16, t)),
        ("tau <= 1/3 for epsilon <= H", at_least(estimates.range(r"\tau").high, text(
            r"\tau=", epsilon=text.range(r"\epsilon", H=H).high, K=1 + s, H=H), s, H)),
        "events",
        ("failures", at_least(delta, half * delta + half * delta, delta)),
    ]


@claim("res-no-reachability", plants=4,
       false={"a block loses 3 tau": {"blocks": 3},
              "planning loses 2 H tau": {"planning": 2},
              "events at 51/100 delta": {"half": R(51, 100)}})
def theorem_in_steps(text, blocks=2, planning=1, half=R(1, 2), law=printed("res-law-uncertainty"),
                     block=printed("res-cut-block"), estimates=printed("res-cut-estimates"),
                     design=printed("res-design-cover"), spanner=printed("res-spanner-cover")):
    """Losses, the condition on N, side conditions: 2 K tau H from the cuts, H tau from planning; Y <= tau kappa^2/4 at
    the stated N; what a large N takes along."""
    sizes = sizes_of_covers(text, law, block, estimates, design, spanner)
    return steps(loss_from_planning_of_theorem(text, blocks, planning, half, estimates, *sizes),
                 scope="all d >= 2, H >= 2, 1 <= L < H, 0 < epsilon <= H, 0 < delta < 1")


def scale_of_rate(text, scale, potential, least, regression, cases):
    """The parts "scale" and "logarithm" of `rate_in_steps`."""
    level, x, z = sympy.symbols("iota x z", positive=True)
    wide_l = 6 + t  # wide_l = L + 5
    roots = R(212133, 100000), R(707107, 1000000), R(221, 100)  # above sqrt(9/2) and 1/sqrt 2; below sqrt(4.9)
    wide = roots[0] + (roots[1] + R(1, 2)) / roots[2]
    root = regression(r"\beta=", {r"\log(1+N)": x, r"\log\tfrac{4H}\delta": z}, d=TWO)
    return [
        "scale",
        ("d(d+7) l + 2 m <= (9/2) d^2 (l + m) for d >= 2", at_least(
            R(9, 2) * TWO**2 * (x + z), sympy.expand((root - sympy.sqrt(TWO) - 1)**2), t, x, z)),
        ("Lambda = log(4H(1+N)/delta) >= log 136 > 4.9", below(R(49, 10), log(136))),
        ("roots", every(at_most(R(9, 2), roots[0]**2), at_most(R(1, 2), roots[1]**2), at_most(roots[2]**2, R(49, 10)))),
        ("beta <= (2.12133 + (0.7072 + 0.5)/2.21) d sqrt Lambda", at_most(wide**2, scale)),
        ("3/2 d log(1 + N/d) + log(2H/delta) <= 3/2 d Lambda",
         at_least(potential * TWO * (u + v + w), R(3, 2) * TWO * u + v, t, u, v, w)),
        "logarithm",
        ("iota > 1.386: dH/(epsilon delta) > 4", below(least, log(R(4 / text.range(r"\epsilon").high)))),
        ("S <= x^{L+5}, x = dH/(epsilon delta), L = 1 + t: H^6 epsilon^{-2} <= (H/epsilon)^{L+5}",
         every(at_least((1 + t) + 5, 6, t), at_least((1 + t) + 5, 2, t))),
        ("spanner: S <= x^{L+8}, L + 8 <= (3/2)(L + 5)", at_least(R(3, 2) * wide_l, wide_l + 3, t)),
        ("log z <= z - 1 for z >= 1: log l <= log 6 + (l - 6)/6", nonnegative_from(u - 1 - log(u), u, 1)),
        ("and for z <= 1: log iota <= 3/8 iota - 1 + log(8/3)", nonnegative_from(log(1 + u) - u / (1 + u), u, 0)),
        ("log(8/3) < 1", below(log(R(8, 3)), 1)),
        *cases,
    ]


def constant_of_rate(text, theorem):
    """The parts "constant" and "logarithm" of `rate_in_steps`."""
    L = sympy.Symbol("L", positive=True)
    orders = {r"\tilde O": lambda order: order, "d": d, "K": K, "H": H, "epsilon": epsilon, "L": L}

    def closed(power, **sizes):  # N without logarithms, constants and powers of L
        sizes = {"d": d, "K": K, "H": H, "epsilon": epsilon} | sizes
        return text(r"N\ge", {r"\log^2\frac{dH}{\epsilon\delta}": 1}, C=1, p=power, **sizes) / (sizes["L"] + 5) ** 2

    return [
        "constant",
        ("the orders of N, and those of H - 1 deployments of one layer each", every(
            *(equal(text("N=", after=words, **orders), closed(power, L=L)) for words, power in (
                ("for a design,", 2), ("for spanners,", 5))),
            *(equal(text("", after="these are", skip=at, **orders), closed(power, L=1, K=H))
              for at, power in ((1, 2), (2, 5))),
            exactly([text("", after="these are", H=layers) for layers in (2, 5)],
                    [theorem("K=", H=layers, L=1) for layers in (2, 5)]))),
        ("a larger N: N/Lambda^2 increases where Lambda > 2: derivative (Lambda - 2 N/(1+N))/Lambda^3",
         at_least((2 + u), 2 * v / (1 + v), u, v)),
        "logarithm",
        ("and log(4H(1+N)/delta) <= log(8HN/delta)", at_least(2 * (1 + u), 1 + (1 + u), u)),
    ]


@claim("res-no-reachability-rate", plants=4,
       false={"beta^2 <= 7 d^2 Lambda": ({"scale": 7}, "2.6676^2 > 7.1"),
              "beta^2 <= 71/10 d^2 Lambda": {"scale": R(71, 10)},
              "Lambda <= 18/5 l iota": {"by_design": R(18, 5)},
              "Lambda <= 5 l iota for spanners": {"by_spanner": 5},
              "7/5 d Lambda for the potential": {"potential": R(7, 5)},
              "iota >= 7/5": {"least": R(7, 5)}})
def rate_in_steps(text, scale=SCALE, by_design=R(37, 10), by_spanner=R(52, 10), potential=R(3, 2), least=R(1386, 1000),
                  theorem=printed("res-no-reachability"), regression=printed("res-cut-regression")):
    """The scale, and a number that contains its own logarithm: beta^2 <= 7.3 d^2 Lambda; N = C l^2 S iota^2, l = L+5 =
    6 + t, iota = log(dH/(epsilon delta)) >= 1.386 + s."""
    L, level = sympy.symbols("L iota", positive=True)
    wide_l, iota = 6 + t, R(1386, 1000) + s  # wide_l = L + 5
    cases = []
    own = {r"\log^2\frac{dH}{\epsilon\delta}": level**2}
    last = r"\frac32d\log(1+\frac Nd)+\log\frac{2H}\delta"
    for name, words, factor, power in (("design", "holds for every", by_design, 1),
                                       ("spanner", "for a design", by_spanner, R(3, 2))):
        big = text("C=", after=words, numbers=R)
        result = {key: theorem(f"{key}=", after=f"res-{name}-cover") for key in "cp"}
        terms = {"d": d, "K": K, "H": H, "epsilon": epsilon, "L": L}
        wanted = theorem(r"N\ge", {last: R(3, 2) * d * factor * (L + 5) * level}, **result, **terms,
                         beta=d * sympy.sqrt(R(73, 10) * factor * (L + 5) * level))
        rest, key = R(1934, 100) if name == "design" else R(2709, 100), r"N\ge"
        cases += [
            "constant",
            (f"{name}: {text.shown(key)} is enough: 3/2 7.3 c c'^2 <= C", at_least(
                1, simplified(wanted / text(key, own, C=big, p=result["p"], **terms)), L)),
            "logarithm",
            (f"{name}: log 8 + log C + 2 log 6", below(log(8) + log(big) + 2 * log(6), rest)),
            (f"{name}: log(8HN/delta) <= c' l iota",
             at_least(factor * wide_l * iota, power * wide_l * iota + iota + R(3, 4) * iota + t / 3 + rest, t, s)),
        ]
    return steps([*scale_of_rate(text, scale, potential, least, regression, cases), *constant_of_rate(text, theorem)],
                 scope="all d >= 2, H >= 2, 1 <= L < H, 0 < epsilon <= 1, 0 < delta < 1")


@claim("res-no-reachability-rate", method="exhaustive", arithmetic="float64",
       covers="d, H, L, epsilon, delta on a grid", gap="a grid; float64",
       false={"a fiftieth of the closed form": {"factor": 0.02}})
def closed_form_is_enough(factor=1.0):
    """Closed form against the least N: The largest ratio of what the theorem demands at the closed form to the closed
    form."""
    worst = 0.0
    for cover in truncation.COVERS:
        for dim in (2, 3, 10, 100):
            for horizon in (2, 3, 8, 50):
                for block in {1, 2, horizon - 1} & set(range(1, min(horizon, 20))):
                    for accuracy, failure in ((1, 0.5), (1, 1e-9), (0.01, 0.1), (1e-6, 1e-6)):
                        n = factor * truncation.closed_form(dim, horizon, block, accuracy, failure, cover)
                        worst = max(worst, truncation.demanded(dim, horizon, block, accuracy, failure, n, cover) / n)
    return Evidence(worst, 1, "upper", "both covers, d up to 100, H up to 50, epsilon down to 1e-6")


@claim("res-no-reachability-known", plants=4,
       false={"2.03e18 for theirs": {"literal_constant": 2030},
              "2.049e18 for theirs": {"literal_constant": 2049}})
def fewer_than_before(text, literal_constant=2048, rate=printed("res-no-reachability-rate")):
    """Trajectories in all, against Zhang et al. 2025: (H-1) N of the spanner at L = 1 over 2.048e18 d^15 H^15
    iota/epsilon^5."""
    least, most = int(text.range("H").low), text.range(r"\epsilon").high
    iota = sympy.Symbol("iota", positive=True)
    sizes = {"d": d, "H": H, "epsilon": epsilon, "iota": iota}
    ours, theirs = text("", after="requires at most", **sizes), text("", after="require at least", **sizes)
    gain = text("", after="at least the factor", **sizes)
    closed = rate(r"N\ge", {r"\log^2\frac{dH}{\epsilon\delta}": iota**2}, C=rate("C=", after="for a design"), L=1,
                  p=5, d=d, H=H, K=H / (1 + v), epsilon=epsilon)
    literal = zhang.trajectories(least, least, float(most), 0.1)
    log_up = enclosure(10 * least**2 / most)[1]
    return steps([
        "their batches",
        ("theirs, all of it: H H 2 m^2 N",
         equal(2 * (32_000 * d**4 * H**3 / epsilon)**2 * H**2 * 10**9 * d**7 * H**7 / epsilon**3,
               R(literal_constant * 10**15) * d**15 * H**15 / epsilon**5)),
        "our batches",
        ("theirs from below", at_least(1, theirs / (R(literal_constant * 10**15) * d**15 * H**15 / epsilon**5 * iota))),
        ("ours, closed form at L = 1 in H - 1 deployments: K < H", at_least(1, simplified(closed * H / ours), v)),
        ("ours times 2.8e7 d^6 H^8/(epsilon^3 iota) is at most theirs", at_least(1, gain * ours / theirs)),
        "their batches",
        ("at d = H = 40, epsilon = 1/40, delta = 1/10 the kernel of theirs says the same, between 13.3 and 14 times",
         every(at_most(theirs_at(least, least, most) * Fraction(133, 10), Fraction(math.floor(literal))),
               at_most(Fraction(math.ceil(literal)), theirs_at(least, least, most) * 14))),
        ("log(dH/(epsilon delta)) = log 640000 there", every(at_most(Fraction(133, 10), log_up), at_most(log_up, 14))),
    ], scope="all d, H >= 40, epsilon <= 1/40, where Theorem 4 there holds; its trajectories over log, ours over log^2")


def theirs_at(dim, horizon, accuracy):
    """2.048e18 d^15 H^15/epsilon^5, exactly."""
    return 2 * 32_000**2 * 10**9 * Fraction(dim)**15 * Fraction(horizon)**15 / Fraction(accuracy)**5
