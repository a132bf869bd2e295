"""These checks establish that a G-optimal design over the actions of a state dominates every action, layer after layer.

No reachability, data or square root enters. Random polytopes are tried, and all deterministic policies of four locks
are enumerated; on the locks the factors are attained.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import sympy

from derl.algorithms.state_designs import state_designs
from derl.claims import Evidence, claim
from derl.exact.compared import every, exactly
from derl.exact.symbolic import equal
from derl.mdp import instances
from derl.theory.beyond.laws import moments, state_laws

HALF, SEED = sympy.Rational(1, 2), 20261122
LOCKS = ((2, 5), (3, 4), (4, 3))


@claim("res-one-step-domination", covers="orthonormal features, where both bounds are attained", gap="instances",
       false={"phi phi' <= 2 r V is attained": {"attained": 2}})
def orthonormal_features_attain(text, attained=1):
    """Attained by orthonormal features: r actions that each lead to a state of its own, the uniform design, r <= 5."""
    leverage, r, C = r"\max_a\phi_a^\top V^+\phi_a", *sympy.symbols("r C", positive=True)
    outcomes = [("the factors in symbols", every(equal(text(f"{leverage}=", r=r), r), equal(text(
        rf"{leverage}\le", C=C, r=r), C * r), equal(text(
            r"\phi_a^\top V^+\phi_a=", after="attained at every action with", r=r), r)))]
    for rank in range(1, 6):
        V, phi = sympy.eye(rank) / rank, sympy.Matrix([1] + [0] * (rank - 1))
        x = V.inv() * phi
        outcomes += [
            (f"r = {rank}: probability 1 against 1/r", exactly(
                text(r"P(\cdot\mid a)\le", {r"\sum_b\rho_bP(\cdot\mid b)": Fraction(1, rank)}, r=rank), 1)),
            (f"r = {rank}: (phi'x)^2 against r x'Vx at x = V^+ phi", exactly(attained * text(
                r"\phi_a\phi_a^\top\preceq", {"V": (x.T * V * x)[0]}, r=rank), phi.dot(x) ** 2)),
            (f"the rank of {rank} features in general position", every(exactly(
                sympy.Matrix(rank, size, lambda i, j: (i + 1) ** j).rank(), text(r"r\le", A=rank, d=size))
                for size in (1, 2, 4)))]
    return outcomes


@claim("res-one-step-domination", method="stress", arithmetic="float64", covers="random polytopes", gap="a sample",
       false={"a quarter less": {"scale": 0.75}})
def polytopes_under_attack(scale=1.0):
    """Random polytopes, laws that vanish at their facets: Largest P(s'|a)/(g P(s'|design)) over random features (1, u)
    and linear laws with a zero at some action."""
    rng, worst = np.random.default_rng(SEED), 0.0
    for d, n in product((2, 3, 4, 6), (3, 5, 8, 12)):
        for _ in range(20):
            points = rng.standard_normal((n, d - 1)) * np.geomspace(1, 10.0 ** -rng.integers(0, 3), d - 1)
            phi = np.hstack([np.ones((n, 1)), points / np.linalg.norm(points, axis=1).max()]) / np.sqrt(2)
            weights, _ = state_designs(phi[None])
            gram = np.einsum("a,ai,aj->ij", weights[0], phi, phi)
            g = np.einsum("ai,ij,aj->a", phi, np.linalg.pinv(gram, hermitian=True), phi).max()
            functionals = rng.standard_normal((500, d - 1))
            heights = points @ functionals.T
            laws = heights.max(axis=0) - heights  # not negative, zero at one action, linear in phi
            worst = max(worst, (laws.max(axis=0) / (g * weights[0] @ laws)).max())
    return Evidence(worst, scale, "upper", f"320 polytopes with 500 laws each, seed {SEED}", tolerance=1e-9)


@claim("res-design-chain", method="exhaustive", covers="locks of three sizes, where both bounds are attained",
       gap="three locks", false={"second moments without the factor of the last action": {"last": 0}})
def locks_attain_the_factors(text, last=1):
    """The lock attains the factors: exact laws and second moments on three locks."""
    C, g, j = sympy.symbols("C g j", positive=True)
    second_moment = r"\mathbb E_{}\phi_{{h_0+j}}\phi_{{h_0+j}}^\top"

    def law(**letters):
        return text(r"\mathrm{law}_\pi(s_{h_0+j})\le", {r"\mathrm{law}_D(s_{h_0+j})": 1}, **letters)

    def moment(**letters):
        return text(second_moment.format(r"\pi") + r"\preceq", {second_moment.format("D"): 1}, **letters)

    outcomes = [("the factor C at first, g more for each layer, and one for the last action", every(
        equal(law(C=C, g=g, j=text.range("j").low), C),
        equal(law(C=C, g=g, j=j) * text(r"\phi^\top V_s^+\phi\le", g=g), law(C=C, g=g, j=j + 1)),
        equal(law(C=C, g=g, j=j) * g**last, moment(C=C, g=g, j=j))))]
    for d, H in LOCKS:
        digits_of = tuple(h % d for h in range(H))
        lock = instances.lock(d, H, digits_of, Fraction(1, 5), exact=True)
        code = np.array([[digit] * 3 for digit in (*digits_of, 0)])
        uniform = np.full(lock.available.shape, Fraction(1, d), dtype=object)
        laws, mine = state_laws(lock, code), state_laws(lock, uniform)
        second, own = moments(lock, code), moments(lock, uniform)
        there = {"C": text("C="), "g": text("g=", d=d)}
        layers = [at for at in range(H + 2) if at in text.range("j", H=H)]
        outcomes += [(f"d = {d}, H = {H}: the ratio of laws is d^j for j < H", every(
            exactly(laws[at, 0] / mine[at, 0], law(j=at, **there)) for at in layers)),
            (f"d = {d}, H = {H}: that of second moments is d^(j+1)", every(exactly(
                second[at][digits_of[at], digits_of[at]] / own[at][digits_of[at], digits_of[at]],
                moment(j=at, **there)) for at in layers))]
    return outcomes


@cache  # held against 1 and against a planted bound
def largest_ratio() -> Fraction:
    """law_pi/(g^j law_D) over states, layers and all deterministic policies of four locks, the largest."""
    worst = Fraction(0)
    for d, code in product((2, 3), ((0, 1), (1, 1))):
        lock = instances.lock(d, 2, code, Fraction(1, 5), exact=True)
        mine = state_laws(lock, np.full(lock.available.shape, Fraction(1, d), dtype=object))
        for actions in product(range(d), repeat=2 * 3):
            policy = np.array([*np.reshape(actions, (2, 3)), (0, 0, 0)])
            for j, (law, own) in enumerate(zip(state_laws(lock, policy), mine, strict=True)):
                worst = max(worst, *(x / (y * d**j) for x, y in zip(law, own, strict=True) if x))
    return worst


@claim("res-design-chain", method="exhaustive", covers="all policies of four locks", gap="four instances",
       false={"a tenth less": {"scale": Fraction(9, 10)}})
def every_policy_is_dominated(scale=1):
    """All deterministic policies of small instances: Largest ratio law_pi/(g^j law_D) over states, layers and all
    deterministic policies; designs uniform, exactly."""
    return Evidence(largest_ratio(), scale, "upper", "locks with d = 2, 3 and two digits, all deterministic policies")
