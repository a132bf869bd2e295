"""The recorded run of `derl table1`: what it found, and from which specification, commit and code."""

from __future__ import annotations

import functools
from pathlib import Path

from derl.experiments.table import load

FOLDER = Path(__file__).parent / "results"
NAMES = ("calibration", "choice", "table1", "few", "no_data", "seconds", "rotated", "known_law")


@functools.cache
def recorded(name: str = "table1") -> tuple[tuple[dict, ...], dict]:
    """Rows and provenance of one of `NAMES`."""
    rows, about = load(FOLDER / f"{name}.parquet")
    return tuple(rows), about
