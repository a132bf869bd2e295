r"""Algorithm 2 as printed, with the grid of Algorithm 5, in exact arithmetic, from the first line to the plan.

Every step is the printed one: pi_{h,1} is counted and not listed, SolveOptQ inverts 2 I + Sigma~ with Sigma~ from 2 I
on, Pi_h is a set, the greedy policy is that of the rounded Q, values are clipped from above only, and the last line is
the printed Algorithm 4. For small instances: a few dozen policies per layer, each planned in fractions.

Source: Algorithms 2, 4, 5 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl.algorithms.discretisation import argmax_bounds, exact_optq, q_bounds
from derl.estimation.covariance import backward_pass, chosen_features
from derl.estimation.design import Design
from derl.mdp import policies
from derl.mdp.exact import ExactMDP
from derl.mdp.policies import Mixture
from derl.theory.exact.matrices import ridge


@dataclass(frozen=True, eq=False)
class ExactLayer:
    """One layer of the printed loop.

    Attributes
    ----------
    policies : (M, h, S) int
        The set Pi_h, in the order of finding.
    iterations : int
    value : (Fraction, Fraction)
        Bounds of the last V.
    stopped : bool
        Whether V was below the threshold; otherwise i_max was reached.
    """

    policies: np.ndarray
    iterations: int
    value: tuple[Fraction, Fraction]
    stopped: bool


def printed_exploration(mdp: ExactMDP, deployer, nu_squared: Fraction, beta_prime: Fraction, resolution: Fraction,
                        i_max: int = 1000) -> tuple[tuple[ExactLayer, ...], np.ndarray]:
    """Lines 1 to 14 of Algorithm 2.

    Parameters
    ----------
    mdp : ExactMDP
        Its features, available actions and first law are read, nothing else.
    deployer : Deployer
        Of the class "any", for the same instance in float64.
    nu_squared, beta_prime, resolution : Fraction
        nu_min^2, beta', epsilon_0.

    Returns
    -------
    (layers, counts)
        counts (H, S, A, S) of int: those of layer h from deployment h.
    """
    layers, counts, identity = [], [], np.eye(mdp.dim, dtype=int).astype(object)
    for h in range(mdp.horizon):
        phi, open_pairs = list(mdp.phi[:h + 1]), mdp.available[:h + 1]
        designs = [Design(None, ridge(mdp.phi[t], counts[t])[1]) for t in range(h)]
        policy, matrix, found = open_pairs.argmax(axis=2), 2 * identity, {}
        stopped, iterations = False, 0
        while not stopped and iterations < i_max:
            iterations += 1
            matrix = matrix + backward_pass(chosen_features(phi, policy), designs, mdp.initial, "as-printed")
            optimum = exact_optq(phi, counts[:h], 2 * identity + matrix, beta_prime, resolution, mdp.initial,
                                 open_pairs)
            stopped = optimum.value[1] <= Fraction(3, 8) * nu_squared
            if stopped:
                break
            if optimum.value[0] <= Fraction(3, 8) * nu_squared:
                raise ValueError("V and its threshold are too close")
            policy = optimum.discretised_policy
            found.setdefault(policy.tobytes(), policy)
        members = np.array(list(found.values()))
        layers.append(ExactLayer(members, iterations, optimum.value, stopped))
        heads = tuple(policies.compose(deployer.known, member, h + 1, 0) for member in members)
        batch = deployer.deploy(Mixture(heads, np.full(len(heads), 1 / len(heads))))
        counts.append(batch.counts[h].astype(object))
    return tuple(layers), np.stack(counts)


def printed_planning(mdp: ExactMDP, counts: np.ndarray, theta: np.ndarray, beta: Fraction,
                     bits: int = 256) -> np.ndarray:
    """The greedy policy (H, S) of Algorithm 4 as printed, Q = min(w^T phi + r + min(beta |phi|, H), H)."""
    cap = Fraction(mdp.horizon)
    low = high = np.full(mdp.n_states, Fraction(0), dtype=object)
    plan = []
    for h in reversed(range(mdp.horizon)):
        sigma, operator = ridge(mdp.phi[h], counts[h])
        positive, negative = np.maximum(operator, 0), np.minimum(operator, 0)
        weights = positive @ low + negative @ high + theta[h], positive @ high + negative @ low + theta[h]
        q = q_bounds(mdp.phi[h], weights, beta**2 * sigma, bits, cap, cap, mdp.available[h])
        actions = argmax_bounds(q)
        states = np.arange(mdp.n_states)
        low, high = q[0][states, actions], q[1][states, actions]
        plan.append(actions)
    return np.stack(plan[::-1])
