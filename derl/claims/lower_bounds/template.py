"""These checks establish the values and the counts of the hard template of Appendix B.1.

The text gives no reward for s_0 in layer 0 nor for u^1, u^2 in layer H-1. With rewards 0 there the printed value is
refuted; the returns by exit layer show which rewards are forced. Small instances are evaluated for every policy.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import equal, same_operator
from derl.mdp import exact, instances

HALF = Fraction(1, 2)
EPSILON = Fraction(1, 5)
SIZES = ((2, 3), (2, 4), (3, 3))


def templates(d, H, **options):
    """Every M(h, i, cores) with d states and horizon H; the core state of layer H does not matter."""
    for cores in product(range(d), repeat=H - 1):
        for layer, index in product(range(1, H), range(d)):
            if cores[layer - 1] != index:
                mdp = instances.hard_template(d, H, layer, index, cores, EPSILON, exact=True, **options)
                yield layer, index, cores, mdp


def core_policies(d, H, cores):
    """Every deterministic policy: one action for the core state of each layer 0..H-1, no choice elsewhere."""
    only = np.tile(np.arange(d + 2), (H + 1, 1))
    for actions in product(range(d), repeat=H):
        policy = only.copy()
        for h, (core, action) in enumerate(zip((0, *cores), actions, strict=True)):
            policy[h, core] = action
        yield actions, policy


def exit_return(first, late, layer, bias, H):
    """Expected return of a trajectory that leaves through a normal state of `layer`; None: never leaves."""
    half = sympy.Rational(1, 2)
    if layer is None:
        return first + (H - 1) * half + half
    if layer == H - 1:
        return first + (H - 1) * half + half + bias
    return first + layer * half + (H - 2 - layer) * half + late + half + bias


@claim("value-hard-template", method="exhaustive", refutes=True, plants=2,
       false={"reward 1/2 in layer H-1, as it must be": {"late": HALF}})
def listed_rewards_give_another_value(late=0,
                                      value=printed("value-hard-template").function(
                                          "", "H", r"\epsilon", after="the optimal value is")):
    """With the rewards as listed, the optimal state is not optimal: Solves every instance with 0 for the rewards that
    the text does not list: largest V* minus the printed one."""
    excess = [exact.optimal(mdp).value - value(H, EPSILON) for d, H in SIZES
              for layer, _, _, mdp in templates(d, H, unstated_rewards=(0, late)) if layer <= H - 2]
    return Evidence(max(excess), -EPSILON, "identity",
                    f"all instances with (d, H) in {SIZES} and h# <= H-2, epsilon = {EPSILON}",
                    detail="r_{H-1}(u) is listed for h <= H-2 and h = H only")


@claim("value-hard-template-repaired", false={"a third in the last layer": {"late": sympy.Rational(1, 3)}})
def returns_by_exit_layer(text, late=None):
    """Returns by exit layer, and which rewards are forced: Adds up the rewards of every kind of trajectory with H, h
    and epsilon symbolic."""
    H, h, bias, a, v = sympy.symbols("H h b a v")
    first = text("r_0(s_0)=", numbers=sympy.Rational)
    given = text("r_{H-1}(u^1)=r_{H-1}(u^2)=", numbers=sympy.Rational)
    template = instances.hard_template(2, 3, 1, 1, 0, EPSILON, exact=True)
    rewards = template.rewards()[2, [2, 3], [2, 3]]  # layer H - 1; u^1 and u^2, each with its one action
    last = dict(zip(("r_{H-1}(u^1)", "r_{H-1}(u^2)"), rewards, strict=True))
    alike = [sympy.Rational(side) for words in ("template with $r_0(s_0)=0$ and", "no other choice of")
             for side in text.sides("r_{H-1}(u^1)=", last, after=words)]
    free = text("", {"r_0(s_0)": a}, after="no other choice of")
    late = given if late is None else late
    by_visits, best = text.function(r"J(\pi)=", r"q(\pi)", "H", r"\epsilon"), text("V^*=", H=H, epsilon=bias)
    visited, missed = (by_visits(text("", {r"q(\pi)": visits}, after=r"\epsilon\,q(\pi)$, where"), H, bias)
                       for visits in (sympy.Integer(1), sympy.Integer(0)))
    # with H = 2 a trajectory leaves in layer 1 = H - 1 or never
    exits = (h, H - 1) if text.range("H").low > 2 else (H - 1,)
    forced = sympy.solve([exit_return(a, v, layer, bias, H) - best for layer in exits], [a, v], dict=True)
    return steps([
        "value of each exit",
        (text.shown(r"J(\pi)=") + ", exit at h <= H-2", same_operator(exit_return(first, late, h, bias, H), visited)),
        ("the same for an exit at H-1", same_operator(exit_return(first, late, H - 1, bias, H), visited)),
        ("no exit: q = 0", same_operator(exit_return(first, late, None, bias, H), missed)),
        ("no policy loses more", equal(visited - missed, text("", after="no policy loses more than", epsilon=bias))),
        "only choice of rewards",
        ("these rewards are the only choice, the same for both states",
         every(exactly(forced, [{free: first, v: given}]), exactly(alike, [given] * 4))),
        ("v > 1/2 + bias instead: r_0 = bias - (v - 1/2) gives 2 bias at h <= H-2",
         same_operator(exit_return(bias - (v - given), v, h, bias, H), best + bias)),
    ], "all H, all exit layers, every bias; a policy is a mixture of exits")


@cache  # held against the true bias and against planted ones
def values() -> list:
    """H, whether the optimal state is visited, and J, for every instance and every deterministic policy."""
    return [(H, actions[:layer] == (*cores[:layer - 1], index), exact.evaluate(mdp, policy).value)
            for d, H in SIZES for layer, index, cores, mdp in templates(d, H)
            for actions, policy in core_policies(d, H, cores)]


@claim("value-hard-template-repaired", method="exhaustive",
       covers=f"(d, H) in {SIZES}, every instance and every deterministic policy", gap="small d and H", tier="full")
def every_policy_evaluated(value_of_text=printed("value-hard-template-repaired").function(
                               r"J(\pi)=", "H", r"\epsilon", r"q(\pi)")):
    """Every policy evaluated by backward induction: Counts pairs (instance, policy) with the value of the text, where q
    is 1 if the optimal state is visited."""
    wanted = {(H, visits): value_of_text(H, EPSILON, int(visits)) for _, H in SIZES for visits in (False, True)}
    agree = [value == wanted[H, visits] for H, visits, value in values()]
    return Evidence(sum(agree), len(agree), "identity", f"{len(agree)} pairs (instance, policy)")


@claim("count-template",
       false={"one absorbing state": {"absorbing": 1},
              "the arrays of the template with d + 1 actions": {"larger": 1}})
def states_and_pairs(text, absorbing=2, larger=0):
    """Counted group by group, and on the arrays: Adds the three groups for all d and counts the arrays of d = 2..6."""
    d = sympy.Symbol("d", positive=True)
    states, pairs = absorbing + 1 + (d - 1), absorbing * 1 + 1 * d + (d - 1) * 1
    claimed = [text.function("", "d", after=words) for words in ("the template has", "states and")]
    outcomes = [("states", same_operator(states, claimed[0](d))), ("pairs", same_operator(pairs, claimed[1](d)))]
    for size in range(2, 7):
        mdp = instances.hard_template(size + larger, 3, 1, 1, 0, EPSILON)
        counted = [int(layer.sum()) for layer in mdp.available[1:]]
        outcomes.append((f"arrays for d = {size}", exactly(
            [*counted, mdp.dim, mdp.n_states], [claimed[1](size)] * 4 + [claimed[0](size)])))
    return steps(outcomes, "all d; layers 1..H")


@claim("count-hard-instances", false={"arms in layer H as well": {"last": 0}})
def places_of_the_optimal_state(places=printed("count-hard-instances").function(r"|\bar{\mathcal M}|=", "d", "H"),
                                last=1):
    """Normal states of layers 1..H-1: Sums d-1 over the layers for all d and H, and counts the instances with all cores
    fixed."""
    d, H, h = sympy.symbols("d H h", integer=True, positive=True)
    total = sympy.summation(d - 1, (h, 1, H - last))
    outcomes = [("sum", same_operator(total, places(d, H)))]
    for size, horizon in ((2, 2), (2, 4), (3, 3), (4, 5)):
        fixed = sum(1 for layer in range(1, horizon) for index in range(size) if index != 0)
        outcomes.append((f"listed for d = {size}, H = {horizon}", exactly(fixed, places(size, horizon))))
    return steps(outcomes, "all d, H")
