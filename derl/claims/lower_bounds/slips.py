"""These checks refute ten small slips in the proofs of the lower bounds, each by the smallest case that shows it.

They concern the start s_0 and its d + 2 actions, how sequences and arms are counted, which batches a choice depends on,
and the ranges of a bias, of an index and of N.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, check, control, printed, steps
from derl.mdp import instances
from derl.printed import BEGINNING
from derl.theory.exact.compared import at_most, every, exactly
from derl.theory.exact.symbolic import by_sign_at_least

HALF = Fraction(1, 2)
EPSILON = Fraction(1, 5)


def exponential(k):
    """log_2 N for N = 2^H at H = 2^k."""
    return 2**k


@check("text-soft-omega", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="N = 2^H against every power of the logarithm")
def bound_is_not_linear_for_every_batch(said=printed("text-soft-omega", says=["For every"]),
                                        log_batch=exponential) -> Evidence:
    """d = 2, H = 2^k: the bound is H/(log_2 N + k), and H over a power p of log_2(dH) = k + 1 grows without end."""
    k, p = sympy.symbols("k p", positive=True, integer=True)
    growth = sympy.powsimp(2 ** (k + 1) / 2**k)
    bounds = [said("", after="the bound", d=2, H=2**n, N=2 ** int(log_batch(n))) for n in range(1, 9)]
    power = sympy.expand_log(said("", after="a power of", d=sympy.Integer(2), H=2**k), force=True)
    return steps([
        ("H = 2, 4, ..., 256: the bound is at most 1", every(at_most(bound, 1) for bound in bounds)),
        ("the logarithm is (k + 1) log 2", exactly(sympy.expand(power / sympy.log(2)), k + 1)),
        ("log_2(NH) >= H, so the bound is at most 1", by_sign_at_least(sympy.expand(log_batch(k) + k - 2**k))),
        ("2^k doubles from k to k + 1", exactly(growth, 2)),
        ("(k + 1)^p grows by a factor that tends to 1", exactly(sympy.limit((k + 2) / (k + 1), k, sympy.oo) ** p, 1)),
    ], "d = 2, H = 2^k for all k, N = 2^H; every power of the logarithm")


control(bound_is_not_linear_for_every_batch, "N = H^2, at which the bound is H/(3 log_2 H)",
        {"log_batch": lambda k: 2 * k}, variant="corrected")


def path_probability(mdp, states, actions) -> Fraction:
    """Probability of the states of one episode, given its actions; the first state is certain."""
    transitions = mdp.transitions()
    found = Fraction(1)
    for h, action in enumerate(actions[:-1]):
        found *= transitions[h, states[h], action, states[h + 1]]
    return found


@check("text-last-batch-included", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Two deployments of one episode on the template")
def last_batch_tells_the_instances_apart(said=printed("text-last-batch-included", says=["Every", "not",
                                                                                        "in the first"]),
                                         fewer=0) -> Evidence:
    """k = N = 1, d = H = 2: the first deployment follows the cores, the second pulls the arm and ends in u^2."""
    batches = int(said("", after="sequence of the first", k=1, N=1)) - fewer
    episodes = [((0, 0, 0), (0, 0, 0)), ((0, 1, 3), (1, 1, 3))][:batches]
    pulled, hidden = said.sides(r"\psi(k+1)=", {r"\psi": lambda choice: [0, 1][int(choice) - 1], r"\pi_i": 1}, k=1)
    biases = [said("", {"M_0": Fraction(0), "M_i": EPSILON}, after=words)
              for words in ("probability under $M_0$ and", "same probability under")]
    law = [sympy.prod([path_probability(instances.hard_template(2, 2, 1, 1, 0, bias, exact=True), *episode)
                       for episode in episodes]) for bias in biases]
    return Evidence(law[0] - law[1] if pulled == hidden else 0, EPSILON, "identity",
                    "d = H = 2, N = 1, k = 1, epsilon = 1/5",
                    detail=f"probability of tau {law[0]} under M_i and {law[1]} under M_0")


control(last_batch_tells_the_instances_apart, "the first kN episodes only", {"fewer": 1}, variant="corrected")


@check("ineq-one-arm-each", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Arms visited by each deterministic policy")
def some_policy_visits_no_arm(said=printed("ineq-one-arm-each", says=["for every", "deterministic"]),
                              relation=operator.eq, d=3, H=3) -> Evidence:
    """Cores 0 in every layer; a policy visits the arm of the first layer in which it leaves the cores, if any."""
    visited = [int(any(actions[:H - 1])) for actions in product(range(d), repeat=H)]
    selected = r"\sum_i\mathbf 1\{\pi_i\text{ is selected at deployment }k\}"
    sides = [said.sides(f"{selected}=", {selected: count}) for count in visited]
    choices, summed = (said("", after=words, K=4) for words in ("so that the sum over", "choices is"))
    each = sides[0][1]  # claimed of every choice
    return Evidence(sum(not relation(*pair) for pair in sides) if choices * each == summed else 0, 1, "lower",
                    f"all {len(visited)} deterministic policies for d = {d}, H = {H}")


control(some_policy_visits_no_arm, "at most one arm for each policy", {"relation": operator.le}, variant="corrected")


@check("text-actions-at-start", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="The uniform policy at the first state")
def start_may_lead_elsewhere(said=printed("text-actions-at-start", says=["for every"]), more=0, d=3, N=5) -> Evidence:
    """Uniform over the d + 2 actions of s_0 and over the d actions of each core state; what (6) lacks to N."""
    start = said("", s_0=0, after="template, where")
    actions = int(said("", after="template, where $s_0$ has", d=d)) + more
    one, claimed = said.sides(r"\sum_{i_1=1}^dp(s_0,i_1,0)=", d=d, s_0=start, p=lambda state, action, layer: Fraction(
        int(state == layer == 0 and action >= 1), actions))
    summed = N * sum(one * Fraction(1, d) for _ in range(d))  # the second layer: its d actions
    return Evidence(N * claimed - summed, 2, "identity",
                    f"d = {d}, N = {N}, L = 2, {actions} actions at the first state")


control(start_may_lead_elsewhere, "d actions at the first state", {"more": -2}, variant="corrected")
control(start_may_lead_elsewhere, "d + 3 actions at the first state", {"more": 1})


@check("text-only-choices", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="States with more than one action, on the arrays")
def first_state_offers_a_choice(said=printed("text-only-choices", says=["more than", "only"]), earlier=0, d=3,
                                H=4) -> Evidence:
    """Counts what has several actions and is no core state of the layers first..H."""
    mdp = instances.hard_template(d, H, 1, 1, 0, EPSILON)
    several = {(h, s) for h in range(H + 1) for s in range(d + 2) if mdp.available[h, s].sum() > 1}
    first = int(said("", after="core states of layers"))
    cores = {(h, 0) for h in range(first - earlier, H + 1)}
    return Evidence(len(several - cores), 1, "identity", f"template for d = {d}, H = {H}")


control(first_state_offers_a_choice, "s_0 named as well", {"earlier": 1}, variant="corrected")


@check("text-prefixes-counted", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Two fair episodes, counted as printed")
def beginnings_are_counted_again(said=printed("text-prefixes-counted", says=["and over all", "last"]),
                                 whole_sequences=True) -> Evidence:
    """k = 2, N = 1: the first episode misses and the second hits, each with probability 1/2."""
    sequences = list(product("mh", repeat=2))
    episodes = int(said("", after="over all sequences $\\tau$ of", k=2, N=1))
    outer = list(product("mh", repeat=episodes)) if whole_sequences else sorted({(one,) for one, _ in sequences})
    term = said("", {r"P(\tau[0,k-1])": HALF, r"P(\tau'[k-1,k])": HALF}, after="sum of the products")
    event = said("", {r"P(E_k\cap E_{k-1}^\complement)": HALF * HALF}, after=BEGINNING)
    total = Fraction(0)
    for tau in outer:
        start, missed = said.sides(r"\tau[0,k-1]\in", {r"\tau[0,k-1]": tau[:1], r"E_{k-1}^\complement": {("m",)}})
        total += sum(term for other in sequences if start in missed and other[:1] == start and other[1] == "h")
    return Evidence(total, 2 * event, "identity", "two deployments of one episode",
                    detail=f"the probability of the event is {HALF * HALF}")


control(beginnings_are_counted_again, "the outer sum over beginnings", {"whole_sequences": False}, variant="corrected")


@check("text-union-as-equality", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="N p against the probability of one success")
def union_bound_is_not_the_probability(relation=operator.eq,
                                       said=printed("text-union-as-equality", says=["one of $N$ episodes",
                                           "is $N$ times"])) -> Evidence:
    """Compares 1 - (1-p)^N with N p for a few p and N."""
    grid = list(product((Fraction(1, 4), HALF, Fraction(3, 4)), (1, 2, 3)))
    wrong = [(p, N) for p, N in grid if not relation(1 - (1 - p) ** N, N * p)]
    return Evidence(len(wrong), 1, "lower", f"{len(grid)} pairs (p, N)", detail="p = 3/4, N = 2: 15/16 and 3/2")


control(union_bound_is_not_the_probability, "at most N p", {"relation": operator.le}, variant="corrected")


@check("text-bias-range", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="A bias above one half")
def large_bias_is_no_probability(said=printed("text-bias-range", says=["for every"]),
                                 epsilon=Fraction(3, 5)) -> Evidence:
    """P(u^1 | s#, a#) = 1/2 - epsilon, at a bias that the text allows."""
    allowed = epsilon in said.range(r"\epsilon")
    return Evidence(HALF - epsilon if allowed else HALF, Fraction(-1, 10), "upper", "epsilon = 3/5")


control(large_bias_is_no_probability, "epsilon = 1/2, the largest that is allowed",
        {"epsilon": HALF}, variant="corrected")


@check("text-core-modulo", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Indices of the core states of layer H-1")
def index_zero_occurs(said=printed("text-core-modulo", says=["for every"]), index=None) -> Evidence:
    """Counts the indices outside of 1..d, for d = 2..6 and all i."""
    def read(i, d):  # `(i+1) % d`, the sign between the two as a function of its sides
        return said("", {r"\mathbin\%d": 1}, after=BEGINNING, i=i) % d

    first = int(said("", after="is one of"))
    outside = [(i, d) for d in range(2, 7) for i in range(first, d + 1) if not first <= (index or read)(i, d) <= d]
    return Evidence(len(outside), 1, "lower", "d = 2..6, i = 1..d", detail=f"(i, d) = {outside}")


control(index_zero_occurs, "(i mod d) + 1", {"index": lambda i, d: i % d + 1}, variant="corrected")
