"""These checks establish the theorem without reachability: its sums, side conditions, closed form, and a comparison."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy
from sympy import Rational as R
from sympy import log

from derl.claims import Evidence, check, control, steps
from derl.theory.beyond import truncation
from derl.theory.comparison import zhang
from derl.theory.exact.compared import at_most, every
from derl.theory.exact.logarithms import enclosure
from derl.theory.exact.quotients import remembered, simplified
from derl.theory.exact.symbolic import at_least, below, equal, nonnegative_from

SCALE = R(73, 10)
s, t, u, v, w = sympy.symbols("s t u v w", nonnegative=True)
d, H, K, N, y, beta, epsilon, delta = sympy.symbols("d H K N y beta epsilon delta", positive=True)
E_UP = R(271829, 100000)  # above e
TWO = 2 + t  # d >= 2


@remembered
def whole_condition(share, cut, power, lost=3):
    """144 ... : N y = a P, Y = share e d^{L+1} y <= tau kappa^2/4 with kappa^2 = tau/(cut^2 d^power beta^2 H^2)."""
    L = sympy.Symbol("L", positive=True)
    tau = epsilon / (lost * K * H)
    kappa2 = tau / (cut**2 * d**power * beta**2 * H**2)
    P = sympy.Symbol("P", positive=True)
    needed = sympy.solve(share * sympy.E * d**(L + 1) * (sympy.E / (sympy.E - 1)) * P / N - tau * kappa2 / 4, N)[0]
    return needed, L, P


@check("res-no-reachability", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Losses, the condition on N, side conditions")
def theorem_in_steps(lost=3, design=5600, spanner=6_700_000, blocks=2, planning=1, side=17, most=1,
                     half=R(1, 2)) -> Evidence:
    """2 K tau H from the cuts, H tau from planning; Y <= tau kappa^2/4 at the stated N; what a large N takes along."""
    e2 = E_UP**2 / (E_UP - 1)
    tau = epsilon / (lost * K * H)
    first, L, P = whole_condition(1, 6, 1, lost)
    second, _, _ = whole_condition(3, 120, 4, lost)
    common = d**(L + 1) * beta**2 * H**4 * K**2 * P / epsilon**2
    high, by_design, by_spanner = side * TWO**2, 144 * lost**2, 172800 * lost**2
    return steps([
        "loss from planning",
        ("planning, two sides: (2 H E)^2 = 28 H^2 tau^2/(36 d) <= (H tau)^2 for d >= 2",
         at_least(1, R(28, 36) / TWO, t)),
        ("and with the narrower cut, 28/(14400 d^4)", at_least(1, R(28, 14400) / TWO**4, t)),
        ("2 K H tau + H tau <= epsilon: K = 1 + s",
         at_least(1, ((blocks * K * H * tau + planning * H * tau) / epsilon).subs(K, 1 + s), s)),
        "condition on N",
        ("e < 2.71829, and e^2/(e-1) increases from 2 on: derivative (x^2 - 2x)/(x-1)^2",
         every(below(1, log(E_UP)), equal(sympy.diff(u**2 / (u - 1), u), (u**2 - 2 * u) / (u - 1)**2),
               at_least((2 + s)**2 - 2 * (2 + s), 0, s))),
        ("design: N = 1296 e^2/(e-1) d^{L+2} K^2 H^4 beta^2 P/epsilon^2",
         equal(simplified(first / (common * d)), by_design * sympy.E**2 / (sympy.E - 1))),
        ("spanner: N = 1555200 e^2/(e-1) d^{L+5} K^2 H^4 beta^2 P/epsilon^2",
         equal(simplified(second / (common * d**4)), by_spanner * sympy.E**2 / (sympy.E - 1))),
        ("the constants", every(at_most(by_design * e2, design), at_most(by_spanner * e2, spanner))),
        ("Y <= tau kappa^2/4 makes N >= 17 d^2/(tau kappa^2): 4 e^2/(e-1) log(2H/delta) >= 17.2 log 4 > 17",
         every(below(side / (4 * R(43, 10)), log(4)), below(log(R(27182, 10000)), 1),
               at_most(R(43, 10), R(27182, 10000)**2 / R(17182, 10000)))),
        ("4d/kappa^2 <= N since tau <= 1", at_least(high, 4 * TWO, t)),
        ("8d/eta <= N: design, 112 d H/tau against 612 d^3 beta^2 H^2/tau^2",
         at_least(side * 36 * TWO**3 * (1 + u)**2 * (2 + s), 8 * 14 * TWO, t, s, u)),
        ("8d/eta <= N: spanner, 960 d^3 H/tau against 17 14400 d^6 beta^2 H^2/tau^2",
         at_least(side * 14400 * TWO**6 * (1 + u)**2 * (2 + s), 8 * 120 * TWO**3, t, s, u)),
        ("N >= 16", at_least(high, 16, t)),
        ("tau <= 1/3 for epsilon <= H", at_least(R(1, 3), most * H / (3 * (1 + s) * H), s, H)),
        "events",
        ("failures", at_least(delta, half * delta + half * delta, delta)),
    ], scope="all d >= 2, H >= 2, 1 <= L < H, 0 < epsilon <= H, 0 < delta < 1")


control(theorem_in_steps, "tau = epsilon/(2 K H)", {"lost": 2}, witness="K = 1: 3/2 > 1")
control(theorem_in_steps, "5500 in place of 5600", {"design": 5500}, witness="1296 e^2/(e-1) > 5573")
control(theorem_in_steps, "6.6e6 in place of 6.7e6", {"spanner": 6_600_000}, witness="1555200 e^2/(e-1) > 6.68e6")


@check("res-no-reachability-rate", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The scale, and a number that contains its own logarithm")
def rate_in_steps(design=850_000, spanner=2_000_000_000, scale=SCALE, by_design=R(37, 10), by_spanner=R(52, 10),
                  potential=R(3, 2), least=R(1386, 1000)) -> Evidence:
    """beta^2 <= 7.3 d^2 Lambda; N = C l^2 S iota^2, l = L+5 = 6 + t, iota = log(dH/(epsilon delta)) >= 1.386 + s."""
    wide_l, iota = 6 + t, R(1386, 1000) + s  # wide_l = L + 5
    roots = R(212133, 100000), R(707107, 1000000), R(221, 100)  # above sqrt(9/2) and 1/sqrt 2; below sqrt(4.9)
    wide = roots[0] + (roots[1] + R(1, 2)) / roots[2]
    cases = []
    for name, big, constant, factor, power in (("design", design, 5600, by_design, 1),
                                               ("spanner", spanner, 6_700_000, by_spanner, R(3, 2))):
        rest = R(1934, 100) if name == "design" else R(2709, 100)
        cases += [
            "constant",
            (f"{name}: 3/2 7.3 c c'^2 <= C", at_most(R(3, 2) * R(73, 10) * constant * factor**2, big)),
            "logarithm",
            (f"{name}: log 8 + log C + 2 log 6", below(log(8) + log(big) + 2 * log(6), rest)),
            (f"{name}: log(8HN/delta) <= c' l iota",
             at_least(factor * wide_l * iota, power * wide_l * iota + iota + R(3, 4) * iota + t / 3 + rest, t, s)),
        ]
    return steps([
        "scale",
        ("d(d+7) <= (9/2) d^2 for d >= 2", at_least(R(9, 2) * TWO**2, TWO * (TWO + 7), t)),
        ("2 log(4H/delta) <= d(d+7) log(4H/delta)", at_least(TWO * (TWO + 7), 2, t)),
        ("Lambda = log(4H(1+N)/delta) >= log 136 > 4.9", below(R(49, 10), log(136))),
        ("roots", every(at_most(R(9, 2), roots[0]**2), at_most(R(1, 2), roots[1]**2), at_most(roots[2]**2, R(49, 10)))),
        ("beta <= (2.12133 + (0.7072 + 0.5)/2.21) d sqrt Lambda", at_most(wide**2, scale)),
        ("3/2 d log(1 + N/d) + log(2H/delta) <= 3/2 d Lambda",
         at_least(potential * TWO * (u + v + w), R(3, 2) * TWO * u + v, t, u, v, w)),
        "logarithm",
        ("iota > 1.386: dH/(epsilon delta) > 4", below(least, log(4))),
        ("S <= x^{L+5}, x = dH/(epsilon delta), L = 1 + t: H^6 epsilon^{-2} <= (H/epsilon)^{L+5}",
         every(at_least((1 + t) + 5, 6, t), at_least((1 + t) + 5, 2, t))),
        ("spanner: S <= x^{L+8}, L + 8 <= (3/2)(L + 5)", at_least(R(3, 2) * wide_l, wide_l + 3, t)),
        ("log z <= z - 1 for z >= 1: log l <= log 6 + (l - 6)/6", nonnegative_from(u - 1 - log(u), u, 1)),
        ("and for z <= 1: log iota <= 3/8 iota - 1 + log(8/3)", nonnegative_from(log(1 + u) - u / (1 + u), u, 0)),
        ("log(8/3) < 1", below(log(R(8, 3)), 1)),
        *cases,
        "constant",
        ("a larger N: N/Lambda^2 increases where Lambda > 2: derivative (Lambda - 2 N/(1+N))/Lambda^3",
         at_least((2 + u), 2 * v / (1 + v), u, v)),
        "logarithm",
        ("and log(4H(1+N)/delta) <= log(8HN/delta)", at_least(2 * (1 + u), 1 + (1 + u), u)),
    ], scope="all d >= 2, H >= 2, 1 <= L < H, 0 < epsilon <= 1, 0 < delta < 1")


control(rate_in_steps, "C = 800000", {"design": 800_000}, witness="61320 3.7^2 = 839471")
control(rate_in_steps, "C = 1.9e9 for spanners", {"spanner": 1_900_000_000}, witness="73365000 5.2^2 > 1.98e9")
control(rate_in_steps, "beta^2 <= 7 d^2 Lambda", {"scale": 7}, witness="2.6676^2 > 7.1")


@check("res-no-reachability-rate", method="exhaustive", arithmetic="float64", gap="a grid; float64",
       covers="d, H, L, epsilon, delta on a grid", title="Closed form against the least N")
def closed_form_is_enough(factor=1.0) -> Evidence:
    """The largest ratio of what the theorem demands at the closed form to the closed form."""
    worst = 0.0
    for cover in truncation.COVERS:
        for dim in (2, 3, 10, 100):
            for horizon in (2, 3, 8, 50):
                for block in {1, 2, horizon - 1} & set(range(1, min(horizon, 20))):
                    for accuracy, failure in ((1, 0.5), (1, 1e-9), (0.01, 0.1), (1e-6, 1e-6)):
                        n = factor * truncation.closed_form(dim, horizon, block, accuracy, failure, cover)
                        worst = max(worst, truncation.demanded(dim, horizon, block, accuracy, failure, n, cover) / n)
    return Evidence(worst, 1, "upper", "both covers, d up to 100, H up to 50, epsilon down to 1e-6")


control(closed_form_is_enough, "a fiftieth of the closed form", {"factor": 0.02})


@check("res-no-reachability-known", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Trajectories in all, against Zhang et al. 2025")
def fewer_than_before(power=8, constant=2 * 10**9, gain=28 * 10**6, dims=6, accuracies=3, own=9,
                      literal_constant=2048) -> Evidence:
    """(H-1) N of the spanner at L = 1 over 2.048e18 d^15 H^15 iota/epsilon^5; d = 40 + t, H = 40 + s."""
    dim, horizon, accuracy = 40 + t, 40 + s, 1 / (40 + u)
    ours = constant * 36 * dim**own * horizon**7 / accuracy**2
    theirs = 2 * 32_000**2 * 10**9 * dim**15 * horizon**15 / accuracy**5
    literal = zhang.trajectories(40, 40, 1 / 40, 0.1)
    log_up = enclosure(Fraction(640_000))[1]
    return steps([
        "their batches",
        ("theirs, all of it: H H 2 m^2 N",
         equal(2 * (32_000 * d**4 * H**3 / epsilon)**2 * H**2 * 10**9 * d**7 * H**7 / epsilon**3,
               R(literal_constant * 10**15) * d**15 * H**15 / epsilon**5)),
        "our batches",
        ("ours, closed form at L = 1: K < H", at_least(H**2, H**2 / (1 + s), H, s)),
        ("ours times 2.8e7 d^6 H^8/epsilon^3 is at most theirs",
         at_least(theirs, gain * dim**dims * horizon**power / accuracy**accuracies * ours, s, t, u)),
        "their batches",
        ("at d = H = 40, epsilon = 1/40, delta = 1/10 the kernel of theirs says the same, between 13.3 and 14 times",
         every(at_most(theirs_at(40, 40, Fraction(1, 40)) * Fraction(133, 10), Fraction(math.floor(literal))),
               at_most(Fraction(math.ceil(literal)), theirs_at(40, 40, Fraction(1, 40)) * 14))),
        ("log(dH/(epsilon delta)) = log 640000 there", every(at_most(Fraction(133, 10), log_up), at_most(log_up, 14))),
    ], scope="all d, H >= 40, epsilon <= 1/40, where Theorem 4 there holds; its trajectories over log, ours over log^2")


def theirs_at(dim, horizon, accuracy):
    """2.048e18 d^15 H^15/epsilon^5, exactly."""
    return 2 * 32_000**2 * 10**9 * Fraction(dim)**15 * Fraction(horizon)**15 / Fraction(accuracy)**5


control(fewer_than_before, "a factor H^9 in place of H^8", {"power": 9}, witness="d = H = 40: 40 times too much")
control(fewer_than_before, "the closed form with 3e9", {"constant": 3 * 10**9}, witness="28e6 36 3e9 > 2.048e18")
