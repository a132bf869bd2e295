r"""Quadratic forms that are nonnegative on a simplicial cone: a sufficient condition that a linear programme can use.

Let theta = V x with x >= 0 run through the cone of the columns of V, let Lambda = sum_k w_k Lambda_k be a mixture, and
M = V' (Lambda - L I) V. Then

    theta' Lambda theta - L |theta|^2 = x' M x = sum_i M_ii x_i^2 + 2 sum_{i<j} M_ij x_i x_j .

With scales s_i > 0 and 2 x_i x_j <= (s_j/s_i) x_i^2 + (s_i/s_j) x_j^2 for the negative M_ij, this is >= 0 as soon as

    s_i M_ii + sum_{j != i} s_j min(0, M_ij) >= 0   for every i.                                            (*)

(*) holds if M has no negative entries; where it has some, the diagonal pays for them. M may be replaced by M - sum q q'
because the squares (q' x)^2 that are left out are not negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt

import numpy as np
import scipy

from derl.theory.reachability.pool import Pool
from derl.theory.reachability.sdp import BITS, Forms

NEAREST = 16  # policies tried per cone: those with the best worst entry, with the best sum, and the best per entry
SQUARE_BITS = 40
CUTS = 4  # linear programmes per cone, each with more squares
FLAT = 1e-9  # eigenvalues of a dual below this part of the largest count as zero


@dataclass(frozen=True, eq=False)
class Mixed:
    """The best mixture found for a cone.

    Attributes
    ----------
    level : float
        F >= level |theta|^2 on the cone, up to rounding.
    weights : (m,)
    squares : (n, r)
        Linear forms in x, for columns of length 1, whose squares are left out before (*) is asked for.
    dual : (r, r)
        X, close to x x' if sum_i x_i v_i, columns of length 1, is the direction where the bound is lowest.
    """

    level: float
    weights: np.ndarray
    squares: np.ndarray
    dual: np.ndarray


@dataclass(frozen=True, eq=False)
class ConeBlock:
    """Some cones and the policies worth trying on them.

    Attributes
    ----------
    near : (n, m) int
        Positions in the pool.
    local : (n, m, r, r)
        V' Lambda V, columns of V scaled to length 1.
    gram : (n, r, r)
        V' V.
    slack : (n, m)
        The smallest left side of (*) for one policy alone.
    """

    near: np.ndarray
    local: np.ndarray
    gram: np.ndarray
    slack: np.ndarray

    def form(self, cones, members) -> np.ndarray:
        """Where the edges of a cone are measured by a policy: (len(cones), r, r)."""
        return self.local[cones, members]


class SecondMoments:
    """Lower bounds of F(theta) = max_pi E_pi[<phi, theta>^2] on cones, from the policies of a pool."""

    def __init__(self, pool: Pool, forms: Forms):
        self.pool, self.forms = pool, forms

    def look(self, V: np.ndarray, level: float) -> ConeBlock:
        """The cones of the columns of V (n, d, r), columns of length 1."""
        n, _, rank = V.shape
        flat = self.pool.matrices.reshape(len(self.pool.matrices), -1)
        i, j = np.triu_indices(rank)
        entries = np.einsum("nap,nbp->npab", V[:, :, i], V[:, :, j]).reshape(n * len(i), -1) @ flat.T
        near = most_useful(entries.reshape(n, len(i), -1), NEAREST)
        local = np.einsum("nai,nmab,nbj->nmij", V, self.pool.matrices[near], V, optimize=True)
        gram = np.einsum("nai,naj->nij", V, V)
        excess, diagonal = local - level * gram[:, None], np.arange(rank)
        below = np.minimum(excess, 0.0)
        below[..., diagonal, diagonal] = 0.0
        return ConeBlock(near, local, gram, (excess[..., diagonal, diagonal] + below.sum(axis=3)).min(axis=2))

    def mix(self, block: ConeBlock, n: int, enough: float) -> Mixed:
        """The largest level, up to `enough`, for which a mixture satisfies (*) on cone n of a block."""
        return best_mixture(block.local[n], block.gram[n], enough)

    def learn(self, rho: np.ndarray) -> None:
        """Add the policies that answer the duals V X V' (n, d, d) of cones that are still open."""
        self.pool.price(rho)

    def proves(self, mixture: Mapping[int, int], squares: np.ndarray, units: int, corners: np.ndarray) -> bool:
        """Whether (*) holds in whole numbers for {policy: weight} at the level units/2^BITS."""
        form = self.forms.excess([self.pool.policies[k] for k in mixture], list(mixture.values()), units)
        return positive_on_cone(form, self.forms.gram, corners, squares, sum(mixture.values()) << BITS)


def most_useful(entries: np.ndarray, count: int) -> np.ndarray:
    """Members (n, m) worth trying: entries (n, p, K) has what K members offer on p places of n cones."""
    few = min(count, entries.shape[2])
    return np.concatenate([np.argpartition(-entries.min(axis=1), few - 1, axis=1)[:, :few],
                           np.argpartition(-entries.sum(axis=1), few - 1, axis=1)[:, :few],
                           entries.argmax(axis=2)], axis=1)


def positive_on_cone(form: np.ndarray, gram: np.ndarray, corners: np.ndarray, squares: np.ndarray, unit: int) -> bool:
    """Condition (*) in whole numbers for M = V' form V, V = corners (r, r), less the squares.

    With n_i close to 2^SQUARE_BITS |v_i|, a row q of `squares` (n, r) of int stands for the square of
    sum_i q_i n_i x_i / 2^(2 SQUARE_BITS), in units of `unit` of the form. The scales in (*) are close to 1/n_i.
    """
    V = corners.T @ form @ corners
    lengths = np.array([isqrt(int(v @ gram @ v) << 2 * SQUARE_BITS) + 1 for v in corners.T], dtype=object)
    M = (V << 4 * SQUARE_BITS) - unit * lengths[:, None] * lengths * (squares.T @ squares)
    scales = (lengths.max() << 20) // lengths
    below = np.minimum(M, 0)
    below[np.diag_indices(len(M))] = 0
    return bool((scales * M.diagonal() + below @ scales >= 0).all())


def best_mixture(local: np.ndarray, gram: np.ndarray, enough: float) -> Mixed:
    """The largest level for which a mixture satisfies (*) on the cone of V, by linear programmes.

    Parameters
    ----------
    local : (m, r, r)
        The forms V' Lambda_k V.
    gram : (r, r)
        V' V.
    enough : float
        Stop as soon as the level reaches this.

    Notes
    -----
    Variables are the weights w, the parts c_ij >= -M_ij for i < j, the parts of the squares, and L. The dual solution
    is a matrix X that would be x x' if one point x of the cone were worst. Where X has a negative eigenvalue, the
    square of that eigenvector cuts it off.
    """
    m, rank = local.shape[:2]
    i, j = np.triu_indices(rank, 1)
    touches = (np.arange(rank)[:, None] == i) | (np.arange(rank)[:, None] == j)
    on, off, squares = np.arange(rank), len(i), np.zeros((0, rank))
    best = Mixed(-np.inf, np.full(m, 1 / m), np.zeros((0, rank)), np.ones((rank, rank)))
    for _ in range(CUTS):
        upper = np.block([[-local[:, on, on].T, touches, squares.T**2, gram[on, on][:, None]],
                          [-local[:, i, j].T, -np.eye(off), (squares[:, i] * squares[:, j]).T, gram[i, j][:, None]]])
        free = m + off + len(squares)
        found = scipy.optimize.linprog(np.r_[np.zeros(free), -1.0], A_ub=upper, b_ub=np.zeros(len(upper)),
                                       A_eq=np.r_[np.ones(m), np.zeros(free - m + 1)][None], b_eq=[1.0],
                                       bounds=[(0, None)] * free + [(None, None)])
        if not found.success:
            break
        parts = np.sqrt(np.maximum(found.x[m + off:free], 0.0))
        dual = np.diag(-found.ineqlin.marginals[:rank])
        dual[i, j] = dual[j, i] = -found.ineqlin.marginals[rank:] / 2
        values, vectors = np.linalg.eigh(dual)
        best = Mixed(-float(found.fun), np.maximum(found.x[:m], 0.0), parts[:, None] * squares, dual)
        if best.level >= enough or values[0] > -FLAT * values[-1]:
            break
        squares = np.concatenate([squares, vectors.T[values < -FLAT * values[-1]]])
    return best
