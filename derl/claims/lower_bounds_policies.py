r"""Policies on the hard template: how many are optimal, and Remark B.1 on non-Markov policies.

**Policies.** Once it has left the core path a trajectory has no choice left. The d^{H-h} deterministic policies
that take the right action in layers 0..h-1 and anything at the core states of layers h..H-1 all visit the
optimal state of layer h.

**Remark B.1.** A core state of layer h+1 is entered only from the core state of layer h and by one action; by
induction one history leads to each. On one instance, p_h(a) = P(core path to layer h, then a)/P(core path to
layer h) is therefore a Markov policy with the same law. It depends on the instance. The mixture of two action
sequences (1,1,1) and (2,1,2) has path law q(1,1,1) = q(2,1,2) = 1/2, and every Markov path law satisfies

    q(1,1,1) q(2,1,2) = p(1) p(1|1) p(1|1) . p(2) p(1|2) p(2|1) = q(1,1,2) q(2,1,1),

here that would say 1/4 = 0. In proofs that average over instances p(i,j,h) has to be read as a conditional path
law p(j | i_1, ..., i_h).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from derl.claims.evidence import Evidence, steps
from derl.claims.lower_bounds_template import EPSILON, HALF, SIZES, core_policies, exit_return
from derl.claims.registry import check, control
from derl.mdp import exact, instances


def _optimal_policies(d, H, layer, by_path=False):
    """Optimal deterministic policies on the instance with cores 0 and optimal index 1, and the losses of the others.

    With `by_path`, policies that visit the same states count once.
    """
    mdp = instances.hard_template(d, H, layer, 1, 0, EPSILON, exact=True)
    best = exact.optimal(mdp).value
    policies = core_policies(d, H, (0,) * (H - 1))
    losses = {actions: best - exact.evaluate(mdp, policy).value for actions, policy in policies}
    optimal = {actions[:layer] if by_path else actions for actions, loss in losses.items() if not loss}
    return optimal, {loss for loss in losses.values() if loss}


@check("gap-to-other-policies", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="At least d optimal deterministic policies")
def several_policies_are_optimal(by_path=False) -> Evidence:
    """Counts optimal deterministic policies on instances of the class used in the proof; the text needs exactly one."""
    fewest = min(len(_optimal_policies(d, H, layer, by_path)[0]) for d, H in SIZES for layer in range(1, H))
    return Evidence(fewest, 2, "lower", f"(d, H) in {SIZES}, every layer of the optimal state")


@control(of=several_policies_are_optimal, plants="policies that visit the same states count once")
def counted_by_path():
    return {"by_path": True}


@check("gap-to-other-policies-repaired", method="symbolic", arithmetic="exact", covers="everything",
       gap="the count for all d and H: argued in the text, enumerated for small ones",
       title="d^(H-h) optimal policies, one path, and epsilon below them nothing in between")
def policies_counted_by_loss(by_path=False) -> Evidence:
    """The loss of each kind of trajectory for all H; the count d^(H-h) over every policy of small instances."""
    H, h, epsilon = sympy.symbols("H h epsilon")
    half = sympy.Rational(1, 2)
    below = exit_return(0, half, h, epsilon, H) - epsilon
    outcomes = [(f"{name} loses epsilon", sympy.expand(below - exit_return(0, half, layer, 0, H)) == 0)
                for name, layer in (("fair exit at h <= H-2", h), ("fair exit at H-1", H - 1), ("no exit", None))]
    for d, H in SIZES:
        for layer in range(1, H):
            optimal, losses = _optimal_policies(d, H, layer, by_path)
            outcomes.append((f"d={d} H={H} h={layer}", len(optimal) == d ** (H - layer) and losses == {EPSILON}))
    return steps(outcomes, "losses for all H and every exit; the count for all d and H by the text, here on small ones")


@control(of=policies_counted_by_loss, plants="policies that visit the same states count once")
def counted_by_path_again():
    return {"by_path": True}


def _path_law(first, second, third):
    """Symbolic path law of a policy on the digits 1, 2."""
    return {path: first[path[0]] * second[path[:2]] * third(path) for path in product((1, 2), repeat=3)}


@check("rem-markov", method="exhaustive", arithmetic="exact", covers="everything", refutes=True,
       gap="refuted as a step of proofs that average over instances; on one instance it is true",
       title="No Markov policy has the path law of a mixture of two sequences")
def mixture_is_not_markov(second_path=(2, 1, 2)) -> Evidence:
    """Compares the cross ratio of the mixture with the one that every Markov path law has."""
    law = dict.fromkeys(product((1, 2), repeat=3), Fraction(0))
    for path in ((1, 1, 1), second_path):
        law[path] += HALF
    violation = abs(law[1, 1, 1] * law[2, 1, 2] - law[1, 1, 2] * law[2, 1, 1])
    x, y, z = sympy.symbols("x y z1:3"), sympy.symbols("y1:5"), sympy.symbols("z1:3")
    first, second = dict(zip((1, 2), x[:2], strict=True)), dict(zip(product((1, 2), repeat=2), y, strict=True))
    markov = _path_law(first, second, lambda path: z[path[2] - 1])  # third digit given second digit 1
    identity = sympy.expand(markov[1, 1, 1] * markov[2, 1, 2] - markov[1, 1, 2] * markov[2, 1, 1]) == 0
    return steps([("cross ratio of every Markov law is 0", identity), ("that of the mixture is not", violation != 0)],
                 "d = 2, paths through levels 1 to 3 (H >= 5); one policy for all instances", f"difference {violation}")


@control(of=mixture_is_not_markov, plants="a second path that does not share a state with the first")
def paths_without_a_common_state():
    return {"second_path": (2, 2, 2)}


@check("rem-markov-repaired", method="symbolic", arithmetic="exact", covers="everything",
       gap="the induction over the layers: argued in the text, entries counted on small instances",
       title="One history per core state; conditional path laws telescope")
def one_history_per_core_state(entries=1) -> Evidence:
    """Counts histories by the induction c_{h+1} = c_h x entries and rebuilds a path law from its conditionals."""
    q = sympy.symbols("q1:5", positive=True)
    marginal, conditional = q[0], [q[h + 1] / q[h] for h in range(3)]
    rebuilt = [marginal * sympy.prod(conditional[:h]) for h in range(4)]
    histories, core, beyond = sympy.symbols("c_h core t", integer=True, positive=True)
    j = sympy.Symbol("j", integer=True)
    into = sympy.summation(sympy.KroneckerDelta(j, core), (j, 1, core + beyond - 1))  # actions of one core state
    outcomes = [("of the d actions of a core state one leads to the next core state, for every d and core", into == 1),
                ("other states lead to u1 and u2, so histories do not multiply: c_{h+1} = c_h",
                 sympy.expand(histories * entries - histories) == 0)]
    for d, H in SIZES:
        cores = tuple(h % d for h in range(H - 1))
        moves = instances.hard_template(d, H, 1, (cores[0] + 1) % d, cores, EPSILON, exact=True).transitions()
        chain = [(moves[h, :, :, core] > 0).sum() for h, core in enumerate(cores)]
        outcomes.append((f"one pair enters each core state, d = {d}, H = {H}", chain == [entries] * (H - 1)))
    outcomes.append(("product of conditionals is the path law", all(sympy.simplify(r - s) == 0
                                                                     for r, s in zip(rebuilt, q, strict=True))))
    return steps(outcomes, "one instance, every non-Markov or mixed policy")


@control(of=one_history_per_core_state, plants="two ways into a core state")
def two_ways_in():
    return {"entries": 2}
