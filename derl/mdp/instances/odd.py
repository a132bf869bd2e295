"""The odd-one-out lock: after the code, the last choice that counts is hidden among choices that look like it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from derl.mdp.exact import ExactMDP
from derl.mdp.instances.parameters import fraction, indices, listed, possible, size
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance

HALF = Fraction(1, 2)
MOST = 14  # there are binomial(d, d//2 + 1) contexts


def odd_one_out(d, horizon, digits, hidden, signs, bias, *, junk=None, exact=False) -> LinearMDP | ExactMDP:
    """A lock of dimension d whose code of H - 2 digits leads to a context with one odd action.

    With k = d//2, `hidden` is a set S of k coordinates. At the gate g the features of the d actions are e_1, ..., e_d.
    In layer t <= H-2 the action digits[t] goes on, to g or, after the last digit, to a context g_{S+i} with i outside S
    uniform. Every other action leads to the junk state b^j of layer t+1, whose only feature is e_j; j is not the digit
    of its layer, and in layer H-1 it is in S. For H = 2 the first state is a context. The context g_T has the actions
    a in T with features e_a. In layer H-1 the coordinates of S lead to zh, and i outside S leads to z1 with probability
    1/2 + bias*signs[i] and to z0 otherwise. In layer H z1 pays 1, z0 pays 0 and zh pays 1/2, as in `junk_lock`.

    The features are known, the same in all layers, and depend on d alone.

    Parameters
    ----------
    d : int in 2..14
        Dimension, and number of actions at the gate.
    horizon : int >= 2
        H; there are H - 2 digits.
    digits : H-2 ints in 0..d-1
    hidden : d//2 ints in 0..d-1
        S; all different.
    signs : d - d//2 numbers, each 1 or -1
        For the coordinates outside S, in increasing order.
    bias : number in [0, 1/2]
    junk : int, H-2 ints in 0..d-1, or None
        j for the layers 2, ..., H-1. None takes the next digit, modulo d, and in layer H-1 the first of S.
    exact : bool
        Return the rational instance.

    Raises
    ------
    InvalidInstance

    Source: `res-odd-one-out`.

    Examples
    --------
    >>> from derl import instances, planning
    >>> mdp = instances.odd_one_out(4, 3, (2,), (0, 1), (1, -1), 0.25)
    >>> mdp.dim, mdp.n_actions, planning.optimal(mdp).value
    (4, 4, 0.625)
    """
    d, horizon = size("d", d, 2), size("horizon", horizon, 2)
    if d > MOST:
        raise InvalidInstance(f"d is {d}; it must be at most {MOST}, as the number of contexts grows like 2^d")
    k = d // 2
    contexts = list(combinations(range(d), k + 1))
    n_states = 1 + len(contexts) + d + 3
    possible(horizon, n_states, d, d)
    digits, hidden = indices("digits", digits, horizon - 2, d), sorted(indices("hidden", hidden, k, d))
    if len(set(hidden)) < k:
        raise InvalidInstance(f"hidden is {hidden}; its {k} coordinates must be different")
    outside = [i for i in range(d) if i not in hidden]
    signs = [fraction("signs", sign, low=-1, high=1) for sign in listed("signs", signs)]
    if len(signs) != len(outside) or any(abs(sign) != 1 for sign in signs):
        raise InvalidInstance(f"signs has {len(signs)} entries; there must be {len(outside)}, each 1 or -1")
    bias = fraction("bias", bias, low=Fraction(0))
    if junk is None:
        junk = [*((digit + 1) % d for digit in digits[1:]), *hidden[:1]] if horizon > 2 else []
    junk = indices("junk", junk, horizon - 2, d)
    for t, (j, digit) in enumerate(zip(junk, digits[1:], strict=False)):
        if j == digit:
            raise InvalidInstance(f"junk[{t}] is {j}, the digit of layer {t + 2}; it must be another one of 0..{d - 1}")
    if horizon > 2 and junk[-1] not in hidden:
        raise InvalidInstance(f"junk[{horizon - 3}] is {junk[-1]}; in layer {horizon - 1} it must be in hidden")
    first_junk, (z1, z0, zh) = 1 + len(contexts), range(n_states - 3, n_states)
    phi = np.zeros((n_states, d, d), dtype=object)
    phi[0] = np.eye(d, dtype=int)
    for number, context in enumerate(contexts, 1):
        phi[number, range(k + 1), context] = 1
    phi[first_junk + np.arange(d), 0] = np.eye(d, dtype=int)
    phi[z1, 0, 0] = phi[z0, 0, 1] = 1
    phi[zh, 0, :2] = HALF
    reached = np.zeros(n_states, dtype=object)
    for i in outside:
        reached[1 + contexts.index(tuple(sorted([*hidden, i])))] = Fraction(1, d - k)
    gate = np.eye(n_states, dtype=int)[0]
    mu = np.zeros((horizon, d, n_states), dtype=object)
    for t, j in enumerate(junk):
        mu[t, :, first_junk + j] = 1
        mu[t, digits[t]] = reached if t == horizon - 3 else gate
    mu[horizon - 2:, :, zh] = 1
    for i, sign in zip(outside, signs, strict=True):
        mu[horizon - 2, i] = 0
        mu[horizon - 2, i, [z1, z0]] = HALF + bias * sign, HALF - bias * sign
    theta = np.zeros((horizon, d), dtype=object)
    theta[-1, 0] = 1
    kind = ExactMDP if exact else LinearMDP
    names = ("g", *("g_" + "".join(map(str, context)) for context in contexts), *(f"b{j}" for j in range(d)),
             "z1", "z0", "zh")
    return kind(np.broadcast_to(phi, (horizon, *phi.shape)), mu, theta, gate if horizon > 2 else reached,
                np.broadcast_to(phi.any(axis=2), (horizon, n_states, d)), state_names=names,
                info={"family": "odd_one_out", "d": d, "horizon": horizon, "digits": list(digits),
                      "hidden": list(hidden), "signs": [int(sign) for sign in signs], "junk": list(junk),
                      "bias": str(bias)})
