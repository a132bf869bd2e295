"""These checks refute and repair Claim 3, which functions Algorithms 5 and 6 can meet.

The printed claim clips from above only; `unclipped` is a linear MDP with data for which Algorithm 6 leaves the class.
With values clipped to [0, 1], weights are bounded by the singular values of the regression.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.estimation.covariance import backward_pass
from derl.estimation.design import Design
from derl.exact.compared import every, exactly
from derl.exact.matrices import ridge
from derl.exact.symbolic import at_least, equal, nonnegative
from derl.mdp.exact import ExactMDP

START, X, Z, U, V = range(5)  # states of `unclipped`
HALF = sympy.Rational(1, 2)

r, s, t, y = sympy.symbols("r s t y", nonnegative=True)


@dataclass(frozen=True, eq=False)
class Unclipped:
    """A linear MDP, data of its layers 1 to 3, and the features that the policy "first action everywhere" meets."""

    mdp: ExactMDP
    counts: list
    size: int

    def value(self, layer: int, state: int, version: str) -> Fraction:
        """The value of Algorithm 6 at a state of a layer (from 1), reward (1 + phi_1 phi_2)/2 in layer 4."""
        designs = [Design(None, self.operator(h)) for h in range(layer - 1, 3)]
        features = [self.mdp.phi[h, :, 0] for h in range(layer - 1, 4)]
        there = np.array([Fraction(int(s == state)) for s in range(self.mdp.n_states)], dtype=object)
        return (1 + backward_pass(features, designs, there, version)[0, 1]) / 2

    def weights(self, layer: int, version: str) -> np.ndarray:
        """The weights w of Algorithm 6 in a layer from 1 to 3, shape (2,)."""
        states = range(self.mdp.n_states)
        if layer == 3:
            next_values = [(1 + row[0] * row[1]) / 2 for row in self.mdp.phi[3, :, 0]]
        else:
            next_values = [self.value(layer + 1, state, version) for state in states]
        return self.operator(layer - 1) @ np.array(next_values, dtype=object)

    def operator(self, index: int) -> np.ndarray:
        return ridge(self.mdp.phi[index], self.counts[index])[1]


def unclipped(slope=Fraction(1, 200), rare=Fraction(1, 100)) -> Unclipped:
    """The instance with states s1, x, z, u, v, and its data, N = 40 000.

    In the layers 2 and 3 the state x, with the features (4/5, +-1/200) for its two actions, is seen 40 000 times, and
    whether the action was the first or the second decides what came next. The state z, feature (4/5, 3/5), was not
    seen.
    """
    half, size = Fraction(1, 2), 2 * int(1 / (2 * slope**2))
    phi = np.full((4, 5, 2, 2), Fraction(0), dtype=object)
    phi[..., 0] = Fraction(4, 5)
    for layer, (action, sign) in product((1, 2), ((0, 1), (1, -1))):
        phi[layer, X, action, 1], phi[layer, Z, action, 1] = sign * slope, sign * Fraction(3, 5)
    phi[3, U, :, 1], phi[3, V, :, 1] = Fraction(3, 5), -Fraction(3, 5)
    mu = np.full((4, 2, 5), Fraction(0), dtype=object)
    for layer in (0, 1):
        mu[layer, 0, X], mu[layer, 0, Z] = Fraction(5, 4) * (1 - rare), Fraction(5, 4) * rare
        mu[layer + 2, 0, U] = mu[layer + 2, 0, V] = Fraction(5, 4) * half
    first = np.array([Fraction(int(state == START)) for state in range(5)], dtype=object)
    mdp = ExactMDP(phi, mu, np.zeros((4, 2), dtype=int), first)
    counts = [np.zeros((5, 2, 5), dtype=object) for _ in range(3)]
    counts[0][START, 0, X] = size
    counts[1][X, 0, Z], counts[1][X, 1, X] = size // 2, size // 2
    counts[2][X, 0, V], counts[2][X, 1, U] = size // 2, size // 2
    return Unclipped(mdp, counts, size)


@claim("claim-value-classes", method="exhaustive", refutes=True,
       false={"values clipped to [0, 1]": {"version": "repaired"}})
def printed_values_leave_the_class(text, version="as-printed"):
    """Data for which Algorithm 6 leaves the class: Algorithm 6 on exact data, N = 40 000, d = 2: a value below
    -sqrt(dN), the least that the class contains."""
    data = unclipped()
    likely = all((data.mdp.transitions()[h][n > 0] > 0).all() for h, n in enumerate(data.counts))
    value = data.value(2, Z, version)
    largest = text("L=", d=2, N=sympy.Integer(data.size))
    return Evidence(value**2 if likely and value < 0 else Fraction(0), largest**2 + 1, "lower",
                    "the squares, d = 2, H = 4, N = 40 000",
                    detail=f"value {float(value):.1f} in layer 2, {float(data.value(3, Z, version)):.2f} in layer 3")


@claim("res-value-classes", false={"sqrt N/3": {"less": sympy.Rational(1, 6)}})
def clipped_weights_are_short(text, less=0):
    """Singular values of the regression: y/(1 + y^2) <= 1/2 per singular direction, |v| <= sqrt N; |Z| <= beta'^2 +
    epsilon_0^2/4; w = 0 in layer h."""
    e, n = sympy.symbols("e n", positive=True)
    b, d = 1 + t, 1 + s  # beta' >= 1, d >= 1
    share = text(r"\|w_t\|\le", N=sympy.Integer(1)) - less
    largest, length = text(r"\|w_t\|\le", N=n), text("L=", N=n)
    matrix = text(r"\|Z_t\|\le", {r"\beta'": b}, epsilon_0=e)
    attained = ridge([[[Fraction(1, 10)]]], [[[100]]])[1][0, 0]  # 100 samples of phi = 1/10, all values 1
    return steps([
        "weights",
        ("(I + F^T F)^{-1} F^T in a singular direction: share - y/(1+y^2) >= 0",
         equal(share, y / (1 + y**2) + (1 - y) ** 2 / (2 * (1 + y**2)))),
        ("attained: N = 100 samples of phi = 1/10 with value 1 give w = sqrt N/2",
         exactly(attained, text(r"\|w_t\|\le", N=100))),
        ("|v|^2 <= N for N values in [-1, 1], one more", at_least(n + 1, n + 1 / (1 + t), n, t)),
        ("sqrt N/2 <= sqrt(dN)", every(at_least(d * n, length**2, n, s), equal(largest, length))),
        "matrices",
        ("|Z| <= beta'^2 + d epsilon_0^2/(4d), within beta'^2 + d epsilon_0 for epsilon_0 <= 4",
         nonnegative((b**2 + d * e - matrix).subs(e, 4 / (1 + r)), r, s)),
        ("|Z_h| <= 1 <= beta'^2", at_least(b**2, 1, t)),
    ], scope="all d, N, all data, values clipped to [0, 1]; beta' >= 1")


@claim("res-value-classes", method="run", covers="the data of the counterexample", gap="one run",
       false={"clipped from above only": {"version": "as-printed"}})
def clipped_run_stays_in_the_class(text, version="repaired"):
    """The same data, clipped: Largest |w|^2 of Algorithm 6 with clip, layers 1 to 3, on the data that break the printed
    claim, against N/4."""
    data = unclipped()
    largest = max(w @ w for w in (data.weights(layer, version) for layer in (1, 2, 3)))
    return Evidence(largest, text(r"\|w_t\|\le", N=data.size) ** 2, "upper", "d = 2, H = 4, N = 40 000, exact data")


@claim("ineq-value-weights", method="exhaustive", refutes=True,
       false={"the same feature twice: no change of sign": {"second": Fraction(3, 5)}},
       as_corrected={"the sum of the moduli on the right": {"absolute": True}})
def sum_without_the_values(text, second=Fraction(-3, 5), absolute=False):
    """d = 2, two samples, values 1 and 0: |v^T Sigma^{-1} sum phi V| against the same without V; phi = (4/5, 3/5),
    (4/5, second), V = 1, 0, v = e_2."""
    samples = [[Fraction(4, 5), Fraction(3, 5)], [Fraction(4, 5), second]]
    _, operator = ridge([samples], [[[1, 0], [0, 1]]])  # one state, two actions, next states with values 1 and 0
    weighted, plain = operator @ np.array([1, 0], dtype=object), operator @ np.array([1, 1], dtype=object)
    values, product_ = text.interval(after="For values $V_{t+1}$ in"), r"v^\top\Sigma_t^{-1}\sum\phi"
    left, right = text.relation(rf"\big|{product_}\,V_{{t+1}}\big|", {
        rf"{product_}\,V_{{t+1}}": weighted[1], product_: plain[1]}).ordered
    right = abs(operator[1]).sum() if absolute else right
    return Evidence(left if {0, 1} <= {v for v in (-1, 0, 1) if v in values} else 0, right + Fraction(1, 10), "lower",
                    "d = 2, N = 2",
                    detail=f"{weighted[1]} with the values, {plain[1]} without")
