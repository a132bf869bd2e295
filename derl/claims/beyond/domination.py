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
from derl.claims import Evidence, check, control, steps
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
def domination_in_steps(power=1, factor=1, weight_power=1, inverted=True, leverage=1, moment=1, other=1,
                        attained=1) -> Evidence:
    """The identity in symbols, the bound on the coefficients, both dominations and their attainment."""
    phi, rho, V = plane_design()
    inverse = V.adjugate() / V.det() if inverted else V
    rebuilt = sum((weight**weight_power * (b.T * inverse * phi[0])[0] * b for weight, b in zip(rho, phi, strict=True)),
                  sympy.zeros(2, 1))
    r, C, f, t, u = sympy.symbols("r C f t u", nonnegative=True)
    weights, laws, slack = (sympy.symbols(f"{name}0:3", nonnegative=True) for name in "wps")
    bound = sum(factor * r**power * w * p for w, p in zip(weights, laws, strict=True))
    signed = sum((r - s) * w * p for w, p, s in zip(weights, laws, slack, strict=True))
    n = sympy.Symbol("n", positive=True)
    return steps([
        "combination",
        ("phi_a = sum_b rho_b c_ab phi_b", every(same_fraction(rebuilt[i], phi[0][i]) for i in range(2))),
        "coefficients",
        ("c^2 <= (r - t)(r - u) for squared norms r - t, r - u of at most r: at most r^2",
         at_least(leverage * r * r, r * r * r * r / ((r + t) * (r + u)), r, t, u)),
        "raised coefficients",
        ("coefficients r - s with s >= 0 may be raised to r", at_least(bound, signed, r, *weights, *laws, *slack)),
        "second moments",
        ("(phi'x)^2 <= (phi'V^+phi)(x'Vx) with phi'V^+phi = r - t", at_least(moment * r * f, (r - t) * f, r, f, t)),
        "attained",
        ("at x = V^+ phi: (phi'x)^2 = r^2 = r x'Vx", equal(attained * r * r, r * r)),
        ("point masses and the uniform design: 1 = r (1/r)", equal(n**power * (1 / n), 1)),
        "larger factor",
        ("C r in place of r", at_least(sum(other * C * r * w * p for w, p in zip(weights, laws, strict=True)),
                                       sum((C * r - s) * w * p
                                           for w, p, s in zip(weights, laws, slack, strict=True)),
                                       r, C, *weights, *laws, *slack)),
    ], "every finite set of actions, every rank, every signed factorisation of the laws")


control(domination_in_steps, "sqrt(r) in place of r", {"power": HALF})
control(domination_in_steps, "r^2 in place of r: true, and not attained", {"power": 2})
control(domination_in_steps, "nine tenths of r", {"factor": sympy.Rational(9, 10)})
control(domination_in_steps, "r minus a thousandth of itself", {"factor": sympy.Rational(999, 1000)})
control(domination_in_steps, "weights squared in the combination", {"weight_power": 2})
control(domination_in_steps, "V in place of its inverse", {"inverted": False})
control(domination_in_steps, "|c| <= r/2", {"leverage": sympy.Rational(1, 4)})
control(domination_in_steps, "phi phi' <= (r/2) V", {"moment": HALF})
control(domination_in_steps, "phi phi' <= 2 r V is attained", {"attained": 2})
control(domination_in_steps, "C r/2 for a design within a factor C", {"other": HALF})


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
def chain_in_steps(per_step=1, moment=1, gained=0, start=1, missing=0, exact_power=0, digits=0) -> Evidence:
    """The step of the induction for two states, powers, and exact laws on three locks."""
    C, g, j, n = sympy.symbols("C g j n", positive=True)
    p, u, P, v = sympy.symbols("p u P v", nonnegative=True)
    q, rest = sympy.symbols("q w", nonnegative=True)
    outcomes = [
        "one layer",
        ("law(s) = C g^j law_D(s) - u and P(.|s,a) = g P(.|s,design) - v, all four >= 0",
         at_least((p + u) * (P + (1 - missing) * v) + (q + rest) * P, p * P + q * P, p, u, P, v, q, rest)),
        "induction",
        ("C g^j g = C g^(j+1)", equal(C * g**j * g**per_step, C * g ** (j + 1))),
        "last layer",
        ("second moments: one factor g for the action", equal(start * C * g**j * g**moment, C * g ** (j + 1))),
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
        outcomes.append((f"lock, d = {d}, H = {H}: the ratio of laws is d^j for j < H",
                         every(exactly(laws[j, 0] / mine[j, 0], d ** (j + exact_power)) for j in range(H))))
        outcomes.append((f"lock, d = {d}, H = {H}: that of second moments is d^(j+1)",
                         every(exactly(second[j][a, a] / own[j][a, a], d ** (j + 1 + digits))
                               for j, a in enumerate(digits_of))))
    return steps(outcomes, "every policy, every first factor C, every number of layers; locks of three sizes")


control(chain_in_steps, "factors sqrt(g) per layer", {"per_step": HALF})
control(chain_in_steps, "no factor per layer", {"per_step": 0})
control(chain_in_steps, "factors g^2 per layer", {"per_step": 2})
control(chain_in_steps, "no factor for the action in the second moment", {"moment": 0})
control(chain_in_steps, "g^2 for the action, as with a barycentric spanner", {"moment": 2})
control(chain_in_steps, "half of C", {"start": HALF})
control(chain_in_steps, "the slack of the design counted negatively", {"missing": 2})
control(chain_in_steps, "a design keeps g with probability 1", {"gained": 1})
control(chain_in_steps, "one layer more on the lock: d^(j+1) for laws", {"exact_power": 1})
control(chain_in_steps, "one layer less on the lock: d^j for second moments", {"digits": -1})


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
