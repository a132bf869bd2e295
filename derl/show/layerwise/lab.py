"""The pure function of the sliders of Algorithm 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.layerwise import layerwise_exploration
from derl.algorithms.outcome import Outcome
from derl.deployment import Deployer
from derl.estimation.backup import BACKUP_VERSIONS
from derl.inputs import choice, whole
from derl.mdp import instances, planning
from derl.show.drawing import InvalidChoice

INSTANCES = ("random", "trap")
VERSIONS = BACKUP_VERSIONS
DELTA, SEED = 0.1, 3


@dataclass(frozen=True, eq=False)
class LayerwiseLab:
    """One run of Algorithm 1, with the exact value of everything that it deployed.

    Attributes
    ----------
    instance, dim, horizon, epsilon, version, batch_size
        The setting; the trap has d = 7 and H = 10 whatever the sliders say.
    outcome : Outcome
    layers : (K,) int
        h_k, the layer that deployment k explored.
    value, best : (K,)
        Value of the deployed policy, and the optimum, in the MDP truncated at h_k.
    bonus : (K, H)
        beta times the root mean square of |phi_h|_{Lambda_h^{-1}} along the deployed policy; nan beyond h_k.
    loss : float
        V* - V^pi of the policy that is returned, for the whole horizon.
    """

    instance: str
    dim: int
    horizon: int
    epsilon: float
    version: str
    batch_size: int
    outcome: Outcome
    layers: np.ndarray
    value: np.ndarray
    best: np.ndarray
    bonus: np.ndarray
    loss: float

    @property
    def per_layer(self) -> np.ndarray:
        """Deployments spent on each layer, (H,)."""
        return np.bincount(self.layers, minlength=self.horizon + 1)[1:]

    @property
    def sentence(self) -> str:
        """The state of the lab in one line."""
        end = f"loss {self.loss:.3g}, {'within' if self.loss <= self.epsilon else 'above'} {self.epsilon:.3g}"
        stop = end if self.outcome.converged else f"stopped at K without an answer; {end}"
        return (f"d = {self.dim}, H = {self.horizon}: {len(self.layers)} deployments, layer by layer "
                f"{' + '.join(map(str, self.per_layer))}; {stop}")


def layerwise_lab(instance: str = "random", dim: int = 4, horizon: int = 5, epsilon: float = 0.2,
                  version: str = "repaired", exponent: int = 8) -> LayerwiseLab:
    """Run Algorithm 1 at delta = 0.1, K = 6dH + 1 and N = 10^exponent.

    Parameters
    ----------
    instance : {"random", "trap"}
        2d states and 3 actions, or the instance on which the printed cap of the bonus is not optimistic.
    dim : int, 1 to 20
    horizon : int, 1 to 50
    epsilon : float, > 0
    version : {"repaired", "as-printed", "clipped"}
    exponent : int, 0 to 18

    Raises
    ------
    InvalidChoice, InvalidParameter
    """
    choice(instance, "instance", INSTANCES, InvalidChoice)
    dim, horizon = whole(dim, "dim", 1, 20, InvalidChoice), whole(horizon, "horizon", 1, 50, InvalidChoice)
    exponent = whole(exponent, "exponent", 0, 18, InvalidChoice)
    mdp = instances.optimism_trap() if instance == "trap" else \
        instances.random_simplex(2 * dim, 3, dim, horizon, seed=SEED)
    deployer = Deployer(mdp, 10**exponent, 6 * mdp.dim * mdp.horizon + 1)
    outcome = layerwise_exploration(deployer, epsilon, DELTA, version=version)
    layers = np.array([record.layer for record in outcome.trace])
    optimum = np.array([planning.optimal(mdp, horizon=h).value for h in range(1, mdp.horizon + 1)])
    bonus = np.full((len(layers), mdp.horizon), np.nan)
    for k, record in enumerate(outcome.trace):  # from the record, not by the bonus rule: a second opinion
        bonus[k, :record.layer] = outcome.beta * np.sqrt(record.mean_square_norms)
    return LayerwiseLab(
        instance, mdp.dim, mdp.horizon, epsilon, version, deployer.batch_size, outcome, layers,
        np.array([planning.evaluate(mdp, record.policy, horizon=record.layer).value for record in outcome.trace]),
        optimum[layers - 1], bonus, planning.gap(mdp, outcome.policy))
