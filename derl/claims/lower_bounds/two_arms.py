"""This check establishes Theorem B.2 for one or two arms by four other instances, where the printed ones are easy.

The means of the two arms are (1/2, 1/2 + e), (1/2, 1/2 - e), (1/2 + 2e, 1/2 + e), (1/2 - 2e, 1/2 - e), each with
probability 1/4. With the first arm known exactly two of the four remain to be guessed, with the second one all four.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from derl.claims import claim, steps
from derl.exact.compared import at_most, exactly
from derl.mdp import ExactMDP, exact

UNKNOWN = ((0, 1), (0, -1), (2, 1), (-2, -1))  # means of the two arms, minus 1/2, in units of epsilon


def _two_arms(means) -> ExactMDP:
    """Two layers: action a leads from g to u2 with probability means[a], else to u1; only u2 pays, in layer 2."""
    phi = np.zeros((2, 3, 2, 4), dtype=object)
    phi[:, 0, :, :2] = np.eye(2, dtype=int)
    phi[:, 1, :, 2] = phi[:, 2, :, 3] = 1
    mu = np.zeros((2, 4, 3), dtype=object)
    mu[:, 0], mu[:, 1] = ((0, 1 - mean, mean) for mean in means)
    mu[:, 2, 1] = mu[:, 3, 2] = 1
    theta = np.array([[0] * 4, [0, 0, 0, 1]], dtype=object)
    available = np.ones((2, 3, 2), dtype=bool)
    available[:, 1:, 1] = available[1, 0, 1] = False  # the only choice is that of the arm: two deterministic policies
    return ExactMDP(phi, mu, theta, np.array([1, 0, 0], dtype=object), available)


def _guess_after(arm: int, units, N: int | None, epsilon: Fraction) -> Fraction:
    """Bayes failure over the pairs of means after N pulls of one arm; N = None: its mean is known."""
    hits, seen = Fraction(0), {pair[arm] for pair in units} if N is None else range(N + 1)
    for outcome in seen:
        weight = [Fraction(0), Fraction(0)]  # of "arm 1 is better", "arm 2 is better"
        for pair in units:
            mean = Fraction(1, 2) + epsilon * pair[arm]
            chance = int(pair[arm] == outcome) if N is None else comb(N, outcome) * mean**outcome * (1 - mean) ** (
                N - outcome)
            weight[pair[1] > pair[0]] += chance
        hits += max(weight)
    return 1 - hits / len(units)


@claim("res-two-unknown-arms", method="exhaustive",
       gap="data of an arm are a random function of its mean, so N = infinity is the best case: argued in the text",
       false={"the first arm is known to be fair, as on the printed instances": {"units": UNKNOWN[:2]}})
def two_unknown_arms(text, units=UNKNOWN):
    """Data of one arm only, never of the other: Bayes failure with either arm deployed, for a known mean and for finite
    N; values of the four instances."""
    epsilon, wrong = (text("", after=words) for words in ("one of two deterministic policies is",
                                                          "names the worse policy with probability at least"))
    blind = text("", after="Without a deployment this probability is at least")
    known = [_guess_after(arm, units, None, epsilon) for arm in (0, 1)]
    outcomes = [(f"failure at least {wrong} whichever arm is deployed", at_most(wrong, min(known))),
                (f"no deployment: {blind}", exactly(Fraction(sum(b > a for a, b in units), len(units)), blind))]
    outcomes += [(f"N = {N}, arm {arm + 1}: not below", _guess_after(arm, units, N, epsilon) >= known[arm])
                 for N, arm in product((1, 4, 16), (0, 1))]
    for pair in units:
        means = [Fraction(1, 2) + epsilon * unit for unit in pair]
        mdp = _two_arms(means)
        policies = [np.array([[arm, 0, 0], [0, 0, 0]]) for arm in (0, 1)]
        values = [exact.evaluate(mdp, policy).value for policy in policies]
        outcomes.append((f"{means[0]}, {means[1]}: one is epsilon better", values == means
                         and abs(values[0] - values[1]) == epsilon and mdp.dim == 4))
    return steps(outcomes, f"four MDPs of dimension 4 with two layers, epsilon = {epsilon}, every N, every algorithm")
