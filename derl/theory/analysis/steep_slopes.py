r"""Data on the event of Theorem E.4, for every constant, whose slopes multiply from layer to layer.

States s_1, x, z. In every layer before the last the next state is z with probability rho = 1/(4H) and x otherwise,
whatever is done. s_1 has the feature (4/5, 0); x has (4/5, +-1/n) and z has (4/5, +-3/5) for its two actions; in the
last layer both actions of x have (4/5, 3/5) and both of z (4/5, -3/5). N = n^2 trajectories, n = 64 H k. In layer 1 the
data have exactly their expected frequencies. In the layers 2, ..., H - 1 all are at x, half with each action, and the
first action went to z 4n times more often than expected, the second 4n times less often. Sigma = diag(1 + 16N/25, 2),

    w = ( (4/5) N m/(1 + 16N/25),  4 (V(z) - V(x)) ),     m = rho V(z) + (1 - rho) V(x) = P V ,
    G = sum phi (V - P V) = ( 0, 8 (V(z) - V(x)) ),        |G|_{Sigma^{-1}} <= 16/sqrt 2 < 12     for all |V| <= 1.

The data of layer h are those of deployment h; in all other deployments let the frequencies be as expected, which adds
no noise and is not used. No constant c is exceeded once 144 <= 4 c^2 log(dHN beta'/(epsilon_0 delta)), for which
log N >= 36/c^2 is enough. With D_t = V_t(x) - V_t(z), g = 4 (3/5 - 1/n) > 2 and theta = (16N/25)/(1 + 16N/25), first
action everywhere,

    V_t(x) = theta m_{t+1} - (4/n) D_{t+1},     V_t(z) = theta m_{t+1} - (12/5) D_{t+1},     D_t = g D_{t+1} ;

D_H = 12/25, no value exceeds 1, so the printed clip never acts, and D grows like g^{H - t}, while beta' grows like
sqrt(log H).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl.mdp.exact import ExactMDP, rationals

START, X, Z = range(3)
EXCESS = 4  # transitions too many, in units of n
NOISE_SQUARE = 128  # max |G|^2_{Sigma^{-1}} over |V| <= 1


@dataclass(frozen=True, eq=False)
class SteepSlopes:
    """The instance and its data; `counts` are (S, A, S) for the layers 1, ..., H - 1."""

    mdp: ExactMDP
    counts: tuple
    root: int

    @property
    def size(self) -> int:
        """N = n^2."""
        return self.root**2


def steep_slopes(horizon: int, k: int = 1) -> SteepSlopes:
    """The member of the family with H layers and n = 64 H k."""
    n, rare = 64 * horizon * k, Fraction(1, 4 * horizon)
    high, far, near = Fraction(4, 5), Fraction(3, 5), Fraction(1, n)
    phi = np.full((horizon, 3, 2, 2), Fraction(0), dtype=object)
    phi[..., 0] = high
    for action, sign in ((0, 1), (1, -1)):
        phi[1:-1, X, action, 1], phi[1:-1, Z, action, 1] = sign * near, sign * far
    phi[-1, X, :, 1], phi[-1, Z, :, 1] = far, -far
    mu = np.full((horizon, 2, 3), Fraction(0), dtype=object)
    mu[:, 0, X], mu[:, 0, Z] = (1 - rare) / high, rare / high
    first = np.zeros((3, 2, 3), dtype=object)
    first[START, 0, Z], first[START, 0, X] = int(rare * n * n), int((1 - rare) * n * n)
    middle = np.zeros((3, 2, 3), dtype=object)
    expected = rare * n * n / 2
    for action, sign in ((0, 1), (1, -1)):
        middle[X, action, Z] = int(expected + sign * EXCESS * n)
        middle[X, action, X] = n * n // 2 - middle[X, action, Z]
    mdp = ExactMDP(phi, mu, np.zeros((horizon, 2), dtype=int), rationals([1, 0, 0]))
    return SteepSlopes(mdp, (first, *[middle] * (horizon - 2)), n)
