"""These checks concern Theorem B.3, the lower bound for arbitrary policies: where it fails, and its repair on the lock.

Every policy on the printed instances is evaluated by backward induction. The repair has the combination lock with d
actions, T = H+1 layers, dimension d+2 and a bias b > 2 epsilon; its proof is taken step by step.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, by_sign, equal, nonnegative
from derl.mdp import exact, instances

EPSILON = Fraction(1, 8)
BEYOND = sympy.Symbol("t", positive=True)  # bias/epsilon beyond its bound
CEILING = r"\lceil\log_dNH\rceil"


def class_of_theorem(d, H, bias):
    """Every instance of the class in the proof of Theorem B.3."""
    for cores, index in product(product(range(d), repeat=H - 2), range(d)):
        yield cores, index, instances.hard_template(d, H, H - 1, index, (*cores, (index + 1) % d), bias, exact=True)


@claim("thm-lower-arbitrary", method="exhaustive",
       gap="the instances of the printed proof, with their bias epsilon; other instances are the repair", refutes=True,
       false={"bias 3 epsilon": {"bias": 3 * EPSILON}})
def nothing_fails_the_definition(text, bias=EPSILON):
    """No policy loses more than epsilon: Largest loss of any policy on any instance of the class: best value minus
    worst value, by backward induction.

    With K = 0 deployments the theorem claims a probability above 0 on these instances.
    """
    worst, same = Fraction(0), (lambda order: order)
    claimed = text("", after="with probability at least")
    for d, H in ((2, 4), (3, 3)):
        sizes = {"d": d, "H": H, "N": 1}
        enough, order = text.sides(r"K>...=", {r"\lceil\log_dNH\rceil": 2, "K": 0}, Omega=same, **sizes)
        first, second = text.sides(r"\Omega(H/\log_d(NH))=", {r"\tilde\Omega": same}, Omega=same, **sizes)
        inside = d in text.range("d") and H in text.range("H") and text("K>", **sizes) >= 0
        if not inside or claimed <= 0 or not 0 <= order == first <= second or enough < 0:
            return Evidence(2 * EPSILON, EPSILON, "upper", "the theorem claims nothing here")
        for _, _, mdp in class_of_theorem(d, H, bias):
            worst = max(worst, exact.optimal(mdp).value - _worst_value(mdp))
    return Evidence(worst, EPSILON, "upper", "every policy, every instance with (d, H) = (2,4), (3,3); all d, H by the "
                    "values of the template", detail="not epsilon-optimal means a loss above epsilon")


def _worst_value(mdp):
    """Smallest value of any policy, history-dependent ones included."""
    transitions, rewards = mdp.transitions(), mdp.rewards()
    value = np.full(mdp.n_states, Fraction(0), dtype=object)
    for h in reversed(range(mdp.horizon)):
        q = rewards[h] + transitions[h] @ value
        value = np.array([min(q[s][mdp.available[h, s]]) for s in range(mdp.n_states)], dtype=object)
    return mdp.initial @ value


@claim("thm-lower-arbitrary", method="exhaustive",
       gap="the instances of the printed proof, with their bias epsilon; other instances are the repair", refutes=True,
       false={"a deterministic output": {"spread": False}})
def uniform_output_is_good_everywhere(text, spread=True):
    """The uniform policy loses less than epsilon everywhere: Smallest epsilon - loss of the output "uniform actions",
    after K = 0 deployments, over all instances."""
    room = None
    for d, H in ((2, 4), (3, 3)):
        few = not text.relation("K", {CEILING: 2}, K=0, d=d, H=H).holds  # so the theorem claims a failure
        if not few or d not in text.range("d") or H not in text.range("H"):
            return Evidence(0, EPSILON / 9, "lower", "the theorem claims nothing here")
        for _, _, mdp in class_of_theorem(d, H, EPSILON):
            even = mdp.available * Fraction(1) / mdp.available.sum(axis=2, keepdims=True)
            policy = even if spread else mdp.available.argmax(axis=2)
            gap = EPSILON - (exact.optimal(mdp).value - exact.evaluate(mdp, policy).value)
            room = gap if room is None else min(room, gap)
    return Evidence(room, EPSILON / 9, "lower", "every instance with (d, H) = (2,4), (3,3); room is epsilon d^(1-H)")


def constant_of(text, missed, size, *variables) -> list:
    """Steps: the bound of a text loses the factor `missed` with each deployment, and what is left at K = H - 1.

    Parameters
    ----------
    missed : expression in H
    size : expression in the variables
        The number of actions.
    """
    H, K = sympy.symbols("H K", positive=True)
    left, right = text.sides(r"\frac{d-1}...>", d=size, H=H, K=K)
    return [
        ("one deployment more: this factor more", equal(left.subs(K, K + 1) / left, missed)),
        (text.shown(r"\frac{d-1}...") + ": (d-1)/d >= 1/2, and the rest is above 1/e", every(
            at_least(left.subs(K, 0), sympy.Rational(1, 2), *variables),
            at_most(right * sympy.E, sympy.Rational(1, 2)))),
    ]


@claim("thm-lower-arbitrary-repaired",
       false={"half as many digits per deployment": {"levels": sympy.Rational(1, 2)},
              "bias 2 epsilon, where one output can serve two digits": {"beyond": 0}})
def lower_bound_on_the_lock(text, levels=1, beyond=BEYOND):
    """The chain on the lock, its output, and the constant: `levels` times ceil(log_d NH) digits per deployment."""
    H, L, N = sympy.symbols("H L N", positive=True)
    h, s, e, y = sympy.symbols("h s e y", nonnegative=True)
    reach = sympy.Symbol("R", positive=True)  # d^L with L = ceil(log_d NH)
    per_step = (N / reach**levels).subs(reach, N * H + s)
    slack, weight = (sympy.symbols(f"{name}1:3", nonnegative=True) for name in "zw")
    least = sympy.Symbol("v", nonnegative=True)
    mixture = sum(w * (least + z) for w, z in zip(weight, slack, strict=True)) - least * sum(weight)
    q, epsilon = sympy.symbols("q epsilon", positive=True)
    bias, most = text.range("b", epsilon=epsilon), text.function(r"K\le", CEILING, "H")
    threshold = sympy.solve((bias.low + beyond * epsilon) * (1 - q) - epsilon, q)[0]
    smallest, widest = text.range("H").low + h, sympy.Rational(text.range(r"\epsilon").high)
    lock = instances.lock(2, 3, (0, 1, 0), EPSILON, exact=True)
    gap = y - sympy.log(1 + y)
    power, factor = sympy.symbols("P f", nonnegative=True)
    size = text.range("d").low + e
    return steps([
        "mixture",
        ("a mixture of algorithms is no better than the best",
         nonnegative(sympy.expand(mixture), *weight, *slack, least)),
        "one deployment",
        ("d^L >= NH gives N/d^L <= 1/H", at_least(1 / H, per_step, H, N, s)),
        "induction",
        ("P_{k+1} >= f P_k and P_k >= f^k give P_{k+1} >= f^(k+1)",
         at_least(factor * (power + slack[0]) + slack[1], factor * power, factor, *slack)),
        ("K L <= H-1 digits before layer H-1", at_least(H, 1 + (most(L, H) - s) * L, L, s)),
        "power",
        ("K <= H-1 since L >= 1", at_least(smallest - 1, most(1 + s, smallest), h, s)),
        ("(1-1/H)^(H-1) > 1/e by log(1+y) < y",
         every(exactly(gap.subs(y, 0), 0), equal(sympy.diff(gap, y), y / (1 + y)))),
        "last digit",
        ("given F one output serves one last digit at most",
         by_sign(threshold, sympy.Rational(1, 2))),
        *constant_of(text, 1 - 1 / H, size, e),
        ("largest epsilon: a bias above it is 1/2 at most", exactly(bias.low.subs(epsilon, widest), bias.high)),
        ("dimension and layers of the arrays, d = 2, H = 3", every(
            exactly(lock.dim, text("", after="actions, dimension", d=2)),
            exactly(lock.horizon, text("", after="dimension $d+2$,", H=3)))),
    ], "every algorithm, all d, H >= 2, N >= 1, K <= (H-1)/ceil(log_d NH), epsilon < 1/4, 2 epsilon < bias <= 1/2")
