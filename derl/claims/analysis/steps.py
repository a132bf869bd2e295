"""These checks follow Step 1 in the proof of Theorem E.9: Equations (28) to (31) and the displays between them.

They work with x = i d beta' xi, Sigma = 2I + the sum of the true covariances, and R = |phi|_{Sigma^{-1}}. The last step
of (29) and the printed i_max are refuted and repaired; the index that lags by one policy, and 2I counted twice, are
shown to change nothing.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import at_most, less_than
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, below, equal, same_operator
from derl.printed import Unreadable
from derl.theory.analysis import perturbation

r, s, t, u, v, x = sympy.symbols("r s t u v x", nonnegative=True)
d, e, i, l, n = sympy.symbols("d e i l n", positive=True)  # noqa: E741
NU = 1 / (1 + s)  # nu <= 1
NU2 = NU**2
NU_MIN, I_MAX, BETA = r"\nu_{\min}", r"i_{\max}", r"\beta'"
CONSTRAINT = printed("eq-xi")  # (30)
DOTS = "." * 3


def multiple(value, shape, what: str) -> Rational:
    """value/shape, where the proof needs what is printed to be a multiple of the shape.

    Raises
    ------
    Unreadable
        The quotient depends on a letter.
    """
    quotient = sympy.factor_terms(value) / sympy.factor_terms(shape)
    if not quotient.is_Rational:
        raise Unreadable(f"{what} is {value}, which is no multiple of {shape}")
    return quotient


def iterations(constant: int, factor: int, power: int) -> list[tuple[str, bool]]:
    """Steps that prove factor nu^{-power} log(1 + z) <= z at z = constant nu^{-power} log(2/nu), 0 < nu <= 1."""
    tau = sympy.Symbol("tau", positive=True)  # log(2/nu) >= log 2; nu^{-1} = e^tau/2
    z = constant * tau * sympy.exp(power * tau) / 2**power
    log_two = [Rational(*end.as_integer_ratio()) for end in enclosure(2)]
    return [
        ("at nu = 1: factor log(1 + c log 2) <= c log 2",
         below(factor * log(1 + constant * log_two[1]), constant * log_two[0])),
        ("d/dtau log z = power + 1/tau", equal(sympy.diff(z, tau) / z, power + 1 / tau)),
        ("z'/(1+z) <= z'/z", at_least(1 / d, 1 / (1 + d), d)),
        ("slope: c - factor (power + 1/log 2) > 0", below(factor * (power * log(2) + 1), constant * log(2))),
        ("z - factor nu^{-power} log(1+z) increases in z from factor nu^{-power} - 1 on",
         equal(sympy.diff(x - d * log(1 + x), x), (1 + x - d) / (1 + x))),
    ]


# --- Step 1: errors ----------------------------------------------------------------------------------------------

@claim("eq-uncertainty", method="exhaustive", gap="a definition: checked on one instance", plants=4,
       false={"the worst action in the last layer": {"squared": False}})
def uncertainty_is_a_value(text, squared=True):
    """Dynamic programming against all policies: max over all 64 deterministic policies of E |phi|_{Sigma^{-1}} and the
    backward recursion: 0 if they are equal.

    Three layers of two states and two actions; the reward sits in the last layer.
    """
    Sigma = np.array([[Fraction(3), Fraction(1, 2)], [Fraction(1, 2), Fraction(5, 2)]], dtype=object)
    corners = [[(Fraction(1), Fraction(0)), (Fraction(3, 5), Fraction(4, 5))],
               [(Fraction(0), Fraction(1)), (Fraction(4, 5), Fraction(-3, 5))]]
    reward = [[sympy.sqrt(Rational(perturbation.squared_norm(Sigma, phi))) for phi in row] for row in corners]
    P = [[(Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 4), Fraction(3, 4))],
         [(Fraction(1), Fraction(0)), (Fraction(1, 3), Fraction(2, 3))]]
    value = [max(row) if squared else min(row) for row in reward]
    for _ in range(2):
        value = [max(p * value[0] + q * value[1] for p, q in row) for row in P]
    best = Fraction(0)
    for policy in product(product(range(2), repeat=2), repeat=3):
        reached = [Fraction(1), Fraction(0)]
        for layer in policy[:2]:
            reached = [sum(reached[k] * P[k][layer[k]][j] for k in range(2)) for j in range(2)]
        best = max(best, sum(reached[k] * reward[k][policy[2][k]] for k in range(2)))
    left = r"V^*_{h,i+1}(s_1;R_{h,i})"
    optimal, largest = text.sides(f"{left}:=", {
        left: value[0], r"\max_\pi\mathbb E_\pi\|\phi(s_h,a_h)\|_{\Sigma_{h,i}^{-1}}": best})
    return Evidence(int(sympy.simplify(largest - optimal) != 0), 0, "identity",
                    "64 deterministic policies, three layers, exact")


@claim("eq-reward-error", refutes=True,
       as_corrected={"65 instead of 32, for which the step is true": {"margin": Rational(65, 32)}})
def printed_reward_error_is_too_large(text, constraint=CONSTRAINT, margin=1):
    """At every nu, the printed constant is too large: x of the largest xi that satisfies (30): the last step of (29)
    fails."""
    letters = {NU_MIN: NU, I_MAX: i, BETA: e}
    y = text("x=", {**letters, r"\xi": constraint(r"\xi\le", letters, d=d) / margin}, d=d)
    left, right = (side**2 for side in text.relation(r"\sqrt{\frac{x}{1-x}}", letters, x=y).ordered)
    return steps([("the squares: left - right > 0 for all 0 < nu <= 1", at_least(left, right, s)),
                  ("strictly, at nu = 1", less_than(0, (left - right).subs(s, 0))),
                  ("even x/(1-x) > nu^4/36, an error bound above nu^2/6", at_least(y / (1 - y), NU2**2 / 36, s))],
                 scope="all 0 < nu <= 1, all i, d, beta', xi = nu^4/(32 i d beta')")


@claim("res-reward-error")
def reward_error_by_relative_perturbation(text, constraint=CONSTRAINT):
    """By relative perturbation, with the factor 2 of Algorithm 6: eta = d times an entry >= |Delta|, Sigma >= 2I, y =
    eta/2: |R~ - R| <= y R, R <= 1/sqrt 2; and the 65."""
    letters = {NU_MIN: NU, I_MAX: i, BETA: e}
    xi = constraint(r"\xi\le", letters, d=d) / (1 + t)
    eta = d * text("", {**letters, r"\xi": xi}, after=r"the entries of $\tilde\Sigma-\Sigma$ be at most", i=i)
    least = text(r"\Sigma\succeq", {"I": 1})
    y = eta / least  # xi as in (30) or smaller
    relative, absolute = (text(r"|\tilde R-R|\le" + more, nu=NU, R=1) for more in ("", DOTS + r"\le"))
    needed = text(r"\frac{\nu^4}{45}\le", nu=NU)
    additive = text(r"x\le", nu=NU)
    return steps([
        "entries",
        ("y <= 1/2", at_least(Rational(1, 2), y, s, t)),
        ("1/sqrt(1-y) - 1 <= y: (1+y)^2 (1-y) >= 1", at_least((1 + y) ** 2 * (1 - y), 1, s, t)),
        ("1 - 1/sqrt(1+y) <= y: (1-y)^2 (1+y) <= 1", at_least(1, (1 - y) ** 2 * (1 + y), s, t)),
        ("y R is at most the first bound", at_least(relative, y, s, t)),
        "reward",
        ("R^2 <= 1/2: |phi|^2 <= 1, Sigma >= 2I", at_least(Rational(1, 2), 1 / (least + u) / (1 + v), u, v)),
        ("the square of the first bound at R^2 = 1/2", at_least(absolute**2, relative**2 / 2, s)),
        (text.shown(r"\frac{\nu^4}{45}\le"), at_least(needed, absolute, s)),
        "printed way",
        ("the paper's way: x/(1-x) <= nu^4/64 for x <= nu^4/65",
         at_least(NU2**2 / 64, additive / (1 - additive), s)),
    ], scope="all d, i, all 0 < nu <= 1, all xi with (30)")


@claim("ineq-value-upper", title="Optimistic value against true value", false={"xi twice as large": {"times": 2}})
@claim("eq-xi", title="What (30) has to pay for in Step 1")
def budget_of_the_first_step(text=CONSTRAINT, value=printed("ineq-value-upper"), times=1):
    """V <= V^{pi}(R~) + 3 beta' xi by Lemma E.6, so V <= V^{pi}(R) + nu^2/4, even with the printed 4 beta' xi."""
    policies = 1 + u
    letters = {NU_MIN: NU, I_MAX: policies, BETA: e, r"V^{\bar\pi_{h,i+1}}(s_1;R_{h,i})": 0}
    xi = times * text(r"\xi\le", letters, d=1 + v)
    used, room = text.sides(r"4\beta'\xi\le", letters, xi=xi)
    first, second = (value(r"V_{h,i+1}(s_1)\le" + more, letters, xi=xi) for more in ("", DOTS + r"\le"))
    enough = value("", letters, after=". (", xi=xi)
    return steps([
        (text.shown(r"4\beta'\xi\le"), at_least(room, used, s, u, v)),
        ("3 beta' xi and nu^2/8 are at most the first bound", at_least(first, enough + NU2 / 8, s, u, v)),
        ("which is at most the second", at_least(second, first, s, u, v)),
        ("an iterate with V^{pi}(R) <= nu^2/8 has V <= 3 nu^2/8", at_least(3 * NU2 / 8, NU2 / 8 + first, s, u, v)),
    ], scope="all d, i >= 1, all 0 < nu <= 1, all xi with (30)")


# --- Step 1: the loop ends ---------------------------------------------------------------------------------------

@claim("ineq-elliptical-sum", false={"Sigma_{h,1} = I": {"start": 1}})
def values_of_the_loop_add_up(text, start=2):
    """Jensen, Cauchy-Schwarz, the potential of 2I; in step and lagging by one: The elliptical potential constant
    (1/lam)/log(1+1/lam) at lam = start, times 1 + 1/lam where the matrix lags.

    Where it lags the sum starts from 2I + L_1 >= 2I: tr((2I + L_1)^{-1} X) <= tr X/2, all that the lemma uses.
    """
    lag = 1 + Rational(1, start)
    bound = text(r"\sum_{i=1}^{i_{\max}}V^{\bar\pi_{h,i+1}}(s_1;R_{h,i})\le", {I_MAX: i}, d=d)
    factor = multiple(bound**2, i * d * log(1 + i / d), "the squared bound")
    a, b, S, Q = sympy.symbols("a b S Q", real=True)
    return steps([
        "means",
        ("Cauchy-Schwarz, one term more: Q - 2aS + n a^2 is a sum of squares",
         same_operator((n + 1) * (Q + a**2) + S**2 + 2 * a * S, (S + a) ** 2 + n * Q + Q + n * a**2)),
        "lagging",
        ("Sigma_{i+1} = Sigma_i + L <= (1 + 1/start) Sigma_i: L <= I, Sigma_i >= start I",
         at_least(lag * (start + t), start + t + 1, t)),
        "in step",
        ("log(1 + i/(start d)) <= log(1 + i/d)", at_least(1 + x, 1 + x / start, x)),
        "lagging",
        ("lagging: tr(M^{-1} X) <= tr X/start for M >= start I", at_least(x / start, x / (start + t), t, x)),
        "in step",
        ("the constant (1/start)/log(1 + 1/start) <= 2",
         below(Rational(1, start) / factor, log(1 + Rational(1, start)))),
        "lagging",
        ("lagging: lag times that <= 2", below(lag / start / factor, log(1 + Rational(1, start)))),
    ], scope="all d, all i, all policies; exact covariances")


@claim("eq-i-max", method="exhaustive", refutes=True, false={"log(2d/nu)": {"logarithm": lambda dim, nu: 2 * dim / nu}})
def printed_i_max_is_zero(text, logarithm=lambda dim, nu: dim / nu):
    """d = nu = 1; no policy at all: log(d/nu) = 0 for every c_i; and near nu = 1 even c_i = 10^6 gives 2 log(1+z)/z >
    nu^4/64 at d = 1."""
    nu = 1 - Fraction(1, 10**9)
    z = 10**6 / nu**4 * enclosure(logarithm(1, nu))[1]  # i_max/d, from above
    needed = 2 * enclosure(1 + z)[0] / z
    zero = enclosure(Fraction(logarithm(1, Fraction(1))))[1] <= Fraction(1, 2**40)
    zero &= text(r"i_{\max}=", {NU_MIN: sympy.Integer(1)}, c_i=sympy.Symbol("c_i"), d=1) == 0
    largest = text(r"\sqrt{2\,\frac{d\log(1+i_{\max}/d)}{i_{\max}}}\le", {NU_MIN: nu}) ** 2
    return Evidence(needed if zero else Fraction(0), 50 * largest, "lower",
                    "d = 1, nu = 1 and nu = 1 - 1e-9, c_i = 10^6", detail="2 log(1+z)/z has to be at most nu^4/64")


@claim("res-i-max", false={"c_i = 1200": {"fewer": 100}})
def certified_number_of_policies(text, fewer=0):
    """c_i = 1300, and no d in the logarithm: 128 nu^{-4} log(1+z) <= z at z = 1300 nu^{-4} log(2/nu): value at nu = 1,
    slope in log(2/nu), enclosures."""
    nu = sympy.Symbol("nu", positive=True)
    constant = multiple(text(r"i\ge", d=d, nu=nu), d / nu**4 * log(2 / nu), "i") - fewer
    left, right = (side**2 for side in text.sides(r"\sqrt{2\,\frac{d\log(1+i/d)}i}\le", d=d, i=i, nu=nu))
    factor = multiple(left / right, d * log(1 + i / d) / i / nu**4, "the condition")
    return [*iterations(constant, factor, 4),
            ("more iterations do no harm: z >= 128 nu^{-4} - 1 already", below(factor, constant * log(2)))]


@claim("ineq-step-one")
def stopping_rule_bounds_the_uncertainty(text):
    """From the stopping rule to the true uncertainty: V*(R) is at most V*(R~) + nu^2/8, so at most nu^2/2 at the
    iteration where V <= 3 nu^2/8."""
    threshold = multiple(text(r"V_{h,i+1}\le", {NU_MIN: NU}), NU2, "the threshold")
    bound = text(r"\max_\pi\mathbb E_\pi\|\phi\|_{\Sigma^{-1}}\le", {NU_MIN: NU})
    share = multiple(bound, NU2, "the bound") ** 2
    with_four = text("", {"I": sympy.Integer(1)}, after="was computed with")
    value, error = threshold * NU2 / (1 + t), NU2 / 8 / (1 + u)
    close = threshold + Rational(1, 45)  # (29) by relative perturbation: nu^4/45 <= nu^2/45
    doubled = perturbation.eigenvalue_from_norm(1, close**2, with_four)  # A >= doubled I where the loop stopped with 4I
    return steps([
        "stop",
        ("max over policies of E R <= max E R~ + sup|R - R~|: R <= R~ + error per feature",
         at_least(x + v, x + v / (1 + t), x, v, t)),
        ("V + nu^2/8 <= nu^2/2", at_least(bound, value + error, s, t, u)),
        "one covariance earlier",
        ("one covariance earlier: Sigma_{i+1} <= (3/2) Sigma_i", at_least(Rational(3, 2) * (2 + t), 2 + t + 1, t)),
        ("and (3/8 + 1/45) sqrt(3/2) <= 1/2", at_most(close**2 * Rational(3, 2), share)),
        "printed matrix",
        ("with 4I, as printed: A >= (1/(3/8 + 1/45)^2 - 4) I > 0", less_than(0, doubled)),
        ("(4 + x)/(2 + x) falls in x",
         at_least((with_four + x) / (2 + x), (with_four + x + t) / (2 + x + t), x, t)),
        ("so that 2I costs at most nu^2/2", at_most(close**2 * (with_four + doubled) / (2 + doubled), share)),
    ], scope="all 0 < nu <= 1, on the event, with |R~ - R| as in the repaired (29)")
