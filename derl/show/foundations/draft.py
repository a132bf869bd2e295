"""An MDP as it is typed, and which assumption of linear MDPs it breaks, where.

A line is one pair of state and action: its features, where it leads, its reward,

    1 0 0 | 0.5 0.5 0 | 0.2

state by state, action by action; the dynamics are the same in every layer. The measures mu and the reward vector theta
are the shortest that fit. No others are shorter: what can be added to them is orthogonal to all features, so it only
makes |theta| and |sum v mu| longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from derl.inputs import whole
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import TOLERANCE, measure_norm
from derl.show.drawing import InvalidChoice

MOST_STATES, MOST_ACTIONS, MOST_DIM = 6, 4, 6
PARTS = ("features", "next states", "reward")


@dataclass(frozen=True, eq=False)
class Draft:
    """What was typed.

    Attributes
    ----------
    phi : (S, A, d)
    rows : (S, A, S)
    rewards : (S, A)
    """

    phi: np.ndarray
    rows: np.ndarray
    rewards: np.ndarray


@dataclass(frozen=True)
class Fault:
    """The first assumption that fails.

    Attributes
    ----------
    sentence : str
    state, action : int or None
        Its place; None where it concerns all rows.
    part : str
        "features", "next states", "reward" or "".
    """

    sentence: str
    state: int | None = None
    action: int | None = None
    part: str = ""


def read(text: str) -> Draft:
    """The arrays of a text.

    Raises
    ------
    InvalidChoice
        A line is not three groups of numbers, lines disagree, or there are too many.
    """
    lines = [line for line in str(text).splitlines() if line.strip()]
    if not 0 < len(lines) <= MOST_STATES * MOST_ACTIONS:
        raise InvalidChoice(f"{len(lines)} lines; 1 to {MOST_STATES * MOST_ACTIONS} are allowed, one per state and "
                            "action")
    found = []
    for i, line in enumerate(lines, start=1):
        groups = line.split("|")
        try:
            numbers = [[float(Fraction(word)) for word in group.split()] for group in groups]
        except (ValueError, ZeroDivisionError, OverflowError) as error:
            raise InvalidChoice(f"line {i}: {error}; only numbers such as 0.5, 1/3 or 1e-3 are allowed") from None
        if len(groups) != 3 or len(numbers[2]) != 1 or not np.isfinite(np.concatenate(numbers)).all():
            raise InvalidChoice(f"line {i} has to be: features | next states | reward")
        if found and [len(group) for group in numbers] != [len(group) for group in found[0]]:
            raise InvalidChoice(f"line {i} has {len(numbers[0])} features and {len(numbers[1])} next states; line 1 "
                                f"has {len(found[0][0])} and {len(found[0][1])}")
        found.append(numbers)
    dim = whole(len(found[0][0]), "dimension", 1, MOST_DIM, InvalidChoice)
    n_states = whole(len(found[0][1]), "number of states", 1, MOST_STATES, InvalidChoice)
    if len(lines) % n_states:
        raise InvalidChoice(f"{len(lines)} lines do not divide among {n_states} states; each has the same actions")
    n_actions = whole(len(lines) // n_states, "number of actions", 1, MOST_ACTIONS, InvalidChoice)
    arrays = [np.array([line[part] for line in found]) for part in range(3)]
    return Draft(arrays[0].reshape(n_states, n_actions, dim), arrays[1].reshape(n_states, n_actions, n_states),
                 arrays[2].reshape(n_states, n_actions))


def solve(draft: Draft) -> tuple[np.ndarray, np.ndarray]:
    """The shortest measures (d, S) and reward vector (d,) that come closest to what was typed."""
    flat = draft.phi.reshape(-1, draft.phi.shape[2])
    inverse = np.linalg.pinv(flat, rcond=1e-10)
    return inverse @ draft.rows.reshape(len(flat), -1), inverse @ draft.rewards.ravel()


def fault(draft: Draft) -> Fault | None:
    """The first assumption that fails and where, in the order in which they are written; None where all hold."""
    mu, theta = solve(draft)
    dim, norms, total = draft.phi.shape[2], np.linalg.norm(draft.phi, axis=2), draft.rows.sum(axis=2)
    missed = np.abs(draft.phi @ mu - draft.rows).max(axis=2)
    short = np.abs(draft.phi @ theta - draft.rewards)
    rank = np.linalg.matrix_rank(draft.phi.reshape(-1, dim), tol=1e-10)
    tests = (  # where it fails, how badly, which part, in words
        (draft.rows.min(axis=2) < -TOLERANCE, -draft.rows.min(axis=2), 1, lambda s, a: "a next state has "
         f"probability {draft.rows[s, a].min():.4g}; a distribution has no negative entry (simplex)"),
        (abs(total - 1) > TOLERANCE, abs(total - 1), 1, lambda s, a: f"the probabilities sum to {total[s, a]:.4g}; "
         "they must sum to 1 (simplex)"),
        (norms > 1 + TOLERANCE, norms, 0, lambda s, a: f"|phi| = {norms[s, a]:.4g}; at most 1 is allowed"),
        (abs(draft.rewards - 0.5) > 0.5 + TOLERANCE, abs(draft.rewards - 0.5), 2,
         lambda s, a: f"the reward is {draft.rewards[s, a]:.4g}; it must lie in [0, 1]"),
        (missed > TOLERANCE, missed, 1, lambda s, a: f"the features have rank {rank} and cannot carry these "
         f"transitions: no measures mu give P = <phi, mu>; the closest miss this row by {missed[s, a]:.3g}"),
        (short > TOLERANCE, short, 2, lambda s, a: "the reward is not linear in the features: the closest theta gives "
         f"{draft.phi[s, a] @ theta:.4g} in place of {draft.rewards[s, a]:.4g}"))
    for bad, how, part, words in tests:
        if bad.any():
            s, a = np.unravel_index(np.argmax(np.where(bad, how, -1)), bad.shape)
            return Fault(f"state {s}, action {a}: {words(s, a)}", int(s), int(a), PARTS[part])
    bound, length, size = dim**0.5, np.linalg.norm(theta), measure_norm(mu)[0]
    if size > bound + TOLERANCE:
        return Fault(f"the measures are too long: sup over |v| <= 1 of |sum v(s) mu(s)| = {size:.4g}; at most "
                     f"sqrt(d) = {bound:.4g} is allowed", part="features")
    if length > bound + TOLERANCE:
        return Fault(f"|theta| = {length:.4g}; at most sqrt(d) = {bound:.4g} is allowed", part="reward")
    return None


def cells_of(draft: Draft, wrong: Fault) -> tuple[tuple[int, int], ...]:
    """Rows and groups of the table that a fault concerns; all rows if it concerns no single row."""
    n_actions, group = draft.rewards.shape[1], PARTS.index(wrong.part)
    rows = range(draft.rewards.size) if wrong.state is None else [wrong.state * n_actions + wrong.action]
    return tuple((row, group) for row in rows)


def linear_mdp(draft: Draft, horizon: int) -> LinearMDP:
    """The instance, in which every layer has these dynamics; the first state is 0.

    Raises
    ------
    InvalidInstance
    """
    mu, theta = solve(draft)
    horizon = whole(horizon, "horizon", 1, 12, InvalidChoice)

    def each(array):
        return np.broadcast_to(array, (horizon, *array.shape))

    return LinearMDP(each(draft.phi), each(mu), each(theta), np.eye(draft.phi.shape[0])[0])
