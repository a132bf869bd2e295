"""These checks establish the event of direct exploration, and its sample size, which is that of a known reward.

The class of `concentration` occurs with a bonus that is Lipschitz with constant 3, and the block count of
`direct_exploration` with the threshold epsilon/4 in every layer.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import claim, printed, steps
from derl.claims.layerwise.deployment_complexity import H, c, d, e
from derl.claims.layerwise.direct_exploration import block_count
from derl.claims.layerwise.fewer_samples import powers
from derl.claims.layerwise.symbols import ends, values_fit
from derl.claims.reward_free.concentration import (
    at_the_worst_point,
    event_of_the_text,
    few_samples,
    many_samples,
    reward_free_class,
    scale_of,
)
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal
from derl.printed.text import BEGINNING

SIZE, COUNT, TEST = r"N\ge", r"\bigl(c_KHx^{-c_K}\bigr)^{\frac1{c_K-1}}", r"\log\tfrac{2K}\delta"
BONUSES = 3  # W = min(w'phi + 3 beta b, H)
QUARTER = Rational(1, 4)

k, m, s, t = sympy.symbols("k m s t", nonnegative=True)
beta, K, delta, x, y = sympy.symbols("beta K delta x y", positive=True)


@claim("res-concentration-direct",
       false={"c_beta = 7/5: at d = 2, H = 1, delta = 0.999999, n = KN = 25 the bracket is 1.039 beta": {
                  "more": -Rational(3, 5)},
              "four bonuses in exploration: W at b = 1 moves by 4 and not by 3": {"bonuses": 4},
               "c_beta = 1": {"more": -1},
              "31/10 bonuses": {"bonuses": Rational(31, 10)},
              "five bonuses": {"bonuses": 5},
              "half a bonus in planning": {"bonuses": Rational(1, 2)}})
def every_step_for_three_bonuses(text, more=0, bonuses=BONUSES):
    """The class with three bonuses, every logarithm, and the bracket at its worst: The net with Lipschitz constant 3,
    few and many samples, and the bracket where it is largest; `more` is added to the constant of beta."""
    scale = scale_of(text) + more
    return steps([
        *event_of_the_text(text),
        "class",
        ("exploration uses three bonuses, planning one", every(at_least(BONUSES, bonuses, s), at_most(1, bonuses))),
        *reward_free_class(BONUSES), *few_samples(scale), *many_samples(scale, BONUSES),
        *at_the_worst_point(scale, BONUSES),
    ], "all d, H, N >= 1, K >= 2, 0 < delta < 1, any state space; exploration values and all linear rewards in [0, 1]")


def plan_against_w(factor=BONUSES) -> list[tuple[str, bool]]:
    """One layer of both inductions, with a nonnegative slack for each hypothesis, on both sides of the cap."""
    bonus, right, lead, fewer, loss, over, less = sympy.symbols("B u v g D o q", nonnegative=True)
    next_w = loss + lead  # P W >= P D
    lowest = next_w - bonus + right + factor * bonus  # w'phi = P W + e, e >= -beta b
    highest = next_w + bonus - right + factor * bonus  # e <= beta b
    planned = loss + 2 * (bonus - fewer) - less  # D_h <= 2 beta b' + P D, b' <= b
    return [
        ("after the last layer both are 0", exactly((next_w - loss).subs({lead: 0, loss: 0}), 0)),
        ("W_h >= D_h below the cap", at_least(lowest, planned, bonus, right, lead, fewer, less)),
        ("W_h <= P W_{h+1} + 4 beta b", at_least(next_w + 4 * bonus, highest, bonus, right)),
    ]


def stopping_rule(part, test, chernoff) -> list[tuple[str, bool]]:
    """From Delta_k < part epsilon to W_1 <= epsilon, and the batch size of the multiplicative test."""
    half = Rational(1, 2)
    mean = 2 * part * e  # E[2 beta sum b] is above this, Delta_k below half of it: unlikely
    size = chernoff(SIZE, t=half, epsilon=mean, beta=beta, H=H, K=K, delta=delta)
    return [
        "test",
        ("W_1 <= 4 beta E sum b = 2 E[2 beta sum b] <= epsilon", at_least(e, 2 * mean, e)),
        ("N = (32 beta H/epsilon) log(2K/delta)", equal(size, test)),
    ]


def steps_of_known_reward_size(text, blocks, factor, known, chernoff, event, level, part, test):
    """The parts "violation", "deployments", "first deployment" and "loss" of `known_reward_size`."""
    named = {"d": d, "H": H, "K": K, "N": sympy.Symbol("N", positive=True), "delta": delta}
    quarter = known("x=", s=part, epsilon=e, H=H, beta=beta)
    trade_off = text.range("c_K").low + y
    union = log(text(SIZE, {COUNT: -sympy.oo}, beta=beta, H=H, epsilon=e, K=delta * sympy.exp(K) / 2, delta=delta))
    root, below_h = 1 + s, 1 / (1 + t)  # sqrt d, epsilon/H
    largest = text.range(r"\epsilon", H=H).high / H
    failing = text.range(r"\delta")
    scale = text(r"\beta=", **named)
    return [
        *block_count(blocks, known),
        "violation",
        ("x of the text is that of the share 1/4", equal(quarter, level)),
        ("the smallest N of the count, for all c_K of the text",
         equal(log(text(SIZE, {TEST: -sympy.oo}, c_K=trade_off, H=H, x=x, beta=1, epsilon=1)),
               log(known(SIZE, c_K=1 + y, H=H, x=x)))),
        "deployments",
        ("k + H - 1 = m <= dH z* gives k + H = m + 1 deployments, the K of the text",
         every(exactly(sympy.expand((k + H) - (m + 1)).subs(k, m - H + 1), 0),
               exactly(text("K=", c_K=c, d=d, H=H), known("", {"z^*": c}, after="stops within", d=d, H=H)))),
        "first deployment",
        ("beta is that of the event", equal(scale, event(r"\beta=", **named))),
        ("beta >= dH, as 4 log 4 > 1",
         below(1, (scale**2).subs({d: 1, H: 1, K: 2, named["N"]: 1, delta: ends(failing)[1]}))),
        ("Delta_1 >= 2 beta/sqrt d >= 2H > epsilon/4, for sqrt d = 1 + s",
         at_least(2 * root, part * largest * below_h, s, t)),
        ("x <= 1/d: (epsilon/(8dH))^2/H <= 1/(64 d^2)",
         at_least(1 / (1 + s), level.subs({beta: (1 + s) * H, e: largest * H}).subs(H, 1 + t), s, t)),
        *stopping_rule(part, test, chernoff),
        ("its logarithm is log(2K/delta)", equal(union, log(test.subs(K, delta * sympy.exp(K) / 2)))),
        ("both events: delta/2 + delta/2",
         equal(2 * (1 - event("", after="probability at least", delta=delta)),
               1 - text("", after="probability at least", delta=delta))),
        "loss",
        *plan_against_w(factor),
        values_fit(text.interval(after="linear reward in")),
    ]


def order_of_known_reward_size(text, known, tested, rate, level, part, test):
    """The part "order" of `known_reward_size`."""
    first = text(SIZE, {TEST: -sympy.oo}, c_K=c, H=H, x=level.subs(beta, d * H), beta=1, epsilon=1)
    orders = [text(left, d=d, H=H, epsilon=e) for left in (r"N\to", r"dH\,N\to")]
    grown = text(r"c_K\to", {r"\infty": sympy.oo})
    known_size = [known(SIZE, c_K=c, H=H, x=known("x=", s=share, epsilon=e, H=H, beta=d * H))
                  for share in (part, 2 * part)]
    return [
        "order",
        ("order of N as c_K grows: d^2 H^3/epsilon^2, of dH N: d^3 H^4/epsilon^2",
         every(exactly(powers(first, c, grown), powers(orders[0])),
               exactly(powers(d * H * first, c, grown), powers(orders[1])),
               equal(sympy.expand_log(log(first / known_size[0]), force=True), 0))),
        ("as for a known reward", exactly(*(tuple(powers(each(left, d=d, H=H, epsilon=e)) for left in
                                                  (r"N\to", r"dH\,N\to")) for each in (text, tested)))),
        ("the paper's order",
         exactly(*(powers(each("", {r"\tilde O": lambda size: size}, after=after, d=d, H=H, epsilon=e))
                   for each, after in ((text, "The total in the paper is"), (rate, BEGINNING))))),
        ("the test is of lower order: d H^2/epsilon", exactly(powers(test.subs({beta: d * H, K: delta * sympy.E / 2})),
                                                              (1, 2, 1))),
        ("N for a known reward times 4^{c/(c-1)}: at most 16 for c >= 2",
         every(equal(sympy.expand_log(log(known_size[0] / known_size[1]), force=True), c / (c - 1) * log(4)),
               at_least(2, (c / (c - 1)).subs(c, 2 + t), t))),
    ]


@claim("res-reward-free-direct-samples", plants=3,
       false={"the trace of twice as many blocks: at k = 0 it is 2dH and not dH": {"blocks": 2 * H},
              "the threshold 3 epsilon/10: W_1 is bounded by 6/5 epsilon only": {"more": Rational(1, 20)},
              "one bonus less: with D = 0, b = 1, error -beta b, W = beta b < D = 2 beta b": {"factor": 2},
              "29/10 bonuses": {"factor": Rational(29, 10)},
              "5/2 bonuses": {"factor": Rational(5, 2)},
              "one bonus": {"factor": 1},
              "the trace of H + 1 blocks": {"blocks": H + 1},
              "the trace of 3H/2 blocks": {"blocks": Rational(3, 2) * H}})
def known_reward_size(text, blocks=H, more=0, factor=BONUSES, known=printed("res-fewer-samples-b"),
                      tested=printed("res-fewer-samples-c"), chernoff=printed("res-chernoff-bonus"),
                      event=printed("res-concentration-direct"), rate=printed("tab-row-reward-free")):
    """Count, test, both inductions, and the order of N: The block count with the share 1/4, the stopping rule, both
    inductions, and exponents by expanding logarithms."""
    part = text(r"\Delta_k<", epsilon=e) / e + more
    level = text("x=", epsilon=e, H=H, beta=beta)
    test = text(SIZE, {COUNT: -sympy.oo, TEST: log(2 * K / delta)}, beta=beta, H=H, epsilon=e)
    return steps([*steps_of_known_reward_size(text, blocks, factor, known, chernoff, event, level, part, test),
                  *order_of_known_reward_size(text, known, tested, rate, level, part, test)],
                 "all d, H, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, every linear reward in [0, 1], every horizon h "
                 "<= H")
