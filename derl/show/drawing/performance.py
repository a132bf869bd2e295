"""What the scripts in `speed/` measured, as tables and figures: `speed/results.json` and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from IPython.display import Markdown

from derl.show.drawing import style
from derl.show.drawing.tables import table

OWN = "derl"
SIZES = {"loaded, checks included": "loaded", "memory, beyond that of the open page": "memory"}
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def load(path) -> dict:
    """What the scripts in `speed/` recorded."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def written(seconds: float) -> str:
    """A time with three digits and the unit that fits."""
    unit, name = next(((unit, name) for unit, name in UNITS if float(f"{seconds / unit:.3g}") >= 1), UNITS[-1])
    return f"{seconds / unit:.3g} {name}"


def comparison(results: dict):
    """One row for every way to do a piece of work: its time, and how many times derl's it is."""
    rows = []
    for name, kernel in results["kernels"].items():
        times = sorted(kernel["times"].items(), key=lambda item: item[1])
        rows += [("" if at else name, way, written(time), "" if way == OWN else f"{time / kernel['times'][OWN]:.1f}")
                 for at, (way, time) in enumerate(times)]
    return table(("work", "by", "CPU time", "times derl's"), rows)


def planning(results: dict) -> Markdown:
    """How far a plan is ahead of QuantEcon's at every size that was measured."""
    rows = []
    for name, kernel in results["kernels"].items():
        if name.startswith("planning") and "QuantEcon" in kernel["times"]:
            rows.append(f"{name.split(',')[1].strip()}: QuantEcon takes "
                        f"{kernel['times']['QuantEcon'] / kernel['times'][OWN]:.3g} times the time of derl")
    return Markdown("; ".join(rows) + ".")


def deployments(results: dict):
    """What one deployment costs at every N."""
    times = results["deployment"]["times"]
    first = next(iter(times.values()))
    return table(("by", "CPU time", "times the first"), [(way, written(time), f"{time / first:.3g}")
                                                         for way, time in times.items()])


def limit(results: dict) -> Markdown:
    """How much of a deployment is spent in its binomials, and the most that any drawing of binomials can gain."""
    deployment = results["deployment"]
    made, times = deployment["binomials"], deployment["times"]
    one = made["numpy"]
    whole, (other, walks) = times["derl on sums, N = 1e15"], next(
        (way, time) for way, time in times.items() if not way.startswith(OWN))
    drawn = made["count"] * one
    return Markdown(
        f"{made['count']} binomials at {written(one)} are {written(drawn)} of {written(whole)}; the rest is the random "
        "stream, the check of the policy, sums and the log.\n\n"
        f"Against {other}: {walks / whole:,.0f} times; binomials alone would be {walks / drawn:,.0f} times, so no "
        "bookkeeping saved can gain more.\n\nLargest time over smallest, any N: "
        + ", ".join(f"{growth:.2f} ({way})" for way, growth in deployment["growth"].items()) + ".")


def placed(results: dict) -> dict[str, tuple[float, float, float]]:
    """Compiled function -> (operations per byte, operations per second, share of what the roof allows there)."""
    machine, found = results["machine"], {}
    for name, kernel in results["kernels"].items():
        intensity, rate = kernel["flops"] / kernel["bytes"], kernel["flops"] / kernel["times"][OWN]
        found[name] = intensity, rate, rate / min(machine["flops"], machine["bytes"] * intensity)
    return found


def roofline(results: dict):
    """Operations per second against operations per byte, below the roof of one thread of the machine."""
    figure, ax = style.axes()
    machine, kernels = results["machine"], placed(results)
    intensity = np.logspace(-2, 3, 200)
    ax.plot(intensity, np.minimum(machine["flops"], machine["bytes"] * intensity) / 1e9, color=style.GREY, label="roof")
    for (name, (x, rate, _)), mark, colour in zip(kernels.items(), "os^Dv", style.CYCLE, strict=False):
        parts = name.split(",")
        alone = [other.split(",")[0] for other in kernels].count(parts[0]) == 1
        ax.plot(x, rate / 1e9, mark, color=colour, label=parts[0] if alone else ",".join(parts[:2]))
    ax.set(xscale="log", yscale="log", xlabel="operations per byte", ylabel="10⁹ operations per second")
    ax.legend()
    return figure


def roofs(results: dict):
    """The figure as a table."""
    return table(("kernel", "operations per byte", "10⁹ operations per second", "of the roof"),
                 [(name, f"{x:.2g}", f"{rate / 1e9:.2g}", f"{share:.0%}")
                  for name, (x, rate, share) in placed(results).items()])


def scaling(results: dict):
    """Exponents found and expected."""
    return table(("time of", "sizes", "exponent", "expected"),
                 [(name, f"{row['sizes'][0]} to {row['sizes'][-1]}", f"{row['exponent']:.2f}", row["expected"])
                  for name, row in results["scaling"].items()])


def live(results: dict):
    """How long a reader of the live book waits in each browser, in seconds."""
    runs = results["live"]
    waits = next(iter(runs.values()))["seconds"]
    rows = [(what, *(f"{run['seconds'][what]:.2g} s" for run in runs.values())) for what in waits]
    sizes = [(what, *(f"{run[key]} MB" for run in runs.values())) for what, key in SIZES.items()]
    return table(("", *runs), [*rows, *sizes])


def book(results: dict):
    """Seconds of the clock and of the processors that the book's own commands take."""
    return table(("command", "waiting", "CPU time"), [(f"`{name}`", f"{run['wall']:.0f} s", f"{run['cpu']:.0f} s")
                                                      for name, run in results["book"]["commands"].items()])
