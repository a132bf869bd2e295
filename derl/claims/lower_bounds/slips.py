"""These checks refute ten small slips in the proofs of the lower bounds, each by the smallest case that shows it.

They concern the start s_0 and its d + 2 actions, how sequences and arms are counted, which batches a choice depends on,
and the ranges of a bias, of an index and of N.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, claim, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import by_sign_at_least
from derl.mdp import instances
from derl.printed import BEGINNING

HALF = Fraction(1, 2)
EPSILON = Fraction(1, 5)


def exponential(k):
    """log_2 N for N = 2^H at H = 2^k."""
    return 2**k


@claim("text-soft-omega", refutes=True,
       as_corrected={"N = H^2, at which the bound is H/(3 log_2 H)": {"log_batch": lambda k: 2 * k}})
def bound_is_not_linear_for_every_batch(text, log_batch=exponential):
    """N = 2^H against every power of the logarithm: d = 2, H = 2^k: the bound is H/(log_2 N + k), and H over a power p
    of log_2(dH) = k + 1 grows without end."""
    k, p = sympy.symbols("k p", positive=True, integer=True)
    growth = sympy.powsimp(2 ** (k + 1) / 2**k)
    bounds = [text("", after="the bound", d=2, H=2**n, N=2 ** int(log_batch(n))) for n in range(1, 9)]
    power = sympy.expand_log(text("", after="a power of", d=sympy.Integer(2), H=2**k), force=True)
    return steps([
        ("H = 2, 4, ..., 256: the bound is at most 1", every(at_most(bound, 1) for bound in bounds)),
        ("the logarithm is (k + 1) log 2", exactly(sympy.expand(power / sympy.log(2)), k + 1)),
        ("log_2(NH) >= H, so the bound is at most 1", by_sign_at_least(sympy.expand(log_batch(k) + k - 2**k))),
        ("2^k doubles from k to k + 1", exactly(growth, 2)),
        ("(k + 1)^p grows by a factor that tends to 1", exactly(sympy.limit((k + 2) / (k + 1), k, sympy.oo) ** p, 1)),
    ], "d = 2, H = 2^k for all k, N = 2^H; every power of the logarithm")


def path_probability(mdp, states, actions) -> Fraction:
    """Probability of the states of one episode, given its actions; the first state is certain."""
    transitions = mdp.transitions()
    result = Fraction(1)
    for h, action in enumerate(actions[:-1]):
        result *= transitions[h, states[h], action, states[h + 1]]
    return result


@claim("text-last-batch-included", method="exhaustive", refutes=True,
       as_corrected={"the first kN episodes only": {"fewer": 1}})
def last_batch_tells_the_instances_apart(text, fewer=0):
    """Two deployments of one episode on the template: k = N = 1, d = H = 2: the first deployment follows the cores, the
    second pulls the arm and ends in u^2."""
    batches = int(text("", after="sequence of the first", k=1, N=1)) - fewer
    episodes = [((0, 0, 0), (0, 0, 0)), ((0, 1, 3), (1, 1, 3))][:batches]
    pulled, hidden = text.sides(r"\psi(k+1)=", {r"\psi": lambda choice: [0, 1][int(choice) - 1], r"\pi_i": 1}, k=1)
    biases = [text("", {"M_0": Fraction(0), "M_i": EPSILON}, after=words)
              for words in ("probability under $M_0$ and", "same probability under")]
    law = [sympy.prod([path_probability(instances.hard_template(2, 2, 1, 1, 0, bias, exact=True), *episode)
                       for episode in episodes]) for bias in biases]
    return Evidence(law[0] - law[1] if pulled == hidden else 0, EPSILON, "identity",
                    "d = H = 2, N = 1, k = 1, epsilon = 1/5",
                    detail=f"probability of tau {law[0]} under M_i and {law[1]} under M_0")


@claim("ineq-one-arm-each", method="exhaustive", refutes=True,
       as_corrected={"at most one arm for each policy": {"relation": operator.le}})
def some_policy_visits_no_arm(text, relation=operator.eq, d=3, H=3):
    """Arms visited by each deterministic policy: Cores 0 in every layer; a policy visits the arm of the first layer in
    which it leaves the cores, if any."""
    visited = [int(any(actions[:H - 1])) for actions in product(range(d), repeat=H)]
    selected = r"\sum_i\mathbf 1\{\pi_i\text{ is selected at deployment }k\}"
    sides = [text.sides(f"{selected}=", {selected: count}) for count in visited]
    choices, summed = (text("", after=words, K=4) for words in ("so that the sum over", "choices is"))
    each = sides[0][1]  # claimed of every choice
    return Evidence(sum(not relation(*pair) for pair in sides) if choices * each == summed else 0, 1, "lower",
                    f"all {len(visited)} deterministic policies for d = {d}, H = {H}")


@claim("text-actions-at-start", method="exhaustive", refutes=True,
       false={"d + 3 actions at the first state": {"more": 1}},
       as_corrected={"d actions at the first state": {"more": -2}})
def start_may_lead_elsewhere(text, more=0, d=3, N=5):
    """The uniform policy at the first state: Uniform over the d + 2 actions of s_0 and over the d actions of each core
    state; what (6) lacks to N."""
    start = text("", s_0=0, after="template, where")
    actions = int(text("", after="template, where $s_0$ has", d=d)) + more
    one, claimed = text.sides(r"\sum_{i_1=1}^dp(s_0,i_1,0)=", d=d, s_0=start, p=lambda state, action, layer: Fraction(
        int(state == layer == 0 and action >= 1), actions))
    summed = N * sum(one * Fraction(1, d) for _ in range(d))  # the second layer: its d actions
    return Evidence(N * claimed - summed, 2, "identity",
                    f"d = {d}, N = {N}, L = 2, {actions} actions at the first state")


@claim("text-only-choices", method="exhaustive", refutes=True, as_corrected={"s_0 named as well": {"earlier": 1}})
def first_state_offers_a_choice(text, earlier=0, d=3, H=4):
    """States with more than one action, on the arrays: Counts what has several actions and is no core state of the
    layers first..H."""
    mdp = instances.hard_template(d, H, 1, 1, 0, EPSILON)
    several = {(h, s) for h in range(H + 1) for s in range(d + 2) if mdp.available[h, s].sum() > 1}
    first = int(text("", after="core states of layers"))
    cores = {(h, 0) for h in range(first - earlier, H + 1)}
    return Evidence(len(several - cores), 1, "identity", f"template for d = {d}, H = {H}")


@claim("text-prefixes-counted", method="exhaustive", refutes=True,
       as_corrected={"the outer sum over beginnings": {"whole_sequences": False}})
def beginnings_are_counted_again(text, whole_sequences=True):
    """Two fair episodes, counted as printed: k = 2, N = 1: the first episode misses and the second hits, each with
    probability 1/2."""
    sequences = list(product("mh", repeat=2))
    episodes = int(text("", after="over all sequences $\\tau$ of", k=2, N=1))
    outer = list(product("mh", repeat=episodes)) if whole_sequences else sorted({(one,) for one, _ in sequences})
    term = text("", {r"P(\tau[0,k-1])": HALF, r"P(\tau'[k-1,k])": HALF}, after="sum of the products")
    event = text("", {r"P(E_k\cap E_{k-1}^\complement)": HALF * HALF}, after=BEGINNING)
    total = Fraction(0)
    for tau in outer:
        start, missed = text.sides(r"\tau[0,k-1]\in", {r"\tau[0,k-1]": tau[:1], r"E_{k-1}^\complement": {("m",)}})
        total += sum(term for other in sequences if start in missed and other[:1] == start and other[1] == "h")
    return Evidence(total, 2 * event, "identity", "two deployments of one episode",
                    detail=f"the probability of the event is {HALF * HALF}")


@claim("text-union-as-equality", method="exhaustive", refutes=True,
       words="it says the product N p in words",
       as_corrected={"at most N p": {"relation": operator.le}})
def union_bound_is_not_the_probability(relation=operator.eq):
    """N p against the probability of one success: Compares 1 - (1-p)^N with N p for a few p and N."""
    grid = list(product((Fraction(1, 4), HALF, Fraction(3, 4)), (1, 2, 3)))
    wrong = [(p, N) for p, N in grid if not relation(1 - (1 - p) ** N, N * p)]
    return Evidence(len(wrong), 1, "lower", f"{len(grid)} pairs (p, N)", detail="p = 3/4, N = 2: 15/16 and 3/2")


@claim("text-bias-range", method="exhaustive", refutes=True,
       as_corrected={"epsilon = 1/2, the largest that is allowed": {"epsilon": HALF}})
def large_bias_is_no_probability(text, epsilon=Fraction(3, 5)):
    """A bias above one half: P(u^1 | s#, a#) = 1/2 - epsilon, at a bias that the text allows."""
    allowed = epsilon in text.range(r"\epsilon")
    return Evidence(HALF - epsilon if allowed else HALF, Fraction(-1, 10), "upper", "epsilon = 3/5")


@claim("text-core-modulo", method="exhaustive", refutes=True,
       as_corrected={"(i mod d) + 1": {"index": lambda i, d: i % d + 1}})
def index_zero_occurs(text, index=None):
    """Indices of the core states of layer H-1: Counts the indices outside of 1..d, for d = 2..6 and all i."""
    def read(i, d):  # `(i+1) % d`, the sign between the two as a function of its sides
        return text("", {r"\mathbin\%d": 1}, after=BEGINNING, i=i) % d

    first = int(text("", after="is one of"))
    outside = [(i, d) for d in range(2, 7) for i in range(first, d + 1) if not first <= (index or read)(i, d) <= d]
    return Evidence(len(outside), 1, "lower", "d = 2..6, i = 1..d", detail=f"(i, d) = {outside}")
