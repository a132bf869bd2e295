"""What an episode of LSVI-UCB costs, compiled and in plain numpy, and a run of the low-switching form at any length.

    python speed/bench_online.py [--quick]

S = 20 states, A = 4 actions, d = 5, H = 5 layers. Prints a table and writes _build/speed/online.json. Exit status
1 where a target is missed: the compiled loop takes at most a thirtieth of the readable one per episode, and 1e12
episodes of the low-switching form at most 10 times what 1e6 take.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

from derl import Deployer, instances
from derl.algorithms import low_switching_lsvi
from derl.estimation.online import Learner
from derl.inputs.compiled import COMPILED
from derl.inputs.threads import one_thread

EPISODES, READABLE, LENGTHS = 10**6, 400, (10**6, 10**9, 10**12, 10**15)
OUT = Path(__file__).resolve().parents[1] / "_build" / "speed" / "online.json"


def per_episode(mdp, episodes: int, compiled: bool) -> float:
    """CPU seconds an episode; what is compiled or loaded at first use is not counted."""
    for count in (10, episodes):
        deployer = Deployer(mdp, 1, count, seed=1)
        learner = Learner(deployer.known, 0.3, compiled=compiled)
        start = process_time()
        deployer.deploy_online(learner.play, count)
        spent = process_time() - start
    return spent / episodes


def run_of(mdp, episodes: int) -> tuple[float, int]:
    """CPU seconds and policies of a low-switching run."""
    start = process_time()
    found = low_switching_lsvi(Deployer(mdp, 1, episodes, seed=1), 1e-9, 0.1)
    return process_time() - start, len(found.trace)


@one_thread
def main() -> int:
    quick = "--quick" in sys.argv
    mdp, episodes = instances.random_simplex(20, 4, 5, 5, seed=0), 10**4 if quick else EPISODES
    result = {"readable": per_episode(mdp, READABLE, False)}
    print(f"readable loop, {READABLE} episodes: {1e6 * result['readable']:.1f} us an episode")
    if COMPILED:
        result["compiled"] = per_episode(mdp, episodes, True)
        print(f"compiled loop, {episodes:.0e} episodes: {1e6 * result['compiled']:.2f} us an episode, "
              f"{result['readable'] / result['compiled']:.0f} times less")
    run_of(mdp, 100)
    result["low_switching"] = {str(length): run_of(mdp, length) for length in LENGTHS}
    for length, (spent, policies) in result["low_switching"].items():
        print(f"low-switching, {float(length):.0e} episodes: {spent:.2f} s, {policies} policies")
    slow = result["low_switching"][str(10**12)][0] > 10 * result["low_switching"][str(10**6)][0]
    result["targets_met"] = not slow and (quick or not COMPILED or result["readable"] >= 30 * result["compiled"])
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if result["targets_met"] else 1


if __name__ == "__main__":
    sys.exit(main())
