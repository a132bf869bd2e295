"""What each deployment of a run found, as rows of plain numbers, for a terminal, JSON and a picture."""

from __future__ import annotations

from typing import Any

from derl.algorithms.outcome import Outcome, scalars
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import Mixture


def told(mdp: LinearMDP, outcome: Outcome) -> list[dict[str, Any]]:
    """One row per deployment.

    Parameters
    ----------
    mdp : LinearMDP
        The instance, for the exact value of what was deployed.
    outcome : Outcome

    Returns
    -------
    list of dict
        The scalars of the algorithm's own record, as it names them, and `value`, that of the deployed policy.
        A number that is not finite is None.
    """
    values: dict[bytes, float] = {}
    return [scalars(record) | {"value": _value(mdp, record.policy, values)} for record in outcome.trace]


def _value(mdp: LinearMDP, policy, known: dict[bytes, float]) -> float:
    """The exact value; methods that change their policy all the time come back to few."""
    if isinstance(policy, Mixture):
        return float(planning.evaluate(mdp, policy).value)
    key = policy.tobytes()
    if key not in known:
        known[key] = float(planning.evaluate(mdp, policy).value)
    return known[key]
