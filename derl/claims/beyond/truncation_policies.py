"""These checks refute the regression bound for policies that depend on the sample, and try the definition of a cut.

In layer 2 of the counterexample the first action has the feature e_1 and the second e_2, in each of M states. The
policy plays the first action in the states that were sampled and the second in all others.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np

from derl.claims import Evidence, check, control, printed
from derl.estimation.truncated import CutLayer, feature_basis
from derl.mdp import instances
from derl.theory.exact.logarithms import enclosure

SEED = 20260722


def scale_above(d: int, horizon: int, delta: Fraction, size: int) -> Fraction:
    """A rational number above beta."""
    square = d * (d + 7) * enclosure(1 + size)[1] + 2 * enclosure(Fraction(4 * horizon) / delta)[1]
    return root_above(square) + root_above(Fraction(d)) + 1


def root_above(value: Fraction, digits: int = 10**6) -> Fraction:
    """A rational number above sqrt(value)."""
    return Fraction(isqrt(int(value * digits**2)) + 1, digits)


@check("res-every-policy", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="A policy that looks at the sample")
def fooled(size=printed("res-every-policy")("N="), copies=1, said=printed("res-every-policy")) -> Evidence:
    """Error over beta |phi|, at least, for every sample of N states out of M; `copies` divides M."""
    size, states = int(size), int(said("", after="10^4$ and", N=size)) // copies
    seen_mass = min(Fraction(1), Fraction(size, states))  # at most N of M states are seen
    estimate = Fraction(size, size + 1)  # phi' Sigma^{-1} sum phi V(s') with Sigma = (1 + N) e_1 e_1' + e_2 e_2'
    scale = scale_above(int(said("d=")), int(said("H=")), said(r"\delta="), size)
    allowed = scale / isqrt(1 + size)  # isqrt below: beta |phi| from above
    return Evidence((estimate - seen_mass) / allowed, Fraction(3), "lower", f"N = {size}, M = {states}")


control(fooled, "as many states as one sample can cover, all of them seen", {"copies": 2})
control(fooled, "N = 16, where beta |phi| exceeds 1", {"size": 16})


@check("def-cut-model", method="stress", arithmetic="float64", covers="random layers, d up to 4, kappa down to 1e-4",
       gap="a sample", title="Kept and cut pairs, coefficients of the basis")
def kept_and_cut(mesh=1.0) -> Evidence:
    """Largest of |phi|^2/(3/2 kappa^2) where kept, (kappa^2/2)/|phi|^2 where cut, and |c_j|/2."""
    worst = 0.0
    for seed in range(60):
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(seed,)))
        mdp = instances.random_simplex(6, 3, 2 + seed % 3, 2, seed)
        phi, available = mdp.phi[0], np.ones((6, 3), bool)
        counts = rng.integers(0, 10 ** rng.integers(1, 9), size=(6, 3, 6)).astype(float) * (rng.random((6, 3, 1)) < 0.4)
        kappa = float(np.median(CutLayer.of(phi, available, counts, 1.0).design.norms(phi)))
        layer = CutLayer.of(phi, available, counts, mesh * kappa)
        squares = layer.design.norms(phi)**2
        kept = squares[layer.kept].max(initial=0) / (1.5 * kappa**2)
        cut = 0.5 * kappa**2 / squares[~layer.kept].min(initial=np.inf)
        coefficients, basis = feature_basis(phi, available)
        rebuilt = float(np.abs(coefficients @ basis - phi).max() > 1e-9)
        worst = max(worst, kept, cut, np.abs(coefficients).max() / 2, rebuilt)
    return Evidence(worst, 1, "upper", f"60 layers, seed {SEED}", 1e-9)


control(kept_and_cut, "cut at 3 kappa", {"mesh": 3.0})
