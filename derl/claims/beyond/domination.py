r"""One-step domination: a G-optimal design over the actions of a state in place of every action.

    phi_a = V V^+ phi_a = sum_b rho_b c_ab phi_b,   c_ab = phi_b' V^+ phi_a,   |c_ab| <= r

so the law of the next state after action a is a signed combination of the laws after the actions of the design, with
coefficients of at most r rho_b. What is negative may be dropped. That is all: no reachability, no data, no square root.
"""

from __future__ import annotations

import sympy

from derl.claims import Evidence, check, control, steps
from derl.theory.exact.compared import every
from derl.theory.exact.symbolic import at_least, equal, same_fraction


def plane_design():
    """Three actions in the plane with symbolic features and weights: phi (list of 2-vectors), rho, V."""
    phi = [sympy.Matrix(sympy.symbols(f"x{i} y{i}", real=True)) for i in range(3)]
    rho = sympy.symbols("rho0:3", positive=True)
    V = sum((weight * vector * vector.T for weight, vector in zip(rho, phi, strict=True)), sympy.zeros(2, 2))
    return phi, rho, V


@check("res-one-step-domination", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="A signed combination, its coefficients, and what may be dropped")
def domination_in_steps(rank_power=1, dropped=1) -> Evidence:
    """The identity in symbols, the bound on the coefficients, both dominations and their attainment."""
    phi, rho, V = plane_design()
    inverse = V.adjugate() / V.det()
    rebuilt = sum((weight * (b.T * inverse * phi[0])[0] * b for weight, b in zip(rho, phi, strict=True)),
                  sympy.zeros(2, 1))
    r, C, f, t, u = sympy.symbols("r C f t u", nonnegative=True)
    weights, laws, slack = (sympy.symbols(f"{name}0:3", nonnegative=True) for name in "wps")
    bound = sum(r ** rank_power * w * p for w, p in zip(weights, laws, strict=True))
    signed = sum((r - dropped * s) * w * p for w, p, s in zip(weights, laws, slack, strict=True))
    n = sympy.Symbol("n", positive=True)
    return steps([
        ("phi_a = sum_b rho_b c_ab phi_b", every(same_fraction(rebuilt[i], phi[0][i]) for i in range(2))),
        ("c^2 <= (r - t)(r - u) for squared norms r - t, r - u of at most r: at most r^2",
         at_least(r * r, r * r * r * r / ((r + t) * (r + u)), r, t, u)),
        ("coefficients r - s with s >= 0 may be raised to r", at_least(bound, signed, r, *weights, *laws, *slack)),
        ("(phi'x)^2 <= (phi'V^+phi)(x'Vx) with phi'V^+phi = r - t", at_least(r * f, (r - t) * f, r, f, t)),
        ("at x = V^+ phi: (phi'x)^2 = r^2 = r x'Vx", equal(r ** (2 * rank_power), r * r)),
        ("point masses and the uniform design: 1 = r (1/r)", equal(n ** rank_power * (1 / n), 1)),
        ("C r in place of r", at_least(sum(C * r * w * p for w, p in zip(weights, laws, strict=True)),
                                       sum((C * r - s) * w * p
                                           for w, p, s in zip(weights, laws, slack, strict=True)),
                                       r, C, *weights, *laws, *slack)),
    ], "every finite set of actions, every rank, every signed factorisation of the laws")


@control(of=domination_in_steps, plants="sqrt(r) in place of r")
def root_of_the_rank():
    return {"rank_power": sympy.Rational(1, 2)}
