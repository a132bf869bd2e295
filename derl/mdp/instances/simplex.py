"""Random linear MDPs whose features are points of the simplex."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.inputs import seeds
from derl.mdp.exact import ExactMDP
from derl.mdp.instances.parameters import possible, size
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance

GRID = 1000


def _weights(rng, shape):
    """Positive whole numbers: exponential variables on a grid, so that normalised rows are uniform on the simplex.

    As floats and in one array, since they may be a gigabyte.
    """
    weights = rng.standard_exponential(shape)
    weights *= GRID
    np.floor(weights, out=weights)
    weights += 1
    return weights


def random_simplex(n_states, n_actions, dim, horizon, seed, *, exact=False) -> LinearMDP | ExactMDP:
    """Features on the simplex, d random next-state distributions per layer, theta in [0, 1]^d, random start.

    Each phi_h(s, a) is a random convex combination, so P_h(. | s, a) mixes the d distributions mu_h, and the reward
    mixes the entries of theta_h. The norms hold by construction: |phi| <= |phi|_1 = 1, |theta| <= sqrt d,
    and every coordinate of sum_s v(s) mu_h(s) is at most 1. The initial distribution is random with full support.

    Parameters
    ----------
    n_states, n_actions, dim, horizon : int >= 1
        S, A, d, H.
    seed : int >= 0, None, numpy.random.Generator or numpy.random.SeedSequence
        Root of the random stream; the same seed gives the same instance. None draws one, which `info["seed"]` names.
    exact : bool
        Return the rational instance (all entries are ratios of integers) instead of its rounding to float64.

    Examples
    --------
    >>> from derl import instances
    >>> mdp = instances.random_simplex(n_states=20, n_actions=4, dim=5, horizon=5, seed=0)
    >>> mdp.phi.shape, float(mdp.phi.sum(axis=3).round(12).min())
    ((5, 20, 4, 5), 1.0)
    """
    n_states, n_actions = size("n_states", n_states), size("n_actions", n_actions)
    dim, horizon, seed = size("dim", dim), size("horizon", horizon), seeds.root(seed, InvalidInstance)
    possible(horizon, n_states, n_actions, dim)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    phi = _weights(rng, (horizon, n_states, n_actions, dim))
    mu = _weights(rng, (horizon, dim, n_states))
    theta = rng.integers(0, GRID, size=(horizon, dim), endpoint=True)
    initial = _weights(rng, n_states)
    info = {"family": "random_simplex", "n_states": n_states, "n_actions": n_actions, "dim": dim,
            "horizon": horizon, "seed": seed}
    parts = [(phi, phi.sum(axis=-1, keepdims=True)), (mu, mu.sum(axis=-1, keepdims=True)),
             (theta, np.array(GRID)), (initial, initial.sum())]
    if exact:
        return ExactMDP(*(_ratios(top, bottom) for top, bottom in parts), info=info)
    return LinearMDP(*(np.divide(top, bottom, out=top if top.dtype == float else None) for top, bottom in parts),
                     info=info)


def _ratios(top, bottom):
    return np.frompyfunc(lambda p, q: Fraction(int(p), int(q)), 2, 1)(top, bottom)
