"""These checks refute Theorem 4.1 and Lemma C.5 as printed for every c_beta > 0 and every large N at once.

They replay the trap in intervals, for all beta >= 25/2, all N >= (2000 beta)^2 and all batches whose random shares are
within 1/100 of their probabilities. A trap with 11 layers does the same for the truncated guarantee of Theorem C.6.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed
from derl.claims.layerwise.algorithm import DEPLOYMENTS, EPSILON
from derl.claims.layerwise.guarantee import LEVEL, TRUNCATED_AT, longer_trap
from derl.exact.symbolic import below, nonnegative
from derl.mdp import ExactMDP, exact, instances
from derl.theory.layerwise.limit import Limit, Scales, replay_limit

SCALES = Scales(least_beta=Fraction(25, 2), largest_ratio=Fraction(1, 2000), spread=Fraction(1, 100))
GAP = Fraction(6, 25)


def trap(late: Fraction = Fraction(1)) -> ExactMDP:
    """The optimism trap; `late` is what e_3 pays in layer 7."""
    mdp = instances.optimism_trap(exact=True)
    theta = mdp.theta.copy()
    theta[6, 2] = late
    return ExactMDP(mdp.phi, mdp.mu, theta, mdp.initial, mdp.available)


def run(late, version, least_beta) -> Limit:
    """The limit replay of the trap at the scales of the text."""
    scales = Scales(least_beta, SCALES.largest_ratio, SCALES.spread)
    return replay_limit(trap(late), EPSILON, scales, DEPLOYMENTS, version)


def least_beta_is_reached(confidence=None) -> bool:
    """Whether beta >= 25/2 for every c_beta > 0, at delta = min(1/10, 350 exp(-(5/(28 c_beta))^2)).

    Parameters
    ----------
    confidence : Fraction or None
        The same delta for every c_beta in the place of that formula; c_beta = 1/20 is tried.
    """
    c, more = sympy.Symbol("c_beta", positive=True), sympy.Symbol("more", nonnegative=True)
    needed = (Rational(5, 28) / c) ** 2
    square = (70 * c) ** 2 * (needed + more)  # beta^2 as log(350/delta) >= needed, both where delta is 1/10 and below
    by_formula = nonnegative(sympy.expand(square - Rational(25, 2) ** 2), c, more)
    if confidence is None:
        return by_formula
    return by_formula and below(needed.subs(c, Rational(1, 20)), log(350 / sympy.Rational(confidence)))


@claim("thm-layerwise", method="interval", refutes=True,
       false={"e_3 pays 1/2 in layer 7: the run tries f and loses nothing": {"late": Fraction(1, 2)},
              "delta = 1/10 for every c_beta: at c_beta = 1/20 beta is below 25/2": {"confidence": Fraction(1, 10)}},
       as_corrected={"the repaired backup, beta >= 40: the run tries f": {
                         "version": "repaired", "least_beta": Fraction(40)}})
def policy_is_bad_for_every_bonus(text, late=Fraction(1), version="as-printed", least_beta=SCALES.least_beta,
                                  confidence=None):
    """Every c_beta > 0 and every large N at once: Suboptimality of the policy that every likely run returns, for all
    beta >= 25/2 and N >= (2000 beta)^2.

    The theorem allows these runs: its epsilon, delta, c_K, K and N, the last from its bound on.
    """
    result = run(late, version, least_beta)
    reached, delta = bool(least_beta_is_reached(confidence)), Fraction(1, 10)
    reached &= EPSILON in text.range(r"\epsilon", after="such that for all") and delta in text.range(r"\delta")
    c_K, parameters = text.range("c_K").low, {"d": 7, "H": 10, "epsilon": EPSILON, "delta": delta}
    deployments = text("K=", c_K=c_K, **parameters)
    size = max(text(r"N\ge", c=1, c_K=c_K, **parameters), (least_beta / SCALES.largest_ratio) ** 2)
    exception = 2 * result.n_random * exp(-min(700.0, 2 * SCALES.spread**2 * size))  # rounded up
    failure = 1 - text("", after="with probability at least", delta=delta)
    allowed = reached and len(result.layers) <= deployments and exception < 1e-300 < failure
    return Evidence(result.gap if allowed else 0, GAP, "lower",
                    "d = 7, H = 10, epsilon = 1/5, all beta >= 25/2, N >= (2000 beta)^2, K >= 12; every c_beta > 0, at "
                    "delta <= 1/10 small enough", detail=f"layers {result.layers}, {result.n_random} random splits")


@claim("lem-overestimation", method="interval", refutes=True,
       false={"e_3 pays 1/2 in layer 7: the run tries f": {"late": Fraction(1, 2)}},
       as_corrected={"the repaired backup, beta >= 40: the run tries f": {
                         "version": "repaired", "least_beta": Fraction(40)}})
def values_are_low_for_every_bonus(text, late=Fraction(1), version="as-printed", least_beta=SCALES.least_beta):
    """Values below the true ones, for every c_beta > 0 and every large N: V* - V^k at the first state and the last
    deployment, from below, for all beta >= 25/2 and N >= (2000 beta)^2."""
    result, best = run(late, version, least_beta), exact.optimal(trap(late)).value
    low, high = text.relation(r"V_1^*(s_1^{kn}\mid h_k)", {r"V_1^*(s_1^{kn}\mid h_k)": best,
                                                             "V_1^k(s_1^{kn})": best - result.deficit}).ordered
    return Evidence(low - high if least_beta_is_reached() else 0, Fraction(1, 5), "lower",
                    "d = 7, H = 10, epsilon = 1/5, all beta >= 25/2, N >= (2000 beta)^2; every c_beta > 0")


# --- both parts of Theorem C.6 ------------------------------------------------------------------------------------

LONGER = Scales(least_beta=Fraction(55, 4), largest_ratio=Fraction(1, 5000), spread=Fraction(1, 1000))


def longer_gaps(toothless: bool, least_beta: Fraction) -> tuple[Fraction, Fraction]:
    """Suboptimality truncated at layer 10 of the policy that finishes it, and that of the returned policy."""
    mdp = longer_trap(toothless)
    scales = Scales(least_beta, LONGER.largest_ratio, LONGER.spread)
    result = replay_limit(mdp, LEVEL, scales, 6 * 7 * 11 + 1)
    if result.policy is None:
        return Fraction(0), Fraction(0)
    best, mine = exact.optimal(mdp, TRUNCATED_AT), exact.evaluate(mdp, result.finished[TRUNCATED_AT - 1], TRUNCATED_AT)
    return best.value - mine.value, result.gap


@claim("eq-truncated-guarantee", method="interval", refutes=True,
       title="The policy that finishes layer 10 of 11, for every c_beta > 0 and every large N",
       false={"e_3 pays 1/2 in layer 7: the run tries f and loses nothing": {"toothless": True}})
@claim("thm-layerwise-detailed", method="interval", refutes=True,
       title="Both parts fail in one run, for every c_beta > 0 and every large N")
def longer_trap_for_every_bonus(toothless=False, least_beta=LONGER.least_beta,
                                guarantee=printed("eq-truncated-guarantee"), theorem=printed("thm-layerwise-detailed")):
    """The smaller of the two suboptimalities on the trap with 11 layers, for all beta >= 55/4, N >= (5000 beta)^2."""
    lost = r"\mathbb E[V_1^*(s_1\mid h)-V_1^{\pi_{k_h}}(s_1\mid h)]"
    truncated, final = longer_gaps(toothless, least_beta)
    fails = not guarantee.relation(lost, {lost: truncated}, epsilon=LEVEL).holds
    claimed = max(theorem("", after=words, epsilon=LEVEL) for words in ("returned policy is", "whose policy is"))
    inside = all(TRUNCATED_AT <= one(r"h\le", H=11) for one in (guarantee, theorem))
    return Evidence(min(truncated, final) if fails and inside else 0, claimed + Fraction(1, 250), "lower",
                    "d = 7, H = 11, epsilon = 1/20, all beta >= 55/4, N >= (5000 beta)^2, all batches but those of "
                    "probability exp(-9000); every c_beta > 0, at delta <= 1/10 small enough")
