"""A linear MDP on which a capped bonus is not optimistic."""

from __future__ import annotations

import numpy as np

from derl.mdp.exact import ExactMDP, rationals
from derl.mdp.linear_mdp import LinearMDP

STATES = ("s1", "A", "B", "C", "E", "F")


def optimism_trap(*, exact=False) -> LinearMDP | ExactMDP:
    """An instance with d = 7, H = 10 where capping the bonus before adding it hides the better branch.

    The features span four directions:

    - e3 = phi(s1, a) = phi(A): leads to A, pays 1 in layers 1..7 and 0 afterwards, so 7 in all;
    - e4 = phi(s1, b) = phi(B): in layer 1 leads to C with probability 3/20 and to B with 17/20, later to B; pays 0
      in layers 1, 2 and 1 afterwards;
    - e1 = phi(C, e) = phi(E): leads to E, pays 4/5 from layer 3 on;
    - f = -(3/5) e1 + (4/5) e2 = phi(C, f) = phi(F): leads to F, pays 1 from layer 3 on.

    The optimal policy takes b and then f, worth 8; taking e at C instead loses 3/20 * 8/5 = 0.24. Data on e1 alone
    determine the negative part of f: an estimate w with large w_1 makes <w, f> very negative while the bonus of f,
    capped at H, cannot make up for it.

    The states are s1, A, B, C, E, F; the actions 0, 1 are a, b at s1 and e, f at C; the others have only action 0.
    All bounds of Assumption 1 hold, the one on mu with equality: sup_v |sum_s v(s) mu_h(s)|^2 = 1 + 4 + 1 + 1 = 7.

    Parameters
    ----------
    exact : bool
        Return the rational instance.

    Source: counterexample to optimism (Lemma C.5) for Algorithm 1 as printed.

    Examples
    --------
    >>> from derl import instances
    >>> mdp = instances.optimism_trap()
    >>> mdp.state_names
    ('s1', 'A', 'B', 'C', 'E', 'F')
    """
    horizon, dim = 10, 7
    e1, _, e3, e4 = np.eye(dim, dtype=object)[:4]
    f = rationals(["-3/5", "4/5", 0, 0, 0, 0, 0])
    s1, a, b, c, e, far = range(6)
    phi = np.zeros((6, 2, dim), dtype=object)
    phi[s1, 0] = phi[a, 0] = e3
    phi[s1, 1] = phi[b, 0] = e4
    phi[c, 0] = phi[e, 0] = e1
    phi[c, 1] = phi[far, 0] = f
    mu = np.zeros((horizon, dim, 6), dtype=object)
    mu[:, :2, e] = rationals([1, "3/4"])
    mu[:, 1, far] = rationals("5/4")
    mu[:, 2, a] = 1
    mu[:, 3, b] = 1
    mu[0, 3, [b, c]] = rationals(["17/20", "3/20"])
    theta = np.zeros((horizon, dim), dtype=object)
    theta[:7, 2] = 1
    theta[2:, :2] = rationals(["4/5", "37/20"])
    theta[2:, 3] = 1
    kind = ExactMDP if exact else LinearMDP
    return kind(np.broadcast_to(phi, (horizon, *phi.shape)), mu, theta, np.eye(6, dtype=int)[s1],
                np.broadcast_to(phi.any(axis=2), (horizon, 6, 2)), state_names=STATES,
                action_names=("first", "second"), info={"family": "optimism_trap"})
