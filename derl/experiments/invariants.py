"""What must hold in every run of a method, whatever is drawn, or with the probability that its theorem names.

    low switching, direct reduction   policies <= 1 + dH log_2(1 + K/d)                               on every path
    Algorithms 1 and 3 and relatives  deployments <= what the count of violations allows at this N    on every path
    MOFFLE                            policies of a layer <= what the elliptical potential allows     on every path
    Zhang et al.                      rounds of a matrix evaluation <= 10 d log(2x/zeta + 1)          by Lemma 18 there
    Qiao and Wang                     the Kiefer-Wolfowitz gap of every design is at most its tolerance
    OLIVE                             Q* is never eliminated                                          with 1 - delta
"""

from __future__ import annotations

import math
from collections import Counter

from derl.algorithms.outcome import Outcome
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.comparison import online, quoted
from derl.theory.comparison.zhang import TINY
from derl.theory.constants import InvalidConstant
from derl.theory.safety.sample_efficient import deployments_at

SHARES = {  # what a threshold is, as a share of epsilon h/(2H)
    "layerwise_exploration": lambda horizon, options: 1.0,
    "flat_exploration": lambda horizon, options: 2 * options["share"],
    "direct_exploration": lambda horizon, options: 2 * options["share"],
    "reward_free_exploration": lambda horizon, options: 1 / (2 * horizon + 1),
    "reward_free_direct_exploration": lambda horizon, options: 0.5}


def kept(name: str, mdp: LinearMDP, outcome: Outcome, options: dict, epsilon: float, batch_size: int) -> bool | None:
    """Whether the invariant of an algorithm held in a run; None where it has none.

    Parameters
    ----------
    name : str
        As in the catalogue.
    options : mapping
        Of the run, defaults included.
    """
    d, horizon, trace = mdp.dim, mdp.horizon, outcome.trace
    if name in ("low_switching_lsvi", "direct_reduction"):
        return len(trace) <= online.switches(d, horizon, outcome.trajectories, options["eta"])
    if name in SHARES:
        return outcome.deployments <= most_deployments(name, d, horizon, epsilon, outcome.beta, batch_size, options)
    if name == "olive":
        return bool(outcome.dataset[0])
    if name == "moffle":
        per_layer = Counter(record.layer for record in trace if not record.cover)
        return max(per_layer.values()) <= quoted.moffle_policies(d, options["level"]) + 1  # the last one ends the layer
    if name == "zhang_2025":
        x = 1 / (1000 * d**2 * horizon)
        return max(record.rounds for record in trace) <= 10 * d * math.log(2 * x / TINY + 1)
    if name == "qiao_wang_2023":
        return all(record.gap <= options["tolerance"] * d * (1 + 1e-9) for record in trace)
    return None


def most_deployments(name: str, d: int, horizon: int, epsilon: float, beta: float, batch_size: int,
                     options: dict) -> float:
    """What the sharp potential lemma allows at this N; infinite where it says nothing."""
    try:
        return deployments_at(d, horizon, SHARES[name](horizon, options) * epsilon, beta, batch_size)
    except InvalidConstant:
        return math.inf
