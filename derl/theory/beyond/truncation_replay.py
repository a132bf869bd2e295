r"""The loss of exploration without reachability, added up block by block instead of bounded in closed form.

The proof uses one tau, one E and one second moment for all blocks. Here every layer and every block has its own:
for the block that starts at h_0, with D its share of the deployed law and TV what nothing vouches for,

    m_h  = D r^{j+1} y + TV (3/2) kappa^2                   second moment of layer h = h_0 + j,  r = (1 + 1/H) d
    lost = TV + (2/kappa^2) sum_j D r^{j+1} y
    E    = 2 beta (1/sqrt(1+N) + sum of sqrt(m_h) over the layers in front of h_0 - 1)
    TV   = (1 + sqrt r) E + 2 (h_0-1) eta        or        12 d^2 (2 (h_0-1) eta + 3E)        of the next block.

So it is a second derivation of the same number, and says how much room the constants have.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.theory.beyond.truncation import COVERS, blocks, regression_scale, truncation, uncertainty


@dataclass(frozen=True)
class Loss:
    """What a run may lose, with what it is made of.

    Attributes
    ----------
    total : float
        Upper bound of V* - V; inf where values could leave [-2, 2].
    unvouched : tuple of float
        TV of every block.
    lost : tuple of float
        Mass that the cuts of every block lose.
    planning : float
    """

    total: float
    unvouched: tuple[float, ...]
    lost: tuple[float, ...]
    planning: float


def loss(d: int, horizon: int, block: int, epsilon: float, delta: float, batch_size: float, cover: str = "spanner",
         wider: float = 1.0) -> Loss:
    """The loss at N, for kappa and eta of the theorem, kappa multiplied by `wider`."""
    numbers, way = truncation(d, horizon, block, epsilon, delta, batch_size, cover), COVERS[cover]
    kappa2 = (wider * numbers.kappa)**2
    beta, y = regression_scale(d, horizon, delta, batch_size), uncertainty(d, horizon, delta, batch_size)
    factor, share, unvouched = (1 + 1 / horizon) * d, 1.0, 0.0
    terms, all_unvouched, lost = [math.sqrt(1 / (1 + batch_size))], [], []  # layer 0
    for layers in blocks(horizon, block):
        moments = [share * factor**(j + 1) * y for j in range(len(layers))]
        all_unvouched.append(unvouched)
        lost.append(unvouched + 2 / kappa2 * sum(moments))
        terms += [math.sqrt(moment + unvouched * 1.5 * kappa2) for moment in moments]
        error, rounding = 2 * beta * sum(terms[:-1]), 2 * layers[-1] * numbers.eta
        if way.share == 1:
            share, unvouched = factor, (1 + math.sqrt(factor)) * error + rounding
        else:
            share, unvouched = 3 * d, 12 * d**2 * (rounding + 3 * error)
    planning = 2 * horizon * 2 * beta * sum(terms)
    bounded = 2 * horizon * beta * math.sqrt(1.5 * kappa2) <= 1
    return Loss(horizon * sum(lost) + planning if bounded else math.inf, tuple(all_unvouched), tuple(lost), planning)
