"""How the scripts measure: CPU time, one thread, sides interleaved, and what this machine can do at most."""

from __future__ import annotations

import math
import os
import platform
import statistics
from collections.abc import Callable
from importlib import import_module
from time import process_time

import numpy as np

PAUSE = 0.02  # seconds of CPU time a measurement takes at least


def seconds(ways: dict[str, Callable], rounds: int = 7) -> dict[str, float]:
    """CPU seconds per call of every way: warmed up, interleaved, the best of some rounds."""
    return {name: min(found) for name, found in by_round(ways, rounds).items()}


def difference(long: Callable, short: Callable, rounds: int = 5) -> tuple[float, float]:
    """CPU seconds that one call takes more than another, and the noise of this number.

    The noise is how far the median of the rounds is above the best, for both together. A difference that is not above
    its noise has not been measured.
    """
    found = by_round({"long": long, "short": short}, rounds)
    return (min(found["long"]) - min(found["short"]),
            sum(statistics.median(times) - min(times) for times in found.values()))


def by_round(ways: dict[str, Callable], rounds: int) -> dict[str, list[float]]:
    """CPU seconds per call of every way in every round: warmed up, interleaved."""
    repeats, found = {}, {name: [] for name in ways}
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
            found[name].append((process_time() - start) / repeats[name])
    return found


def line(way: str, time: float | None, noise: float, own: float | None) -> str:
    """One measurement as it is printed: milliseconds and how many times `own`; below its noise, that instead."""
    if time is None:
        return f"    {way:32}  below its noise of {1e3 * noise:.2g} ms"
    return f"    {way:32}{1e3 * time:>12.4g} ms" + ("" if own is None else f"{time / own:>12.3g}")


def peer(name: str):
    """A module that need not be installed, or None."""
    try:
        return import_module(name)
    except ImportError:
        return None


def exponent(sizes, times) -> float:
    """Slope of log time against log size over the last three points."""
    return float(np.polyfit(np.log(np.asarray(sizes[-3:], float)), np.log(times[-3:]), 1)[0])


def machine() -> dict:
    """Name and limits of this machine for one thread: multiplications and additions, and bytes read, per second."""
    rng = np.random.default_rng(0)
    left, right = rng.random((2, 700, 700))
    large = rng.random(2**25)  # 256 MB, beyond every cache
    best = seconds({"product": lambda: left @ right, "read": lambda: large.sum()}, rounds=9)
    return {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count(),
            "load": [round(x, 1) for x in os.getloadavg()], "python": platform.python_version(),
            "numpy": np.__version__, "flops": 2 * 700**3 / best["product"], "bytes": 8 * 2**25 / best["read"]}
