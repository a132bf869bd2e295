r"""Matrices that are nearly right: inverses, domination, and how large data blow up what little data cover.

Everything here is exact when the entries are int or Fraction. Square roots are avoided: bounds are compared through
their squares, or through fourth powers.

**One layer.** A layer is a set of distributions of the feature phi, one per policy. With one state it is the set of
actions, and max_pi E f(phi) is max_a f(phi_a). `Layer` has several states that are reached with given probabilities,
whatever the policy does in this layer; then max_pi E f(phi) = sum_s p(s) max_a f(phi(s, a)).

Source: Lemmas E.11 to E.14.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl.exact.matrices import InvalidMatrix, inverse
from derl.inputs import as_fraction


def squared_norm(matrix, phi) -> Fraction:
    """|phi|^2_{M^{-1}} = phi^T M^{-1} phi, exactly."""
    phi = np.array([as_fraction(x) for x in phi], dtype=object)
    return phi @ inverse(matrix) @ phi


@dataclass(frozen=True, eq=False)
class Layer:
    """Features phi (S, A, d) of one layer, and the probabilities (S,) of its states, the same for every policy."""

    phi: np.ndarray
    reached: np.ndarray

    def uncertainty(self, matrix: np.ndarray, squared: bool = False) -> float:
        """max_pi E|phi|_{M^{-1}}, or of its square, in float64."""
        squares = np.einsum("sai,ij,saj->sa", self.phi, np.linalg.inv(matrix), self.phi)
        return float(self.reached @ (squares if squared else np.sqrt(squares)).max(axis=1))

    def reach(self, direction: np.ndarray) -> float:
        """max_pi E (phi^T u)^2, in float64."""
        return float(self.reached @ ((self.phi @ direction) ** 2).max(axis=1))


# --- the bounds of the lemmas ------------------------------------------------------------------------------------

def domination(lam, c, n):
    """(lam + c)/(lam n + c), the factor of Lemma E.13; numbers or symbols."""
    return (lam + c) / (lam * n + c)


def eigenvalue_from_norm(nu_squared, e_squared, c):
    """A >= (nu^4/e^2 - c) I where max_pi E|phi|_{(cI+A)^{-1}} <= e; numbers or symbols."""
    return nu_squared**2 / e_squared - c


def eigenvalue_from_square(nu_squared, value, c):
    """A >= (nu^2/v - c) I where max_pi E|phi|^2_{(cI+A)^{-1}} <= v; numbers or symbols."""
    return nu_squared / value - c


def blow_up_printed(c, n, e_squared):
    """Fourth power of the bound that Lemma E.14 states, sqrt((c+1)/(sqrt c (c+n)) e)."""
    return (c + 1) ** 2 * e_squared / ((c + n) ** 2 * c)


def blow_up_of_proof(c, n, e_squared):
    """Fourth power of the bound that its printed proof ends with, sqrt(2/(sqrt c (1+n)) e)."""
    return 4 * e_squared / ((1 + n) ** 2 * c)


def blow_up_sharp(nu_squared, c, n, e_squared):
    """Square of nu^2/sqrt(c + n (nu^4/e^2 - c)), the sharp blow-up."""
    return nu_squared**2 / (c + n * eigenvalue_from_norm(nu_squared, e_squared, c))


def blow_up_small(c, n, e_squared):
    """Square of e/sqrt(n + c (1-n) e^2), the sharp blow-up for 0 < n <= 1; no reachability is used."""
    return e_squared / (n + c * (1 - n) * e_squared)


def blow_up_threshold(root):
    """The least n for which the bound of Lemma E.14 holds, as a function of root = sqrt(1 + c) > 1; at most 1/3.

    (root-1)^2/(root^2 + (root-1)^2) for c <= 3, and (c-1)/(3c+1) for c >= 3.
    """
    if root <= 2:
        return (root - 1) ** 2 / (root**2 + (root - 1) ** 2)
    return (root**2 - 2) / (3 * root**2 - 2)


def relative_range(eta, a):
    """Factors 1 - eta/a and 1 + eta/a between which A + Delta lies relative to A >= a I, for |Delta| <= eta < a.

    Raises
    ------
    InvalidMatrix
        Unless 0 <= eta < a.
    """
    if not 0 <= eta < a:
        raise InvalidMatrix(f"eta is {eta} and a is {a}; 0 <= eta < a is needed")
    return 1 - eta / a, 1 + eta / a
