r"""The bandit of Theorem B.2, exactly: Bayes-optimal play for finite N, and every algorithm enumerated.

One of m arms is biased: its coin shows heads with probability 1/2 + bias, all others are fair. A deployment
pulls one arm N times. Divide every likelihood by that of M_0 (all coins fair): the likelihood ratio of "arm j
is biased" is

    L_j = (1 + 2 bias)^{heads of j} (1 - 2 bias)^{tails of j},

it depends on the data of arm j only. So the best success probability under the uniform prior is E_{M_0}[max_j
L_j]/m, where the expectation is over fair coins and the pulls are chosen to make it large: a dynamic programme
on the sorted ratios.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb

from derl.theory.lower_bounds.game_parameters import half_bias, whole

NO_ARM = 0  # the choice of a policy that reaches no arm, for example one that stays in the core to the end


@cache
def binomial(N: int, heads: int, bias: Fraction) -> Fraction:
    """Probability of `heads` heads in N flips of a coin with heads probability 1/2 + bias."""
    up = Fraction(1, 2) + bias
    return comb(N, heads) * up**heads * (1 - up) ** (N - heads)


def bayes_failure(m: int, K: int, N: int, bias, served: int = 1) -> Fraction:
    """Smallest failure probability under the uniform prior over m arms, after K adaptive pulls of N flips each.

    By symmetry it is also the minimax failure probability: relabel the arms at random. Exact rationals; meant
    for m <= 6, K <= 4.

    Parameters
    ----------
    served : int, >= 1
        The output is right for this many arms at once, see `lower_bounds.arms_served`.
    """
    m, K, N, bias = whole(m, "m", 1), whole(K, "K", 0), whole(N, "N", 0), half_bias(bias)
    served = whole(served, "served", 1)
    ratios = [(1 + 2 * bias) ** x * (1 - 2 * bias) ** (N - x) for x in range(N + 1)]
    fair = [Fraction(comb(N, x), 2**N) for x in range(N + 1)]

    @cache
    def value(state: tuple[Fraction, ...], left: int) -> Fraction:
        if left == 0:
            return sum(state[-served:])
        return max(sum(p * value(tuple(sorted((*state[:j], state[j] * r, *state[j + 1:]))), left - 1)
                       for p, r in zip(fair, ratios, strict=True))
                   for j in range(m) if j == 0 or state[j] != state[j - 1])

    return 1 - value((Fraction(1),) * m, K) / m


def test_error(N: int, bias) -> Fraction:
    """Larger of the two error probabilities of the test "biased iff heads >= N (1 + bias)/2"."""
    N, bias = whole(N, "N", 0), half_bias(bias)
    threshold = N * (1 + bias) / 2
    false_alarm = sum(binomial(N, x, Fraction(0)) for x in range(N + 1) if x >= threshold)
    miss = sum(binomial(N, x, bias) for x in range(N + 1) if x < threshold)
    return max(false_alarm, miss)


def sweep_failure(m: int, K: int, order: tuple[int, ...], hidden: int) -> int:
    """1 if the sweep fails: pull `order[:K]`, output the arm that showed its bias, else `order[K]`."""
    return 0 if hidden in order[:min(K + 1, m)] else 1


# ------------------------------------------------------------------- every deterministic adaptive algorithm

Tree = tuple  # (choice, (subtree after 0 heads, ..., subtree after N heads)); the last choice is the output


def algorithms(choices: tuple[int, ...], K: int, N: int) -> Iterator[Tree]:
    """Every deterministic algorithm with K adaptive deployments and one output.

    There are A_K of them with A_0 = c and A_k = c A_{k-1}^(N+1), c the number of choices.
    """
    if K == 0:
        yield from ((choice, ()) for choice in choices)
        return
    for choice in choices:
        for below in product(tuple(algorithms(choices, K - 1, N)), repeat=N + 1):
            yield choice, below


def first_choice_probabilities(tree: Tree, arm: int, hidden: int, bias, N: int,
                               others: Fraction = Fraction(0)) -> list[Fraction]:
    """P(the k-th choice is the first one that equals `arm`) for k = 1, ..., K+1; the last choice is the output.

    Parameters
    ----------
    hidden : int
        The biased arm; `NO_ARM` is M_0, where all coins are fair.
    others : Fraction
        Bias of the arms that are not hidden in every instance but M_0; 0 is the truth, anything else a false
        instance.
    """
    choice, below = tree
    rest = [Fraction(0)] * _depth(below)
    if choice == arm:
        return [Fraction(1), *rest]
    if below:
        law = [Fraction(x == 0) for x in range(N + 1)]  # no arm, no coin
        if choice != NO_ARM:
            skew = Fraction(0) if hidden == NO_ARM else Fraction(bias) if choice == hidden else others
            law = [binomial(N, x, skew) for x in range(N + 1)]
        for p, subtree in zip(law, below, strict=True):
            if p:
                deeper = first_choice_probabilities(subtree, arm, hidden, bias, N, others)
                rest = [total + p * q for total, q in zip(rest, deeper, strict=True)]
    return [Fraction(0), *rest]


def _depth(below: tuple) -> int:
    return 0 if not below else 1 + _depth(below[0][1])


@lru_cache(2**14)  # the same subtrees stand in many trees
def success_probability(tree: Tree, hidden: int, bias, N: int) -> Fraction:
    """P(the output is the hidden arm)."""
    choice, below = tree
    if not below:
        return Fraction(choice == hidden)
    if choice == NO_ARM:
        return success_probability(below[0], hidden, bias, N)
    skew = Fraction(bias) if choice == hidden else Fraction(0)
    return sum(binomial(N, x, skew) * success_probability(subtree, hidden, bias, N) for x, subtree in enumerate(below))
