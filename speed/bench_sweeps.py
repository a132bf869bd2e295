"""What a second dask worker is worth, and what one seed of every method of Table 1 costs.

    python speed/bench_sweeps.py [--quick]

Two targets: a sweep on two workers of one thread has at least 1.7 times the throughput of one worker, if the machine
has two cores to itself (its load is printed); and one seed of all methods on the template with d = 7, H = 5, each in
one setting, takes less than 10 seconds of CPU time. Exit status 1 where one is missed. Writes the numbers to
_build/speed/sweeps.json.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, process_time

from derl.experiments import Spec, run_sweep
from derl.experiments.methods import METHODS
from derl.experiments.studies import table1

OUT = Path(__file__).resolve().parents[1] / "_build" / "speed" / "sweeps.json"
RATIO, SECONDS = 1.7, 10.0
CELL = {"family": "template", "d": 5, "horizon": 4, "epsilon": 0.2, "delta": 0.1, "mode": "calibrated", "c_beta": 0.125,
        "start": 4**8}


def throughput(workers: int, count: int) -> float:
    """Tasks a second of a sweep on a cluster of so many workers."""
    from distributed import Client, LocalCluster

    spec = Spec.of("table1", CELL, {"method": ["Algorithm 1", "Algorithms 3 and 4"]},
                   seeds={"first": 1, "count": count, "block": 2})
    with ExitStack() as stack:
        cluster = stack.enter_context(LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None))
        client = stack.enter_context(Client(cluster, set_as_default=False))
        client.wait_for_workers(workers)
        warm = Spec.of("table1", CELL, {"method": ["Algorithm 1"]}, seeds={"first": 10**6, "count": 8, "block": 1})
        run_sweep(warm, stack.enter_context(tempfile.TemporaryDirectory()), scheduler=cluster.scheduler_address)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        start = monotonic()
        run_sweep(spec, folder, scheduler=cluster.scheduler_address)
        return len(spec.tasks) / (monotonic() - start)


def one_seed() -> dict[str, float]:
    """CPU seconds of one seed of each method, in its calibrated or only setting; Theorem R at its own N."""
    spent = {}
    for name, method in METHODS.items():
        runs = "theorem" if method.searched == "" and name in ("Algorithm 2", "direct reduction") else (
            "calibrated" if method.bonus else "nominal")
        more = {"c_beta": 0.0625} if runs == "calibrated" else {}
        size = 64 if method.searched in ("episodes", "deployments") else 4**8
        start = process_time()
        table1.measure(1, name, runs, size, family="template", d=7, horizon=5, epsilon=0.2, delta=0.1, **more)
        spent[name] = process_time() - start
    return spent


def main() -> int:
    quick = "--quick" in sys.argv
    table1.measure(1, "LSVI-UCB", "calibrated", family="template", d=5, horizon=4, epsilon=0.2, delta=0.1,
                       c_beta=0.1)  # compiles or loads
    spent = one_seed()
    for name, seconds in spent.items():
        print(f"{name:<30} {seconds:6.2f} s")
    print(f"one seed of all methods: {sum(spent.values()):.1f} s of CPU time")
    load, count = os.getloadavg()[0], 16 if quick else 80
    one, two = throughput(1, count), throughput(2, count)
    print(f"one worker {one:.2f} tasks a second, two {two:.2f}: {two / one:.2f} times; load of the machine before: "
          f"{load:.1f} on {os.cpu_count()} cores")
    met = sum(spent.values()) < SECONDS and (quick or two >= RATIO * one)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps({"one_seed": spent, "one": one, "two": two, "load": load, "targets_met": met}, indent=1)
                   + "\n", encoding="utf-8")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
