r"""Algorithm 2: H deployments of mixtures of policies, one per layer, and a plan for every linear reward afterwards.

    for h = 1, ..., H:                                                              (layer_by_layer, lines 1 to 14)
        Pi_h = policies that together reach every direction of layer h              (explore_layer, lines 3 to 12)
        deploy the uniform mixture of the list Pi_h, N trajectories
        keep Sigma_h = I + sum phi_h phi_h^T and the transitions of layer h         (not those of the other layers)
    plan for any reward by optimistic value iteration on the H data sets            (Algorithm 4)

The search for Pi_h with Algorithm 5 is `derl.algorithms.policy_cover`, Algorithm 6 is `derl.estimation.covariance`.
Here are the loop over the layers, the stopping rules of the versions, and the record of a run.

Versions:

    "as-printed"         the loop of the pseudocode, see `derl.algorithms.policy_cover` for the steps at which its
                         proof breaks, and values clipped from above only
    "repaired"           the same with these steps put right
    "relative"           the same algorithm as "repaired"; its constants come from a better proof
    "squared"            phi^T Sigma^{-1} phi as the reward of SolveOptQ
    "spectral"           also evaluates covariances linearly
    "self-certifying"    stops when the least eigenvalue of Sigma~ - 2 I reaches 2, without nu_min

What "as-printed" does not copy: eigenvalues of Sigma~ below 1, which only too few data can produce, are raised to 1;
at most 100 000 iterations are made; no grid (see `derl.algorithms.policy_cover`); an unknown first state is explored by
designs, as below; and the final plan is that of the repaired Algorithm 4.

The first state: where its distribution is not handed over (`initial`), the first layer is explored by a
design in every state, which needs neither nu_1 nor the law of s_1, and the first states of that deployment
serve the layers after it (`derl.algorithms.state_designs`). So H deployments suffice for a random first state
too.

Source: Algorithm 2 (`alg:DERL_with_arbitrary_policies`), Theorem 4.4, Theorem E.9; constants in
`derl.theory.arbitrary.constants`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from derl.algorithms.gathering import KEEPS
from derl.algorithms.layerwise import plan_truncated
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy, first_states
from derl.algorithms.policy_cover import OUT_OF_REACH, PolicyCover, Problem, find_cover, prepare, solve_optq
from derl.algorithms.reward_free import Dataset, Planned, reward_free_planning
from derl.algorithms.state_designs import state_designs
from derl.deployment.counts import Batch
from derl.deployment.layer_sums import LayerSums
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.covariance import clip_free, estimate_covariance
from derl.estimation.design import Design, fit, fit_sums
from derl.inputs import Invalid, choice, display, real, whole
from derl.inputs.threads import one_thread
from derl.mdp import policies
from derl.mdp.policies import Mixture
from derl.theory.arbitrary.constants import DESIGN, LEAST_NU, iteration_bound, planning_scale, regression_scale
from derl.theory.arbitrary.rules import ARBITRARY_VERSIONS, EIGENVALUE, VersionRule, rule_of

EXACT_DOUBLES = 1 << 53
MOST_ITERATIONS = 100_000
RANK = 1e-9  # relative; directions below are taken to be outside the span


class UndefinedStep(Invalid, RuntimeError):
    """A step of the printed algorithm is not defined."""


@dataclass(frozen=True, eq=False)
class Parameters:
    """What stays the same in a run.

    Attributes
    ----------
    batch_size : int
        N.
    nu : float or None
        nu_min, or a lower bound of it; None for the version that certifies itself.
    i_max : int or None
        In place of the theorem's.
    keep : {"transitions", "sums"}
        What is kept of a deployment's layer.
    """

    known: KnownPart
    batch_size: int
    version: str
    nu: float | None
    beta_prime: float
    i_max: int | None
    tail: int
    keep: str = "transitions"

    @property
    def rule(self) -> VersionRule:
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
        """What SolveOptQ needs for the layer after the designs."""
        layer = len(designs) + 1
        return prepare(self.known.phi[:layer], designs, self.beta_prime, start, self.known.available[:layer],
                       self.version)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LayerRecord(display.Fields):
    """One deployment as the algorithm saw it; before it, what is known of it by then.

    Attributes
    ----------
    deployment, layer : int
        Both h, from 1.
    iterations : int
        i when the loop ended; 0 where the layer was explored by designs.
    statistic, threshold : float
        What the stopping rule compared: V and t nu_min^2; for "self-certifying" the least eigenvalue of
        Sigma~ - 2 I on the span of the features that the data have seen, and 2; for designs the excess of the
        criterion, and 1.1.
    finished : bool
        Whether the rule was met; for "self-certifying" also whether `matrix_error` is at most 1/4.
    n_policies, n_distinct : int
        Length of the list Pi_h, and how many different policies it holds.
    uncertainty : float
        What the algorithm knows about max_pi E_pi |phi_h|_{Sigma_h^{-1}} after the deployment: the optimistic
        value of that reward, or the largest norm of a feature, or what the search promised beforehand, whichever is
        smallest. It is an upper bound on the event of the analysis.
    matrix_error : float
        What it knows about |Sigma~ - Sigma|: i beta' times the uncertainties of the layers before h (times 2d
        where entries are bounded, not the operator norm). 0 in the first layer.
    cover : PolicyCover or None
        Pi_h with its estimated covariances.
    policy : Mixture or (H, S, A)
        What was deployed.
    exact, mode : bool, str
        Whether counts were drawn and kept exactly, and how they were drawn: "exact", "gaussian", "expected",
        or "rounded": drawn exactly but kept in float64, which rounds beyond 2^53.
    """

    deployment: int
    layer: int
    iterations: int = 0
    statistic: float
    threshold: float
    finished: bool
    n_policies: int = 1
    n_distinct: int = 1
    uncertainty: float = np.inf
    matrix_error: float = 0.0
    cover: PolicyCover | None = None
    policy: Any
    exact: bool = True
    mode: str = "exact"


@dataclass(frozen=True, eq=False, repr=False)
class LayerDataset(Dataset):
    """What Algorithm 2 hands over to planning: as `Dataset`, with the transitions of layer h from deployment h alone.

    It grows by one layer with every deployment. `beta` is the beta' of exploration, `scale` the beta of planning;
    `until(h)` is what was known after h deployments.

    Attributes
    ----------
    counts : (h, S, A, S) or (h, S, A)
        Transitions, or where sums are kept the visits n_h(s, a).
    moments : (h, d, S) or None
        sum_{s,a} phi_h(s, a) n_h(s, a, s') where sums are kept.
    designs : tuple of Design
        The regressions of the layers.
    initial : (S,) or None
        Distribution of the first state, as known or as estimated; None before it is.
    arrivals : (S,) or None
        How many came to each state of the layer behind the last one; None before the first deployment.
    """

    moments: np.ndarray | None = None
    designs: tuple[Design, ...] = ()
    initial: np.ndarray | None = None
    arrivals: np.ndarray | None = None

    def design(self, index: int) -> Design:
        """The regression of the layer with this index, from 0."""
        return self.designs[index]

    def until(self, layer: int) -> LayerDataset:
        """What had been collected after `layer` deployments, one for each of the layers 1..`layer`.

        Raises
        ------
        InvalidParameter
            The run has no such layer.
        """
        layer = whole(layer, "layer", 1, self.layers, InvalidParameter)
        moments = None if self.moments is None else self.moments[:layer]
        return replace(self, counts=self.counts[:layer], moments=moments, designs=self.designs[:layer],
                       deployments=layer)

    def and_layer(self, batch: Batch | LayerSums) -> LayerDataset:
        """With the next layer of a deployment; the first one also says where trajectories start."""
        phi, moments = self.known.phi[self.layers], self.moments
        if isinstance(batch, LayerSums):
            design, data, arrivals = fit_sums(phi, batch.visits, batch.moments), batch.visits, batch.arrivals
            moments = np.concatenate([moments, batch.moments[None]])
        else:
            data = batch.counts[self.layers].astype(np.float64)
            design, arrivals = fit(phi, data), data.sum(axis=(0, 1))
        start = batch.initial / self.batch_size if self.initial is None else self.initial
        return replace(self, counts=np.concatenate([self.counts, data[None]]), moments=moments,
                       designs=(*self.designs, design), deployments=self.deployments + 1, initial=start,
                       arrivals=arrivals)


def nothing_yet(parameters: Parameters, epsilon: float, delta: float, scale: float, initial: np.ndarray | None
                ) -> LayerDataset:
    """The data before the first deployment."""
    known, sums = parameters.known, parameters.keep == "sums"
    shape = (0, known.n_states, known.n_actions)
    return LayerDataset(known, np.zeros(shape if sums else (*shape, known.n_states)), 0, parameters.batch_size,
                        float(epsilon), float(delta), parameters.beta_prime, scale,
                        moments=np.zeros((0, known.dim, known.n_states)) if sums else None, initial=initial)


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
    parameters = Parameters(known, size, version, _lower_bound(nu_min, version), c_beta * regression_scale(
        version, known.dim, known.horizon, delta, size), i_max, tail, keep)
    return layer_by_layer(parameters, deployer, epsilon, delta, initial, c_beta)


def layer_by_layer(parameters: Parameters, deployer: Deployer, epsilon: float, delta: float,
                   initial: int | np.ndarray | None, c_beta: float,
                   explore: Callable[[Parameters, LayerDataset, float], LayerRecord] | None = None) -> Outcome:
    """One deployment per layer, each of what `explore` finds with the data of the layers before, and the plan.

    Parameters
    ----------
    explore : callable or None
        Arguments and record as of `explore_layer`, which is the default.
    """
    known, size, explore = parameters.known, parameters.batch_size, explore or explore_layer
    beta = c_beta * planning_scale(known.dim, known.horizon, delta, size)
    data, trace = nothing_yet(parameters, epsilon, delta, beta, first_states(known, initial)), []
    gathered = 0.0 if data.initial is not None else size**-0.5  # the uncertainty of the layers so far, and of s_1
    for layer in range(1, known.horizon + 1):
        found = explore_first_layer(parameters) if data.initial is None else explore(parameters, data, gathered)
        if parameters.keep == "sums":
            batch = deployer.deploy_layer(found.policy, layer)
        else:
            batch = deployer.deploy(found.policy)
        data = data.and_layer(batch)
        uncertainty = min(known_uncertainty(parameters, data), found.uncertainty)
        gathered += uncertainty
        held = size <= EXACT_DOUBLES  # whether float64 holds every count
        trace.append(replace(found, uncertainty=uncertainty, exact=batch.exact and held,
                             mode=batch.mode if held or not batch.exact else "rounded"))
    plan = plan_truncated(known, list(data.designs), lambda h, norms: known.rewards[h], beta, "repaired")
    return Outcome(policy=np.stack([step.policy for step in plan]), deployments=len(trace),
                   trajectories=len(trace) * size, converged=all(record.finished for record in trace),
                   trace=tuple(trace), beta=beta, dataset=data)


def explore_layer(parameters: Parameters, data: LayerDataset, gathered: float,
                  search: Callable[..., PolicyCover] = find_cover,
                  promise: Callable[[PolicyCover], float] = lambda cover: np.inf) -> LayerRecord:
    """Pi_h for the layer after the data, and when its search ends: lines 3 to 12 of Algorithm 2.

    Parameters
    ----------
    gathered : float
        Sum over the layers before of what the algorithm knows about max_pi E_pi |phi|, and the error of the law of s_1.
    search : callable
        Arguments as `find_cover`.
    promise : callable
        PolicyCover -> a bound of max_pi E_pi |phi| sqrt N after the deployment, where that is known before it.

    Raises
    ------
    UndefinedStep
        "as-printed": Pi_h is empty.
    """
    known, rule, layer = parameters.known, parameters.rule, data.layers + 1
    phi = known.phi[:layer]
    if rule.threshold is not None:
        threshold = float(rule.threshold) * parameters.nu**2

        def statistic(value: float, matrix: np.ndarray) -> float:
            return value

        def stop(value: float, matrix: np.ndarray) -> bool:
            return value <= threshold
    else:  # without nu_min
        threshold, basis = EIGENVALUE, _seen_span(phi[-1], data.initial if data.arrivals is None else data.arrivals)

        def statistic(value: float, matrix: np.ndarray) -> float:
            return _least(matrix, basis)

        def stop(value: float, matrix: np.ndarray) -> bool:
            return _least(matrix, basis) >= threshold

    # whether a clip can be active is the same question for every policy
    way = "forward" if parameters.evaluation == "linear" or clip_free(phi, data.designs) else "backward"

    def estimate(policy: np.ndarray) -> np.ndarray:
        return estimate_covariance(phi, data.designs, policy, data.initial, parameters.evaluation, way)

    per_policy = _covariance_error(parameters, gathered)
    cover = search(parameters.problem(data.designs, data.initial), estimate, stop, limit=_limit(parameters, per_policy),
                   reward=rule.reward, printed=parameters.printed,
                   threshold=np.inf if rule.threshold is None else threshold)
    last = float(statistic(cover.values[-1], cover.matrix))
    if not len(cover.counts):
        raise UndefinedStep(f"layer {layer}: the printed loop breaks at i = 1, so Pi_h is empty and unif(Pi_h) is "
                            f"not defined (V = {last:.6g}, threshold {threshold:.6g}, nu_min = {parameters.nu:g})")
    error = cover.iterations * per_policy
    # without nu_min nothing but the data can vouch for the estimated matrix
    trusted = rule.threshold is not None or error <= 2 * rule.rho
    members = tuple(policies.compose(known, head, layer, parameters.tail) for head in cover.policies)
    return LayerRecord(
        deployment=layer, layer=layer, policy=Mixture(members, cover.counts / cover.counts.sum()), statistic=last,
        threshold=threshold, finished=cover.stopped and trusted, iterations=cover.iterations,
        n_policies=int(cover.counts.sum()), n_distinct=len(cover.counts), matrix_error=error, cover=cover,
        uncertainty=promise(cover) * parameters.batch_size**-0.5)


def explore_first_layer(parameters: Parameters) -> LayerRecord:
    """Designs in every state, for a first layer whose first state is not known; see `derl.algorithms.state_designs`."""
    known = parameters.known
    weights, excess = state_designs(known.phi[0], known.available[0])
    tail = policies.compose(known, weights[None], 0, parameters.tail)
    policy = (tail[..., None] == np.arange(known.n_actions)).astype(np.float64)
    policy[0] = weights
    return LayerRecord(deployment=1, layer=1, policy=policy, statistic=excess, threshold=float(DESIGN),
                       finished=excess <= DESIGN)


def known_uncertainty(parameters: Parameters, data: LayerDataset) -> float:
    """Optimistic value of |phi|_{Sigma^{-1}} in the last layer of the data, or its largest value."""
    norms = data.designs[-1].norms(parameters.known.phi[data.layers - 1]).ravel()  # 0 where not available
    value, _ = solve_optq(parameters.problem(data.designs[:-1], data.initial), norms)
    return min(value, float(norms.max()))


def _covariance_error(parameters: Parameters, gathered: float) -> float:
    """What is known about the error of one estimated covariance."""
    return parameters.beta_prime * gathered * (1 if parameters.rule.linear else 2 * parameters.known.dim)


def _limit(parameters: Parameters, per_policy: float) -> int:
    """i_max: as given, or the theorem's, as far as it is feasible and of use."""
    if parameters.i_max:
        return parameters.i_max
    limit = MOST_ITERATIONS
    if parameters.nu is not None:
        limit = min(iteration_bound(parameters.version, parameters.known.dim, parameters.nu), MOST_ITERATIONS)
    if parameters.rule.threshold is None and per_policy > 0:  # a longer list could not vouch for itself
        limit = min(limit, max(OUT_OF_REACH, int(2 * parameters.rule.rho / per_policy)))
    return limit


def _seen_span(phi: np.ndarray, arrivals: np.ndarray) -> np.ndarray:
    """Orthonormal basis (d, r) of the features at states that somebody arrived at."""
    features = phi[arrivals > 0].reshape(-1, phi.shape[-1])
    _, sizes, rows = np.linalg.svd(features, full_matrices=False)
    return rows[sizes > RANK * sizes[0]].T


def _least(matrix: np.ndarray, basis: np.ndarray) -> float:
    """Smallest eigenvalue of Sigma~ - 2 I on a subspace."""
    return float(np.linalg.eigvalsh(basis.T @ matrix @ basis)[0]) - 2


def _lower_bound(nu_min: float | None, version: str) -> float | None:
    """nu_min as given; None where the version does without."""
    if nu_min is None and version == "self-certifying":
        return None
    if nu_min is None:
        raise InvalidParameter(f"nu_min is missing; the version {version!r} needs it in (0, 1], a lower bound of the "
                               "reachability; the version 'self-certifying' needs none")
    return float(real(nu_min, "nu_min", low=LEAST_NU, high=1, error=InvalidParameter))  # |phi| <= 1


def arbitrary_policy_planning(dataset: LayerDataset, theta: np.ndarray, horizon: int | None = None) -> Planned:
    """Plan for a linear reward with the data of Algorithm 2.

    Parameters
    ----------
    dataset : LayerDataset
    theta : (H, d)
        Rewards phi_h(s, a)^T theta_h in [0, 1].
    horizon : int or None
        Plan for the MDP truncated there, with the deployments 1..horizon only; by default for the whole.

    Raises
    ------
    InvalidParameter

    Notes
    -----
    Source: the last line of Algorithm 2, which is Algorithm 4; here with the bonus uncapped inside Q.
    """
    return reward_free_planning(dataset if horizon is None else dataset.until(horizon), theta)
