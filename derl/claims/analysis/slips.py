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
def unregularised_matrix_is_singular(said=printed("text-unregularised"), ridge=0, N=9) -> Evidence:
    """The determinant of the printed sum, d = 2, for N equal features e_1; `ridge` times I is added."""
    feature = sympy.ImmutableMatrix([1, 0])
    summed = said("", {r"\sum_n": N, r"\phi_{t,n}": feature, r"\phi_{t,n}^\top": feature.T}, after="The matrices")
    return Evidence((ridge * sympy.eye(2) + summed).det(), 0, "identity", "d = 2, every feature e_1")


control(unregularised_matrix_is_singular, "I added, as Algorithm 2 does", {"ridge": 1}, variant="corrected")


@check("ineq-cap-equality", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Predictions above the cap")
def cap_shortens_the_error(relation=operator.eq, said=printed("ineq-cap-equality", says=["for all"])) -> Evidence:
    """|min{x, 1} - v| against |x - v| for predictions x up to 2 and values v in the range of the text."""
    quarters, allowed = [Fraction(k, 4) for k in range(-8, 9)], said.range("v")
    pairs = list(product(quarters, [v for v in quarters[8:] if v in allowed]))
    wrong = [(x, v) for x, v in pairs if not relation(*said.sides(
        r"|\min\{\phi^\top\hat w,1\}-v|=", {r"\phi^\top\hat w": x}, v=v))]
    capped = len(quarters[13:]) * len(quarters[8:13])  # x > 1, where the left side is shorter for all 0 <= v <= 1
    return Evidence(len(wrong), capped, "identity", f"{len(pairs)} pairs (x, v)", detail="x = 2, v = 1: 0 and 1")


control(cap_shortens_the_error, "at most |x - v|", {"relation": operator.le}, variant="corrected")


@check("ineq-perturbation-sign", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Two samples in one dimension")
def sign_of_the_perturbation(said=printed("ineq-perturbation-sign")) -> Evidence:
    """d = 1, N = 2, phi^2 is 0 or 1 evenly, 1 was seen twice: what Sigma_h exceeds the printed sum by."""
    mean, seen = Fraction(1, 2), 2
    true, summed = said.sides(r"\Sigma_h=", {r"\Sigma_h": 1 + seen, r"\mathbb E_{mix}[\phi\phi^\top]": mean,
                                            r"\Sigma_h^-": seen}, I=1, N=2)
    return Evidence(true - summed, 2, "identity", "d = 1, N = 2")


control(sign_of_the_perturbation, "minus", lambda: {
    "said": printed("ineq-perturbation-sign").text().edit(r"]+\bigl", r"]-\bigl")}, variant="corrected")


@check("text-lost-horizon", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The arguments of the two logarithms")
def argument_loses_the_horizon(said=printed("text-lost-horizon"), d=3, H=2) -> Evidence:
    """The printed step needs its left side to be at most the right one; e to a quarter of their difference at N = 1."""
    left, right = said.sides(r"4\sqrt N\log\frac{8dH}\delta\le", N=Q(1), d=d, H=H, delta=Q(1, 2))
    return Evidence(sympy.simplify(sympy.exp((left - right) / 4)), 2, "identity", "d = 3, H = 2, delta = 1/2")


control(argument_loses_the_horizon, "one layer, where the horizon is 1", {"H": 1})


@check("text-batch-log-power", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The power of the logarithm in the first term of N")
def logarithm_is_squared(said=printed("text-batch-log-power"), claimed=1) -> Evidence:
    """Degree in l of the printed expression, where i_max and beta^2 bring one l each, against one more than claimed."""
    H, d, nu, epsilon, root = sympy.symbols("H d nu epsilon r", positive=True)  # l = r^2
    xi = said(r"\xi=", epsilon=epsilon, beta=d * H * root)
    size = said("", {r"\nu_{\min}": nu, r"i_{\max}": d / nu**4 * root**2, r"\xi": xi}, after="(As printed.)", H=H)
    order = said(r"", {r"\nu_{\min}": nu, "O": lambda order: order}, after=r"2\beta}$ is", H=H, d=d, epsilon=epsilon)
    left = sympy.simplify(size / order)  # a constant times a power of l, if the order is right in all else
    power = Q(sympy.degree(left, root), 2) if left.free_symbols <= {root} else 0
    return Evidence(power, claimed + 1, "lower", "all d, H, nu, epsilon")


control(logarithm_is_squared, "the second power, as in the final N", {"claimed": 2}, variant="corrected")


@check("ineq-missing-hat", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="A second layer that was not seen")
def error_of_the_second_layer_is_lost(said=printed("ineq-missing-hat", says=["last"]), hat=False, bonus=10) -> Evidence:
    """H = 3, N = 9999: the error 1/2 against beta' |e_1| = bonus/100, plus the error of layer 2 if it has its hat.

    In layer 2 the value of the policy is that of its action there, Q_2^pi(s_2, pi(s_2)); both are 1/2.
    """
    truth, estimate = Fraction(1, 2), 0  # of the reward (1 + phi_i phi_j)/2 at phi_i phi_j = 0; no sample of e_2
    error, claimed = said.sides(r"|\hat V_1^\pi(s_1)-V_1^\pi(s_1)|\le", {
        r"\hat V_1^\pi(s_1)": estimate, r"V_1^\pi(s_1)": truth, r"\beta'": bonus,
        r"\|\phi(s_1,a_1)\|_{\Sigma_1^{-1}}": Fraction(1, 100),  # |e_1| = 1/sqrt(1 + N)
        r"\mathbb E\,|V^\pi(s_2)-Q_2^\pi(s_2,\pi(s_2))|": abs((estimate if hat else truth) - truth)})
    return Evidence(error, claimed, "lower", "d = 2, H = 3, N = 9999, beta' = 10")


control(error_of_the_second_layer_is_lost, "the estimated value at step 2", {"hat": True}, variant="corrected")
control(error_of_the_second_layer_is_lost, "a bonus that is larger than all errors", {"bonus": 10**6})


@check("text-blow-up-range", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="A hundredth of the data")
def less_data_is_not_more(said=printed("text-blow-up-range", says=["for every"]), lemma=printed("lem-blow-up"),
                          n=Fraction(1, 100), A=8) -> Evidence:
    """d = phi = nu = c = 1: the squares of both sides, with eps~ = |phi|_{(1 + A)^{-1}} = 1/3 <= nu^2/2."""
    tilde = Fraction(1, 3)  # 1/sqrt(1 + A)
    bound = lemma(r"\max_\pi\mathbb E_\pi\|\phi\|_{(cI+nA)^{-1}}\le", {r"\tilde\epsilon": tilde}, c=1, n=n)
    left = 1 / (1 + n * A) if n in said.range("n") and said.range("n").low == 0 else 0
    return Evidence(left, Fraction(bound**2).limit_denominator(10**9), "lower", "d = 1, c = 1, A = 8, eps~ = 1/3")


control(less_data_is_not_more, "n = 2, because Lemma E.13 requires n > 1", {"n": Fraction(2)}, variant="corrected")


@check("text-svd-order", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The trace in the wrong basis")
def trace_in_the_wrong_basis(said=printed("text-svd-order", says=["orthogonal"]), columns=False) -> Evidence:
    """Tr((2I + A)^{-1} E) - Tr((2I + S)^{-1} U^T E U) for a rotation U, S = diag(1, 4); A = U^T S U or U S U^T."""
    U = sympy.ImmutableMatrix([[Q(3, 5), Q(4, 5)], [Q(-4, 5), Q(3, 5)]])
    turned = U.T if columns else U
    letters = {r"\Sigma": sympy.ImmutableMatrix([[1, 0], [0, 4]]), "I": U * U.T,
               "E": sympy.ImmutableMatrix([[Q(1, 2), Q(1, 4)], [Q(1, 4), Q(1, 2)]])}
    A = said("A=", letters | {"U": turned, r"U^\top": turned.T})
    left, right = said.sides(r"\operatorname{Tr}\bigl((cI+A)^{-1}E\bigr)=",
                             letters | {"A": A, "U": U, r"U^\top": U.T, "Tr": sympy.trace}, c=2)
    return Evidence(abs(left - right), Fraction(2, 25), "identity", "d = 2, c = 2, one rotation")


control(trace_in_the_wrong_basis, "A = U S U^T", {"columns": True}, variant="corrected")
