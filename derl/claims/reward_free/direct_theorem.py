"""These checks establish the event of direct exploration, and its sample size, which is that of a known reward.

The class of `concentration` occurs with a bonus that is Lipschitz with constant 3, and the block count of
`direct_exploration` with the threshold epsilon/4 in every layer.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, printed, steps
from derl.claims.layerwise.deployment_complexity import H, c, d, e
from derl.claims.layerwise.direct_exploration import block_count
from derl.claims.layerwise.fewer_samples import chernoff_size, count_size, level, powers, share
from derl.claims.reward_free.concentration import (
    at_the_worst_point,
    few_samples,
    many_samples,
    reward_free_class,
)
from derl.theory.exact.compared import at_most, every, exactly
from derl.theory.exact.symbolic import at_least, below, equal
from derl.theory.reward_free.samples import C_BETA_REWARD_FREE

COUNT, TEST = r"\bigl(c_KHx^{-c_K}\bigr)^{\frac1{c_K-1}}", r"\log\tfrac{2K}\delta"
BONUSES = 3  # W = min(w'phi + 3 beta b, H)
QUARTER = Rational(1, 4)

k, m, s, t = sympy.symbols("k m s t", nonnegative=True)
beta, K, delta = sympy.symbols("beta K delta", positive=True)


@check("res-concentration-direct", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The class with three bonuses, every logarithm, and the bracket at its worst")
def every_step_for_three_bonuses(c_beta=C_BETA_REWARD_FREE, bonuses=BONUSES) -> Evidence:
    """The net with Lipschitz constant 3, few and many samples, and the bracket where it is largest."""
    scale = sympy.nsimplify(c_beta)
    return steps([
        "class",
        ("exploration uses three bonuses, planning one", every(at_least(BONUSES, bonuses, s), at_most(1, bonuses))),
        *reward_free_class(BONUSES), *few_samples(scale), *many_samples(scale, BONUSES),
        *at_the_worst_point(scale, BONUSES),
    ], "all d, H, N >= 1, K >= 2, 0 < delta < 1, any state space; exploration values and all linear rewards in [0, 1]")


control(every_step_for_three_bonuses,
        "c_beta = 7/5: at d = 2, H = 1, delta = 0.999999, n = KN = 25 the bracket is 1.039 beta",
        {"c_beta": Rational(7, 5)})
control(every_step_for_three_bonuses, "four bonuses in exploration: W at b = 1 moves by 4 and not by 3", {"bonuses": 4})


def plan_against_w(factor=BONUSES) -> list[tuple[str, bool]]:
    """One layer of both inductions, with a nonnegative slack for each hypothesis, on both sides of the cap."""
    bonus, right, lead, fewer, loss, over, less = sympy.symbols("B u v g D o q", nonnegative=True)
    next_w = loss + lead  # P W >= P D
    lowest = next_w - bonus + right + factor * bonus  # w'phi = P W + e, e >= -beta b
    highest = next_w + bonus - right + factor * bonus  # e <= beta b
    planned = loss + 2 * (bonus - fewer) - less  # D_h <= 2 beta b' + P D, b' <= b
    cap = planned + over  # D_h <= H: the planned value is at most the cap, the value of a policy at least 0
    return [
        ("after the last layer both are 0", exactly((next_w - loss).subs({lead: 0, loss: 0}), 0)),
        ("W_h >= D_h below the cap", at_least(lowest, planned, bonus, right, lead, fewer, less)),
        ("W_h = H >= D_h at the cap", at_least(cap, planned, over)),
        ("W_h <= P W_{h+1} + 4 beta b", at_least(next_w + 4 * bonus, highest, bonus, right)),
    ]


def stopping_rule(part=QUARTER, test=32 * beta * H / e) -> list[tuple[str, bool]]:
    """From Delta_k < part epsilon to W_1 <= epsilon, and the batch size of the multiplicative test."""
    half = Rational(1, 2)
    mean = 2 * part * e  # E[2 beta sum b] is above this, Delta_k below half of it: unlikely
    size = chernoff_size(beta).subs({share: half, e: mean})
    return [
        "test",
        ("W_1 <= 4 beta E sum b = 2 E[2 beta sum b] <= epsilon", at_least(e, 2 * mean, e)),
        ("N = (32 beta H/epsilon) log(2K/delta)", equal(size, test)),
        ("both events: delta/2 + delta/2", exactly(half + half, 1)),
    ]


@check("res-reward-free-direct-samples", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       plants=3, title="Count, test, both inductions, and the order of N")
def known_reward_size(said=printed("res-reward-free-direct-samples"), blocks=H, more=0, factor=BONUSES) -> Evidence:
    """The block count with the share 1/4, the stopping rule, both inductions, and exponents by expanding logarithms."""
    part = said(r"\Delta_k<", epsilon=e) / e + more
    first = said(r"N\ge", {TEST: -sympy.oo}, c_K=c, H=H, x=level(1).subs(share, part), beta=1, epsilon=1)
    test = said(r"N\ge", {COUNT: -sympy.oo, TEST: 1}, beta=beta, H=H, epsilon=e)
    orders = [said(left, d=d, H=H, epsilon=e) for left in (r"N\to", r"dH\,N\to")]
    root, part_of_h = 1 + s, 1 / (1 + t)  # sqrt d, epsilon/H
    quarter = level(1).subs(share, part)
    return steps([
        *block_count(blocks),
        "violation",
        ("x of the text, at beta = dH", equal(quarter, said("x=", epsilon=e, H=H, beta=d * H))),
        "deployments",
        ("k + H - 1 = m <= dH z* gives k + H = m + 1 deployments",
         exactly(sympy.expand((k + H) - (m + 1)).subs(k, m - H + 1), 0)),
        "first deployment",
        ("beta >= dH, as 4 log 4 > 1", below(1, 4 * log(4))),
        ("Delta_1 >= 2 beta/sqrt d >= 2H > epsilon/4, for sqrt d = 1 + s",
         at_least(2 * root, part * part_of_h, s, t)),
        ("x <= 1/d: (epsilon/(8dH))^2/H <= 1/(64 d^2)", at_least(1 / (1 + s), 1 / (64 * (1 + s) ** 2), s)),
        *stopping_rule(part, test),
        "loss",
        *plan_against_w(factor),
        "order",
        ("order of N as c_K grows: d^2 H^3/epsilon^2, of dH N: d^3 H^4/epsilon^2",
         every(exactly(powers(first), powers(orders[0])), exactly(powers(d * H * first), powers(orders[1])),
               equal(sympy.expand_log(log(first / count_size(1).subs(share, part)), force=True), 0))),
        ("the test is of lower order: d H^2/epsilon", exactly(powers(test.subs(beta, d * H)), (1, 2, 1))),
        ("N for a known reward times 4^{c/(c-1)}: at most 16 for c >= 2",
         every(equal(sympy.expand_log(log(count_size(1).subs(share, part) / count_size(1).subs(share, 2 * part)),
                                      force=True), c / (c - 1) * log(4)),
               at_least(2, (c / (c - 1)).subs(c, 2 + t), t))),
    ], "all d, H, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, every linear reward in [0, 1], every horizon h <= H")


control(known_reward_size, "the trace of twice as many blocks: at k = 0 it is 2dH and not dH", {"blocks": 2 * H})
control(known_reward_size, "the threshold 3 epsilon/10: W_1 is bounded by 6/5 epsilon only", {"more": Rational(1, 20)})
control(known_reward_size, "one bonus less: with D = 0, b = 1, error -beta b, W = beta b < D = 2 beta b", {"factor": 2})
control(every_step_for_three_bonuses, "c_beta = 1", {"c_beta": 1})
control(every_step_for_three_bonuses, "c_beta = 6/5", {"c_beta": Rational(6, 5)})
control(every_step_for_three_bonuses, "c_beta = 5/4", {"c_beta": Rational(5, 4)})
control(every_step_for_three_bonuses, "c_beta = 13/10", {"c_beta": Rational(13, 10)})
control(every_step_for_three_bonuses, "c_beta = 27/20", {"c_beta": Rational(27, 20)})
control(every_step_for_three_bonuses, "31/10 bonuses", {"bonuses": Rational(31, 10)})
control(every_step_for_three_bonuses, "five bonuses", {"bonuses": 5})
control(every_step_for_three_bonuses, "half a bonus in planning", {"bonuses": Rational(1, 2)})


control(known_reward_size, "29/10 bonuses", {"factor": Rational(29, 10)})
control(known_reward_size, "5/2 bonuses", {"factor": Rational(5, 2)})
control(known_reward_size, "one bonus", {"factor": 1})
control(known_reward_size, "the trace of H + 1 blocks", {"blocks": H + 1})
control(known_reward_size, "the trace of 3H/2 blocks", {"blocks": Rational(3, 2) * H})
