"""Pure functions of the widgets: the same call gives the same picture, with or without a Jupyter kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.inputs import choice
from derl.show.drawing import InvalidChoice
from derl.theory import potential

ADVERSARIES = {"axes": potential.adversary_axis, "greedy": potential.adversary_greedy,
               "non-commuting": potential.adversary_noncommuting}


@dataclass(frozen=True)
class PotentialLab:
    """One setting of the elliptical-potential lab.

    Attributes
    ----------
    dimension, batch_size, epsilon, adversary
        The setting.
    trajectory : Trajectory
        Traces, determinants and violations of the batches that the adversary plays.
    printed_bound : float
        The bound inside the printed proof for this K and N; infinite where it gives no bound.
    """

    dimension: int
    batch_size: int
    epsilon: float
    adversary: str
    trajectory: potential.Trajectory

    @property
    def violations(self) -> int:
        """Batches that violate."""
        return int(self.trajectory.violates.sum())

    @property
    def sentence(self) -> str:
        """The state of the lab in one line."""
        printed = self.trajectory.paper_bound
        printed_part = "says nothing here" if np.isinf(printed) else f"allows {printed:.1f}"
        return (f"{self.violations} violations in {len(self.trajectory.trace)} batches; the sharp lemma allows "
                f"{self.trajectory.sharp_bound}, the printed proof {printed_part}")


def elliptical_potential(dimension: int = 2, batch_size: int = 1000, epsilon: float = 0.1,
                         adversary: str = "axes") -> PotentialLab:
    """Play one adversary against the batched elliptical potential lemma.

    Parameters
    ----------
    dimension : int, 1 to 6
    batch_size : int, >= 1
    epsilon : float, in (0, 1]
    adversary : {"axes", "greedy", "non-commuting"}

    Raises
    ------
    InvalidChoice, InvalidPotential
    """
    choice(adversary, "adversary", ADVERSARIES, InvalidChoice)
    increments = ADVERSARIES[adversary](dimension, batch_size, epsilon)
    return PotentialLab(dimension, batch_size, epsilon, adversary,
                        potential.trajectory(increments, batch_size, epsilon))
