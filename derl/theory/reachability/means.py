r"""Linear forms on a simplicial cone: the lower bounds of the explorability coefficient.

Let m = sum_k w_k s_k E_{pi_k}[phi] with w >= 0, sum w = 1 and signs s_k. A mixture of the policies shows that
max_pi |E_pi[phi]' theta| >= m' theta. On the cone of the columns of V, theta = V x with x >= 0, and

    m' theta = sum_i x_i m' v_i >= L sum_i x_i |v_i| >= L |theta|     if  m' v_i >= L |v_i| for every i.      (**)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from derl.theory.reachability.copositive import NEAREST, Mixed, most_useful
from derl.theory.reachability.model import LayerProblem
from derl.theory.reachability.pool import Pool
from derl.theory.reachability.sdp import BITS


@dataclass(frozen=True, eq=False)
class SignedBlock:
    """Some cones and the signed policies worth trying on them.

    Attributes
    ----------
    near : (n, m) int
        2 k for policy k of the pool with sign +, 2 k + 1 with sign -.
    local : (n, m, r)
        +-m' v, columns of V scaled to length 1.
    gram : (n, r, r)
        V' V.
    slack : (n, m)
        min_i (+-m' v_i)|m' v_i| - level, for one policy alone.
    """

    near: np.ndarray
    local: np.ndarray
    gram: np.ndarray
    slack: np.ndarray

    def form(self, cones, members) -> np.ndarray:
        """Where the edges of a cone are measured: by their lengths."""
        return self.gram[cones]


class FirstMoments:
    """Lower bounds of F(theta) = max_pi (E_pi[phi]' theta)^2 on cones, from the policies of a pool."""

    def __init__(self, pool: Pool, problem: LayerProblem, basis: np.ndarray):
        self.pool, self.problem, self.basis, self._known = pool, problem, basis, {}

    def look(self, V: np.ndarray, level: float) -> SignedBlock:
        """The cones of the columns of V (n, d, r), columns of length 1."""
        entries = np.einsum("kd,ndr->nrk", self.pool.means, V)
        signed = np.stack([entries, -entries], axis=3).reshape(*entries.shape[:2], -1)
        near = most_useful(signed, NEAREST)
        local = np.moveaxis(np.take_along_axis(signed, near[:, None], axis=2), 1, 2)
        worst = local.min(axis=2)
        return SignedBlock(near, local, np.einsum("nai,naj->nij", V, V), worst * np.abs(worst) - level)

    def mix(self, block: SignedBlock, n: int, enough: float) -> Mixed:
        """The largest level L^2 for which a signed mixture satisfies (**) on cone n; `enough` is not needed."""
        m, rank = block.local[n].shape
        found = scipy.optimize.linprog(
            np.r_[np.zeros(m), -1.0], A_ub=np.c_[-block.local[n].T, np.ones(rank)], b_ub=np.zeros(rank),
            A_eq=np.r_[np.ones(m), 0.0][None], b_eq=[1.0], bounds=[(0, None)] * m + [(None, None)])
        none = np.zeros((0, rank))
        if not found.success:
            return Mixed(-np.inf, np.full(m, 1 / m), none, np.ones((rank, rank)))
        worst = np.maximum(-found.ineqlin.marginals, 0.0)
        return Mixed(float(-found.fun * abs(found.fun)), np.maximum(found.x[:m], 0.0), none, np.outer(worst, worst))

    def learn(self, rho: np.ndarray) -> None:
        """Do nothing: the policies that matter are those of the directions themselves."""

    def proves(self, mixture: Mapping[int, int], squares: np.ndarray, units: int, corners: np.ndarray) -> bool:
        """Whether (**) holds in whole numbers for {signed policy: weight} at L^2 = units/2^BITS; no squares here."""
        mean = sum(w * self._signed(k) for k, w in mixture.items())
        scale = (self.problem.mass_scale * self.problem.feature_scale * sum(mixture.values())) ** 2
        V = self.basis @ corners
        heights, lengths = mean @ V, (V * V).sum(axis=0)
        return bool((heights >= 0).all() and ((heights**2 << BITS) >= units * scale * lengths).all())

    def _signed(self, k):
        if k not in self._known:
            self._known[k] = (1 - 2 * (k % 2)) * self.problem.first_moment(self.pool.policies[k // 2])
        return self._known[k]
