"""What must hold in every run of a method, whatever is drawn, or with the probability that its theorem names.

    low switching, direct reduction   policies <= 1 + dH log_2(1 + K/d)                               on every path
    Algorithms 1 and 3 and relatives  deployments <= what the count of violations allows at this N    on every path
    MOFFLE                            policies of a layer <= what the elliptical potential allows     on every path
    Zhang et al.                      rounds of a matrix evaluation <= 10 d log(2x/zeta + 1)          by Lemma 18 there
    Qiao and Wang                     the Kiefer-Wolfowitz gap of every design is at most its tolerance
    OLIVE                             Q* is never eliminated                                          with 1 - delta
    LSVI-UCB, also reward-free        the statistic is at most what the elliptical potential leaves   on every path
    FRANCIS                           log det Sigma of n features is at most d log(1 + n/d), and grows  on every path
    Algorithm 2, told nu              iterations of a layer <= i_max                                  with 1 - delta
    Algorithm 2, best prefix          i V_i <= G                                                      with 1 - delta
    spanning policies                 at most d of them a layer, coefficients at most 1               on every path
    designs, cuts                     K blocks, covers of at most d policies; of cuts also a design excess of at most
                                      1 + 1/H and at most d log_2(1/gamma) replacements               on every path
    uniform pessimism                 the policy is worth what was promised                           with 1 - delta
"""

from __future__ import annotations

import itertools
import math
from collections import Counter

from derl.algorithms.baselines.pevi import pessimistic_value_iteration
from derl.algorithms.outcome import Outcome
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.arbitrary.constants import iteration_bound
from derl.theory.beyond import exchange, prefix, truncation
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


NOISE = 1e-9  # what rounding may add


def kept(name: str, mdp: LinearMDP, outcome: Outcome, options: dict, epsilon: float, batch_size: int,
         delta: float = 0.1, max_deployments: int | None = None) -> bool | None:
    """Whether the invariant of an algorithm held in a run; None where it has none.

    Parameters
    ----------
    name : str
        As in the catalogue.
    options : mapping
        Of the run, defaults included.
    max_deployments : int
        K of its deployer, which LSVI-UCB has in a logarithm.
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
        return all(record.gap <= options["tolerance"] * d * (1 + NOISE) for record in trace)
    if name in ("lsvi_ucb", "reward_free_lsvi_ucb"):
        factor = 1 + 1 / (2 * horizon) if name == "reward_free_lsvi_ucb" else 1
        made = outcome.deployments
        hidden = online.noise(horizon, delta, max_deployments) - online.noise(horizon, delta, made)
        allowed = online.mean_loss(d, horizon, delta, factor * outcome.beta, made) + hidden / math.sqrt(made)
        return trace[-1].statistic <= allowed * (1 + NOISE)
    if name == "francis":
        return all(log_dets(d, [record.log_det for record in trace if record.layer == h + 1], batch_size)
                   for h in range(horizon))
    if name in OF_THIS_BOOK:
        return OF_THIS_BOOK[name](mdp, outcome, options, epsilon, batch_size, delta)
    return None


def log_dets(d: int, found: list[float], batch_size: int) -> bool:
    """Whether log-determinants before each of some batches can be those of features in the unit ball."""
    bounds = [d * math.log1p(k * batch_size / d) for k in range(len(found))]
    return (all(one <= bound + NOISE for one, bound in zip(found, bounds, strict=True))
            and all(later >= one - NOISE for one, later in itertools.pairwise(found)))


def _iterations(mdp, outcome, options, epsilon, batch_size, delta) -> bool | None:
    if options["nu_min"] is None:
        return None
    return max(record.iterations for record in outcome.trace) <= iteration_bound(options["version"], mdp.dim,
                                                                                 options["nu_min"])


def _prefix(mdp, outcome, options, epsilon, batch_size, delta) -> bool | None:
    lists = [record.cover for record in outcome.trace if record.cover is not None and record.finished]
    if not lists:  # no layer finished its list: nothing was asserted
        return None
    return all(one.iterations * one.values[-1] <= prefix.value_bound(mdp.dim, one.iterations) for one in lists)


def _spanning(mdp, outcome, options, epsilon, batch_size, delta) -> bool:
    per_layer = Counter(record.layer for record in outcome.trace)
    return (max(per_layer.values()) <= mdp.dim and outcome.deployments <= mdp.dim * mdp.horizon + 1
            and max(record.statistic for record in outcome.trace) <= 1 + 1e-6)


def _blocks(mdp, outcome, options, epsilon, batch_size, delta) -> bool:
    wanted = len(exchange.blocks(mdp.horizon, options["block"]))
    return outcome.deployments == wanted and all(record.n_policies <= mdp.dim for record in outcome.trace)


def _cuts(mdp, outcome, options, epsilon, batch_size, delta) -> bool:
    d, horizon, block = mdp.dim, mdp.horizon, options["block"]
    dummy = options["dummy"] or truncation.truncation(max(d, 2), horizon, block, min(epsilon, horizon), delta,
                                                      batch_size).dummy
    return (outcome.deployments == max(1, -(-(horizon - 1) // block))
            and all(record.n_policies <= d and record.excess <= 1 + 1 / horizon
                    and record.replacements <= d * math.log2(1 / dummy) for record in outcome.trace))


def _pessimism(mdp, outcome, options, epsilon, batch_size, delta) -> bool:
    plan = pessimistic_value_iteration(mdp.phi, mdp.rewards(), outcome.dataset, outcome.beta, mdp.available)
    return bool(mdp.initial @ plan.values[0] <= planning.evaluate(mdp, plan.policy).value + NOISE)


OF_THIS_BOOK = {
    "arbitrary_policy_exploration": _iterations, "prefix_exploration": _prefix, "spanner_exploration": _spanning,
    "block_exploration": _blocks, "truncated_block_exploration": _cuts, "uniform_pessimism": _pessimism}


def most_deployments(name: str, d: int, horizon: int, epsilon: float, beta: float, batch_size: int,
                     options: dict) -> float:
    """What the sharp potential lemma allows at this N; infinite where it says nothing."""
    try:
        return deployments_at(d, horizon, SHARES[name](horizon, options) * epsilon, beta, batch_size)
    except InvalidConstant:
        return math.inf
