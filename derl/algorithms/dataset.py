"""What a reward-free exploration hands to planning, and how the shared loop collects it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from derl.algorithms.exploration import Rule, explore
from derl.algorithms.outcome import InvalidParameter, Outcome
from derl.boundary import real, whole
from derl.deployment.protocol import Deployer, KnownPart
from derl.estimation.design import Design, fit
from derl.theory.constants import bonus_scale


@dataclass(frozen=True, eq=False)
class Dataset:
    """What the exploration phase hands to the planning phase.

    Attributes
    ----------
    known : KnownPart
        Features and available actions. The rewards in it are not used.
    counts : (H, S, A, S) float64
        Transitions n_h(s, a, s') of all deployments, read-only. Where `layers` < H only the first `layers` entries.
    deployments : int
        Batches in `counts`.
    batch_size : int
        N.
    epsilon, delta : float
        What the exploration was asked for.
    beta : float
        Scale of its bonus.
    scale : float
        What the bonus scale is for c_beta = 1.
    stages : tuple of (int, (h, S, A, S))
        For h = 1, 2, ... as far as the run came: k_h, the deployment that finished layer h, and the counts of the
        layers 1..h after it.
    """

    known: KnownPart
    counts: np.ndarray
    deployments: int
    batch_size: int
    epsilon: float
    delta: float
    beta: float
    scale: float
    stages: tuple[tuple[int, np.ndarray], ...] = ()

    def __post_init__(self):
        for counts in (self.counts, *(stage for _, stage in self.stages)):
            counts.flags.writeable = False

    @property
    def layers(self) -> int:
        """Layers that the counts cover: the largest horizon that can be planned for."""
        return len(self.counts)

    def design(self, index: int) -> Design:
        """The regression of the layer with this index, from 0."""
        return fit(self.known.phi[index], self.counts[index])

    def until(self, layer: int) -> Dataset:
        """What had been collected when layer `layer` was finished: the batches 1..k_h of the layers 1..h.

        Raises
        ------
        InvalidParameter
            The run did not finish that layer.
        """
        if not self.stages:
            raise InvalidParameter(f"layer is {layer!r}; this run finished no layer")
        layer = whole(layer, "layer", 1, len(self.stages), InvalidParameter)
        deployments, counts = self.stages[layer - 1]
        return replace(self, counts=counts, deployments=deployments, stages=self.stages[:layer])


def bonus_scales(known: KnownPart, epsilon: float, delta: float, c_beta: float,
                 beta: float | None) -> tuple[float, float]:
    """beta, and what it is for c_beta = 1: the formula, or the scale that the caller gives.

    Raises
    ------
    InvalidParameter
    """
    if beta is not None:
        beta = real(beta, "beta", above=0, error=InvalidParameter)
        return beta, beta
    scale = bonus_scale(known.dim, known.horizon, epsilon, delta)
    return real(c_beta, "c_beta", above=0, error=InvalidParameter) * scale, scale


def collect(deployer: Deployer, rule: Rule, epsilon: float, delta: float, scale: float) -> Outcome:
    """Explore by a rule and keep, layer by layer, what was known when a layer was finished.

    Parameters
    ----------
    scale : float
        What the bonus scale is for c_beta = 1, for the planning phase.
    """
    stages: list[tuple[int, np.ndarray]] = []
    outcome = explore(deployer, rule,
                      on_finish=lambda k, counts: stages.append((k, counts[:len(stages) + 1].copy())))
    return replace(outcome, dataset=Dataset(
        known=deployer.known, counts=outcome.dataset, deployments=outcome.deployments, batch_size=deployer.batch_size,
        epsilon=float(epsilon), delta=float(delta), beta=float(rule.beta), scale=float(scale), stages=tuple(stages)))
