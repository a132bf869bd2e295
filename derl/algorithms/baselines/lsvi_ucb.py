r"""LSVI-UCB: a new optimistic policy for every trajectory.

    Q_h = min( w_h^T phi + r_h + beta |phi|_{Lambda_h^{-1}}, H ),      w_h = Lambda_h^{-1} sum phi V_{h+1}(s'),

all episodes so far in Lambda, the greedy policy played once. With N = 1 the loop is played inside the deployer by
rank-one updates (`derl.estimation.online`): 1e6 episodes take seconds. With N > 1 a policy is kept for N trajectories.

The algorithm has a regret bound and no rule to stop. Here it stops when the mean of its observed widths
sum_h min(2 beta b_h, H) and their noise are at most epsilon: then the uniform mixture of its policies, whose loss is
the mean loss, is epsilon-optimal. `derl.theory.comparison.online` says when that happens at the latest.

Definition 2.1: with N = 1 it is satisfied, and says nothing: every trajectory is a deployment.

Source: Jin, Yang, Wang and Jordan (2020), Algorithm 1 and Theorem 3.1. The rewards are known, so next values are
regressed and rewards are added, as the paper's footnote allows. lambda = 1, beta = c d H sqrt(log(2 d K H/delta)); the
theorem's absolute constant c is not stated and is nominally 1.
"""

from __future__ import annotations

from derl.algorithms.baselines import low_switching
from derl.algorithms.baselines.low_switching import Stretch, mixture
from derl.algorithms.dataset import Regressions
from derl.algorithms.outcome import Outcome, accuracy
from derl.deployment.protocol import Deployer, known_part
from derl.estimation.online import Learner
from derl.inputs.threads import one_thread
from derl.theory.comparison.online import noise


def lsvi_ucb(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
             beta: float | None = None) -> Outcome:
    """Play optimistically until the mean loss is certainly at most epsilon.

    Parameters
    ----------
    deployer : Deployer
        N = 1 for the paper's algorithm.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta : float, > 0
        Constant of the bonus scale, beta = c_beta d H sqrt(log(2 d K N H/delta)).
    beta : float or None
        The scale of the bonus itself, in place of the formula.

    Returns
    -------
    Outcome
        `policy` is the mixture of all policies, `trace` one record per change of the policy. `converged` is False
        where K deployments did not bring the statistic down to epsilon.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    beta = low_switching.scale(deployer, delta, c_beta, beta)
    if deployer.batch_size > 1:
        return low_switching.rare_updates(deployer, beta, 1.0, delta, epsilon)
    known = known_part(deployer)
    learner = Learner(known, beta, target=float(epsilon), noise=noise(known.horizon, delta, deployer.max_deployments))
    return play(deployer, learner)


@one_thread
def play(deployer: Deployer, learner: Learner) -> Outcome:
    """Play a learner to its own stop or to the end of the deployments."""
    made = deployer.deploy_online(learner.play, deployer.max_deployments)
    ends = [*learner.starts[1:], made]
    trace = tuple(Stretch(start + 1, end - start, learner.statistic if end == made else float("nan"), policy, values)
                  for start, end, policy, values in zip(learner.starts, ends, learner.policies, learner.values,
                                                        strict=True))
    return Outcome(policy=mixture(trace), deployments=made, trajectories=made,
                   converged=learner.statistic <= learner.target, trace=trace, beta=learner.beta,
                   dataset=Regressions(learner.known, learner.counts))
