r"""Algorithm 2: H deployments of mixtures of policies, one per layer, and a plan for every linear reward afterwards.

    for h = 1, ..., H:
        Pi_h = policies that together reach every direction of layer h             (derl.algorithms.policy_cover)
        deploy the uniform mixture of the list Pi_h, N trajectories
        keep Sigma_h = I + sum phi_h phi_h^T and the transitions of layer h        (not those of the other layers)
    plan for any reward by optimistic value iteration on the H data sets           (Algorithm 4)

Versions:

    "as-printed"         the loop of the pseudocode, see `derl.algorithms.policy_cover` for the steps at which its
                         proof breaks, and values clipped from above only
    "repaired"           the same with these steps put right
    "relative"           the same algorithm as "repaired"; its constants come from a better proof
    "squared"            phi^T Sigma^{-1} phi as the reward of SolveOptQ
    "spectral"           also evaluates covariances linearly
    "self-certifying"    stops when the least eigenvalue of Sigma~ - 2 I reaches 2, without nu_min

What "as-printed" does not copy: eigenvalues of Sigma~ below 1, which only too few data can produce, are raised to 1;
at most 100 000 iterations are made; no grid (see `derl.algorithms.solve_optq`); an unknown first state is explored by
designs, as below; and the final plan is that of the repaired Algorithm 4.

The first state: where its distribution is not handed over (`initial`), the first layer is explored by a
design in every state, which needs neither nu_1 nor the law of s_1, and the first states of that deployment
serve the layers behind it (`derl.algorithms.first_layer`). So H deployments suffice for a random first state
too.

Source: Algorithm 2 (`alg:DERL_with_arbitrary_policies`), Theorem 4.4, Theorem E.9; constants in
`derl.theory.arbitrary.constants`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from derl.algorithms import arbitrary_layer
from derl.algorithms.arbitrary_layer import Found, Gathered
from derl.algorithms.arbitrary_outcome import (
    LayerDataset,
    LayerMoments,
    LayerRecord,
    UndefinedStep,
    arbitrary_policy_planning,
)
from derl.algorithms.exploration import plan_truncated
from derl.algorithms.gathering import KEEPS
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.boundary import choice, real, whole
from derl.boundary.arrays import as_array, as_floats
from derl.boundary.threads import one_thread
from derl.deployment.counts import Batch
from derl.deployment.layer_sums import LayerSums
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.theory.arbitrary.constants import LEAST_NU, planning_scale, regression_scale
from derl.theory.arbitrary.rules import ARBITRARY_VERSIONS

__all__ = ["LayerDataset", "LayerRecord", "UndefinedStep", "arbitrary_policy_exploration", "arbitrary_policy_planning"]

EXACT_DOUBLES = 1 << 53


@one_thread
def arbitrary_policy_exploration(deployer: Deployer, epsilon: float, delta: float, nu_min: float | None = None,
                                 version: str = "repaired", initial: int | np.ndarray | None = None,
                                 c_beta: float = 1.0, i_max: int | None = None, tail: int = 0,
                                 keep: str = "transitions") -> Outcome:
    """Explore every layer with one deployment; plan for the instance's own reward.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= H. The theorem's N is that of
        `theory.arbitrary.constants.arbitrary_constants`; beyond 2^63 - 1 the deployer needs mode="gaussian",
        and every record says that counts are not exact.
    epsilon, delta : float
        Accuracy > 0, which enters through the theorem's N alone, and failure probability in (0, 1).
    nu_min : float, in (0, 1], or None
        The reachability coefficient or a lower bound of it; None is allowed for "self-certifying" only.
    version : {"repaired", "as-printed", "relative", "squared", "spectral", "self-certifying"}
    initial : int, (S,) or None
        First state, or its distribution, where it is known beforehand.
    c_beta : float, > 0
        Multiplies the theorem's beta' and beta.
    i_max : int or None
        In place of the theorem's, of which at most 100 000 iterations are made.
    tail : int
        Action of the layers beyond h, whose data are not used.
    keep : {"transitions", "sums"}
        "sums" draws and keeps visits and moments of layer h in place of all transitions (`derl.deployment.layer_sums`):
        for many states. The law is the same, the draws are others; the deployer's mode is not "gaussian" then.

    Returns
    -------
    Outcome
        `converged`: every layer ended by its own rule. `trace`: one `LayerRecord` per deployment. `dataset`:
        a `LayerDataset` for `arbitrary_policy_planning`.

    Raises
    ------
    InvalidParameter
    UndefinedStep
        "as-printed": the loop stops at once, Pi_h is empty, and the uniform policy on it is not defined.

    Examples
    --------
    >>> from derl import Deployer, algorithms, instances, planning
    >>> mdp = instances.lock(3, 3, (1, 2, 0), 0.2)
    >>> deployer = Deployer(mdp, 10**12, mdp.horizon, "any", seed=0)
    >>> found = algorithms.arbitrary_policy_exploration(deployer, 0.1, 0.1, version="self-certifying")
    >>> found.deployments, planning.gap(mdp, found.policy) <= 0.1
    (4, True)
    """
    epsilon, delta = accuracy(epsilon, delta)
    choice(version, "version", ARBITRARY_VERSIONS, InvalidParameter)
    choice(keep, "keep", KEEPS, InvalidParameter)
    c_beta = real(c_beta, "c_beta", above=0, error=InvalidParameter)
    if i_max is not None:
        i_max = whole(i_max, "i_max", error=InvalidParameter)
    known, size = known_part(deployer), deployer.batch_size
    run = arbitrary_layer.Run(known, version, _lower_bound(nu_min, version), c_beta * regression_scale(
        version, known.dim, known.horizon, delta, size), i_max, tail, keep)
    return layer_by_layer(run, deployer, epsilon, delta, initial, c_beta)


def layer_by_layer(run: arbitrary_layer.Run, deployer: Deployer, epsilon: float, delta: float,
                   initial: int | np.ndarray | None, c_beta: float,
                   explore: Callable[..., Found] = arbitrary_layer.explore_layer) -> Outcome:
    """One deployment per layer, each of what `explore` finds with the data of the layers before, and the plan."""
    known, size = run.known, deployer.batch_size
    start = first_states(known, initial)
    so_far = Gathered((), (), None, start, 0.0 if start is not None else size**-0.5)
    trace = []
    for layer in range(1, known.horizon + 1):
        first = so_far.start is None
        found = arbitrary_layer.explore_first_layer(run) if first else explore(run, so_far)
        if run.keep == "sums":
            batch = data = deployer.deploy_layer(found.policy, layer)
        else:
            batch = deployer.deploy(found.policy)
            data = batch.counts[layer - 1].astype(np.float64)
        so_far = so_far.and_layer(known.phi[layer - 1], data, batch.initial / size if first else so_far.start)
        uncertainty = min(arbitrary_layer.uncertainty(run, so_far), found.promise * size**-0.5)
        so_far = replace(so_far, uncertainty=so_far.uncertainty + uncertainty)
        trace.append(_record(layer, found, batch, size, uncertainty))
    beta = c_beta * planning_scale(known.dim, known.horizon, delta, size)
    dataset = _dataset(run, so_far, size, float(epsilon), float(delta), beta)
    plan = plan_truncated(known, list(so_far.designs), lambda h, norms: known.rewards[h], beta, "repaired")
    return Outcome(policy=np.stack([step.policy for step in plan]), deployments=len(trace),
                   trajectories=len(trace) * size, converged=all(record.finished for record in trace),
                   trace=tuple(trace), beta=beta, dataset=dataset)


def _dataset(run: arbitrary_layer.Run, gathered: Gathered, size: int, epsilon: float, delta: float,
             beta: float) -> LayerDataset:
    horizon = run.known.horizon
    if run.keep == "sums":
        data = np.stack([layer.visits.astype(np.float64) for layer in gathered.layers])
        kind = partial(LayerMoments, moments=np.stack([layer.moments for layer in gathered.layers]))
    else:
        data, kind = np.stack(gathered.layers), LayerDataset
    return kind(run.known, data, horizon, size, epsilon, delta, run.beta_prime, beta,
                tuple((h, data[:h]) for h in range(1, horizon + 1)), gathered.start)


def _record(layer: int, found: Found, batch: Batch | LayerSums, size: int, uncertainty: float) -> LayerRecord:
    held = size <= EXACT_DOUBLES  # whether float64 holds every count
    return LayerRecord(
        deployment=layer, layer=layer, iterations=found.iterations, statistic=found.statistic,
        threshold=found.threshold, finished=found.finished, n_policies=found.n_policies, n_distinct=found.n_distinct,
        uncertainty=uncertainty, matrix_error=found.matrix_error, cover=found.cover, policy=found.policy,
        exact=batch.exact and held, mode=batch.mode if held or not batch.exact else "rounded")


def _lower_bound(nu_min: float | None, version: str) -> float | None:
    """nu_min as given; None where the version does without."""
    if nu_min is None and version == "self-certifying":
        return None
    if nu_min is None:
        raise InvalidParameter(f"nu_min is missing; the version {version!r} needs it in (0, 1], a lower bound of the "
                               "reachability; the version 'self-certifying' needs none")
    return float(real(nu_min, "nu_min", low=LEAST_NU, high=1, error=InvalidParameter))  # |phi| <= 1


def first_states(known: KnownPart, initial: int | np.ndarray | None) -> np.ndarray | None:
    """The law of s_1 where it is known: as handed over, or because there is one state only."""
    if initial is None:
        return np.ones(1) if known.n_states == 1 else None
    if not as_array(initial, "initial", InvalidParameter).ndim:
        return np.eye(known.n_states)[whole(initial, "initial", 0, known.n_states - 1, InvalidParameter)]
    law = as_floats(initial, "initial", InvalidParameter)
    if law.shape != (known.n_states,) or not (law >= 0).all() or abs(law.sum() - 1) > 1e-9:
        raise InvalidParameter(f"initial has shape {law.shape} and sum {law.sum():.6g}; it must be a distribution over "
                               f"{known.n_states} states")
    return law
