"""Instances as .npz files: plain arrays, a schema tag, never pickle.

A file may contain anything, such as three megabytes that decompress to gigabytes, or a horizon of a hundred million. So
the headers of the arrays are read first, the sizes that they require are compared with `derl.mdp.limits`, and only then
are the entries read.
"""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path

import numpy as np

from derl.inputs import files, shown
from derl.mdp.limits import ENTRIES, affordable
from derl.mdp.validation import InvalidInstance

SCHEMA = "derl-linear-mdp-1"
LAYERED = ("phi", "mu", "theta", "available")
KEYS = ("schema", "horizon", *LAYERED, "initial", "notes")
KINDS = {"schema": "U", "notes": "U", "available": "b"}  # kinds of dtype; numbers elsewhere
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def save(mdp, path) -> None:
    """Write the instance to `path`, all at once: a failure leaves an existing file as it was, and nothing else.

    An array that repeats one layer is stored once.

    Raises
    ------
    InvalidInstance
        The file cannot be written; see `derl.inputs.files`.
    """
    notes = {"state_names": mdp.state_names, "action_names": mdp.action_names, "info": dict(mdp.info)}
    arrays = {"schema": np.array(SCHEMA), "horizon": np.array(mdp.horizon), "initial": mdp.initial,
              "notes": np.array(json.dumps(notes))}
    for name in LAYERED:
        array = getattr(mdp, name)
        arrays[name] = array[:1] if array.strides[0] == 0 else array
    files.write(path, lambda stream: np.savez_compressed(stream, **arrays), InvalidInstance)


def load(path, limited: bool = True) -> dict:
    """The keyword arguments of `LinearMDP` that `save` wrote to `path`.

    Raises
    ------
    InvalidInstance
        If the file is missing, truncated, not an .npz archive, holds anything but the entries that `save` writes, or
        asks for more than `derl.mdp.limits` allow (unless `limited` is False).
    """
    try:
        path = Path(path)
        is_file = path.is_file()
    except TypeError:
        is_file = False
    if not is_file:
        raise InvalidInstance(f"{path}: no such file; a file written by LinearMDP.save is needed")
    if not zipfile.is_zipfile(path):
        raise InvalidInstance(f"{path}: not an .npz archive (truncated, or another format); only files written by "
                              "LinearMDP.save are read, pickles never")
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(path, archive)
            if limited:
                _demand_small(path, members)
            entries = {}
            for key in KEYS:
                with archive.open(members[key][0]) as stream:
                    entries[key] = np.lib.format.read_array(stream, allow_pickle=False)
    except InvalidInstance:
        raise
    except Exception as error:  # a damaged archive fails in many ways; all of them mean the same to the reader
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InvalidInstance(f"{path}: unreadable as an .npz archive of plain arrays ({reason})") from None
    if limited:
        horizon, (_, n_states, n_actions, dim) = _horizon(path, entries["horizon"]), entries["phi"].shape
        layers = max(len(entries[name]) for name in LAYERED)
        affordable(str(path), horizon, n_states, n_actions, dim, layers)
    return _unpack(path, entries)


def _members(path, archive) -> dict[str, tuple]:
    """Entry -> (member of the archive, shape, dtype), from the headers alone."""
    found = {}
    for info in archive.infolist():
        key = info.filename.removesuffix(".npy")
        if key not in KEYS or key in found or key == info.filename or info.compress_type not in METHODS:
            raise InvalidInstance(f"{path}: {shown(info.filename)} is no entry that LinearMDP.save writes; allowed are "
                                  f"{', '.join(KEYS)}, each once as .npy")
        with archive.open(info) as stream:
            version = np.lib.format.read_magic(stream)
            read = {(1, 0): np.lib.format.read_array_header_1_0}.get(version, np.lib.format.read_array_header_2_0)
            shape, _, dtype = read(stream)
            header = stream.tell()
        if dtype.hasobject or dtype.kind not in KINDS.get(key, "iuf"):
            raise InvalidInstance(f"{path}: unreadable: entry {key!r} has dtype {dtype}; plain arrays are needed, "
                                  "pickles are never read")
        if any(size < 0 for size in shape) or info.file_size != header + math.prod(shape) * dtype.itemsize:
            raise InvalidInstance(f"{path}: unreadable: entry {key!r} has not the size that its header says")
        found[key] = info, shape, dtype
    missing = [key for key in KEYS if key not in found]
    if missing:
        raise InvalidInstance(f"{path}: entry {missing[0]!r} is missing; needed are {', '.join(KEYS)}")
    return found


def _demand_small(path, members) -> None:
    for key, (info, shape, _) in members.items():
        if info.file_size > 8 * ENTRIES + 1000:
            raise InvalidInstance(f"{path}: entry {key!r} has shape {shown(shape)} and {info.file_size} bytes; at most "
                                  f"{ENTRIES} numbers are read from a file")
        if key in LAYERED and len(shape) != {"phi": 4, "theta": 2}.get(key, 3):
            raise InvalidInstance(f"{path}: {key} has shape {shown(shape)}; it must have one size per layer, and more")


def _horizon(path, horizon) -> int:
    if horizon.ndim or horizon.dtype.kind not in "iu" or horizon < 1:
        raise InvalidInstance(f"{path}: horizon is {str(horizon)[:40]}; it must be one integer >= 1")
    return int(horizon)


def _unpack(path, entries) -> dict:
    if entries["schema"].ndim or str(entries["schema"]) != SCHEMA:
        raise InvalidInstance(f"{path}: schema is {str(entries['schema'])[:40]!r}; {SCHEMA!r} is needed")
    horizon = _horizon(path, entries["horizon"])
    try:
        notes = json.loads(str(entries["notes"]))
        fields = {name: tuple(map(str, notes[name])) for name in ("state_names", "action_names")}
        fields["info"] = dict(notes["info"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInstance(f"{path}: entry 'notes' must be JSON with state_names, action_names, info") from None
    for name in LAYERED:
        array = entries[name]
        if array.ndim and array.shape[0] == 1:
            array = np.broadcast_to(array, (horizon, *array.shape[1:]))
        if array.ndim == 0 or array.shape[0] != horizon:
            raise InvalidInstance(f"{path}: {name} has shape {array.shape}; its first size must be {horizon}")
        fields[name] = array
    return fields | {"initial": entries["initial"]}
