r"""The smallest batch and the scale of the bonus with which a method comes within epsilon on an instance of one's own.

A search, and a heuristic: it reads the exact loss on a model of the problem, which no algorithm is given, and it says
nothing about any other instance. The theorems hold for all instances, and their N is larger by orders of magnitude.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from derl.algorithms.by_name import entry_of, run_by_name
from derl.algorithms.outcome import InvalidParameter, accuracy
from derl.experiments.summary import share
from derl.inputs import display, real, whole
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP

FACTOR = 4  # grid of N
SCALES = tuple(4.0**-k for k in range(9))  # of c_beta


@dataclass(frozen=True, eq=False, repr=False)
class Chosen(display.Fields):
    """A batch size and a scale of the bonus.

    Attributes
    ----------
    scale : float or None
        c_beta, or None where the algorithm has none.
    batch_size : int or None
        The smallest N of the grid at which enough runs succeeded; None where no N did.
    deployments : float
        Their mean over the fresh runs.
    successes, runs : int
        Of fresh runs, whose seeds the search did not use.
    low, high : float
        The interval of Clopper and Pearson for the probability of success, level 0.95.
    """

    scale: float | None
    batch_size: int | None
    deployments: float
    successes: int
    runs: int
    low: float
    high: float


def sizes(runs: int, allowed: int, most: float, succeeds: Callable[[int, int], bool]) -> Iterator[dict]:
    """Try N = 1, 4, 16, ... <= most; the last row is `chosen`, unless no size is.

    Parameters
    ----------
    allowed : int
        How many of the runs may fail.
    succeeds : callable
        (N, number of the run) -> whether it succeeded.
    """
    size, chosen = 1, False
    while size <= most and not chosen:
        tried = failed = 0
        while tried < runs and failed <= allowed:
            failed += not succeeds(size, tried)
            tried += 1
        chosen = failed <= allowed
        yield {"size": size, "tried": tried, "failed": failed, "chosen": chosen}
        size *= FACTOR


def choose(mdp: LinearMDP, algorithm: str, epsilon: float, delta: float, runs: int = 20, most: int = 4**10,
           max_deployments: int | None = None, seed: int = 0, scales: tuple[float, ...] = SCALES,
           report: Callable[[Chosen], None] | None = None, **options) -> tuple[Chosen, ...]:
    """The smallest N for each scale of the bonus, with fresh runs that say how often it succeeds.

    Parameters
    ----------
    algorithm : str
        As in `derl.algorithms.run_by_name`.
    epsilon, delta : float
        A run succeeds when its policy loses at most epsilon; a share delta of the runs may fail.
    runs : int
        Of the search at each N, and as many fresh ones.
    most : int
        Largest N.
    max_deployments : int or None
        K; by default 4 H.
    seed : int
        The search takes the seeds from here on, the fresh runs those after them.
    scales : tuple of float
        Values of c_beta to try; not used where the algorithm has no c_beta.
    report : callable or None
        Called with each result.

    Returns
    -------
    tuple of Chosen

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    runs, seed = whole(runs, "runs", 1, error=InvalidParameter), whole(seed, "seed", 0, error=InvalidParameter)
    most = whole(most, "most", 1, error=InvalidParameter)
    entry, _, _ = entry_of(algorithm, options)
    bonus = "c_beta" in inspect.signature(entry.function).parameters
    best, cap, found = planning.optimal(mdp).value, max_deployments or 4 * mdp.horizon, []
    for scale in [real(scale, "scales", above=0, error=InvalidParameter) for scale in scales] if bonus else [None]:
        given = options | ({} if scale is None else {"c_beta": scale})

        def one(size: int, number: int, given=given) -> tuple[bool, int]:
            run = run_by_name(algorithm, mdp, epsilon, delta, size, cap, seed + number, **given)
            return best - planning.evaluate(mdp, run.policy).value <= epsilon, run.outcome.deployments

        rows = list(sizes(runs, math.floor(delta * runs), most, lambda size, number, one=one: one(size, number)[0]))
        if not rows[-1]["chosen"]:
            found.append(Chosen(scale, None, math.nan, 0, 0, 0.0, 1.0))
        else:
            fresh = [one(rows[-1]["size"], runs + number) for number in range(runs)]
            often = share(succeeded for succeeded, _ in fresh)
            found.append(Chosen(scale, rows[-1]["size"], sum(used for _, used in fresh) / runs,
                                round(often.value * runs), runs, often.low, often.high))
        if report:
            report(found[-1])
    return tuple(found)
