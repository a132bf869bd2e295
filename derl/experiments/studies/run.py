"""Any algorithm of the catalogue on any instance: what `derl run` reports, one row a seed."""

from __future__ import annotations

import functools

from derl.algorithms.by_name import entry_of, run_by_name
from derl.mdp import instances, planning


def measure(seed: int, algorithm: str, instance: str, epsilon: float, delta: float, batch_size: int,
            max_deployments: int | None = None, mode: str | None = None, **options) -> list[dict]:
    """Run it; `{seed}` in the instance is replaced by the seed."""
    mdp = instances.from_spec(instance.replace("{seed}", str(seed)))
    found = run_by_name(algorithm, mdp, epsilon, delta, batch_size, max_deployments, seed, mode, **options)
    outcome, best = found.outcome, planning.optimal(mdp).value
    value = planning.evaluate(mdp, found.policy).value
    numbers = {name: entry for name, entry in found.findings.items() if isinstance(entry, bool | int | float | str)}
    return [{"converged": outcome.converged, "deployments": outcome.deployments,
             "trajectories": outcome.trajectories, "value": value, "optimal_value": best,
             "suboptimality": best - value, "beta": outcome.beta, **numbers}]


def check(seed: int, algorithm: str, instance: str, epsilon: float, delta: float, batch_size: int,
          max_deployments: int | None = None, mode: str | None = None, **options) -> None:
    """Refuse an algorithm, an option or an instance that cannot be had, before anything runs."""
    entry_of(algorithm, options)
    _built(instance.replace("{seed}", str(seed)))


@functools.cache
def _built(instance: str) -> None:
    instances.from_spec(instance)
