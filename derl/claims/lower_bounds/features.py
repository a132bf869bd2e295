r"""What the features give away, and the two families of instances that give nothing away.

**Common features of the template.** With unknown core state c, row (i, j) of a layer (state i, action j) reads
e_j in block c = i and (e_{u1} + e_{u2})/2 in all others. In the columns (block c, state k) with k <= d the rows
(i, j) are delta_{ic} delta_{jk}: an identity matrix, and zero in the rows of u1, u2, which are independent of
each other. The rank is d^2 + 2. The printed count 2d + 1 presumes that the cores are known.

**Zero deployments.** Action sets, or one-hot features of the pairs that exist, show the cores of all layers. In
the class of Theorem B.3 the core of layer H-1 is s^{i+1} when s^i is optimal. So the optimal policy can be
written down before the first deployment.

**The repaired families.** Let T be the number of layers, D = d + 2 the dimension, states g, u1, u2 in each
layer. Let W_h(x) be the expected return from layer h on, minus (T-h)/2, at g (and 1/2, -1/2 in u2, u1). A fair
action has excess 0, the hidden one b, so

    compact bandit:  W_h = p_stay W_{h+1} + b p_hidden          lock:  W_h = p_right W_{h+1},  W_{T-2} = b p_last.

Hence J = (T-1)/2 + b q with q the probability of pulling the hidden arm, or of playing the whole code (layer 0
pays nothing).

**Their dimension.** Stack layer 0 over all members. The rows of u1 and u2 are the same in every block. In the lock
with T >= 3 the row of action a has g in the blocks where a is right: the g columns make the d rows independent, rank
d + 2. In the bandit the row of arm a is the fair row, plus b (u2 - u1) in its own block. For T >= 3 there are blocks
whose arm is in another layer; with them a combination of the arms and of u1, u2 that is 0 has coefficients 0: rank
d + 2. For T = 2 there are none, and the sum of the arms is a combination of u1 and u2: rank d + 1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, check, control, steps
from derl.mdp import exact, instances
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.symbolic import equal, same_operator
from derl.theory.lower_bounds import compact_arms
from derl.theory.lower_bounds.feature_rank import common_rank, template_layer

BIAS = Fraction(1, 4)


@check("res-template-features", method="exhaustive", arithmetic="exact", covers="d = 2, ..., 6",
       gap="larger d by the identity block in the text", title="Exact rank of a layer with unknown core state")
def rank_with_unknown_core(cores_known=False) -> Evidence:
    """Rank of the stacked transition matrices of all positions of the core, against d^2 + 2."""
    ranks = {d: common_rank(template_layer(d, c) for c in range(1 if cores_known else d)) for d in range(2, 7)}
    agree = sum(rank == d * d + 2 for d, rank in ranks.items())
    return Evidence(agree, len(ranks), "identity", "d = 2..6", detail=f"ranks {list(ranks.values())}")


control(rank_with_unknown_core, "the core state is known", {"cores_known": True})


@check("res-template-features", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="An identity block for every d")
def identity_block(action_matters=True) -> Evidence:
    """Evaluates the entries of the stacked matrix at symbolic indices."""
    i, j, c, k, d = sympy.symbols("i j c k d", integer=True, positive=True)
    hit = sympy.KroneckerDelta(j, k) if action_matters else 1
    entry = sympy.Piecewise((hit, sympy.Eq(i, c)), (0, True))  # P^(c)(state k | state i, action j), k <= d
    return steps([
        ("same pair: 1", exactly(entry.subs({c: i, k: j}), 1)),
        ("same state, other action: 0", exactly(entry.subs({c: i, k: j + 1}), 0)),
        ("other state: 0", equal(entry.subs({c: i + 1}), 0)),
        ("more than 2d + 1 for d >= 2", same_operator(d * d + 2, 2 * d + 1 + (d - 1) ** 2)),
    ], "all d >= 2")


control(identity_block, "all actions of the core state lead to the same place", {"action_matters": False})


@check("res-zero-deployments", method="exhaustive", arithmetic="exact", covers="everything",
       gap="larger d and H: the same rule, layer by layer", title="The optimal policy read off the action sets")
def policy_without_data(shift=1) -> Evidence:
    """Writes a policy down from the action sets alone, for every instance of the class, and evaluates it exactly."""
    right = total = 0
    for d, H in ((3, 3), (4, 3)):
        for cores, index in product(product(range(d), repeat=H - 2), range(d)):
            mdp = instances.hard_template(d, H, H - 1, index, (*cores, (index + shift) % d), BIAS, exact=True)
            with_choice = mdp.available[1:H, :d].sum(axis=2).argmax(axis=1)  # the state with d actions
            moves = (*with_choice[:-1], (with_choice[-1] - 1) % d)
            policy = mdp.available.argmax(axis=2)
            for h, (state, action) in enumerate(zip((0, *with_choice[:-1]), moves, strict=True)):
                policy[h, state] = action
            right += exact.evaluate(mdp, policy).value == Fraction(H, 2) + BIAS
            total += 1
    return Evidence(right, total, "identity", f"all {total} instances with (d, H) in (3,3), (4,3); K = 0")


control(policy_without_data, "the core of layer H-1 placed elsewhere, the reader not told", {"shift": 2})


@check("res-compact-bandit", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Values by one backward step, the count of arms, one feature map")
def compact_bandit_is_a_bandit(moves_on=1) -> Evidence:
    """Backward step with symbolic probabilities; dimension and arms for all D and T, checked on arrays."""
    h, T, D, b, stay, hidden, fair, ahead = sympy.symbols("h T D b stay hidden fair W")
    half = sympy.Rational(1, 2)
    here = half + stay * (ahead + (T - h - 1) * half) + (hidden * (half + b) + fair * half) * (1 + (T - h - 2) * half) \
        + (hidden * (half - b) + fair * half) * (T - h - 2) * half
    excess = sympy.expand((here - (T - h) * half).subs(fair, 1 - stay - hidden))
    actions = D - 2
    outcomes = [("W_h = stay W_{h+1} + b hidden", same_operator(excess, stay * ahead + b * hidden)),
                ("arms: all actions but the one that stays, T-1 layers",
                 same_operator((actions - moves_on) * (T - 1), (D - 3) * (T - 1)))]
    for d, horizon in ((2, 1), (3, 1), (2, 2), (3, 2), (4, 3)):
        arms = instances.compact_bandit_arms(d, horizon)
        mdps = [instances.compact_bandit(d, horizon, arm, BIAS, exact=True) for arm in arms]
        values = {exact.optimal(mdp).value for mdp in mdps}
        same = all(np.array_equal(mdp.phi, mdps[0].phi) for mdp in mdps)
        outcomes.append((f"d = {d}, T = {horizon + 1}", every(
            exactly(len(arms), compact_arms(mdps[0].dim, mdps[0].horizon)), exactly(int(same), 1),
            exactly(values, {Fraction(horizon, 2) + BIAS}), exactly(mdps[0].dim, d + 2))))
        outcomes.append((f"rank D, or D - 1 for T = 2, d = {d}, T = {horizon + 1}",
                         exactly(common_rank(m.transitions()[0] for m in mdps), d + (2 if horizon >= 2 else 1))))
    return steps(outcomes, "all D >= 4, T >= 2, every bias; arrays satisfy Assumption 1 exactly")


control(compact_bandit_is_a_bandit, "the action that stays counted as an arm", {"moves_on": 0})


@check("res-lock", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Values by one backward step, one feature map for all codes")
def lock_hides_its_code(common=True) -> Evidence:
    """The value of every code and policy by backward steps; on arrays, all codes share features of dimension d + 2."""
    b = sympy.Symbol("b")
    right = sympy.symbols("p0:4")
    excess = b * right[3]
    for p in reversed(right[:3]):
        excess = p * excess  # a wrong action is fair: excess 0
    outcomes = [("excess is b times the probability of the code", same_operator(excess, b * sympy.prod(right)))]
    for d, H in ((2, 3), (3, 2)):
        codes = list(product(range(d), repeat=H))
        mdps = [instances.lock(d, H, code, BIAS, exact=True) for code in codes]
        policies = [np.broadcast_to(np.array([*code, 0])[:, None], (H + 1, 3)) for code in codes]
        table = {exact.evaluate(mdp, policy).value - BIAS * (code == other)
                 for mdp, code in zip(mdps, codes, strict=True) for policy, other in zip(policies, codes, strict=True)}
        outcomes.append((f"H/2, plus the bias for the right code only, d = {d}, H = {H}",
                         exactly(table, {Fraction(H, 2)})))
        seen = mdps if common else mdps[:1]
        rank = common_rank(mdp.transitions()[0] for mdp in seen)
        outcomes.append((f"one feature map of dimension d + 2, none smaller, d = {d}", every(
            exactly(rank, d + 2), exactly(mdps[0].dim, d + 2), (exactly(mdp.phi, mdps[0].phi) for mdp in mdps))))
    return steps(outcomes, "every d, H, code and bias; arrays satisfy Assumption 1 exactly")


control(lock_hides_its_code, "the code is known, so that fewer features would do", {"common": False})
