"""What a run of a baseline by name needs beside it: the default K, what is reported, what Definition 2.1 says to it.

With N = 1, K is what the method needs at the latest, but no more than a matter of patience: 2^20 single trajectories
that change their policy every time, and 1e15 where those between two changes are drawn at once. With larger batches it
is at least 2000 deployments: the bound holds for single trajectories.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from derl.algorithms.baselines import francis, olive
from derl.algorithms.outcome import InvalidParameter, Outcome
from derl.algorithms.run_reports import Task
from derl.boundary import real, whole
from derl.mdp import planning
from derl.theory.comparison import online, quoted

EPISODES, FEW_EPISODES, BATCHES, SKIPPED, MOST_FUNCTIONS = 2**20, 5000, 2000, 10**15, 10**6

EVERY_TRAJECTORY = "satisfied with N = 1 in name only: every trajectory is a deployment"
RANDOM_TIMES = ("as published not satisfied: policies change at random times, so deployments differ in size; here a "
                "policy kept for L trajectories is ceil(L/N) deployments of N")

TWO_SIZES = "as published not satisfied: batches of two sizes; here all have N"


def lsvi_ucb(task: Task) -> int:
    """Deployments after which LSVI-UCB has stopped."""
    return _deployments(task, online.episodes_lsvi_ucb(*_setting(task), task.options["c_beta"],
                                                       beta=task.options["beta"]), EPISODES)


def low_switching(task: Task) -> int:
    """Deployments after which low-switching LSVI-UCB has stopped."""
    return _deployments(task, 2 * online.episodes_lsvi_ucb(*_setting(task), task.options["c_beta"],
                                                           task.options["eta"], task.options["beta"]), SKIPPED)


def reward_free(task: Task) -> int:
    """Deployments after which reward-free LSVI-UCB has stopped."""
    return _deployments(task, online.episodes_reward_free(*_setting(task), task.options["c_beta"],
                                                          task.options["beta"]), EPISODES)


def reduction(task: Task) -> int:
    """Deployments that make up K~."""
    budget = task.options["budget"]
    if budget is None:
        budget = online.episodes_of_the_reduction(*_setting(task), task.options["c_beta"], task.options["eta"],
                                                  task.options["beta"])
    return min(-(-budget // task.batch_size), SKIPPED)


def directions(task: Task) -> int:
    """Deployments of FRANCIS in all layers."""
    return task.mdp.horizon * min(francis.directions(*_setting(task), task.batch_size, task.options["episodes"]),
                                  BATCHES if task.batch_size > 1 else FEW_EPISODES)


def covers(task: Task) -> int:
    """Deployments of MOFFLE in all layers, at the most that the potential allows."""
    eta, d = task.options["eta"], task.mdp.dim
    b = task.options["level"] if eta is None else quoted.moffle_threshold(d, task.mdp.n_actions, eta)
    b = real(b, "level", above=0, error=InvalidParameter)
    return min(task.mdp.horizon * (quoted.moffle_policies(d, b) + 2), 10 * BATCHES)


def phases(task: Task) -> int:
    """Phases of OLIVE."""
    return 4 * (task.mdp.dim * task.mdp.horizon + 1)


def with_functions(task: Task) -> tuple[Task, dict[str, Any]]:
    """OLIVE: a class around the Q* of the instance, which the algorithm could not know; the report says so."""
    mdp, best = task.mdp, planning.optimal(task.mdp)
    size = whole(task.options["n_functions"], "n_functions", 1, MOST_FUNCTIONS, InvalidParameter)
    draw = whole(task.options["draw"], "draw", 0, error=InvalidParameter)
    optimal = np.stack([np.where(mdp.available[h], mdp.backup(h, best.values[h + 1]), 0.0)
                        for h in range(mdp.horizon)])
    functions = olive.class_around(optimal, mdp.phi, size, draw)
    return (replace(task, options={**task.options, "functions": functions}),
            {"functions_are": "made from the instance: Q* and perturbations"})


def survivors(task: Task, outcome: Outcome) -> dict[str, Any]:
    """How many functions are alive, and whether Q* is."""
    return {"functions_alive": int(outcome.dataset.alive.sum()),
            "optimum_alive": bool(outcome.dataset.alive[0])}


def distinct(task: Task, outcome: Outcome) -> dict[str, Any]:
    """Policies, switches, and the bound of the mean loss at the end."""
    return {"distinct_policies": len({record.policy.tobytes() for record in outcome.trace}),
            "switches": len(outcome.trace) - 1, "statistic": float(outcome.trace[-1].statistic)}


def policies(task: Task, outcome: Outcome) -> dict[str, Any]:
    """Layer by layer: policies of the list, and how many differ."""
    return {"policies": [record.n_policies for record in outcome.trace],
            "distinct_policies": [record.n_distinct for record in outcome.trace]}


def _setting(task: Task) -> tuple[int, int, float, float]:
    return task.mdp.dim, task.mdp.horizon, task.epsilon, task.delta


def _deployments(task: Task, trajectories: int, most: int) -> int:
    needed = min(-(-trajectories // task.batch_size), most)
    return needed if task.batch_size == 1 else max(needed, BATCHES)
