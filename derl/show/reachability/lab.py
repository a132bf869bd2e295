"""The pure functions of the lab of the reachability coefficient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from derl.inputs import choice, real
from derl.mdp import instances, planning
from derl.mdp.linear_mdp import LinearMDP
from derl.show.drawing import InvalidChoice
from derl.theory import reachability
from derl.theory.reachability.interval import Interval

INSTANCES: dict[str, tuple[Callable[[], LinearMDP], int]] = {
    "plane": (lambda: instances.random_simplex(5, 3, 2, 3, seed=4), 3),
    "hexagon": (lambda: instances.hexagon(3), 1),
    "random": (lambda: instances.random_simplex(6, 3, 3, 3, seed=0), 1),
}


@dataclass(frozen=True, eq=False)
class ReachLab:
    """One direction in one layer of an instance.

    Attributes
    ----------
    instance : str
    theta : (d,)
        Unit vector.
    value : float
        max over policies of E[<phi_h, theta>^2].
    features : (n, d)
        Features of layer h, available actions of all states.
    mass : (n,)
        How often the maximising policy meets each of them.
    states, actions : (n,) int
    interval : Interval
        Of nu_h, with its certificate.
    """

    instance: str
    theta: np.ndarray
    value: float
    features: np.ndarray
    mass: np.ndarray
    states: np.ndarray
    actions: np.ndarray
    interval: Interval

    @property
    def excess(self) -> float:
        """Value over the certified upper end of nu^2, minus 1; at least 0 up to rounding and to the interval."""
        return self.value / self.interval.upper**2 - 1

    @property
    def sentence(self) -> str:
        """The state of the lab in one line."""
        low, high = self.interval.lower**2, self.interval.upper**2
        return (f"the best policy for this direction reaches {self.value:.4f}, {max(0.0, self.excess):.1%} above the "
                f"hardest direction; certified: {low:.6f} <= nu^2 <= {high:.6f}")


@cache
def layer_of(instance: str) -> tuple[LinearMDP, int, Interval]:
    """The instance of a name, its layer and the certified interval of nu_h.

    Raises
    ------
    InvalidChoice
    """
    choice(instance, "instance", INSTANCES, InvalidChoice)
    build, layer = INSTANCES[instance]
    mdp = build()
    return mdp, layer, reachability.nu(mdp, layer)


def direction(dim: int, azimuth: float, elevation: float = 0.0) -> np.ndarray:
    """A unit vector from angles in degrees: in the plane the azimuth alone; in R^3 coordinate 1 is the pole.

    Raises
    ------
    InvalidChoice
    """
    choice(dim, "dim", (2, 3), InvalidChoice)
    azimuth = real(azimuth, "azimuth", error=InvalidChoice)
    elevation = real(elevation, "elevation", error=InvalidChoice)
    a, e = np.deg2rad([azimuth, elevation])
    flat = np.array([np.cos(a), np.sin(a)])
    return flat if dim == 2 else np.array([np.sin(e), *(np.cos(e) * flat)])


def reachability_lab(azimuth: float = 0.0, elevation: float = 0.0, instance: str = "plane") -> ReachLab:
    """Find the policy with the largest E<phi, theta>^2 in the direction of these angles.

    Parameters
    ----------
    azimuth, elevation : float
        Degrees; the elevation counts in three dimensions only.
    instance : {"plane", "hexagon", "random"}

    Raises
    ------
    InvalidChoice
    """
    mdp, layer, interval = layer_of(instance)
    theta = direction(mdp.dim, azimuth, elevation)
    values, policies = reachability.reach(mdp, layer, theta)
    policy = np.zeros((mdp.horizon, mdp.n_states), dtype=int)
    policy[:] = mdp.available.argmax(axis=2)
    policy[:layer] = policies[0]
    mass = planning.occupancy(mdp, policy)[layer - 1]
    states, actions = np.nonzero(mdp.available[layer - 1])
    return ReachLab(instance, theta, float(values[0] ** 2), mdp.phi[layer - 1][states, actions], mass[states, actions],
                    states, actions, interval)


def profile(instance: str = "plane", steps: int = 361) -> tuple[np.ndarray, np.ndarray]:
    """Angles in degrees from 0 to 180 and the value at each, in the plane.

    Raises
    ------
    InvalidChoice
    """
    mdp, layer, _ = layer_of(instance)
    angles = np.linspace(0.0, 180.0, steps)
    directions = np.array([direction(mdp.dim, a) for a in angles])
    return angles, reachability.reach(mdp, layer, directions)[0] ** 2


def sphere_map(instance: str = "hexagon", steps: int = 91) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Azimuths (2 n - 1,), elevations (n,) and values (n, 2 n - 1) over the sphere.

    Raises
    ------
    InvalidChoice
    """
    mdp, layer, _ = layer_of(instance)
    if mdp.dim != 3:
        raise InvalidChoice(f"instance is {instance!r} with d = {mdp.dim}; a map of the sphere needs d = 3")
    azimuth, elevation = np.linspace(-180, 180, 2 * steps - 1), np.linspace(-90, 90, steps)
    directions = np.array([direction(3, a, e) for e in elevation for a in azimuth])
    values = reachability.reach(mdp, layer, directions)[0] ** 2
    return azimuth, elevation, values.reshape(steps, -1)


def lowest_angles(instance: str) -> tuple[float, float]:
    """Azimuth and elevation, in degrees, of the direction that the certificate offers as the upper end."""
    theta = np.array(layer_of(instance)[2].certificate["upper"]["direction"], dtype=float)
    theta = theta / np.linalg.norm(theta)
    height = float(np.rad2deg(np.arcsin(np.clip(theta[0], -1, 1)))) if len(theta) == 3 else 0.0
    return float(np.rad2deg(np.arctan2(theta[-1], theta[-2]))), height


def leaves(certificate: dict) -> np.ndarray:
    """The cones of a certificate by cones, (n, d, r): corners of length 1 as columns, as the checker finds them.

    Raises
    ------
    InvalidChoice
        If the lower end is proved in another way.
    """
    proof = certificate["lower"]
    if proof["method"] != "cones":
        raise InvalidChoice(f"the certificate proves its lower end by {proof['method']!r}; leaves need 'cones'")
    basis = np.array(proof["basis"], dtype=float)
    signs = product([1.0], *[[1.0, -1.0]] * (basis.shape[1] - 1))
    stack, found = [basis * np.array(s) for s in signs][::-1], []
    for node in proof["nodes"]:
        cone = stack.pop()
        if "cut" in node:
            i, j = node["cut"]
            first, second = cone.copy(), cone.copy()
            first[:, i] = second[:, j] = (cone[:, i] + cone[:, j]) / 2
            stack += [second, first]
        else:
            found.append(cone / np.linalg.norm(cone, axis=0))
    return np.array(found)
