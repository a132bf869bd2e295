"""The same instance in two bases: does a method deploy and return the same policies?

Counts are drawn from the same streams, so as long as the policies agree, the data do.
"""

from __future__ import annotations

import numpy as np

from derl.experiments.families import draw
from derl.experiments.methods import METHODS
from derl.experiments.methods.run import MethodRun
from derl.experiments.sweep import InvalidSpec
from derl.inputs import choice
from derl.inputs.threads import one_thread
from derl.mdp.policies import Mixture


@one_thread
def measure(seed: int, family: str, method: str, d: int, horizon: int, epsilon: float, delta: float, c_beta: float,
            size: int, nu: float | None = None, probability: float | None = None) -> list[dict]:
    """The row; `size` is what a search would vary."""
    found = METHODS[choice(method, "method", tuple(METHODS), InvalidSpec)]
    mode, runs = "calibrated" if found.bonus else "nominal", []
    for rotate in (False, True):
        mdp = draw(family, seed, d, horizon, probability, rotate)
        setting = found.setting(mdp, epsilon, delta, mode, c_beta, size, nu if found.nu == "yes" else None)
        runs.append(MethodRun.of(mdp, found, mode, epsilon, delta, seed, setting))
    one, two = (run.outcome for run in runs)
    if one is None or two is None:  # a method that did not come to its end offers no policy to compare
        return []
    logs = [[(row.policy, row.repeats) for row in run.deployer.log] for run in runs]
    return [{"same_policy": same(one.policy, two.policy), "same_log": logs[0] == logs[1],
             "deployments": one.deployments, "deployments_rotated": two.deployments, "loss": runs[0].loss,
             "loss_rotated": runs[1].loss}]


def same(one, two) -> bool:
    """Whether two policies are one; of mixtures the members and their weights."""
    if isinstance(one, Mixture):
        return (len(one.policies) == len(two.policies) and bool(np.allclose(one.weights, two.weights))
                and all(np.array_equal(*pair) for pair in zip(one.policies, two.policies, strict=True)))
    return bool(np.array_equal(one, two))
