r"""The game of the odd-one-out lock with one deployment: the least mean loss over all joint strategies, exactly.

Nature draws a code c of H - 2 digits, a set S of k = d//2 coordinates, a sign for each i outside S, and the junk of
layer H - 1 in S, all uniformly. H <= 3, so there is no other junk. A trajectory follows a guess of the code and a rule
that takes an action of every context. It shows the junk, or the context and what followed: z1, z0 or zh. The output
plays one code, and in every context one action. `derl.mdp.instances.odd_one_out` is the instance.

All numbers are whole: probabilities are counted in units of 1/(4 (d - k)) at the bias 1/4.

Source: `res-one-deployment-lower`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product

import numpy as np
from scipy.stats import binom

from derl.inputs import Invalid, real, whole

BIAS = Fraction(1, 4)
HALF = Fraction(1, 2)
UP, DOWN = 3, 1  # 4 (1/2 + b) and 4 (1/2 - b)


class InvalidOddGame(Invalid):
    """A parameter of the game is outside its range."""


def contexts(d: int) -> list[tuple[int, ...]]:
    """The sets T of k + 1 coordinates."""
    return list(combinations(range(d), d // 2 + 1))


def worlds(d: int, horizon: int) -> list[tuple]:
    """(code, S, signs by coordinate, junk), all equally likely."""
    k, found = d // 2, []
    for hidden in combinations(range(d), k):
        outside = [i for i in range(d) if i not in hidden]
        for signs in product((1, -1), repeat=d - k):
            for code in product(range(d), repeat=horizon - 2):
                for junk in (hidden if horizon == 3 else (None,)):
                    found.append((code, hidden, dict(zip(outside, signs, strict=True)), junk))
    return found


def strategies(d: int, horizon: int) -> list[tuple]:
    """(guess, rule): a guess of the code, and an action for every context."""
    return list(product(product(range(d), repeat=horizon - 2), product(*contexts(d))))


def seen(d: int, horizon: int, strategy: tuple) -> np.ndarray:
    """Chances (worlds, observations) of what one trajectory shows, in units of 1/(4 (d - k)); junk comes last."""
    guess, rule = strategy
    every, k = contexts(d), d // 2
    table = np.zeros((len(worlds(d, horizon)), 3 * len(every) + d))
    for row, (code, hidden, signs, junk) in zip(table, worlds(d, horizon), strict=True):
        if guess != code:
            row[3 * len(every) + junk] = 4 * (d - k)
            continue
        for i, sign in signs.items():
            at = every.index(tuple(sorted((*hidden, i))))
            if rule[at] == i:
                row[3 * at], row[3 * at + 1] = (UP, DOWN) if sign > 0 else (DOWN, UP)
            else:
                row[3 * at + 2] = 4
    return table


def gains(d: int, horizon: int) -> np.ndarray:
    """What an output earns (codes, contexts, d actions, worlds), in units of b/(d - k)."""
    every, codes = contexts(d), list(product(range(d), repeat=horizon - 2))
    table = np.zeros((len(codes), len(every), d, len(worlds(d, horizon))))
    for number, (code, hidden, signs, _) in enumerate(worlds(d, horizon)):
        for i, sign in signs.items():
            table[codes.index(code), every.index(tuple(sorted((*hidden, i)))), i, number] = sign
    return table


def turned(rule: tuple[int, ...], names: tuple[int, ...], d: int) -> tuple[int, ...]:
    """The rule after the coordinate i is called names[i]."""
    every = contexts(d)
    renamed = {tuple(sorted(names[i] for i in context)): names[a] for context, a in zip(every, rule, strict=True)}
    return tuple(renamed[context] for context in every)


def up_to_names(d: int, horizon: int, batch_size: int) -> list[tuple[tuple, ...]]:
    """Joint strategies, one at least of each class that the names of digits and of coordinates tell apart.

    The first guess is of zeros, no later guess uses a digit before all smaller ones are used, and the first rule is the
    smallest of those that names turn into each other.
    """
    rules = list(product(*contexts(d)))
    first = {min(turned(rule, names, d) for names in permutations(range(d))) for rule in rules}
    later = [(guess, rule) for guess in product(range(min(d, batch_size)), repeat=horizon - 2) for rule in rules]
    found = [(((0,) * (horizon - 2), rule), *rest) for rule in sorted(first)
             for rest in combinations_with_replacement(later, batch_size - 1)]
    return [joint for joint in found if all(
        digit <= max((0, *(1 + one[0][at] for one in joint[:number])))
        for number, (guess, _) in enumerate(joint) for at, digit in enumerate(guess))]


@cache
def least_loss(d: int, horizon: int, batch_size: int) -> Fraction:
    """The least mean loss over all joint strategies and all outputs, in units of the bias b = 1/4.

    Parameters
    ----------
    d : int, >= 2
    horizon : int
        2 or 3.
    batch_size : int
        1, 2 or 3; the work grows like a power of the number of rules, so only small games are possible.

    Raises
    ------
    InvalidOddGame
    """
    d, horizon = whole(d, "d", 2, 4, InvalidOddGame), whole(horizon, "horizon", 2, 3, InvalidOddGame)
    batch_size = whole(batch_size, "batch_size", 1, 3, InvalidOddGame)
    tables = {strategy: seen(d, horizon, strategy) for strategy in strategies(d, horizon)}
    earned, n_worlds, k = gains(d, horizon), len(worlds(d, horizon)), d // 2
    flat, best = earned.reshape(-1, n_worlds), -1.0
    for chosen in up_to_names(d, horizon, batch_size):
        joint = tables[chosen[0]]
        for one in chosen[1:]:
            joint = (joint[:, :, None] * tables[one][:, None, :]).reshape(n_worlds, -1)
        joint = joint[:, joint.any(axis=0)]
        value = (flat @ joint).reshape(*earned.shape[:3], -1)
        best = max(best, value.max(axis=2).sum(axis=1).max(axis=0).sum())
    unit = (4 * (d - k)) ** batch_size * n_worlds * (d - k)
    return HALF - Fraction(int(best), unit)  # the optimum earns the light arms with sign 1: half of them in the mean


@cache
def least_loss_after_contexts(d: int, batch_size: int) -> Fraction:
    """The least mean loss for H = 2 if each action may depend on the contexts of the whole batch, in units of b = 1/4.

    Parameters
    ----------
    d : int, 2..4
    batch_size : int
        1, 2 or 3.

    Raises
    ------
    InvalidOddGame
    """
    d, batch_size = whole(d, "d", 2, 4, InvalidOddGame), whole(batch_size, "batch_size", 1, 3, InvalidOddGame)
    every, n_worlds, k = contexts(d), len(worlds(d, 2)), d // 2
    tables = {(at, rule[at]): seen(d, 2, ((), rule))[:, 3 * at: 3 * at + 3]
              for _, rule in strategies(d, 2) for at in range(len(every))}
    earned, total = gains(d, 2)[0], 0.0
    for shown in product(range(len(every)), repeat=batch_size):
        best = 0.0
        for actions in product(*(every[at] for at in shown)):
            joint = np.ones((n_worlds, 1))
            for at, action in zip(shown, actions, strict=True):
                joint = (joint[:, :, None] * tables[at, action][:, None, :]).reshape(n_worlds, -1)
            best = max(best, (earned @ joint).max(axis=1).sum())
        total += best
    return HALF - Fraction(int(total), (4 * (d - k)) ** batch_size * n_worlds * (d - k))


def uniform_loss(d: int, horizon: int, batch_size: int, bias: float) -> float:
    """The mean loss over b if all actions are uniform and the output, who is told c and S, takes the likelier signs.

    A given light arm is then played by a binomial number of trajectories, and its sign is that of most of its coins.

    Parameters
    ----------
    d, horizon : int, >= 2
    batch_size : int, >= 1
    bias : float in (0, 1/2)

    Raises
    ------
    InvalidOddGame
    """
    bias = real(bias, "bias", above=0, below=0.5, error=InvalidOddGame)
    share = float(informative(d, horizon, 1))
    plays = np.arange(int(binom.isf(1e-12, batch_size, share)) + 1)
    wrong = binom.cdf((plays - 1) // 2, plays, 0.5 + bias) + np.where(
        plays % 2 == 0, binom.pmf(plays // 2, plays, 0.5 + bias) / 2, 0.0)
    return float(binom.pmf(plays, batch_size, share) @ wrong)


def uniform_size(d: int, horizon: int, bias: float) -> int:
    """The first N at which `uniform_loss` is at most 1/4, by bisection: more trajectories never hurt."""
    low, high = 0, 1
    while uniform_loss(d, horizon, high, bias) > 0.25:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if uniform_loss(d, horizon, middle, bias) <= 0.25 else (middle, high)
    return high


def necessary_size(d: int, horizon: int, bias: float) -> float:
    """The N at which the bound b/2 (1 - 2 b sqrt(m)) of `res-one-deployment-lower` is b/4."""
    return float(1 / (16 * bias**2) / informative(d, horizon, 1))


def informative(d: int, horizon: int, batch_size: int) -> Fraction:
    """m = N/(d^(H-2) (k+1)(d-k)), the mean number of trajectories that play a given light arm."""
    k = d // 2
    return Fraction(batch_size, d ** (horizon - 2) * (k + 1) * (d - k))
