"""This book's own algorithms in the executed Table 1, and uniform exploration as a baseline.

What must hold in every run:

    spanning policies                 at most d of them a layer, coefficients at most 1               on every path
    designs, cuts                     K blocks, covers of at most d policies; of cuts also a design excess of at most
                                      1 + 1/H and at most d log_2(1/gamma) replacements               on every path
    uniform pessimism                 the policy is worth what was promised                           with 1 - delta
"""

from __future__ import annotations

import math
from collections import Counter

from derl.algorithms import catalogue
from derl.algorithms.baselines.pevi import pessimistic_value_iteration
from derl.algorithms.mean_spanner import distinct_rules
from derl.algorithms.state_designs import largest_leverage, state_designs
from derl.deployment.protocol import KnownPart
from derl.experiments.methods.method import Asked, Method, Places, RunSetting, drawn
from derl.experiments.methods.paper import of_covers
from derl.experiments.methods.run import MethodRun
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.beyond import exchange, prefix, spanner, truncation

ALL = 10**6  # layers of a deployment: as many as there are
NOISE = 1e-9  # what rounding may add
BY_HAND = {"kappa": 0.3, "eta": 1e-9, "dummy": 1e-3}


def best_prefix(asked: Asked) -> RunSetting:
    """Algorithm 2 with the best prefix; nu decides N alone."""
    return drawn(prefix.prefix_constants(*asked.task, asked.nu).batch_size, asked.horizon)


def spanners(asked: Asked) -> RunSetting:
    """d deterministic policies per layer; one more deployment for the law of the first state."""
    return drawn(spanner.spanner_size(*asked.task, asked.log_rules), asked.d * asked.horizon + 1)


def known_part(mdp: LinearMDP) -> KnownPart:
    """What an algorithm is given of an instance."""
    return KnownPart(mdp.phi, mdp.rewards(), mdp.available)


def rules_of_a_layer(mdp: LinearMDP) -> dict[str, float]:
    """log of the most decision rules of a layer."""
    known = known_part(mdp)
    return {"log_rules": math.log(max(len(distinct_rules(known, h)) for h in range(mdp.horizon)))}


def leverage_of_designs(mdp: LinearMDP) -> dict[str, float]:
    """g of the designs over actions."""
    known = known_part(mdp)
    designs = [state_designs(*layer)[0] for layer in zip(known.phi, known.available, strict=True)]
    return {"leverage": largest_leverage(known, designs)}


def few_spanners(run: MethodRun) -> bool:
    """At most d policies a layer, with coefficients of at most 1."""
    per_layer = Counter(record.layer for record in run.outcome.trace)
    return (max(per_layer.values()) <= run.mdp.dim and run.outcome.deployments <= run.mdp.dim * run.mdp.horizon + 1
            and max(record.statistic for record in run.outcome.trace) <= 1 + 1e-6)


def blocks_and_covers(run: MethodRun) -> bool:
    """As many deployments as blocks, covers of at most d policies."""
    wanted = len(exchange.blocks(run.mdp.horizon, run.options["block"]))
    return run.outcome.deployments == wanted and all(record.n_policies <= run.mdp.dim for record in run.outcome.trace)


def blocks_and_cuts(run: MethodRun) -> bool:
    """As many deployments as blocks, small covers found in few replacements, good designs."""
    d, horizon, block = run.mdp.dim, run.mdp.horizon, run.options["block"]
    dummy = run.options["dummy"] or truncation.truncation(
        max(d, 2), horizon, block, min(run.epsilon, horizon), run.delta, run.setting.batch_size).dummy
    return (run.outcome.deployments == max(1, -(-(horizon - 1) // block))
            and all(record.n_policies <= d and record.excess <= 1 + 1 / horizon
                    and record.replacements <= d * math.log2(1 / dummy) for record in run.outcome.trace))


def worth_its_promise(run: MethodRun) -> bool:
    """The exact value of the pessimistic plan is at least what the plan promised."""
    mdp, data = run.mdp, run.outcome.dataset
    plan = pessimistic_value_iteration(mdp.phi, mdp.rewards(), data.counts, run.outcome.beta, mdp.available)
    return bool(mdp.initial @ plan.values[0] <= planning.evaluate(mdp, plan.policy).value + NOISE)


def designs(label: str, block: int, places: Places) -> Method:
    """Designs over actions for blocks of layers; nu for the covers of the later blocks, none for one block."""
    one_block = block == ALL

    def deployments(d: int, horizon: int, size: int) -> int:
        return math.ceil(horizon / min(block, horizon))

    def theorem(asked: Asked) -> RunSetting:
        nu = None if block >= asked.horizon else asked.nu
        found = exchange.shares(*asked.task, block, asked.leverage, nu)
        return drawn(found.batch_size, deployments(asked.d, asked.horizon, found.batch_size),
                     block=min(block, asked.horizon), nu_min=nu, data="split")

    return Method(label, catalogue.named("block_exploration"), nu="no" if one_block else "yes, with its theorem",
                  deployments=deployments, theorem=theorem, theorem_inputs=leverage_of_designs, bonus=False,
                  options=lambda horizon: {"data": "pooled", "block": min(block, horizon)}, scheduled=True,
                  invariant=blocks_and_covers, places=places)


def cuts(label: str, block: int, places: Places) -> Method:
    """Blocks of layers where rare pairs are cut; no reachability, and none for the last layer."""
    def deployments(d: int, horizon: int, size: int) -> int:
        return max(1, math.ceil((horizon - 1) / block))

    def theorem(asked: Asked) -> RunSetting:
        layers = min(block, asked.horizon - 1)
        size = truncation.batch_size(asked.d, asked.horizon, layers, asked.epsilon, asked.delta)
        return drawn(size, deployments(asked.d, asked.horizon, size), block=layers)

    return Method(label, catalogue.named("truncated_block_exploration"), True, deployments=deployments,
                  theorem=theorem, bonus=False,
                  options=lambda horizon: BY_HAND | {"block": min(block, horizon - 1)}, scheduled=True,
                  invariant=blocks_and_cuts, places=places)


WHATEVER_IS_RARE = Places(theorem=None, rare=0.0, rare_theorem=True)  # theorems that hold whatever p is
METHODS = (
    of_covers("Algorithm 2, best prefix", "prefix_exploration", nu="for N", theorem=best_prefix,
              places=Places(theorem=None, rare=0.01)),  # below, lists are too long
    Method("spanning policies", catalogue.named("spanner_exploration"),
           deployments=lambda d, horizon, size: d * horizon + 1, theorem=spanners, theorem_inputs=rules_of_a_layer,
           bonus=False, scheduled=True, invariant=few_spanners,
           places=Places(theorem=None, without=("lake", "simplex"))),  # more decision rules than can be listed
    Method("uniform, pessimistic", catalogue.named("uniform_pessimism"), deployments=lambda d, horizon, size: 1,
           scheduled=True, listing="a baseline: one batch, then a pessimistic plan", invariant=worth_its_promise),
    designs("designs, L = 1", 1, Places(theorem=None)),
    designs("designs, L = 2", 2, Places(theorem=None, rotated=None)),
    designs("designs, L = H", ALL, WHATEVER_IS_RARE),
    cuts("cuts, L = 1", 1, WHATEVER_IS_RARE),
    cuts("cuts, L = 2", 2, Places(theorem=None, horizon=4, rotated=None)),  # with H = 3 as with L = H - 1
    cuts("cuts, L = H - 1", ALL, WHATEVER_IS_RARE),
)
