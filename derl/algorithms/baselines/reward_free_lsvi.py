r"""Reward-free LSVI-UCB: explore the uncertainty, plan for any reward afterwards.

LSVI-UCB on the reward u/H with u = min(beta b, H), one trajectory per policy; then, for a reward r, one optimistic
backward pass over all episodes. Algorithms 3 and 4 of the paper are its batched form, and the planning phase is shared
(`reward_free_planning`).

A plan for any reward loses at most 2H times the largest value of the reward u/H, for the data at the end. That value
falls as data come, and the optimistic value of every episode is above it. So a plan loses at most 2H times the mean of
the observed sum_h min((2 + 1/H) beta b_h, H), up to noise; the exploration stops when that is at most epsilon.

Definition 2.1: with N = 1 it is satisfied, and says nothing: every trajectory is a deployment.

Source: Wang, Du, Yang and Salakhutdinov (2020), Algorithms 1 and 2. beta = c d H sqrt(log(dH/(delta epsilon))) with an
absolute constant c that is not stated, nominally 1; the paper fixes K = c' d^3 H^6 log(.)/epsilon^2 beforehand, the
stop by widths is this book's. The bonus inside Q is not capped before it is added ("repaired", as for Algorithm 3).
"""

from __future__ import annotations

from dataclasses import replace

from derl.algorithms.baselines.lsvi_ucb import play
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.reward_free import Dataset, bonus_scales
from derl.deployment.protocol import Deployer, known_part
from derl.estimation.online import Learner
from derl.theory.comparison.online import noise


def reward_free_lsvi_ucb(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                         beta: float | None = None) -> Outcome:
    """Collect data that serve every linear reward, one trajectory per policy.

    Parameters
    ----------
    deployer : Deployer
        With N = 1. The rewards of its MDP are not looked at.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta : float, > 0
        Absolute constant in beta = c_beta d H sqrt(log(dH / (delta epsilon))).
    beta : float or None
        The scale of the bonus itself, in place of the formula.

    Returns
    -------
    Outcome
        Its `dataset` is a `Dataset` for `reward_free_planning`; its `policy` is the mixture that explored.

    Raises
    ------
    InvalidParameter
        Also where N is not 1: with batches it is `reward_free_direct_exploration`.
    """
    epsilon, delta = accuracy(epsilon, delta)
    known = known_part(deployer)
    if deployer.batch_size != 1:
        raise InvalidParameter(f"batch_size is {deployer.batch_size}; reward_free_lsvi_ucb plays single trajectories, "
                               "it must be 1 (batches: reward_free_direct_exploration)")
    beta, scale = bonus_scales(known, epsilon, delta, c_beta, beta)
    learner = Learner(known, float(beta), reward_free=True, width=2 + 1 / known.horizon,
                      target=float(epsilon) / (2 * known.horizon),
                      noise=noise(known.horizon, delta, deployer.max_deployments))
    found = play(deployer, learner)
    return replace(found, dataset=Dataset(
        known=known, counts=learner.counts, deployments=found.deployments, batch_size=1, epsilon=float(epsilon),
        delta=float(delta), beta=float(beta), scale=float(scale)))
