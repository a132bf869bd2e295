"""Instances as .npz files: plain arrays, a schema tag, never pickle."""

from __future__ import annotations

import json
import os
import secrets
import zipfile
from pathlib import Path

import numpy as np

from derl.mdp.validation import InvalidInstance

SCHEMA = "derl-linear-mdp-1"
LAYERED = ("phi", "mu", "theta", "available")
KEYS = ("schema", "horizon", *LAYERED, "initial", "notes")


def save(mdp, path) -> None:
    """Write the instance to `path`: first to a temporary file beside it, then renamed in one step.

    An array that repeats one layer is stored once. A failure leaves neither a partial nor a temporary file, and an
    existing file at `path` stays as it was.
    """
    path = Path(path)
    notes = {"state_names": mdp.state_names, "action_names": mdp.action_names, "info": dict(mdp.info)}
    arrays = {"schema": np.array(SCHEMA), "horizon": np.array(mdp.horizon), "initial": mdp.initial,
              "notes": np.array(json.dumps(notes))}
    for name in LAYERED:
        array = getattr(mdp, name)
        arrays[name] = array[:1] if array.strides[0] == 0 else array
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("xb") as stream:
            np.savez_compressed(stream, **arrays)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def load(path) -> dict:
    """The keyword arguments of `LinearMDP` that `save` wrote to `path`.

    Raises
    ------
    InvalidInstance
        If the file is missing, truncated, not an .npz archive, holds pickled objects, or lacks an entry.
    """
    path = Path(path)
    if not path.is_file():
        raise InvalidInstance(f"{path}: no such file; a file written by LinearMDP.save is needed")
    if not zipfile.is_zipfile(path):
        raise InvalidInstance(f"{path}: not an .npz archive (truncated, or another format); only files written by "
                              "LinearMDP.save are read, pickles never")
    try:
        with np.load(path, allow_pickle=False) as archive:
            entries = {key: archive[key] for key in KEYS if key in archive.files}
    except Exception as error:  # a damaged archive fails in many ways; all of them mean the same to the reader
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InvalidInstance(f"{path}: unreadable as an .npz archive of plain arrays ({reason})") from None
    missing = [key for key in KEYS if key not in entries]
    if missing:
        raise InvalidInstance(f"{path}: entry {missing[0]!r} is missing; needed are {', '.join(KEYS)}")
    return _unpack(path, entries)


def _unpack(path, entries) -> dict:
    if entries["schema"].ndim or str(entries["schema"]) != SCHEMA:
        raise InvalidInstance(f"{path}: schema is {str(entries['schema'])[:40]!r}; {SCHEMA!r} is needed")
    horizon = entries["horizon"]
    if horizon.ndim or horizon.dtype.kind != "i" or horizon < 1:
        raise InvalidInstance(f"{path}: horizon is {str(horizon)[:40]}; it must be one integer >= 1")
    try:
        notes = json.loads(str(entries["notes"]))
        fields = {name: tuple(map(str, notes[name])) for name in ("state_names", "action_names")}
        fields["info"] = dict(notes["info"])
    except (ValueError, KeyError, TypeError):
        raise InvalidInstance(f"{path}: entry 'notes' must be JSON with state_names, action_names, info") from None
    for name in LAYERED:
        array = entries[name]
        if array.ndim and array.shape[0] == 1:
            array = np.broadcast_to(array, (int(horizon), *array.shape[1:]))
        if array.ndim == 0 or array.shape[0] != horizon:
            raise InvalidInstance(f"{path}: {name} has shape {array.shape}; its first size must be {horizon}")
        fields[name] = array
    return fields | {"initial": entries["initial"]}
