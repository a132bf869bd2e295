"""How times and memory grow, and a hundred thousand states; the page "Performance" shows the result.

    python speed/scaling.py            # a quarter of an hour, 8 GB; writes to speed/results.json
    python speed/scaling.py --quick    # a minute: small sizes, printed only
    python speed/scaling.py factored   # one part; the others stay as they are recorded

Every part runs in a process of its own, so that its peak of memory is its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tracemalloc
from time import process_time

import numpy as np
from measuring import RESULTS, record, seconds
from peers import repeated

from derl import Deployer, algorithms, instances, planning
from derl.deployment.sums import draw_sums
from derl.inputs.threads import one_thread
from derl.theory import constants
from derl.theory.potential import sequences


def peak() -> float:
    """Bytes of resident memory, at most, of this process so far."""
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def clocked(work):
    """CPU seconds, and the result."""
    start = process_time()
    found = work()
    return process_time() - start, found


def scaling(quick: bool) -> dict:
    """Name -> sizes, CPU seconds, and the exponent found, over the last three sizes, and expected."""
    def deployment_at(S, H):
        mdp = instances.random_simplex(S, 4, 5, H, seed=0)
        deployer, policy = Deployer(mdp, 10**9, 10**6, seed=1), np.zeros((H, S), int)
        return lambda: deployer.deploy(policy)

    def potential_at(count, K):
        vectors = np.random.default_rng(0).normal(size=(count, K, 1, 5)) / 5
        return lambda: sequences.scan(vectors)

    def planning_at(S, H):
        mdp = repeated(S, 4, 10, H)
        return lambda: planning.optimal(mdp)

    ways = {"planning against S": (1000, lambda S: planning_at(S, 10), 1),
            "planning against H": (10, lambda H: planning_at(500, H), 1),
            "deployment against S": (20, lambda S: deployment_at(S, 5), 2),
            "deployment against H": (5, lambda H: deployment_at(20, H), 1),
            "potential against the number of sequences": (2000, lambda count: potential_at(count, 10), 1),
            "potential against K": (10, lambda K: potential_at(2000, K), 1)}
    found = {}
    for name, (first, way, expected) in ways.items():
        sizes = [first * 2**i for i in range(3 if quick else 4)]
        times = [seconds({"": way(size)}, 3)[""] for size in sizes]
        slope = np.polyfit(np.log(sizes[-3:]), np.log(times[-3:]), 1)[0]
        found[name] = {"sizes": sizes, "seconds": times, "exponent": float(slope), "expected": expected}
    return found


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


def beside(cube, sums) -> dict:
    """Best CPU seconds of the two, in turns; then their peaks of allocated memory."""
    memory = {}
    times = seconds({"cube": cube, "sums": sums}, 2)
    for name, way in (("cube", cube), ("sums", sums)):
        tracemalloc.start()
        way()
        memory[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return {"times": times, "memory": memory}


def deployed(quick: bool) -> dict:
    """One deployment of a deterministic policy."""
    S = 100 if quick else 1000
    mdp = instances.random_simplex(S, 10, 20, 50, seed=0)
    policy = np.random.default_rng(0).integers(0, 10, (50, S))
    deployer = Deployer(mdp, 10**15, 10**6, seed=1)
    return beside(lambda: deployer.deploy(policy), lambda: deployer.deploy_sums(policy))


def layerwise(quick: bool) -> dict:
    """Algorithm 1 at its theorem's N."""
    d, H = 20, 5 if quick else 20
    mdp = instances.random_simplex(20, 4, d, H, seed=0)
    size, most = constants.batch_size_layerwise(d, H, 0.1, 0.1, 6), constants.deployments_layerwise(d, H, 6)

    def run(keep):
        return algorithms.layerwise_exploration(Deployer(mdp, size, most, seed=0), 0.1, 0.1, keep=keep)
    return beside(lambda: run("transitions"), lambda: run("sums"))


def arbitrary(quick: bool) -> dict:
    """Algorithm 2, certifying itself."""
    S, A, d, H = (20, 4, 5, 3) if quick else (100, 10, 10, 10)
    return beside(lambda: covered(S, A, d, H, "transitions"), lambda: covered(S, A, d, H, "sums"))


def covered(S: int, A: int, d: int, H: int, keep: str, most: int | None = None):
    """A run of Algorithm 2, and its instance."""
    mdp = instances.random_simplex(S, A, d, H, seed=0)
    more = {} if most is None else {"i_max": most}
    return mdp, algorithms.arbitrary_policy_exploration(
        Deployer(mdp, 10**15, H, "any", seed=0), 0.1, 0.1, keep=keep, version="self-certifying", initial=mdp.initial,
        **more)


def arbitrary_at_large(quick: bool) -> dict:
    """Algorithm 2 with 30 policies a layer; the cube would be drawn 30 times in each of H deployments."""
    S, A, d, H, most = (50, 4, 5, 3, 5) if quick else (1000, 10, 20, 50, 30)
    time, (mdp, found) = clocked(lambda: covered(S, A, d, H, "sums", most))
    return {"S": S, "A": A, "H": H, "d": d, "policies": most, "seconds": time, "peak": peak(),
            "gap": planning.gap(mdp, found.policy)}


def blocks(quick: bool) -> dict:
    """CPU seconds of every block of one layer: they are independent."""
    S, N, d = 2000 if quick else 10**5, 10**4 if quick else 10**6, 20
    mdp, taken = instances.random_simplex(S, 4, d, 1, seed=0), []

    def run(work, todo):
        for block in todo:
            time, found = min((clocked(lambda: work(block)) for _ in range(2)), key=lambda pair: pair[0])  # noqa: B023
            taken.append(time)
            yield found

    for _ in range(2):  # the first one compiles
        taken.clear()
        draw_sums(mdp, np.zeros((1, S), int), N, lambda *at: np.random.default_rng(at), run=run)
    return {"S": S, "d": d, "N": N, "seconds": taken}


PARTS = {part.__name__: part for part in (scaling, factored, deployed, layerwise, arbitrary, blocks,
                                          arbitrary_at_large)}


@one_thread
def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--quick"]
    quick = "--quick" in sys.argv
    if words[:1] == ["--part"]:
        print(json.dumps(PARTS[words[1]](quick)))
        return
    found = {"load": [round(x, 1) for x in os.getloadavg()]}
    for name in words or PARTS:
        command = [sys.executable, __file__, "--part", name, *["--quick"] * quick]
        found[name] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{name}: {json.dumps(found[name])}", flush=True)
    if not quick:
        grown = {"scaling": found.pop("scaling")} if "scaling" in found else {}
        before = json.loads(RESULTS.read_text(encoding="utf-8")).get("large", {}) if RESULTS.exists() else {}
        record(grown | {"large": before | found})


if __name__ == "__main__":
    main()
