"""Which code a result comes from: a digest of what an experiment runs, the same on every machine with that code."""

from __future__ import annotations

import functools
from pathlib import Path

from derl.inputs import digests

FLOORS = ("inputs", "mdp", "deployment", "estimation", "theory", "algorithms", "experiments")
LIBRARIES = ("numpy", "scipy", "numba")  # whose versions may change a number
PACKAGE = Path(__file__).resolve().parents[1]


@functools.cache
def code_digest() -> str:
    """Digest of the sources of the floors that an experiment uses, and of the versions of the libraries."""
    files = [path for floor in FLOORS for path in digests.below(PACKAGE / floor, "*.py")]
    return digests.digest({"files": digests.contents(PACKAGE, files), "libraries": digests.versions(LIBRARIES)})
