"""These checks follow the proof of Theorem C.6 from Delta_k to the value of the policy, and refute three of its steps.

Hoeffding's inequality in (11) lacks a factor 2 in a logarithm. The truncated guarantee (13) fails on a longer trap,
which is replayed in ball arithmetic. The sentence of line 1045 has the wrong direction, by instances with two layers.
Repaired forms of the three, and a multiplicative bound, are established symbolically.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed
from derl.claims.layerwise.symbols import HALF, ends
from derl.exact.balls import bonus_scale
from derl.exact.compared import exactly
from derl.exact.symbolic import at_least, below, equal
from derl.mdp import exact, instances
from derl.mdp.exact import ExactMDP, rationals
from derl.theory.layerwise import replay

LEVEL, CONFIDENCE = Fraction(1, 20), Fraction(1, 10)
RUNS = ((10**14, 1), (10**14, 5), (10**40, 1), (10**40, 10**6))  # N, c_beta
SHOWN = ", ".join(f"({size:.0e}, {c_beta:g})" for size, c_beta in RUNS)
TRUNCATED_AT = 10
BONUSES = r"\sum_n\sum_{h\le h_k}\|\phi_h^{kn}\|_{(\Lambda_h^k)^{-1}}"
EXPECTED = r"\mathbb E_{\pi_k}\bigl[2\beta\sum_{h\le h_k}\|\phi\|_{(\Lambda_h^k)^{-1}}\bigr]"

B, K, N, e, x, y = sympy.symbols("B K N e x y", positive=True)
s, t = sympy.symbols("s t", nonnegative=True)


# --- (11) --------------------------------------------------------------------------------------------------------

@claim("eq-hoeffding-bonus", method="exhaustive", covers="the deduction from the range [0, 2 beta H]",
       gap="N = 1 and a number that may be 0, not the numbers of Algorithm 1; with the theorem's N (11) may be true",
       breaks_proof=True,
       as_corrected={"log(2K/delta): at N = 1 the number 0 is then within the bound": {"factor": 2}})
def fails_more_often(text, factor=1):
    """A number that misses its mean too often: 1 - (1 - P(0))^K against delta/2, where 0 is below the mean by more than
    sqrt(log(factor K/delta)/2).

    `factor` multiplies K in the logarithm.
    """
    deployments, level, mean = 3, Fraction(9, 10), Fraction(39, 50)
    numbers = text.interval(after="lie in", beta=Fraction(1, 2), H=1)  # 0 to 1
    allowed = 1 - text("", after="probability at least", delta=level)
    bound = text(f"{EXPECTED}\\le", {r"\Delta_k": Rational(numbers.low)}, beta=HALF, H=1, N=1,
                 K=factor * deployments, delta=Rational(level))
    largest = text("", {r"\sum_{h\le h_k}\|\phi_h^{kn}\|_{(\Lambda_h^k)^{-1}}": 1}, after="The numbers",
                   beta=Fraction(1, 2))
    counted = text(r"k\le", K=deployments)
    misses = numbers.high == largest == 1 and counted == deployments and below(bound**2, Rational(mean) ** 2)
    return Evidence(1 - mean**deployments if misses else 0, allowed * Fraction(51, 50), "lower",
                    "K = 3, N = 1, delta = 9/10, a number that is 0 or 2 beta H; P(failure) against delta/2")


@claim("res-hoeffding-bonus", as_printed={"log(K/delta)": {"factor": HALF}})
def union_over_deployments(text, factor=1):
    """Chernoff's method, and the union bound: The best exponent from Hoeffding's lemma, put equal to delta/(2K);
    `factor` multiplies K in the logarithm."""
    tilt, delta = sympy.symbols("tilt delta", positive=True)
    numbers = text.interval(after="numbers in", B=B)
    length = numbers.high - numbers.low
    power = -tilt * N * x + N * tilt**2 * length**2 / 8  # log of exp(-tilt N x) E exp(tilt sum (mean - X))
    best = power.subs(tilt, 4 * x / length**2)
    allowed = text("", after="average plus", B=B, N=N, K=factor * K, delta=delta)
    total = sympy.simplify(K * sympy.exp(sympy.simplify(best.subs(x, allowed))))
    return [("the exponent is -2 N x^2/B^2", equal(best + 2 * N * x**2 / B**2, 0)),
            ("K deployments fail with probability delta/2",
             equal(total, 1 - text("", after="probability at least", delta=delta)))]


@claim("res-chernoff-bonus", covers="the test and the size",
       gap="the bound on the moments of the numbers: Coq proves the whole")
def multiplicative_bound(text, algorithm=printed("alg-layerwise")):
    """The test, the exponent and the size: The statistic and its threshold, and the exponent of the multiplicative
    Chernoff bound at the smallest N."""
    delta, beta, H, r = sympy.symbols("delta beta H r", positive=True)  # r = 1 - t
    values = {"t": 1 - r, "beta": beta, "H": H, "epsilon": e, "K": K, "delta": delta}
    most = algorithm(r"\Delta_k=", {BONUSES: H}, beta=beta, N=1)  # the largest number, where every norm is 1
    expected = text("", {r"\mathbb E_{\pi_k}": 1, r"\sum_{h\le h_k}\|\phi\|_{(\Lambda_h^k)^{-1}}": H},
                    after="the expectation", beta=beta)
    spent = text(r"N\ge", **values) * e * (1 - r) ** 2 / (2 * most)
    return [
        ("0 < t < 1", exactly(ends(text.range("t")), (0, 1))),
        ("the statistic is the average of these numbers", equal(expected, most)),
        ("the test asks for an average below (1 - t) epsilon, where the mean is above epsilon",
         equal(text(r"\Delta_k<", **values), r * text("", after="is at most", epsilon=e))),
        ("N epsilon t^2/(2B) = log(2K/delta) at the smallest N", equal(spent, log(2 * K / delta))),
        ("K exp(-log(2K/delta)) = delta/2",
         equal(K * sympy.exp(-log(2 * K / delta)), 1 - text("", after="probability at least", delta=delta))),
    ]


# --- (13) and the theorem as printed -----------------------------------------------------------------------------

def longer_trap(toothless=False, reward_of_e=Fraction(24, 25), rare=Fraction(17, 100)) -> ExactMDP:
    """The optimism trap with one layer more, closed at layer 10: E pays 24/25, C is reached with probability 17/100."""
    trap = instances.optimism_trap(exact=True)
    phi, mu, theta, available = (np.concatenate([array, array[-1:]])
                                 for array in (trap.phi, trap.mu, trap.theta, trap.available))
    theta[2:, 0], theta[2:, 1] = reward_of_e, (1 + Fraction(3, 5) * reward_of_e) / Fraction(4, 5)
    mu[0, 3, [2, 3]] = rationals([1 - rare, rare])
    if toothless:  # e_3 pays only 1/2 in layer 7: then the true best arm is found before the trap can close
        theta[6, 2] = Fraction(1, 2)
    return ExactMDP(phi, mu, theta, trap.initial, available)


@cache
def truncated_gaps(toothless: bool) -> tuple[tuple[Fraction, Fraction, tuple[int, ...], float], ...]:
    """All of `_truncated_gaps`, once for both theorems."""
    return tuple(_truncated_gaps(toothless))


def _truncated_gaps(toothless: bool):
    """Per run: suboptimality, truncated at layer 10, of the policy that finishes it; of the last policy; all h_k.

    A run that does not end by its own rule, or whose exceptional batches are not rarer than delta/2, counts as 0.
    """
    mdp = longer_trap(toothless)
    best = exact.optimal(mdp, TRUNCATED_AT).value
    for size, c_beta in RUNS[-1:] if toothless else RUNS:
        beta = bonus_scale(mdp.dim, mdp.horizon, LEVEL, CONFIDENCE, Fraction(c_beta))
        run = replay.replay(mdp, size, 6 * 7 * 11 + 1, LEVEL, beta)
        if not run.converged or run.log_exception >= float(np.log(float(CONFIDENCE / 2))):
            yield Fraction(0), Fraction(0), run.layers, run.log_exception
            continue
        last = run.layers.index(TRUNCATED_AT + 1)  # deployments up to the one that finishes layer 10
        gap = best - exact.evaluate(mdp, run.policies[last - 1], TRUNCATED_AT).value
        yield gap, run.gap, run.layers, run.log_exception


def log_of_failures(text) -> float:
    """Logarithm of the probability of failure that a statement allows."""
    allowed = 1 - text("", after="probability at least", delta=CONFIDENCE)
    return float(np.log(float(allowed))) if allowed > 0 else -np.inf


@claim("eq-truncated-guarantee", method="interval", arithmetic="ball", covers="one instance",
       gap="the listed N and c_beta; a deterministic tail, the uniform one with copies of one action as in `layerwise`",
       refutes=True, needs="rigor", plants=4,
       false={"e_3 pays 1/2 in layer 7: the run tries f": {"toothless": True}})
def truncated_guarantee_fails(text, toothless=False):
    """The policy that finishes layer 10 of 11: Replays the printed algorithm on the longer trap in ball arithmetic;
    suboptimality truncated at layer 10."""
    runs = truncated_gaps(toothless)
    lost, allowed = text.relation(r"\mathbb E[V_1^*(s_1\mid h)-V_1^{\pi_{k_h}}(s_1\mid h)]", {
        r"\mathbb E": 1, r"V_1^*(s_1\mid h)": min(gap for gap, *_ in runs), r"V_1^{\pi_{k_h}}(s_1\mid h)": 0},
        epsilon=LEVEL).ordered
    covered = TRUNCATED_AT <= text(r"h\le", H=11)
    rare = all(exception < log_of_failures(text) for *_, exception in runs)
    return Evidence(lost if covered and rare else 0, allowed + Fraction(1, 250), "lower",
                    "d = 7, H = 11, epsilon = 1/20, "
                    f"delta = 1/10, (N, c_beta) in {SHOWN}, all batches but those of probability "
                    f"exp({max(exception for *_, exception in runs):.0f})")


@claim("thm-layerwise-detailed", method="interval", arithmetic="ball", covers="one instance",
       gap="the listed N and c_beta; a deterministic tail, the uniform one with copies of one action as in `layerwise`",
       refutes=True, needs="rigor", plants=4,
       false={"e_3 pays 1/2 in layer 7: the run tries f": {"toothless": True}})
def both_parts_fail(text, toothless=False):
    """Both parts fail in one run: The longer trap again: the smaller of the suboptimalities of the returned policy and
    of the one of layer 10."""
    runs = truncated_gaps(toothless)
    allowed = min(text("", after=words, epsilon=LEVEL) for words in ("returned policy is", "whose policy is"))
    covered = TRUNCATED_AT <= text(r"h\le", H=11) and all(exception < log_of_failures(text) for *_, exception in runs)
    worst = min(min(gap, final) for gap, final, *_ in runs)
    for _, _, layers, _ in runs:
        allowed_runs = len(layers) <= text(r"k_H\le", {"k_H": len(layers)}, K=6 * 7 * 11 + 1)
        last = [k for k, layer in enumerate(layers, 1) if layer <= TRUNCATED_AT][-1]  # k_h, which finishes layer 10
        own = text.sides("h_{k_h}=", {"h_{k_h}": layers[last - 1], "h": TRUNCATED_AT})
        following = text.sides("h_{k_h+1}=", {"h_{k_h+1}": layers[last] if last < len(layers) else 0,
                                              "h": TRUNCATED_AT})
        covered &= allowed_runs and own[0] == own[1] and following[0] == following[1]
    return Evidence(worst if covered else 0, allowed + Fraction(1, 250), "lower",
                    f"d = 7, H = 11, epsilon = 1/20, (N, c_beta) in {SHOWN}; parts (1) and (2)")


# --- what the layers are good for --------------------------------------------------------------------------------

@claim("ineq-safety-gap", method="exhaustive", refutes=True,
       false={"a reward of 1 in layer 2 that the first action misses": {"late": (0, 1)}})
def suboptimality_below(text, late=(0, 0)):
    """Nothing to gain after layer h: One state, two actions, H = 2, h = 1: (H - h) minus the suboptimality of the first
    action, with rewards late."""
    mdp = two_layers(late)
    best, mine = exact.optimal(mdp).value, exact.evaluate(mdp, np.zeros((2, 1), int)).value
    claimed, gap = text.relation(r"J(\pi^*)-J(\hat\pi_{\mid h})", {"J(\\pi^*)": best, r"J(\hat\pi_{\mid h})": mine},
                                 H=2, h=1, epsilon=0, O=lambda inside: inside).ordered
    covered = 1 in text.range("h", H=2)
    return Evidence(claimed - gap if covered else 0, Fraction(1, 2), "lower",
                    "H - h - (J(pi*) - J(pi)) at h = 1; O(epsilon) is below 1/2 for "
                    "small epsilon", detail=f"rewards {late[0]} and {late[1]} in layer 2, none in layer 1")


def two_layers(late, early=(0, 0)) -> ExactMDP:
    """One state, two actions with features e_1, e_2; the given rewards in layers 2 and 1."""
    phi = np.zeros((2, 1, 2, 2), dtype=object)
    phi[:, 0] = np.eye(2, dtype=object)
    return ExactMDP(phi, np.ones((2, 2, 1), dtype=object), rationals([list(early), list(late)]), rationals([1]))


@claim("ineq-safety-gap", method="exhaustive", covers="the word \"equivalently\", with <= for >=", refutes=True,
       false={"h = H, where both inequalities agree": {"layers": 2}})
def gap_does_not_come_back(text, layers=1, corrected=printed("ineq-safety-gap", "corrected")):
    """A small gap in all, a large one truncated: Suboptimality, truncated at `layers`, of a policy whose whole gap is
    at most H - layers; 0 if it is larger."""
    mdp, poor = two_layers((0, 0), early=(0, 1)), np.zeros((2, 1), int)
    truncated = exact.optimal(mdp, layers).value - exact.evaluate(mdp, poor, layers).value
    values = {"J(\\pi^*)": exact.optimal(mdp).value, r"J(\hat\pi_{\mid h})": exact.evaluate(mdp, poor).value}
    at = {"H": 2, "h": layers, "epsilon": 0, "O": lambda level: level}
    hold = all(one.relation(r"J(\pi^*)-J(\hat\pi_{\mid h})", values, **at).holds for one in (text, corrected))
    return Evidence(truncated if hold else 0, Fraction(99, 100), "lower",
                    "H = 2, h = 1, rewards 0 and 1 in layer 1, none in layer 2")


@claim("res-safety-gap", false={"rewards of layer 2 at most 1/2": {"tail_reward": Fraction(1, 2)}})
def gap_after_layer_h(text, tail_reward=1):
    """Later rewards, and an example with equality: The loss in the MDP truncated at h = 1 is e - loss, and each later
    reward is at most the largest and at least the least; two layers attain H - h."""
    layers, own, slack, loss = sympy.symbols("layers own slack loss", nonnegative=True)
    rewards, mdp = text.interval(after="rewards lie in"), two_layers((0, tail_reward))
    gap, most = text.sides(r"J(\pi^*)-J(\hat\pi)\le", {
        "J(\\pi^*)": own + e - loss - slack + layers * rewards.high, r"J(\hat\pi)": own + layers * rewards.low},
        H=layers + 1, h=sympy.Integer(1), epsilon=e)
    return [
        ("J(pi*) - J(pi_h) <= H - h + epsilon", at_least(most, gap, layers, own, slack, loss)),
        ("H - h is attained at H = 2, h = 1", exactly(exact.optimal(mdp).value - exact.evaluate(
            mdp, np.zeros((2, 1), int)).value, text("", after="The", H=2, h=1))),
    ]
