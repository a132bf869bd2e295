"""This check shows that the printed proof of Lemma C.4 uses a lemma for values in [0, H] that does not apply.

On an instance with d = 60 and H = 10, the value of one state is bounded from above, for every beta > 0 and in every
deployment that explores all layers; it falls below -H.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.claims import Evidence, claim
from derl.mdp import ExactMDP
from derl.mdp.exact import rationals

HORIZON, DIM, LENGTH = 10, 60, Fraction(4, 15)
RARE = Fraction(1, 10**12)
VISITS = 10**6


def steep_chain(length: Fraction = LENGTH, lean: int = -1) -> ExactMDP:
    """The instance: `length` is |phi(x)| in layer 2, `lean` the sign of e_1 in the feature of U.

    State x has one action in every layer, with feature e_3 except in layer 2, where it is (4/15) e_1. U has one action,
    in layer 2 with the feature -(4/5) e_1 + (3/5) e_2. Everything leads to x, except that layer 1 leads to U with
    probability 10^-12. State x pays 1 in the layers 3 to 10, and nothing else pays.
    """
    x, u = 0, 1
    phi, mu = np.zeros((HORIZON, 2, 1, DIM), dtype=object), np.zeros((HORIZON, DIM, 2), dtype=object)
    phi[:, :, 0, 2] = 1
    mu[:, 2, x] = 1
    phi[1, x, 0], phi[1, u, 0] = 0, 0
    phi[1, x, 0, 0], phi[1, u, 0, 0], phi[1, u, 0, 1] = length, Fraction(4 * lean, 5), Fraction(3, 5)
    mu[1, 0, x], mu[1, 1, x] = 1 / length, (1 - Fraction(4 * lean, 5) / length) / Fraction(3, 5)
    mu[0, 2, [x, u]] = 1 - RARE, RARE
    theta = np.zeros((HORIZON, DIM), dtype=object)
    theta[2:, 2] = 1
    return ExactMDP(phi, mu, theta, rationals([1, 0]))


def highest_value_of_u(mdp: ExactMDP, visits: int) -> Fraction:
    """An upper bound of V_2(U) in every deployment with h_k = H after `visits` or more visits of x in each layer."""
    least = Fraction(0)
    for h in reversed(range(2, HORIZON)):
        least = mdp.rewards()[h, 0, 0] + Fraction(visits, 1 + visits) * least
    own, other = mdp.phi[1, 0, 0, 0], mdp.phi[1, 1, 0, 0]
    weight = visits * own * least / (1 + visits * own**2)
    return other * weight + HORIZON if other < 0 else Fraction(HORIZON)  # values are at most H


@claim("lem-concentration", method="exhaustive",
       gap="the statement: with values above -H sqrt(d) the cited proof gives it with another factor sqrt(d)",
       breaks_proof=True,
       false={"a feature of U with positive inner product: V_2(U) is between 0 and H": {"lean": 1},
              "|phi(x)| = 2/5 in layer 2: V_2(U) is about -6, above -H": {"length": Fraction(2, 5)}})
def values_leave_the_class(length=LENGTH, lean=-1):
    """Values below -H, for every bonus: V_2^k(U)/H from above, in every deployment that explores all layers; the cited
    proof needs at least -1."""
    value = highest_value_of_u(steep_chain(length, lean), VISITS)
    return Evidence(value / HORIZON, Fraction(-13, 10), "upper", "d = 60, H = 10, N >= 10^6, every beta > 0, every "
                    "deployment with h_k = H before U is met")
