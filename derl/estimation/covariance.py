r"""Algorithm 6: the covariance matrix E_pi[phi_h phi_h^T] of a policy, estimated from the data of the layers before h.

The entry (i, j) is the value of pi for the reward phi_i phi_j in layer h. Least squares evaluates it
backwards: with Phi_t^pi the (S, d) matrix of the features that pi chooses in layer t, and M_t = Sigma_t^{-1}
sum phi n_t(., .) the (d, S) operator of the regression,

    V_h = r_ij,     V_t = clip(Phi_t^pi M_t V_{t+1}),     estimate = sum_s initial(s) V_1(s),

where r_ij(s) = (1 + phi_i phi_j)/2 lies in [0, 1], and the covariance is read off as 2 (estimate) - 1.

**All rewards in one backward pass.** Only V depends on (i, j). The d(d+1)/2 functions r_ij are put side by
side as the columns of one (S, d(d+1)/2) matrix, and each layer costs two matrix products.

**A forward pass where no clip is active.** Without the clip, V_1 = K_1 K_2 ... K_{h-1} r with K_t = Phi_t^pi
M_t, a product of matrices that does not depend on r. Hence, with the row vector q_t defined by

    q_1 = initial,     q_{t+1} = q_t K_t = (q_t Phi_t^pi) M_t ,

the estimate is initial K_1 ... K_{h-1} r_ij = q_h r_ij for every (i, j) at once, and

    2 sum_s q_h(s) r_ij(s) - 1 = sum_s q_h(s) phi_i phi_j  +  (sum_s q_h(s) - 1) .

The last bracket is what the unit regularisation takes from the total mass. One vector of length S is carried
instead of d(d+1)/2; both passes are the same product, bracketed from the two ends.

**When is no clip active?** `clip_free` answers for every policy and all (i, j) together. If all values of
layer t+1 lie in [low, high], those of layer t lie in [low p - high m, high p - low m], where p and m are the
sums of the positive and the negative entries of the row phi_t(s, a)^T M_t. If these stay in [0, 1] in all
layers, nothing is ever clipped.

**The clip.** As printed it acts from above only, V = min(., 1). The regression may fall below any bound then,
and the concentration lemma, which needs |V| <= 1, says nothing about such a V. The repaired version clips to
[0, 1], where the true values are. The version "linear" neither shifts nor clips: it evaluates phi phi^T as it
is, so that the error can be bounded in operator norm, u^T (estimate - truth) u for all unit vectors u,
without the factor d of the entrywise bound.

Source: Algorithm 6 (`alg:approx_random_feature_matrix`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from derl.estimation.design import Design
from derl.inputs import Invalid, choice

COVARIANCE_VERSIONS = ("repaired", "as-printed", "linear")
WAYS = ("auto", "backward", "forward")


class InvalidEstimate(Invalid):
    """An estimate that is not defined: an unknown version, or data that do not fit; the message is one line."""


@lru_cache(maxsize=64)
def _pairs(dim: int) -> tuple[np.ndarray, np.ndarray]:
    return np.triu_indices(dim)


def chosen_features(phi: Sequence[np.ndarray], policy: np.ndarray) -> list[np.ndarray]:
    """Features of the actions that a deterministic policy takes, one (S, d) array per layer."""
    states = np.arange(phi[0].shape[0])
    return [layer[states, actions] for layer, actions in zip(phi, policy, strict=False)]


def estimate_covariance(phi: Sequence[np.ndarray], designs: Sequence[Design], policy: np.ndarray, initial: np.ndarray,
                        version: str = "repaired", way: str = "auto") -> np.ndarray:
    """The estimated covariance of the last layer of `phi`, shape (d, d), symmetric.

    Parameters
    ----------
    phi : (h, S, A, d), or a sequence of h arrays (S, A, d)
        Features of the layers 1..h.
    designs : sequence of h - 1 designs
        Regressions of the layers 1..h-1; only `operator` (d, S) is used. For h = 1 there is none, and the
        result is exact.
    policy : (h, S) int
    initial : (S,)
        Distribution of the first state, known or estimated.
    version : {"repaired", "as-printed", "linear"}
        Clip to [0, 1], clip from above only, or no shift and no clip.
    way : {"auto", "backward", "forward"}
        "auto" goes forward where no clip can be active, backward otherwise; "forward" is that pass in any
        case (for a policy whose values are clipped the result then differs).

    Raises
    ------
    InvalidEstimate
        An unknown version or way, or a number of designs that does not fit.
    """
    choice(version, "version", COVARIANCE_VERSIONS, InvalidEstimate)
    choice(way, "way", WAYS, InvalidEstimate)
    if len(designs) != len(phi) - 1:
        raise InvalidEstimate(f"{len(designs)} designs for {len(phi)} layers of features; one less is needed")
    features = chosen_features(phi, policy)
    if way == "auto":
        way = "forward" if version == "linear" or clip_free(phi, designs) else "backward"
    if way == "forward":
        return forward_pass(features, designs, initial, shifted=version != "linear")
    return backward_pass(features, designs, initial, version)


def backward_pass(features: Sequence[np.ndarray], designs: Sequence[Design], initial: np.ndarray,
                  version: str = "repaired") -> np.ndarray:
    """All d(d+1)/2 evaluations as columns of one backward pass; arguments as made by `chosen_features`."""
    last = features[-1]
    rows, columns = _pairs(last.shape[1])
    values = last[:, rows] * last[:, columns]
    if version != "linear":
        values = (1 + values) / 2
    for layer, design in zip(reversed(features[:-1]), reversed(designs), strict=True):
        values = layer @ (design.operator @ values)
        if version != "linear":
            values = np.minimum(values, 1)
        if version == "repaired":
            values = np.maximum(values, 0)
    entries = initial @ values
    if version != "linear":
        entries = 2 * entries - 1
    estimate = np.empty((last.shape[1], last.shape[1]), entries.dtype)
    estimate[rows, columns] = estimate[columns, rows] = entries
    return estimate


def forward_pass(features: Sequence[np.ndarray], designs: Sequence[Design], initial: np.ndarray,
                 shifted: bool = True) -> np.ndarray:
    """The same product of matrices, bracketed from the other end; equal to the backward pass where nothing is clipped.

    Parameters
    ----------
    shifted : bool
        Whether the rewards are (1 + phi_i phi_j)/2, which adds the defect of the total mass to every entry.
    """
    mass = initial
    for layer, design in zip(features[:-1], designs, strict=True):
        mass = (mass @ layer) @ design.operator
    last = features[-1]
    estimate = (last * mass[:, None]).T @ last
    estimate = (estimate + estimate.T) / 2  # symmetric to the last digit
    return estimate + (mass.sum() - 1) if shifted else estimate


def clip_free(phi: Sequence[np.ndarray], designs: Sequence[Design]) -> bool:
    """Whether no clip to [0, 1] is active, whatever the policy and the entry (see the module)."""
    last = phi[-1].reshape(-1, phi[-1].shape[-1])
    if not len(designs):
        return True
    rows, columns = _pairs(last.shape[1])
    products = last[:, rows] * last[:, columns]
    low, high = (1 + products.min()) / 2, (1 + products.max()) / 2
    for layer, design in zip(reversed(phi[:-1]), reversed(designs), strict=True):
        kernel = layer.reshape(-1, layer.shape[-1]) @ design.operator
        plus = np.maximum(kernel, 0).sum(axis=1)
        minus = plus - kernel.sum(axis=1)
        low, high = (low * plus - high * minus).min(), (high * plus - low * minus).max()
        if low < 0 or high > 1:
            return False
    return True
