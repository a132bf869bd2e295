"""These checks refute eight slips in Appendix E that change no result, each by the smallest case that shows it.

They concern a matrix without a ridge, an equality under a cap, a sign, two logarithms, a missing hat, the range of n in
Lemma E.14, and the order of the factors in a decomposition.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, claim, printed

Q = sympy.Rational


@claim("text-unregularised", method="exhaustive", refutes=True,
       as_corrected={"I added, as Algorithm 2 does": {"ridge": 1}})
def unregularised_matrix_is_singular(text, ridge=0, N=9):
    """The determinant for one direction: The determinant of the printed sum, d = 2, for N equal features e_1; `ridge`
    times I is added."""
    feature = sympy.ImmutableMatrix([1, 0])
    summed = text("", {r"\sum_n": N, r"\phi_{t,n}": feature, r"\phi_{t,n}^\top": feature.T}, after="The matrices")
    return Evidence((ridge * sympy.eye(2) + summed).det(), 0, "identity", "d = 2, every feature e_1")


@claim("ineq-cap-equality", method="exhaustive", refutes=True,
       as_corrected={"at most |x - v|": {"relation": operator.le}})
def cap_shortens_the_error(text, relation=operator.eq):
    """Predictions above the cap: |min{x, 1} - v| against |x - v| for predictions x up to 2 and values v in the range of
    the text."""
    quarters, allowed = [Fraction(k, 4) for k in range(-8, 9)], text.range("v")
    pairs = list(product(quarters, [v for v in quarters[8:] if v in allowed]))
    wrong = [(x, v) for x, v in pairs if not relation(*text.sides(
        r"|\min\{\phi^\top\hat w,1\}-v|=", {r"\phi^\top\hat w": x}, v=v))]
    capped = len(quarters[13:]) * len(quarters[8:13])  # x > 1, where the left side is shorter for all 0 <= v <= 1
    return Evidence(len(wrong), capped, "identity", f"{len(pairs)} pairs (x, v)", detail="x = 2, v = 1: 0 and 1")


@claim("ineq-perturbation-sign", method="exhaustive", refutes=True,
       as_corrected={"minus": lambda: {"text": printed("ineq-perturbation-sign").text().edit(r"]+\bigl", r"]-\bigl")}})
def sign_of_the_perturbation(text):
    """Two samples in one dimension: d = 1, N = 2, phi^2 is 0 or 1 evenly, 1 was seen twice: what Sigma_h exceeds the
    printed sum by."""
    mean, seen = Fraction(1, 2), 2
    true, summed = text.sides(r"\Sigma_h=", {r"\Sigma_h": 1 + seen, r"\mathbb E_{mix}[\phi\phi^\top]": mean,
                                            r"\Sigma_h^-": seen}, I=1, N=2)
    return Evidence(true - summed, 2, "identity", "d = 1, N = 2")


@claim("text-lost-horizon", method="exhaustive", refutes=True, false={"one layer, where the horizon is 1": {"H": 1}})
def argument_loses_the_horizon(text, d=3, H=2):
    """The arguments of the two logarithms: The printed step needs its left side to be at most the right one; e to a
    quarter of their difference at N = 1."""
    left, right = text.relation(r"4\sqrt N\log\frac{8dH}\delta", N=Q(1), d=d, H=H, delta=Q(1, 2)).ordered
    return Evidence(sympy.simplify(sympy.exp((left - right) / 4)), 2, "identity", "d = 3, H = 2, delta = 1/2")


@claim("text-batch-log-power", refutes=True, as_corrected={"the second power, as in the final N": {"claimed": 2}})
def logarithm_is_squared(text, claimed=1):
    """The power of the logarithm in the first term of N: Degree in l of the printed expression, where i_max and beta^2
    bring one l each, against one more than claimed."""
    H, d, nu, epsilon, root = sympy.symbols("H d nu epsilon r", positive=True)  # l = r^2
    xi = text(r"\xi=", epsilon=epsilon, beta=d * H * root)
    size = text("", {r"\nu_{\min}": nu, r"i_{\max}": d / nu**4 * root**2, r"\xi": xi}, after="(As printed.)", H=H)
    order = text(r"", {r"\nu_{\min}": nu, "O": lambda order: order}, after=r"2\beta}$ is", H=H, d=d, epsilon=epsilon)
    left = sympy.simplify(size / order)  # a constant times a power of l, if the order is right in all else
    power = Q(sympy.degree(left, root), 2) if left.free_symbols <= {root} else 0
    return Evidence(power, claimed + 1, "lower", "all d, H, nu, epsilon")


@claim("ineq-missing-hat", method="exhaustive", refutes=True,
       false={"a bonus that is larger than all errors": {"bonus": 10**6}},
       as_corrected={"the estimated value at step 2": {"hat": True}})
def error_of_the_second_layer_is_lost(text, hat=False, bonus=10):
    """A second layer that was not seen: H = 3, N = 9999: the error 1/2 against beta' |e_1| = bonus/100, plus the error
    of layer 2 if it has its hat.

    In layer 2 the value of the policy is that of its action there, Q_2^pi(s_2, pi(s_2)); both are 1/2.
    """
    truth, estimate = Fraction(1, 2), 0  # of the reward (1 + phi_i phi_j)/2 at phi_i phi_j = 0; no sample of e_2
    error, claimed = text.relation(r"|\hat V_1^\pi(s_1)-V_1^\pi(s_1)|", {
        r"\hat V_1^\pi(s_1)": estimate, r"V_1^\pi(s_1)": truth, r"\beta'": bonus,
        r"\|\phi(s_1,a_1)\|_{\Sigma_1^{-1}}": Fraction(1, 100),  # |e_1| = 1/sqrt(1 + N)
        r"\mathbb E\,|V^\pi(s_2)-Q_2^\pi(s_2,\pi(s_2))|": abs((estimate if hat else truth) - truth)}).ordered
    return Evidence(error, claimed, "lower", "d = 2, H = 3, N = 9999, beta' = 10")


@claim("text-blow-up-range", method="exhaustive", refutes=True,
       as_corrected={"n = 2, because Lemma E.13 requires n > 1": {"n": Fraction(2)}})
def less_data_is_not_more(text, lemma=printed("lem-blow-up"), n=Fraction(1, 100), A=8):
    """A hundredth of the data: d = phi = nu = c = 1: the squares of both sides, with eps~ = |phi|_{(1 + A)^{-1}} = 1/3
    <= nu^2/2."""
    tilde = Fraction(1, 3)  # 1/sqrt(1 + A)
    bound = lemma(r"\max_\pi\mathbb E_\pi\|\phi\|_{(cI+nA)^{-1}}\le", {r"\tilde\epsilon": tilde}, c=1, n=n)
    left = 1 / (1 + n * A) if n in text.range("n") and text.range("n").low == 0 else 0
    return Evidence(left, Fraction(bound**2).limit_denominator(10**9), "lower", "d = 1, c = 1, A = 8, eps~ = 1/3")


@claim("text-svd-order", method="exhaustive", refutes=True, as_corrected={"A = U S U^T": {"columns": True}})
def trace_in_the_wrong_basis(text, columns=False):
    """The trace in the wrong basis: Tr((2I + A)^{-1} E) - Tr((2I + S)^{-1} U^T E U) for a rotation U, S = diag(1, 4); A
    = U^T S U or U S U^T."""
    U = sympy.ImmutableMatrix([[Q(3, 5), Q(4, 5)], [Q(-4, 5), Q(3, 5)]])
    turned = U.T if columns else U
    letters = {r"\Sigma": sympy.ImmutableMatrix([[1, 0], [0, 4]]), "I": U * U.T,
               "E": sympy.ImmutableMatrix([[Q(1, 2), Q(1, 4)], [Q(1, 4), Q(1, 2)]])}
    A = text("A=", letters | {"U": turned, r"U^\top": turned.T})
    left, right = text.sides(r"\operatorname{Tr}\bigl((cI+A)^{-1}E\bigr)=",
                             letters | {"A": A, "U": U, r"U^\top": U.T, "Tr": sympy.trace}, c=2)
    return Evidence(abs(left - right), Fraction(2, 25), "identity", "d = 2, c = 2, one rotation")
