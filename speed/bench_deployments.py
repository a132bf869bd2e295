"""What a deployment costs: exact counts against simulated trajectories, in one run.

    python speed/bench_deployments.py [--quick]

S = 20 states, A = 4 actions, H = 5 layers, a deterministic policy. Prints a table and writes
_build/speed/deployments.json. Exit status 1 where a target is missed: a deployment costs at most twice as much at
any N as at another, and at least 10,000 times less than vectorised numpy trajectories at N = 1e7, 30,000 times less
than compiled ones by the alias method at N = 1e8.
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
from derl.inputs.compiled import COMPILED

SIZES = [10**3, 10**6, 10**9, 10**12, 10**15, 10**18]
SIMULATED, COMPILED_SIZE = 10**7, 10**8
ROUNDS, REPEATS, SIMULATIONS = 15, 40, 3
OUT = Path(__file__).resolve().parents[1] / "_build" / "speed" / "deployments.json"


def deployment_seconds(mdp, policy, way: str = "deploy") -> dict[int, float]:
    """CPU seconds per `Deployer.deploy`, or `deploy_sums`: the best mean of REPEATS, in rounds that all sizes share."""
    deploy = {n: getattr(Deployer(mdp, n, 1 + ROUNDS * REPEATS, seed=1), way) for n in SIZES}
    best = dict.fromkeys(SIZES, float("inf"))
    for one in deploy.values():
        one(policy)  # compiles, or sorts the transition rows, once per deployer
    for _ in range(ROUNDS):
        for n, one in deploy.items():
            start = process_time()
            for _ in range(REPEATS):
                batch = one(policy)
            best[n] = min(best[n], (process_time() - start) / REPEATS)
            assert int(batch.visits[-1].sum()) == n
    return best


def rows_of(mdp, policy) -> list[np.ndarray]:
    """Where the first state comes from, whatever stood before it, and the transitions of every layer, (S, S) each."""
    states = np.arange(mdp.n_states)
    return [np.tile(mdp.initial, (mdp.n_states, 1)),
            *(mdp.transition_rows(h, states, policy[h]) for h in range(mdp.horizon))]


def branch_free(mdp, policy, n: int, rng) -> np.ndarray:
    """The fastest simulation in numpy that we know: a binary search whose steps are additions, no branches.

    It only walks; the reference sampler of derl keeps the walks, too.
    """
    block, width = 2**14, 1 << (mdp.n_states - 1).bit_length()
    tables = []
    for rows in rows_of(mdp, policy):
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


def alias_tables(mdp, policy) -> tuple[np.ndarray, np.ndarray]:
    """Walker's tables (H + 1, S, S): how much of a column is its own, and whose is the rest."""
    own, other = [], []
    for rows in rows_of(mdp, policy):
        for p in rows:
            share, whose = p / p.sum() * len(p), np.arange(len(p))
            small, large = [i for i, x in enumerate(share) if x < 1], [i for i, x in enumerate(share) if x >= 1]
            while small and large:
                i, j = small.pop(), large[-1]
                whose[i] = j
                share[j] -= 1 - share[i]
                if share[j] < 1:
                    small.append(large.pop())
            own.append(share)
            other.append(whose)
    shape = (-1, mdp.n_states, mdp.n_states)
    return np.reshape(own, shape), np.reshape(other, shape)


def walk_by_alias():
    """The alias method, compiled: one uniform number a step, last states counted, walks not kept."""
    from numba import njit

    @njit
    def walk(rng, own, other, n, last):
        for _ in range(n):
            state = 0
            for layer in range(len(own)):
                x = rng.random() * own.shape[1]
                column = int(x)
                state = column if x - column < own[layer, state, column] else other[layer, state, column]
            last[state] += 1
        return last
    return walk


def seconds(function, rounds: int = SIMULATIONS) -> float:
    """CPU seconds, best of some rounds."""
    times = []
    for _ in range(rounds):
        start = process_time()
        function()
        times.append(process_time() - start)
    return min(times)


def right(mdp, policy, last: np.ndarray) -> None:
    """Stop where the last states do not have their law: six standard deviations."""
    n, chance = last.sum(), np.full(mdp.n_states, 1 / mdp.n_states)  # the first step does not look where it stands
    for rows in rows_of(mdp, policy):
        chance = chance @ rows
    worst = float((abs(last - n * chance) / np.sqrt(n * chance * (1 - chance))).max())
    if not worst <= 6:
        raise SystemExit(f"trajectories end where they should not: {worst:.1f} standard deviations off")


def one_by_one(mdp, policy, simulated: int, compiled: int, rng) -> dict[str, float]:
    """CPU seconds of trajectories: vectorised and hand-tuned in numpy, compiled; each of the right law."""
    right(mdp, policy, branch_free(mdp, policy, 10**5, rng))
    found = {f"hand-tuned numpy trajectories, N = {simulated:.0e}":
             seconds(lambda: branch_free(mdp, policy, simulated, rng))}
    if COMPILED:
        walk, tables = walk_by_alias(), alias_tables(mdp, policy)
        right(mdp, policy, walk(rng, *tables, 10**5, np.zeros(mdp.n_states, np.int64)))
        found[f"compiled alias method, N = {compiled:.0e}"] = seconds(
            lambda: walk(rng, *tables, compiled, np.zeros(mdp.n_states, np.int64)), 1)
    return found


def binomials(mdp, policy) -> dict[str, float]:
    """How many binomials a deployment is made of, and the CPU seconds of one: of numpy alone, and compiled."""
    count = (1 + mdp.horizon * mdp.n_states) * (mdp.n_states - 1)
    rng, many = np.random.default_rng(0), 10**5
    n, p = rng.integers(10**9, 10**12, many), rng.random(many) / 2  # all different, as in a deployment
    found = {"count": count, "numpy": seconds(lambda: rng.binomial(n, p)) / many}
    if COMPILED:
        from derl.deployment._binomials import multinomials
        n, p = n[:many // 19], rng.dirichlet(np.ones(20), many // 19)
        multinomials(rng, n, p)
        found["compiled"] = seconds(lambda: multinomials(rng, n, p)) / (19 * len(n))
    return found


def setting():
    """The instance and the policy that are measured."""
    mdp = instances.random_simplex(n_states=20, n_actions=4, dim=5, horizon=5, seed=0)
    return mdp, np.random.default_rng(0).integers(0, 4, (5, 20))


def measure(simulated: int) -> dict:
    """All CPU times in seconds, all ratios, and whether the targets are met."""
    mdp, policy = setting()
    rng = np.random.default_rng(0)
    ways = {way: deployment_seconds(mdp, policy, way) for way in ("deploy", "deploy_sums")}
    walks = seconds(lambda: sample(mdp, policy, simulated, rng))
    walks_and_counts = seconds(lambda: counts_of(sample(mdp, policy, simulated, rng), 20, 4))
    tuned = one_by_one(mdp, policy, simulated, COMPILED_SIZE * simulated // SIMULATED, rng)
    growth = {way: max(times.values()) / min(times.values()) for way, times in ways.items()}
    one = ways["deploy_sums"][10**15]
    gain = {"trajectories": walks / one} | {way: time / one for way, time in tuned.items()}
    met = max(growth.values()) <= 2 and gain["trajectories"] >= 10**4 and list(gain.values())[-1] >= 3 * 10**4
    return {"states": 20, "actions": 4, "horizon": 5, "simulated": simulated, "numpy": np.__version__,
            "seconds": {way: {str(n): time for n, time in times.items()} for way, times in ways.items()},
            "trajectories_seconds": walks, "trajectories_and_counts_seconds": walks_and_counts, "others": tuned,
            "growth": growth, "gain": gain, "binomials": binomials(mdp, policy),
            "targets_met": bool(met) if simulated == SIMULATED and COMPILED else None}


def report(result: dict) -> None:
    one = result["seconds"]["deploy_sums"][str(10**15)]
    print(f"{'':52}{'CPU time':>12}{'to sums, N = 1e15':>20}")

    def line(name, time):
        print(f"{name:52}{time * 1e6:>9.0f} us{time / one:>20.2f}")

    for way, times in result["seconds"].items():
        for n, time in times.items():
            line(f"{way}, N = {int(n):.0e}", time)
    line(f"trajectories, N = {result['simulated']:.0e}", result["trajectories_seconds"])
    line("  the same, and counting them", result["trajectories_and_counts_seconds"])
    for way, time in result["others"].items():
        line(way, time)
    made = result["binomials"]
    print(f"{made['count']} binomials a deployment; one takes "
          + ", ".join(f"{made[way] * 1e9:.1f} ns ({way})" for way in ("numpy", "compiled") if way in made))


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
    if result["targets_met"] is None:
        print("no targets without numba")
        return 0
    print("targets (every N within 2 x; 10,000 x less than trajectories, 30,000 x less than the alias method): "
          + ("met" if result["targets_met"] else "MISSED"))
    return 0 if result["targets_met"] else 1


if __name__ == "__main__":
    raise SystemExit(main())
