"""What an algorithm may know of an instance before it deploys anything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.deployment.sizes import InvalidDeployment
from derl.mdp.sizes import Sized


@dataclass(frozen=True, eq=False)
class KnownPart(Sized):
    """What an algorithm may know beforehand: features, rewards, actions; nothing of the dynamics.

    Attributes
    ----------
    phi : (H, S, A, d)
    rewards : (H, S, A)
        In [0, 1]; 0 where the action is not available.
    available : (H, S, A) bool
        Which actions exist.
    """

    phi: np.ndarray
    rewards: np.ndarray
    available: np.ndarray


def known_part(deployer) -> KnownPart:
    """What an algorithm may know of the deployer that it receives; algorithms call this first.

    Parameters
    ----------
    deployer : Deployer
        Or an object that wraps one and passes on what an algorithm may know.

    Raises
    ------
    InvalidDeployment
        The argument is not a deployer.
    """
    try:
        known = deployer.known
    except Exception:  # a foreign object may fail in any way at being asked
        known = None
    if not isinstance(known, KnownPart):
        raise InvalidDeployment(f"deployer is of type {type(deployer).__name__}; it must be a Deployer")
    return known
