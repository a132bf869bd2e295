r"""Needles in series: what K deterministic deployments can know, exactly for small games and bounded for all.

t stages, n arms in each. Stage i hides J_i needles, its levels 1..J_i, at random places; all other arms are duds. A dud
ends the trajectory, a needle lets it pass with a probability that grows with its level. So a deployment of a
deterministic policy shows at most one dud, and a player has to name the highest
needle of every stage for a near-optimal policy. J_i is geometric, P(J = j) = (1-theta) theta^(j-1), cut at s: a needle
does not tell whether there is a higher one.

After x duds of a stage, highest needle j (with q = 1 - x/(n-s+1)):

    w_{J+1}/w_J = (p_{J+1}/p_J) (n-x-J)/(n-J),      P(J = j | seen) <= 1 - theta q  for j < s,

and with a budget of B duds in all

    P(every highest needle seen) <= (1 - theta (1 - B/(t(n-s+1))))^t + t theta^(s-1) .
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from derl.theory.lower_bounds.game_parameters import InvalidGame, fraction, whole
from derl.theory.texts import said

HALF = Fraction(1, 2)
REWARD = Fraction(11, 2)  # 2e < 11/2
STAGES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80)  # of the families that are tried


def level_law(levels: int, theta: Fraction) -> dict[int, Fraction]:
    """P(J = j), j = 1..s: geometric with ratio theta, the rest at s."""
    return {j: (1 - theta) * theta ** (j - 1) for j in range(1, levels)} | {levels: theta ** (levels - 1)}


def posterior(arms: int, levels: int, theta: Fraction, duds: int, highest: int) -> dict[int, Fraction]:
    """P(J = j | seen), j = highest..s, after so many duds; 0 where nothing was found yet. {} if it cannot happen."""
    return dict(_posterior(arms, levels, theta, duds, highest))


@lru_cache(2**12, typed=True)
def _posterior(arms: int, levels: int, theta: Fraction, duds: int, highest: int) -> dict[int, Fraction]:
    law, weights, current = level_law(levels, theta), {}, Fraction(1)
    for j in range(max(highest, 1), levels + 1):
        weights[j] = law[j] * current
        current *= Fraction(max(arms - duds - j, 0), arms - j) if arms > j else 0
    if not highest:  # nothing found: every needle is among the arms that are left
        first = Fraction(max(arms - duds, 0), arms)
        weights = {j: w * first for j, w in weights.items()}
    total = sum(weights.values())
    return {j: w / total for j, w in weights.items()} if total else {}


def success_bound(stages: int, arms: int, levels: int, theta: Fraction, budget) -> Fraction:
    """Upper bound of the probability that all highest needles are seen before the budget of duds is spent."""
    share = Fraction(budget) / (stages * (arms - levels + 1))
    return (1 - theta * (1 - share)) ** stages + stages * theta ** (levels - 1)


def best_success(stages: int, arms: int, levels: int, theta: Fraction, budget: int) -> Fraction:
    """The same probability for the best adaptive order of questions, by dynamic programming; exact, small games.

    The player asks one arm at a time and learns its level. Needles are free, a dud costs one; with nothing left
    it ends.

    Raises
    ------
    InvalidGame
        More needles than arms.
    """
    stages, arms, levels = whole(stages, "stages", 1), whole(arms, "arms", 1), whole(levels, "levels", 1)
    theta, budget = fraction(theta, "theta", low=0, high=1), whole(budget, "budget", 0)
    if levels > arms:
        raise InvalidGame(f"levels is {levels}; a stage of {arms} arms has room for at most {arms} needles")

    return _play(arms, levels, theta)(budget, ((0, ()),) * stages)


@lru_cache(32, typed=True)
def _play(arms: int, levels: int, theta: Fraction):
    """Value of play by the duds that are left and what was seen in each stage: the same for every budget, and kept."""
    @cache
    def value(left: int, seen: tuple) -> Fraction:
        ended = Fraction(1)
        for duds, found in seen:
            ended *= _posterior(arms, levels, theta, duds, max(found)).get(max(found), Fraction(0)) if found else 0
        if left == 0:
            return ended
        best = ended
        for i, (duds, found) in enumerate(seen):
            unseen = arms - duds - len(found)
            if unseen and seen[i] not in seen[:i]:
                best = max(best, _ask(value, left, seen, i, unseen, arms, levels, theta))
        return best

    return value


def _ask(value, left, seen, i, unseen, arms, levels, theta):
    """Expected value of asking one more arm of stage i."""
    duds, found = seen[i]

    def after(stage):
        return tuple(sorted((*seen[:i], stage, *seen[i + 1:])))

    needle, dud = _answers(arms, levels, theta, duds, found, unseen)
    total = sum(p * value(left, after((duds, tuple(sorted((*found, level)))))) for level, p in needle.items() if p)
    return total + (dud * value(left - 1, after((duds + 1, found))) if dud else 0)


@lru_cache(2**12, typed=True)
def _answers(arms, levels, theta, duds, found, unseen) -> tuple[dict[int, Fraction], Fraction]:
    """Level -> probability that the next arm is this needle; probability that it is a dud."""
    needle = {}
    for j, p in _posterior(arms, levels, theta, duds, max(found, default=0)).items():
        for level in set(range(1, j + 1)) - set(found):
            needle[level] = needle.get(level, Fraction(0)) + p / unseen
    return needle, 1 - sum(needle.values())


@dataclass(frozen=True)
class Gates:
    """A family of instances with d features and H layers, and what it excludes.

    Attributes
    ----------
    stages, layers, levels, rewards : int
        t, T, s and R: tT + R <= H, (d-3) T arms per stage.
    excluded : int
        Every algorithm with at most so many deterministic deployments fails with probability above delta on one of
        the instances; -1 if none is excluded.
    """

    stages: int
    layers: int
    levels: int
    rewards: int
    excluded: int


def stated(d: int, horizon: int, epsilon, delta, eta) -> Gates:
    """The family of the statement for a share eta.

    Raises
    ------
    InvalidGame
        The horizon or the dimension is too small for it.
    """
    delta, eta = fraction(delta, "delta", low=0, below=1), fraction(eta, "eta", above=0, below=1)
    text = said("res-deterministic-exact")
    stages = int(text("t=", eta=eta, delta=delta))
    levels = int(text("s=", t=stages, delta=delta))
    return _family(d, horizon, epsilon, stages, levels, lambda arms: math.floor(text(
        r"K\le", eta=eta, t=stages, s=levels, d=d, T=Fraction(arms, d - 3))))


def excluded(d: int, horizon: int, epsilon, delta) -> Gates:
    """The best of the families with theta = 1/2 and the numbers of stages in `STAGES`, the bound in rationals."""
    delta, best = fraction(delta, "delta", low=0, below=1), None
    for stages in STAGES:
        for levels in range(2, 2 * stages.bit_length() + 12, 2):
            try:
                found = _family(d, horizon, epsilon, stages, levels,
                                lambda arms, t=stages, s=levels: _largest_excluded(t, arms, s, delta))
            except InvalidGame:
                continue
            best = found if best is None or found.excluded > best.excluded else best
    return best or Gates(0, 0, 0, 0, -1)


def _family(d, horizon, epsilon, stages, levels, count) -> Gates:
    d, horizon = whole(d, "d", 4), whole(horizon, "horizon", 2)
    rewards = max(1, math.ceil(REWARD * fraction(epsilon, "epsilon", above=0) * stages * levels))
    layers = (horizon - rewards) // stages
    arms = (d - 3) * layers
    if layers < 1 or arms < levels:
        raise InvalidGame(f"horizon is {horizon} and d is {d}; {stages} stages with {levels} levels and {rewards} "
                          "layers of reward do not fit")
    return Gates(stages, layers, levels, rewards, max(-1, count(arms)))


def _largest_excluded(stages, arms, levels, delta) -> int:
    """Largest K with success_bound at K + t duds below 1 - delta, by bisection; -1 if there is none."""
    if success_bound(stages, arms, levels, HALF, stages) >= 1 - delta:
        return -1
    low, high = 0, stages * arms
    while high - low > 1:
        middle = (low + high) // 2
        low, high = ((middle, high) if success_bound(stages, arms, levels, HALF, middle + stages) < 1 - delta
                     else (low, middle))
    return low
