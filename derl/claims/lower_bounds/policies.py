"""These checks count the optimal policies on the hard template, and examine Remark B.1 on non-Markov policies.

Both printed statements are refuted by small instances. The repaired ones are established for all d and H, with path
laws whose entries are free symbols.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, claim, steps
from derl.claims.lower_bounds.template import EPSILON, HALF, SIZES, core_policies
from derl.exact.compared import every, exactly
from derl.exact.symbolic import equal
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


@claim("gap-to-other-policies", method="exhaustive", refutes=True,
       words="it counts policies: the check counts the best ones",
       false={"policies that visit the same states count once": {"by_path": True}})
def several_policies_are_optimal(by_path=False):
    """At least d optimal deterministic policies: Counts optimal deterministic policies on instances of the class used
    in the proof; the text needs exactly one."""
    fewest = min(len(_optimal_policies(d, H, layer, by_path)[0]) for d, H in SIZES for layer in range(1, H))
    return Evidence(fewest, 2, "lower", f"(d, H) in {SIZES}, every layer of the optimal state")


@claim("gap-to-other-policies-repaired", plants=3, covers="seven instances whole",
       gap="instances: Coq proves the whole",
       false={"policies that visit the same states count once": {"by_path": True}})
def policies_counted_by_loss(text, by_path=False):
    """d^(H-h) optimal policies, and epsilon below them nothing in between: Every deterministic Markov policy of the
    small instances."""
    optimal, total = text.function("", "d", "H", "h", after="Then exactly"), text.function("", "d", "H", after="of the")
    for d, H in SIZES:
        yield f"all policies, d={d} H={H}", exactly(len([*core_policies(d, H, (0,) * (H - 1))]), total(d, H))
        for layer in range(1, H):
            best, losses = _optimal_policies(d, H, layer, by_path)
            yield f"d={d} H={H} h={layer}", every(exactly(len(best), optimal(d, H, layer)), exactly(losses, {EPSILON}))


def _path_law(first, second, third):
    """Symbolic path law of a policy on the digits 1, 2."""
    return {path: first[path[0]] * second[path[:2]] * third(path) for path in product((1, 2), repeat=3)}


@claim("rem-markov", method="exhaustive",
       gap="refuted as a step of proofs that average over instances; on one instance it is true", refutes=True,
       words="it has no formula",
       false={"a second path that does not share a state with the first": {"second_path": (2, 2, 2)}})
def mixture_is_not_markov(second_path=(2, 1, 2)):
    """No Markov policy has the path law of a mixture of two sequences: Compares the cross ratio of the mixture with the
    one that every Markov path law has."""
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


def _law(next_action, cores):
    """The law of the exits (layer, action) of the core path, and of staying to the end, as polynomials."""
    law, here = {}, sympy.Integer(1)
    for h, core in enumerate(cores):
        chances = next_action(h)
        law |= {(h, a): here * chances[a] for a in range(len(chances)) if a != core}
        here = here * chances[core]
    return law | {"stays": here}


@claim("rem-markov-repaired",
       false={"one Markov policy for two instances, the mean of both: all weight on (0, 0) of "
              "two layers gives 1/4 there and not 1":
                  ({"averaged": True}, "all weight on (0, 0) of two layers: 1/4 != 1"),
              "two ways into a core state": {"entries": 2}})
def one_history_per_core_state(text, entries=1, averaged=False):
    """One history per core state; conditional path laws give the same trajectories: Base and step of the induction over
    layers; laws of trajectories for free, history-dependent path laws.

    With `averaged` the Markov policy is that of the mean over two instances, which is no policy of either.
    """
    c, q = sympy.symbols("c q", positive=True)  # P(core path to layer h); path law of one action more
    core, beyond = sympy.symbols("core t", integer=True, positive=True)
    j = sympy.Symbol("j", integer=True)
    taken = text("p_h(a)=", {r"q(i_1,\dots,i_h,a)": q, r"q(i_1,\dots,i_h)": c})
    into = sympy.summation(sympy.KroneckerDelta(j, core), (j, 1, core + beyond - 1))  # actions of one core state
    outcomes = [
        "action probabilities",
        ("layer 0: the Markov policy takes each action with its own probability", equal(taken.subs(c, 1), q)),
        ("layer h to h + 1: P(core path) p_h(a) = q(i_1, ..., i_h, a)", equal(c * taken, q)),
        "one history",
        ("of the d actions of a core state one leads to the next core state, for every d and core", exactly(into, 1)),
        ("other states lead to u1 and u2, so histories do not multiply: c_{h+1} = c_h", exactly(into * entries, 1)),
    ]
    for d, H in SIZES:
        cores = tuple(h % d for h in range(H - 1))
        mdp = instances.hard_template(d, H, 1, (cores[0] + 1) % d, cores, EPSILON, exact=True)
        moves = mdp.transitions()
        chain = [(moves[h, :, :, nxt] > 0).sum() for h, nxt in enumerate(cores)]
        choices = [int((mdp.available[h].sum(axis=1) > 1).sum()) for h in range(1, H)]
        outcomes.append((f"one pair enters each core state, only it has a choice, d = {d}, H = {H}",
                         every(exactly(chain, [entries] * (H - 1)), exactly(choices, [1] * (H - 1)))))
    for d, layers in ((2, 3), (3, 2), (2, 4)):
        outcomes += ["path laws",
                     (f"all path laws, d = {d}, {layers} layers", _same_trajectories(d, layers, averaged))]
    return steps(outcomes, "one instance, every non-Markov or mixed policy, all d and H")


def _same_trajectories(d, layers, averaged=False) -> bool:
    """Whether a path law with free entries and the Markov policy made of it have the same trajectories."""
    weights = {path: sympy.Symbol(f"w{''.join(map(str, path))}", positive=True)
               for path in product(range(d), repeat=layers)}
    total = sum(weights.values())

    def path_law(prefix):
        return sum(w for path, w in weights.items() if path[:len(prefix)] == prefix) / total

    def policy(h, cores):
        return [path_law((*cores[:h], a)) / path_law(cores[:h]) for a in range(d)]

    cores, other = (0,) * layers, (1,) * layers
    own = {(h, a): path_law((*cores[:h], a)) for h in range(layers) for a in range(d) if a != cores[h]}
    own["stays"] = path_law(cores)
    result = _law(lambda h: [(x + y) / 2 for x, y in zip(policy(h, cores), policy(h, other), strict=True)] if averaged
                  else policy(h, cores), cores)
    return all(bool(equal(result[key], own[key])) for key in own)
