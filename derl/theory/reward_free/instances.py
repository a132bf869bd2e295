r"""Three rational MDPs on which the printed Lemma D.2, a step of its proof, and Equation (14) fail. Rewards are zero.

**corner** (d = 7, H = 2; states s1, C, U, G, F). The first state is s1, and C with a tiny probability.

    layer 1   s1: e4.   C: e1, e3, f = -(3/5) e1 + (4/5) e2, in this order.
              e1 leads to U with probability 19/20, else to G; e3 and e4 to G; f to F.
    layer 2   U has two actions, the others one; all features differ from each other.

C is so rare that layer 1 is finished before f is tried there. In layer 2 the second action of U is new, so U looks
worth H = 2 and e1 looks worth 19/10. The regression then predicts -(3/5)(19/10) for f, and the bonus, capped at 2,
lifts it to 1 + 2 - 57/50 < 19/10. The truth is 2: one unit for f, which is new, and one for F, which is new.

**coin** (d = 3, H = 2; states s, heads, tails). s has one action, a fair coin. Heads has two actions, tails has one.
While the second action of heads is new, V_2(heads) = 2 and V_2(tails) is about 0: the noise of the coin is the noise
of the regression.

**valley** (d = 45, H = 5; states s1, R, C, E, G, F_1..F_9). The first state is s1, and R with a tiny probability.

    layer 1   s1 leads to F_1..F_9 with probability 1/9 each. R has four actions with features of their own: three to
              G, and the last one to C.
    layer 2   F_i: e_i, to E.   C: -(27/100)(e_1 + ... + e_9) + (7/12) e_0, to E.
    layer 3   E has two actions, all other states one.

Layers 1 and 2 are finished while R still has a new action, the one to C. In layer 3 the second action of E is new, so
E looks worth 5, and C, whose feature leans away from all F_i, looks worth 5 + 1 - (9)(27/100) 5 < -6.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.inputs.parts import part
from derl.mdp.exact import ExactMDP, rationals

CORNER_STATES = ("s1", "C", "U", "G", "F")
CORNER = 1  # index of C
COIN_STATES = ("s", "heads", "tails")
VALLEY_STATES = ("s1", "R", "C", "E", "G", *(f"F{i}" for i in range(1, 10)))
RARE, LAST = 1, 3  # index of R, and of its action to C


def corner(rare: Fraction = Fraction(1, 10**5), lucky: Fraction = Fraction(19, 20)) -> ExactMDP:
    """The first instance above; `rare` is the probability of C, `lucky` that of U after e1."""
    dim = 7
    e1, e2, e3, e4 = np.eye(dim, dtype=object)[:4]
    f = rationals(["-3/5", "4/5", 0, 0, 0, 0, 0])
    s1, c, u, g, far = range(5)
    phi = np.zeros((2, 5, 3, dim), dtype=object)
    phi[0, s1, 0], phi[0, c, 0], phi[0, c, 1], phi[0, c, 2] = e4, e1, e3, f
    phi[0, [u, g, far], 0] = e3
    phi[1, [s1, c, g], 0] = e1
    phi[1, u, 0], phi[1, u, 1], phi[1, far, 0] = e2, e3, e4
    mu = np.zeros((2, dim, 5), dtype=object)
    mu[0, 0, [u, g]] = lucky, 1 - lucky
    mu[0, 1, [u, g, far]] = Fraction(3, 4) * lucky, Fraction(3, 4) * (1 - lucky), Fraction(5, 4)
    mu[0, 2:4, g] = 1
    mu[1, :4, g] = 1
    return ExactMDP(phi, mu, np.zeros((2, dim), dtype=int), [1 - rare, rare, 0, 0, 0], phi.any(axis=3),
                    state_names=CORNER_STATES, info={"family": "corner"})


def coin() -> ExactMDP:
    """The second instance above."""
    basis = np.eye(3, dtype=object)
    phi = np.zeros((2, 3, 2, 3), dtype=object)
    phi[0, :, 0] = basis[0]
    phi[1, [0, 1], 0], phi[1, 1, 1], phi[1, 2, 0] = basis[0], basis[1], basis[2]
    mu = np.zeros((2, 3, 3), dtype=object)
    mu[0, 0, 1:] = Fraction(1, 2)
    mu[1, :, 2] = 1
    return ExactMDP(phi, mu, np.zeros((2, 3), dtype=int), [1, 0, 0], phi.any(axis=3), state_names=COIN_STATES,
                    action_names=("first", "second"), info={"family": "coin"})


def valley(rare: Fraction = Fraction(1, 10**6), lean: Fraction = Fraction(27, 100)) -> ExactMDP:
    """The third instance above; `lean` is the weight of each e_i in the feature of C."""
    horizon, dim, up = 5, 45, Fraction(7, 12)
    basis = np.eye(dim, dtype=object)
    s1, r, c, e, g, *f = range(14)
    phi = np.zeros((horizon, 14, 4, dim), dtype=object)
    phi[:, :, 0] = basis[44]
    phi[0, s1, 0] = basis[0]
    phi[0, r] = basis[1:5]
    phi[1, f, 0] = basis[1:10]
    phi[1, c, 0] = up * basis[0] - lean * basis[1:10].sum(axis=0)
    phi[2, e, :2] = basis[:2]
    mu = np.zeros((horizon, dim, 14), dtype=object)
    mu[:, 44, g] = 1
    mu[0, 0, f], mu[0, 1:4, g], mu[0, 4, c] = Fraction(1, 9), 1, 1
    mu[1, 1:10, e], mu[1, 0, e] = 1, (1 + 9 * lean) / up
    mu[2, :2, g] = 1
    return ExactMDP(phi, mu, np.zeros((horizon, dim), dtype=int), [1 - rare, rare, *[0] * 12], phi.any(axis=3),
                    state_names=VALLEY_STATES, info={"family": "valley"})


def biased_coin_history(size: int, heads: tuple[int, int]):
    """Batches of the coin in which `heads` of the N trajectories of deployments 1 and 2 show heads, later half of them.

    Parameters
    ----------
    size : int
        N, even.

    Returns
    -------
    callable
        (k, policy (H, S)) -> visits (H, S, A) and deviations (H, S, A, S) as exact balls; for `replay_reward_free`.
    """
    arb = part("flint", "ball arithmetic").arb

    def draw(k: int, policy: np.ndarray):
        visits = np.full((2, 3, 2), arb(0), dtype=object)
        deviations = np.full((2, 3, 2, 3), arb(0), dtype=object)
        shown = heads[k - 1] if k <= 2 else size // 2
        visits[0, 0, 0], deviations[0, 0, 0, 1:] = arb(size), [arb(shown - size // 2), arb(size // 2 - shown)]
        visits[1, 1, policy[1, 1]], visits[1, 2, 0] = arb(shown), arb(size - shown)
        return visits, deviations

    return draw
