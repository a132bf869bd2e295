"""Limits on the size of an instance that is given as text or as a file, checked before memory is requested.

If you build an instance in Python, you choose its size. But a specification of forty characters, or a file of three
kilobytes, can require any amount of memory. These limits leave room for every instance of the book and its toy-text
tables.
"""

from __future__ import annotations

from derl.inputs import shown
from derl.mdp.validation import InvalidInstance

ENTRIES = 2**24  # numbers in one array: 134 MB
WORK = 2**33  # multiplications that form all transition probabilities once
HORIZON = 10_000  # layers are looped over
OBJECT = 16  # how many floats an entry costs that is made as a Fraction


def affordable(what: str, horizon: int, n_states: int, n_actions: int, dim: int, layers: int | None = None,
               weight: int = 1) -> None:
    """Refuse sizes beyond the limits; the caller checks sizes below 1.

    Parameters
    ----------
    what : str
        Name of the family or of the file.
    layers : int or None
        How many layers are stored; all by default.
    weight : int
        Cost of an entry, in floats.

    Raises
    ------
    InvalidInstance
    """
    if horizon > HORIZON:
        raise InvalidInstance(f"{what} has {shown(horizon)} layers; at most {HORIZON} are allowed")
    layers = horizon if layers is None else layers
    rows = layers * n_states * n_actions
    entries = weight * max(rows * dim, layers * dim * n_states, rows, horizon * n_states * n_actions // 8)
    if entries > ENTRIES or rows * n_states * dim > WORK:
        raise InvalidInstance(f"{what} has {shown(layers)} layers of {shown(n_states)} states, {shown(n_actions)} "
                              f"actions and {shown(dim)} dimensions; that is more than the {ENTRIES} numbers, or the "
                              f"{WORK} multiplications, that text or a file may ask for")
