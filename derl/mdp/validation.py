"""The rules that an instance must satisfy before anything is computed with it.

Every rule of Assumption 1 and of the normalisation after it is checked here, on plain arrays. A failure is one line
that names the layer, the state and the action, the value found, the rule, and what is allowed.

Layers are counted h = 1..H in messages, as in the paper; states and actions are array indices, counted from 0.

Rounding: rows of <phi, mu> may miss the simplex by 1e-9, in each entry and in their sum; lengths of features and
rewards may exceed their bound by 1e-9. The bounds on measures and on theta are met by sums over d such numbers, so
their tolerance is what these errors add up to. The norm of theta may be sqrt(d) (1 + 1e-9). The norm of the measures
may be sqrt(d) (1 + (2 S + 1) 1e-9). So a table of which each row passes is not refused because of its measures.
"""

from __future__ import annotations

import numpy as np

from derl.inputs import Invalid, whole
from derl.inputs.arrays import as_array, as_floats

TOLERANCE = 1e-9
ROUNDING = 1e-12  # of the norms themselves
SNAP = 1e-15  # probabilities below this are impossible transitions
SIGNS_AT_MOST = 14  # columns of mu whose sign patterns are enumerated
BLOCK = 1 << 22  # entries of P that are formed at a time


class InvalidInstance(Invalid):
    """An instance (or a file, or a specification of one) that breaks a rule; the message is one line."""


def where(h=None, s=None, a=None):
    """'layer 2, state 3, action 1' from array indices (the layer is printed as h = 1..H)."""
    parts = [] if h is None else [f"layer {int(h) + 1}"]
    parts += [] if s is None else [f"state {int(s)}"]
    parts += [] if a is None else [f"action {int(a)}"]
    return ", ".join(parts)


def layers_of(mdp, horizon) -> int:
    """How many layers count: all of them where `horizon` is None, otherwise a whole number in 1..H."""
    return mdp.horizon if horizon is None else whole(horizon, "horizon", 1, mdp.horizon, InvalidInstance)


def demand(kind, **value):
    """One named value that must be of a type.

    Raises
    ------
    InvalidInstance
    """
    (name, found), = value.items()
    if not isinstance(found, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        raise InvalidInstance(f"{name} is of type {type(found).__name__}; it must be a "
                              f"{' or a '.join(allowed.__name__ for allowed in kinds)}")


def as_numbers(name, array, shape=None):
    """The array as float64, if it consists of real numbers and has the wanted shape.

    Parameters
    ----------
    shape : tuple or None
        Integers, or letters where any positive size is allowed; None where every shape is.
    """
    numbers = as_floats(array, name, InvalidInstance)
    if shape is None:
        return numbers
    fits = numbers.ndim == len(shape) and all(
        size == wanted if isinstance(wanted, int) else size > 0
        for size, wanted in zip(numbers.shape, shape, strict=True)
    )
    if not fits:
        wanted = f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
        raise InvalidInstance(f"{name} has shape {numbers.shape}; it must have shape {wanted}")
    return numbers


def as_mask(available, shape):
    """The mask of available actions as a boolean array of the given shape, with an action for every state."""
    mask = as_array(available, "available", InvalidInstance)
    if mask.dtype != np.bool_ or mask.shape != shape:
        raise InvalidInstance(
            f"available has dtype {mask.dtype} and shape {mask.shape}; it must be boolean of shape {shape}"
        )
    empty = ~mask.any(axis=2)
    if empty.any():
        h, s = np.argwhere(empty)[0]
        raise InvalidInstance(f"{where(h, s)}: no action is available; every state needs at least one")
    return mask


def check_finite(name, array):
    """No NaN and no infinity."""
    bad = ~np.isfinite(array)
    if bad.any():
        i = np.argwhere(bad)[0]
        place = {
            "phi": lambda: f"{where(*i[:3])}, coordinate {i[3]}",
            "mu": lambda: f"{where(i[0])}, coordinate {i[1]}, next state {i[2]}",
            "theta": lambda: f"{where(i[0])}, coordinate {i[1]}",
            "initial": lambda: where(s=i[0]),
        }[name]()
        raise InvalidInstance(f"{place}: {name} is {array[tuple(i)]}; every entry must be finite")


def check_initial(initial):
    """A point of the simplex: no negative entry, sum one."""
    s = int(np.argmin(initial))
    if initial[s] < 0:
        raise InvalidInstance(f"{where(s=s)}: initial probability {initial[s]:.12g}; it must be >= 0")
    total = float(initial.sum())
    if abs(total - 1) > TOLERANCE:
        raise InvalidInstance(f"initial sums to {total:.12g}; it must sum to 1 (tolerance {TOLERANCE:g})")


def check_features(h, phi, mask):
    """|phi_h(s, a)| <= 1 for every available action."""
    norms = np.sqrt(np.einsum("sad,sad->sa", phi, phi))
    bad = mask & (norms > 1 + TOLERANCE)
    if bad.any():
        s, a = np.argwhere(bad)[0]
        raise InvalidInstance(f"{where(h, s, a)}: |phi| is {norms[s, a]:.12g}; at most 1 is allowed")


def check_rows(h, phi, mu, mask):
    """<phi_h(s, a), mu_h(.)> is a probability distribution, for every available action.

    Features and measures without a negative entry give no negative probability, and sums of rows need no rows: S A d
    operations. Otherwise the rows are formed block by block, so that the memory stays bounded when S is large.
    """
    if _rows_of_one_sign(phi, mu, mask):
        return
    n_states, n_actions, _ = phi.shape
    step = max(1, BLOCK // (n_actions * n_states))
    for first in range(0, n_states, step):
        rows = phi[first:first + step] @ mu
        allowed = mask[first:first + step]
        low, total = rows.min(axis=2), rows.sum(axis=2)
        bad = allowed & (low < -TOLERANCE)
        if bad.any():
            s, a = np.argwhere(bad)[0]
            target = int(rows[s, a].argmin())
            raise InvalidInstance(
                f"{where(h, first + s, a)}: transition probability to state {target} is {low[s, a]:.12g}; "
                f"<phi, mu> must be >= 0 (tolerance {TOLERANCE:g})"
            )
        bad = allowed & ~(np.abs(total - 1) <= TOLERANCE)
        if bad.any():
            s, a = np.argwhere(bad)[0]
            raise InvalidInstance(
                f"{where(h, first + s, a)}: transition probabilities sum to {total[s, a]:.12g}; "
                f"they must sum to 1 (tolerance {TOLERANCE:g})"
            )


def _rows_of_one_sign(phi, mu, mask):
    """Whether it is plain that all rows are distributions; half of the tolerance is left to rounding in long sums."""
    if phi.min() < 0 or mu.min() < 0:
        return False
    total = phi @ mu.sum(axis=1)
    return bool((np.abs(total[mask] - 1) <= TOLERANCE / 2).all())


def check_rewards(h, phi, theta, mask):
    """<phi_h(s, a), theta_h> in [0, 1] for every available action, and |theta_h| <= sqrt d."""
    rewards = phi @ theta
    bad = mask & ((rewards < -TOLERANCE) | (rewards > 1 + TOLERANCE))
    if bad.any():
        s, a = np.argwhere(bad)[0]
        raise InvalidInstance(f"{where(h, s, a)}: reward is {rewards[s, a]:.12g}; rewards must lie in [0, 1]")
    norm, bound = float(np.sqrt(theta @ theta)), float(np.sqrt(theta.size))
    if not norm <= bound * (1 + TOLERANCE) + ROUNDING:
        raise InvalidInstance(f"{where(h)}: |theta| is {norm:.12g}; at most sqrt(d) = {bound:.12g} is allowed")


def check_measures(h, mu):
    """sup_v |sum_s v(s) mu_h(s)| <= sqrt d; undecided cases (see `measure_norm`) are let through."""
    bound = float(np.sqrt(mu.shape[0]))
    largest = bound * (1 + (2 * mu.shape[1] + 1) * TOLERANCE) + ROUNDING
    if np.linalg.norm(np.abs(mu).sum(axis=1)) <= largest:
        return
    lower, _ = measure_norm(mu)
    if not lower <= largest:  # also where entries near the largest float made it NaN
        raise InvalidInstance(
            f"{where(h)}: sup over |v| <= 1 of |sum_s v(s) mu(s)| is at least {lower:.12g}; "
            f"at most sqrt(d) = {bound:.12g} is allowed"
        )


def measure_norm(mu):
    """Lower and upper bound of ||mu_h|| = sup over v in [-1, 1]^S of |sum_s v(s) mu_h(s)|.

    Parameters
    ----------
    mu : (d, S)
        The signed measures of one layer.

    Returns
    -------
    (lower, upper) : floats
        Equal when the supremum is known: it is attained at a sign vector, parallel columns take aligned signs and
        are merged, and up to 14 remaining columns are enumerated. Beyond that, `upper` is the triangle inequality
        per coordinate, sqrt(sum_i |mu_i|(S)^2), and `lower` comes from v = 1 and from alternating ascent
        v <- sign(mu' mu v), which stops at a local maximum.

    Source: the normalisation after Assumption 1.
    """
    columns = _merge_parallel(mu.T)
    m = len(columns)
    if m == 0:
        return 0.0, 0.0
    if m <= SIGNS_AT_MOST:
        signs = 1 - 2 * (np.arange(1 << (m - 1))[:, None] >> np.arange(m) & 1)  # v and -v give the same norm
        exact = float(np.linalg.norm(signs @ columns, axis=1).max())
        return exact, exact
    signs = np.vstack([np.ones(m), np.where(columns.T < 0, -1.0, 1.0)])
    largest = float(np.linalg.norm(mu.sum(axis=1)))
    for _ in range(50):
        sums = signs @ columns
        largest = max(largest, float(np.linalg.norm(sums, axis=1).max()))
        better = np.where(sums @ columns.T < 0, -1.0, 1.0)
        if np.array_equal(better, signs):
            break
        signs = better
    upper = float(np.linalg.norm(np.abs(mu).sum(axis=1)))
    return min(largest, upper), upper


def _merge_parallel(columns):
    """Nonzero vectors, those on one line added up with aligned signs (the supremum aligns them anyway)."""
    lengths = np.linalg.norm(columns, axis=1)
    columns, lengths = columns[lengths > 0], lengths[lengths > 0]
    if not len(columns):
        return columns
    directions = np.round(columns / lengths[:, None], 12)
    leading = np.take_along_axis(directions, (directions != 0).argmax(axis=1)[:, None], axis=1)
    signs = np.sign(leading)
    _, line = np.unique(directions * signs + 0.0, axis=0, return_inverse=True)
    merged = np.zeros((line.max() + 1, columns.shape[1]))
    np.add.at(merged, line.ravel(), columns * signs)
    return merged
