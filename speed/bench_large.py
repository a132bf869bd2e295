"""Many states: what runs, how long it takes, and how much memory it asks for.

    python speed/bench_large.py [--quick] [--out FILE] [PART ...]

S = 1e5 with factored features from the instance to Algorithm 1; deployments and Algorithms 1 and 2 on sums beside the
cube n(s, a, s'); the blocks of one layer, and what they would take on several workers. Every part runs in a process of
its own, so that its peak of resident memory is its own; parts that are not named stay as they are on file. Prints what
it found and puts "large" into speed/results.json, from which the page "Performance" is drawn; with --quick small
sizes and _build/speed/large.json. Exit status 1 where S = 1e5 asks for more than 8 GB.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tracemalloc
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np

from derl import Deployer, algorithms, instances, planning
from derl.deployment.sums import draw_sums
from derl.inputs.threads import one_thread
from derl.theory import constants

ROOT = Path(__file__).resolve().parents[1]
RESULTS, QUICK = ROOT / "speed" / "results.json", ROOT / "_build" / "speed" / "large.json"
LIMIT = 8e9  # bytes


def peak() -> float:
    """Bytes of resident memory, at most, of this process so far."""
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def clocked(work, rounds: int = 1):
    """Best CPU seconds, and the result."""
    best = np.inf
    for _ in range(rounds):
        start = process_time()
        found = work()
        best = min(best, process_time() - start)
    return best, found


def factored(quick: bool) -> dict:
    """Every step with S states, one after the other, in one process."""
    S, A, H, d, N = 2000 if quick else 10**5, 4, 20, 20, 10**4 if quick else 10**6
    steps = {}

    def step(name, work):
        time, found = clocked(work)
        steps[name] = {"seconds": time, "peak": peak()}
        return found

    mdp = step("instance, validated", lambda: instances.random_simplex(S, A, d, H, seed=0))
    plan = step("optimal plan", lambda: planning.optimal(mdp))
    step(f"one deployment, N = {N:.0e}", lambda: Deployer(mdp, N, 1, seed=0).deploy_sums(plan.policy))
    step(f"Algorithm 1, three deployments, N = {N:.0e}", lambda: algorithms.layerwise_exploration(
        Deployer(mdp, N, 3, seed=0), 0.2, 0.1, keep="sums"))
    return {"S": S, "A": A, "H": H, "d": d, "features": 8 * mdp.phi.size, "steps": steps}


def beside(ways: dict, rounds: dict) -> dict:
    """Best CPU seconds of the ways, interleaved; then their peaks of allocated memory."""
    times = dict.fromkeys(ways, np.inf)
    for turn in range(max(rounds.values())):
        for name, way in ways.items():
            if turn < rounds[name]:
                times[name] = min(times[name], clocked(way)[0])
    memory = {}
    for name, way in ways.items():
        tracemalloc.start()
        way()
        memory[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return {"times": times, "memory": memory}


def deployed(quick: bool) -> dict:
    """One deployment of a deterministic policy."""
    S, A, H, d, N = 100 if quick else 1000, 10, 50, 20, 10**15
    mdp = instances.random_simplex(S, A, d, H, seed=0)
    policy = np.random.default_rng(0).integers(0, A, (H, S))
    deployer = Deployer(mdp, N, 100, seed=1)
    deployer.deploy_sums(policy)  # compiles
    return beside({"cube": lambda: deployer.deploy(policy), "sums": lambda: deployer.deploy_sums(policy)},
                  {"cube": 2, "sums": 4})


def layerwise(quick: bool) -> dict:
    """Algorithm 1 at its theorem's N."""
    S, A, d, H = 20, 4, 20, 5 if quick else 20
    mdp = instances.random_simplex(S, A, d, H, seed=0)
    size, most = constants.batch_size_layerwise(d, H, 0.1, 0.1, 6), constants.deployments_layerwise(d, H, 6)

    def run(keep):
        return algorithms.layerwise_exploration(Deployer(mdp, size, most, seed=0), 0.1, 0.1, keep=keep)

    assert run("sums").converged and run("transitions").converged
    return beside({"cube": partial(run, "transitions"), "sums": partial(run, "sums")}, {"cube": 7, "sums": 7})


def arbitrary(quick: bool) -> dict:
    """Algorithm 2, certifying itself."""
    S, A, d, H = (20, 4, 5, 3) if quick else (100, 10, 10, 10)
    mdp = instances.random_simplex(S, A, d, H, seed=0)

    def run(keep):
        return algorithms.arbitrary_policy_exploration(Deployer(mdp, 10**15, H, "any", seed=0), 0.1, 0.1, keep=keep,
                                                       version="self-certifying", initial=mdp.initial)

    assert run("sums").converged
    return beside({"cube": partial(run, "transitions"), "sums": partial(run, "sums")}, {"cube": 1, "sums": 2})


def arbitrary_at_large(quick: bool) -> dict:
    """Algorithm 2 with 30 policies a layer; the cube would be drawn 30 times in each of H deployments."""
    S, A, d, H, most = (50, 4, 5, 3, 5) if quick else (1000, 10, 20, 50, 30)
    mdp = instances.random_simplex(S, A, d, H, seed=0)
    time, found = clocked(lambda: algorithms.arbitrary_policy_exploration(
        Deployer(mdp, 10**15, H, "any", seed=0), 0.1, 0.1, keep="sums", version="self-certifying", i_max=most,
        initial=mdp.initial))
    return {"S": S, "A": A, "H": H, "d": d, "policies": most, "seconds": time, "peak": peak(),
            "gap": planning.gap(mdp, found.policy)}


def blocks(quick: bool) -> dict:
    """CPU seconds of every block of one layer: they are independent."""
    S, N, d = 2000 if quick else 10**5, 10**4 if quick else 10**6, 20
    mdp = instances.random_simplex(S, 4, d, 1, seed=0)
    seconds = []

    def run(work, todo):
        for block in todo:
            time, found = clocked(lambda: work(block), 2)  # noqa: B023
            seconds.append(time)
            yield found

    for _ in range(2):  # the first one compiles
        seconds.clear()
        draw_sums(mdp, np.zeros((1, S), int), N, lambda *at: np.random.default_rng(at), run=run)
    return {"S": S, "d": d, "N": N, "seconds": seconds}


PARTS = {part.__name__: part for part in (factored, deployed, layerwise, arbitrary, blocks, arbitrary_at_large)}


def measured(names: list[str], quick: bool) -> dict:
    """Some parts, each in a process of its own."""
    found = {"load": [round(x, 1) for x in os.getloadavg()]}
    for name in names:
        command = [sys.executable, __file__, "--part", name, *(["--quick"] if quick else [])]
        found[name] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{name}: {json.dumps(found[name])}", flush=True)
    return found


@one_thread
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}; all by default")
    chosen = parser.parse_args()
    if chosen.part:
        print(json.dumps(PARTS[chosen.part](chosen.quick)))
        return 0
    if not set(chosen.parts) <= set(PARTS):
        parser.error(f"{chosen.parts} are not all parts; there are {', '.join(PARTS)}")
    found = measured(chosen.parts or list(PARTS), chosen.quick)
    out = chosen.out or (QUICK if chosen.quick else RESULTS)
    out.parent.mkdir(parents=True, exist_ok=True)
    others = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    found = others.get("large", {}) | found
    out.write_text(json.dumps(others | {"large": found}, indent=1) + "\n", encoding="utf-8")
    return int("factored" in found and max(step["peak"] for step in found["factored"]["steps"].values()) > LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
