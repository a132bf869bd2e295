r"""How many trajectories LSVI-UCB and its relatives need, with every constant explicit.

Where the regressions are right up to beta b, the loss of the k-th policy is at most the mean of its widths
sum_h min(2 beta b_h, H). The elliptical potential bounds the sum of squares of b over K episodes by 2 d log(1 + K/d) in
each layer, and Hoeffding bounds what observed widths hide, for all k <= K at once. So on every path

    mean loss  <=  2 s beta H sqrt(2 d log(1 + K/d) / K)  +  H^2 sqrt(log(2K/delta) / (2K)) .                       (*)

s is 1 where every episode has its own bonus (N = 1), and sqrt(eta) where determinants may grow by eta before it is
renewed. The first K for which the right side is at most epsilon is a number of trajectories after which an algorithm
that adds up its widths has certainly stopped. It is of the order d^3 H^4 iota^2 / epsilon^2, as printed in Table 1.

The bonus scales are those of the papers with their absolute constants set to c:

    Jin et al. 2020, Gao et al. 2021        beta = c d H sqrt(log(2 d K H / delta))
    Wang et al. 2020                        beta = c d H sqrt(log(d H / (delta epsilon)))

The papers prove that some c exists. c = 1 is nominal, not a theorem. The constants of (*) are this book's, not
theirs.

Source: Table 1, rows 1, 2 and 4; Appendix A for the conversion of regret into accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from derl.inputs import real, whole
from derl.theory.constants import bonus_scale
from derl.theory.foundations.setting import InvalidConstant, Setting

MOST = 2**900  # a search beyond this is hopeless


def bonus_scale_online(d: int, horizon: int, delta: float, n_episodes: int, c_beta: float = 1.0) -> float:
    """beta = c d H sqrt(log(2 d K H / delta)).        Source: Jin et al. 2020, Theorem 3.1."""
    return c_beta * d * horizon * math.sqrt(math.log(2 * d * horizon * n_episodes / delta))


def noise(horizon: int, delta: float, n_episodes: int) -> float:
    """H^2 sqrt(log(2K/delta)/2): over sqrt(k), what the mean of k observed widths may hide, for all k <= K."""
    return horizon**2 * math.sqrt(math.log(2 * n_episodes / delta) / 2)


def mean_loss(d: int, horizon: int, delta: float, beta: float, n_episodes: int, stretch: float = 1.0) -> float:
    """The right side of (*): s is `stretch`."""
    potential = math.sqrt(2 * d * math.log1p(n_episodes / d) / n_episodes)
    return 2 * stretch * beta * horizon * potential + noise(horizon, delta, n_episodes) / math.sqrt(n_episodes)


def episodes_lsvi_ucb(d: int, horizon: int, epsilon: float, delta: float, c_beta: float = 1.0, eta: float = 1.0,
                      beta: float | None = None) -> int:
    """The first K for which (*) is at most epsilon; eta > 1 for rare updates, beta in place of the formula.

    Raises
    ------
    InvalidConstant
    """
    setting = Setting(d, horizon, epsilon, delta)
    eta, c_beta, beta = real(eta, "eta", 1, error=InvalidConstant), *_scales(c_beta, beta)

    def enough(k: int) -> bool:
        scale = bonus_scale_online(d, horizon, delta, k, c_beta) if beta is None else beta
        return mean_loss(d, horizon, delta, scale, k, math.sqrt(eta)) <= setting.epsilon

    return _first(enough)


def episodes_reward_free(d: int, horizon: int, epsilon: float, delta: float, c_beta: float = 1.0,
                         beta: float | None = None) -> int:
    """The same for reward-free LSVI-UCB: a plan loses at most 2H times the mean of sum_h min((2 + 1/H) beta b_h, H)."""
    c_beta, beta = _scales(c_beta, beta)
    scale = bonus_scale(d, horizon, epsilon, delta, c_beta) if beta is None else beta
    factor = 1 + 1 / (2 * horizon)  # (2 + 1/H) beta in place of 2 beta
    return _first(lambda k: 2 * horizon * mean_loss(d, horizon, delta, scale * factor, k) <= epsilon)


def _scales(c_beta, beta):
    """Both as numbers > 0; beta may be None."""
    given = None if beta is None else real(beta, "beta", above=0, error=InvalidConstant)
    return real(c_beta, "c_beta", above=0, error=InvalidConstant), given


def switches(d: int, horizon: int, n_episodes: int, eta: float = 2.0) -> int:
    """Policies of an algorithm that renews them when a determinant has grown by eta: on every path at most this."""
    whole(n_episodes, "n_episodes", 1, error=InvalidConstant)
    return 1 + math.floor(d * horizon * math.log1p(n_episodes / d) / math.log(eta))


def episodes_of_the_reduction(d: int, horizon: int, epsilon: float, delta: float, c_beta: float = 1.0,
                              eta: float = 2.0, beta: float | None = None) -> int:
    """K~ of the direct reduction: mean loss at most epsilon/3, so that a random policy loses more with chance <= 1/3.

    Appendix A divides by K~ and requires epsilon, without the 3 that Markov's inequality costs.
    """
    return episodes_lsvi_ucb(d, horizon, epsilon / 3, delta, c_beta, eta, beta)


def _first(enough: Callable[[int], bool]) -> int:
    """The first whole number from which on it is enough, by doubling and halving."""
    high = 1
    while not enough(high):
        high *= 2
        if high > MOST:
            raise InvalidConstant("epsilon asks for more than 2^900 trajectories")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
