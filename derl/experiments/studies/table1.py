"""One cell of the executed Table 1 for one seed: a method in one of its settings on one instance.

Where N is searched, it is the smallest of 1, 4, 16, ... with which the run ends by its own rule within K deployments
and its policy loses at most epsilon; for reward-free methods also for every reward of `adversarial`. All other columns
are those of the run with this N. Where nu_min is an input it is certified from the instance, over the reachable span.
"""

from __future__ import annotations

from functools import partial

from derl.algorithms.run_defaults import certified_nu
from derl.boundary import choice
from derl.boundary.threads import one_thread
from derl.experiments.families import draw
from derl.experiments.methods import METHODS, MODES
from derl.experiments.methods.run import MethodRun
from derl.experiments.spec import InvalidSpec

FACTOR = 4  # grid of N
TO_ITS_THEOREM = ("for N", "yes, with its theorem")


@one_thread
def measure(seed: int, family: str, method: str, mode: str, d: int, horizon: int, epsilon: float, delta: float,
            c_beta: float | None = None, probability: float | None = None,
            rotate: bool = False, start: int | None = None, **label) -> list[dict]:
    """The row; see `derl.experiments.methods` for the modes."""
    choice(mode, "mode", MODES, InvalidSpec)
    found = METHODS[choice(method, "method", tuple(METHODS), InvalidSpec)]
    mdp = draw(family, seed, d, horizon, probability, rotate)
    nu = certified_nu(mdp) if found.nu == "yes" or mode == "theorem" and found.nu in TO_ITS_THEOREM else None
    run = partial(MethodRun.of, mdp, found, mode, epsilon, delta, seed)
    if mode == "theorem" or not found.searched:
        best = run(found.setting(mdp, epsilon, delta, mode, c_beta or 1.0, 1, nu))
        smallest = None
    else:
        best = searched(lambda size: run(found.setting(mdp, epsilon, delta, mode, c_beta or 1.0, size, nu)),
                        start or found.start, found.most())
        smallest = found.found(best.setting) if best.succeeded else None
    return [{"nu": nu, "smallest": smallest, **best.row()}]


def searched(run, start: int, most: int) -> MethodRun:
    """The run with the smallest N of the grid that succeeds, the successes being those from some N on."""
    best = run(start)
    if best.succeeded:
        while start >= FACTOR:
            start //= FACTOR
            lower = run(start)
            if not lower.succeeded:
                break
            best = lower
        return best
    while not best.succeeded and start * FACTOR <= most:
        start *= FACTOR
        best = run(start)
    return best
