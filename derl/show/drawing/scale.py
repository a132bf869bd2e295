"""How far the design goes, from what `speed/scaling.py` measured: many states, and many machines."""

from __future__ import annotations

from heapq import heapreplace

from derl.show.drawing.performance import written
from derl.show.drawing.tables import table

NETWORK = 1.25e9  # bytes per second between two machines: ten gigabits
SIZES = ((10**3, 20), (10**5, 20), (10**6, 100), (10**7, 1000))  # S, d on paper
ACTIONS = 4
BYTES = (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")


def amount(size: float) -> str:
    """Bytes with three digits and the unit that fits."""
    unit, name = next(((unit, name) for unit, name in BYTES if float(f"{size / unit:.3g}") >= 1), (1, "B"))
    return f"{size / unit:.3g} {name}"


def steps(results: dict):
    """What runs with a hundred thousand states: CPU time of every step, and the peak of memory after it."""
    part = results["large"]["factored"]
    return table(("step", "CPU time", "memory at most"),
                 [(name, written(step["seconds"]), amount(step["peak"])) for name, step in part["steps"].items()])


def beside(results: dict):
    """Sums beside the cube: times, allocated memory, and their ratios."""
    rows = []
    for name, title in (("deployed", "one deployment, S = 1000, A = 10, H = 50, d = 20"),
                        ("layerwise", "Algorithm 1 at its theorem's N, S = 20, A = 4, H = 20, d = 20"),
                        ("arbitrary", "Algorithm 2, S = 100, A = 10, H = 10, d = 10")):
        part = results["large"][name]
        times, memory = part["times"], part["memory"]
        rows.append((title, written(times["cube"]), written(times["sums"]), f"{times['cube'] / times['sums']:.1f}",
                     amount(memory["cube"]), amount(memory["sums"]), f"{memory['cube'] / memory['sums']:.0f}"))
    return table(("work", "cube", "sums", "times", "memory of the cube", "of sums", "times"), rows)


def makespan(seconds: list[float], workers: int) -> float:
    """The time at which the last worker finishes, if each takes the next block as soon as it is free."""
    free = [0.0] * workers
    for time in seconds:
        heapreplace(free, free[0] + time)
    return max(free)


def reduced(n_states: int, dim: int, workers: int) -> float:
    """Seconds of an all-reduce of arrivals and moments in a ring: each worker sends 2 (W - 1)/W of them."""
    return 2 * (workers - 1) / workers * 8 * n_states * (dim + 1) / NETWORK


def simulated(results: dict, workers: tuple[int, ...] = (1, 2, 4, 8, 16)):
    """One layer on several workers: the measured blocks distributed, and the all-reduce after them."""
    part = results["large"]["blocks"]
    alone, rows = makespan(part["seconds"], 1), []
    for number in workers:
        draws, network = makespan(part["seconds"], number), reduced(part["S"], part["d"], number)
        rows.append((number, written(draws), written(network) if network else "", f"{alone / (draws + network):.1f}"))
    return table(("workers", "drawing", "all-reduce", "times faster"), rows)


def on_paper(results: dict, workers: int = 1000):
    """Memory and messages of one layer at several sizes, and what its all-reduce takes."""
    rows = []
    for n_states, dim in SIZES:
        rows.append((f"{n_states:.0e}".replace("e+0", "e"), dim, amount(8 * n_states * ACTIONS * dim),
                     amount(8 * n_states * (dim + 1)), written(reduced(n_states, dim, workers)),
                     amount(8 * n_states * (ACTIONS + 1)), amount(8 * dim * (dim + 1))))
    return table(("S", "d", "features", "moments and arrivals", "their all-reduce", "visits and arrivals",
                  "d × d and d numbers"), rows)
