"""These checks establish results beyond Lemmas E.11 to E.14: relative perturbation, sharp eigenvalues, sharp blow-up.

A policy is a distribution of the feature phi with |phi| <= 1, and nu^2 = min_{|u|=1} max_pi E (phi^T u)^2. Coq states
the results whole; here are their cases of equality in one dimension, and random layers in float64.
"""

from __future__ import annotations

import numpy as np
import sympy

from derl.claims import Evidence, claim
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal
from derl.theory.analysis import perturbation

SEED = 20220813
ROUNDING = 1e-8  # relative error granted to float64 at condition numbers up to 1e6
NINE_TENTHS, HALF = sympy.Rational(9, 10), sympy.Rational(1, 2)

s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
b, c, e, lam = sympy.symbols("b c e lam", positive=True)


# --- relative perturbation, eigenvalues, blow-up -----------------------------------------------------------------

@claim("res-relative-perturbation", covers="d = 1", gap="one dimension", plants=6,
       false={"a change of 10/9 of eta": {"share": 1 / NINE_TENTHS}})
def perturbation_in_one_dimension(text, share=1):
    """Equality for d = 1: A = a and Delta = -eta, eta, for every eta < a; the two factors for eta <= a/2."""
    eta = share * text(r"\|\Delta\|\le\eta<", a=b) / (1 + c)
    values = {r"\|\phi\|_{A^{-1}}": 1 / sympy.sqrt(b), r"\|\phi\|_{(A+\Delta)^{-1}}": 0, "A": b, r"\Delta": 0}
    given = values | {"a": b, r"\eta": eta / share}
    low, high = text.sides(r"...\preceq", given, after="Then")[0], text(r"A+\Delta\preceq", given)
    short, long = text.sides(r"...\le", given, after="Hence")[0], text(r"\|\phi\|_{(A+\Delta)^{-1}}\le", given)
    y = text(r"\eta\le", after="for", a=1) / (1 + v)  # eta/a
    least, most = (text("", after="a factor from", skip=skip, eta=y, a=1) for skip in (0, 1))
    return [("A - eta and A + eta", every(equal(low, b - eta), equal(high, b + eta), equal(text(
                r"\|\Delta\|\le", eta=eta), eta), exactly(text(r"A\succeq", {"I": 1}, a=b), b))),
            ("their norms", every(equal(short**2, 1 / (b + eta)), equal(long**2, 1 / (b - eta)))),
            ("1/sqrt(1-y) <= 1 + y for y <= 1/2: (1+y)^2 (1-y) >= 1", at_least(most**2 * (1 - y), 1, v)),
            ("1/sqrt(1+y) >= 1 - y: (1-y)^2 (1+y) <= 1", at_least(1, least**2 * (1 + y), v)),
            ("without a change the factor is 1", exactly(
                tuple(text("", after="a factor from", skip=skip, eta=0, a=1) for skip in (0, 1)), (1, 1)))]


@claim("res-sharp-eigenvalue", covers="d = 1", gap="one dimension",
       false={"nu^4/e^2 - (9/10) c": {"share": NINE_TENTHS}})
def eigenvalue_in_one_dimension(text, share=1):
    """Equality for d = 1: phi = r <= 1 and A = sigma, every c > 0; for r = 1 both bounds are equal to sigma."""
    sigma, r = sympy.Symbol("sigma", nonnegative=True), 1 / (1 + s)
    norm, square = (text(r"A\succeq", {"I": 1, r"\nu": r, key: value}, after=rf"\le {key}$, then", c=share * c)
                    for key, value in (("e", r / sympy.sqrt(c + sigma)), ("e_2", r**2 / (c + sigma))))
    return [("phi = 1", every(equal(norm.subs(s, 0), sigma), equal(square, sigma))),
            ("a shorter phi leaves room for the norm", at_least(sigma, norm, c, sigma, s)),
            ("for every A >= 0 and c > 0", every(exactly(text(r"A\succeq", after="u)^2$,"), 0),
                                                 exactly(text.range("c").low, 0)))]


def _layers(count: int, rng):
    """Random layers with covariances that accumulate, and their directional reach at the eigenvectors of A."""
    for _ in range(count):
        n_states, n_actions, dim = rng.integers(1, 5), rng.integers(1, 5), rng.integers(1, 6)
        phi = rng.normal(size=(n_states, n_actions, dim))
        phi *= (rng.uniform(0.05, 1, size=(n_states, n_actions, 1)) / np.linalg.norm(phi, axis=-1, keepdims=True))
        layer = perturbation.Layer(phi, rng.dirichlet(np.ones(n_states)))
        root = rng.normal(size=(dim, dim)) * 10 ** rng.uniform(-1, 2)
        yield layer, root @ root.T, float(10 ** rng.uniform(-2, 1)), float(10 ** rng.uniform(0, 4))


@claim("res-sharp-eigenvalue", method="stress", arithmetic="float64", covers="random layers, d up to 5", gap="a sample",
       false={"nu^4/e^2 - 0.9 c": {"shift": 0.9}})
def random_layers_are_covered(shift=1.0):
    """Eigenvector by eigenvector: Largest (nu_u^4/e^2 - c)/sigma_u - 1 and its squared twin, over eigenvectors u,
    nu_u^2 = max_pi E(phi^T u)^2."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    worst, total = -np.inf, 0
    one = perturbation.Layer(np.ones((1, 1, 1)), np.ones(1))
    for layer, A, reg, _ in [*_layers(400, rng), (one, np.array([[3.0]]), 0.5, 1.0)]:
        values, vectors = np.linalg.eigh(A)
        matrix = reg * np.eye(len(A)) + A
        e_norm, e_square = layer.uncertainty(matrix), layer.uncertainty(matrix, squared=True)
        for sigma, direction in zip(values, vectors.T, strict=True):
            reach = layer.reach(direction)
            bounds = (reach**2 / e_norm**2 - shift * reg, reach / e_square - shift * reg)
            worst, total = max(worst, (max(bounds) - sigma) / (reg + abs(sigma))), total + 1
    return Evidence(worst, 0.0, "upper", f"{total} eigenvectors, c from 0.01 to 10, seed {SEED}", ROUNDING)


@claim("res-sharp-blow-up", covers="d = 1", gap="one dimension", plants=6, false={"nc >= b/2 only": {"demand": HALF}})
def blow_up_in_one_dimension(text, demand=1):
    """Equality for d = 1: A = lam + t and nc >= b, every b, c > 0 and lam >= 0; for phi = 1 and t = 0 both bounds are
    equalities."""
    n = demand * (text(r"nc\ge", b=b) + s) / c
    where = {"I": 1, "A": lam + t, r"\lambda": lam}
    left, right = text.sides(r"bI+nA\succeq", where, b=b, c=c, n=n)
    outcomes = [("b + nx >= (b + n lam)/(c + lam) (c + x) at x = lam + t", at_least(left, right, b, c, lam, s, t)),
                ("for every c > 0 and lam >= 0", exactly((text.range("c").low, text.range(r"\lambda").low), (0, 0)))]
    for at, (key, power) in enumerate((("e", HALF), ("e_2", 1))):
        given = {r"\nu": 1, key: (c + lam) ** -power, "c": c}
        bound = r"\max_\pi\mathbb E_\pi\|\phi\|" + "^2" * at + r"_{(bI+nA)^{-1}}\le"
        outcomes += [
            (f"lam of {key}, which is at least 0", every(
                equal(text(r"\lambda=", given, after="lemma, and", skip=at), lam),
                exactly(text(r"\lambda=...\ge", after="lemma, and", skip=at), 0))),
            (f"the bound from {key}", equal(text(bound, given | {r"\lambda": lam}, b=b, n=x), (b + x * lam) ** -power))]
    return outcomes


@claim("res-sharp-blow-up", method="stress", arithmetic="float64", covers="random layers, d up to 5", gap="a sample",
       false={"n^1.1 instead of n": {"power": 1.1}})
def random_layers_blown_up(power=1.0):
    """Random layers, blown up: Largest left/right side over random layers, lam the least eigenvalue of A; norm and
    square."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(1,)))
    worst, total = 0.0, 0
    one = perturbation.Layer(np.ones((1, 1, 1)), np.ones(1))
    for layer, A, reg, n in [*_layers(400, rng), (one, np.array([[3.0]]), 0.5, 100.0)]:
        identity, least = np.eye(len(A)), np.linalg.eigvalsh(A)[0]
        other = reg * min(n, 3.0)  # b <= nc
        for squared in (False, True):
            before = layer.uncertainty(reg * identity + A, squared) ** (1 if squared else 2)
            after = layer.uncertainty(other * identity + n * A, squared) ** (1 if squared else 2)
            worst = max(worst, after / before * (other + n**power * least) / (reg + least))
            total += 1
    return Evidence(worst, 1.0, "upper", f"{total} cases, n from 1 to 1e4, seed {SEED}", ROUNDING)
