r"""Designs over the actions, one for every state: they need no reachability and not the law of the state.

The first layer of Algorithm 2 is explored by them when the first state is not known beforehand, and so are whole blocks
of layers (`derl.algorithms.blocks`, `derl.algorithms.truncated_exploration`).

Appendix E assumes a fixed first state s_1. Two things are lost with it.

- nu_1 = min_theta max_a |phi_1(s_1, a)^T theta| is 0 unless the actions at s_1 have spanning features; with
  fewer actions than dimensions the theorem says nothing.
- A random s_1 has to be seen before Algorithms 5 and 6 can average over it: one deployment more.

Both are repaired by one observation: in the first layer a policy acts in every state separately, whatever the
law of s_1. In each state take a design w_s over the actions with

    G_s = sum_a w_s(a) phi(s, a) phi(s, a)^T,     max_a phi(s, a)^T G_s^{-1} phi(s, a) <= 1.1 rank G_s     (criterion)

(the inverse on the span of the features of s). It exists, with 1 in place of 1.1, by the theorem of Kiefer
and Wolfowitz. The criterion says phi phi^T <= 1.1 d G_s for all actions of s. So with Lambda = E_{s_1}
G_{s_1} every policy has E_pi phi phi^T <= 1.1 d Lambda, and deploying w gives, with probability 1 - d
exp(-c_0 L),

    L I + sum_n phi_n phi_n^T >= (L I + N Lambda)/2,     hence Sigma_1 >= (L I + N Lambda)/(2L)     for L >= 1,
    max_pi E |phi|_{Sigma_1^{-1}} <= sqrt( tr(Sigma_1^{-1} 1.1 d Lambda) ) <= sqrt( 2.2 L d^2/N ) .

No reachability enters, and the N first states of this deployment estimate the law of s_1 for the layers
after it, at the cost beta'/sqrt N: a layer 0 with the one feature 1. So H deployments are enough for a
random first state.

The weights come from w(a) <- w(a) phi(a)^T G^{-1} phi(a)/rank, all states at once: det G_s increases in every
step.

Source: the opening remark of Appendix E ("the initial state is fixed"); the design is this book's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from derl.deployment.known import KnownPart
from derl.mdp.policies import uniform
from derl.theory.arbitrary.constants import DESIGN

MOST_STEPS = 10_000
RANK = 1e-12  # of the largest singular value of a state's features: what is below comes from rounding

NEGLIGIBLE = 1e-9  # of the length of the features: what a projection leaves of a multiple of the known one


def state_designs(phi: np.ndarray, available: np.ndarray | None = None,
                  criterion: float = DESIGN) -> tuple[np.ndarray, float]:
    """Designs over the actions, one per state, that satisfy the criterion.

    Parameters
    ----------
    phi : (S, A, d)
    available : (S, A) bool or None
    criterion : float, > 1
        In place of 1.1.

    Returns
    -------
    weights : (S, A)
        Rows on the simplex over the available actions.
    excess : float
        The largest max_a phi^T G_s^{-1} phi / rank G_s over the states; at most the criterion unless 10 000 steps
        were not enough.
    """
    mask = np.ones(phi.shape[:2], bool) if available is None else available
    coordinates, spans = own_coordinates(phi, mask)
    rank = np.maximum(spans.sum(axis=1, keepdims=True), 1)
    weights = mask / mask.sum(axis=1, keepdims=True)
    for _ in range(MOST_STEPS):
        leverage = leverages(weights, coordinates, spans)
        excess = float((leverage / rank).max())
        if excess <= criterion:
            break
        weights = weights * leverage / rank
        weights /= weights.sum(axis=1, keepdims=True)
    return weights, excess


def own_coordinates(phi: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The features of each state in an orthonormal basis of their table, (S, A, k), and which of the k exist, (S, k).

    phi^T G^+ phi does not change under linear maps of the span. In these coordinates the uniform design of A actions
    has G = I/A, however parallel the features are; a cut-off for the eigenvalues of G itself would take two features
    at an angle of 10^-5 for one.
    """
    left, size, _ = np.linalg.svd(np.where(mask[..., None], phi, 0.0), full_matrices=False)
    spans = size > RANK * size[:, :1]
    return np.where(mask[..., None] & spans[:, None], left, 0.0), spans


def leverages(weights: np.ndarray, coordinates: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """phi^T G_s^+ phi of every action, (S, A)."""
    return np.einsum("sad,sad->sa", coordinates @ inverses(weights, coordinates, spans), coordinates)


def inverses(weights: np.ndarray, coordinates: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """G_s^+ in the coordinates of the states, (S, k, k)."""
    gram = np.matmul((coordinates * weights[..., None]).transpose(0, 2, 1), coordinates)
    return np.linalg.inv(gram + np.eye(spans.shape[1]) * ~spans[:, None])  # outside of the span: nothing is there


def signed_weights(phi: np.ndarray, mask: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """phi(s, a)^T G_s^+ phi(s, b) for all states and actions of a layer, (S, A, A); 0 at actions that do not exist.

    Source: `res-evaluate-named-policy`.
    """
    coordinates, spans = own_coordinates(phi, mask)
    return coordinates @ inverses(weights, coordinates, spans) @ coordinates.transpose(0, 2, 1)


def modulo(phi: np.ndarray, mask: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Features (S, A, d) projected along a known mean feature (d,), which leaves designs of rank at most d - 1.

    Where all features of a state are multiples of the known one, every action leads where it leads, any design will
    do, and the features are returned as they are.
    """
    rest = phi - (phi @ known / (known @ known))[..., None] * known
    size = np.where(mask, np.linalg.norm(rest, axis=2), 0.0).max(axis=1)
    left = size > NEGLIGIBLE * np.where(mask, np.linalg.norm(phi, axis=2), 0.0).max(axis=1)
    return np.where(left[:, None, None], rest, phi)


def designed_start(known: KnownPart) -> np.ndarray:
    """The design in the first layer, every available action alike in the others: (H, S, A)."""
    weights, _ = state_designs(known.phi[0], known.available[0])
    return np.concatenate([weights[None], uniform(known)[1:]])


@lru_cache(maxsize=64)
def designed(shape: tuple[int, int, int], phi: bytes, available: bytes,
             criterion: float = DESIGN) -> tuple[np.ndarray, float]:
    """The designs of a layer, and its g; layers are often alike, and so are the instances of a sweep."""
    features, mask = np.frombuffer(phi).reshape(shape), np.frombuffer(available, bool).reshape(shape[:2])
    weights, _ = state_designs(features, mask, criterion)
    return weights, layer_leverage(features, mask, weights)


def largest_leverage(known: KnownPart, designs: Sequence[np.ndarray]) -> float:
    """g = max phi' V_s^+ phi over layers, states and actions."""
    return max(1.0, *(layer_leverage(*layer) for layer in zip(known.phi, known.available, designs, strict=True)))


def layer_leverage(phi: np.ndarray, mask: np.ndarray, weights: np.ndarray) -> float:
    """max phi' V_s^+ phi over the states and actions of a layer."""
    return float(leverages(weights, *own_coordinates(phi, mask))[mask].max())
