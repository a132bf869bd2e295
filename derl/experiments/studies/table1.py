"""One cell of the executed Table 1 for one seed: a method in one of its settings on one instance, at one N.

Where the theorem does not fix N, it is `size`, chosen beforehand on other seeds (`derl.experiments.studies.choice`).
Where nu_min is an input it is certified from the instance, over the reachable span.
"""

from __future__ import annotations

import functools

from derl.algorithms.run_defaults import certified_nu
from derl.experiments.families import draw
from derl.experiments.methods import METHODS, MODES
from derl.experiments.methods.run import MethodRun
from derl.experiments.sweep import InvalidSpec
from derl.inputs import choice
from derl.inputs.threads import one_thread

TO_ITS_THEOREM = ("for N", "yes, with its theorem")


@one_thread
def measure(seed: int, method: str, mode: str, size: int | None = None, axis: str = "", **where) -> list[dict]:
    """The row; see `derl.experiments.methods` for the modes. Without a size where one is needed, nothing is run."""
    found = METHODS[choice(method, "method", tuple(METHODS), InvalidSpec)]
    if mode != "theorem" and found.searched and size is None:
        return [{"converged": False, "stop": "none", "succeeded": False}]
    run, nu = one_run(seed, method, mode, size=size, **where)
    return [{"nu": nu, **run.row()}]


def one_run(seed: int, method: str, mode: str, family: str, d: int, horizon: int, epsilon: float, delta: float,
            c_beta: float | None = None, probability: float | None = None, rotate: bool = False,
            size: int | None = None) -> tuple[MethodRun, float | None]:
    """A run on the instance that belongs to the seed, and nu_min where it is an input.

    The seed decides the instance, the data and what the method draws itself.
    """
    choice(mode, "mode", MODES, InvalidSpec)
    found = METHODS[choice(method, "method", tuple(METHODS), InvalidSpec)]
    where = family, seed, d, horizon, probability, rotate
    mdp = draw(*where)
    nu = reachability(where) if found.nu == "yes" or mode == "theorem" and found.nu in TO_ITS_THEOREM else None
    setting = found.setting(mdp, epsilon, delta, mode, c_beta or 1.0, size or 1, nu)
    return MethodRun.of(mdp, found, mode, epsilon, delta, seed, setting), nu


@functools.lru_cache(maxsize=1000)
def reachability(where: tuple) -> float:
    """nu_min as certified from the instance that `draw` makes of these arguments; a search needs it many times."""
    return certified_nu(draw(*where))
