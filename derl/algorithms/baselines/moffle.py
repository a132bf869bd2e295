r"""Simplified MOFFLE: an elliptical planner per layer, its policies deployed, then the cover with random actions.

    layer h:  Gamma = I;  repeat:  pi = least-squares value iteration without a bonus for phi_h^T Gamma^{-1} phi_h;
                                   deploy it, S = mean phi_h phi_h^T;  stop if tr(S Gamma^{-1}) <= 3b/4;  Gamma += S
              deploy the uniform mixture of these policies, with a random action in layer h and the next: D_h
    plan:     least-squares value iteration without a bonus on D_1, ..., D_H

The elliptical potential holds on every path: (3b/4) T <= 2 d log(1 + T/d) for the T policies of a layer.

Reconstruction, without the learning of features. Sure is the shape, T = O~(d/b) with b of the order eta^2/(d^2 A^4), as
in Table 1. Not sure: the constant of b, the share 3/4, whether one or two actions are random. eta is the reachability
of latent states, min_z max_pi E_pi phi_{h,z}, so features must lie in the simplex; for others the row has no meaning.

Definition 2.1: as published not satisfied, planner and cover have batches of two sizes; here both have N.

Source: Modi, Chen, Krishnamurthy, Jiang and Agarwal (2021).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.baselines.zhang import moment
from derl.algorithms.dataset import Regressions, best_response
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.design import fit
from derl.inputs import display, real
from derl.inputs.threads import one_thread
from derl.mdp.policies import Mixture, as_probabilities, compose, uniform
from derl.theory.comparison.quoted import moffle_threshold

LEVEL = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class Covering(display.Fields):
    """One deployment.

    Attributes
    ----------
    deployment, layer : int
    cover : bool
        Whether it is the cover of its layer, or a policy of the planner.
    statistic : float
        tr(S Gamma^{-1}), NaN for a cover.
    policy : policy
    """

    deployment: int
    layer: int
    cover: bool
    statistic: float
    policy: object


@one_thread
def moffle(deployer: Deployer, epsilon: float, delta: float, level: float = LEVEL,
           eta: float | None = None) -> Outcome:
    """Cover every layer, and plan on the covers.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any". Its features lie in the simplex.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1); neither enters the exploration.
    level : float, in (0, 4/3)
        b: the planner of a layer stops at 3b/4.
    eta : float or None
        Reachability of the latent states; if given, b = eta^2/(d^2 A^4) in place of `level`.

    Returns
    -------
    Outcome
        Its `dataset` is a `Regressions`, which plans for any theta (H, d); its `policy` is the plan for the rewards of
        the instance. `converged` is False where K deployments did not suffice; the layers not reached have no data.

    Raises
    ------
    InvalidParameter
    """
    accuracy(epsilon, delta)
    known = known_part(deployer)
    if not on_the_simplex(known):
        raise InvalidParameter("phi has entries below 0 or rows that do not sum to 1; MOFFLE needs features in the "
                               "simplex")
    b = level if eta is None else moffle_threshold(known.dim, known.n_actions,
                                                       real(eta, "eta", above=0, high=1, error=InvalidParameter))
    b = real(b, "level", above=0, below=4 / 3, error=InvalidParameter)
    data = np.zeros((known.horizon, *known.phi.shape[1:3], known.n_states))
    designs, trace = [], []
    for h in range(known.horizon):
        matrix, members = np.eye(known.dim), []
        # one deployment is kept for the cover
        while deployer.deployments < deployer.max_deployments - 1:
            rewards = np.zeros((h + 1, known.n_states, known.n_actions))
            rewards[h] = np.einsum("sai,ij,saj->sa", known.phi[h], np.linalg.inv(matrix), known.phi[h])
            policy = compose(known, best_response(known, designs, rewards, 1.0), h + 1, 0)
            found = moment(known.phi[h], deployer.deploy(policy).counts[h])
            statistic = float(np.trace(found @ np.linalg.inv(matrix)))
            trace.append(Covering(len(trace) + 1, h + 1, False, statistic, policy))
            members.append(policy)
            if statistic <= 0.75 * b:
                break
            matrix = matrix + found
        if deployer.deployments == deployer.max_deployments or not members or statistic > 0.75 * b:
            break
        cover = Mixture(tuple(randomised(known, policy, h) for policy in members), np.full(len(members),
                                                                                          1 / len(members)))
        data[h] = deployer.deploy(cover).counts[h]
        trace.append(Covering(len(trace) + 1, h + 1, True, float("nan"), cover))
        designs.append(fit(known.phi[h], data[h]))
    dataset = Regressions(known, data)
    return Outcome(policy=dataset.plan_rewards(known.rewards), deployments=len(trace),
                   trajectories=len(trace) * deployer.batch_size, converged=len(designs) == known.horizon,
                   trace=tuple(trace), beta=0.0, dataset=dataset)


def on_the_simplex(known: KnownPart) -> bool:
    """Whether the features of all available actions are probabilities."""
    features = known.phi[known.available]
    return bool((features >= -1e-12).all() and np.allclose(features.sum(axis=1), 1, atol=1e-9))


def randomised(known: KnownPart, policy: np.ndarray, h: int) -> np.ndarray:
    """A policy (H, S) with random actions in the layer of index h and the next, (H, S, A)."""
    rows = as_probabilities(known, policy)
    rows[h:h + 2] = uniform(known)[h:h + 2]
    return rows
