"""Laws of states and second moments of features under a Markov policy, in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.inputs.rational_arrays import product
from derl.mdp.exact import ExactMDP


def state_laws(mdp: ExactMDP, policy: np.ndarray) -> np.ndarray:
    """The law of the state in every layer, (H, S) of Fraction; policy (H, S) int or (H, S, A) of Fraction."""
    transitions, rows = mdp.transitions(), _rows(mdp, policy)
    laws = [np.array(mdp.initial, dtype=object)]
    for h in range(mdp.horizon - 1):
        met = (laws[h][:, None] * rows[h]).ravel()
        laws.append(product(met, transitions[h].reshape(len(met), -1)))
    return np.stack(laws)


def moments(mdp: ExactMDP, policy: np.ndarray) -> np.ndarray:
    """E[phi phi'] in every layer, (H, d, d) of Fraction."""
    laws, rows = state_laws(mdp, policy), _rows(mdp, policy)
    met = (laws[..., None] * rows[:mdp.horizon]).reshape(mdp.horizon, -1)
    features = mdp.phi.reshape(*met.shape, mdp.dim)
    return np.stack([product(phi.T * p, phi) for p, phi in zip(met, features, strict=True)])


def _rows(mdp, policy):
    policy = np.asarray(policy)
    if policy.ndim == 3:
        return policy
    rows = np.full(mdp.available.shape, Fraction(0), dtype=object)
    np.put_along_axis(rows, policy[..., None], Fraction(1), axis=2)
    return rows
