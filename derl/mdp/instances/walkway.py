"""The safe corridor: an instance on which exploration is costly."""

from __future__ import annotations

import numpy as np

from derl.mdp.exact import ExactMDP, rationals
from derl.mdp.instances.parameters import count
from derl.mdp.linear_mdp import LinearMDP

LARGEST = 10**5  # layers: every number is a Python object


def corridor(horizon: int = 5, *, exact: bool = False) -> LinearMDP | ExactMDP:
    """A safe corridor: action 0 pays 4/5, action 1 pays nothing and ruins the rest, action 2 pays 1.

    d = 4; nothing is random. The first action everywhere is worth 4H/5, the best policy H; trying action 1 in layer 1
    costs everything.
    """
    horizon = count("horizon", horizon, 1, LARGEST)
    phi = np.zeros((horizon, 2, 3, 4), dtype=object)
    phi[:, 0], phi[:, 1] = np.eye(4, dtype=int)[:3], np.eye(4, dtype=int)[3]
    mu = np.zeros((horizon, 4, 2), dtype=object)
    mu[:, [0, 2], 0] = mu[:, [1, 3], 1] = 1
    available = np.ones((horizon, 2, 3), bool)
    available[:, 1, 1:] = False
    kind = ExactMDP if exact else LinearMDP
    return kind(phi, mu, rationals([["4/5", 0, 1, 0]] * horizon), np.array([1, 0]), available,
                state_names=("safe", "ruin"), action_names=("walk", "jump", "run"), info={"family": "corridor"})
