"""These checks establish that designs modulo a known mean feature dominate every action, and layer after layer.

The identity is taken in symbols; random polytopes and linear MDPs are tried, and the laws that policies reach are
compared with the law of the mixture. On the junk lock the designs alone, without the first policy before them, fail.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.algorithms.state_designs import layer_leverage, modulo, state_designs
from derl.claims import Evidence, claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, by_sign, equal, nonnegative_from, same_fraction
from derl.mdp import exact, instances, planning
from derl.theory.beyond.laws import state_laws
from derl.theory.beyond.modulo import slack

SEED = 20261126
s, t, u, z = sympy.symbols("s t u z", nonnegative=True)
N, d, H, delta, g, x, y = sympy.symbols("N d H delta g x y", positive=True)
E1 = sympy.E - 1


def rebuilt(points, known, rho, own: bool):
    """sum_b rho_b c_ab phi_b + beta v - phi_a for the first of the actions phi = (1, point), and sum_b rho_b c_ab^2."""
    rest = [point - known for point in points]  # features modulo v: a linear image of phi - (v'phi/v'v) v
    V = sum((w * r * r.T for w, r in zip(rho, rest, strict=True)), sympy.zeros(len(known)))
    inverse = V.adjugate() / V.det()
    c = [(r.T * inverse * rest[0])[0] for r in rest]
    beta = 1 - (sum(w * k for w, k in zip(rho, c, strict=True)) if own else 0)
    combined = sum((w * k * p for w, k, p in zip(rho, c, points, strict=True)), sympy.zeros(len(known), 1))
    total = sum(w * k for w, k in zip(rho, c, strict=True))
    return [*(combined + beta * known - points[0]), total + beta - 1], sum(
        w * k**2 for w, k in zip(rho, c, strict=True)) - c[0]


def combination_of_modulo(text, own, bound):
    """The parts "combination", "coefficients" and "raised coefficients" of `modulo_in_steps`."""
    k, r = sympy.symbols("k r", nonnegative=True)
    rho = sympy.symbols("rho0:3", positive=True)
    plane = [sympy.Matrix([sympy.Symbol(f"x{i}", real=True)]) for i in range(3)]
    space = [sympy.Matrix(sympy.symbols(f"x{i} y{i}", real=True)) for i in range(3)]
    first, square = rebuilt(plane, sympy.Matrix([sympy.Symbol("v", real=True)]), rho, own)
    second, other = rebuilt(space, sympy.zeros(2, 1), rho, own)
    p, q, slack = (sympy.symbols(f"{name}0:3", nonnegative=True) for name in "pqw")
    mean, feature = sympy.Matrix(sympy.symbols("v0:2", real=True)), sympy.Matrix(sympy.symbols("f0:2", real=True))
    rest = text(r"\psi_a=", {r"\phi_a": feature, r"v^\top\phi_a": mean.dot(feature), "|v|^2": mean.dot(mean),
                             "v": mean})
    leverage = text(r"\psi_a^\top V^+\psi_a\le", g=k**2)
    signed = sum((leverage - c) * w * law for w, law, c in zip(rho, p, slack, strict=True))
    played = sum(w * law for w, law in zip(rho, p, strict=True))
    return [
        "combination",
        ("psi is orthogonal to v, and phi - psi is a multiple of v", every(
            same_fraction(mean.dot(rest), 0), same_fraction(sympy.Matrix.hstack(feature - rest, mean).det(), 0))),
        ("phi_a = sum rho_b c_ab phi_b + (1 - sum rho_b c_ab) v in the plane", every(
            same_fraction(entry, 0) for entry in first)),
        ("and in space", every(same_fraction(entry, 0) for entry in second)),
        "coefficients",
        ("sum rho_b c_ab^2 = psi_a' V^+ psi_a", every(same_fraction(square, 0), same_fraction(other, 0))),
        ("c^2 <= g^2: leverages g/(1+s) and g/(1+t)", at_least(leverage**2, k**4 / ((1 + s) * (1 + t)), k, s, t)),
        ("(sum rho c)^2 <= sum rho c^2: the difference is a variance",
         equal(z * x**2 + (1 - z) * y**2 - (z * x + (1 - z) * y) ** 2, z * (1 - z) * (x - y) ** 2)),
        ("|1 - S| <= 1 + k for S = k - s and S = s - k, 0 <= s <= k, k = sqrt g", every(
            at_least(bound(0, 1, r + s), 1 - (s - (r + s)), r, s),
            at_least(bound(0, 1, r + s), (r + s) - s - 1, r, s))),
        "raised coefficients",
        ("coefficients g - w and 1 + sqrt g - u may be raised", at_least(
            bound(played, q[0], k), signed + (1 + k) * q[0] - u * q[0] - s * q[0], k, u, s, *rho, *p, *q, *slack)),
    ]


def attained_of_modulo(text, bound):
    """The part "attained" of `modulo_in_steps`."""
    return [
        "attained",
        ("orthonormal features, v = e_d: 1 against 1/(d-1), and d - 1 is the rank of what is orthogonal to v", every(
            equal(1 / (1 / text("", after="smaller in general, because", d=d)), text(r"r'\le", d=d)),
            *(exactly((sympy.eye(size) - sympy.ones(size, size) / size).rank(), text(r"r'\le", d=size))
              for size in range(int(text(r"d\ge")), 5)))),
        ("phi_2 = 2v - phi_1, the design on phi_1, c = -1: 1 + sqrt 1 times the law", every(equal(
            *text.sides(r"1+\sqrt g=", g=text("g="))), equal(1 - (-1), bound(0, 1, text("g="))))),
    ]


@claim("res-design-modulo-law", false={"the weight 1 for the known law": {"own": False}})
def modulo_in_steps(text, own=True):
    """The signed combination, its coefficients, and what may be dropped: Features (1, x) with the mean feature (1, y),
    in the plane and in space; both factors and their attainment."""

    def bound(played, law, root):
        return text(r"P(\cdot\mid a)\le", {r"\sum_b\rho'_bP(\cdot\mid b)": played, r"v^\top\mu": law}, g=root**2)

    return steps([*combination_of_modulo(text, own, bound), *attained_of_modulo(text, bound)],
                 "every state and design, signed measures; the identity for two and three dimensions in symbols")


@claim("res-design-modulo-law", method="stress", arithmetic="float64", covers="random polytopes and nonnegative laws",
       gap="random instances",
       false={"a quarter less": {"scale": 0.75},
              "without the known law": {"known": 0.0}})
def polytopes_modulo_a_law(scale=1.0, known=1.0):
    """Random polytopes, signed combinations, and the largest ratio: Largest P(.|a)/(g P(.|rho') + (1 + sqrt g) v'mu); v
    is a mean of features of other states too."""
    rng, worst = np.random.default_rng(np.random.SeedSequence(SEED)), 0.0
    for dim, n in product((2, 3, 4, 6), (2, 3, 5, 9)):
        for _ in range(20):
            points = rng.standard_normal((2 * n, dim - 1)) * np.geomspace(1, 10.0 ** -rng.integers(0, 3), dim - 1)
            phi = np.hstack([np.ones((2 * n, 1)), points / np.linalg.norm(points, axis=1).max()]) / np.sqrt(2)
            mean = rng.dirichlet(np.full(2 * n, rng.choice([0.1, 1.0]))) @ phi
            own = phi[None, :n]
            rest = modulo(own, np.ones((1, n), bool), mean)
            weights, _ = state_designs(rest)
            leverage = layer_leverage(rest, np.ones((1, n), bool), weights)
            heights = points @ rng.standard_normal((500, dim - 1)).T
            laws = heights.max(axis=0) - heights  # not negative, zero at one pair, linear in phi
            at_mean = np.linalg.lstsq(phi.T, mean, rcond=None)[0] @ laws
            bound = leverage * weights[0] @ laws[:n] + known * (1 + math.sqrt(leverage)) * np.maximum(at_mean, 0)
            worst = max(worst, (laws[:n].max(axis=0) / np.maximum(bound, 1e-12)).max())
    return Evidence(worst, scale, "upper", f"320 states with 500 laws each, seed {SEED}", tolerance=1e-6)


@claim("res-mean-law",
       false={"e^x <= 1 + x on [0, 1]": ({"slope": 1 / E1}, "x = 1: e > 2"),
              "99/100 (e - 1)": {"slope": sympy.Rational(99, 100)},
              "a net of mesh 2/N": {"mesh": 2},
              "a net of mesh 1/(2N)": {"mesh": sympy.Rational(1, 2)},
              "what u adds counted half": {"added": sympy.Rational(1, 2)},
              "3/2 of the layers": {"layers": sympy.Rational(3, 2)}})
def mean_law_in_steps(text, slope=1, mesh=1, added=1, layers=1):
    """The chord of the exponential, the net, the union: e^x <= 1 + (e - 1) x; a net of mesh 1/N; what u' adds to u; H -
    1 layers."""
    chord = 1 + slope * E1 * z - sympy.exp(z)
    level, mean = sympy.symbols("L m", positive=True)
    logs = {r"\log(1+2N)": x, r"\log\frac H{\delta_1}": y}
    return steps([
        "one vector",
        hypotheses(text, ("of states with values in",)),
        ("1 + (e - 1) x - e^x is 0 at 0 and at 1", every(equal(chord.subs(z, 0), 0), equal(chord.subs(z, 1), 0))),
        ("1 + y <= e^y", nonnegative_from(z - sympy.log(1 + z), z, 0)),
        "net",
        ("mesh 1/N: ((1 + 1/(2N))/(1/(2N)))^d = (1 + 2N)^d, one dimension",
         equal((1 + mesh / (2 * N)) / (mesh / (2 * N)), 1 + 2 * N)),
        "neighbour in the net",
        ("from u' to u: (L + e - 1 + 1)/N = (L + e)/N",
         equal(level / N + E1 * mesh / N + added * mesh / N, (level + sympy.E) / N)),
        ("alpha is (L + e)/N with L = d log(1 + 2N) + log(H/delta), and (e - 1) is the slope of the chord", every(
            equal(text(r"\alpha=", logs, d=d, N=N, e=sympy.E), (d * x + y + sympy.E) / N),
            equal(text(r"\hat v_t^\top\int f\,d\mu_t\le", {r"\lambda_{t+1}(f)": mean, r"\alpha": g}, e=sympy.E),
                  E1 * mean + g))),
        "failures",
        ("e^-L (1 + 2N)^d = delta/H for L = d log(1 + 2N) + log(H/delta)", equal(
            sympy.exp(-d * sympy.log(1 + 2 * N) - sympy.log(H / delta)) * (1 + 2 * N) ** d, delta / H)),
        ("H - 1 layers: at most delta", at_least(1 - text("", {r"\delta_1": delta}, after="With probability at least"),
                                                 layers * t * delta / (1 + t), t, delta)),
    ], "all d, H, N, delta; independent trajectories of any policy")


@claim("res-mean-law", method="exhaustive", covers="binomial counts, N <= 60", gap="a grid",
       false={"the mean itself, and a third of the logarithm": {"slope": Fraction(1), "share": Fraction(1, 3)}})
def binomial_tails(slope=Fraction(17183, 10000), share=1):
    """Exact binomial tails for one function: P(X > (e-1) N m + L) <= e^-L for X binomial; `slope` above e - 1, L
    rounded down; L = log k and N alpha - e."""
    result, at_alpha = [], []

    def tail(size, mean, level):
        level = slope * size * mean + Fraction(math.floor(1000 * level), 1000) * share
        return sum(math.comb(size, j) * mean**j * (1 - mean) ** (size - j) for j in range(size + 1) if j > level)

    for size, mean, k in product((3, 10, 30, 60), (Fraction(1, 30), Fraction(1, 5), Fraction(1, 2)), (2, 10, 100)):
        result.append(at_most(tail(size, mean, math.log(k)), Fraction(1, k)))
        for d, horizon in ((1, 2), (2, 5)):
            level = size * slack(d, horizon, 1 / k, size) - math.e
            at_alpha.append(at_most(tail(size, mean, level), Fraction(1, k * horizon * (1 + 2 * size) ** d)))
    return steps([(f"{len(result)} tails", every(result)),
                  (f"{len(at_alpha)} tails at L = N alpha - e: at most delta_1/(H (1 + 2N)^d)", every(at_alpha))],
                 "exact rationals")


def one_layer_of_modulo_chain(text, known, starts, mass, design, mean, printed_bound):
    """The parts "one layer" and "induction" of `modulo_chain_in_steps`."""
    k, P, w, a = sympy.symbols("k P w a", positive=True)
    m, R, law, seen = sympy.symbols("m R l q", nonnegative=True)
    root = 1 + x
    power = 1 + w  # g^j >= 1
    B = 1 + root
    W = power + E1 * B * (power - 1) / (root**2 - 1)
    e, leverage = 1 + seen, root**2
    start = text.function(r"\hat v_t^\top\int f\,d\mu_t\le", r"\lambda_{t+1}(f)", r"\alpha", "e")
    return [
        "one layer",
        hypotheses(text, ("for all $f$ with values in", "for every $f$ with values in")),
        ("law(s_{t+1}) <= g m R + (1 + sqrt g) |m| v'mu with |m| = 1/(1 + u) <= 1",
         at_least(design(m * R, known * law, k**2), (k**2 * m * R + (1 + k) * law * mass / (1 + u)), k, m, R, law, u)),
        ("the means of features are those of the mean law", equal(start(law, a, e), mean(law, a, e))),
        "induction",
        ("W_{j+1} = g W_j + (e - 1)(1 + sqrt g)", same_fraction(
            (W.subs(w, power * root**2 - 1) - root**2 * W - starts * E1 * B).subs(sympy.E, seen + 1), 0)),
        ("the printed bound: m f for j = 0, and one more layer adds one start", every(
            equal(printed_bound(0, P, law, a), P), *(same_fraction(
                printed_bound(j + 1, P, law, a), design(printed_bound(j, P, law, a), start(law, a, e), leverage))
                for j in range(4)))),
    ]


def weights_of_modulo_chain(text, printed_bound, weight):
    """The part "weights" of `modulo_chain_in_steps`."""
    P, w, a = sympy.symbols("P w a", positive=True)
    law, seen = sympy.symbols("l q", nonnegative=True)
    root = 1 + x
    power = 1 + w  # g^j >= 1
    B = 1 + root
    W = power + E1 * B * (power - 1) / (root**2 - 1)
    e, leverage = 1 + seen, root**2

    def mixture(j, now, later):
        layer, total = text("h=", {"h_0": 2}, j=j), {"W_j": weight(j)}
        return now * text("", total, after="at $h_0$ with probability", g=leverage, j=j) + sum(later * text(
            "", total, after="random layer $\\tau$ with probability", g=leverage, h=layer, e=e, tau=begin)
            for begin in range(3, int(layer) + 1))

    return [
        "weights",
        ("its coefficients without alpha add up to W_j, which is the closed form", every(every(
            same_fraction(weight(j), printed_bound(j, 1, 1, 0)),
            same_fraction(weight(j), W.subs(w, root ** (2 * j) - 1).subs(sympy.E, e))) for j in range(4))),
        ("the probabilities of the mixture add up to 1, and W_j times it is the bound without alpha", every(every(
            same_fraction(mixture(j, 1, 1), 1),
            same_fraction(weight(j) * mixture(j, P, law), printed_bound(j, P, law, 0))) for j in range(4))),
        ("a mass of at most W_j alpha, e = 2 + v", every(at_least(
            text("", {"W_j": weight(j).subs(seen, 1 + t)}, after="a mass of at most", alpha=a),
            printed_bound(j, 0, 0, a, base=2 + t), x, a, t) for j in range(4))),
    ]


def more_weights_of_modulo_chain(text, weight):
    """The part "weights" of `modulo_chain_in_steps`."""
    w = sympy.Symbol("w", positive=True)
    seen = sympy.Symbol("q", nonnegative=True)
    root = 1 + x
    power = 1 + w  # g^j >= 1
    B = 1 + root
    W = power + E1 * B * (power - 1) / (root**2 - 1)
    e, leverage, high_e = 1 + seen, root**2, sympy.Rational(271828183, 10**8)  # above e
    floor = sympy.Rational(14142135, 10**7)  # below sqrt 2

    def at_most_c(**values):
        return text(r"W_j\le", **values)

    def at_two(**values):
        return text("", after="For $g>1$ we have", skip=1, numbers=sympy.Rational, **values)

    return [
        ("(1 + sqrt g)/(g - 1) = 1/(sqrt g - 1)", same_fraction(B / (root**2 - 1), 1 / (root - 1))),
        ("W_j <= (1 + (e - 1)/(sqrt g - 1)) g^j, g > 1", every(
            at_least(text(r"W_j\le", {"g^j": power}, g=(text("g>") + x)**2, e=e), W.subs(sympy.E, e), seen, x, w),
            *(at_least(at_most_c(g=leverage, e=e, j=j), weight(j), seen, x) for j in range(3)))),
        ("from g = 2 on: below 5.15, and c falls as g rises", every(
            at_most(floor**2, text(r"g\ge", after="For $g>1$ we have")),
            *(at_most(at_most_c(e=high_e, g=floor**2, j=j), at_two(g=floor**2, j=j)) for j in (0, 1, 3)),
            at_least(at_most_c(g=leverage, e=e, j=0), at_most_c(g=(root + t)**2, e=e, j=0), x, t, seen))),
        ("g = 1: W_j = 1 + 2 (e - 1) j, from j to j + 1", every(equal(
            weight(j, text("g=")), text("W_j=", after="For $g>1$ we have", e=e, j=j)) for j in range(4))),
    ]


@claim("res-modulo-chain", plants=4,
       false={"99/100 of the known law": {"known": sympy.Rational(99, 100)},
              "two starts at each layer": {"starts": 2},
              "no start at the next layer": {"starts": 0},
              "measures of mass 2": {"mass": 2}})
def modulo_chain_in_steps(text, known=1, starts=1, mass=1,
                          design=printed("res-design-modulo-law").function(
                              r"P(\cdot\mid a)\le", r"\sum_b\rho'_bP(\cdot\mid b)", r"v^\top\mu", "g"),
                          mean=printed("res-mean-law").function(r"\hat v_t^\top\int f\,d\mu_t\le", r"\lambda_{t+1}(f)",
                                                                r"\alpha", "e")):
    """One layer more, the weights, and the factor c: The induction over layers for one state, W_j in closed form, c = 1
    + (e - 1)/(sqrt g - 1)."""
    seen = sympy.Symbol("q", nonnegative=True)
    root = 1 + x
    e, leverage = 1 + seen, root**2

    def printed_bound(j, now, later, missed, base=e):  # g^j m R...R f and the starts after h_0 = 2
        layer = text("h=", {"h_0": 2}, j=j)
        return text("", {r"mR_{h_0}\cdots R_{h-1}f": now, r"\lambda_\tau R_\tau\cdots R_{h-1}f": later, "h_0": 2},
                    after="with values in $[0,1]$, at most", g=leverage, j=j, h=layer, e=base, alpha=missed)

    def weight(j, g=leverage):
        return text("W_j=", after="add up to", g=g, j=j, e=e)

    return steps([*one_layer_of_modulo_chain(text, known, starts, mass, design, mean, printed_bound),
                  *weights_of_modulo_chain(text, printed_bound, weight), *more_weights_of_modulo_chain(text, weight)],
                 "every policy, every measure of mass at most 1, every j; sums over layers for j <= 4")


def reached(mdp, known, scale=1.0, starts=True) -> float:
    """Largest law_pi(s_h)/(sum of weighted laws) over layers, states and all policies; the exact mean features."""
    first = planning.occupancy(mdp, known)
    means = np.einsum("hsa,hsad->hd", first, mdp.phi)
    mask = np.ones(mdp.phi.shape[1:3], bool) if mdp.available is None else mdp.available[0]
    rests = [modulo(mdp.phi[h], mask, means[h]) for h in range(mdp.horizon)]
    designs = [state_designs(rest, mask)[0] for rest in rests]
    leverage = max(1.0, *(layer_leverage(rest, mask, w) for rest, w in zip(rests, designs, strict=True)))
    moves = mdp.transitions()
    laws, policy = first.sum(axis=2), np.stack([np.einsum("sa,sat->st", w, moves[h]) for h, w in enumerate(designs)])
    worst, bound = 0.0, mdp.initial * 1.0
    for h in range(1, mdp.horizon):
        bound = leverage * bound @ policy[h - 1] + ((1 + math.sqrt(leverage)) * laws[h] if starts else 0.0)
        values = np.eye(mdp.n_states)
        for before in reversed(range(h)):
            ahead = moves[before] @ values
            values = np.where(mask[..., None], ahead, -1.0).max(axis=1)
        best = mdp.initial @ values
        worst = max(worst, (best / np.maximum(scale * bound, 1e-12))[best > 1e-9].max())
    return float(worst)


@claim("res-modulo-chain", method="stress", arithmetic="float64",
       covers="random simplex MDPs, rare states and junk locks; every policy, by dynamic programming",
       gap="random instances",
       false={"half of the bound": {"scale": 0.5},
              "designs alone, without the first policy": {"starts": False}})
def mixtures_dominate(scale=1.0, starts=True):
    """Every policy against the mixture, with the exact mean features: Largest ratio over states and layers; `starts`:
    with the first policy before the designs."""
    rng, worst, count = np.random.default_rng(np.random.SeedSequence(SEED + 1)), 0.0, 0
    for seed in range(8):
        for mdp in (instances.random_simplex(n_states=5, n_actions=4, dim=2 + seed % 4, horizon=5, seed=seed),
                    instances.rare_state(0.05, 4, seed),
                    instances.junk_lock(2 + seed % 3, 6, rng.integers(0, 2 + seed % 3, size=5), 0.25)):
            mask = np.ones(mdp.phi.shape[:3], bool) if mdp.available is None else mdp.available
            for concentration in (0.1, 1.0):
                policy = rng.dirichlet(np.full(mdp.n_actions, concentration), size=mask.shape[:2]) * mask
                policy /= policy.sum(axis=2, keepdims=True)
                worst, count = max(worst, reached(mdp, policy, scale, starts)), count + 1
    return Evidence(worst, 1, "upper", f"{count} pairs of instance and first policy, seed {SEED + 1}", tolerance=1e-9)


@claim("res-random-time-needed",
       false={"mass on the feature 0 that costs nothing": {"wasted": 0},
              "a mean leverage of 4/3 of the rank": {"rank": sympy.Rational(4, 3)}})
def bait_in_steps(wasted=1, rank=1):
    """Where a design with the least leverage has its mass: The mean leverage of features in the plane; n = d - 1
    orthonormal features and one that is 0, of mass w/(1+w)."""
    n, w = sympy.symbols("n w", positive=True)
    weights, zero = sympy.symbols("r1:4", positive=True), sympy.zeros(2, 1)
    points = [*(sympy.Matrix(sympy.symbols(f"x{i} y{i}", real=True)) for i in range(2)), zero]
    V = sum((mass * x * x.T for mass, x in zip(weights, points, strict=True)), sympy.zeros(2))
    leverages = [(x.T * V.adjugate() * x)[0] / V.det() for x in points]
    return steps([
        ("the mean leverage of two features and of one that is 0 is the rank", same_fraction(
            sum(mass * leverage for mass, leverage in zip(weights, leverages, strict=True)), 2 * rank)),
        ("mass w/(1+w) on the feature 0: some rho_b <= 1/(n (1+w)), leverage n(1+w) > n",
         by_sign(1 / ((1 - wasted * w / (1 + w)) / n), n)),
    ], "all d >= 2; the mean leverage in the plane")


@claim("res-random-time-needed", method="exhaustive", covers="d = 2, 3, 4 with four layers", gap="three locks",
       plants=4,
       false={"a first policy that leaves the code at once": {"bait": False},
              "the first policy until layer 2": {"wait": True}})
def bait_locks(text, bait=True, wait=False, one=printed("res-junk-lock")):
    """The bait; designs alone never come to the second gate: Exact laws of g in layer 2, where the first policy plays
    the first digit (`bait`) or until layer 2 (`wait`)."""
    horizon, bias = int(text.range("H").low), text("b=", {r"\pm": 1})
    outcomes = [("the bias is the largest, above 2 epsilon, and a half of two signs fails", every(
        exactly(bias, one(r"|b|\le")), exactly(2 * text(r"\epsilon<"), bias),
        exactly(text("", after="with probability at least"), Fraction(1, len((bias, -bias))))))]
    for size in range(int(text.range("d").low), 5):
        digits = (1, 0, 1)[:horizon - 1]
        lock = instances.junk_lock(size, horizon, digits, bias, exact=True)
        first = np.zeros((horizon, lock.n_states), int)
        first[:2, 0] = (1 if bait else 0), 1
        met = np.array(lock.phi[0, 0, first[0, 0]], dtype=float)
        mask = lock.available[0]
        weights, _ = state_designs(modulo(lock.phi[0].astype(float), mask, met), mask)
        rows = np.array([[Fraction(entry).limit_denominator(100) for entry in row] for row in weights], dtype=object)
        designs = np.stack([rows] * horizon)
        start = np.eye(size, dtype=int)[first[0, 0]]
        if wait:
            designs[0, 0] = [Fraction(int(entry)) for entry in start]
        code = np.zeros((horizon, lock.n_states), int)
        code[:horizon - 1, 0] = digits
        others = text("", after="plays the other", d=size)
        outcomes += [
            (f"d = {size}: the designs play the other d - 1 actions uniformly",
             exactly(rows[0].tolist(), [int(not entry) / others for entry in start])),
            (f"d = {size}: they come to g in layer 2 with probability 0, the code with 1", every(
                exactly(state_laws(lock, designs)[1, 0], Fraction(0)), exactly(state_laws(lock, code)[1, 0], 1))),
            (f"d = {size}: the first policy is worth 1/2, the code 1", every(
                exactly(exact.evaluate(lock, first).value, Fraction(1, 2)),
                exactly(exact.evaluate(lock, code).value, Fraction(1, 2) + bias))),
        ]
    return steps(outcomes, "exact rationals; the design is uniform on d - 1 actions")
