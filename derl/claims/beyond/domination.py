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
from derl.claims import Evidence, check, control, printed, steps
from derl.mdp import instances
from derl.theory.beyond.laws import moments, state_laws
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.symbolic import at_least, equal, same_fraction

HALF, SEED = sympy.Rational(1, 2), 20261122
LOCKS = ((2, 5), (3, 4), (4, 3))


def plane_design():
    """Three actions in the plane with symbolic features and weights: phi (list of 2-vectors), rho, V."""
    phi = [sympy.Matrix(sympy.symbols(f"x{i} y{i}", real=True)) for i in range(3)]
    rho = sympy.symbols("rho0:3", positive=True)
    V = sum((weight * vector * vector.T for weight, vector in zip(rho, phi, strict=True)), sympy.zeros(2, 2))
    return phi, rho, V


@check("res-one-step-domination", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="A signed combination, its coefficients, and what may be dropped")
def domination_in_steps(weight_power=1, inverted=True, attained=1,
                        said=printed("res-one-step-domination", says=[r"every $\phi_a$", "for every", "smaller",
                                                                      "first", "same", "both",
                                                                      "Here $V^+$ is"])) -> Evidence:
    """The identity in symbols, the bound on the coefficients, both dominations and their attainment."""
    phi, rho, V = plane_design()
    inverse = V.adjugate() / V.det() if inverted else V
    rebuilt = sum((weight**weight_power * (b.T * inverse * phi[0])[0] * b for weight, b in zip(rho, phi, strict=True)),
                  sympy.zeros(2, 1))
    r, C, f, t, u = sympy.symbols("r C f t u", nonnegative=True)
    weights, laws, slack = (sympy.symbols(f"{name}0:3", nonnegative=True) for name in "wps")
    played = sum(w * p for w, p in zip(weights, laws, strict=True))
    n, leverage = sympy.Symbol("n", positive=True), r"\max_a\phi_a^\top V^+\phi_a"
    largest, larger = said(f"{leverage}=", r=r), said(rf"{leverage}\le", C=C, r=r)

    def bound(value, factor):
        return said(r"P(\cdot\mid a)\le", {r"\sum_b\rho_bP(\cdot\mid b)": value}, r=factor)

    def moment(value, factor):
        return said(r"\phi_a\phi_a^\top\preceq", {"V": value}, r=factor)

    def signed(most):
        return sum((most - s) * w * p for w, p, s in zip(weights, laws, slack, strict=True))

    return steps([
        "combination",
        ("phi_a = sum_b rho_b c_ab phi_b", every(same_fraction(rebuilt[i], phi[0][i]) for i in range(2))),
        ("the rank of features in general position is the least of A and d", every(exactly(
            sympy.Matrix(rows, columns, lambda i, j: (i + 1) ** j).rank(), said(r"r\le", A=rows, d=columns))
            for rows, columns in ((2, 3), (3, 2), (1, 4), (4, 4)))),
        "coefficients",
        ("c^2 <= (r - t)(r - u) for squared norms r - t, r - u of at most r: at most r^2",
         at_least(largest**2, r * r * r * r / ((r + t) * (r + u)), r, t, u)),
        "raised coefficients",
        ("coefficients r - s with s >= 0 may be raised to r",
         at_least(bound(played, r), signed(largest), r, *weights, *laws, *slack)),
        "second moments",
        ("(phi'x)^2 <= (phi'V^+phi)(x'Vx) with phi'V^+phi = r - t", at_least(moment(f, r), (largest - t) * f, r, f, t)),
        "attained",
        ("at x = V^+ phi: (phi'x)^2 = r^2 = r x'Vx", equal(
            attained * moment(r, r), said(r"\phi_a^\top V^+\phi_a=", after="attained at every action with", r=r) ** 2)),
        ("point masses and the uniform design: 1 = r (1/r)", equal(bound(1 / n, n), 1)),
        "larger factor",
        ("C r in place of r", every(equal(larger, C * r), at_least(
            bound(played, larger), signed(C * r), r, C, *weights, *laws, *slack))),
    ], "every finite set of actions, every rank, every signed factorisation of the laws")


control(domination_in_steps, "weights squared in the combination", {"weight_power": 2})
control(domination_in_steps, "V in place of its inverse", {"inverted": False})
control(domination_in_steps, "phi phi' <= 2 r V is attained", {"attained": 2})


@check("res-one-step-domination", method="stress", arithmetic="float64", covers="random polytopes", gap="a sample",
       title="Random polytopes, laws that vanish at their facets")
def polytopes_under_attack(scale=1.0) -> Evidence:
    """Largest P(s'|a)/(g P(s'|design)) over random features (1, u) and linear laws with a zero at some action."""
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


control(polytopes_under_attack, "a quarter less", {"scale": 0.75})


@check("res-design-chain", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The factors multiply, and the lock attains them")
def chain_in_steps(missing=0, gained=0,
                   said=printed("res-design-chain", says=["lies in the range of", "for all states", "any",
                                                          "at most", "then for all", "first",
                                                          "for every", "Both"])) -> Evidence:
    """The step of the induction for two states, powers, and exact laws on three locks."""
    C, g, j, n = sympy.symbols("C g j n", positive=True)
    p, u, P, v = sympy.symbols("p u P v", nonnegative=True)
    q, rest = sympy.symbols("q w", nonnegative=True)
    second_moment = r"\mathbb E_{}\phi_{{h_0+j}}\phi_{{h_0+j}}^\top"

    def law(**letters):
        return said(r"\mathrm{law}_\pi(s_{h_0+j})\le", {r"\mathrm{law}_D(s_{h_0+j})": 1}, **letters)

    def moment(**letters):
        return said(second_moment.format(r"\pi") + r"\preceq", {second_moment.format("D"): 1}, **letters)

    outcomes = [
        "one layer",
        ("law(s) = C g^j law_D(s) - u and P(.|s,a) = g P(.|s,design) - v, all four >= 0",
         at_least((p + u) * (P + (1 - missing) * v) + (q + rest) * P, p * P + q * P, p, u, P, v, q, rest)),
        "induction",
        ("the factor C at first, and g more for each layer", every(
            equal(law(C=C, g=g, j=said.range("j").low), C),
            equal(law(C=C, g=g, j=j) * said(r"\phi^\top V_s^+\phi\le", g=g), law(C=C, g=g, j=j + 1)))),
        "last layer",
        ("second moments: one factor g for the action", equal(law(C=C, g=g, j=j) * g, moment(C=C, g=g, j=j))),
        "lock",
        ("lock: a design keeps g with probability 1/n per layer", equal(n**j * n ** (gained - j), 1)),
    ]
    for d, H in LOCKS:
        digits_of = tuple(h % d for h in range(H))
        lock = instances.lock(d, H, digits_of, Fraction(1, 5), exact=True)
        code = np.array([[digit] * 3 for digit in (*digits_of, 0)])
        uniform = np.full(lock.available.shape, Fraction(1, d), dtype=object)
        laws, mine = state_laws(lock, code), state_laws(lock, uniform)
        second, own = moments(lock, code), moments(lock, uniform)
        printed_there = {"C": said("C="), "g": said("g=", d=d)}
        layers = [at for at in range(H + 2) if at in said.range("j", H=H)]
        outcomes.append((f"lock, d = {d}, H = {H}: the ratio of laws is d^j for j < H", every(
            exactly(laws[at, 0] / mine[at, 0], law(j=at, **printed_there)) for at in layers)))
        outcomes.append((f"lock, d = {d}, H = {H}: that of second moments is d^(j+1)", every(
            exactly(second[at][digits_of[at], digits_of[at]] / own[at][digits_of[at], digits_of[at]],
                    moment(j=at, **printed_there)) for at in layers)))
    return steps(outcomes, "every policy, every first factor C, every number of layers; locks of three sizes")


control(chain_in_steps, "the slack of the design counted negatively", {"missing": 2})
control(chain_in_steps, "a design keeps g with probability 1", {"gained": 1})


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


@check("res-design-chain", method="exhaustive", arithmetic="exact", covers="all policies of four locks",
       gap="four instances", title="All deterministic policies of small instances")
def every_policy_is_dominated(scale=1) -> Evidence:
    """Largest ratio law_pi/(g^j law_D) over states, layers and all deterministic policies; designs uniform, exactly."""
    return Evidence(largest_ratio(), scale, "upper", "locks with d = 2, 3 and two digits, all deterministic policies")


control(every_policy_is_dominated, "a tenth less", {"scale": Fraction(9, 10)})
