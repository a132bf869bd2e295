"""What each deployment of a run found, as rows of plain numbers, for a terminal, JSON and a picture."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from derl.algorithms.outcome import Outcome
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP

SCALARS = (bool, int, float, str)


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
    return [_scalars(record) | {"value": float(planning.evaluate(mdp, record.policy).value)}
            for record in outcome.trace]


def _scalars(record) -> dict[str, Any]:
    row = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, SCALARS):
            row[field.name] = None if isinstance(value, float) and not math.isfinite(value) else value
        elif field.name == "exploration" and value is not None:
            row |= _scalars(value)
    return row
