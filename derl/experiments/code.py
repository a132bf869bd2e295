"""Which code a result comes from: a digest of what an experiment runs, the same on every machine with that code."""

from __future__ import annotations

import functools
import hashlib
from importlib import metadata
from pathlib import Path

FLOORS = ("boundary", "mdp", "deployment", "estimation", "theory", "algorithms", "experiments")
LIBRARIES = ("numpy", "scipy", "numba")  # whose versions may change a number
PACKAGE = Path(__file__).resolve().parents[1]


@functools.cache
def code_digest() -> str:
    """SHA-256 of the sources of the floors that an experiment stands on, and of the versions of what computes."""
    state = hashlib.sha256()
    for folder in FLOORS:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            state.update(f"{path.relative_to(PACKAGE).as_posix()} {path.stat().st_size}\n".encode())
            state.update(path.read_bytes())
    for library in LIBRARIES:
        try:
            state.update(f"{library} {metadata.version(library)}\n".encode())
        except metadata.PackageNotFoundError:
            state.update(f"{library} absent\n".encode())
    return state.hexdigest()
