r"""Algorithm 2 without nu_min, at the rate that it has with it: twice as long a list, and its best prefix deployed.

    for h = 1, ..., H:
        add policies as in Algorithm 2 until the least eigenvalue of Sigma~_i - 2 I reaches 2; let that be at i = I
        go on to i = 2I - 1
        deploy the uniform mixture of the first i policies, I <= i < 2I, with the smallest i V_i
    plan for any reward by optimistic value iteration on the H data sets

V_i is the optimistic value of phi^T Sigma~_i^{-1} phi. Waiting for an eigenvalue covers every direction, but the list
may then hold many policies that meet little that is new, and N trajectories are shared by all of them. The values of
2I iterates add up to O(d log), so one i in the second half has i V_i = O(d log): the layer costs

    max_pi E_pi |phi|^2_{Sigma_h^{-1}} <= (135/28) i V_i / N = O~(d/N)

instead of 8i/(7N). The right side is known before the deployment.

Source: `res-shortest-prefix`; constants in `derl.theory.beyond.prefix`.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from derl.algorithms.arbitrary import Parameters, explore_layer, layer_by_layer
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.policy_cover import PolicyCover, find_cover
from derl.deployment.protocol import Deployer, known_part
from derl.inputs import real
from derl.inputs.threads import one_thread
from derl.theory.arbitrary.constants import regression_scale
from derl.theory.beyond.prefix import COST

VERSION = "self-certifying"


@one_thread
def prefix_exploration(deployer: Deployer, epsilon: float, delta: float, initial: int | np.ndarray | None = None,
                       c_beta: float = 1.0, tail: int = 0) -> Outcome:
    """Explore every layer with one deployment, without a reachability coefficient; plan for the instance's own reward.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= H. The theorem's N is that of `theory.beyond.prefix.prefix_constants`.
    epsilon, delta : float
        Accuracy > 0, which enters through the theorem's N alone, and failure probability in (0, 1).
    initial, c_beta, tail
        As in `arbitrary_policy_exploration`.

    Returns
    -------
    Outcome
        As of `arbitrary_policy_exploration`; `cover` of a record is the prefix that was deployed.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    c_beta = real(c_beta, "c_beta", above=0, error=InvalidParameter)
    known, size = known_part(deployer), deployer.batch_size
    beta_prime = c_beta * regression_scale(VERSION, known.dim, known.horizon, delta, size)
    parameters = Parameters(known, size, VERSION, None, beta_prime, None, tail)
    explore = partial(explore_layer, search=best_prefix, promise=promised)
    return layer_by_layer(parameters, deployer, epsilon, delta, initial, c_beta, explore)


def best_prefix(problem, estimate, stop, limit: int, **options) -> PolicyCover:
    """`find_cover` run on to 2I - 1 policies, and its prefix with the smallest i V_i among I <= i < 2I."""
    first = seen = 0

    def twice(value: float, matrix: np.ndarray) -> bool:
        nonlocal first, seen
        seen += 1
        first = first or (seen if stop(value, matrix) else 0)
        return bool(first) and seen >= 2 * first - 1

    cover = find_cover(problem, estimate, twice, limit, **options)
    if not first:
        return cover
    lengths = np.arange(first, len(cover.values) + 1)
    return prefix(cover, int(lengths[np.argmin(lengths * cover.values[first - 1:])]))


def prefix(cover: PolicyCover, length: int) -> PolicyCover:
    """The first policies of a list, as if the loop had ended there by its rule."""
    counts = np.bincount(cover.order[:length], minlength=len(cover.counts))
    used = np.flatnonzero(counts)
    place = np.cumsum(counts > 0) - 1
    matrix = 2 * np.eye(cover.matrix.shape[0]) + np.tensordot(counts, cover.estimates, axes=1)
    return PolicyCover(cover.policies[used], counts[used], cover.estimates[used], place[cover.order[:length]], matrix,
                 cover.values[:length], cover.start, cover.floor, True)


def promised(cover: PolicyCover) -> float:
    """sqrt((135/28) i V_i), which bounds max_pi E_pi |phi| sqrt N where the rule was met."""
    return math.sqrt(COST * cover.iterations * cover.values[-1]) if cover.stopped else math.inf
