"""The hottest kernels beside what is fastest elsewhere, in one run, with rooflines and scaling exponents.

    python speed/bench_kernels.py [--quick] [--out FILE]

Prints a table and writes speed/results.json, from which the page "Performance" is drawn; with --quick small sizes
and _build/speed/kernels.json. QuantEcon and pymdptoolbox take part where they are installed. Every pair of sides
is first compared: the same optimum, the same traces, the same passes. Exit status 1 where they differ.
"""

from __future__ import annotations

import argparse
import json
import math
from functools import partial
from pathlib import Path

import bench_deployments
import numpy as np
from measuring import difference, exponent, line, machine, peer, seconds

from derl import Deployer, instances, planning
from derl.algorithms import policy_cover
from derl.algorithms.policy_cover import prepare
from derl.deployment import deploy_counts
from derl.estimation import fit
from derl.estimation.covariance import estimate_covariance
from derl.inputs.compiled import COMPILED
from derl.inputs.threads import one_thread
from derl.mdp import batch
from derl.mdp.policies import uniform
from derl.theory.potential import sequences

ROOT = Path(__file__).resolve().parents[1]
RESULTS, QUICK = ROOT / "speed" / "results.json", ROOT / "_build" / "speed" / "kernels.json"


def agree(name: str, one, other, tolerance: float = 1e-9) -> None:
    """Stop where two sides do not find the same."""
    worst = float(np.abs(np.asarray(one) - np.asarray(other)).max())
    if not worst <= tolerance:
        raise SystemExit(f"{name}: the sides differ by {worst:.2g}")


def planned(S: int, A: int, H: int, d: int) -> dict:
    """One optimal plan of a stationary MDP. Peers are given P, and rewards, ready made."""
    mdp = repeated(S, A, d, H)
    P = np.ascontiguousarray(mdp.transitions()[0]) if S <= 1000 else None
    rewards = mdp.rewards()[0]

    def dense():
        values = np.zeros(S)
        for _ in range(H):
            values = (rewards + (P.reshape(S * A, S) @ values).reshape(S, A)).max(axis=1)
        return values

    ways = {"derl": lambda: planning.optimal(mdp)}
    optimum = planning.optimal(mdp).values[0]
    if P is not None:
        ways["numpy, P ready made"] = dense
        agree("planning", dense(), optimum)
        quantecon, toolbox = peer("quantecon"), peer("mdptoolbox.mdp")
        if quantecon:
            from quantecon.markov import DiscreteDP, backward_induction
            problem = DiscreteDP(rewards, P, 1 - 1e-15)
            agree("QuantEcon", backward_induction(problem, H)[0][0], optimum, 1e-8)
            ways["QuantEcon"] = lambda: backward_induction(problem, H)
        if toolbox:
            finished = toolbox.FiniteHorizon(np.ascontiguousarray(P.transpose(1, 0, 2)), rewards, 1, H)

            def finite():
                finished.run()
                return finished.V[:, 0]
            agree("pymdptoolbox", finite(), optimum)
            ways["pymdptoolbox"] = finite
    return {"times": seconds(ways, 3 if S >= 500 else 5), "flops": 2 * H * (S * A * d + S * d), "bytes":
            8 * H * (S * A * d + S * d)}


def repeated(S, A, d, H):
    """A random MDP of one layer, H times."""
    one = instances.random_simplex(S, A, d, 1, seed=0)
    layers = {name: np.broadcast_to(getattr(one, name)[0], (H, *getattr(one, name).shape[1:]))
              for name in ("phi", "mu", "theta", "available")}
    return type(one)(**layers, initial=one.initial)


def many(count: int, S: int, A: int, H: int, d: int) -> dict:
    """Optimal plans of many MDPs, every layer of its own; the loops are timed on a part of them.

    QuantEcon knows one layer, which it repeats: it solves the first layer, H times, and so does what is beside it.
    """
    rng = np.random.default_rng(0)
    phi, mu = rng.dirichlet(np.ones(d), (count, H, S, A)), rng.dirichlet(np.ones(S), (count, H, d))
    theta = rng.random((count, H, d))
    some = min(count, 200)
    P = np.einsum("bhsad,bhdt->bhsat", phi[:some], mu[:some])
    rewards = np.einsum("bhsad,bhd->bhsa", phi[:some], theta[:some])

    def dense():
        values = np.zeros((some, S))
        for h in reversed(range(H)):
            q = (P[:, h].reshape(some, S * A, S) @ values[:, :, None]).reshape(some, S, A) + rewards[:, h]
            values = q.max(axis=2)
        return values

    found = batch.optimal(phi, mu, theta)
    agree("many", dense(), found.values[:some, 0])
    ways = {"derl": lambda: batch.optimal(phi, mu, theta)}
    parts = {"numpy batched, P ready made": dense}
    if COMPILED:
        ways["derl without numba"] = lambda: batch.optimal(phi, mu, theta, compiled=False)
        agree("many without numba", ways["derl without numba"]().values, found.values)
    if peer("quantecon"):
        from quantecon.markov import DiscreteDP, backward_induction
        fixed = [DiscreteDP(rewards[b, 0], P[b, 0], 1 - 1e-15) for b in range(some)]
        parts["QuantEcon in a loop"] = lambda: [backward_induction(one, H) for one in fixed]
        same = [np.broadcast_to(array[:, :1].copy(), array.shape) for array in (phi, mu, theta)]
        ways["derl, one layer repeated"] = lambda: batch.optimal(*same)
        agree("QuantEcon", [backward_induction(one, H)[0][0] for one in fixed],
              batch.optimal(*same).values[:some, 0], 1e-10)
    times = seconds(ways, 3) | {name: time * count / some for name, time in seconds(parts, 5).items()}
    return {"times": times, "flops": 2 * count * H * (S * A * d + S * d),
            "bytes": 8 * (phi.size + mu.size + theta.size)}


def scanned(count: int, K: int, n: int, d: int) -> dict:
    """Traces and determinant ratios of sequences of batches."""
    vectors = np.random.default_rng(0).normal(size=(count, K, n, d))
    vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
    some = vectors[: max(1, count // 20)]

    def by_matrices():
        A, traces = np.broadcast_to(np.eye(d), (len(some), d, d)), []
        for k in range(K):
            phi = np.swapaxes(some[:, k], 1, 2) @ some[:, k]
            traces.append(np.trace(np.linalg.solve(A, phi), axis1=1, axis2=2))
            A = A + phi
            np.linalg.slogdet(A)
        return np.stack(traces, axis=1)

    def readable():
        large, sequences.LARGE = sequences.LARGE, math.inf
        try:
            return sequences.scan(some)
        finally:
            sequences.LARGE = large

    traces = sequences.scan(vectors)[0]
    agree("potential", by_matrices(), traces[:len(some)])
    agree("potential, readable", readable()[0], traces[:len(some)])
    parts = seconds({"numpy slogdet + solve": by_matrices, "derl without numba": readable}, 3)
    times = seconds({"derl": lambda: sequences.scan(vectors)}, 3)
    times |= {name: time * count / len(some) for name, time in parts.items()}
    per_row = (n - 1) / n * (d * d + 2 * d) + 5 * d * (d - 1) / 2 + 11 * d  # substitutions, rotations, coefficients
    return {"times": times, "flops": count * K * n * per_row, "bytes": 8 * (vectors.size + 2 * count * K)}


def covered(S: int, A: int, H: int, d: int, passes: int) -> dict:
    """A pass of the inner loop of Algorithm 2: the difference of a long run and a short one, per pass."""
    mdp = instances.random_simplex(S, A, d, H, seed=0)
    counts = deploy_counts(mdp, uniform(mdp), 10**12, np.random.default_rng(0)).counts
    designs = [fit(mdp.phi[h], counts[h]) for h in range(H - 1)]
    problem = prepare(mdp.phi, designs, 1e-5, mdp.initial, mdp.available)
    level = 1e-3  # above what the bonuses alone are worth, below what is reached

    def run(limit, compiled):
        return policy_cover.find_cover(problem, lambda p: estimate_covariance(mdp.phi, designs, p, mdp.initial),
                                       lambda value, matrix: value <= level, limit, threshold=level, compiled=compiled)

    short, times, noise = 3000, {}, {}
    for name, compiled, factor in (("derl without numba", False, 1), ("derl", True, 20))[:1 + COMPILED]:
        more = factor * passes
        taken, unsure = difference(partial(run, short + more, compiled), partial(run, short, compiled))
        times[name], noise[name] = taken / more if taken > unsure else None, unsure / more
    if COMPILED:
        agree("Algorithm 2", run(short + passes, True).values, run(short + passes, False).values)
    pairs = S * A
    return {"times": times, "noise": noise, "bytes": 8 * (H * pairs * d + (H - 1) * (d * S + pairs)),
            "flops": pairs * (3 * d * (d + 1) / 2) + (H - 1) * (2 * d * S + 2 * pairs * d) + d**3}


def deployed(quick: bool) -> dict:
    """One deployment at several N, on sums and on all transitions, and the fastest trajectories that we know."""
    mdp, policy = bench_deployments.setting()
    ways = {"sums": bench_deployments.deployment_seconds(mdp, policy, "deploy_sums"),
            "cube": bench_deployments.deployment_seconds(mdp, policy)}
    size = 10**5 if quick else 10**7
    others = bench_deployments.one_by_one(mdp, policy, size, 10 * size, np.random.default_rng(0))
    times = {f"derl on {way}, N = 1e{round(math.log10(n))}": time for way, found in ways.items()
             for n, time in found.items()}
    return {"times": times | others, "binomials": bench_deployments.binomials(mdp, policy),
            "growth": {way: max(found.values()) / min(found.values()) for way, found in ways.items()},
            "gain": {way: time / ways["sums"][10**15] for way, time in others.items()}}


def scaling(quick: bool) -> dict:
    """Name -> sizes, CPU seconds, exponent found and expected."""
    top = 3 if quick else 4

    def planning_at(S, H):
        mdp = repeated(S, 4, 10, H)
        return seconds({"x": lambda: planning.optimal(mdp)}, 3)["x"]

    def deployment_at(S, H):
        mdp = instances.random_simplex(S, 4, 5, H, seed=0)
        deployer, policy = Deployer(mdp, 10**9, 10**6, seed=1), np.zeros((H, S), int)
        return seconds({"x": lambda: deployer.deploy(policy)}, 3)["x"]

    def potential_at(count, K):
        vectors = np.random.default_rng(0).normal(size=(count, K, 1, 5)) / 5
        return seconds({"x": lambda: sequences._compiled(vectors, 1.0)}, 3)["x"]

    table = {"planning against S": ([2**i * 1000 for i in range(top)], lambda S: planning_at(S, 10), 1),
             "planning against H": ([2**i * 10 for i in range(top)], lambda H: planning_at(500, H), 1),
             "deployment against S": ([2**i * 20 for i in range(top)], lambda S: deployment_at(S, 5), 2),
             "deployment against H": ([2**i * 5 for i in range(top)], lambda H: deployment_at(20, H), 1)}
    if COMPILED:
        table |= {"potential against the number of sequences": ([2**i * 2000 for i in range(top)],
                                                                lambda n: potential_at(n, 10), 1),
                  "potential against K": ([2**i * 10 for i in range(top)], lambda K: potential_at(2000, K), 1)}
    found = {}
    for name, (sizes, time, expected) in table.items():
        times = [time(size) for size in sizes]
        found[name] = {"sizes": sizes, "seconds": times, "exponent": exponent(sizes, times), "expected": expected}
    return found


@one_thread
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", help="measure the kernels whose names begin so; the others stay recorded")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    quick = chosen.quick
    works = {
        "planning, S = 100, A = 10, H = 50, d = 20": partial(planned, 100, 10, 50, 20),
        **({} if quick else {"planning, S = 1000, A = 10, H = 50, d = 20": partial(planned, 1000, 10, 50, 20)}),
        f"{200 if quick else 10**4} MDPs at once, S = 20, A = 4, H = 10, d = 5":
            partial(many, 200 if quick else 10**4, 20, 4, 10, 5),
        f"potential lemma, {10**3 if quick else 10**5} sequences, K = 20, n = 3, d = 5":
            partial(scanned, 10**3 if quick else 10**5, 20, 3, 5),
        "Algorithm 2, one pass, S = 20, A = 4, H = 5, d = 5": partial(covered, 20, 4, 5, 5, 300 if quick else 3000),
    }
    kernels = {name: work() for name, work in works.items() if name.startswith(chosen.only)}
    result = {"kernels": kernels}
    if not chosen.only:
        result |= {"machine": machine(), "deployment": deployed(quick), "scaling": scaling(quick)}
    shown = dict(kernels)
    if "deployment" in result:
        shown["deployment, S = 20, A = 4, H = 5, d = 5"] = result["deployment"]
    for name, kernel in shown.items():
        print(name)
        times = kernel["times"]
        own = times["derl"] if "derl" in times else times.get("derl on sums, N = 1e15")
        for way, time in times.items():
            print(line(way, time, kernel.get("noise", {}).get(way, 0.0), own))
    for name, row in result.get("scaling", {}).items():
        print(f"{name:44} exponent {row['exponent']:.2f}, expected {row['expected']}")
    unsure = [name for name, kernel in kernels.items() if None in kernel["times"].values()]
    if unsure and not quick:
        print(f"not recorded: below its noise is {', '.join(unsure)}")
        return 1
    out = chosen.out or (QUICK if quick else RESULTS)
    out.parent.mkdir(parents=True, exist_ok=True)
    others = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}  # of `bench_large`
    result["kernels"] = {name: kernels.get(name) or others["kernels"][name] for name in works
                         if name in kernels or name in others.get("kernels", {})}
    out.write_text(json.dumps(others | result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
