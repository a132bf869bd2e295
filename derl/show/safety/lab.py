"""The pure function of the slider of the safe mixture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms import safe_mixture
from derl.deployment import Deployer
from derl.inputs import choice
from derl.mdp import instances, planning
from derl.show.drawing import InvalidChoice
from derl.theory import constants
from derl.theory.safety.mixture import largest_drop

INSTANCES = {"corridor": instances.corridor,
             "simplex": lambda: instances.random_simplex(8, 3, 4, 4, seed=3),
             "lock": lambda: instances.lock(3, 3, (1, 2, 0), 0.3),
             "trap": instances.optimism_trap}
ALPHAS = (0.005, 0.01, 0.02, 0.04, 0.05, 0.08, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
EPSILON, DELTA = 0.2, 0.1
ROUNDING = 1e-9  # at alpha = 1/20 the corridor loses exactly epsilon


@dataclass(frozen=True, eq=False)
class MixtureLab:
    """One run of the safe mixture, every value exact.

    Attributes
    ----------
    instance, alpha, batch_size
        The setting.
    horizon : int
    mixture, pessimistic, optimistic : (K,)
        J of every deployed mixture and of its two parts.
    optimum : float
        max J.
    converged : bool
        Whether the optimist has finished.
    allowed : int
        Deployments allowed: 2dH + 1.
    """

    instance: str
    alpha: float
    batch_size: int
    horizon: int
    mixture: np.ndarray
    pessimistic: np.ndarray
    optimistic: np.ndarray
    optimum: float
    converged: bool
    allowed: int

    @property
    def drop(self) -> float:
        """Largest loss from one deployment to the next; constraint (c) allows EPSILON."""
        return float(largest_drop(self.mixture))

    @property
    def safe(self) -> bool:
        """Whether constraint (c) holds in this run."""
        return self.drop <= EPSILON + ROUNDING

    @property
    def sentence(self) -> str:
        """The state of the lab in one line."""
        end = "finished" if self.converged else "not finished"
        return (f"largest drop {self.drop:.3f}, {'within' if self.safe else 'above'} {EPSILON:g}; exploration {end} "
                f"after {len(self.mixture)} of {self.allowed} deployments; total loss {self.regret:.1f}")

    @property
    def regret(self) -> float:
        """Sum of max J - J over the deployments: what the users have paid, in units of N trajectories."""
        return float((self.optimum - self.mixture).sum())


def safe_mixture_lab(alpha: float = 0.02, batch_size: int = 10**12, instance: str = "corridor",
                     seed: int = 0) -> MixtureLab:
    """Run Algorithm 7 with Algorithm 1 as the optimist, at epsilon = 0.2 and delta = 0.1.

    Parameters
    ----------
    alpha : float, in (0, 1]
    batch_size : int, >= 1
    instance : {"corridor", "simplex", "lock", "trap"}
    seed : int, >= 0

    Raises
    ------
    InvalidChoice, InvalidParameter, InvalidDeployment
    """
    choice(instance, "instance", INSTANCES, InvalidChoice)
    mdp = INSTANCES[instance]()
    allowed = constants.deployments_layerwise(mdp.dim, mdp.horizon, 2)
    outcome = safe_mixture(Deployer(mdp, batch_size, allowed, "any", seed=seed), EPSILON, DELTA, alpha)

    def values(part):
        return np.array([planning.evaluate(mdp, getattr(record, part)).value for record in outcome.trace])

    return MixtureLab(instance, alpha, batch_size, mdp.horizon, values("policy"), values("pessimistic"),
                      values("optimistic"), planning.optimal(mdp).value, outcome.converged, allowed)
