"""What the methods of Table 1 promise: the certificate of a run, and what their theorems ask for, literally."""

from __future__ import annotations

import math

from derl.experiments.at_theorem import FUNCTIONS, Asked
from derl.experiments.methods import IN_UNITS, METHODS, Method
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.comparison import online, quoted, zhang

NOT_EXPLICIT = ("low switching", "direct reduction", "OLIVE", "Qiao and Wang 2023", "Zhang et al. 2025")


def certified(method: Method, outcome, epsilon: float, horizon: int) -> float | None:
    """The accuracy that the run vouches for by itself; None where it has no such number.

    Of a threshold rule: epsilon times statistic over threshold. Of a mean of widths: that mean. Of Algorithm 2: twice
    beta times the sum of what it knows of the uncertainties.
    """
    if method.scheduled:
        return None
    last = outcome.trace[-1]
    last = outcome.trace[-1]
    if method.name in IN_UNITS:
        return min(2 * outcome.beta * sum(record.uncertainty for record in outcome.trace), float(horizon))
    if method.name == "olive":
        return last.error
    if method.name == "reward_free_lsvi_ucb":
        return 2 * horizon * last.statistic
    if method.name in ("lsvi_ucb", "low_switching_lsvi"):
        return last.statistic
    if hasattr(last, "threshold"):
        return epsilon * last.statistic / last.threshold if last.layer == horizon else None
    return None


def literal(name: str, d: int, horizon: int, epsilon: float, delta: float, nu: float, n_actions: int
            ) -> tuple[float, float]:
    """Deployments and trajectories that the method's theorem asks for, literally; absolute constants 1 where unknown.

    For MOFFLE the printed rate with constant 1, eta = nu^2. Designs over actions have the leverage min(d, A) that
    exists for every set of features. Infinite where nothing is promised.
    """
    method = METHODS[name]
    if name == "LSVI-UCB":
        found = float(online.episodes_lsvi_ucb(d, horizon, epsilon, delta))
        return found, found
    if name == "reward-free LSVI-UCB":
        found = float(online.episodes_reward_free(d, horizon, epsilon, delta))
        return found, found
    if name in ("low switching", "direct reduction"):
        reduced = name == "direct reduction"
        count = (online.episodes_of_the_reduction(d, horizon, epsilon, delta) if reduced
                 else online.episodes_lsvi_ucb(d, horizon, epsilon, delta, eta=2.0))
        return float(online.switches(d, horizon, count)), float(count)
    if name == "FRANCIS":
        found = float(horizon * quoted.francis_episodes(d, horizon, epsilon, delta))
        return found, found
    if name == "MOFFLE":
        eta = nu**2
        size = d**8 * horizon**7 * n_actions**13 / min(epsilon**2 * eta, eta**5) if eta else math.inf
        return horizon * d**3 * n_actions**4 / eta**2 if eta else math.inf, size
    if name == "Zhang et al. 2025":
        return float(horizon), zhang.trajectories(d, horizon, epsilon, delta)
    if name == "OLIVE":
        sizes = quoted.olive(d, horizon, epsilon / 4, delta, FUNCTIONS)
        return float(sizes.phases), float(sizes.phases * sizes.batch_size)
    if name == "Algorithm 2, self-certifying":
        size = arbitrary_constants(d, horizon, epsilon, delta, nu, "self-certifying").batch_size if nu else math.inf
        return float(horizon), float(horizon * size)
    if method.theorem is None or method.nu != "no" and not nu:
        return float(method.deployments(d, horizon, 1)), math.inf
    found = method.theorem(Asked(d, horizon, epsilon, delta, nu, leverage=float(min(d, n_actions))))
    return float(found.max_deployments), float(found.max_deployments) * float(found.batch_size)


def exact_batch(name: str, d: int, horizon: int, epsilon: float, delta: float, nu: float, n_actions: int) -> int | None:
    """N of a method's theorem to the last digit; None where its constants are not known, or N is 1."""
    method = METHODS[name]
    if method.theorem is None or name in NOT_EXPLICIT:
        return None
    return method.theorem(Asked(d, horizon, epsilon, delta, nu, leverage=float(min(d, n_actions)))).batch_size
