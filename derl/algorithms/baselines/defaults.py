"""What a run of a baseline by name needs beside it: the default K, what is reported, what Definition 2.1 says to it.

With N = 1, K is what the method needs at the latest, but no more than a matter of patience: 2^20 single trajectories
that change their policy every time, and 1e15 where those between two changes are drawn at once. With larger batches it
is at least 2000 deployments: the bound holds for single trajectories.
"""

from __future__ import annotations

from typing import Any

from derl.algorithms.outcome import Outcome
from derl.algorithms.run_reports import Task
from derl.theory.comparison import online

EPISODES, BATCHES, SKIPPED = 2**20, 2000, 10**15

EVERY_TRAJECTORY = "satisfied with N = 1 in name only: every trajectory is a deployment"
RANDOM_TIMES = ("as published not satisfied: policies change at random times, so deployments differ in size; here a "
                "policy kept for L trajectories is ceil(L/N) deployments of N")


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


def distinct(task: Task, outcome: Outcome) -> dict[str, Any]:
    """Policies, switches, and the bound of the mean loss at the end."""
    return {"distinct_policies": len({record.policy.tobytes() for record in outcome.trace}),
            "switches": len(outcome.trace) - 1, "statistic": float(outcome.trace[-1].statistic)}


def _setting(task: Task) -> tuple[int, int, float, float]:
    return task.mdp.dim, task.mdp.horizon, task.epsilon, task.delta


def _deployments(task: Task, trajectories: int, most: int) -> int:
    needed = min(-(-trajectories // task.batch_size), most)
    return needed if task.batch_size == 1 else max(needed, BATCHES)
