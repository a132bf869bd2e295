"""A state that is reached with a small probability, whatever the policy: the family on which nu_min falls to 0."""

from __future__ import annotations

import numpy as np

from derl.inputs import seeds
from derl.mdp.instances.parameters import fraction, size
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance

STATES, ACTIONS, DIM = 5, 2, 4
STREAM = 31


def rare_state(probability, horizon, seed) -> LinearMDP:
    """Simplex features of dimension 4; the last direction is that of the rare state alone.

    Five states with two actions. States 0..3 have random features in the first three directions, which lead to state 4
    with the given probability and else to one of 0..3. State 4, the rare one, pays 1: its first action has the feature
    e_4, the second the mean of e_4 and e_1. So every policy reaches it equally seldom, E phi_4^2 is at most the
    probability in every layer, nu_min^2 too, and no reward loses more than H times the probability by ignoring it. With
    probability 0 no policy reaches it at all.

    Parameters
    ----------
    probability : number in [0, 1/2]
    horizon : int >= 2
    seed : int >= 0, None, numpy.random.Generator or numpy.random.SeedSequence
        Root of the random stream; the same seed gives the same instance, whatever the probability.

    Examples
    --------
    >>> from derl import instances, planning
    >>> mdp = instances.rare_state(1e-3, horizon=3, seed=0)
    >>> reached = planning.occupancy(mdp, planning.optimal(mdp).policy)[1].sum(axis=1)[4]
    >>> float(reached.round(12))
    0.001
    """
    p, horizon = float(fraction("probability", probability)), size("horizon", horizon, 2)
    seed = seeds.root(seed, InvalidInstance)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(STREAM,)))
    phi = np.zeros((horizon, STATES, ACTIONS, DIM))
    phi[:, :4, :, :3] = rng.dirichlet(np.full(3, 0.5), size=(horizon, 4, ACTIONS))
    phi[:, 4, 0, 3] = 1
    phi[:, 4, 1, [0, 3]] = 0.5
    mu = np.zeros((horizon, DIM, STATES))
    mu[:, :, :4] = rng.dirichlet(np.full(4, 0.5), size=(horizon, DIM))
    mu[:, :3, :4] *= 1 - p
    mu[:, :3, 4] = p
    theta = rng.random((horizon, DIM))
    theta[:, 3] = 1
    info = {"family": "rare_state", "probability": p, "horizon": horizon, "seed": seed}
    return LinearMDP(phi, mu, theta, np.eye(STATES)[0], info=info)
