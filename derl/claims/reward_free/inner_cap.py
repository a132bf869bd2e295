"""These checks establish Theorem D.4 with the printed cap, given the regression of positive parts of values.

The first check bounds how often a pair is capped and what that costs in planning. The second bounds negative parts of
values at the data; it gives the regression with a factor H more than the first check needs.
"""

from __future__ import annotations

import sympy
from sympy import Rational

from derl.claims import claim, steps
from derl.claims.layerwise.symbols import values_fit
from derl.exact.compared import every, exactly
from derl.exact.quotients import remembered
from derl.exact.symbolic import at_least, equal, nonnegative, same_operator

g, h, q, s, t, u, v, x, y, z = sympy.symbols("g h q s t u v x y z", nonnegative=True)
eps, sigma = sympy.symbols("epsilon sigma", positive=True)
F, S, W = sympy.symbols("F S W", commutative=False)
H = 1 + h


def largest_optimistic_value(layer, share, times=2):
    """E V_1^+ at the deployment that finishes a layer, over epsilon: factor 2H + 1, threshold, slack.

    `times` is how often beta b is counted in the statistic.
    """
    spent = layer / ((4 * H + 2) * H) + share / (4 * H + 2)  # E[2 beta sum b]/epsilon
    return (2 * H + 1) / (times * H) * spent


@remembered
def total_loss(share):
    """2H E V_1^+ at k_H plus the capped pairs, over epsilon."""
    layer = sympy.Symbol("layer", integer=True, positive=True)
    weight = sympy.expand((layer / H + share) * (2 * H - layer + 1))
    capped = sympy.summation(weight, (layer, 1, H - 1)) / (4 * H**2)
    return sympy.simplify(2 * H * largest_optimistic_value(H, share) + capped)


def from_above_of_capped_pairs_are_rare(text, error, layer, rewards):
    """The parts "from above", "from below" and "planning" of `capped_pairs_are_rare`."""
    reward, value = x / (x + t), y  # r = beta b/H below the cap; P V^pi, or P V+
    bonus = H * reward
    printed_error = text(r"|\phi^\top w_h-P_hV_{h+1}^+|\le", {r"\|\phi\|_{\Lambda_h^{-1}}": bonus}, beta=1)
    lowest = value - error * printed_error + u + reward + bonus  # w'phi >= P V+ - beta b
    times = text("", {r"\sum_{h\le l}\|\phi\|_{(\Lambda_h^{k_l})^{-1}}": 1}, after="the expectation of", beta=1)
    last, planned = text(r"l\le", H=H), text(r"\tilde h=", H=H)
    slack = text("", {r"\Delta_{k_l}": 0}, after=r"under $\pi_{k_l}$ be at most", sigma=sigma, epsilon=eps, H=H) / eps
    return [
        "from above",
        ("not capped: P V+ + 2 beta b + r <= (2H+1)(r + P V^pi)",
         at_least((2 * H + 1) * (reward + value) + v, (2 * H + 1) * value + printed_error + bonus + reward,
                  h, t, v, x, y)),
        ("capped: V+ <= H <= (2H+1) r, as r = 1", at_least((2 * H + 1) * (1 + value), H, h, y)),
        ("E V_1^+ <= epsilon (l/H + sigma)/(4H)", every(
            equal(largest_optimistic_value(layer, sigma, times), (layer / H + sigma) / (4 * H)),
            equal(slack, sigma / (4 * H + 2)))),
        "from below",
        ("not capped: w'phi + r + beta b >= r + P V+", at_least(lowest, reward + value, h, t, u, x, y)),
        ("capped in layer l: w = 0, r + H >= H", at_least(reward + H, H, h, t, x)),
        "planning",
        ("tau = l < H: H - l + 1 for optimism and H for the overestimate",
         every(same_operator(H + 1 + H + layer, layer + 2 * H + 1), equal(planned, H), equal(last, H))),
        values_fit(rewards),
    ]


def sum_of_capped_pairs_are_rare(text, share, shares):
    """The part "sum" of `capped_pairs_are_rare`."""
    below = text("...<", after="the planned policy loses at most", epsilon=eps) / eps
    loss = text("", after="the planned policy loses at most", sigma=sigma, epsilon=eps) / eps
    return [
        "sum",
        ("the sum over tau",
         equal(total_loss(sigma),
               (1 + sigma) / 2 + (H**2 - 1) / (6 * H**2) + sigma * (H - 1) * (3 * H + 2) / (8 * H**2))),
        ("at most " + text.shown("", after="the planned policy loses at most"), every(
            nonnegative(sympy.simplify(loss - total_loss(sigma)), h, sigma),
            equal((loss - total_loss(sigma)).subs(sigma, 0), 1 / (6 * H**2)))),
        ("below 1 for the sigma of the text", every(
            at_least(below, Rational(1, 1000) + loss.subs(sigma, share / (1 + q)), q), exactly(shares.low, 0))),
    ]


@claim("res-inner-cap", plants=3,
       false={"an error of 11/10 beta b: at beta b = H/2 the prediction is short by H/20": {"error": Rational(11, 10)}})
def capped_pairs_are_rare(text, error=1):
    """Capped pairs are rare under every policy: Both bounds on V+, the probability of capped pairs, and their price in
    planning."""
    shares, rewards = text.range(r"\sigma"), text.interval(after="let the reward lie in")
    layer, share = 1 + s, Rational(text.range(r"\sigma").high)
    return steps([*from_above_of_capped_pairs_are_rare(text, error, layer, rewards),
                  *sum_of_capped_pairs_are_rare(text, share, shares)],
                 "all H, every policy and initial state, every reward in [0, 1], 0 <= sigma <= 1/3")


@claim("res-positive-parts",
       false={"the ridge 9/10 in Lambda: s/(9/10 + s^2) is 0.527 at s^2 = 9/10": {"ridge": Rational(9, 10)}})
def negative_parts_add_up(text, ridge=1):
    """Negative parts at the data, layer by layer: Lengths per singular value s of the data, the error of one layer, and
    the sum over the layers."""
    unit = 1 + z  # C + H sqrt d
    dim, layer = sympy.symbols("d layer", positive=True)
    noise = text(r"\|\sum\phi(V_{h+1}^+(s')-P_hV_{h+1}^+)\|_{\Lambda_h^{-1}}\le", C=unit - H * sympy.sqrt(dim))
    letters = {"C": unit - H * sympy.sqrt(dim), "H": H, "d": dim}
    positive = [text("V^+=", V=value) for value in (1 + q, -1 - q)]
    negative = [text("V^-=", {"V^+": part}, V=value) for part, value in zip(positive, (1 + q, -1 - q), strict=True)]
    at_data = text.function(r"\bigl(\sum V_h^-(s_h)^2\bigr)^{1/2}\le", "h", **{"given": letters})
    later = at_data(layer + 1).subs(layer, 1)  # bounds E_{h+1} at h = 1
    any_pair = text(r"|\phi^\top w_h-P_hV_{h+1}^+|\le", {r"\|\phi\|_{\Lambda_h^{-1}}": 1}, **letters)
    return steps([
        "two regressions",
        ("w_+ - w* = Lambda^-1 (S - w*)", same_operator(F**-1 * (S + (F - 1) * W), W + F**-1 * (S - W))),
        "at the data",
        ("|Phi Lambda^-1 S| <= |S|_{Lambda^-1}, per singular value",
         at_least(1 / (1 + s**2), s**2 / (1 + s**2) ** 2, s)),
        ("|Phi Lambda^-1 w*| <= |w*|/2: 1/2 - s/(1 + s^2) = (1 - s)^2/(2 (1 + s^2))",
         equal(Rational(1, 2), s / (ridge + s**2) + (1 - s) ** 2 / (2 * (ridge + s**2)))),
        "two regressions",
        ("V = V^+ - V^-: 1 + q and 0, 0 and 1 + q",
         exactly((*positive, *negative), (1 + q, 0, 0, 1 + q))),
        values_fit(text.interval(after="a reward in")),
        ("|w*| <= H sqrt d, so C + |w*|/2 <= C + H sqrt d", at_least(z + H * (1 + t), z + H * (1 + t) / 2, h, t, z)),
        "at the data",
        ("Phi Lambda^-1 Phi^T <= I and |phi^T Lambda^-1 Phi^T y| <= b |y|, per singular value",
         at_least(1, s**2 / (1 + s**2), s)),
        "layer to layer",
        ("E_h <= E_{h+1} + (C + H sqrt d): m layers later m + 1 times it",
         every(same_operator(q * unit + unit, (q + 1) * unit),
               equal(at_data(layer + 1) + unit, at_data(layer)), equal(at_data(H + 1), 0))),
        "any pair",
        ("1 + (H - 1) = H times C + H sqrt d", equal(any_pair, noise + H * sympy.sqrt(dim) + later)),
    ], "all d, H, any data with the same trajectories in every layer, any reward in [0, 1], the printed cap")
