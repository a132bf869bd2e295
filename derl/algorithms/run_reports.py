r"""What a run by name needs beside the algorithm: the default K, what must be certified first, what is reported.

**K where none is given.** A deployment that finishes nothing violates a level, and the sharp lemma counts violations
for every N (`derl.theory.safety.sample_efficient.deployments_at`). So K is the number of deployments that Algorithm 1
and its relatives can make at this N at all, with N = 1 as well, where a deployment is an episode; but at least the
6dH + 1 of the theorem, and at most 2000, which is a matter of patience.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from derl.algorithms.arbitrary_audit import audit
from derl.algorithms.outcome import InvalidParameter, Outcome
from derl.algorithms.reward_free import reward_free_planning
from derl.boundary import choice
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.arbitrary.rules import ARBITRARY_VERSIONS, rule_of
from derl.theory.beyond import prefix
from derl.theory.beyond.prefix import prefix_constants
from derl.theory.constants import InvalidConstant, bonus_scale, bonus_scale_with_batch, deployments_layerwise
from derl.theory.foundations.fixed_points import least_fixed_point
from derl.theory.safety.mixture import largest_drop
from derl.theory.safety.sample_efficient import deployments_at

TRADE_OFF, MOST_DEPLOYMENTS = 6, 2000
NEAR, PROGRAMMES = 0.3, 20  # relative gap of nu_min^2 and linear programmes for the certificate


@dataclass(frozen=True, eq=False)
class Task:
    """What a run is asked for; `batch_size` is None where the theorem's is wanted."""

    mdp: LinearMDP
    epsilon: float
    delta: float
    batch_size: int | None
    options: Mapping[str, Any]


def beta_printed(task: Task, n_deployments: int) -> float:
    """The scale that is given, or the printed formula."""
    given = task.options.get("beta")
    return given or bonus_scale(task.mdp.dim, task.mdp.horizon, task.epsilon, task.delta, task.options["c_beta"])


def beta_with_batch(task: Task, n_deployments: int) -> float:
    """The scale that is given, or the one with K and N in its logarithm."""
    return task.options.get("beta") or bonus_scale_with_batch(task.mdp.dim, task.mdp.horizon, task.delta,
                                                              n_deployments, task.batch_size)


def violations(share: Callable[[Task], float] = lambda task: 1.0,
               beta: Callable[[Task, int], float] = beta_printed) -> Callable[[Task], int]:
    """The default K of an algorithm that finishes layer h when Delta_k < share(task) epsilon h/(2H), or later."""
    def deployments(task: Task) -> int:
        d, horizon = task.mdp.dim, task.mdp.horizon
        theorem = deployments_layerwise(d, horizon, TRADE_OFF)

        def counted(n_deployments: int) -> int:
            return min(MOST_DEPLOYMENTS, deployments_at(d, horizon, share(task) * task.epsilon,
                                                        beta(task, n_deployments), task.batch_size))

        try:
            return least_fixed_point(counted, theorem, tolerance=0)
        except InvalidConstant:  # beta so small that nothing is ever violated; or refused by the algorithm
            return theorem

    return deployments


def with_reachability(task: Task) -> tuple[Task, dict[str, Any]]:
    """Algorithm 2: a certified nu_min where it is needed and not given, and the theorem's N where N is not given.

    It is the only place where a run looks at what the algorithm must not see, and the report says so.
    """
    version, nu_min = task.options["version"], task.options["nu_min"]
    choice(version, "version", ARBITRARY_VERSIONS, InvalidParameter)
    notes = {} if nu_min is None else {"nu_min_is": "given"}
    if nu_min is None and (version != "self-certifying" or task.batch_size is None):
        nu_min, notes = certified_nu(task.mdp), {"nu_min_is": "certified from the instance"}
    size = task.batch_size
    if size is None:
        size = arbitrary_constants(task.mdp.dim, task.mdp.horizon, task.epsilon, task.delta, nu_min,
                                   version).batch_size
    return replace(task, batch_size=size, options={**task.options, "nu_min": nu_min}), notes


def with_prefix(task: Task) -> tuple[Task, dict[str, Any]]:
    """Algorithm 2 with the best prefix: the theorem's N where N is not given; the loop itself is told nothing."""
    if task.batch_size is not None:
        return task, {}
    size = prefix_constants(task.mdp.dim, task.mdp.horizon, task.epsilon, task.delta, certified_nu(task.mdp)).batch_size
    return replace(task, batch_size=size), {"nu_min_is": "certified from the instance, for N alone"}


def certified_nu(mdp: LinearMDP) -> float:
    """A certified lower bound of nu_min over the reachable span, within 30 per cent of nu_min^2 where that is cheap.

    Raises
    ------
    InvalidParameter
        The bound is 0.
    """
    from derl.theory import reachability

    lower = reachability.nu_min(mdp, relative=NEAR, subspace="reachable", limit=PROGRAMMES).lower
    if not lower > 0:
        raise InvalidParameter("no positive lower bound of nu_min could be certified; give nu_min, or use the version "
                               "'self-certifying' with a batch size")
    return min(float(lower), 1.0)


def algorithm_4(task: Task, outcome: Outcome):
    """The plan of Algorithm 4 for the instance's own reward."""
    version = {name: value for name, value in task.options.items() if name == "version"}
    return reward_free_planning(outcome.dataset, task.mdp.theta, **version).policy


def audited(task: Task, outcome: Outcome) -> dict[str, Any]:
    """Algorithm 2: its lists of policies, and the certified bound of the loss over all rewards."""
    found = audit(task.mdp, outcome, rule_of(task.options.get("version", prefix.VERSION)).linear)
    return {"policies": [record.n_policies for record in outcome.trace],
            "distinct_policies": [record.n_distinct for record in outcome.trace],
            "uncertainty": float(found.uncertainty[-1]),
            "loss_bound": float(found.loss_bound[-1]) if math.isfinite(found.loss_bound[-1]) else None}


def drops(task: Task, outcome: Outcome) -> dict[str, Any]:
    """Algorithm 7: what its deployments were worth."""
    values = [planning.evaluate(task.mdp, record.policy).value for record in outcome.trace]
    return {"largest_drop": float(largest_drop(values)), "first_value": values[0], "last_value": values[-1]}
