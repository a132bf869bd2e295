"""For which c does the bonus c dH sqrt(log(dH/(delta epsilon))) cover the errors of the regressions in a whole run?

Algorithm 1 is run with N = 4^10 and each c of a grid; a row says whether every plan of the run was within its bonus.
"""

from __future__ import annotations

from derl.algorithms.layerwise import layerwise_exploration
from derl.experiments.families import draw
from derl.experiments.methods.method import violations
from derl.experiments.watched import Watched, plans
from derl.inputs.threads import one_thread

GRID = tuple(2.0**-i for i in range(7))
BATCH = 4**10


@one_thread
def measure(seed: int, family: str, d: int, horizon: int, epsilon: float, delta: float,
            probability: float | None = None, **label) -> list[dict]:
    """One row per c."""
    mdp, rows = draw(family, seed, d, horizon, probability), []
    for c in GRID:
        deployer = Watched(mdp, BATCH, violations(d, horizon, BATCH), seed=seed)
        outcome = layerwise_exploration(deployer, epsilon, delta, c_beta=c)
        found = plans(mdp, deployer.stages[:-1], [record.layer for record in outcome.trace], outcome.beta)
        rows.append({"c_beta": c, "within": found.ratio <= outcome.beta, "optimistic": found.optimistic})
    return rows


def smallest(rows: list[dict], delta: float) -> float:
    """The smallest c of the grid with which 1 - delta of the runs are within their bonus, as with all above."""
    best = GRID[0]
    for c in GRID:
        runs = [row["within"] for row in rows if row["c_beta"] == c]
        if sum(runs) < (1 - delta) * len(runs):
            break
        best = c
    return best
