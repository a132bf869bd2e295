"""These checks refute Theorem D.4 as printed, by rewards above 1, and establish the repaired theorem.

The chain of line 1245 is taken line by line with a nonnegative slack; its two printed equalities are refuted by
examples with one feature.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational

from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import values_fit
from derl.claims.potential.batched import formulas_of_the_sharp_lemma
from derl.claims.reward_free.constraints import threshold_becomes_a_level
from derl.claims.reward_free.guarantee import (
    exploration_values_are_optimistic,
    planning_loses_at_most_twice_the_bonus,
    smallest_loss,
)
from derl.claims.reward_free.hoeffding import (
    deployments_up_to_each_layer,
    failure_of_hoeffding,
    hoeffding_size_gives_the_deviation,
    union_gives_half_delta,
)
from derl.claims.reward_free.plan_reward import (
    plan_bonus_is_at_most_the_exploration_bonus,
    second_deployment_finishes,
)
from derl.exact.compared import at_most, every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.quotients import simplified
from derl.exact.symbolic import at_least, equal, nonnegative

s1, s2, s3, s4, s5, s6, t, u, v, x, y = sympy.symbols("s1 s2 s3 s4 s5 s6 t u v x y", nonnegative=True)
eps = sympy.Symbol("epsilon", positive=True)
PLANNED, EXPLORED = r"\mathbb E[V_1^*(r^{plan}\mid\tilde h)]", r"\mathbb E[V_1^*(r^{k_h}\mid h)]"
FOLLOWED = r"\mathbb E[V_1^{\pi_{k_h}}(r^{k_h}\mid h)]"
BONUSES = r"\mathbb E_{\pi_{k_h}}\bigl[2\beta\sum_{h'\le h}\|\phi\|_{(\Lambda_{h'}^{k_h})^{-1}}\bigr]"
COUNT, TEST = r"\bigl(c_Kx^{-c_K}\bigr)^{\frac1{c_K-1}}", r"\log\tfrac{2K}\delta"


# --- as printed ------------------------------------------------------------------------------------------------------

@claim("thm-reward-free", method="exhaustive", refutes=True,
       false={"rewards halved, so that they stay below 1": {"scale": Fraction(1, 2)}})
def rewards_above_one_defeat_the_theorem(text, scale=Fraction(1)):
    """Rewards of Assumption 1 that may exceed 1: d = 4, H = 1, rewards 8/5 and 11/10: the planner sees Q = (1, 1)
    whatever N, beta and the data are.

    The loss exceeds every epsilon below 1/2 that the text allows, for every delta < 1 and every number of deployments.
    """
    bonus = Fraction(0)  # r + u >= 1 already at u = 0, so the table is the same for every u >= 0
    best = smallest_loss(scale, bonus)
    loss, bound = text.relation(r"\mathbb E[V_1^*(s,r)-V_1^{\pi_r}(s,r)]", {
        r"\mathbb E[V_1^*(s,r)-V_1^{\pi_r}(s,r)]": best, r"\epsilon": Fraction(2, 5)}).ordered
    allowed = all(value in text.range(letter) for letter, values in (
        (r"\epsilon", (Fraction(2, 5), Fraction(1, 10**9))), (r"\delta", (Fraction(1, 10**9), Fraction(1, 2))))
        for value in values)
    least = text.range("c_K").low  # of c_K; the deployments are K = c_K d H + 1, so K >= d H + 1 of them may be made
    deployments = text("K=", c_K=least, d=4, H=1)
    likely = 1 - text("", after="returns, with probability", delta=Fraction(1, 2)) == Fraction(1, 2)
    asked = allowed and likely and deployments == text.sides(r"k_H\le", {"k_H": 1}, K=deployments)[1] >= 4 * 1 + 1
    return Evidence(loss if asked and loss > bound else Fraction(0), Fraction(1, 2), "lower",
                    "every N, K, c_beta and tie rule, epsilon < 1/2",
                    detail="two rewards with equal tables: one of them loses 1/2")


@claim("ineq-chain-reward-free", method="exhaustive", refutes=True,
       false={"the same horizon and data in both, and a bonus below the cap": {
                  "planned": 2, "batches": 2, "argument": 2},
              "ten trajectories, where both sides are at their caps": {"size": 10}})
def printed_equalities_fail(text, planned=1, batches=1, argument=50, size=10**12):
    """The two equalities of the printed chain: Counts the equalities that fail: 2H V*(r^plan) = 2H V*(r^k), and 2H
    V^pi(r^k) = E 2 beta sum b.

    First: one feature, H = 2, k_1 = 2 (checked), horizon T of the planner, `batches` in Lambda^k, no cap active:
    squares of r^plan = beta b'/T and r^k = beta b/H over beta^2. Second: the first deployment, d = H = 1, b = 1,
    beta^2 = log(1/(delta epsilon)): squares of H r^k = min(beta, 1) and of beta.
    """
    if not second_deployment_finishes(size, 2):
        return Evidence(0, 2, "lower", "layer 1 is not finished by the second deployment, or a cap is active")
    plan, explored = sympy.sqrt(Rational(1, 1 + 2 * size)) / planned, sympy.sqrt(Rational(1, 1 + batches * size)) / 2
    beta = sympy.sqrt(Rational(enclosure(argument)[0]))
    first = text.relation(rf"2H\,{PLANNED}", {PLANNED: plan, EXPLORED: explored}, H=2)
    second = text.relation(f"2H(2H+1){FOLLOWED}", {FOLLOWED: sympy.Min(beta, 1), BONUSES: 2 * beta}, H=1)
    scale = sympy.sqrt(4 * Rational(enclosure(100)[1]))  # beta for H = 2
    others = [  # one policy, so that nothing is lost and every policy is the best one
        text.relation(r"\mathbb E[V_1^*-V_1^{\pi_{r\mid\tilde h}}]", {
            r"\mathbb E[V_1^*-V_1^{\pi_{r\mid\tilde h}}]": 0, PLANNED: scale * plan}, H=2),
        text.relation(rf"2H\,{EXPLORED}", {EXPLORED: explored, FOLLOWED: explored}, H=2),
        text.relation(f"(2H+1){BONUSES}", {
            BONUSES: 2 * scale * sympy.sqrt(Rational(1, 1 + size)), r"\epsilon": Rational(1, 5)}, H=2)]
    if not all(other.holds for other in others):
        return Evidence(0, 2, "lower", "one of the inequalities of the chain fails")
    failed = (not first.holds) + (not second.holds)
    return Evidence(failed, 2, "lower", f"d = 1; T = {planned}, H = 2; delta epsilon = 1/{argument}, c_beta = 1",
                    detail="the inequalities that are needed instead do hold")


# --- repaired --------------------------------------------------------------------------------------------------------

@claim("res-reward-free-chain", plants=6,
       false={"threshold and slack epsilon/(4H) instead of epsilon/(4H+2)": {"cut": lambda H: eps / (4 * H)}})
def chain_to_epsilon(text, cut=lambda H: eps / (4 * H + 2)):
    """From the threshold to epsilon, for every h: Each line of the chain with a nonnegative slack, then the whole of
    it."""
    h, H = 1 + t, 1 + t + u  # h <= H
    planned = text(r"\mathbb E[V_1^*-V_1^{\pi_{r\mid h}}]\le", {r"\mathbb E[V_1^*(r^{plan}\mid h)]": 1}, h=h)
    before = text(r"2h\,\mathbb E...\le", {r"\mathbb E[V_1^*(r^{k_h}\mid h)]": 1}, H=H)
    after = text(r"2H\,\mathbb E...\le", {r"\mathbb E[V_1^{\pi_{k_h}}(r^{k_h}\mid h)]": 1}, H=H)
    small = x / (x + y) * H  # beta b <= H
    total = eps / (2 * H + 1) - (cut(H) * h / H + cut(H))  # the threshold of layer h, and Hoeffding's slack
    S = eps / (2 * H + 1) - s6
    explored = (S - s5) / (2 * H)  # V^pi(r^k)
    loss = after * explored - before * (s3 + s4) - s1 - s2
    return steps([
        ("2 min(beta b, H) <= 2 beta b, below the cap", every(
            at_least(2 * small, before * (small / H), x, y, t, u),
            equal(planned * small / h, before * small / H))),
        ("epsilon h/((4H+2)H) + epsilon/(4H+2) <= epsilon/(2H+1)", nonnegative(simplified(total / eps), t, u)),
        ("the lines together: loss <= epsilon", nonnegative(sympy.expand(simplified(
            (2 * H + 1) * (eps - loss))), eps, s1, s2, s3, s4, s5, s6, t, u)),
    ], scope="all 1 <= h <= H, epsilon > 0, every reward in [0, 1]")


def steps_of_theorem(text, level, counted, sharp, epsilons, planted):
    """The part "deployments" of `every_step_of_the_theorem`."""
    H, beta, c = sympy.symbols("H beta c", positive=True)
    parts = {
        "deployments": {
            "violations: Delta_k >= threshold gives mean(b^2) >= x": threshold_becomes_a_level(),
            "fewer than c_K d violations per layer": formulas_of_the_sharp_lemma(),
            "k_h <= c_K d h + 1": deployments_up_to_each_layer(**planted),
        },
        "test": {
            "Hoeffding's deviation at this N": hoeffding_size_gives_the_deviation(),
            "delta/2 for all deployments": union_gives_half_delta(),
        },
        "loss": {
            "optimism and the factor 2H + 1": exploration_values_are_optimistic(),
            "planning loses at most twice the bonus": planning_loses_at_most_twice_the_bonus(),
            "h r^plan <= H r^{k_h}": plan_bonus_is_at_most_the_exploration_bonus(),
            "the chain to epsilon": chain_to_epsilon(),
        },
    }
    share = text("x=", epsilon=eps, H=H, beta=beta)
    first = text(r"N\ge", {TEST: -sympy.oo}, c_K=c, x=x + 1, beta=beta, H=H, epsilon=eps)
    return [
        *(each for part, result in parts.items() for each in
                    (part, *((name, every(answer for _, answer in one.outcomes)) for name, one in result.items()))),
                  "deployments",
                  ("the level x", equal(share, level(r"\frac1N...\ge", epsilon=eps, H=H, beta=beta))),
                  ("the first size: (N x)^c_K = c_K N", equal(sympy.expand_log(
                      c * sympy.log(first * (x + 1)) - sympy.log(c * first), force=True), 0)),
                  ("K is the largest whole number of the count", every(
                      exactly(text(r"k_H\le", K=text("K=", c_K=ratio, d=3, H=2)),
                              counted(r"k_h\le...\le", c_K=ratio, d=3, h=2) // 1)
                      for ratio in (Fraction(5, 2), Fraction(7, 4)))),
                  ("the count asks for c_K > 1 and epsilon <= H",
                   every(exactly(text.range("c_K").low, sharp.range("c_K").low),
                         exactly(epsilons.high, counted.range(r"\epsilon", H=H).high), exactly(epsilons.low, 0))),
    ]


def test_of_theorem(text, size, event, regression, deployments, failing):
    """The parts "test" and "event" of `every_step_of_the_theorem`."""
    H, K, beta, delta, d, log_term = sympy.symbols("H K beta delta d l", positive=True)
    named = {"d": d, "H": H, "K": K, "N": x + 1, "delta": delta}
    second = text(r"N\ge", {COUNT: -sympy.oo, TEST: log_term}, beta=beta, H=H, epsilon=eps)
    return [
                  "test",
                  ("the second size is that of the deviation",
                   equal(second, size("N=", beta=beta, H=H, epsilon=eps, l=log_term))),
                  "event",
                  ("beta is that of the event", equal(text(r"\beta=", **named), regression(r"\beta=", **named))),
                  values_fit(text.interval(after="every linear reward in")),
                  ("every probability: 0 at the largest delta, 1 at the smallest",
                   exactly(tuple(text("", after="With probability at least", delta=end)
                                 for end in (failing.high, failing.low)), (0, 1))),
                  ("event and Hoeffding: delta/2 + the union over the deployments is at most delta",
                   at_most(Rational(1, 2) + deployments * failure_of_hoeffding(event), 1)),
    ]


@claim("text-truncated-reward-free", title="The chain at each k_h, with that stage's data",
       false={"a union over 2K deployments": {"deployments": 2},
              "the first deployment violates in one layer only": {"first_counts_everywhere": False}})
@claim("thm-reward-free-repaired", plants=6, title="The steps of the proof put together")
def every_step_of_the_theorem(text, level=printed("eq-violation-reward-free"),
                              size=printed("res-hoeffding-size-reward-free"),
                              event=printed("res-hoeffding-reward-free"),
                              regression=printed("res-concentration-reward-free"),
                              counted=printed("text-deployment-count-reward-free"),
                              sharp=printed("res-sharp-potential"), deployments=1, **planted):
    """Count of deployments, level, potential, Hoeffding, chain, probability; each a check of its own, run again."""
    H = sympy.Symbol("H", positive=True)
    epsilons, failing = text.range(r"\epsilon", H=H), text.range(r"\delta")
    return steps([*steps_of_theorem(text, level, counted, sharp, epsilons, planted),
                  *test_of_theorem(text, size, event, regression, deployments, failing)],
                 scope="all d, H >= 1, c_K > 1, 0 < epsilon <= H, 0 < delta < 1; the event is Lemma D.1, repaired")
