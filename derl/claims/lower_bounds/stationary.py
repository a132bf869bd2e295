"""This check establishes the stationary embedding of every linear MDP, in which the layer becomes part of the state.

It works with sums over blocks for a symbolic H, and compares the arrays of the program with the blocks.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from derl.claims import claim, steps
from derl.exact.compared import Every, every, exactly
from derl.exact.symbolic import at_least
from derl.mdp import instances


def blocks_of(mdp, flat) -> Every:
    """The arrays of the embedding are the blocks of the text, entry by entry."""
    H, S, A, d = mdp.phi.shape
    phi = flat.phi[0].reshape(H, S, A, H, d)
    mu, theta = flat.mu[0].reshape(H, d, H, S), flat.theta[0].reshape(H, d)
    own = [exactly(ours, given) for h in range(H) for ours, given in (
        (phi[h, :, :, h], mdp.phi[h]), (theta[h], mdp.theta[h]),
        *([(mu[h, :, h + 1], mdp.mu[h])] if h < H - 1 else []))]
    other = sum(np.count_nonzero(phi[h, :, :, j]) for h in range(H) for j in range(H) if j != h) + sum(
        np.count_nonzero(mu[h, :, j]) for h in range(H - 1) for j in range(H) if j != h + 1)
    same = [exactly(layer[0], layer[h]) for layer in (flat.phi, flat.mu, flat.theta) for h in range(H)]
    return every(own, exactly(other, 0), same, exactly(flat.dim, d * H), exactly(flat.n_states, S * H))


@claim("stationary-embedding",
       false={"features with a part 1/10 in every other block: P_2/10 is added to P_1": {"stray": Fraction(1, 10)}})
def embedding_by_blocks(text, stray=0):
    """Blocks; transitions, rewards, values, norms, dimension: Sums over blocks for symbolic H, norms, and the two cases
    of D T <= d; the arrays of the program; `stray` is the part of a feature in every other block."""
    H = sympy.Symbol("H", integer=True, positive=True)
    h, j = sympy.symbols("h j", integer=True, positive=True)
    inner, q = sympy.IndexedBase("P"), sympy.Symbol("q", nonnegative=True)
    delta = sympy.KroneckerDelta
    across = sympy.Sum((delta(j, h) + stray * (1 - delta(j, h))) * inner[j], (j, 1, H))
    block = [across.subs({H: 3, h: k}).doit() for k in (1, 2, 3)]
    gains, worth = sympy.IndexedBase("r"), sympy.IndexedBase("PV")  # of the embedding: reward, value of the next layer
    backward = sympy.Sum((delta(j, h) + stray * (1 - delta(j, h))) * (gains[j] + worth[j]), (j, 1, H))
    reward, later, square = sympy.symbols("r PV s", nonnegative=True)
    horizon, rest = sympy.symbols("T t", positive=True)
    families = {"bandit": instances.compact_bandit(2, 3, 1, 0.25), "lock": instances.lock(2, 4, (1, 0, 1, 1), 0.25),
                "template": instances.hard_template(3, 3, 1, 1, 0, 0.25)}
    sizes = [{r"\tilde d": text(r"\tilde d=", d=size, H=layers), r"\tilde h": text(r"\tilde h=", d=size, H=layers),
              "d": size} for size in (4, 7, 8, 33, 100) for layers in (2, 3, 25, 200)]
    return steps([
        "transitions",
        ("one block meets one measure: the sum over blocks is P_h",
         exactly([sympy.expand(b - inner[k]) for k, b in enumerate(block, 1)], [0, 0, 0])),
        ("for every H: the sum of the Kronecker delta is 1",
         exactly(sympy.summation(delta(j, h), (j, 1, h + sympy.Symbol("t", integer=True, positive=True))), 1)),
        "norms",
        ("|theta|^2 and |sum v mu|^2: H blocks of at most d each",
         at_least(horizon * (square + rest), horizon * square, horizon, square, rest)),
        "dimension",
        (text.shown(r"\tilde d\,\tilde h") + ": equal for 20 pairs (d, H), before rounding", every(
            exactly(*text.sides(r"\tilde d\,\tilde h\le", one)) for one in sizes)),
        ("rounding down makes products smaller: a b - (a - s)(b - t) >= 0 for s <= a, t <= b",
         at_least((q + square) * (reward + later), q * reward, q, square, reward, later)),
        "blocks",
        ("the arrays are these blocks, in three families", every(
            blocks_of(mdp, instances.stationary_embedding(mdp)) for mdp in families.values())),
        "values",
        ("values: the backward step of (h, s) is r_h + P_h V_{h+1}", exactly(
            [sympy.expand(backward.subs({H: 3, h: k}).doit()) for k in (1, 2, 3)],
            [gains[k] + worth[k] for k in (1, 2, 3)])),
    ], "every linear MDP, every policy; d >= 4, H >= 2")
