"""The instances whose certificates are stored in `derl.certificates`, and how each certificate is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl.mdp import instances
from derl.mdp.instances.hexagons import CORNERS
from derl.theory import reachability
from derl.theory.reachability.examples import round_bandit, twelfths, two_states
from derl.theory.reachability.interval import Interval, Proof, written
from derl.theory.reachability.model import layer_problem


def hexagon_eigenvalue(level=Fraction(1, 4)):
    """The certificate of lambda* of the hexagon in its span: equal weights on all corners; rho on the plane of u."""
    mdp = instances.hexagon(5, exact=True)
    problem = layer_problem(mdp, 1)
    columns = np.array([[0, 0, 2, -1, -1], [0, 0, -1, 2, -1], [0, 0, -1, -1, 2]], dtype=object).T  # isotropic there
    policies = [np.array([[a]]) for a in range(len(CORNERS))]
    return written(problem, Proof(level, level, "mixture", [(k, 1) for k in range(6)], {"factor": columns}, policies),
                   "lambda", "reachable")


@dataclass(frozen=True)
class Stored:
    """What one file is about.

    Attributes
    ----------
    build : function
        The instance.
    layer : int
    find : function of the instance and the layer
        The interval with its certificate.
    gap : number
        Largest relative gap of the certified number.
    quantity, subspace : str
        What is certified: "nu" (squared), "lambda" or "explorability" (squared); over "all" directions or the
        "reachable" ones.
    """

    build: Callable
    layer: int
    find: Callable[..., Interval]
    gap: Fraction
    quantity: str = "nu"
    subspace: str = "all"


def _nu(relative, subspace="all"):
    return lambda mdp, layer: reachability.nu(mdp, layer, relative=relative, subspace=subspace)


EXACT = Fraction(0)
FILES = {
    "reachability-hexagon": Stored(lambda: instances.hexagon(5, exact=True), 1, _nu(None, "reachable"), EXACT,
                                   subspace="reachable"),
    "reachability-hexagon-eigenvalue": Stored(lambda: instances.hexagon(5, exact=True), 1,
                                              lambda mdp, layer: hexagon_eigenvalue(), EXACT, "lambda",
                                              "reachable"),
    "reachability-twelve-points": Stored(round_bandit, 1, _nu(None), EXACT),
    "reachability-tabular": Stored(lambda: two_states(0), 3, _nu(None), EXACT),
    "reachability-d3": Stored(lambda: twelfths(5, 3, 3, 3, 15), 3, _nu(9e-7), Fraction(1, 10**6)),
    "reachability-d4": Stored(lambda: twelfths(6, 3, 4, 3, 5), 3, _nu(9e-4), Fraction(1, 10**3)),
    "reachability-random-d3": Stored(lambda: instances.random_simplex(6, 3, 3, 3, seed=0), 1, _nu(9e-7),
                                     Fraction(1, 10**6)),
    "reachability-random-d4": Stored(lambda: instances.random_simplex(6, 3, 4, 3, seed=0), 3, _nu(9e-4),
                                     Fraction(1, 10**3)),
    "reachability-explorability-d3": Stored(lambda: twelfths(5, 3, 3, 3, 15), 3, lambda mdp, layer:
                                            reachability.explorability(mdp, layer, relative=9e-4), Fraction(1, 10**3),
                                            "explorability"),
}
