"""What a certified reachability coefficient costs, by dimension, and what a local search would have said.

    python speed/bench_reachability.py [--quick]

Random linear MDPs (features on the simplex), S = 6, A = 3, H = 3, all layers of some seeds; the relative gap of nu^2
is 1e-9, 1e-6, 1e-3 and 1e-2 for d = 2, 3, 4 and 5. The local search is Nelder and Mead's on the sphere, from one
random direction per layer. Times are CPU times; the checker is the one of the standard library.

Prints a table and writes _build/speed/reachability.json. There are no targets: the exit status is 1 only if the
checker refuses a certificate.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from derl import instances
from derl.certificates.check_reachability import problems
from derl.theory import reachability

GAPS = {2: 1e-9, 3: 1e-6, 4: 1e-3, 5: 1e-2}
LAYERS = 3
OUT = Path(__file__).resolve().parents[1] / "_build" / "speed" / "reachability.json"


def one(d: int, seed: int, layer: int) -> dict:
    """One layer of one instance."""
    mdp = instances.random_simplex(6, 3, d, LAYERS, seed)
    start = process_time()
    found = reachability.nu(mdp, layer, relative=GAPS[d])
    solved = process_time()
    wrong = problems(found.certificate)
    checked = process_time()
    rng = np.random.default_rng(np.random.SeedSequence([d, seed, layer]))
    value = minimize(lambda x: reachability.reach(mdp, layer, x / np.linalg.norm(x))[0][0] ** 2, rng.standard_normal(d),
                     method="Nelder-Mead", options={"maxiter": 2000, "fatol": 1e-12}).fun
    return {"d": d, "seed": seed, "layer": layer, "method": found.method, "seconds": solved - start,
            "check_seconds": checked - solved, "wrong": wrong, "characters": len(json.dumps(found.certificate)),
            "gap": 1 - (found.lower / found.upper) ** 2,
            "nodes": len(found.certificate["lower"].get("nodes", [])), "search": value / found.upper**2 - 1}


def report(d: int, rows: list[dict]) -> None:
    seconds = np.array([row["seconds"] for row in rows])
    off = 100 * np.array([max(0.0, row["search"]) for row in rows])
    print(f"{d:>3} {GAPS[d]:>8.0e} {len(rows):>7} {np.median(seconds):>10.2f} {seconds.max():>9.2f} "
          f"{max(row['gap'] for row in rows):>9.1e} {max(row['nodes'] for row in rows):>7} "
          f"{max(row['characters'] for row in rows) / 1000:>8.0f} {max(row['check_seconds'] for row in rows):>9.2f} "
          f"{np.mean(off > 1):>9.0%} {off.max():>8.0f} %")


def main() -> int:
    quick = sys.argv[1:] == ["--quick"]
    if sys.argv[1:] and not quick:
        print(f"unknown arguments {sys.argv[1:]}; allowed is --quick (d up to 4, two seeds)", file=sys.stderr)
        return 2
    print(f"{'d':>3} {'gap':>8} {'layers':>7} {'median s':>10} {'worst s':>9} {'worst gap':>9} {'nodes':>7} {'kB':>8} "
          f"{'check s':>9} {'search':>9} {'worst':>10}")
    rows = []
    with threadpool_limits(1):
        for d in (2, 3, 4) if quick else tuple(GAPS):
            found = [one(d, seed, layer) for seed in range(2 if quick or d == 5 else 8) for layer in (1, 2, 3)]
            report(d, found)
            rows += found
    print("search: how often one local search ends more than 1 % above the certified value, and the worst case")
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps({"numpy": np.__version__, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    return int(any(row["wrong"] for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
