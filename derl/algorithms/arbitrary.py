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
`derl.theory.constants_arbitrary`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from derl.algorithms.arbitrary_outcome import LayerDataset, LayerRecord, UndefinedStep, arbitrary_policy_planning
from derl.algorithms.first_layer import state_designs
from derl.algorithms.layerwise import plan_truncated
from derl.algorithms.outcome import InvalidParameter, Outcome, require_accuracy, require_choice, require_positive
from derl.algorithms.policy_cover import OUT_OF_REACH, find_cover
from derl.algorithms.solve_optq import prepare, solve_optq
from derl.deployment.protocol import Deployer, KnownPart
from derl.estimation.covariance import estimate_covariance
from derl.estimation.design import Design, fit
from derl.mdp import policies
from derl.mdp.policies import Mixture
from derl.theory.arbitrary_rules import ARBITRARY_VERSIONS, EIGENVALUE, rule_of
from derl.theory.constants_arbitrary import DESIGN, iteration_bound, planning_scale, regression_scale

__all__ = ["LayerDataset", "LayerRecord", "UndefinedStep", "arbitrary_policy_exploration", "arbitrary_policy_planning"]

MOST_ITERATIONS = 100_000
EXACT_DOUBLES = 1 << 53
RANK = 1e-9  # relative; directions below are taken to be outside the span


@threadpool_limits.wrap(limits=1)  # many small matrices: threads cost ten times what they bring
def arbitrary_policy_exploration(deployer: Deployer, epsilon: float, delta: float, nu_min: float | None = None,
                                 version: str = "repaired", initial: int | np.ndarray | None = None,
                                 c_beta: float = 1.0, i_max: int | None = None, tail: int = 0) -> Outcome:
    """Explore every layer with one deployment; plan for the instance's own reward.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= H. The theorem's N is that of
        `theory.constants_arbitrary.arbitrary_constants`; beyond 2^63 - 1 the deployer needs mode="gaussian",
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
    """
    require_accuracy(epsilon, delta)
    require_choice(version, ARBITRARY_VERSIONS, "version")
    require_positive(c_beta, "c_beta")
    if i_max is not None and (isinstance(i_max, bool) or not isinstance(i_max, int | np.integer) or i_max < 1):
        raise InvalidParameter(f"i_max is {i_max!r}; it must be a whole number >= 1, or None")
    known = deployer.known
    run = _Run(known, version, _checked_nu(nu_min, version),
               c_beta * regression_scale(version, known.dim, known.horizon, delta, deployer.batch_size), i_max, tail)
    start = _first_states(known, initial)
    gathered = 0.0 if start is not None else deployer.batch_size**-0.5  # uncertainty of the layers so far
    designs: list[Design] = []
    counts, trace = [], []
    held = deployer.batch_size <= EXACT_DOUBLES  # whether float64 holds every count
    for layer in range(1, known.horizon + 1):
        if start is None:
            policy, record = run.explore_first_layer()
        else:
            policy, record = run.explore(layer, designs, start, counts[-1] if counts else None, gathered)
        batch = deployer.deploy(policy)
        counts.append(batch.counts[layer - 1].astype(np.float64))
        if start is None:
            start = batch.initial / deployer.batch_size
        designs.append(fit(known.phi[layer - 1], counts[-1]))
        trace.append(LayerRecord(
            deployment=layer, layer=layer, policy=policy, exact=batch.exact and held,
            mode=batch.mode if held or not batch.exact else "rounded", **record,
            uncertainty=run.uncertainty(designs, start)))
        gathered += trace[-1].uncertainty
    beta = c_beta * planning_scale(known.dim, known.horizon, delta, deployer.batch_size)
    data = np.stack(counts)
    dataset = LayerDataset(known, data, len(trace), deployer.batch_size, float(epsilon), float(delta), run.beta_prime,
                           beta, tuple((h, data[:h]) for h in range(1, known.horizon + 1)), start)
    plan = plan_truncated(known, designs, lambda h, norms: known.rewards[h], beta, "repaired")
    return Outcome(policy=np.stack([step.policy for step in plan]), deployments=len(trace),
                   trajectories=len(trace) * deployer.batch_size, converged=all(record.finished for record in trace),
                   trace=tuple(trace), beta=beta, dataset=dataset)


@dataclass(frozen=True)
class _Run:
    """The parameters of a run and the exploration of one layer."""

    known: KnownPart
    version: str
    nu: float | None
    beta_prime: float
    i_max: int | None
    tail: int

    def explore(self, layer: int, designs: list[Design], start: np.ndarray, before: np.ndarray | None, gathered: float):
        """The mixture for a layer (from 1), and the record of how it was found."""
        known, rule, printed = self.known, rule_of(self.version), self.version == "as-printed"
        phi = known.phi[:layer]
        problem = prepare(phi, designs, self.beta_prime, start, _available(known, layer), self.version)
        kind = "linear" if rule.linear else "as-printed" if printed else "repaired"
        limit = min(iteration_bound(self.version, known.dim, self.nu), MOST_ITERATIONS) if self.nu else MOST_ITERATIONS
        per_policy = self.beta_prime * gathered * (1 if rule.linear else 2 * known.dim)  # error of one covariance
        if rule.threshold is None and per_policy > 0:  # a longer list could not vouch for itself
            limit = min(limit, max(OUT_OF_REACH, int(2 * rule.rho / per_policy)))
        options = {"limit": self.i_max or limit, "reward": rule.reward, "printed": printed}
        estimate = partial(_estimate, phi, designs, start, kind)
        if rule.threshold is None:
            basis = _seen_span(known.phi[layer - 1], start if before is None else before.sum(axis=(0, 1)))
            cover = find_cover(problem, estimate, lambda value, matrix: _least(matrix, basis) >= EIGENVALUE, **options)
            statistic, threshold = _least(cover.matrix, basis), EIGENVALUE
        else:
            threshold = float(rule.threshold) * self.nu**2
            cover = find_cover(problem, estimate, lambda value, matrix: value <= threshold, threshold=threshold,
                               **options)
            statistic = float(cover.values[-1])
        if not len(cover.counts):
            raise UndefinedStep(f"layer {layer}: the printed loop breaks at i = 1, so Pi_h is empty and unif(Pi_h) is "
                                f"not defined (V = {statistic:.6g}, threshold {threshold:.6g}, nu_min = {self.nu:g})")
        error = cover.iterations * per_policy
        # without nu_min nothing but the data can vouch for the estimated matrix
        finished = cover.stopped and (rule.threshold is not None or error <= 2 * rule.rho)
        members = tuple(policies.compose(known, head, layer, self.tail) for head in cover.policies)
        return Mixture(members, cover.counts / cover.counts.sum()), {
            "iterations": cover.iterations, "statistic": statistic, "threshold": threshold, "finished": finished,
            "n_policies": int(cover.counts.sum()), "n_distinct": len(cover.counts), "matrix_error": error,
            "cover": cover}

    def explore_first_layer(self):
        """Designs in every state; see `derl.algorithms.first_layer`."""
        known = self.known
        available = None if known.available is None else known.available[0]
        weights, excess = state_designs(known.phi[0], available)
        tail = policies.compose(known, weights[None], 0, self.tail)
        actions = np.arange(known.n_actions)
        policy = (tail[..., None] == actions).astype(np.float64)
        policy[0] = weights
        return policy, {"iterations": 0, "statistic": excess, "threshold": float(DESIGN), "finished": excess <= DESIGN,
                        "n_policies": 1, "n_distinct": 1, "matrix_error": 0.0, "cover": None}

    def uncertainty(self, designs: list[Design], start: np.ndarray) -> float:
        """Optimistic value of |phi|_{Sigma^{-1}} in the layer of the last design, or its largest value."""
        layer = len(designs)
        phi = self.known.phi[:layer]
        problem = prepare(phi, designs[:-1], self.beta_prime, start, _available(self.known, layer), self.version)
        norms = designs[-1].norms(phi[-1]).ravel()  # 0 where an action is not available
        return min(solve_optq(problem, norms).value, float(norms.max()))


def _estimate(phi, designs, start, kind, policy):
    return estimate_covariance(phi, designs, policy, start, kind)


def _available(known: KnownPart, layer: int) -> np.ndarray | None:
    return None if known.available is None else known.available[:layer]


def _seen_span(phi: np.ndarray, arrivals: np.ndarray) -> np.ndarray:
    """Orthonormal basis (d, r) of the features at states that somebody arrived at."""
    features = phi[arrivals > 0].reshape(-1, phi.shape[-1])
    _, sizes, rows = np.linalg.svd(features, full_matrices=False)
    return rows[sizes > RANK * sizes[0]].T


def _least(matrix: np.ndarray, basis: np.ndarray) -> float:
    """Smallest eigenvalue of Sigma~ - 2 I on a subspace."""
    return float(np.linalg.eigvalsh(basis.T @ matrix @ basis)[0]) - 2


def _checked_nu(nu_min, version: str) -> float | None:
    if nu_min is None and version == "self-certifying":
        return None
    if nu_min is None:
        raise InvalidParameter(f"nu_min is missing; the version {version!r} needs a lower bound of the reachability")
    require_positive(nu_min, "nu_min")
    if nu_min > 1:
        raise InvalidParameter(f"nu_min is {nu_min!r}; it must lie in (0, 1], because |phi| <= 1")
    return float(nu_min)


def _first_states(known: KnownPart, initial) -> np.ndarray | None:
    """The law of s_1 where it is known: as handed over, or because there is one state only."""
    if initial is None:
        return np.ones(1) if known.n_states == 1 else None
    if np.ndim(initial) == 0:
        if isinstance(initial, bool) or not isinstance(initial, int | np.integer) or not 0 <= initial < known.n_states:
            raise InvalidParameter(f"initial is {initial!r}; it must be a state 0..{known.n_states - 1}, or a "
                                   "distribution")
        return np.eye(known.n_states)[initial]
    law = np.asarray(initial, np.float64)
    if law.shape != (known.n_states,) or not (law >= 0).all() or abs(law.sum() - 1) > 1e-9:
        raise InvalidParameter(f"initial has shape {law.shape} and sum {law.sum():.6g}; it must be a distribution over "
                               f"{known.n_states} states")
    return law
