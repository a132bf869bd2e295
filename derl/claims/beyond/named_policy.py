"""These checks establish how a policy is evaluated that is named after the deployment, and the choice among plans.

A trajectory of the designs gets a weight that may be negative. Its mean is that of a trajectory of the policy, and its
second moment grows by a factor g for each layer.
"""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal, nonnegative_from, same_fraction
from derl.experiments.one_deployment import families, signed_moments
from derl.mdp import planning

s, t, u, q = sympy.symbols("s t u q", nonnegative=True)
g, d, v, M, N, H, delta, epsilon = sympy.symbols("g d v M N H delta epsilon", positive=True)
SEED, POLICIES = 20261128, 40


def below_two_biases(text, overlap, hits, lock) -> list:
    """The lower half: its ranges, the affinity of two coins, and the logarithm against the printed number."""
    least = text(r"N\ge", d=d, H=H, epsilon=epsilon, delta=delta)
    coins = 1 - overlap * epsilon**2
    return [
        ("epsilon up to 1/4, delta below 1/4, d, H >= 2", every(
            exactly([text.range(r"\epsilon", after="From below").high, text.range(r"\delta", after="From below").high],
                    [F(1, 4), F(1, 4)]),
            exactly([text.range(letter, after="From below").low for letter in "dH"], [2, 2]),
            at_most(text.range(r"\epsilon", after="From below").high, lock(r"|b|\le")))),
        ("the affinity of two coins, squared", equal(4 * (F(1, 2) + epsilon) * (F(1, 2) - epsilon), coins)),
        ("z = 1/4: -log(1 - z) = log(4/3) < 1.151/4 < 4.7/16", every(
            below(sympy.log(F(4, 3)), F(1151, 4000)), at_most(F(1151, 4000), F(47, 160)))),
        ("-log(1-z)/z increases: -log(1-z) <= z/(1-z), that is log(1 + q) <= q for 1 - z = 1/(1 + q)", nonnegative_from(
            q - sympy.log(1 + q), q, 0)),
        (text.shown(r"N\ge"), every(
            equal(least, d ** (H - 1) * sympy.log(1 / (4 * delta)) / (F(47, 10) * hits * epsilon**2)))),
    ]


@claim("res-evaluate-named-policy",
       false={"half of the weight": {"weight": F(1, 2)},
              "rewards centred at 1/3": {"centre": F(1, 3)},
              "a range of v in Bernstein's inequality": {"tail": 1},
              "squared affinity 1 - 2 epsilon^2": {"overlap": 2},
              "half as many trajectories": {"hits": 2}})
def evaluate_in_steps(text, weight=1, centre=F(1, 2), tail=2, overlap=4, hits=1, lock=printed("res-junk-lock")):
    """The weights, their second moments, both tails, two biases: Each computation, with the printed numbers."""
    a, b, r, root = *sympy.symbols("a b r", positive=True), 1 + t  # root of g
    rho = 1 / (1 + s)  # the design of two actions at a state, with the features (1, a) and (1, -b)
    first, second = sympy.Matrix([1, a]), sympy.Matrix([1, -b])
    V, target = rho * first * first.T + (1 - rho) * second * second.T, q * first + (1 - q) * second
    signed = [(one.T * V.inv() * target)[0] for one in (first, second)]
    spread = {many: text("v=", g=root**2, H=many) for many in (2, 3, 4)}
    return steps([
        "unbiased",
        ("two actions: the weighted design has the feature of the policy", every(
            equal(sympy.simplify(weight * entry), goal) for entry, goal in zip(
                rho * signed[0] * first + (1 - rho) * signed[1] * second, target, strict=True))),
        ("H/2 and the halves that are subtracted: H/2 = H (1/2)", equal(
            text("Y=", {r"\sum_{h=1}^HW_{h-1}\Bigl(r_h(s_h,\pi)-\frac12\Bigr)": a}, H=H), H * centre + a)),
        "second moments",
        ("two actions: the mean of c^2 is phi' V^+ phi", same_fraction(
            rho * signed[0] ** 2 + (1 - rho) * signed[1] ** 2, (target.T * V.inv() * target)[0])),
        ("the bounds of one weight, H = h", every(
            equal(text(r"|W_h|\le", g=g, h=H), g**H), equal(text(r"\mathbb EW_h^2\le", g=g, h=H), g**H))),
        ("two terms: (y1 + y2)^2 has the mean at most (|y1| + |y2|)^2", at_least(
            (a + b) ** 2, a**2 + b**2 + 2 * a * b / (1 + u), a, b, u)),
        ("v is the square of half of the sum of g^(h/2)", every(
            equal(each, (centre * sum(root**h for h in range(many))) ** 2) for many, each in spread.items())),
        ("half of the sum of g^h is at most 2 v", every(
            at_least(2 * each, sum(root ** (2 * h) for h in range(many)) / 2, t) for many, each in spread.items())),
        "deviations",
        ("2 v + (2/3) 2 v epsilon", equal(
            2 * v + F(2, 3) * tail * v * epsilon, v * (2 + 4 * epsilon / 3))),
        (text.shown(r"P\bigl(|\hat J-J(\pi)|\ge\epsilon\bigr)\le"), equal(
            text(r"P\bigl(|\hat J-J(\pi)|\ge\epsilon\bigr)\le", M=M, v=v, epsilon=epsilon),
            2 * sympy.exp(-M * epsilon**2 / (v * (2 + 4 * epsilon / 3))))),
        (text.shown(r"\mathbb E(\hat J-J(\pi))^2\le"), equal(text(r"\mathbb E(\hat J-J(\pi))^2\le", v=v, M=M), v / M)),
        "closed form",
        ("the series: (1 - z^m)/(1 - z) <= 1/(1 - z)", at_least(
            1 / (1 - 1 / (1 + t)), (1 - 1 / (1 + u)) / (1 - 1 / (1 + t)), t, u)),
        (text.shown(r"v\le"), equal(text(r"v\le", g=r**2, H=H), r ** (2 * (H - 1)) / 4 / (1 - 1 / r) ** 2)),
        "from below",
        *below_two_biases(text, overlap, hits, lock),
    ], "every d, H, g, M, epsilon, delta, policy and law")


@claim("res-evaluate-named-policy", method="stress", arithmetic="float64", plants=2,
       covers="five instances, 40 random policies each", gap="instances; float64",
       false={"a value that is a thousandth larger": {"shift": 1e-3},
              "nine tenths of the second moment": {"share": 0.9}})
def signed_weights_are_exact(text, shift=0.0, share=1.0):
    """Mean and second moments of the weights, without sampling: |E Y - J| and E W_h^2/g^h - 1, by dynamic programming
    over the states."""
    rng, worst = np.random.default_rng(np.random.SeedSequence(SEED)), 0.0
    for mdp in families():
        for _ in range(POLICIES):
            plan = np.array([[rng.choice(np.flatnonzero(mask)) for mask in layer] for layer in mdp.available])
            value, squares, leverage = signed_moments(mdp, plan)
            bounds = [share * text(r"\mathbb EW_h^2\le", g=leverage, h=h) for h in range(1, mdp.horizon)]
            worst = max(worst, abs(value + shift - planning.evaluate(mdp, plan).value),
                        *(square / bound - 1 for square, bound in zip(squares, bounds, strict=True)))
    return Evidence(worst, 0.0, "upper", f"{POLICIES} policies on each instance, seed {SEED}", tolerance=1e-9)


def sizes_of_both_samples(mean, named, ratio) -> list:
    """T against v: the cubes and the squares of the same sums."""
    r, y, z = sympy.symbols("r y z", positive=True)
    return [
        ("(y^2 + z^2)^3 - (y^3 + z^3)^2 = y^2 z^2 (2 y^2 + 2 z^2 + (y - z)^2)", equal(
            (y**2 + z**2) ** 3 - (y**3 + z**3) ** 2, y**2 * z**2 * (2 * y**2 + 2 * z**2 + (y - z) ** 2))),
        ("a_h^3 = (H-h)^2 g^h, the square of (H-h) g^(h/2)", every(
            equal(mean("a_h=", g=r**3, H=many, h=h) ** 3, ((many - h) * sympy.sqrt(r**3) ** h) ** 2)
            for many in (2, 3) for h in range(1, many))),
        ("v = (1 + G)^2/4 with G the sum over 1 <= h < H", every(equal(named("v=", g=r**2, H=many), (
            (1 + sum(r**h for h in range(1, many))) / 2) ** 2) for many in (2, 3, 4))),
        ("(1 + 1/G)/2 decreases in G: G >= sqrt(g), and its square is at most 3/4 for g = 2: 3 + 2 sqrt(2) <= 6", every(
            at_least((1 + 1 / (1 + t)) / 2, (1 + 1 / (1 + t + u)) / 2, t, u),
            equal(((1 + 1 / sympy.sqrt(2)) / 2) ** 2, (3 + 2 * sympy.sqrt(2)) / 8), at_most(8, F(9)),
            exactly(ratio * F(3, 4), 1))),
    ]


@claim("res-one-deployment-probability",
       false={"a plan within epsilon/3": {"half": F(4, 3)},
              "T >= (7/5) v": {"ratio": F(7, 5)},
              "an accuracy of epsilon/3": {"parts": 3}})
def probability_in_steps(text, half=2, ratio=F(4, 3), parts=4, mean=printed("res-one-deployment-mean"),
                         named=printed("res-evaluate-named-policy"), lower=printed("res-one-deployment-lower")):
    """A good plan, the sizes, the estimates, the choice: The accuracy of each part, T against v, and the exponent
    against log(4 k/delta)."""
    T = sympy.Symbol("T", positive=True)
    accuracy = epsilon / parts
    whole = [text("k=", delta=F(1, 2**power) - F(1, 2 ** (power + 3))) for power in (1, 2, 3)]
    return steps([
        "some plan is good",
        hypotheses(text, (), "-optimal with probability at least", "In the setting of"),
        ("g >= 2, epsilon <= 1, and delta below 1/2", exactly(
            [text.range("g").low, text.range(r"\epsilon", after="In the setting of").high,
             text.range(r"\delta", after="In the setting of").high], [2, 1, F(1, 2)])),
        ("the mean loss is at most epsilon/4, and epsilon/2 is twice that", equal(half * accuracy, epsilon / 2)),
        ("n is the printed condition at epsilon/4: 2 d 16 = 32 d", every(
            exactly(text("n=", d=many, epsilon=1, g=8, H=3), sympy.ceiling(mean(
                r"N\ge", after="is added", d=many, epsilon=F(1, parts), g=8, H=3))) for many in (2, 3, 8))),
        ("delta a little below 1/2, 1/4, 1/8: k = 3, 4, 5", exactly(whole, [3, 4, 5])),
        "sizes",
        *sizes_of_both_samples(mean, named, ratio),
        "estimates",
        ("at epsilon/4 <= 1/4: v (2 + 4 epsilon/12) is at most 7 v/3, epsilon = 1/(1 + u)", every(
            at_least(F(7, 3), 2 + F(4, 3) * (F(1, parts) / (1 + u)), u))),
        ("M (epsilon/4)^2 = 2 (k-1) d T at n = 32 d T/epsilon^2", equal(
            (t * 32 * d * T / epsilon**2) * accuracy**2, 2 * t * d * T)),
        ("16/7 (k-1) >= log 4k + (k-1) log 2 at k = 3: 32/7 > log 12 + 2 log 2", below(
            sympy.log(12) + 2 * sympy.log(2), F(32, 7))),
        ("and each further k adds 16/7 >= log 2 + log(4/3)", below(sympy.log(2) + sympy.log(F(4, 3)), F(16, 7))),
        "choice",
        ("two estimates and a good plan: 2 epsilon/4 + epsilon/2 = epsilon", equal(
            2 * accuracy + epsilon / 2, epsilon)),
        ("the ranges of delta and epsilon of the lower half", every(
            exactly(text.range(r"\delta", after="at every fixed").high, F(1, 4)),
            exactly(text.range(r"\epsilon", after="at every fixed").high,
                    lower.range(r"\epsilon", delta=F(1, 4), after="Let $d,H").high))),
    ], "every d, H, g, epsilon, delta")
