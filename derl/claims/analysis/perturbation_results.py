"""These checks establish results beyond Lemmas E.11 to E.14: relative perturbation, sharp eigenvalues, sharp blow-up.

A policy is a distribution of the feature phi with |phi| <= 1, and nu^2 = min_{|u|=1} max_pi E (phi^T u)^2. Symbolic
steps work eigenvalue by eigenvalue; random layers are tried in float64.
"""

from __future__ import annotations

import numpy as np
import sympy

from derl.claims import Evidence, check, control, printed, steps
from derl.theory.analysis import perturbation
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.symbolic import at_least, equal, nonnegative

SEED = 20220813
ROUNDING = 1e-8  # relative error granted to float64 at condition numbers up to 1e6
NINE_TENTHS, HALF = sympy.Rational(9, 10), sympy.Rational(1, 2)

s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
b, c, e, lam = sympy.symbols("b c e lam", positive=True)


# --- relative perturbation, eigenvalues, blow-up -----------------------------------------------------------------

@check("res-relative-perturbation", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", plants=6,
       title="Delta <= eta I <= (eta/a) A")
def relative_perturbation_in_steps(share=1, said=printed("res-relative-perturbation", says=["symmetric"])) -> Evidence:
    """Quadratic forms on unit vectors, then inverses, then what it means for norms when eta is small."""
    norm = sympy.Symbol("norm", positive=True)
    a = 1 + t
    eta = said(r"\|\Delta\|\le\eta<", a=a) / (1 + s)
    form = said(r"A\succeq", {"I": sympy.Integer(1)}, a=a) * (1 + u)  # x^T A x >= a, |x| = 1
    change = share * said(r"\|\Delta\|\le", eta=eta)  # |x^T Delta x| at most
    values = {"a": a, "A": form, r"\eta": eta}
    low, least = said.sides(r"...\preceq", values | {r"\Delta": -change}, after="Then")
    most, high = said.sides(r"A+\Delta\preceq", values | {r"\Delta": change})
    pieces = {r"\|\phi\|_{A^{-1}}": norm, r"\|\phi\|_{(A+\Delta)^{-1}}": norm}
    shortest, longest = said.sides(r"...\le", pieces, after="Hence", a=b, eta=c)[0], said(
        r"\|\phi\|_{(A+\Delta)^{-1}}\le", pieces, a=b, eta=c)
    one = {"A": sympy.Integer(1), r"\Delta": 0, "a": b, r"\eta": c}  # eigenvalues of A^{-1/2} (A + Delta) A^{-1/2}
    smallest = said.sides(r"...\preceq", one, after="Then")[0]
    largest = said(r"A+\Delta\preceq", one)
    y = said(r"\eta\le", after="for", a=1) / (1 + v)  # eta/a
    least_factor, most_factor = (said("", after="a factor from", skip=skip, eta=y, a=1) for skip in (0, 1))
    return steps([
        "order",
        ("x^T (A + Delta) x >= (1 - eta/a) x^T A x", at_least(least, low, s, t, u)),
        ("x^T (A + Delta) x <= (1 + eta/a) x^T A x", at_least(high, most, s, t, u)),
        "inverse",
        ("inverses: k A <= P gives P^{-1} <= A^{-1}/k, per eigenvalue k + t of A^{-1/2} P A^{-1/2}",
         at_least(1 / c, 1 / (c + t), c, t)),
        ("at both ends of the eigenvalues: norms are roots of A^{-1}/k",
         every(equal(longest, norm / sympy.sqrt(smallest)), equal(shortest, norm / sympy.sqrt(largest)))),
        "roots",
        ("1/sqrt(1-y) <= 1 + y for y <= 1/2: (1+y)^2 (1-y) >= 1", at_least(most_factor**2 * (1 - y), 1, v)),
        ("1/sqrt(1+y) >= 1 - y: (1-y)^2 (1+y) <= 1", at_least(1, least_factor**2 * (1 + y), v)),
        ("without a change the factor is 1",
         exactly(tuple(said("", after="a factor from", skip=skip, eta=0, a=1) for skip in (0, 1)), (1, 1))),
    ], scope="all d, all symmetric A >= aI and Delta with |Delta| <= eta < a")


control(relative_perturbation_in_steps, "a change of 10/9 of eta", {"share": 1 / NINE_TENTHS})


@check("res-sharp-eigenvalue", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="One term of a sum of squares")
def every_direction_is_covered(said=printed("res-sharp-eigenvalue", says=["both"]), share=1) -> Evidence:
    """nu^2 <= max E|phi^T u| <= e sqrt(c + sigma), and nu^2 <= max E(phi^T u)^2 <= e_2 (c + sigma); sharp for d = 1."""
    sigma, nu2, others = sympy.symbols("sigma nu2 others", nonnegative=True)
    root = sympy.Symbol("root", positive=True)  # sqrt(c + sigma)

    def norm(reach, value, cost):
        """The printed eigenvalue where the largest norm is the root of `value`, at nu^2 = `reach`."""
        return said(r"A\succeq", {"I": 1, r"\nu": sympy.sqrt(reach), "e": sympy.sqrt(value)}, after=r"\le e$, then",
                    c=share * cost)

    def square(reach, value, cost):
        return said(r"A\succeq", {"I": 1, r"\nu": sympy.sqrt(reach), "e_2": value}, after=r"\le e_2$, then",
                    c=share * cost)

    largest = said(r"\max_\pi\mathbb E_\pi\|\phi\|_{(cI+A)^{-1}}\le", e=e)
    largest_square = said(r"\max_\pi\mathbb E_\pi\|\phi\|^2_{(cI+A)^{-1}}\le", {"e_2": e})
    reached = largest * root / (1 + s)  # nu^2 <= e root
    reached_squared = largest_square * (c + sigma) / (1 + s)  # nu^2 <= e_2 (c + sigma)
    return steps([
        "direction",
        ("(phi^T u)^2/(c+sigma) <= phi^T (cI+A)^{-1} phi, one term of two",
         at_least(t / (c + sigma) + u / (c + others), t / (c + sigma), t, u, c, others)),
        "square",
        ("y^2 <= y for 0 <= y <= 1", at_least(1 / (1 + t), 1 / (1 + t) ** 2, t)),
        "solution",
        ("nu^2 <= e root gives sigma = root^2 - c >= nu^4/e^2 - c",
         at_least(root**2, c + norm(reached, e**2, c), e, root, s)),
        ("nu^2 <= e_2 (c + sigma) gives sigma >= nu^2/e_2 - c",
         at_least(sigma, square(reached_squared, e, c), c, sigma, s)),
        ("for every A >= 0 and c > 0", every(exactly(said(r"A\succeq", after="u)^2$,"), 0),
                                             exactly(said.range("c").low, 0))),
        ("equality for d = 1, phi = 1: e = 1/root", equal(norm(1, 1 / root**2, c) + c, root**2)),
    ], scope="all d, all A >= 0, c > 0, every set of distributions of phi with |phi| <= 1; per unit eigenvector")


control(every_direction_is_covered, "nu^4/e^2 - (9/10) c", {"share": NINE_TENTHS})


def _layers(count: int, rng):
    """Random layers with covariances that accumulate, and their directional reach at the eigenvectors of A."""
    for _ in range(count):
        n_states, n_actions, dim = rng.integers(1, 5), rng.integers(1, 5), rng.integers(1, 6)
        phi = rng.normal(size=(n_states, n_actions, dim))
        phi *= (rng.uniform(0.05, 1, size=(n_states, n_actions, 1)) / np.linalg.norm(phi, axis=-1, keepdims=True))
        layer = perturbation.Layer(phi, rng.dirichlet(np.ones(n_states)))
        root = rng.normal(size=(dim, dim)) * 10 ** rng.uniform(-1, 2)
        yield layer, root @ root.T, float(10 ** rng.uniform(-2, 1)), float(10 ** rng.uniform(0, 4))


@check("res-sharp-eigenvalue", method="stress", arithmetic="float64", covers="random layers, d up to 5", gap="a sample",
       title="Eigenvector by eigenvector")
def random_layers_are_covered(shift=1.0) -> Evidence:
    """Largest (nu_u^4/e^2 - c)/sigma_u - 1 and its squared twin, over eigenvectors u, nu_u^2 = max_pi E(phi^T u)^2."""
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


control(random_layers_are_covered, "nu^4/e^2 - 0.9 c", {"shift": 0.9})


@check("res-sharp-blow-up", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", plants=6,
       title="Domination with two regularisations")
def blow_up_in_steps(said=printed("res-sharp-blow-up", says=["both"]), demand=1) -> Evidence:
    """bI + nA >= (b + n lam)/(c + lam) (cI + A) for nc >= b, eigenvalue by eigenvalue; then lam is put in."""
    n = demand * (said(r"nc\ge", b=b) + s) / c  # nc >= b
    least = said.range(r"\lambda").low + lam
    eigenvalue = said(r"A\succeq", {"I": 1, r"\lambda": least}) + t
    left, right = said.sides(r"bI+nA\succeq", {"I": 1, "A": eigenvalue, r"\lambda": least}, b=b, c=c, n=n)
    nu, m = sympy.symbols("nu m", positive=True)
    letters = {r"\nu": nu, "e": e, "e_2": e, "c": c}
    found = [said(r"\lambda=", letters, after="lemma, and", skip=skip) for skip in (0, 1)]
    zeros = [said(r"\lambda=...\ge", after="lemma, and", skip=skip) for skip in (0, 1)]
    from_norm, from_square = found
    norm = said(r"\max_\pi\mathbb E_\pi\|\phi\|_{(bI+nA)^{-1}}\le", letters | {r"\lambda": from_norm}, b=b, n=m)
    square = said(r"\max_\pi\mathbb E_\pi\|\phi\|^2_{(bI+nA)^{-1}}\le", letters | {r"\lambda": from_square}, b=b, n=m)
    ratio = said(r"bI+nA\succeq", {"I": 1, "A": 1 - c, r"\lambda": lam}, b=b, c=c, n=m)  # where cI + A is 1
    worst = from_norm.subs({nu: 1, e: 1 / sympy.sqrt(c + lam)})
    return steps([
        "eigenvalue",
        ("b + nx >= (b + n lam)/(c + lam) (c + x) at x = lam + t",
         every(nonnegative(sympy.together(left - right), b, c, lam, s, t),
               equal(left - right, (n * c - b) * t / (c + lam)))),
        ("lam >= 0, and so are both lam of the lemma", every(*(exactly(zero, said.range(r"\lambda").low)
                                                              for zero in zeros), exactly(said.range("c").low, 0))),
        "factor",
        ("norm: e^2 (c+lam)/(b+n lam) = nu^4/(b+n lam)", equal(norm**2 * ratio.subs(lam, from_norm), e**2)),
        ("square: e_2 (c+lam)/(b+n lam) = nu^2/(b+n lam)", equal(square * ratio.subs(lam, from_square), e)),
        ("they are those of the eigenvalue lemma",
         every(equal(e**2 * (c + from_norm), nu**4), equal(e * (c + from_square), nu**2))),
        "equality",
        ("equality for d = 1, phi = 1, A = lam: e^2 = 1/(c+lam)",
         every(equal(norm.subs({nu: 1, e: 1 / sympy.sqrt(c + lam)}) ** 2, 1 / (b + m * lam)), equal(worst, lam))),
        ("c = b = 1, e = nu^2/2: lam = 3, and nu^4/(1+3n) is at most the nu^2/(1+n) of the paper",
         every(exactly(from_norm.subs({c: 1, e: nu**2 / 2}), 3),
               at_least(1 / (1 + x), 1 / (1 + 3 * x) / (1 + s), s, x))),
    ], scope="all d, all A >= lam I, b, c > 0, nc >= b")


control(blow_up_in_steps, "nc >= b/2 only", {"demand": HALF})


@check("res-sharp-blow-up", method="stress", arithmetic="float64", covers="random layers, d up to 5", gap="a sample",
       title="Random layers, blown up")
def random_layers_blown_up(power=1.0) -> Evidence:
    """Largest left/right side over random layers, lam the least eigenvalue of A; norm and square."""
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


control(random_layers_blown_up, "n^1.1 instead of n", {"power": 1.1})
