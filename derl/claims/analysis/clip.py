"""These checks refute Lemmas E.7 and E.8 with the printed clip, on the event and under the induction condition.

The instance, `runaway`, has H = 5 and data of positive probability (about 10^-16245, see `chance`). Whether they lie on
the event is decided exactly: the largest |G|_{Sigma^{-1}} over all V with |V| <= 1 is attained at one of 32 corners of
the cube. With values clipped to [0, 1] both lemmas hold (`res-regression-bias`, `res-policy-evaluation`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import numpy as np

from derl.claims import Evidence, claim
from derl.estimation.covariance import backward_pass
from derl.estimation.design import Design
from derl.exact.logarithms import enclosure
from derl.exact.matrices import ridge
from derl.mdp.exact import ExactMDP
from derl.theory.analysis.covers import root_bounds

START, X, Z, U, V = range(5)  # states
LAYERS = 5  # H
SLOPE, RARE, DELTA = Fraction(1, 100), Fraction(1, 20), Fraction(1, 10)


@dataclass(frozen=True, eq=False)
class Runaway:
    """The instance, its data, and what Theorem E.4 and Equation (26) say for them.

    Attributes
    ----------
    mdp : ExactMDP
        H = 5, states s1, x, z, u, v, two actions, d = 2.
    counts : list of (S, A, S)
        Transitions of the layers 1 to 4, `size` in each.
    beta : Fraction
        beta' of Equation (26) with c' = 24, rounded up, for epsilon_0 = 1/(2d(N+1)) and delta = 1/10.
    """

    mdp: ExactMDP
    counts: list
    size: int
    beta: Fraction

    def regressions(self) -> list:
        """(Sigma^{-1}, operator) of the layers 1 to 4."""
        return [ridge(self.mdp.phi[h], n) for h, n in enumerate(self.counts)]

    def value(self, layer: int, state: int, version: str) -> Fraction:
        """Value of Algorithm 6 at a state of a layer (from 1): first action everywhere, reward (1 + phi_1 phi_2)/2."""
        designs = [Design(None, operator) for _, operator in self.regressions()[layer - 1:]]
        features = [self.mdp.phi[h, :, 0] for h in range(layer - 1, LAYERS)]
        there = np.array([Fraction(int(s == state)) for s in range(5)], dtype=object)
        return (1 + backward_pass(features, designs, there, version)[0, 1]) / 2

    def on_event(self, constant: int = 12) -> bool:
        """Whether |G|_{Sigma^{-1}} <= constant d sqrt(log(dHN beta'/(epsilon_0 delta))) for all |V| <= 1, exactly."""
        P = self.mdp.transitions()
        bound = constant**2 * 4 * enclosure(self.logarithm() * self.beta)[0]
        for h, (inverse, _) in enumerate(self.regressions()):
            counts, rows = self.counts[h].reshape(-1, 5), self.mdp.phi[h].reshape(-1, 2)
            noise = rows.T @ (counts - P[h].reshape(-1, 5) * counts.sum(axis=1)[:, None])
            corners = np.array(list(product((-1, 1), repeat=5)), dtype=object)
            sums = corners @ noise.T
            if max((sums @ inverse * sums).sum(axis=1)) > bound:
                return False
        return True

    def chance(self, layers: slice = slice(None)) -> tuple[Fraction, Fraction]:
        """log10 of the probability of the next states, given the pairs they were seen at, from below and from above.

        Parameters
        ----------
        layers : slice
            Which of the layers 1 to 4, counted from 0; all by default.
        """
        P = self.mdp.transitions()
        ends = np.array([Fraction(0), Fraction(0)], dtype=object)
        for h in range(len(self.counts))[layers]:
            for state, action in product(range(5), range(2)):
                left = int(self.counts[h][state, action].sum())
                for following, times in enumerate(map(int, self.counts[h][state, action])):
                    if times:
                        one = np.array(enclosure(P[h][state, action, following]), dtype=object)
                        ends = ends + np.array(enclosure(comb(left, times)), dtype=object) + times * one
                    left -= times
        low, high = enclosure(10)
        return ends[0] / low, ends[1] / high  # both ends are negative

    def logarithm(self) -> Fraction:
        """dHN/(epsilon_0 delta), the number in the logarithm of Equation (26)."""
        return 2 * LAYERS * self.size * 4 * (self.size + 1) / DELTA

    def uncertainty(self) -> tuple[Fraction, Fraction]:
        """max_pi E sum_{t < H} |phi_t|_{Sigma_t^{-1}}, from below and from above; both actions have the same norm."""
        law, total = self.mdp.initial, np.array([Fraction(0), Fraction(0)], dtype=object)
        for h, (inverse, _) in enumerate(self.regressions()):
            for state in range(5):
                phi = self.mdp.phi[h, state]
                squares = [row @ inverse @ row for row in phi]
                if squares[0] != squares[1]:
                    raise AssertionError("the two actions of a state differ in their norm")
                total = total + law[state] * np.array(root_bounds(squares[0]), dtype=object)
            law = law @ self.mdp.transitions()[h][:, 0]
        return tuple(total)


@cache
def runaway() -> Runaway:
    """The instance and its data; those of the first layer have exactly their expected frequencies.

    From every state x and z are reached with probabilities 19/20 and 1/20; x has the features (4/5, +-1/100) for its
    two actions, z has (4/5, +-3/5). In each layer between the first and the last x was seen 10 000 times, and by chance
    its action decided what came next.
    """
    size = int(1 / SLOPE**2)
    half, none = Fraction(1, 2), Fraction(0)
    phi = np.full((LAYERS, 5, 2, 2), none, dtype=object)
    phi[..., 0] = Fraction(4, 5)
    for layer, (action, sign) in product(range(1, LAYERS - 1), ((0, 1), (1, -1))):
        phi[layer, X, action, 1], phi[layer, Z, action, 1] = sign * SLOPE, sign * Fraction(3, 5)
    phi[-1, U, :, 1], phi[-1, V, :, 1] = Fraction(3, 5), -Fraction(3, 5)
    mu = np.full((LAYERS, 2, 5), none, dtype=object)
    mu[:-2, 0, X], mu[:-2, 0, Z] = Fraction(5, 4) * (1 - RARE), Fraction(5, 4) * RARE
    mu[-2:, 0, U] = mu[-2:, 0, V] = Fraction(5, 4) * half
    first = np.array([Fraction(int(state == START)) for state in range(5)], dtype=object)
    counts = [np.zeros((5, 2, 5), dtype=object) for _ in range(LAYERS - 1)]
    counts[0][START, 0, X], counts[0][START, 0, Z] = int(size * (1 - RARE)), int(size * RARE)
    for middle in counts[1:-1]:
        middle[X, 0, Z], middle[X, 1, X] = size // 2, size // 2
    counts[-1][X, 0, V], counts[-1][X, 1, U] = size // 2, size // 2
    mdp = ExactMDP(phi, mu, np.zeros((LAYERS, 2), dtype=int), first)
    inside = 2 * LAYERS * size * 4 * (size + 1) / DELTA
    return Runaway(mdp, counts, size, root_bounds(48**2 * enclosure(inside)[1])[1])


@claim("lem-regression-bias", method="exhaustive", refutes=True, plants=2,
       false={"an event with the constant 8, which these data leave": {"constant": 8}},
       as_corrected={"values clipped to [0, 1]": {"version": "repaired"}})
def regression_leaves_its_bound(text, version="as-printed", constant=12):
    """On the event, and off by several times the bonus: |phi^T w - P V^|/(beta' |phi|) at z in the second layer, from
    below, where the event of Theorem E.4 holds."""
    data = runaway()
    P = data.mdp.transitions()
    likely = all((P[h][n > 0] > 0).all() for h, n in enumerate(data.counts))
    following = np.array([data.value(3, state, version) for state in range(5)], dtype=object)
    inverse, operator = data.regressions()[1]
    phi = data.mdp.phi[1, Z, 0]
    error, bound = text.relation(r"|\phi^\top\hat w_t^\pi-P_t\hat V_{t+1}^\pi|", {
        r"\phi^\top\hat w_t^\pi": phi @ (operator @ following), r"P_t\hat V_{t+1}^\pi": P[1][Z, 0] @ following,
        r"\beta'": data.beta, r"\|\phi\|_{\Sigma_t^{-1}}": root_bounds(phi @ inverse @ phi)[1]}).ordered
    ratio = error / bound
    likely = likely and 2 in text.range("t", h=LAYERS)
    return Evidence(ratio if likely and data.on_event(constant) else Fraction(0), 5, "lower",
                    "d = 2, H = 5, N = 10 000, c = 12, c' = 24, delta = 1/10, data of positive probability",
                    detail=f"ratio {float(ratio):.2f}; V^ at z in the third layer: {float(following[Z]):.1f}")


@claim("lem-policy-evaluation", method="exhaustive", refutes=True, plants=2,
       as_corrected={"values clipped to [0, 1]": {"version": "repaired"}})
def evaluation_leaves_its_bound(text, version="as-printed"):
    """On the event, under the induction condition: |V^pi - V^|/(beta' xi) at s1 for h = H = 5, from below; (2) is an
    equality for xi = (5/4) max_pi E sum |phi|."""
    data = runaway()
    estimate, truth = data.value(1, START, version), Fraction(1, 2)  # u and v are equally likely, whatever happens
    xi = Fraction(LAYERS, LAYERS - 1) * data.uncertainty()[1]
    error, bound = text.relation(r"|V^\pi(s_1;\tilde R^{ij})-\hat V_1^\pi(s_1)|", {
        r"V^\pi(s_1;\tilde R^{ij})": truth, r"\hat V_1^\pi(s_1)": estimate, r"\beta'": data.beta, r"\xi": xi}).ordered
    ratio = error / bound
    return Evidence(ratio if data.on_event() else Fraction(0), 2, "lower",
                    "d = 2, h = H = 5, N = 10 000, first action everywhere",
                    detail=f"V^ = {float(estimate):.1f}, V = 1/2, beta' xi = {float(data.beta * xi):.1f}")
