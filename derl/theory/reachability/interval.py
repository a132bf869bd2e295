r"""A number between two bounds with its certificate: rounding outwards, and what goes into the file."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from derl.inputs import display
from derl.theory.reachability.algebra import float_above, float_below, root_above, root_below
from derl.theory.reachability.model import LayerProblem


@dataclass(frozen=True, repr=False)
class Interval(display.Shown):
    """A number between two bounds, and why.

    Attributes
    ----------
    lower, upper : float, >= 0
        Rounded outwards; for an instance in float64 also wide enough for every instance that rounds to it.
    certificate : dict
        What JSON can hold; for the rational instance that `model` describes.
    method : str
        How the lower end is proved: "nothing", "game", "vertices", "mixture" or "cones".
    """

    lower: float
    upper: float
    certificate: dict = field(repr=False)
    method: str = ""

    @property
    def relative_gap(self) -> float:
        """(upper - lower)/upper; 0 if both are 0."""
        return (self.upper - self.lower) / self.upper if self.upper else 0.0

    def _facts(self):
        return {"lower": self.lower, "upper": self.upper} | ({"method": self.method} if self.method else {})

    def __contains__(self, value) -> bool:
        return self.lower <= value <= self.upper


@dataclass(frozen=True, eq=False)
class Proof:
    """Both ends in fractions, with the data that prove them."""

    lower: Fraction
    upper: Fraction
    method: str
    why_lower: object
    why_upper: dict
    policies: list


def written(problem: LayerProblem, proof: Proof, quantity: str, subspace: str) -> Interval:
    """Round outwards, widen for an instance in floats, and write the certificate."""
    mass, radius = Fraction(problem.mass_radius), problem.feature_radius
    pairs = int((problem.reachable[-1][:, None] & problem.available[-1]).sum())
    if proof.upper == 0 and pairs < problem.dim or subspace == "reachable" and problem.rank < problem.dim:
        # fewer than d vectors never span R^d, rounded or not; and a span that rounding may tilt is taken as stored
        mass, radius = Fraction(0), 0.0
    if quantity == "lambda":
        lower, upper = float_below(max(proof.lower - mass, Fraction(0))), float_above(proof.upper + mass)
        radius *= 2.0  # of a square of numbers <= 1
    elif quantity == "explorability":
        lower, upper, radius = root_below(proof.lower), root_above(proof.upper), radius + problem.mass_radius
    else:
        lower, upper = root_below(max(proof.lower - mass, Fraction(0))), root_above(proof.upper + mass)
    if radius:
        lower, upper = max(0.0, math.nextafter(lower - radius, -1.0)), math.nextafter(upper + radius, 2.0)
    return Interval(lower, upper, _text(problem, proof, quantity, subspace), proof.method)


def _text(problem, proof, quantity, subspace):
    used, why = {}, proof.why_lower

    def leaf(mixture):
        if quantity == "explorability":  # 2 k and 2 k + 1 stand for policy k with sign + and -
            mixture = [(k // 2, -w if k % 2 else w) for k, w in mixture]
        return [[used.setdefault(int(k), len(used)), int(w)] for k, w in mixture if w]

    lower = {"value": str(proof.lower), "method": proof.method}
    if proof.method in ("game", "mixture"):
        lower["mixture"] = leaf(why)
    elif proof.method == "cones":
        lower |= {"basis": why["basis"].tolist(),
                  "nodes": [{"cut": list(node)} if isinstance(node, tuple) else
                            {"mixture": leaf(node.mixture.items()), "level": str(node.level),
                             "squares": node.squares.tolist()} for node in why["nodes"]]}
    upper = {"value": str(proof.upper)} | {key: value.tolist() for key, value in proof.why_upper.items()}
    return {"quantity": quantity, "layer": problem.layer, "subspace": subspace, "model": problem.text(),
            "policies": [proof.policies[k].tolist() for k in used], "lower": lower, "upper": upper}
