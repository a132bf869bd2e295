r"""One layer of Algorithm 2: the mixture Pi_h, when its search stops, and what is known about it.

The search itself is `derl.algorithms.policy_cover`; here stand the stopping rules of the versions and the limits that
keep a search finite.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from derl.algorithms.arbitrary_outcome import UndefinedStep
from derl.algorithms.first_layer import state_designs
from derl.algorithms.policy_cover import OUT_OF_REACH, Cover, find_cover
from derl.algorithms.solve_optq import Problem, prepare, solve_optq
from derl.deployment.layer_sums import LayerSums
from derl.deployment.protocol import KnownPart
from derl.estimation.covariance import clip_free, estimate_covariance
from derl.estimation.design import Design, fit, fit_sums
from derl.mdp import policies
from derl.mdp.policies import Mixture
from derl.theory.arbitrary.constants import DESIGN, iteration_bound
from derl.theory.arbitrary.rules import EIGENVALUE, Rule, rule_of

MOST_ITERATIONS = 100_000
RANK = 1e-9  # relative; directions below are taken to be outside the span


@dataclass(frozen=True, eq=False)
class Run:
    """What stays the same in a run.

    Attributes
    ----------
    nu : float or None
        nu_min, or a lower bound of it; None for the version that certifies itself.
    i_max : int or None
        In place of the theorem's.
    keep : {"transitions", "sums"}
        What is kept of a deployment's layer.
    """

    known: KnownPart
    version: str
    nu: float | None
    beta_prime: float
    i_max: int | None
    tail: int
    keep: str = "transitions"

    @property
    def rule(self) -> Rule:
        """How the version measures, stops and is analysed."""
        return rule_of(self.version)

    @property
    def printed(self) -> bool:
        """Whether the loop is that of the pseudocode."""
        return self.version == "as-printed"

    @property
    def evaluation(self) -> str:
        """The version of EstimateCovMatrix."""
        return "linear" if self.rule.linear else "as-printed" if self.printed else "repaired"

    def problem(self, designs: tuple[Design, ...], start: np.ndarray) -> Problem:
        """What SolveOptQ needs for the layer behind the designs."""
        layer = len(designs) + 1
        return prepare(self.known.phi[:layer], designs, self.beta_prime, start, self.known.available[:layer],
                       self.version)


@dataclass(frozen=True, eq=False)
class Gathered:
    """What the deployments so far have left.

    Attributes
    ----------
    layers : tuple of (S, A, S), or of LayerSums
        Transitions of layer t from deployment t, or their sums.
    designs : tuple of Design
        Their regressions.
    arrivals : (S,) or None
        How many came to each state of the layer to be explored; None for the first one.
    start : (S,) or None
        Law of the first state: as handed over, as estimated, or not known yet.
    uncertainty : float
        Sum over the layers of what the algorithm knows about max_pi E_pi |phi|, and the error of `start`.
    """

    layers: tuple[np.ndarray | LayerSums, ...]
    designs: tuple[Design, ...]
    arrivals: np.ndarray | None
    start: np.ndarray | None
    uncertainty: float

    def and_layer(self, phi: np.ndarray, found: np.ndarray | LayerSums, start: np.ndarray) -> Gathered:
        """One more layer, its uncertainty not yet counted."""
        if isinstance(found, LayerSums):
            design, arrivals = fit_sums(phi, found.visits, found.moments), found.arrivals
        else:
            design, arrivals = fit(phi, found), found.sum(axis=(0, 1))
        return Gathered((*self.layers, found), (*self.designs, design), arrivals, start, self.uncertainty)


@dataclass(frozen=True, eq=False)
class Found:
    """The policy to deploy for a layer, and how it was found; attributes as in `LayerRecord`.

    `promise` bounds max_pi E_pi |phi| sqrt N after the deployment, where that is known before it.
    """

    policy: Mixture | np.ndarray
    statistic: float
    threshold: float
    finished: bool
    iterations: int = 0
    n_policies: int = 1
    n_distinct: int = 1
    matrix_error: float = 0.0
    cover: Cover | None = None
    promise: float = np.inf


@dataclass(frozen=True)
class Stop:
    """When the search of a layer ends: `statistic(V, Sigma~)` at most the threshold, or at least where it `rises`."""

    statistic: Callable[[float, np.ndarray], float]
    threshold: float
    rises: bool

    def __call__(self, value: float, matrix: np.ndarray) -> bool:
        found = self.statistic(value, matrix)
        return found >= self.threshold if self.rises else found <= self.threshold


def explore_layer(run: Run, before: Gathered, search: Callable[..., Cover] = find_cover,
                  promise: Callable[[Cover], float] = lambda cover: np.inf) -> Found:
    """Pi_h for the layer behind the gathered ones: lines 3 to 12 of Algorithm 2.

    Parameters
    ----------
    search : callable
        Arguments as `find_cover`.
    promise : callable
        See `Found`.

    Raises
    ------
    UndefinedStep
        "as-printed": Pi_h is empty.
    """
    layer, per_policy = len(before.designs) + 1, _covariance_error(run, before.uncertainty)
    stop = _stop(run, before)
    phi = run.known.phi[:layer]
    # whether a clip can be active is the same question for every policy
    way = "forward" if run.evaluation == "linear" or clip_free(phi, before.designs) else "backward"

    def estimate(policy: np.ndarray) -> np.ndarray:
        return estimate_covariance(phi, before.designs, policy, before.start, run.evaluation, way)

    cover = search(run.problem(before.designs, before.start), estimate, stop, limit=_limit(run, per_policy),
                   reward=run.rule.reward, printed=run.printed,
                   threshold=np.inf if stop.rises else stop.threshold)
    statistic = float(stop.statistic(cover.values[-1], cover.matrix))
    if not len(cover.counts):
        raise UndefinedStep(f"layer {layer}: the printed loop breaks at i = 1, so Pi_h is empty and unif(Pi_h) is "
                            f"not defined (V = {statistic:.6g}, threshold {stop.threshold:.6g}, nu_min = {run.nu:g})")
    error = cover.iterations * per_policy
    # without nu_min nothing but the data can vouch for the estimated matrix
    trusted = run.rule.threshold is not None or error <= 2 * run.rule.rho
    members = tuple(policies.compose(run.known, head, layer, run.tail) for head in cover.policies)
    return Found(Mixture(members, cover.counts / cover.counts.sum()), statistic, stop.threshold,
                 cover.stopped and trusted, iterations=cover.iterations, n_policies=int(cover.counts.sum()),
                 n_distinct=len(cover.counts), matrix_error=error, cover=cover, promise=promise(cover))


def explore_first_layer(run: Run) -> Found:
    """Designs in every state, for a first layer whose first state is not known; see `derl.algorithms.first_layer`."""
    weights, excess = state_designs(run.known.phi[0], run.known.available[0])
    tail = policies.compose(run.known, weights[None], 0, run.tail)
    policy = (tail[..., None] == np.arange(run.known.n_actions)).astype(np.float64)
    policy[0] = weights
    return Found(policy, excess, float(DESIGN), excess <= DESIGN)


def uncertainty(run: Run, after: Gathered) -> float:
    """Optimistic value of |phi|_{Sigma^{-1}} in the layer of the last design, or its largest value."""
    norms = after.designs[-1].norms(run.known.phi[len(after.designs) - 1]).ravel()  # 0 where not available
    return min(solve_optq(run.problem(after.designs[:-1], after.start), norms).value, float(norms.max()))


def _stop(run: Run, before: Gathered) -> Stop:
    if run.rule.threshold is not None:
        return Stop(lambda value, matrix: value, float(run.rule.threshold) * run.nu**2, rises=False)
    arrivals = before.start if before.arrivals is None else before.arrivals
    basis = _seen_span(run.known.phi[len(before.designs)], arrivals)
    return Stop(lambda value, matrix: _least(matrix, basis), EIGENVALUE, rises=True)


def _covariance_error(run: Run, gathered: float) -> float:
    """What is known about the error of one estimated covariance."""
    return run.beta_prime * gathered * (1 if run.rule.linear else 2 * run.known.dim)


def _limit(run: Run, per_policy: float) -> int:
    """i_max: as given, or the theorem's, as far as it is feasible and of use."""
    if run.i_max:
        return run.i_max
    limit = MOST_ITERATIONS if run.nu is None else min(iteration_bound(run.version, run.known.dim, run.nu),
                                                       MOST_ITERATIONS)
    if run.rule.threshold is None and per_policy > 0:  # a longer list could not vouch for itself
        limit = min(limit, max(OUT_OF_REACH, int(2 * run.rule.rho / per_policy)))
    return limit


def _seen_span(phi: np.ndarray, arrivals: np.ndarray) -> np.ndarray:
    """Orthonormal basis (d, r) of the features at states that somebody arrived at."""
    features = phi[arrivals > 0].reshape(-1, phi.shape[-1])
    _, sizes, rows = np.linalg.svd(features, full_matrices=False)
    return rows[sizes > RANK * sizes[0]].T


def _least(matrix: np.ndarray, basis: np.ndarray) -> float:
    """Smallest eigenvalue of Sigma~ - 2 I on a subspace."""
    return float(np.linalg.eigvalsh(basis.T @ matrix @ basis)[0]) - 2
