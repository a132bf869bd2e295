"""These checks establish Lemmas E.10 and E.11 (random sums, perturbed inverses), and refute and repair Lemma E.12.

Matrix Bernstein is cited, and tried on sums of random signs. Lemma E.11 is established for A >= I; that its premise
holds where the paper uses it is refuted. `skewed` is an instance with data on which Lemma E.12 fails.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.claims.layerwise.symbols import number
from derl.estimation.covariance import backward_pass
from derl.estimation.design import Design
from derl.exact import matrices
from derl.exact.compared import every, exactly, less_than
from derl.exact.logarithms import enclosure
from derl.exact.quotients import simplified
from derl.exact.symbolic import at_least, equal, nonnegative, same_operator
from derl.mdp.exact import ExactMDP
from derl.printed import Text
from derl.theory.analysis import perturbation
from derl.theory.analysis.covers import root_bounds

s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
A, P = sympy.symbols("A P", commutative=False)


# --- Lemma E.10 --------------------------------------------------------------------------------------------------

@claim("lem-matrix-bernstein", method="exhaustive", covers="sums of up to 24 random signs",
       gap="the theorem itself is cited", plants=2,
       false={"four times the exponent": {"strength": Fraction(1, 4)}})
def bernstein_for_random_signs(text, strength=1):
    """Signs on commuting and on anti-commuting matrices: P(|sum +-S_k| >= t) against the printed tail, for S_k = (1)
    and for two reflections of the plane in turn.

    `strength` divides the printed exponent.
    """
    broken = tried = 0
    side, level, variance, largest = sympy.symbols("side level variance largest", positive=True)
    tail = text(r"\mathbb P(\|Z\|\ge t)\le", d_1=side, d_2=side, t=level, v=variance, L=largest)
    lowest = text.range("t").low
    front = _linear(tail.subs(level, lowest), side)
    quotient = sympy.together(sympy.expand_log(sympy.log(tail / tail.subs(level, lowest)), force=True))
    above, below = (sympy.lambdify((level, variance, largest), part) for part in sympy.fraction(quotient))
    for dim, n in [(1, n) for n in range(1, 25)] + [(2, n) for n in range(2, 18, 2)]:
        mass, scale = _squared_norms(dim, n), _scale(text, n)
        for square in sorted(mass):
            result = Fraction(sum(weight for key, weight in mass.items() if key >= square), 2**n)
            large = root_bounds(Fraction(square))[1]  # t from above: the exponent grows with t
            exponent = Fraction(above(large, *scale)) / below(large, *scale) / strength
            broken += enclosure(result)[1] > enclosure(front * dim)[0] + exponent
            tried += 1
    return Evidence(broken, 0, "upper", f"{tried} tails, n up to 24 signs, d = 1 and 2, v = n, L = 1")


def _linear(value, letter) -> Fraction:
    """The number of times that a value is a letter."""
    return Fraction(str(number(sympy.simplify(value / letter))))


def _scale(text: Text, n: int) -> tuple[Fraction, Fraction]:
    """v and L of n signed matrices whose squares are the identity."""
    squares = {r"\|\mathbb E ZZ^*\|": Fraction(n), r"\|\mathbb E Z^*Z\|": Fraction(n)}
    return text("v=", squares), text(r"\|S_k\|\le", L=1)


def _squared_norms(dim: int, n: int) -> dict[int, int]:
    """|sum of n signed matrices|^2 -> number of sign patterns.

    For dim 2 the reflections diag(1, -1) and [[0, 1], [1, 0]]: (a diag(1, -1) + b [[0, 1], [1, 0]])^2 = (a^2 + b^2) I.
    """
    signs = {k: comb(n // dim, (n // dim + k) // 2) for k in range(-n // dim, n // dim + 1, 2)}
    mass: dict[int, int] = {}
    for (a, p), (b, q) in product(signs.items(), signs.items() if dim == 2 else [(0, 1)]):
        mass[a * a + b * b] = mass.get(a * a + b * b, 0) + p * q
    return mass


@claim("lem-matrix-bernstein", method="exhaustive", covers="means of up to 24 random signs",
       gap="the theorem itself is cited", plants=6,
       false={"half the variance under the root": {"variance": Fraction(1, 4)}})
def bernstein_mean_for_random_signs(text, variance=1):
    """The mean of the norm: E|sum +-S_k| against the printed bound for the same matrices; counts where it is larger.
    `variance` times v."""
    broken = tried = 0
    logarithm, v, L, side = sympy.symbols("logarithm v L side", positive=True)
    bound = text(r"\mathbb E\|Z\|\le", v=v, L=L, d_1=side, d_2=side)
    front = _linear(sympy.exp(next(iter(bound.atoms(sympy.log)))), side)
    bound = bound.replace(sympy.log, lambda inside: logarithm)
    under = _linear(sympy.expand(bound.subs(L, 0) ** 2), v * logarithm)
    added = _linear(sympy.expand(bound - bound.subs(L, 0)), L * logarithm)
    for dim, n in [(1, n) for n in range(1, 25)] + [(2, n) for n in range(2, 18, 2)]:
        mean = sum(weight * root_bounds(Fraction(key))[1] for key, weight in _squared_norms(dim, n).items()) / 2**n
        low = enclosure(front * dim)[0]
        scale, largest = _scale(text, n)
        broken += mean > root_bounds(under * variance * scale * low)[0] + added * largest * low
        tried += 1
    return Evidence(broken, 0, "upper", f"{tried} means, n up to 24 signs, d = 1 and 2, v = n, L = 1")


# --- Lemmas E.11 and E.12 ----------------------------------------------------------------------------------------

@claim("lem-matrix-perturbation")
def perturbed_inverse_is_close(text):
    """Resolvent identity and three norms: P^{-1} - A^{-1} = P^{-1} (A - P) A^{-1}, norms 1/(1 - de), de, 1; |p - q|^2
    <= |p^2 - q^2|. Sharp as A -> I."""
    bound = text.function(r"|\phi^\top(A_+^{-1}-A^{-1})\phi|\le", "d", r"\epsilon")
    roots = text.function(r"\big|\|\phi\|_{A_+^{-1}}-\|\phi\|_{A^{-1}}\big|\le", "d", r"\epsilon")
    size, e, norm = sympy.symbols("size e norm", positive=True)
    z = sympy.cancel(size * text.range(r"\epsilon", d=size).high) / (1 + t)  # d e < 1
    least = text(r"A\succ", {"I": sympy.Integer(1)}) + s - z  # x^T P x >= x^T A x - d e with A >= I
    entry = text(r"|\Delta_{ij}|\le", epsilon=e)
    signs = [text(r"x^\top A_+x>"), text(r"A_+\succ")]
    length = text(r"\|\phi\|\le")
    outcomes = [
        "inverse exists",
        ("|Delta|_F^2 <= d^2 e^2: d^2 entries of size e/(1+s)",
         at_least((1 + t) ** 2 * x**2, (1 + t) ** 2 * (x / (1 + s)) ** 2, s, t, x)),
        ("|phi^T Delta phi| <= d e for |phi| <= 1",
         equal(text(r"|\phi^\top(A_+-A)\phi|\le", d=size, epsilon=e), sympy.sqrt(size**2 * entry**2) * length**2)),
        ("x^T P x >= 1 - d e > 0",
         every(at_least(least + z, 1, s, t), *(at_least(1 - z, sign, t) for sign in signs))),
        "identity",
        ("P = A + Delta", same_operator(text("A_+=", {"A": A, r"\Delta": P - A}), P)),
        ("P^{-1} - A^{-1} = P^{-1} (A - P) A^{-1}", same_operator(P**-1 * (A - P) * A**-1, P**-1 - A**-1)),
        ("|P^{-1}| |A - P| |A^{-1}| <= d e/(1 - d e)",
         at_least(bound(1, x / (1 + x)), length**2 * x / (1 + x) / (1 - x / (1 + x) + s), s, x)),
        "norm",
        ("norms of P and of its inverse: the triangle inequality",
         every(equal(text(r"\|A_+\|\le", {r"\|A\|": norm}, d=size, epsilon=e), norm + size * entry),
               equal(text(r"\|A_+^{-1}\|\ge", {r"\|A^{-1}\|": norm}, d=size, epsilon=e), norm - bound(size, e)))),
        ("|p - q|^2 <= |p^2 - q^2| for p >= q >= 0", same_operator((u + v) ** 2, u**2 + v**2 + 2 * u * v)),
        ("the square of the bound on the norms", at_least(roots(1, x / (1 + x)) ** 2, bound(1, x / (1 + x)), x)),
    ]
    for size, e in ((2, Fraction(1, 3)), (3, Fraction(1, 5)), (5, Fraction(1, 6))):  # the limit A = I
        near = [[Fraction(int(i == j)) - e for j in range(size)] for i in range(size)]
        difference = perturbation.squared_norm(near, [1] * size) / size - 1
        outcomes.append((f"equality at A = I, d = {size}", exactly(difference, bound(size, e))))
    return steps(outcomes, scope="all d, all A >= I, all Delta with entries of size at most e < 1/d, symmetric or not")


@claim("err-perturbation-premise", method="exhaustive", refutes=True,
       false={"N = 2, where beta'^2 > N + 1": {"samples": 2}},
       as_corrected={"at least beta'^2/(N + 1)": {"level": Fraction(2**2, 16)}})
def bonus_matrix_is_not_above_the_identity(text, samples=15, level=1):
    """d = 1, beta' = 2, N = 15: beta'^2 Sigma^{-1} for N = 15 samples of phi = 1 is 1/4; Lemma E.11 requires more than
    `level` times I = 1."""
    matrix = text("A=", {r"\beta'": 2, r"\Sigma_t^{-1}": Fraction(1, 1 + samples)})
    return Evidence(matrix / (level * text(r"A\succ", I=1)), Fraction(1, 4), "identity",
                    "d = 1, beta' = 2, N = 15, phi = 1")


def skewed(size=99, seen=5):
    """s1 leads to x with probability 99/100 and to y; features e_1 and e_2. In the data `seen` of `size` reached y."""
    one, none = Fraction(1), Fraction(0)
    phi = np.full((2, 3, 1, 2), none, dtype=object)
    phi[..., 0] = one
    phi[1, 2, 0] = [none, one]
    mu = np.full((2, 2, 3), none, dtype=object)
    mu[0, 0, 1:] = [Fraction(99, 100), Fraction(1, 100)]
    mu[1, :, 0] = one
    mdp = ExactMDP(phi, mu, np.zeros((2, 2), dtype=int), np.array([one, none, none], dtype=object))
    counts = np.zeros((3, 1, 3), dtype=object)
    counts[0, 0, 1:] = [size - seen, seen]
    return mdp, counts


@claim("lem-covariance-inverse", method="exhaustive", refutes=True,
       false={"both matrices plus I, where the lemma is true": {"regularisation": 1}})
def inverse_of_a_small_covariance(text, regularisation=0):
    """Algorithm 6 on exact data; 4.99 against 0.82: Difference of the norms of e_2, from below, for the covariance of
    the only policy and for its estimate.

    Every action has the same feature e_1 in layer 1, so the uncertainty there is (1 + N)^{-1/2} = 1/10 for every
    policy, and the induction condition holds with xi = 1/5 for h = H = 2.
    """
    mdp, counts = skewed()
    Sigma_inverse, operator = matrices.ridge(mdp.phi[0], counts)
    estimate = backward_pass([mdp.phi[h, :, 0] for h in (0, 1)], [Design(None, operator)], mdp.initial, "as-printed")
    one, other = (sympy.ImmutableMatrix(2, 2, lambda i, j, place=place: int(i == j == place)) for place in (0, 1))
    mean = text(r"\Lambda^\pi_h=", {r"\mathbb E_\pi[\phi\phi^\top]": sympy.Rational(99, 100) * one + other / 100})
    truth = np.array([[Fraction(int(x.p), int(x.q)) for x in mean.row(i)] for i in (0, 1)], dtype=object)
    xi = 2 * root_bounds(Sigma_inverse[0, 0])[1]  # (h-1)/H xi is the uncertainty of layer 1
    entry = np.abs(truth - estimate).max()
    premise = entry <= xi / 2 and 2 * xi < 1
    shift = regularisation * np.array([[1, 0], [0, 1]], dtype=object)
    norms = [root_bounds(perturbation.squared_norm(matrix + shift, [0, 1])) for matrix in (truth, estimate)]
    difference, printed_bound = text.relation(
        r"\big|\|\phi\|_{(\Lambda^\pi)^{-1}}-\|\phi\|_{(\hat\Lambda^\pi)^{-1}}\big|", {
            r"\|\phi\|_{(\Lambda^\pi)^{-1}}": sympy.Rational(norms[0][0]),
            r"\|\phi\|_{(\hat\Lambda^\pi)^{-1}}": sympy.Rational(norms[1][1]),
            r"\epsilon": sympy.Rational(xi)}, d=2).ordered
    bound = root_bounds(number(printed_bound**2))[1]
    premise = premise and 1 <= text(r"\|\phi\|\le")  # of e_2
    return Evidence(difference if premise else Fraction(0), 5 * bound, "lower",
                    "d = 2, H = 2, N = 99, 5 of them at y; xi = 1/5",
                    detail=f"entry error {entry}, printed bound {float(bound):.3f}, claimed is five times that")


@claim("res-covariance-inverse", covers="d = 2, 3, where the squares attain the bound", gap="instances", plants=3,
       false={"the bound of the lemma, for a < 1 too": {"root": True}})
def squares_attain_the_bound(text, root=False):
    """Equality of the squares: L = 0 and L^ = -e in all entries, d = 2, 3; and the bound of the lemma for a >= 1."""
    def bound(a, z):
        """Square of the printed bound at d epsilon = z, or at a = 1."""
        return text("", after="differ by at most", a=1 if root else a, epsilon=sympy.sympify(z), d=1) ** 2

    one, large = t / (1 + t), text(r"a\ge") + s  # d e < 1
    outcomes = [("a >= 1: at most the bound of the lemma", nonnegative(simplified(
        one / (1 - one) - bound(large, one)), s, t)), ("any a > 0", exactly(text.range("a", after="Let").low, 0))]
    for size, e, least in ((2, Fraction(1, 3), Fraction(1)), (3, Fraction(1, 10), Fraction(1, 2))):
        near = [[least * int(i == j) - e for j in range(size)] for i in range(size)]
        difference = perturbation.squared_norm(near, [1] * size) / size - 1 / least
        outcomes += [(f"d = {size}", exactly(difference, bound(least, size * e))),
                     (f"d = {size}: the entries are allowed", every(
                         less_than(e, text.range(r"\epsilon", a=least, d=size).high), exactly(
                             text(r"|\hat\Lambda_{ij}-\Lambda_{ij}|\le", epsilon=e), e)))]
    return outcomes
