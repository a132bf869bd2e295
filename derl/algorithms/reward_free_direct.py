r"""Reward-free exploration at the price of a known reward: explore the uncertainty itself.

Algorithm 3 explores with the reward min(beta b, H)/H, b = |phi|_{Lambda^{-1}}, and pays for the division by H with a
threshold that is 2H + 1 times smaller. Here the quantity that has to become small is explored directly:

    W_h = min( w^T phi + 3 beta b, H ),   w the regression of max_a W_{h+1},    layer h is finished when
    Delta_k = (2 beta/N) sum b < epsilon h_k / (4H) .

W bounds the loss of the planned policy for every reward at once, and twice the expected Delta_k bounds W.
"""

from __future__ import annotations

from dataclasses import replace

from derl.algorithms.layerwise import explore
from derl.algorithms.outcome import Outcome, require_accuracy, require_positive
from derl.algorithms.reward_free import Dataset
from derl.deployment.protocol import Deployer
from derl.theory.constants import bonus_scale


def reward_free_direct_exploration(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                                   tail: int | str = 0, beta: float | None = None) -> Outcome:
    """Collect data that serve every linear reward, with the threshold of a known reward halved.

    Parameters
    ----------
    deployer : Deployer
        The rewards of its MDP are not looked at.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta, tail, beta
        As in `layerwise_exploration`.

    Returns
    -------
    Outcome
        Its `dataset` is a `Dataset` for `reward_free_planning`.

    Raises
    ------
    InvalidParameter
    """
    require_accuracy(epsilon, delta)
    known, horizon = deployer.known, deployer.known.horizon
    scale = beta
    if beta is None:
        require_positive(c_beta, "c_beta")
        scale = bonus_scale(known.dim, horizon, epsilon, delta)
        beta = c_beta * scale
    require_positive(beta, "beta")
    stages = []
    # the backup adds one beta b to the reward 2 beta b: three in all
    outcome = explore(deployer, lambda layer, norms: 2 * beta * norms, lambda layer: epsilon * layer / (4 * horizon),
                      beta, "repaired", tail,
                      on_finish=lambda k, counts: stages.append((k, counts[:len(stages) + 1].copy())))
    return replace(outcome, dataset=Dataset(known, outcome.dataset, outcome.deployments, deployer.batch_size,
                                            float(epsilon), float(delta), float(beta), float(scale), tuple(stages)))
