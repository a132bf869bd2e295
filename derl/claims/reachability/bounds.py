"""These checks bound nu^2 by multiples of the best smallest eigenvalue, and certify two exact examples."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from derl.certificates.check_reachability import problems
from derl.claims import claim, printed, steps
from derl.exact.compared import at_most, every, exactly, less_than
from derl.mdp import instances
from derl.theory import reachability
from derl.theory.reachability.certified import hexagon_eigenvalue
from derl.theory.reachability.examples import ends, round_bandit

# --- the sandwich ------------------------------------------------------------------------------------------------

@claim("res-nu-sandwich", method="exhaustive", covers="twelve points", gap="one instance",
       false={"twice the least eigenvalue": {"scale": 2}})
def twelve_points(text, scale=1):
    """The ratio 9/5 on twelve points, d = 3: Four of them share diag(16/25, 9/50, 9/50), and nu^2 is 81/250."""
    cross = [row for row in round_bandit().phi[0, 0] if 0 in (row[1], row[2])]  # u = +-e_1, +-e_2
    even = sum(np.outer(row, row) for row in cross) * Fraction(1, len(cross))
    least = text(r"\lambda^*_h=", {
        r"\max_\pi\lambda_{\min}(\mathbb E_\pi[\phi_h\phi_h^\top])": scale * Fraction(9, 50)})
    lower, square = text.sides(r"\lambda^*_h\le", {r"\lambda^*_h": least, r"\nu_h^2": Fraction(81, 250)})
    dim = text("d=", after="is right for all instances. For")
    return steps([
        ("the covariance of the four", exactly(
            even.tolist(), np.diag([Fraction(16, 25), *[Fraction(9, 50)] * 2]).tolist())),
        ("a ratio inside the sandwich, above d - 3/2", every(
            exactly(dim, round_bandit().dim), exactly(square / least, text("", after="ratio")), exactly(lower, least),
            less_than(least, square), at_most(square, text(r"\nu_h^2\le", {r"\lambda^*_h": least}, d=dim)),
            less_than(text("", d=dim, after="No factor below") - Fraction(1, 2), square / least))),
        ("no factor for two dimensions", exactly(
            text(r"\nu_h^2\le", {r"\lambda^*_h": 1}, d=text("d=", after="positive, and for")), 1)),
        *((f"the factor for d = {d}", exactly(text(r"\nu_h^2\le", {r"\lambda^*_h": 1}, d=d), max(1, d - 1)))
          for d in (1, 2, 3, 5)),
    ], "twelve points in three dimensions")


# --- the hexagon -------------------------------------------------------------------------------------------------

@claim("res-nu-hexagon", method="certificate", false={"a smallest eigenvalue of 3/8": {"eigenvalue": Fraction(3, 8)}})
def hexagon_has_two_values(square=printed("res-nu-hexagon")(r"\nu^2="),
                           eigenvalue=printed("res-nu-hexagon")(r"\lambda^*=")):
    """3/8 and 1/4, both certified in fractions: The isometric rational copy in R^5: both ends of both values; the float
    copy in R^3 encloses the same."""
    mdp, flat = instances.hexagon(5, exact=True), instances.hexagon(3)
    result, best = reachability.nu(mdp, 1, subspace="reachable"), hexagon_eigenvalue(eigenvalue)
    rows = mdp.phi[0, 0]
    angles = {rows[i] @ rows[j] for i, j in combinations(range(6), 2)}
    cosines = {Fraction(1, 2) * (1 + c) for c in (Fraction(1, 2), Fraction(-1, 2), Fraction(-1))}
    near = reachability.nu(flat, 1)
    return steps([
        ("all |phi| = 1, inner products (1 + cos)/2 of a hexagon",
         angles == cosines and all(row @ row == 1 for row in rows)),
        (f"nu^2 = {square}, both ends", ends(result) == (square, square) and not problems(result.certificate)),
        (f"lambda* = {eigenvalue}, both ends", not problems(best.certificate)),
        ("the copy in R^3 encloses sqrt(3/8)", Fraction(near.lower) ** 2 <= square <= Fraction(near.upper) ** 2),
    ], scope="the six features in their span, d = 3")
