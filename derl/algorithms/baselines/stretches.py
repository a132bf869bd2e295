"""What methods that keep a policy for a while report: runs of deployments of one policy, and their mixture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from derl.mdp.policies import Mixture


@dataclass(frozen=True, eq=False)
class Stretch:
    """Deployments of one policy without a break.

    Attributes
    ----------
    deployment : int
        The first of them, from 1.
    repeats : int
        How many.
    statistic : float
        Bound of the mean loss of all policies up to the end of the stretch, or NaN where only the last is known.
    policy : (H, S) int
    values : (S,)
        Optimistic values of layer 1.
    """

    deployment: int
    repeats: int
    statistic: float
    policy: Any
    values: np.ndarray


def mixture(stretches: Iterable[Stretch]) -> Mixture:
    """A policy drawn uniformly from all that were deployed: the mean loss is its loss."""
    weights: dict[bytes, float] = {}
    members = {}
    for stretch in stretches:
        key = np.asarray(stretch.policy, "<i8").tobytes()
        members[key] = stretch.policy
        weights[key] = weights.get(key, 0) + stretch.repeats
    shares = np.array(list(weights.values()), dtype=np.float64)
    return Mixture(tuple(members.values()), shares / shares.sum())
