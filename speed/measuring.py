"""How the scripts here measure: CPU time, one thread, sides in turns, and what this machine can do at most."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np

RESULTS = Path(__file__).with_name("results.json")
PAUSE = 0.02  # seconds of CPU time that a measurement takes at least


def seconds(ways: dict[str, Callable], rounds: int = 5) -> dict[str, float]:
    """CPU seconds per call of every way: warmed up, in turns, the best of some rounds."""
    repeats, best = {}, dict.fromkeys(ways, math.inf)
    for name, way in ways.items():
        way()
        start = process_time()
        way()
        repeats[name] = max(1, math.ceil(PAUSE / max(process_time() - start, 1e-9)))
    for _ in range(rounds):
        for name, way in ways.items():
            start = process_time()
            for _ in range(repeats[name]):
                way()
            best[name] = min(best[name], (process_time() - start) / repeats[name])
    return best


def agree(name: str, one, other, tolerance: float = 1e-9) -> None:
    """Stop where two sides do not find the same."""
    worst = float(np.abs(np.asarray(one) - np.asarray(other)).max())
    if not worst <= tolerance:
        raise SystemExit(f"{name}: the sides differ by {worst:.2g}")


def machine() -> dict:
    """Name and limits of this machine for one thread: multiplications and additions, and bytes read, per second."""
    left, right = np.random.default_rng(0).random((2, 700, 700))
    large = np.random.default_rng(1).random(2**25)  # 256 MB, beyond every cache
    best = seconds({"product": lambda: left @ right, "read": lambda: large.sum()}, rounds=9)
    return {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count(),
            "load": [round(x, 1) for x in os.getloadavg()], "python": platform.python_version(),
            "numpy": np.__version__, "flops": 2 * 700**3 / best["product"], "bytes": 8 * 2**25 / best["read"]}


def record(found: dict) -> None:
    """Put these parts into results.json; the other parts stay. One line for each entry of a part."""
    parts = (json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}) | found
    lines = (f' "{name}": {{\n' + ",\n".join(f"  {json.dumps(key)}: {json.dumps(part[key])}" for key in part) + "\n }"
             for name, part in sorted(parts.items()))
    RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
