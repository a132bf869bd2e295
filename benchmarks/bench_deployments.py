"""What a deployment costs: exact counts against simulated trajectories, in one run.

    python benchmarks/bench_deployments.py [--quick]

S = 20 states, A = 4 actions, H = 5 layers, a deterministic policy. Prints a table and writes
_build/benchmarks/deployments.json. Exit status 1 where a target is missed: a deployment at N = 1e15 costs at
most twice one at N = 1e3, and at least 10,000 times less than vectorised numpy trajectories at N = 1e7.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from derl import Deployer, instances
from derl.deployment import counts_of, sample

SIZES = [10**3, 10**6, 10**9, 10**12, 10**15, 10**18]
SIMULATED = 10**7
ROUNDS, REPEATS, SIMULATIONS = 15, 40, 3
OUT = Path(__file__).resolve().parents[1] / "_build" / "benchmarks" / "deployments.json"


def deployment_seconds(mdp, policy) -> dict[int, float]:
    """CPU seconds per `Deployer.deploy`: the best mean of REPEATS, in rounds that all sizes share."""
    deployers = {n: Deployer(mdp, n, 1 + ROUNDS * REPEATS, seed=1) for n in SIZES}
    best = dict.fromkeys(SIZES, float("inf"))
    for deployer in deployers.values():
        deployer.deploy(policy)  # sorts the transition rows, once per deployer
    for _ in range(ROUNDS):
        for n, deployer in deployers.items():
            start = process_time()
            for _ in range(REPEATS):
                batch = deployer.deploy(policy)
            best[n] = min(best[n], (process_time() - start) / REPEATS)
            assert int(batch.counts[-1].sum()) == n
    return best


def branch_free(mdp, policy, n: int, rng) -> np.ndarray:
    """The fastest simulation in numpy that we know: a binary search whose steps are additions, no branches.

    It only walks; the reference sampler of derl keeps the walks, too.
    """
    block, width = 2**14, 1 << (mdp.n_states - 1).bit_length()
    tables = []
    for rows in (np.tile(mdp.initial, (mdp.n_states, 1)),
                 *(mdp.transition_rows(h, np.arange(mdp.n_states), policy[h]) for h in range(mdp.horizon))):
        sums = np.cumsum(rows, axis=1)
        padded = np.pad(sums / sums[:, -1:], ((0, 0), (0, width - mdp.n_states)), constant_values=2.0)
        tables.append(padded.ravel())
    last = np.zeros(mdp.n_states, np.int64)
    for first in range(0, n, block):
        state = np.zeros(min(block, n - first), np.int64)
        for table in tables:
            u, place, half = rng.random(len(state)), state * width, width
            while half > 1:
                half //= 2
                place += half * (table[place + half - 1] <= u)
            state = place - state * width
        last += np.bincount(state, minlength=mdp.n_states)
    return last


def seconds(function) -> float:
    """CPU seconds, best of SIMULATIONS."""
    times = []
    for _ in range(SIMULATIONS):
        start = process_time()
        function()
        times.append(process_time() - start)
    return min(times)


def measure(simulated: int) -> dict:
    """All CPU times in seconds, all ratios, and whether the targets are met."""
    mdp = instances.random_simplex(n_states=20, n_actions=4, dim=5, horizon=5, seed=0)
    rng = np.random.default_rng(0)
    policy = rng.integers(0, 4, (5, 20))
    counts = deployment_seconds(mdp, policy)
    walks = seconds(lambda: sample(mdp, policy, simulated, rng))
    walks_and_counts = seconds(lambda: counts_of(sample(mdp, policy, simulated, rng), 20, 4))
    tuned = seconds(lambda: branch_free(mdp, policy, simulated, rng))
    growth, gain = counts[10**15] / counts[10**3], walks / counts[10**15]
    return {"states": 20, "actions": 4, "horizon": 5, "simulated": simulated, "numpy": np.__version__,
            "deployment_seconds": {str(n): t for n, t in counts.items()}, "trajectories_seconds": walks,
            "trajectories_and_counts_seconds": walks_and_counts, "branch_free_seconds": tuned,
            "ratio_1e15_to_1e3": growth, "trajectories_to_1e15": gain,
            "branch_free_to_1e15": tuned / counts[10**15],
            "targets_met": bool(growth <= 2 and gain >= 10**4) if simulated == SIMULATED else None}


def report(result: dict) -> None:
    base, one = result["deployment_seconds"]["1000"], result["deployment_seconds"][str(10**15)]
    print(f"{'':44}{'CPU time':>12}{'to N = 1e3':>14}{'to N = 1e15':>14}")

    def line(name, time):
        print(f"{name:44}{time * 1e6:>9.0f} us{time / base:>14.2f}{time / one:>14.2f}")

    for n, time in result["deployment_seconds"].items():
        line(f"deployment, exact counts, N = {int(n):.0e}", time)
    line(f"trajectories, N = {result['simulated']:.0e}", result["trajectories_seconds"])
    line("  the same, and counting them", result["trajectories_and_counts_seconds"])
    line("  hand-tuned search, walks not kept", result["branch_free_seconds"])


def main() -> int:
    quick = sys.argv[1:] == ["--quick"]
    if sys.argv[1:] and not quick:
        print(f"unknown arguments {sys.argv[1:]}; allowed is --quick (N = 1e5 trajectories, no targets)",
              file=sys.stderr)
        return 2
    with threadpool_limits(1):
        result = measure(10**5 if quick else SIMULATED)
    report(result)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if quick:
        return 0
    print("targets (1e15 at most 2 x 1e3; 10,000 x less than trajectories): "
          + ("met" if result["targets_met"] else "MISSED"))
    return 0 if result["targets_met"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
