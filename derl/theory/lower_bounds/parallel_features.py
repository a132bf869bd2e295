r"""Two actions with almost the same feature: a linear MDP for which the norm of mu_h matters. d = H = 2, not random.

In s there are two actions, a- leads to B and a+ to A; in layer 2 A pays 1, B pays 0, and one action leads on to one
last state. With c^2 + t^2 = 1 (rational),

    layer 1   phi(a-) = (1, 0),  phi(a+) = (c, t),   mu(A) = (0, 1/t),  mu(B) = (1, -c/t),   theta = (t, -c),
    layer 2   phi(A) = (1, 0),   phi(B) = (0, 1),    mu(last) = (1, 1),                      theta = (1, 0).

So a- pays t and a+ pays 0, |mu(S)|^2 = 1 + ((1 - c)/t)^2 <= 2, |theta| <= 1. At t = 1 the features are e_1 and e_2.
For small t they are almost the same, and the measures are long: |mu(A)| = 1/t.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.mdp.exact import rationals
from derl.theory.lower_bounds.game_parameters import InvalidGame

START, A, B, LAST = range(4)


def almost_parallel(slope: Fraction):
    """phi, mu, theta, available for t = 2 slope/(1 + slope^2), exact; states s, A, B and the last one.

    Parameters
    ----------
    slope : Fraction, in (0, 1]

    Raises
    ------
    ValueError
        If a rule of Assumption 1, read with |mu(S)| <= sqrt d, fails.
    """
    c, t = (1 - slope**2) / (1 + slope**2), 2 * slope / (1 + slope**2)
    phi, mu = np.zeros((2, 4, 2, 2), dtype=object), np.zeros((2, 2, 4), dtype=object)
    phi[0, START], phi[0, [A, B, LAST], 0] = rationals([[1, 0], [c, t]]), rationals([1, 0])
    phi[1, :, 0] = rationals([[0, 1], [1, 0], [0, 1], [0, 1]])
    mu[0][:, [A, B]] = rationals([[0, 1], [1 / t, -c / t]])
    mu[1][:, LAST] = rationals([1, 1])
    theta, available = rationals([[t, -c], [1, 0]]), np.zeros((2, 4, 2), bool)
    available[:, :, 0] = available[0, START, 1] = True
    phi, mu = rationals(phi), rationals(mu)
    P, rewards = np.einsum("hsad,hdt->hsat", phi, mu), np.einsum("hsad,hd->hsa", phi, theta)
    rules = {
        "|phi| <= 1": all((row @ row) <= 1 for row in phi[available]),
        "transitions": all(min(row) >= 0 and sum(row) == 1 for row in P[available]),
        "rewards in [0, 1]": all(0 <= r <= 1 for r in rewards[available]),
        "|theta| <= sqrt d": all(row @ row <= 2 for row in theta),
        "|mu(S)| <= sqrt d": all(total @ total <= 2 for total in (layer.sum(axis=1) for layer in mu)),
    }
    broken = [name for name, truth in rules.items() if not truth]
    if broken:
        raise InvalidGame(f"the instance breaks {', '.join(broken)}")
    return phi, mu, theta, available
