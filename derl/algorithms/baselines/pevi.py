r"""Pessimistic value iteration: plan on data that are there, and promise no more than they support.

Backwards from the last layer, with b = |phi|_{Lambda_h^{-1}} and w_h the ridge regression of the next values V_{h+1},

    Q_h = clip( w_h^T phi + r_h - beta b,  0,  H - h + 1 ),     V_h = max_a Q_h,     pi_h greedy.

Where |w_h^T phi - P_h V_{h+1}| <= beta b for all states and actions, in all layers:

    V_1 <= V_1^pi                                              the policy is worth at least what was promised;
    J(pi) >= J(pi') - 2 beta E_{pi'} sum_h |phi_h|_{Lambda_h^{-1}}      for every policy pi'.

The second line needs no coverage of the optimal policy. With pi' the policy that collected the data it says that the
new policy is hardly worse than the old one.

Source: the pessimistic part of Algorithm 7; the algorithm is that of Jin, Yang and Wang (2021), with known rewards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Regressions
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.deployment.protocol import Deployer, known_part
from derl.estimation.backup import greedy
from derl.estimation.bonus import bonus
from derl.estimation.design import fit
from derl.inputs import display, real
from derl.inputs.threads import one_thread
from derl.mdp import policies
from derl.theory.constants import bonus_scale


@dataclass(frozen=True, eq=False, repr=False)
class Pessimistic(display.Fields):
    """A plan that is at least as good as it says, where every regression is right up to beta b.

    Attributes
    ----------
    policy : (H, S) int
        The lowest action index among ties; in particular where the data say nothing.
    values : (H + 1, S)
        Lower bounds V_1, ..., V_H of the policy's values, and a row of zeros.
    norms : (H, S, A)
        Elliptical norms b = |phi|_{Lambda^{-1}}.
    beta : float
    """

    policy: np.ndarray
    values: np.ndarray
    norms: np.ndarray
    beta: float


@one_thread
def pessimistic_value_iteration(phi: np.ndarray, rewards: np.ndarray, counts: np.ndarray, beta: float,
                                available: np.ndarray | None = None) -> Pessimistic:
    """Plan from transition counts; nothing is deployed and nothing is random.

    Parameters
    ----------
    phi : (H, S, A, d)
    rewards : (H, S, A)
        In [0, 1].
    counts : (H, S, A, S)
        Transition counts n_h(s, a, s') >= 0 of any policies.
    beta : float, > 0
        Scale of the penalty; bonus_scale of `derl.theory.constants` for the one of the exploring algorithms.
    available : (H, S, A) bool or None
        None: every action is available.

    Raises
    ------
    InvalidParameter
        Shapes that do not fit, a negative or non-finite count, beta <= 0.

    Notes
    -----
    The regression weights are one product with the operator of the design, Lambda^{-1} sum phi n(., .), as in the
    optimistic algorithms: both look at the same data in the same way and differ in one sign.
    """
    beta = real(beta, "beta", above=0, error=InvalidParameter)
    horizon, n_states, n_actions, _ = phi.shape
    for name, array, shape in (("rewards", rewards, (horizon, n_states, n_actions)),
                               ("counts", counts, (horizon, n_states, n_actions, n_states))):
        if np.shape(array) != shape:
            raise InvalidParameter(f"{name} has shape {np.shape(array)}; it must be {shape}")
    if not (np.isfinite(counts).all() and np.min(counts) >= 0):
        raise InvalidParameter("counts has entries that are negative or not finite; it must be >= 0")
    values = np.zeros((horizon + 1, n_states))
    policy = np.zeros((horizon, n_states), dtype=np.intp)
    norms = np.empty((horizon, n_states, n_actions))
    for h in reversed(range(horizon)):
        design = fit(phi[h], counts[h])
        norms[h] = design.norms(phi[h])
        q = phi[h] @ design.weights(values[h + 1]) + rewards[h] - bonus(norms[h], beta)
        q = np.clip(q, 0, horizon - h)
        if available is not None:
            q = np.where(available[h], q, -np.inf)
        values[h], policy[h] = q.max(axis=1), greedy(q)
    return Pessimistic(policy, values, norms, float(beta))


def uniform_pessimism(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                      beta: float | None = None) -> Outcome:
    """One deployment of the uniform policy, then pessimistic planning on its batch: offline learning as a baseline.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any".
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1); they enter through beta alone.
    c_beta, beta
        As in `layerwise_exploration`.

    Returns
    -------
    Outcome
        `converged` is True: nothing is tested. `trace` is empty, `dataset.counts` what the deployment brought.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known = known_part(deployer)
    c_beta = real(c_beta, "c_beta", above=0, error=InvalidParameter)
    beta = bonus_scale(known.dim, known.horizon, epsilon, delta, c_beta) if beta is None else beta
    counts = deployer.deploy(policies.uniform(known)).counts
    plan = pessimistic_value_iteration(known.phi, known.rewards, counts, beta, known.available)
    return Outcome(policy=plan.policy, deployments=1, trajectories=deployer.batch_size, converged=True, trace=(),
                   beta=plan.beta, dataset=Regressions(known, counts))
