"""Digests: one short text for everything that a result depends on. It changes when any part of that changes.

`digest` takes bytes or plain values. The other functions make plain values of files and of installed packages.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from derl.exact.base import of_file


def contents(root: Path, files: Iterable[Path]) -> dict[str, str]:
    """Files as a value: name below `root`, with slashes on every machine -> digest of the content."""
    return {path.relative_to(root).as_posix(): of_file(path) for path in files}


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
