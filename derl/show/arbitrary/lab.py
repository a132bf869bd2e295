r"""The pure functions of the sliders of Algorithm 2: how Pi_h grows, policy by policy.

One run is made for each instance and version, and kept; the sliders read its records. With A the summed covariances of
the first i policies of layer h, the picture is the ellipse {x : x^T A^{-1} x <= 1}, which reaches sqrt(u^T A u) far in
direction u; for d > 2 its shadow on the plane of the two leading (or of the two least) eigenvectors of the final A. The
rule "least eigenvalue of A at least 2" says: the ellipse contains the disc of radius sqrt 2. (A shadow contains it as
soon as the ellipsoid does; for d > 2 the plane of the least eigenvectors is the one to watch.)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from derl.algorithms.arbitrary import arbitrary_policy_exploration
from derl.algorithms.outcome import Outcome
from derl.deployment import Deployer
from derl.inputs import choice, whole
from derl.mdp import instances
from derl.mdp.linear_mdp import LinearMDP
from derl.show.drawing import InvalidChoice
from derl.theory.arbitrary.rules import EIGENVALUE, rule_of

INSTANCES = {"plane": lambda: instances.random_simplex(6, 4, 2, 4, seed=0),
             "simplex": lambda: instances.random_simplex(6, 4, 3, 3, seed=5),
             "lock": lambda: instances.lock(3, 3, (1, 2, 0), 0.2)}
NU_SQUARED = {"plane": 0.28, "simplex": 0.13, "lock": 0.19}  # below the certified reachability; held by a test
VERSIONS = ("self-certifying", "spectral", "squared", "repaired")
PLANES = ("leading", "least")
EPSILON = DELTA = 0.1
BATCH_SIZE = 10**16
POINTS, ROUNDING = 73, 1e-9
REACHED = 1e-6  # relative to the largest eigenvalue; directions below are taken to be out of reach


@dataclass(frozen=True, eq=False)
class CoverLab:
    """A run of Algorithm 2 whose layers can be looked at.

    Attributes
    ----------
    instance, version : str
    mdp : LinearMDP
    outcome : Outcome
    """

    instance: str
    version: str
    mdp: LinearMDP
    outcome: Outcome

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many policies each layer holds."""
        return tuple(record.iterations for record in self.outcome.trace)


@dataclass(frozen=True, eq=False)
class Step:
    """The cover of layer h after i policies, seen in a plane.

    Attributes
    ----------
    layer, policy, length : int
        h, i, and how many policies the layer holds in the end.
    index, times : int
        Which distinct policy was added (from 1), and how many times it has been added by then.
    before, added, after : (2, 2)
        Summed covariances without policy i, its own covariance, and their sum, restricted to the plane.
    values, least : (i,)
        Optimistic uncertainty V, and least eigenvalue of the summed covariances on the directions that are reached,
        after 1, ..., i policies.
    threshold : float
        What V (or, for "self-certifying", the least eigenvalue) has to pass.
    watches_eigenvalue : bool
        Whether the rule looks at the least eigenvalue.
    """

    layer: int
    policy: int
    length: int
    index: int
    times: int
    before: np.ndarray
    added: np.ndarray
    after: np.ndarray
    values: np.ndarray
    least: np.ndarray
    threshold: float
    watches_eigenvalue: bool

    @property
    def stops(self) -> bool:
        """Whether the rule is met and the algorithm ended here; in a tie the digits of the run decide."""
        if self.watches_eigenvalue:
            met = self.least[-1] >= self.threshold * (1 - ROUNDING)
        else:
            met = self.values[-1] <= self.threshold
        return bool(met and self.policy == self.length)

    @property
    def sentence(self) -> str:
        """The state of the lab in one line."""
        rule = (f"least eigenvalue {self.least[-1]:.3g}, wanted {self.threshold:.3g}" if self.watches_eigenvalue else
                f"wanted at most {self.threshold:.3g}")
        often = "new" if self.times == 1 else f"no. {self.index} again, {self.times} times so far"
        return (f"layer {self.layer}, policy {self.policy} of {self.length} ({often}): promised uncertainty "
                f"{self.values[-1]:.3g}; {rule}{': stop' if self.stops else ''}")


@cache
def cover_lab(instance: str = "plane", version: str = "self-certifying") -> CoverLab:
    """Run Algorithm 2 once, with N = 1e16 and a first state that is known.

    Parameters
    ----------
    instance : {"plane", "simplex", "lock"}
    version : {"self-certifying", "spectral", "squared", "repaired"}

    Raises
    ------
    InvalidChoice
    """
    choice(instance, "instance", INSTANCES, InvalidChoice)
    choice(version, "version", VERSIONS, InvalidChoice)
    mdp = INSTANCES[instance]()
    nu = None if rule_of(version).threshold is None else NU_SQUARED[instance] ** 0.5
    deployer = Deployer(mdp, BATCH_SIZE, mdp.horizon, policy_class="any")
    return CoverLab(instance, version, mdp, arbitrary_policy_exploration(deployer, EPSILON, DELTA, nu, version,
                                                                         initial=mdp.initial))


def cover_step(lab: CoverLab, layer: int = 1, policy: int = 1, plane: str = "leading") -> Step:
    """What the algorithm sees in layer h after i policies.

    Parameters
    ----------
    layer : int, 1 to H
    policy : int, >= 1
        i; beyond the last policy of the layer, the last one.
    plane : {"leading", "least"}

    Raises
    ------
    InvalidChoice
    """
    choice(plane, "plane", PLANES, InvalidChoice)
    layer = whole(layer, "layer", 1, len(lab.outcome.trace), InvalidChoice)
    record, sums, least = _history(lab, layer)
    cover, i = record.cover, min(whole(policy, "policy", error=InvalidChoice), record.iterations)
    basis = plane_of(sums[-1], plane)
    added = cover.estimates[cover.order[i - 1]]
    index = int(cover.order[i - 1])
    eigenvalue = rule_of(lab.version).threshold is None
    return Step(
        int(layer), i, record.iterations, index + 1, int((cover.order[:i] == index).sum()),
        basis.T @ (sums[i - 1] - added) @ basis, basis.T @ added @ basis, basis.T @ sums[i - 1] @ basis,
        cover.values[:i], least[:i], EIGENVALUE if eigenvalue else record.threshold, eigenvalue)


@cache
def _history(lab: CoverLab, layer: int):
    """The record of a layer, the partial sums of its covariances (i, d, d) and their least eigenvalues (i,)."""
    record = lab.outcome.trace[layer - 1]
    sums = np.cumsum(record.cover.estimates[record.cover.order], axis=0)
    basis = _reached(sums[-1])
    return record, sums, np.linalg.eigvalsh(basis.T @ sums @ basis)[:, 0]


def _reached(matrix: np.ndarray) -> np.ndarray:
    """Orthonormal eigenvectors (d, r) of the directions that are reached, the least eigenvalue first."""
    eigenvalues, vectors = np.linalg.eigh(matrix)
    return vectors[:, eigenvalues > REACHED * eigenvalues[-1]]


def plane_of(matrix: np.ndarray, plane: str = "leading") -> np.ndarray:
    """Orthonormal (d, 2): eigenvectors of the two largest or two least positive eigenvalues; for d = 2 the axes."""
    if len(matrix) == 2:
        return np.eye(2)
    reached = _reached(matrix)
    if plane == "leading" or reached.shape[1] < 2:
        reached = np.linalg.eigh(matrix)[1][:, ::-1]
    chosen = reached[:, :2]
    return chosen * np.where(chosen.sum(axis=0) < 0, -1.0, 1.0)


def ellipse(matrix: np.ndarray, points: int = POINTS) -> np.ndarray:
    """The curve x^T A^{-1} x = 1 of a positive semi-definite A (2, 2), shape (2, points)."""
    angle = np.linspace(0, 2 * np.pi, points)
    eigenvalues, vectors = np.linalg.eigh(matrix)
    root = (vectors * np.sqrt(np.maximum(eigenvalues, 0))) @ vectors.T
    return root @ np.stack([np.cos(angle), np.sin(angle)])
