r"""The algorithms by name, with the options that each takes: one call makes the deployer, runs, and plans.

    layerwise_exploration          version, c_beta
    reward_free_exploration        version, c_beta                 plans for the instance's own reward afterwards
    arbitrary_policy_exploration   version, c_beta, nu_min         N of the theorem where no batch size is given
    safe_mixture                   alpha, optimistic, c_beta

Where Algorithm 2 needs nu_min and is given none, a lower bound is certified from the instance
(`theory.reachability.nu_min` on the reachable span), within 30 per cent of nu_min^2 where 20 linear programmes suffice.
It is the only place where a run looks at what the algorithm must not see, and the report says so.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass

from derl.algorithms.arbitrary import arbitrary_policy_exploration
from derl.algorithms.arbitrary_audit import audit
from derl.algorithms.layerwise import layerwise_exploration
from derl.algorithms.outcome import InvalidParameter, Outcome, require_accuracy, require_choice
from derl.algorithms.reward_free import reward_free_exploration, reward_free_planning
from derl.algorithms.safe_mixture import safe_mixture
from derl.deployment import LARGEST_EXACT, Deployer
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP
from derl.theory import reachability
from derl.theory.arbitrary_rules import ARBITRARY_VERSIONS, rule_of
from derl.theory.constants import deployments_layerwise
from derl.theory.constants_arbitrary import arbitrary_constants

NEAR, PROGRAMMES = 0.3, 20  # relative gap of nu_min^2 and linear programmes for the certificate


@dataclass(frozen=True, eq=False)
class Report:
    """A run of an algorithm by name.

    Attributes
    ----------
    outcome : Outcome
    policy : policy
        For the instance's own reward.
    deployer : Deployer
    options : dict
        What was set, defaults included.
    findings : dict
        What is measured beyond the suboptimality, by name; empty for Algorithms 1 and 3.
    """

    outcome: Outcome
    policy: object
    deployer: Deployer
    options: dict
    findings: dict


def run_by_name(name: str, mdp: LinearMDP, epsilon: float, delta: float, batch_size: int | None = None,
                max_deployments: int | None = None, seed: int = 0, mode: str | None = None, **options) -> Report:
    """Run an algorithm on an instance.

    Parameters
    ----------
    name : str
        One of `ALGORITHMS`.
    batch_size : int or None
        N; None stands for the theorem's, which Algorithm 2 alone has for a given nu_min.
    max_deployments : int or None
        K; by default H for Algorithm 2 and 6dH + 1 for the others.
    mode : {"exact", "gaussian", "expected"} or None
        How counts are drawn; by default exactly, and Gaussian where the theorem's N is beyond 2^63 - 1.
    options
        Those of the algorithm; None is read as not given.

    Raises
    ------
    InvalidParameter
        An unknown algorithm, an option that it does not take or that is missing, or a value outside its range.
    """
    require_choice(name, tuple(ALGORITHMS), "algorithm")
    require_accuracy(epsilon, delta)
    taken = inspect.signature(ALGORITHMS[name]).parameters.values()
    allowed = {p.name: p.default for p in taken if p.kind is p.KEYWORD_ONLY}
    given = {key: value for key, value in options.items() if value is not None}
    for key in given.keys() - allowed.keys():
        raise InvalidParameter(f"{name} takes no {key}; its options are {', '.join(allowed)}")
    for key, default in allowed.items():
        if default is inspect.Parameter.empty and key not in given:
            raise InvalidParameter(f"{name} needs {key}")
    if batch_size is None and name != "arbitrary_policy_exploration":
        raise InvalidParameter(f"{name} needs a batch size; the theorem's own is known for "
                               "arbitrary_policy_exploration only")

    def deployer(size: int, deployments: int, policy_class: str) -> Deployer:
        chosen = mode or ("gaussian" if batch_size is None and size > LARGEST_EXACT else "exact")
        return Deployer(mdp, size, max_deployments or deployments, policy_class, seed, chosen)

    return ALGORITHMS[name](mdp, deployer, epsilon, delta, batch_size, **(allowed | given))


def _layerwise(mdp, deployer, epsilon, delta, size, *, version="repaired", c_beta=1.0) -> Report:
    made = deployer(size, deployments_layerwise(mdp.dim, mdp.horizon, 6), "deterministic")
    outcome = layerwise_exploration(made, epsilon, delta, c_beta, version)
    return Report(outcome, outcome.policy, made, {"version": version, "c_beta": c_beta}, {})


def _reward_free(mdp, deployer, epsilon, delta, size, *, version="repaired", c_beta=1.0) -> Report:
    made = deployer(size, deployments_layerwise(mdp.dim, mdp.horizon, 6), "deterministic")
    outcome = reward_free_exploration(made, epsilon, delta, c_beta=c_beta, version=version)
    policy = reward_free_planning(outcome.dataset, mdp.theta, version=version).policy
    return Report(outcome, policy, made, {"version": version, "c_beta": c_beta}, {})


def _arbitrary(mdp, deployer, epsilon, delta, size, *, version="repaired", c_beta=1.0, nu_min=None) -> Report:
    require_choice(version, ARBITRARY_VERSIONS, "version")
    options = {"version": version, "c_beta": c_beta}
    needed = version != "self-certifying" or size is None
    if needed and nu_min is None:
        nu_min, options["nu_min_is"] = certified_nu(mdp), "certified from the instance"
    elif nu_min is not None:
        options["nu_min_is"] = "given"
    if nu_min is not None:
        options["nu_min"] = nu_min
    if size is None:
        size = arbitrary_constants(mdp.dim, mdp.horizon, epsilon, delta, nu_min, version).batch_size
    made = deployer(size, mdp.horizon, "any")
    outcome = arbitrary_policy_exploration(made, epsilon, delta, nu_min, version, c_beta=c_beta)
    found = audit(mdp, outcome, rule_of(version).linear)
    return Report(outcome, outcome.policy, made, options, {
        "policies": [record.n_policies for record in outcome.trace],
        "distinct_policies": [record.n_distinct for record in outcome.trace],
        "uncertainty": float(found.uncertainty[-1]),
        "loss_bound": float(found.loss_bound[-1]) if math.isfinite(found.loss_bound[-1]) else None})


def certified_nu(mdp: LinearMDP) -> float:
    """A certified lower bound of nu_min over the reachable span.

    Raises
    ------
    InvalidParameter
        The bound is 0.
    """
    lower = reachability.nu_min(mdp, relative=NEAR, subspace="reachable", limit=PROGRAMMES).lower
    if not lower > 0:
        raise InvalidParameter("no positive lower bound of nu_min could be certified; give nu_min, or use the version "
                               "'self-certifying' with a batch size")
    return min(float(lower), 1.0)


def _safe(mdp, deployer, epsilon, delta, size, *, alpha, optimistic="layerwise", c_beta=1.0) -> Report:
    made = deployer(size, deployments_layerwise(mdp.dim, mdp.horizon, 6), "any")
    outcome = safe_mixture(made, epsilon, delta, alpha, optimistic, c_beta)
    values = [planning.evaluate(mdp, record.policy).value for record in outcome.trace]
    drops = [before - after for before, after in zip(values, values[1:], strict=False)]
    return Report(outcome, outcome.policy, made, {"alpha": alpha, "optimistic": optimistic, "c_beta": c_beta}, {
        "largest_drop": max(0.0, *drops) if drops else 0.0, "first_value": values[0], "last_value": values[-1]})


ALGORITHMS: dict[str, Callable[..., Report]] = {
    "layerwise_exploration": _layerwise, "reward_free_exploration": _reward_free,
    "arbitrary_policy_exploration": _arbitrary, "safe_mixture": _safe}
