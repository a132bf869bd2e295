"""What Algorithm 2 leaves behind: one record per deployment, the data of each layer, and the plans made from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from derl.algorithms.policy_cover import Cover
from derl.algorithms.reward_free import Dataset, Planned, reward_free_planning
from derl.boundary import Invalid
from derl.estimation.design import Design, fit_sums


class UndefinedStep(Invalid, RuntimeError):
    """The printed algorithm asks for something that does not exist."""


@dataclass(frozen=True, eq=False)
class LayerRecord:
    """One deployment as the algorithm saw it.

    Attributes
    ----------
    deployment, layer : int
        Both h, from 1.
    iterations : int
        i when the loop ended; 0 where the layer was explored by designs.
    statistic, threshold : float
        What the stopping rule compared: V and t nu_min^2; for "self-certifying" the least eigenvalue of
        Sigma~ - 2 I on the span of the features that the data have seen, and 2; for designs the excess of the
        criterion, and 1.1.
    finished : bool
        Whether the rule was met; for "self-certifying" also whether `matrix_error` is at most 1/4.
    n_policies, n_distinct : int
        Length of the list Pi_h, and how many different policies it holds.
    uncertainty : float
        What the algorithm knows about max_pi E_pi |phi_h|_{Sigma_h^{-1}} after the deployment: the optimistic
        value of that reward, or the largest norm of a feature, whichever is smaller. It is an upper bound on
        the event of the analysis.
    matrix_error : float
        What it knows about |Sigma~ - Sigma|: i beta' times the uncertainties of the layers before h (times 2d
        where entries are bounded, not the operator norm). 0 in the first layer.
    cover : Cover or None
        Pi_h with its estimated covariances.
    policy : Mixture or (H, S, A)
        What was deployed.
    exact, mode : bool, str
        Whether counts were drawn and kept exactly, and how they were drawn: "exact", "gaussian", "expected",
        or "rounded": drawn exactly but kept in float64, which rounds beyond 2^53.
    """

    deployment: int
    layer: int
    iterations: int
    statistic: float
    threshold: float
    finished: bool
    n_policies: int
    n_distinct: int
    uncertainty: float
    matrix_error: float
    cover: Cover | None
    policy: Any
    exact: bool
    mode: str


@dataclass(frozen=True, eq=False)
class LayerDataset(Dataset):
    """What Algorithm 2 hands over to planning: as `Dataset`, with the transitions of layer h from deployment h alone.

    `beta` is the beta' of exploration, `scale` the beta of planning; `until(h)` is what was known after h
    deployments.

    Attributes
    ----------
    initial : (S,)
        Distribution of the first state, as known or as estimated.
    """

    initial: np.ndarray | None = None

    @cached_property
    def designs(self) -> tuple[Design, ...]:
        """The regressions of the layers."""
        return tuple(self.design(index) for index in range(self.layers))


@dataclass(frozen=True, eq=False)
class LayerMoments(LayerDataset):
    """A `LayerDataset` without transitions: `counts` are the visits n_h(s, a), shape (H, S, A).

    Attributes
    ----------
    moments : (H, d, S)
        sum_{s,a} phi_h(s, a) n_h(s, a, s').
    """

    moments: np.ndarray | None = None

    def design(self, index: int) -> Design:
        """As of `Dataset`."""
        return fit_sums(self.known.phi[index], self.counts[index], self.moments[index])


def arbitrary_policy_planning(dataset: LayerDataset, theta: np.ndarray, horizon: int | None = None) -> Planned:
    """Plan for a linear reward with the data of Algorithm 2.

    Parameters
    ----------
    dataset : LayerDataset
    theta : (H, d)
        Rewards phi_h(s, a)^T theta_h in [0, 1].
    horizon : int or None
        Plan for the MDP truncated there, with the deployments 1..horizon only; by default for the whole.

    Raises
    ------
    InvalidParameter

    Notes
    -----
    Source: the last line of Algorithm 2, which is Algorithm 4; here with the bonus uncapped inside Q.
    """
    return reward_free_planning(dataset if horizon is None else dataset.until(horizon), theta)
