"""The module beside the fastest alternatives that we know, in one run; the page "Performance" shows the result.

    python speed/peers.py            # two minutes, on an idle machine; writes to speed/results.json
    python speed/peers.py --quick    # small sizes, printed only

QuantEcon takes part where it is installed (`pip install quantecon`). The sides are compared before they are timed, and
the exit status is 1 where they differ. Only ratios carry over to another machine.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

import numpy as np
from measuring import agree, machine, record, seconds

from derl import Deployer, instances, planning
from derl.inputs.threads import one_thread
from derl.mdp import batch
from derl.theory.potential import sequences


def repeated(S: int, A: int, d: int, H: int):
    """A random MDP of one layer, H times."""
    one = instances.random_simplex(S, A, d, 1, seed=0)
    layers = {name: np.broadcast_to(getattr(one, name)[0], (H, *getattr(one, name).shape[1:]))
              for name in ("phi", "mu", "theta", "available")}
    return type(one)(**layers, initial=one.initial)


def planned(S: int, A: int, H: int, d: int) -> dict:
    """One optimal plan of a stationary MDP. The peers get P and the rewards ready made."""
    mdp = repeated(S, A, d, H)
    P, rewards = np.ascontiguousarray(mdp.transitions()[0]), mdp.rewards()[0]

    def dense():
        values = np.zeros(S)
        for _ in range(H):
            values = (rewards + (P.reshape(S * A, S) @ values).reshape(S, A)).max(axis=1)
        return values

    ways = {"derl": lambda: planning.optimal(mdp), "numpy, P ready made": dense}
    optimum = planning.optimal(mdp).values[0]
    agree("planning", dense(), optimum)
    if find_spec("quantecon"):
        from quantecon.markov import DiscreteDP, backward_induction
        problem = DiscreteDP(rewards, P, 1 - 1e-15)
        agree("QuantEcon", backward_induction(problem, H)[0][0], optimum, 1e-8)
        ways["QuantEcon"] = lambda: backward_induction(problem, H)
    work = H * (S * A * d + S * d)
    return {"times": seconds(ways, 3), "flops": 2 * work, "bytes": 8 * work}


def many(count: int, S: int, A: int, H: int, d: int) -> dict:
    """Optimal plans of many MDPs. Loops are timed on a part of them; QuantEcon solves the first layer, H times."""
    rng, some = np.random.default_rng(0), min(count, 200)
    phi, mu = rng.dirichlet(np.ones(d), (count, H, S, A)), rng.dirichlet(np.ones(S), (count, H, d))
    theta = rng.random((count, H, d))
    P = np.einsum("bhsad,bhdt->bhsat", phi[:some], mu[:some])
    rewards = np.einsum("bhsad,bhd->bhsa", phi[:some], theta[:some])

    def dense():
        values = np.zeros((some, S))
        for h in reversed(range(H)):
            values = ((P[:, h].reshape(some, S * A, S) @ values[:, :, None]).reshape(some, S, A)
                      + rewards[:, h]).max(axis=2)
        return values

    agree("many", dense(), batch.optimal(phi, mu, theta).values[:some, 0])
    ways, parts = {"derl": lambda: batch.optimal(phi, mu, theta)}, {"numpy batched, P ready made": dense}
    if find_spec("quantecon"):
        from quantecon.markov import DiscreteDP, backward_induction
        fixed = [DiscreteDP(rewards[b, 0], P[b, 0], 1 - 1e-15) for b in range(some)]
        same = [np.broadcast_to(array[:, :1].copy(), array.shape) for array in (phi, mu, theta)]
        agree("QuantEcon", [backward_induction(one, H)[0][0] for one in fixed],
              batch.optimal(*same).values[:some, 0])
        parts["QuantEcon in a loop"] = lambda: [backward_induction(one, H) for one in fixed]
        ways["derl, one layer repeated"] = lambda: batch.optimal(*same)
    times = seconds(ways, 3) | {name: time * count / some for name, time in seconds(parts).items()}
    return {"times": times, "flops": 2 * count * H * (S * A * d + S * d),
            "bytes": 8 * (phi.size + mu.size + theta.size)}


def scanned(count: int, K: int, n: int, d: int) -> dict:
    """Traces and determinant ratios of sequences of batches; by matrices a part of them is timed."""
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

    traces = sequences.scan(vectors)[0][:len(some)]
    agree("potential", by_matrices(), traces)
    times = seconds({"derl": lambda: sequences.scan(vectors)}, 3)
    parts = seconds({"numpy slogdet + solve": by_matrices}, 3)
    per_row = (n - 1) / n * (d * d + 2 * d) + 5 * d * (d - 1) / 2 + 11 * d  # substitutions, rotations, coefficients
    return {"times": times | {name: time * count / len(some) for name, time in parts.items()},
            "flops": count * K * n * per_row, "bytes": 8 * (vectors.size + 2 * count * K)}


def rows_of(mdp, policy) -> np.ndarray:
    """The law of the first state, whatever stood before it, and the transitions of every layer (H + 1, S, S)."""
    states = np.arange(mdp.n_states)
    return np.stack([np.tile(mdp.initial, (mdp.n_states, 1)),
                     *(mdp.transition_rows(h, states, policy[h]) for h in range(mdp.horizon))])


def branch_free(rows: np.ndarray, n: int, rng) -> np.ndarray:
    """Last states of n walks by the fastest simulation in numpy that we know: a binary search without branches."""
    size, block = rows.shape[1], 2**14
    width, last = 1 << (size - 1).bit_length(), np.zeros(size, np.int64)
    sums = np.cumsum(rows, axis=2)
    tables = np.pad(sums / sums[..., -1:], ((0, 0), (0, 0), (0, width - size)), constant_values=2.0)
    for first in range(0, n, block):
        state = np.zeros(min(block, n - first), np.int64)
        for table in tables.reshape(len(rows), -1):
            u, place, half = rng.random(len(state)), state * width, width
            while half > 1:
                half //= 2
                place += half * (table[place + half - 1] <= u)
            state = place - state * width
        last += np.bincount(state, minlength=size)
    return last


def alias_walk():
    """Compiled walks by Walker's alias method; only last states are counted."""
    from numba import njit

    @njit
    def tables(rows):
        own, other = rows * rows.shape[1], np.zeros(rows.shape, np.int64)
        for h in range(rows.shape[0]):
            for s in range(rows.shape[1]):
                share, whose = own[h, s], other[h, s]
                whose[:] = np.arange(len(share))
                small, large = [i for i in range(len(share)) if share[i] < 1], [i for i in range(len(share))
                                                                                if share[i] >= 1]
                while len(small) and len(large):
                    i, j = small.pop(), large[-1]
                    whose[i] = j
                    share[j] -= 1 - share[i]
                    if share[j] < 1:
                        small.append(large.pop())
        return own, other

    @njit
    def walk(rng, own, other, n):
        last = np.zeros(own.shape[1], np.int64)
        for _ in range(n):
            state = 0
            for layer in range(len(own)):
                x = rng.random() * own.shape[1]
                column = int(x)
                state = column if x - column < own[layer, state, column] else other[layer, state, column]
            last[state] += 1
        return last

    return tables, walk


def right(rows: np.ndarray, last: np.ndarray) -> None:
    """Stop where the last states do not have their law: six standard deviations."""
    chance = np.full(rows.shape[1], 1 / rows.shape[1])  # the first step does not look where it stands
    for layer in rows:
        chance = chance @ layer
    off = float((abs(last - last.sum() * chance) / np.sqrt(last.sum() * chance * (1 - chance))).max())
    if not off <= 6:
        raise SystemExit(f"trajectories end where they should not: {off:.1f} standard deviations off")


def deployed(simulated: int) -> dict:
    """One deployment at several N, on sums and on all transitions, beside simulated trajectories."""
    mdp, rng = instances.random_simplex(20, 4, 5, 5, seed=0), np.random.default_rng(0)
    policy, ways = rng.integers(0, 4, (5, 20)), {}
    for how, method in (("sums", "deploy_sums"), ("cube", "deploy")):
        for power in range(3, 19, 3):
            deploy = getattr(Deployer(mdp, 10**power, 10**6, seed=1), method)
            ways[f"derl on {how}, N = 1e{power}"] = lambda deploy=deploy: deploy(policy)
    times = seconds(ways, 9)
    growth = {how: max(found) / min(found) for how in ("sums", "cube")
              if (found := [time for way, time in times.items() if how in way])}
    rows, walks = rows_of(mdp, policy), {}
    right(rows, branch_free(rows, 10**5, rng))
    walks[f"hand-tuned numpy trajectories, N = {simulated:.0e}"] = lambda: branch_free(rows, simulated, rng)
    if find_spec("numba"):
        tables, walk = alias_walk()
        own, other = tables(rows)
        right(rows, walk(rng, own, other, 10**5))
        walks[f"compiled alias method, N = {10 * simulated:.0e}"] = lambda: walk(rng, own, other, 10 * simulated)
    times |= seconds(walks, 1)
    n, p, numbers = rng.integers(10**9, 10**12, 10**5), rng.random(10**5) / 2, (1 + 5 * 20) * (20 - 1)
    one = seconds({"numpy": lambda: rng.binomial(n, p)})["numpy"] / 10**5
    return {"times": times, "growth": growth, "binomials": {"count": numbers, "numpy": one}}


@one_thread
def main() -> None:
    quick = sys.argv[1:] == ["--quick"]
    works = {} if quick else {"planning, S = 1000, A = 10, H = 50, d = 20": lambda: planned(1000, 10, 50, 20)}
    count, sequences_ = (200, 10**3) if quick else (10**4, 10**5)
    works = {"planning, S = 100, A = 10, H = 50, d = 20": lambda: planned(100, 10, 50, 20)} | works | {
        f"{count} MDPs at once, S = 20, A = 4, H = 10, d = 5": lambda: many(count, 20, 4, 10, 5),
        f"potential lemma, {sequences_} sequences, K = 20, n = 3, d = 5": lambda: scanned(sequences_, 20, 3, 5)}
    kernels = {name: work() for name, work in works.items()}
    deployment = deployed(10**5 if quick else 10**7)
    for name, part in (*kernels.items(), ("deployment, S = 20, A = 4, H = 5, d = 5", deployment)):
        own = next(iter(part["times"].values()))
        print(name, *(f"    {way:44}{1e3 * time:12.4g} ms{time / own:12.3g}" for way, time in part["times"].items()),
              sep="\n")
    if not quick:
        record({"machine": machine(), "kernels": kernels, "deployment": deployment})


if __name__ == "__main__":
    main()
