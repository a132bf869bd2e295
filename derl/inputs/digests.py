"""Digests: one short text for everything that a result depends on. It changes when any part of that changes.

`digest` takes bytes or plain values. The other functions make plain values of files, of installed packages, and of
what a run found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from importlib import metadata
from pathlib import Path
from typing import Any


def digest(what: Any) -> str:
    """SHA-256 in hexadecimal.

    Parameters
    ----------
    what : bytes, or whatever JSON can hold
        The order of the keys of a mapping does not count.

    Examples
    --------
    >>> digest({"a": 1, "b": [2]}) == digest({"b": (2,), "a": 1})
    True
    """
    content = what if isinstance(what, bytes) else json.dumps(what, sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()


def contents(root: Path, files: Iterable[Path]) -> dict[str, str]:
    """Files as a value: name below `root`, with slashes on every machine -> digest of the content."""
    return {path.relative_to(root).as_posix(): digest(path.read_bytes()) for path in files}


def below(folder: Path, pattern: str = "*") -> list[Path]:
    """The files in a folder and in those within it, without those that Python compiles from them."""
    return [path for path in folder.rglob(pattern) if path.is_file() and "__pycache__" not in path.parts]


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Installed packages as a value: name -> version, or "absent"."""
    found = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "absent"
    return found


def untimed(value: Any, without: Collection[str] = ("seconds",)) -> Any:
    """Plain values without the entries of these names, at any depth: what differs between runs that found the same."""
    if isinstance(value, dict):
        return {key: untimed(part, without) for key, part in value.items() if key not in without}
    return [untimed(part, without) for part in value] if isinstance(value, list) else value
