"""These checks establish what the features show of the hidden states, and two families of instances that show nothing.

Ranks of stacked transition matrices give the least dimension of a feature map that serves all instances. The two
families are the compact bandit and the combination lock, with states g, u1, u2 in each layer; their values come from
one backward step.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, exceeds, same_operator
from derl.mdp import exact, instances
from derl.theory.lower_bounds import compact_arms
from derl.theory.lower_bounds.feature_rank import common_rank, template_layer

BIAS = Fraction(1, 4)


@claim("res-template-features", method="exhaustive", covers="d = 2, ..., 6",
       gap="larger d by the identity block in the text",
       false={"the core state is known": {"cores_known": True}})
def rank_with_unknown_core(dimension=printed("res-template-features").function("", "d", after="needs dimension"),
                           cores_known=False):
    """Exact rank of a layer with unknown core state: Rank of the stacked transition matrices of all positions of the
    core, against the dimension of the text."""
    ranks = {d: common_rank(template_layer(d, c) for c in range(1 if cores_known else d)) for d in range(2, 7)}
    agree = sum(rank == dimension(d) for d, rank in ranks.items())
    return Evidence(agree, len(ranks), "identity", "d = 2..6", detail=f"ranks {list(ranks.values())}")


@claim("res-template-features",
       false={"all actions of the core state lead to the same place": {"action_matters": False}})
def identity_block(text, action_matters=True):
    """An identity block for every d: Evaluates the entries of the stacked matrix at symbolic indices."""
    i, j, c, k, d = sympy.symbols("i j c k d", integer=True, positive=True)
    s = sympy.Symbol("s", nonnegative=True)
    hit = sympy.KroneckerDelta(j, k) if action_matters else 1
    entry = sympy.Piecewise((hit, sympy.Eq(i, c)), (0, True))  # P^(c)(state k | state i, action j), k <= d
    needed, shown = (text.function("", "d", after=words) for words in ("needs dimension", "more than the printed"))
    size = text.range("d").low + s
    return steps([
        "identity block",
        ("same pair: 1", exactly(entry.subs({c: i, k: j}), 1)),
        ("same state, other action: 0", exactly(entry.subs({c: i, k: j + 1}), 0)),
        ("other state: 0", exactly(entry.subs({c: i + 1}), 0)),
        "size",
        ("more than the printed dimension by (d - 1)^2", same_operator(needed(d), shown(d) + (d - 1) ** 2)),
        ("more than the printed dimension for all d of the text", exceeds(needed(size), shown(size), s)),
    ], "all d >= 2")


@claim("res-zero-deployments", method="exhaustive", gap="larger d and H: the same rule, layer by layer",
       false={"the core of layer H-1 placed elsewhere, unknown to the algorithm": {"shift": 2}})
def policy_without_data(text, shift=1):
    """The optimal policy read off the action sets: Writes a policy down from the action sets alone, for every instance
    of the class, and evaluates it exactly."""
    right = total = 0
    for d, H in ((3, 3), (4, 3)):
        for cores, index in product(product(range(d), repeat=H - 2), range(d)):
            layer, last = text("", after="in layer", H=H), (index + shift) % d
            mdp = instances.hard_template(d, H, layer, index, (*cores, last), BIAS, exact=True)
            with_choice = mdp.available[1:H, :d].sum(axis=2).argmax(axis=1)  # the state with d actions
            moves = (*with_choice[:-1], (with_choice[-1] - 1) % d)
            policy = mdp.available.argmax(axis=2)
            for h, (state, action) in enumerate(zip((0, *with_choice[:-1]), moves, strict=True)):
                policy[h, state] = action
            right += exact.evaluate(mdp, policy).value == Fraction(H, 2) + BIAS
            total += 1
    return Evidence(right, total + text("K="), "identity", f"all {total} instances with (d, H) in (3,3), (4,3); K = 0")


@claim("res-compact-bandit", false={"the action that stays counted as an arm": {"moves_on": 0}})
def compact_bandit_is_a_bandit(text, moves_on=1):
    """Values by one backward step, the count of arms, one feature map: Backward step with symbolic probabilities;
    dimension and arms for all D and T, checked on arrays."""
    h, T, D, b, stay, hidden, fair, ahead = sympy.symbols("h T D b stay hidden fair W")
    half = sympy.Rational(1, 2)
    here = half + stay * (ahead + (T - h - 1) * half) + (hidden * (half + b) + fair * half) * (1 + (T - h - 2) * half) \
        + (hidden * (half - b) + fair * half) * (T - h - 2) * half
    actions, count = D - 2, text.function("m=", "D", "T")
    value = text.function(r"J(\pi)=", "T", "b", r"q(\pi)")
    long, low_rank = text.range("T", after="pulls at most one arm.").low, text.function("", "D", after="have rank")
    shortest = text.relation("T", after=r"$D\ge 4$ and", T=T)
    smallest = text(r"D\ge"), shortest.right if shortest.sign == r"\ge" else 1
    x, y = sympy.symbols("x y", nonnegative=True)
    outcomes = ["values",
                ("W_h = stay W_{h+1} + b hidden", same_operator(
                    (here - (T - h) * half).subs(fair, 1 - stay - hidden), stay * ahead + b * hidden)),
                "arms",
                ("arms: all actions but the one that stays, T-1 layers",
                 same_operator((actions - moves_on) * (T - 1), count(D, T)))]
    for d, horizon in ((2, 1), (3, 1), (2, 2), (3, 2), (4, 3)):
        arms = instances.compact_bandit_arms(d, horizon)
        mdps = [instances.compact_bandit(d, horizon, arm, BIAS, exact=True) for arm in arms]
        values = {exact.optimal(mdp).value for mdp in mdps}
        same = all(np.array_equal(mdp.phi, mdps[0].phi) for mdp in mdps)
        layers = horizon + 1
        outcomes += ["one feature map",
                     (f"d = {d}, T = {layers}", every(
            exactly(len(arms), compact_arms(mdps[0].dim, mdps[0].horizon)), exactly(len(arms), count(d + 2, layers)),
            exactly(int(same), 1), exactly(values, {value(layers, BIAS, 1)}), exactly(mdps[0].dim, d + 2)))]
        outcomes += ["rank",
                     (f"rank D, or less for short horizons, d = {d}, T = {layers}",
                         exactly(common_rank(m.transitions()[0] for m in mdps),
                                 d + 2 if layers >= long else low_rank(d + 2)))]
    outcomes += ["arms",
                 ("at least one arm", at_least(count(smallest[0] + x, smallest[1] + y), 1, x, y))]
    return steps(outcomes, "all D >= 4, T >= 2, every bias; arrays satisfy Assumption 1 exactly")


@claim("res-lock", covers="two sizes, with all codes, and policies that play a code",
       gap="other sizes and policies: Coq proves the whole",
       false={"the code is known, so that fewer features would do": {"common": False},
              "a wrong last digit gains the bias too": {"wrong": 1}})
def lock_hides_its_code(text, common=True, wrong=0):
    """Values and one feature map, for all codes: Arrays of two sizes, which satisfy Assumption 1 exactly; policies that
    play a code.

    The last `wrong` digits do not count.
    """
    value, dimension = text.function(r"J(\pi)=", "H", "b", r"q(\pi)"), text.function("", "d", after="map of dimension")
    biases, sizes = text.range("b"), ((2, 3), (3, 2))
    outcomes = [("the least number of actions and of layers, and all biases", every(
        exactly([min(d for d, _ in sizes), 1 + min(H for _, H in sizes)], [text.range("d").low, text(r"H+1\ge")]),
        exactly((biases.low, biases.high, BIAS in biases), (0, Fraction(1, 2), True))))]
    for d, H in sizes:
        codes = list(product(range(d), repeat=H))
        mdps = [instances.lock(d, H, code, BIAS, exact=True) for code in codes]
        policies = [np.broadcast_to(np.array([*code, 0])[:, None], (H + 1, 3)) for code in codes]
        table = {exact.evaluate(mdp, policy).value - value(H, BIAS, int(code[:H - wrong] == other[:H - wrong]))
                 for mdp, code in zip(mdps, codes, strict=True) for policy, other in zip(policies, codes, strict=True)}
        rank = common_rank(mdp.transitions()[0] for mdp in (mdps if common else mdps[:1]))
        outcomes += [(f"H/2, plus the bias for the right code only, d = {d}, H = {H}", exactly(table, {0})),
                     (f"one feature map of dimension d + 2, none smaller, d = {d}", every(
                         exactly(rank, dimension(d)), exactly(mdps[0].dim, dimension(d)),
                         (exactly(mdp.phi, mdps[0].phi) for mdp in mdps)))]
    return outcomes
