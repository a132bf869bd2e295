"""These checks refute the regression bound for policies that depend on the sample, and try the definition of a cut.

In layer 2 of the counterexample the first action has the feature e_1 and the second e_2, in each of M states. The
policy plays the first action in the states that were sampled and the second in all others.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np

from derl.claims import Evidence, claim, printed
from derl.estimation.truncated import CutLayer, feature_basis
from derl.exact.logarithms import enclosure
from derl.mdp import instances
from derl.theory.beyond import truncation

SEED = 20260722


def scale_above(d: int, horizon: int, delta: Fraction, size: int) -> Fraction:
    """A rational number above beta."""
    square = d * (d + 7) * enclosure(1 + size)[1] + 2 * enclosure(Fraction(4 * horizon) / delta)[1]
    return root_above(square) + root_above(Fraction(d)) + 1


def root_above(value: Fraction, digits: int = 10**6) -> Fraction:
    """A rational number above sqrt(value)."""
    return Fraction(isqrt(int(value * digits**2)) + 1, digits)


@claim("res-every-policy", method="exhaustive", refutes=True,
       false={"as many states as one sample can cover, all of them seen": {"copies": 2},
              "N = 16, where beta |phi| exceeds 1": {"size": 16}})
def fooled(text, size=printed("res-every-policy")("N="), copies=1):
    """A policy that looks at the sample: Error over beta |phi|, at least, for every sample of N states out of M;
    `copies` divides M."""
    size, states = int(size), int(text("", after="10^4$ and", N=size)) // copies
    seen_mass = min(Fraction(1), Fraction(size, states))  # at most N of M states are seen
    estimate = Fraction(size, size + 1)  # phi' Sigma^{-1} sum phi V(s') with Sigma = (1 + N) e_1 e_1' + e_2 e_2'
    scale = scale_above(int(text("d=")), int(text("H=")), text(r"\delta="), size)
    allowed = scale / isqrt(1 + size)  # isqrt below: beta |phi| from above
    return Evidence((estimate - seen_mass) / allowed, Fraction(3), "lower", f"N = {size}, M = {states}")


@claim("def-cut-model", method="stress", arithmetic="float64", covers="random layers, d up to 4, kappa down to 1e-4",
       gap="a sample",
       false={"cut at 3 kappa": {"mesh": 3.0}})
def kept_and_cut(mesh=1.0):
    """Kept and cut pairs, coefficients of the basis: Largest of |phi|^2/(3/2 kappa^2) where kept, (kappa^2/2)/|phi|^2
    where cut, and |c_j|/2."""
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


@claim("def-cut-model", method="stress", arithmetic="float64", covers="six random layers, and blocks of four horizons",
       gap="a sample", plants=4,
       false={"cut at 3 kappa": {"mesh": 3.0}})
def program_follows_the_definition(text, mesh=1.0):
    """The program's matrices, weights and blocks are those of the definition: How many layers and divisions into blocks
    agree with the printed formulas; the program cuts at `mesh` kappa."""
    agree = []
    for seed in range(6):
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(100 + seed,)))
        mdp = instances.random_simplex(6, 3, 2 + seed % 3, 2, seed)
        phi, available, values = mdp.phi[0], np.ones((6, 3), bool), rng.random(6)
        counts = rng.integers(0, 10 ** (1 + seed), size=(6, 3, 6)).astype(float) * (rng.random((6, 3, 1)) < 0.4)
        kappa = float(np.median(CutLayer.of(phi, available, counts, 1.0).design.norms(phi)))
        layer = CutLayer.of(phi, available, counts, mesh * kappa)
        weights, regressed = defined(text, phi, counts, kappa, values)
        sure = ~np.isnan(weights)
        coefficients, basis = feature_basis(phi, available)
        widest = float(np.abs(coefficients).max())
        agree.append(bool((weights == layer.kept)[sure].all()) and len(basis) <= text(r"r\le", d=phi.shape[-1])
                     and widest <= text(r"|c_j|\le") * (1 + 1e-9)
                     and np.allclose((np.where(sure, weights, layer.kept) * regressed), layer.regress(values, phi),
                                     rtol=1e-6, atol=1e-9))
    for horizon, longest in ((2, 1), (7, 2), (8, 3), (9, 8)):
        blocks = truncation.blocks(horizon, longest)
        agree.append(len(blocks) == text("K=", H=horizon, L=longest) and longest in text.range("L", H=horizon))
    return Evidence(sum(agree), len(agree), "identity", f"six layers, seed {SEED}, and four divisions into blocks")


def defined(text, phi, counts, kappa, values) -> tuple[np.ndarray, np.ndarray]:
    """The weights w_h, nan where a pair is too close to being cut, and T^V of pairs that are kept, as printed."""
    dim, kept, cut = phi.shape[-1], *(float(text("w_h(s,a)=", after=words))
                                      for words in ("is *kept*,", "otherwise it is *cut*,"))
    gram = np.einsum("sat,sai,saj->ij", counts, phi, phi)
    inverse = np.linalg.inv(text(r"\Sigma_h=", {"I": np.eye(dim), r"\sum_n\phi_h^n\phi_h^{n\top}": gram}))
    grid = text("", after="rounded toward 0 to multiples of", kappa=kappa, d=dim)
    rounded = np.trunc(inverse / grid) * grid
    left, right = text.sides(r"\phi^\top A_h\phi\le", {
        r"\phi^\top A_h\phi": np.einsum("sai,ij,saj->sa", phi, rounded, phi)}, kappa=kappa)
    sums = np.einsum("sat,sai,t->i", counts, phi, values)
    regressed = text(r"\hat T_hV=", {
        "w_h": float(text("w_H=")), r"\phi_h^\top\Sigma_h^{-1}\sum_n\phi_h^nV(s_{h+1}^n)": phi @ inverse @ sums})
    weights = np.where(left <= right, kept, cut)
    return np.where(np.abs(left - right) < 1e-9 * kappa**2, np.nan, weights), regressed
