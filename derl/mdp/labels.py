"""Labels of an instance: names of its states and actions, and facts that are stored with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from derl.mdp.validation import InvalidInstance


def names(what, given, size) -> tuple[str, ...]:
    """One name for each of `size` things, or none."""
    try:
        if isinstance(given, bytes | Mapping):
            raise TypeError
        found = () if given is None else tuple(map(str, given))
    except Exception:  # a foreign object may fail in any way at being listed or written
        raise InvalidInstance(f"{what} is of type {type(given).__name__}; it must be a sequence of {size} names, "
                              "or empty") from None
    if found and len(found) != size:
        raise InvalidInstance(f"{what} has {len(found)} entries; it must have {size}, or none")
    return found


def facts(info) -> Mapping:
    """A mapping that JSON can hold, read-only."""
    try:
        json.dumps(found := dict(info))
    except Exception as error:  # as above; RecursionError where it is nested too deeply
        reason = " ".join(str(error).split())[:200]
        raise InvalidInstance(f"info must be a mapping that JSON can hold ({reason})") from None
    return MappingProxyType(found)
