r"""What Algorithm 2 achieved, computed from the instance that it did not see; no sampling.

- **Induction condition.** max_pi E_pi sum_{t <= h} |phi_t|_{Sigma_t^{-1}} is an optimal value: backward
  induction with the norms as rewards.
- **The event.** sup over V in [0, 1]^S of |phi^T M V - P V|, M the operator of the regression, is the larger
  of the sums of the positive and of the negative entries of phi^T M - P. If it is at most beta
  |phi|_{Sigma^{-1}} for every pair, the event of the analysis holds in this run, for every value function at
  once: no union bound, no probability.
- **Every linear reward.** Then planning is optimistic, and for values in [0, H], with g = H sup |phi^T M V -
  P V|,

      V* - V^pi <= V^ - V^pi = E_pi sum_h (Q^ - r - P V^) <= E_pi sum_h (beta |phi_h| + g_h) <= max over pi of
      the same,

  which is again an optimal value. It bounds the loss for every reward in [0, 1], linear or not, also when the
  MDP is truncated at some h and only the first h deployments are used.
- **Covariances.** Estimated against exact, policy by policy, with the bounds 2 beta' U (entries) and beta' U
  (operator norm of the linear evaluation), U the left side of the induction condition for the layers before,
  plus 1/sqrt N where the first state had to be observed.

Source: Condition 4.5, Lemma E.8, Lemma D.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.arbitrary import LayerDataset, arbitrary_policy_planning
from derl.algorithms.outcome import Outcome
from derl.inputs import display
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP


@dataclass(frozen=True, eq=False, repr=False)
class Audit(display.Fields):
    """See the module.

    Attributes
    ----------
    uncertainty : (H,)
        max_pi E_pi sum_{t <= h} |phi_t|_{Sigma_t^{-1}} for h = 1..H.
    event : float
        Largest sup_V |phi^T M V - P V| / (beta' |phi|_{Sigma^{-1}}): at most 1 if the event holds for beta'.
    loss_bound : (H,)
        For h = 1..H, planning for the MDP truncated at h with the deployments 1..h: upper bound of the loss
        over all rewards in [0, 1]; inf where the event fails for beta/h.
    covariance_error, covariance_bound : (H,)
        Largest error of an estimated covariance in layer h and its bound: entrywise, or in operator norm for
        versions that evaluate linearly. 0 where nothing was estimated.
    matrix_error : (H,)
        |Sigma~ - Sigma| in operator norm when the loop ended.
    least_eigenvalue : (H,)
        Smallest eigenvalue of the summed true covariances on their range; inf where there was no loop.
    """

    uncertainty: np.ndarray
    event: float
    loss_bound: np.ndarray
    covariance_error: np.ndarray
    covariance_bound: np.ndarray
    matrix_error: np.ndarray
    least_eigenvalue: np.ndarray


def best_value(mdp: LinearMDP, rewards: np.ndarray) -> float:
    """The optimal value for rewards (h, S, A) in the layers 1..h, not necessarily linear."""
    values = np.zeros(mdp.n_states)
    for h in reversed(range(len(rewards))):
        q = rewards[h] + mdp.expected_next(h, values)
        values = np.where(mdp.available[h], q, -np.inf).max(axis=1)
    return float(mdp.initial @ values)


def audit(mdp: LinearMDP, outcome: Outcome, linear: bool = False) -> Audit:
    """Examine a run of `arbitrary_policy_exploration`.

    Parameters
    ----------
    linear : bool
        Whether the version evaluates covariances linearly ("spectral", "self-certifying").
    """
    data: LayerDataset = outcome.dataset
    norms = np.stack([design.norms(phi) for design, phi in zip(data.designs, mdp.phi, strict=True)])
    bias = np.stack([regression_bias(mdp, data, h) for h in range(mdp.horizon)])
    uncertainty = np.array([best_value(mdp, norms[:h + 1]) for h in range(mdp.horizon)])
    ratio = np.divide(bias, norms, out=np.zeros_like(bias), where=mdp.available & (norms > 0))
    loss = np.array([best_value(mdp, data.scale * norms[:h] + h * bias[:h]) if h * ratio[:h].max() <= data.scale
                     else np.inf for h in range(1, mdp.horizon + 1)])
    start = 0.0 if outcome.trace[0].cover is not None else data.batch_size**-0.5
    before = start + np.concatenate([[0.0], uncertainty[:-1]])
    errors, matrices, least = np.zeros((3, mdp.horizon))
    for h, record in enumerate(outcome.trace):
        least[h] = np.inf
        if record.cover is not None:
            errors[h], matrices[h], least[h] = _covariances(mdp, record, h, linear)
    bounds = (1 if linear else 2) * data.beta * before
    bounds[0] = 0.0  # nothing is estimated before the first layer
    return Audit(uncertainty, float(ratio.max() / data.beta), loss, errors, bounds, matrices, least)


def regression_bias(mdp: LinearMDP, data: LayerDataset, h: int) -> np.ndarray:
    """sup over V in [0, 1]^S of |phi^T M V - P V| in layer index h, shape (S, A)."""
    difference = mdp.phi[h] @ (data.designs[h].operator - mdp.mu[h])
    return np.maximum(np.maximum(difference, 0).sum(axis=2), np.maximum(-difference, 0).sum(axis=2))


def _covariances(mdp, record, h, linear):
    """Largest error of one covariance, error of the sum, and the least eigenvalue of the true sum on its range."""
    cover = record.cover
    members = record.policy.policies
    exact = np.stack([planning.feature_covariance(mdp, member)[h] for member in members])
    differences = cover.estimates - exact
    worst = np.abs(np.linalg.eigvalsh(differences)).max() if linear else np.abs(differences).max()
    total = np.tensordot(cover.counts, exact, axes=1)
    eigenvalues = np.linalg.eigvalsh(total)
    inside = eigenvalues > 1e-9 * eigenvalues[-1]
    error = np.abs(np.linalg.eigvalsh(np.tensordot(cover.counts, differences, axes=1))).max()
    return worst, error, eigenvalues[inside][0]


def random_reward(mdp: LinearMDP, rng: np.random.Generator) -> np.ndarray:
    """theta (H, d) with rewards that reach from 0 to 1 in every layer, unless |theta| <= sqrt d forbids it.

    A random direction plus a multiple of mu_h(S), for which phi^T mu_h(S) = 1, so that any offset is linear.
    """
    theta = np.empty((mdp.horizon, mdp.dim))
    for h in range(mdp.horizon):
        features = mdp.phi[h][mdp.available[h]]
        direction, offset = rng.standard_normal(mdp.dim), mdp.mu[h].sum(axis=1)
        values = features @ direction
        spread = np.ptp(values)
        theta[h] = (direction - values.min() * offset) / spread if spread > 1e-9 else offset
        theta[h] *= min(1.0, np.sqrt(mdp.dim) / np.linalg.norm(theta[h]))
    return theta


def search_worst_reward(mdp: LinearMDP, dataset: LayerDataset, rng: np.random.Generator,
                        starts: int = 50, steps: int = 50) -> tuple[float, np.ndarray]:
    """The largest loss found: random rewards, then convex steps from the worst of them towards others.

    Returns
    -------
    (loss, theta)
        A lower bound of the worst loss over linear rewards; the upper bound is `Audit.loss_bound`.
    """
    def loss(theta):
        return planning.gap(mdp, arbitrary_policy_planning(dataset, theta).policy, theta=theta)

    best, worst = max(((loss(theta), theta) for theta in (random_reward(mdp, rng) for _ in range(starts))),
                      key=lambda pair: pair[0])
    for _ in range(steps):
        theta = worst + rng.uniform(0, 0.5) * (random_reward(mdp, rng) - worst)
        found = loss(theta)
        if found > best:
            best, worst = found, theta
    return best, worst
