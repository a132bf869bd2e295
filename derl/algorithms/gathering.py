"""What the shared loop keeps of its deployments: every transition, or only what least squares reads.

`Transitions` fits its regressions afresh from the cube n_h(s, a, s'), H S^2 A numbers. `Moments` keeps H d S numbers:
the triangular factor R of each layer goes on from the last, R'^T R' = R^T R + sum n phi phi^T, and Lambda^{-1} is
applied to the moments sum phi n(., ., s') by two substitutions. Both find the same, up to the rounding of the
moments: relative to the norm of Lambda^{-1} that is 1e-16 times the number of trajectories, beside a bonus of beta >=
1, so it is harmless up to 1e15 trajectories in all and the record of a run says `exact` no further than 2^53.
"""

from __future__ import annotations

import numpy as np

from derl.deployment.counts import Batch
from derl.deployment.protocol import Deployer, KnownPart
from derl.deployment.sizes import CHUNK
from derl.deployment.sums import Sums
from derl.estimation.design import Design, fit, triangular

KEEPS = ("transitions", "sums")
CELLS = 2**21  # numbers of the rows of layers that are taken together


class Transitions:
    """Counts (H, S, A, S) of all deployments so far."""

    def __init__(self, known: KnownPart):
        self._known = known
        self.data = np.zeros((known.horizon, known.n_states, known.n_actions, known.n_states))

    def designs(self, layers: int) -> list[Design]:
        """The regressions of the layers 1..h."""
        return [fit(self._known.phi[h], self.data[h]) for h in range(layers)]

    def deploy(self, deployer: Deployer, policy) -> Batch:
        """The batch of one more deployment."""
        batch = deployer.deploy(policy)
        self.data += batch.counts
        return batch


class Moments:
    """Factors R (H, d, d), visits and moments of all deployments so far."""

    def __init__(self, known: KnownPart):
        self._known, self._size, self._mode = known, 0, "exact"
        self._factors = np.tile(np.eye(known.dim), (known.horizon, 1, 1))
        self._visits = np.zeros(known.phi.shape[:3])
        self._fresh = np.zeros(known.phi.shape[:3])  # visits that the factors do not know of yet
        self._moments = np.zeros((known.horizon, known.dim, known.n_states))

    def designs(self, layers: int) -> list[Design]:
        """The regressions of the layers 1..h; factors of later ones are computed when they are needed."""
        step = max(1, CELLS // (self._known.n_states * self._known.dim))
        for first in range(0, layers, step):
            part = slice(first, min(first + step, layers))
            self._factors[part] = updated(self._factors[part], self._known.phi[part], self._fresh[part])
        self._visits[:layers] += self._fresh[:layers]
        self._fresh[:layers] = 0.0
        return [Design(factor, triangular(factor, triangular(factor, moments, transposed=True)))
                for factor, moments in zip(self._factors[:layers], self._moments[:layers], strict=True)]

    def deploy(self, deployer: Deployer, policy) -> Sums:
        """The sums of one more deployment."""
        sums = deployer.deploy_sums(policy)
        self._fresh += sums.visits
        self._moments += sums.moments
        self._size, self._mode = self._size + sums.batch_size, sums.mode
        return sums

    @property
    def data(self) -> Sums:
        """The sums of all deployments so far."""
        exact = self._mode == "exact" and self._size <= CHUNK
        return Sums(self._visits + self._fresh, self._moments.copy(), self._size, exact, self._mode)


def gathering(keep: str, known: KnownPart) -> Transitions | Moments:
    """An empty collection of one of the `KEEPS`."""
    return Moments(known) if keep == "sums" else Transitions(known)


def updated(factors: np.ndarray, phi: np.ndarray, visits: np.ndarray) -> np.ndarray:
    """The triangular R' with R'^T R' = R^T R + sum_{s,a} n phi phi^T in every layer, shape (h, d, d).

    Parameters
    ----------
    factors : (h, d, d)
    phi : (h, S, A, d)
    visits : (h, S, A)
    """
    layers, dim = factors.shape[:2]
    layer, state, action = visits.nonzero()
    sizes = np.bincount(layer, minlength=layers)
    rows = np.zeros((layers, sizes.max() + dim, dim))
    rows[layer, np.arange(len(layer)) - np.repeat(sizes.cumsum() - sizes, sizes)] = (
        np.sqrt(visits[layer, state, action])[:, None] * phi[layer, state, action])
    rows[:, -dim:] = factors
    # Householder QR is row-wise stable only when large rows come first
    order = np.argsort(-np.abs(rows).max(axis=2), axis=1, kind="stable")
    return np.linalg.qr(np.take_along_axis(rows, order[..., None], axis=1), mode="r")
