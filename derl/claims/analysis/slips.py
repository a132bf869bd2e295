"""These checks refute eight slips in Appendix E that change no result, each by the smallest case that shows it.

They concern a matrix without a ridge, an equality under a cap, a sign, two logarithms, a missing hat, the range of n in
Lemma E.14, and the order of the factors in a decomposition.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, check, control, printed

Q = sympy.Rational


@check("text-unregularised", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The determinant for one direction")
def unregularised_matrix_is_singular(ridge=0, N=9) -> Evidence:
    """det(ridge I + N e_1 e_1^T) for d = 2."""
    return Evidence((ridge * sympy.eye(2) + N * sympy.diag(1, 0)).det(), 0, "identity", "d = 2, every feature e_1")


control(unregularised_matrix_is_singular, "I added, as Algorithm 2 does", {"ridge": 1}, variant="corrected")


@check("ineq-cap-equality", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Predictions above the cap")
def cap_shortens_the_error(relation=operator.eq) -> Evidence:
    """|min{x, 1} - v| against |x - v| for predictions x up to 2 and values v up to 1."""
    quarters = [Fraction(k, 4) for k in range(-8, 9)]
    pairs = list(product(quarters, quarters[8:13]))
    wrong = [pair for pair in pairs if not relation(abs(min(pair[0], 1) - pair[1]), abs(pair[0] - pair[1]))]
    return Evidence(len(wrong), 1, "lower", f"{len(pairs)} pairs (x, v)", detail="x = 2, v = 1: 0 and 1")


control(cap_shortens_the_error, "at most |x - v|", {"relation": operator.le}, variant="corrected")


@check("ineq-perturbation-sign", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="One sample in one dimension")
def sign_of_the_perturbation(sign=1) -> Evidence:
    """d = N = 1, phi^2 is 0 or 1 evenly, 1 was seen: what Sigma_h exceeds the printed sum by."""
    mean, seen = Fraction(1, 2), 1
    return Evidence(1 + seen - (1 + mean + sign * (mean - seen)), 1, "identity", "d = 1, N = 1")


control(sign_of_the_perturbation, "minus", {"sign": -1}, variant="corrected")


@check("text-lost-horizon", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The arguments of the two logarithms")
def argument_loses_the_horizon(said=printed("text-lost-horizon"), d=2, H=2) -> Evidence:
    """The printed step needs its left side to be at most the right one; e to a quarter of their difference at N = 1."""
    left, right = said.sides(r"4\sqrt N\log\frac{8dH}\delta\le", N=Q(1), d=d, H=H, delta=Q(1, 2))
    return Evidence(sympy.simplify(sympy.exp((left - right) / 4)), Fraction(3, 2), "lower", "d = H = 2, delta = 1/2")


control(argument_loses_the_horizon, "one layer, where the horizon is 1", {"H": 1})


@check("text-batch-log-power", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The power of the logarithm in the first term of N")
def logarithm_is_squared(said=printed("text-batch-log-power"), claimed=1) -> Evidence:
    """Degree in l of the printed expression, where i_max and beta^2 bring one l each, against one more than claimed."""
    H, d, nu, epsilon, root = sympy.symbols("H d nu epsilon r", positive=True)  # l = r^2
    xi = said(r"\xi=", epsilon=epsilon, beta=d * H * root)
    size = said("", {r"\nu_{\min}": nu, r"i_{\max}": d / nu**4 * root**2, r"\xi": xi}, after="(As printed.)", H=H)
    return Evidence(Q(sympy.degree(sympy.expand(size), root), 2), claimed + 1, "lower", "all d, H, nu, epsilon")


control(logarithm_is_squared, "the second power, as in the final N", {"claimed": 2}, variant="corrected")


@check("ineq-missing-hat", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="A second layer that was not seen")
def error_of_the_second_layer_is_lost(hat=False, bonus=10) -> Evidence:
    """H = 3, N = 9999: the error 1/2 against beta' |e_1| = bonus/100, plus the error of layer 2 if it has its hat."""
    truth, estimate = Fraction(1, 2), 0  # of the reward (1 + phi_i phi_j)/2 at phi_i phi_j = 0; no sample of e_2
    first_layer = Fraction(bonus, 100)  # |e_1| = 1/sqrt(1 + N)
    second_layer = abs(estimate - truth) if hat else 0
    return Evidence(abs(estimate - truth), first_layer + second_layer, "lower", "d = 2, H = 3, N = 9999, beta' = 10")


control(error_of_the_second_layer_is_lost, "the estimated value at step 2", {"hat": True}, variant="corrected")
control(error_of_the_second_layer_is_lost, "a bonus that is larger than all errors", {"bonus": 10**6})


@check("text-blow-up-range", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="A hundredth of the data")
def less_data_is_not_more(n=Fraction(1, 100), A=8) -> Evidence:
    """d = phi = nu = c = 1: the squares of both sides, with eps~ = |phi|_{(1 + A)^{-1}} = 1/3 <= nu^2/2."""
    tilde = Fraction(1, 3)  # 1/sqrt(1 + A)
    return Evidence(1 / (1 + n * A), 2 / (1 + n) * tilde, "lower", "d = 1, c = 1, A = 8, eps~ = 1/3")


control(less_data_is_not_more, "n = 2, because Lemma E.13 requires n > 1", {"n": Fraction(2)}, variant="corrected")


@check("text-svd-order", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The trace in the wrong basis")
def trace_in_the_wrong_basis(columns=False) -> Evidence:
    """Tr((I + A)^{-1} E) - Tr((I + S)^{-1} U^T E U) for a rotation U, S = diag(1, 4); A = U^T S U or U S U^T."""
    U, S = sympy.Matrix([[Q(3, 5), Q(4, 5)], [Q(-4, 5), Q(3, 5)]]), sympy.diag(1, 4)
    E = sympy.Matrix([[Q(1, 2), Q(1, 4)], [Q(1, 4), Q(1, 2)]])
    A = U * S * U.T if columns else U.T * S * U
    one = sympy.eye(2)
    gap = ((one + A).inv() * E).trace() - ((one + S).inv() * U.T * E * U).trace()
    return Evidence(abs(gap), Fraction(18, 125), "identity", "d = 2, c = 1, one rotation")


control(trace_in_the_wrong_basis, "A = U S U^T", {"columns": True}, variant="corrected")
