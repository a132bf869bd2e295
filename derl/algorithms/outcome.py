"""What an algorithm returns, and the rules for its parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from derl.deployment.known import KnownPart
from derl.inputs import Invalid, display, real, whole
from derl.inputs.arrays import as_array, as_floats
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import Mixture, described


class InvalidParameter(Invalid):
    """A parameter of an algorithm is outside its range; the message says which and what is allowed."""


class Unfinished(ArithmeticError):
    """A computation of an algorithm does not come to its end on these data; the message says which, and why."""


@dataclass(frozen=True, repr=False)
class Record(display.Fields):
    """One deployment as the algorithm saw it.

    Attributes
    ----------
    deployment : int
        k, from 1.
    layer : int
        h_k, the layer explored, from 1.
    statistic : float
        Delta_k, the empirical bound on the suboptimality of the deployed policy.
    threshold : float
        The layer is finished when `statistic < threshold`.
    mean_square_norms : tuple of float
        (1/N) Tr(Lambda_h^{-1} Phi_h) for the layers 1..h_k: what Lemma 4.2 counts.
    log_dets : tuple of float
        log det Lambda_h^k before the deployment, for the layers 1..h_k.
    policy : (H, S) int
        The deployed policy (read-only).
    exact : bool
        Whether the batch was drawn exactly.
    """

    deployment: int
    layer: int
    statistic: float
    threshold: float
    mean_square_norms: tuple[float, ...]
    log_dets: tuple[float, ...]
    policy: Any
    exact: bool

    @property
    def finished(self) -> bool:
        """Whether this deployment finished its layer."""
        return self.statistic < self.threshold


SCALARS = (bool, int, float, str)


def scalars(record) -> dict[str, Any]:
    """The plain numbers and words of a record by name, those of its exploration too; None where one is not finite."""
    row = {}
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, SCALARS):
            row[field.name] = None if isinstance(value, float) and not math.isfinite(value) else value
        elif field.name == "exploration" and value is not None:
            row |= scalars(value)
    return row


@dataclass(frozen=True, repr=False)
class Outcome(display.Shown):
    """What an algorithm returns.

    Attributes
    ----------
    policy : (H, S) int, (H, S, A) float or Mixture
    deployments : int
        Deployments used, at most the K of the deployer.
    trajectories : int
        Trajectories collected in all.
    converged : bool
        Whether the run reached what its guarantee asks for: its stopping rule ended it, or N is that of its theorem
        where it has no rule. A method without either says True. If False, nothing is guaranteed of `policy`.
    trace : tuple of Record
        One record per deployment.
    beta : float
        Scale of the bonus that was used.
    dataset : derl.algorithms.dataset.Collected
        What was collected. `dataset.plan(theta)` is a policy (H, S) for the reward <phi_h(s, a), theta_h>, whatever the
        algorithm.
    """

    policy: Any
    deployments: int
    trajectories: int
    converged: bool
    trace: tuple[Record, ...]
    beta: float
    dataset: Any = None

    def _facts(self):
        return {"converged": self.converged, "deployments": self.deployments, "trajectories": self.trajectories,
                "policy": described(self.policy), "beta": self.beta,
                "trace": f"{len(self.trace)} records" if len(self.trace) != 1 else "1 record",
                "dataset": "None" if self.dataset is None else type(self.dataset).__name__}

    def _more(self):
        if not self.trace:
            return ""
        rows = [scalars(record) for record in display.ends(self.trace)]
        records = [scalars(record) for _, record in display.thinned(self.trace)]
        curves = {name: [record.get(name) for record in records] for name in drawn(rows[0])}
        places = [record["deployment"] for record in records]
        return display.table(rows, len(self.trace)) + display.chart(places, curves, "deployments")


def drawn(row: Mapping[str, Any]) -> list[str]:
    """What a chart of the deployments shows: the stopping rule, or else two measured numbers, or else the layer."""
    rule = [name for name in ("statistic", "threshold") if name in row]
    return rule or [name for name, value in row.items() if isinstance(value, float)][:2] or ["layer"]


def accuracy(epsilon: float, delta: float) -> tuple[float, float]:
    """epsilon > 0 and delta in (0, 1), as every algorithm takes them.

    Raises
    ------
    InvalidParameter
    """
    return (real(epsilon, "epsilon", above=0, error=InvalidParameter),
            real(delta, "delta", above=0, below=1, error=InvalidParameter))


def first_states(known: KnownPart, initial: int | np.ndarray | None) -> np.ndarray | None:
    """The law of s_1 where it is known: as handed over, or because there is one state only.

    Parameters
    ----------
    initial : int, (S,) or None
        A first state, or a distribution over the states.

    Returns
    -------
    (S,) or None

    Raises
    ------
    InvalidParameter
    """
    if initial is None:
        return np.ones(1) if known.n_states == 1 else None
    if not as_array(initial, "initial", InvalidParameter).ndim:
        return np.eye(known.n_states)[whole(initial, "initial", 0, known.n_states - 1, InvalidParameter)]
    law = as_floats(initial, "initial", InvalidParameter)
    if law.shape != (known.n_states,) or not (law >= 0).all() or abs(law.sum() - 1) > 1e-9:
        raise InvalidParameter(f"initial has shape {law.shape} and sum {law.sum():.6g}; it must be a state or a "
                               f"distribution over {known.n_states} states")
    return law


def trace_rows(mdp: LinearMDP, outcome: Outcome) -> list[dict[str, Any]]:
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
