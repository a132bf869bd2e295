r"""What a run by name needs beside the algorithm: the default K, what must be certified first, what is reported.

**K where none is given.** A deployment that finishes nothing violates a level, and the sharp lemma counts violations
for every N (`derl.theory.safety.sample_efficient.deployments_at`). So K is the number of deployments that Algorithm 1
and its relatives can make at this N at all, with N = 1 as well, where a deployment is an episode; but at least the
6dH + 1 of the theorem, and at most 2000, which is a matter of patience.

For a baseline with N = 1, K is what the method needs at the latest, but no more than a matter of patience: 2^20 single
trajectories that change their policy every time, and 1e15 where those between two changes are drawn at once. With
larger batches it is at least 2000 deployments: the bound holds for single trajectories.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from derl.algorithms.audit import audit
from derl.algorithms.baselines import francis, olive
from derl.algorithms.outcome import InvalidParameter, Outcome
from derl.algorithms.reward_free import reward_free_planning
from derl.algorithms.state_designs import largest_leverage, state_designs
from derl.deployment.known import KnownPart
from derl.inputs import choice, display, real, whole
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP
from derl.theory import reachability
from derl.theory.arbitrary.constants import DESIGN, arbitrary_constants
from derl.theory.arbitrary.rules import ARBITRARY_VERSIONS, rule_of
from derl.theory.beyond import exchange, modulo, one_deployment, prefix, truncation
from derl.theory.comparison import online, quoted
from derl.theory.constants import InvalidConstant, bonus_scale, bonus_scale_with_batch, deployments_layerwise
from derl.theory.foundations.fixed_points import least_fixed_point
from derl.theory.safety.mixture import largest_drop
from derl.theory.safety.sample_efficient import deployments_at

TRADE_OFF, MOST_DEPLOYMENTS = 6, 2000
NEAR, PROGRAMMES = 0.3, 20  # relative gap of nu_min^2 and linear programmes for the certificate
EPISODES, FEW_EPISODES, BATCHES, SKIPPED, MOST_FUNCTIONS = 2**20, 5000, 2000, 10**15, 10**6

# what Definition 2.1 says to a baseline
EVERY_TRAJECTORY = "satisfied with N = 1 in name only: every trajectory is a deployment"
RANDOM_TIMES = ("as published not satisfied: policies change at random times, so deployments differ in size; here a "
                "policy kept for L trajectories is ceil(L/N) deployments of N")
TWO_SIZES = "as published not satisfied: batches of two sizes; here all have N"


@dataclass(frozen=True, eq=False, repr=False)
class Request(display.Fields):
    """What a run is given; `batch_size` is None where the theorem's is wanted, `seed` the root of its streams."""

    mdp: LinearMDP
    epsilon: float
    delta: float
    batch_size: int | None
    options: Mapping[str, Any]
    seed: int = 0

    @property
    def numbers(self) -> tuple[int, int, float, float]:
        """d, H, epsilon, delta."""
        return self.mdp.dim, self.mdp.horizon, self.epsilon, self.delta


def beta_printed(request: Request, n_deployments: int) -> float:
    """The scale that is given, or the printed formula."""
    given = request.options.get("beta")
    return given or bonus_scale(*request.numbers, request.options["c_beta"])


def beta_with_batch(request: Request, n_deployments: int) -> float:
    """The scale that is given, or the one with K and N in its logarithm."""
    return request.options.get("beta") or bonus_scale_with_batch(request.mdp.dim, request.mdp.horizon, request.delta,
                                                              n_deployments, request.batch_size)


def violations(share: Callable[[Request], float] = lambda request: 1.0,
               beta: Callable[[Request, int], float] = beta_printed) -> Callable[[Request], int]:
    """The default K of an algorithm that finishes layer h when Delta_k < share(request) epsilon h/(2H), or later."""
    def deployments(request: Request) -> int:
        d, horizon = request.mdp.dim, request.mdp.horizon
        theorem = deployments_layerwise(d, horizon, TRADE_OFF)

        def counted(n_deployments: int) -> int:
            return min(MOST_DEPLOYMENTS, deployments_at(d, horizon, share(request) * request.epsilon,
                                                        beta(request, n_deployments), request.batch_size))

        try:
            return least_fixed_point(counted, theorem, tolerance=0)
        except InvalidConstant:  # beta so small that nothing is ever violated; or refused by the algorithm
            return theorem

    return deployments


def with_reachability(request: Request) -> tuple[Request, dict[str, Any]]:
    """Algorithm 2: a certified nu_min where it is needed and not given, and the theorem's N where N is not given.

    It is the only place where a run looks at what the algorithm must not see, and the report says so.
    """
    version, nu_min = request.options["version"], request.options["nu_min"]
    choice(version, "version", ARBITRARY_VERSIONS, InvalidParameter)
    notes = {} if nu_min is None else {"nu_min_is": "given"}
    if nu_min is None and (version != "self-certifying" or request.batch_size is None):
        nu_min, notes = certified_nu(request.mdp), {"nu_min_is": "certified from the instance"}
    size = request.batch_size
    if size is None:
        size = arbitrary_constants(request.mdp.dim, request.mdp.horizon, request.epsilon, request.delta, nu_min,
                                   version).batch_size
    return replace(request, batch_size=size, options={**request.options, "nu_min": nu_min}), notes


def with_prefix(request: Request) -> tuple[Request, dict[str, Any]]:
    """Algorithm 2 with the best prefix: the theorem's N where N is not given; the loop itself is told nothing."""
    if request.batch_size is not None:
        return request, {}
    size = prefix.prefix_constants(*request.numbers, certified_nu(request.mdp)).batch_size
    return replace(request, batch_size=size), {"nu_min_is": "certified from the instance, for N alone"}


def certified_nu(mdp: LinearMDP) -> float:
    """A certified lower bound of nu_min over the reachable span, within 30 per cent of nu_min^2 where that is cheap.

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


def blocks_of(request: Request) -> int:
    """K = ceil(H/L)."""
    block = whole(request.options["block"], "block", 1, error=InvalidParameter)
    return len(exchange.blocks(request.mdp.horizon, block))


def with_blocks(request: Request) -> tuple[Request, dict]:
    """The theorem's N where none is given; nu is then certified from the instance, unless it is given or not needed."""
    if request.batch_size is not None:
        return request, {}
    mdp, block, nu, notes = request.mdp, request.options["block"], request.options["nu_min"], {}
    if nu is None and blocks_of(request) > 1:
        later = exchange.blocks(mdp.horizon, block)[1:]
        nu = min(float(reachability.nu(mdp, one.start + 1, relative=NEAR, subspace="reachable").lower) for one in later)
        notes = {"nu_min_is": "certified from the instance"}
    known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
    designs = [state_designs(*layer)[0] for layer in zip(mdp.phi, known.available, strict=True)]
    leverage = largest_leverage(known, designs)
    size = exchange.batch_size(mdp.dim, mdp.horizon, request.epsilon, request.delta, block, leverage, nu)
    return replace(request, batch_size=size, options={**request.options, "nu_min": nu}), notes


def with_one_deployment(request: Request) -> tuple[Request, dict]:
    """The N of the version's theorem where none is given."""
    if request.batch_size is not None:
        return request, {}
    mdp = request.mdp
    known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
    designs = [state_designs(*layer)[0] for layer in zip(mdp.phi, known.available, strict=True)]
    version = choice(request.options["version"], "version", one_deployment.VERSIONS, InvalidParameter)
    size = one_deployment.batch_size(mdp.dim, mdp.horizon, request.epsilon, request.delta,
                                     largest_leverage(known, designs), version)
    return replace(request, batch_size=size), {}


def with_two_deployments(request: Request) -> tuple[Request, dict]:
    """The theorem's N where none is given; the designs of the second deployment are within 1.1 of their rank."""
    if request.batch_size is not None or request.mdp.horizon == 1:
        return request, {}
    mdp = request.mdp
    known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
    designs = [state_designs(*layer)[0] for layer in zip(mdp.phi, known.available, strict=True)]
    size = modulo.two_deployments_size(mdp.dim, mdp.horizon, request.epsilon, request.delta,
                                       max(1.0, DESIGN * (mdp.dim - 1)), largest_leverage(known, designs))
    return replace(request, batch_size=size), {}


def known_law_blocks(request: Request) -> int:
    """K of a run by name."""
    return modulo.deployments(request.mdp.horizon, *_known_law_layers(request)) if request.mdp.horizon > 1 else 1


def with_known_law(request: Request) -> tuple[Request, dict]:
    """The theorem's N where none is given; nothing of the instance is needed for it but d and H."""
    first, block = _known_law_layers(request)
    if request.batch_size is not None or request.mdp.horizon == 1:
        return request, {}
    size = modulo.blocks_size(max(request.mdp.dim, 2), request.mdp.horizon, first, block,
                              min(request.epsilon, request.mdp.horizon), request.delta, "spanner")
    return replace(request, batch_size=size), {}


def _known_law_layers(request: Request) -> tuple[int, int]:
    """L0 and L, checked."""
    first = whole(request.options["first_layers"], "first_layers", 0, max(request.mdp.horizon - 2, 0), InvalidParameter)
    most = max(request.mdp.horizon - 1 - first, 1)
    return first, whole(request.options["block"], "block", 1, most, InvalidParameter)


def cut_blocks(request: Request) -> int:
    """K of a run by name."""
    return max(len(truncation.blocks(request.mdp.horizon, request.options["block"])), 1)


def with_cuts(request: Request) -> tuple[Request, dict]:
    """The theorem's N where none is given; nothing of the instance is needed for it but d and H."""
    if request.batch_size is not None or request.mdp.horizon == 1:
        return request, {}
    d, horizon = max(request.mdp.dim, 2), request.mdp.horizon
    size = truncation.batch_size(d, horizon, request.options["block"], min(request.epsilon, horizon), request.delta)
    return replace(request, batch_size=size), {}


def lsvi_ucb(request: Request) -> int:
    """Deployments after which LSVI-UCB has stopped."""
    return _deployments(request, online.episodes_lsvi_ucb(*request.numbers, request.options["c_beta"],
                                                       beta=request.options["beta"]), EPISODES)


def low_switching(request: Request) -> int:
    """Deployments after which low-switching LSVI-UCB has stopped."""
    return _deployments(request, 2 * online.episodes_lsvi_ucb(*request.numbers, request.options["c_beta"],
                                                           request.options["eta"], request.options["beta"]), SKIPPED)


def reward_free(request: Request) -> int:
    """Deployments after which reward-free LSVI-UCB has stopped."""
    return _deployments(request, online.episodes_reward_free(*request.numbers, request.options["c_beta"],
                                                          request.options["beta"]), EPISODES)


def reduction(request: Request) -> int:
    """Deployments that make up K~."""
    budget = request.options["budget"]
    if budget is None:
        budget = online.episodes_of_the_reduction(*request.numbers, request.options["c_beta"], request.options["eta"],
                                                  request.options["beta"])
    return min(-(-budget // request.batch_size), SKIPPED)


def directions(request: Request) -> int:
    """Deployments of FRANCIS in all layers."""
    needed = francis.directions(*request.numbers, request.batch_size, request.options["episodes"])
    return request.mdp.horizon * min(needed, BATCHES if request.batch_size > 1 else FEW_EPISODES)


def covers(request: Request) -> int:
    """Deployments of MOFFLE in all layers, at the most that the potential allows."""
    eta, d = request.options["eta"], request.mdp.dim
    b = request.options["level"] if eta is None else quoted.moffle_threshold(d, request.mdp.n_actions, eta)
    b = real(b, "level", above=0, error=InvalidParameter)
    return min(request.mdp.horizon * (quoted.moffle_policies(d, b) + 2), 10 * BATCHES)


def phases(request: Request) -> int:
    """Phases of OLIVE."""
    return 4 * (request.mdp.dim * request.mdp.horizon + 1)


def with_functions(request: Request) -> tuple[Request, dict[str, Any]]:
    """OLIVE: a class around the Q* of the instance, which the algorithm could not know; the report says so."""
    mdp, best = request.mdp, planning.optimal(request.mdp)
    size = whole(request.options["n_functions"], "n_functions", 1, MOST_FUNCTIONS, InvalidParameter)
    optimal = np.stack([np.where(mdp.available[h], mdp.backup(h, best.values[h + 1]), 0.0)
                        for h in range(mdp.horizon)])
    functions = olive.class_around(optimal, mdp.phi, size, request.seed)
    return (replace(request, options={**request.options, "functions": functions}),
            {"functions_are": "made from the instance: Q* and perturbations"})


def _deployments(request: Request, trajectories: int, most: int) -> int:
    needed = min(-(-trajectories // request.batch_size), most)
    return needed if request.batch_size == 1 else max(needed, BATCHES)


def algorithm_4(request: Request, outcome: Outcome):
    """The plan of Algorithm 4 for the instance's own reward."""
    version = {name: value for name, value in request.options.items() if name == "version"}
    return reward_free_planning(outcome.dataset, request.mdp.theta, **version).policy


def audited(request: Request, outcome: Outcome) -> dict[str, Any]:
    """Algorithm 2: its lists of policies, and the certified bound of the loss over all rewards."""
    found = audit(request.mdp, outcome, rule_of(request.options.get("version", prefix.VERSION)).linear)
    return {"policies": [record.n_policies for record in outcome.trace],
            "distinct_policies": [record.n_distinct for record in outcome.trace],
            "uncertainty": float(found.uncertainty[-1]),
            "loss_bound": float(found.loss_bound[-1]) if math.isfinite(found.loss_bound[-1]) else None}


def drops(request: Request, outcome: Outcome) -> dict[str, Any]:
    """Algorithm 7: what its deployments were worth."""
    values = [planning.evaluate(request.mdp, record.policy).value for record in outcome.trace]
    return {"largest_drop": float(largest_drop(values)), "first_value": values[0], "last_value": values[-1]}


def survivors(request: Request, outcome: Outcome) -> dict[str, Any]:
    """How many functions are alive, and whether Q* is."""
    return {"functions_alive": int(outcome.dataset.alive.sum()),
            "optimum_alive": bool(outcome.dataset.alive[0])}


def distinct(request: Request, outcome: Outcome) -> dict[str, Any]:
    """Policies, switches, and the bound of the mean loss at the end."""
    return {"distinct_policies": len({record.policy.tobytes() for record in outcome.trace}),
            "switches": len(outcome.trace) - 1, "statistic": float(outcome.trace[-1].statistic)}


def policies(request: Request, outcome: Outcome) -> dict[str, Any]:
    """Layer by layer: policies of the list, and how many differ."""
    return {"policies": [record.n_policies for record in outcome.trace],
            "distinct_policies": [record.n_distinct for record in outcome.trace]}
