"""Instances from a log: counts of transitions, or a table of steps, as a model with the observed frequencies."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np

from derl.inputs import display, files
from derl.mdp.instances.tables import tabular
from derl.mdp.limits import affordable
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance, as_numbers

COLUMNS = ("layer", "state", "action", "reward", "next_state")
LARGEST = 10**9  # bytes of a table


@dataclass(frozen=True, eq=False, repr=False)
class Log(display.Fields):
    """What a table of steps says.

    Attributes
    ----------
    counts : (H, S, A, S)
        Transitions n_h(s, a, s').
    rewards : (H, S, A)
        Mean observed rewards; 0 where a pair was never seen.
    initial : (S,)
        Frequencies of the states in layer 1.
    """

    counts: np.ndarray
    rewards: np.ndarray
    initial: np.ndarray


def from_counts(counts, rewards, initial, **names) -> LinearMDP:
    """The tabular MDP with the observed frequencies: an estimate, as good as the data.

    An action that was never seen is not available where another one was. A state in which nothing was seen stays
    where it is, with reward 0. `mdp.info["unseen"]` is the number of triples (h, s, a) without data.

    Parameters
    ----------
    counts : (H, S, A, S)
        Transitions n_h(s, a, s') >= 0.
    rewards : (H, S, A)
        In [0, 1] where there are data.
    initial : (S,)
    names : `state_names`, `action_names` of `LinearMDP`.

    Raises
    ------
    InvalidInstance

    Examples
    --------
    >>> import numpy as np
    >>> from derl import instances
    >>> counts = np.array([[[[3, 1], [0, 0]], [[0, 2], [1, 1]]]])  # one layer, two states, two actions
    >>> mdp = instances.from_counts(counts, np.full((1, 2, 2), 0.5), [1, 0])
    >>> mdp.transitions()[0, 0, 0], mdp.available[0, 0], mdp.info["unseen"]
    (array([0.75, 0.25]), array([ True, False]), 1)
    """
    counts, rewards = as_numbers("counts", counts, ("H", "S", "A", "S")), as_numbers("rewards", rewards)
    if counts.shape[1] != counts.shape[3] or rewards.shape != counts.shape[:3]:
        raise InvalidInstance(f"counts have shape {counts.shape} and rewards {rewards.shape}; they must have shapes "
                              "(H, S, A, S) and (H, S, A)")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise InvalidInstance("counts has entries that are negative or not finite; it must be >= 0")
    visits = counts.sum(axis=3)
    seen = visits > 0
    stay = np.eye(counts.shape[1])[None, :, None, :]
    transitions = np.where(seen[..., None], counts / np.where(seen, visits, 1)[..., None], stay)
    there = seen | ~seen.any(axis=2, keepdims=True)
    return tabular(transitions, np.where(seen, rewards, 0.0), initial, available=there,
                   info={"family": "counts", "unseen": int((~seen).sum())}, **names)


def read_log(path) -> Log:
    """A table of steps in CSV.

    Parameters
    ----------
    path : path
        The first line names the columns layer (from 1), state, action, next_state (from 0), reward, and, if a row
        means several steps, count. Other columns are not read. States and actions are whole numbers.

    Raises
    ------
    InvalidInstance
        The message names the line.
    """
    try:
        rows = csv.DictReader(io.StringIO(files.read(path, LARGEST, InvalidInstance).decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise InvalidInstance(f"{path} is no text in UTF-8") from None
    missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise InvalidInstance(f"{path} has no column {missing[0]!r}; needed are {', '.join(COLUMNS)}")
    names = COLUMNS + (("count",) if "count" in rows.fieldnames else ())
    read = []
    for line, row in enumerate(rows, 2):
        try:
            read.append([float(row[name]) for name in names])
        except (TypeError, ValueError):
            raise InvalidInstance(f"{path}, line {line}: {', '.join(names)} must be numbers") from None
    if not read:
        raise InvalidInstance(f"{path} has no rows")
    table = np.array(read)
    whole = table[:, [0, 1, 2, 4]]
    wrong = ~np.isfinite(table).all(axis=1) | (whole < [1, 0, 0, 0]).any(axis=1) | (whole % 1 != 0).any(axis=1)
    wrong |= (table[:, 5:] < 0).any(axis=1)
    if wrong.any():
        raise InvalidInstance(f"{path}, line {2 + int(wrong.argmax())}: layer must be a whole number >= 1, state, "
                              "action and next_state whole numbers >= 0, reward finite, count >= 0")
    h, s, a, t = whole.astype(int).T - [[1], [0], [0], [0]]
    layers, states, actions = h.max() + 1, max(s.max(), t.max()) + 1, a.max() + 1
    affordable(str(path), int(layers), int(states), int(actions), int(states * actions))
    weight = table[:, 5] if table.shape[1] > 5 else np.ones(len(table))
    counts, total = np.zeros((layers, states, actions, states)), np.zeros((layers, states, actions))
    np.add.at(counts, (h, s, a, t), weight)
    np.add.at(total, (h, s, a), weight * table[:, 3])
    visits = counts.sum(axis=3)
    initial = visits[0].sum(axis=1)
    empty = np.flatnonzero(visits.sum(axis=(1, 2)) == 0)
    if len(empty):
        raise InvalidInstance(f"{path} has no step of layer {empty[0] + 1}; the last layer is {layers}")
    return Log(counts, total / np.where(visits > 0, visits, 1), initial / initial.sum())


def from_csv(path, **names) -> LinearMDP:
    """The MDP with the observed frequencies of a table of steps: `from_counts` of `read_log`.

    Raises
    ------
    InvalidInstance
    """
    log = read_log(path)
    return from_counts(log.counts, log.rewards, log.initial, **names)
