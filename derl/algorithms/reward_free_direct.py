r"""Reward-free exploration at the price of a known reward: explore the uncertainty itself.

Algorithm 3 explores with the reward min(beta b, H)/H, b = |phi|_{Lambda^{-1}}, and pays for the division by H with a
threshold that is 2H + 1 times smaller. Here the quantity that has to become small is explored directly:

    W_h = min( w^T phi + 3 beta b, H ),   w the regression of max_a W_{h+1},    layer h is finished when
    Delta_k = (2 beta/N) sum b < epsilon h_k / (4H) ,      or < epsilon/4 in every layer ("flat") .

W bounds the loss of the planned policy for every reward at once, and twice the expected Delta_k bounds W.
"""

from __future__ import annotations

from derl.algorithms.dataset import bonus_scales, collect
from derl.algorithms.exploration import Rule
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.boundary import choice
from derl.deployment.protocol import Deployer, known_part
from derl.estimation.bonus import bonus

THRESHOLDS = ("layered", "flat")


def reward_free_direct_exploration(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                                   tail: int | str = 0, beta: float | None = None,
                                   threshold: str = "layered") -> Outcome:
    """Collect data that serve every linear reward, with the threshold of a known reward halved.

    Parameters
    ----------
    deployer : Deployer
        The rewards of its MDP are not looked at.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta, tail, beta
        As in `layerwise_exploration`.
    threshold : {"layered", "flat"}
        epsilon h/(4H) in layer h, or epsilon/4 in every layer; "flat" goes with `theory.reward_free.direct.budget`.

    Returns
    -------
    Outcome
        Its `dataset` is a `Dataset` for `reward_free_planning`.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    choice(threshold, "threshold", THRESHOLDS, InvalidParameter)
    known = known_part(deployer)
    beta, scale = bonus_scales(known, epsilon, delta, c_beta, beta)
    def level(layer):
        return epsilon / 4 * (layer / known.horizon if threshold == "layered" else 1)

    rule = Rule(rewards=lambda layer, norms: 2 * bonus(norms, beta),  # the backup adds one more: three in all
                threshold=level, beta=beta, tail=tail)
    return collect(deployer, rule, epsilon, delta, scale)
