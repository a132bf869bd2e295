"""These checks establish Equations (4) and (5): a bias at arm i does not change histories without arm i.

The law of the data is symbolic and is shown to be a probability; the choices of a randomised algorithm are free
symbols. Four small games are expanded as polynomials.
"""

from __future__ import annotations

import numpy as np
import sympy

from derl.claims import claim, steps
from derl.claims.lower_bounds.chain import BIAS
from derl.exact.compared import every, exactly
from derl.exact.symbolic import by_sign, equal, nonnegative, same_operator
from derl.mdp import instances
from derl.theory.lower_bounds.bandit_game import NO_ARM

TREES = ((2, 2, 2), (3, 1, 2), (2, 1, 3), (1, 3, 2))  # (m, K, outcomes of one deployment), choices free symbols


def flip(arm, hidden, heads, bias, others=0):
    """Probability that one flip of `arm` shows heads, or tails, in M_hidden; `others` is a bias that should not be."""
    skew = bias if arm == hidden else 0 if hidden == NO_ARM else others
    return sympy.Rational(1, 2) + skew if heads else sympy.Rational(1, 2) - skew


def batch(arm, hidden, heads, tails, bias, others=0, law=flip):
    """Probability of one sequence of flips with so many heads and tails."""
    return law(arm, hidden, True, bias, others) ** heads * law(arm, hidden, False, bias, others) ** tails


def is_a_law(law, others=0) -> list[tuple[str, bool]]:
    """One flip has probabilities >= 0 that sum to 1, for every bias in [0, 1/2]; so has a batch, flip by flip."""
    t = sympy.Symbol("t", nonnegative=True)
    bias, heads, tails, arms = t / (1 + t) / 2, *sympy.symbols("x y", positive=True), (NO_ARM, 1, 2)
    one = [[law(arm, hidden, up, bias, others) for up in (True, False)] for arm in (1, 2) for hidden in arms]
    longer = [batch(arm, hidden, heads + up, tails + 1 - up, bias, others, law) for up in (1, 0)
              for arm, hidden in ((1, 1), (2, 1))]
    shorter = [batch(arm, hidden, heads, tails, bias, others, law) for arm, hidden in ((1, 1), (2, 1))]
    return [
        "coin flips",
        ("one flip: probabilities are not negative", every(nonnegative(p, t) for pair in one for p in pair)),
        ("one flip: they sum to 1", every(equal(sum(pair), 1) for pair in one)),
        ("no flip: 1", every(exactly(batch(arm, 1, 0, 0, bias, others, law), 1) for arm in (1, 2))),
        ("one flip more: heads or tails, together what was there",
         every(equal((longer[i] + longer[i + 2]) / shorter[i], 1) for i in (0, 1))),
    ]


def unseen_histories(m: int, K: int, arm: int, hidden: int, law, first=None) -> list:
    """P(arm not among the first k choices) for k = 1..K+1, as polynomials in a randomised algorithm's choices.

    Every history of K deployments is followed, with one free symbol for the probability of each choice after each
    history; `law(choice, hidden)` lists the probabilities of the data of one deployment.

    Parameters
    ----------
    first : function of (choice, hidden) or None
        Probability of the first choice, where it is not a free symbol: a choice that knows the instance is false.
    """
    levels = [sympy.Integer(0)] * (K + 1)

    def follow(history, probability, k):
        free = [sympy.Symbol(f"c{''.join(map(str, history))}_{j}") for j in range(m)]
        chances = [*free, 1 - sum(free)]  # arms 1..m and no arm
        for choice, chance in enumerate(chances, 1):
            if choice == arm:
                continue
            if first is not None and not history:
                chance = first(choice, hidden)
            levels[k - 1] += probability * chance
            if k <= K:
                data = law(choice if choice <= m else NO_ARM, hidden)
                for x, p in enumerate(data):
                    follow((*history, choice, x), probability * chance * p, k + 1)

    follow((), sympy.Integer(1), 1)
    return [sympy.expand(level) for level in levels]


def _differs_at_the_arm(hidden, fair, arm):
    """Two exact instances have the same rewards, and transitions that differ for one (layer, state, action)."""
    rows = np.argwhere((hidden.transitions() != fair.transitions()).any(axis=-1)).tolist()
    return every(exactly(rows, [list(arm)]), exactly(hidden.rewards(), fair.rewards()))


@claim("eq-same-choice",
       false={"in M_i the other arms are worse than in M_0, by 1/10 at one flip": {"others": -sympy.Rational(1, 10)},
              "three times the bias: at bias 1/2 a flip has probability -1": {
                  "law": lambda arm, hidden, heads, bias, others=0: flip(arm, hidden, heads, 3 * bias, others)},
              "tails are as likely as heads: at bias 1/2 the two sum to 2": {
                  "law": lambda arm, hidden, heads, bias, others=0: flip(arm, hidden, True, bias, others)}})
def histories_without_the_arm(text, others=0, law=flip):
    """A history without arm i has the same probability in both instances: The flips are a probability; those of other
    arms are the same; base and step of the induction."""
    heads, tails, b = sympy.symbols("x y b", positive=True)
    past, choose, none = sympy.symbols("P_tau sigma p", positive=True)  # the past in M_0; a choice; data of no arm
    other = [sympy.simplify(batch(2, hidden, heads, tails, b, others, law)) for hidden in (1, NO_ARM)]
    longer = [past * choose * data for data in other]  # hypothesis: the past has the same probability in both
    idle = [past * choose * none for _ in (1, NO_ARM)]  # a policy that pulls no arm has data without any coin
    law_of = [rf"P_{{M_{name},\psi}}(\psi(k+1)=\pi_i,\,E_{{k,i}}^\complement)" for name in "i0"]
    longer, idle = (text.sides(f"{law_of[0]}=", dict(zip(law_of, pair, strict=True))) for pair in (longer, idle))
    own = [batch(1, hidden, 2, 0, b, others, law) for hidden in (1, NO_ARM)]
    return steps([
        *is_a_law(law, others),
        "other arms",
        ("the data of any other arm: the same in M_i and M_0", equal(other[0], other[1])),
        "induction",
        ("no deployment: both histories have probability 1",
         every(exactly(batch(2, 1, 0, 0, b, others, law), batch(2, NO_ARM, 0, 0, b, others, law)),
               exactly(batch(2, NO_ARM, 0, 0, b, others, law), 1))),
        ("one deployment more of another arm, or of none",
         every(equal(longer[0], longer[1]), exactly(idle[0], idle[1]))),
        "arm i itself",
        ("the flips of arm i differ, so the event is needed", by_sign(own[0], own[1])),
        "other arms",
        ("arrays of the template, d = H = 3: M_i and M_0 differ at arm i only", every(_differs_at_the_arm(
            *(instances.hard_template(3, 3, layer, index, 0, bias, exact=True) for bias in (BIAS, 0)),
            (layer, index, index)) for layer in (1, 2) for index in (1, 2))),
        ("arrays of the compact bandit, D = 5, T = 3: the same", every(_differs_at_the_arm(
            *(instances.compact_bandit(3, 2, (layer, action), bias, exact=True) for bias in (BIAS, 0)),
            (layer, 0, action)) for layer in (0, 1) for action in (1, 2))),
    ], "every algorithm, deterministic or randomised, all m, k, N, every bias in [0, 1/2]")


def free_law(outcomes: int, others: bool = False):
    """Data with free probabilities: in M_i arm i has its own ones, all other arms those of M_0 unless `others`."""
    def law(choice, hidden):
        if choice == NO_ARM:
            return [sympy.Integer(1)]
        changed = hidden if choice == hidden or (others and hidden != NO_ARM) else NO_ARM
        free = [sympy.Symbol(f"p{choice}_{changed}_{x}") for x in range(outcomes - 1)]
        return [*free, 1 - sum(free)]
    return law


UNSEEN = [rf"P_{{M_{name},\psi}}(E_{{k,i}}^\complement)" for name in "i0"]


@claim("eq-same-behaviour",
       false={"other arms have other data in M_i: in the game m = K = 2 the polynomials differ":
                  ({"others": True}, "the game m = K = 2: the two polynomials have different coefficients"),
              "the first choice knows the instance: 1/2 for arm 2 in M_1, 1/3 in M_0": {
                  "first": lambda choice, hidden: sympy.Rational(1, 3 if hidden == NO_ARM else 2)}})
def complements_agree(text, others=False, first=None):
    """Induction over the deployments, and every randomised algorithm of four small games as one polynomial: The first
    choice, and whole trees: E_{k+1}^c is E_k^c without the histories whose next choice is i, by (5)."""
    start = [first(2, hidden) if first else sympy.Symbol("s") for hidden in (1, NO_ARM)]
    outcomes = ["first choice",
                ("k = 1: the first choice is made without data", same_operator(start[0], start[1]))]
    for m, K, size in TREES:
        law = free_law(size, others)
        same = True
        for i in range(1, m + 1):
            unseen = {name: unseen_histories(m, K, i, hidden, law, first)
                      for name, hidden in zip(UNSEEN, (i, NO_ARM), strict=True)}
            left, right = text.sides(f"{UNSEEN[0]}=", unseen)
            same &= left == right and len(left) == text(r"k\in", K=K)
        outcomes += ["all algorithms",
                     (f"all randomised algorithms, m = {m}, K = {K}, {size} outcomes per deployment", same)]
    return steps(outcomes, "every algorithm, all m, N, k in 1..K+1; four games with free choices and free data")
