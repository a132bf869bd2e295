r"""Qiao and Wang 2023: H deployments, one optimal design of policies per layer.

    layer h:  choose the mixture pi_h that makes max_q E_q phi^T (N Sigma(pi_h))^{-1} phi small, as estimated; deploy it
    plan:     least-squares value iteration without a bonus, on all layers of all trajectories

Expectations under a policy are estimated by evaluating it on the regressions of the layers before, the second moments
entry by entry, each clipped to [-1, 1]. (The clip depends on the basis; other methods here do not.)

Two versions. "enumeration" takes all deterministic policies, as the paper does in its tabular theorem; that is possible
on tiny instances only. "frank-wolfe" is a **reconstruction**: the same problem over all Markov policies by Frank-Wolfe
with a planning oracle and the Kiefer-Wolfowitz gap as a certificate (minimising the maximum means maximising log det,
to that gap), and greedy planning. Its policy class is larger than the paper's nets: the theorem does not cover it.
The constraint lambda_min >= C3 d^2 H e iota is not enforced but reported (`feasible`): at nominal constants it is not
met unless epsilon is tiny.

The paper fixes the first state. Here layer 1 deploys the design of `derl.algorithms.state_designs`, state by state, and
later layers use the first states that it saw.

Definition 2.1: satisfied; N is fixed beforehand, and there are H deployments of mixtures.

Source: Qiao and Wang (2023), Algorithms 1 to 3; `derl.theory.comparison.qiao_wang` for N. C1 = C2 = C3 = 1 are
nominal.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from derl.algorithms.baselines.frank_wolfe import frank_wolfe
from derl.algorithms.baselines.zhang import moment
from derl.algorithms.dataset import Regressions, best_response
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.state_designs import designed_start
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.design import fit
from derl.inputs import choice, display, real
from derl.inputs.threads import one_thread
from derl.mdp.policies import Mixture, compose
from derl.theory.comparison.qiao_wang import nominal

VERSIONS = ("frank-wolfe", "enumeration")
ENUMERABLE = 5000  # policies


@dataclass(frozen=True, eq=False, repr=False)
class Designed(display.Fields):
    """One deployment.

    Attributes
    ----------
    deployment, layer : int
        The same number, from 1.
    n_policies, n_distinct : int
        Members of the mixture.
    gap : float
        Kiefer and Wolfowitz: max_q tr(V^{-1} M(q)) minus its least possible value, as estimated.
    least_eigenvalue : float
        Of the estimated design.
    feasible : bool
        Whether it satisfies the paper's constraint at nominal constants.
    policy : Mixture or (H, S, A)
    """

    deployment: int
    layer: int
    n_policies: int
    n_distinct: int
    gap: float
    least_eigenvalue: float
    feasible: bool
    policy: object


def second_moment(known: KnownPart, designs, policy: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The estimated E phi phi^T of a policy (h, S) in layer h, (d, d), entries clipped to [-1, 1]."""
    states = np.arange(known.n_states)
    last = known.phi[len(policy) - 1][states, policy[-1]]
    value = last[:, :, None] * last[:, None, :]
    for t in reversed(range(len(policy) - 1)):
        move = known.phi[t][states, policy[t]] @ designs[t].operator
        value = np.clip(np.tensordot(move, value, axes=1), -1.0, 1.0)
    found = np.tensordot(start, value, axes=1)
    return (found + found.T) / 2


@one_thread
def qiao_wang_2023(deployer: Deployer, epsilon: float, delta: float, version: str = "frank-wolfe",
                   tolerance: float = 0.01) -> Outcome:
    """Explore every layer once by an optimal design of policies.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= H.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1); they enter through the constraint alone.
    version : {"frank-wolfe", "enumeration"}
        A reconstruction for all Markov policies, or all deterministic policies one by one.
    tolerance : float, > 0
        The design of a layer ends when its gap is at most d times this.

    Returns
    -------
    Outcome
        Its `dataset` is a `Regressions`, which plans for any theta (H, d); its `policy` is the plan for the rewards of
        the instance. `converged` says whether every design reached its gap.

    Raises
    ------
    InvalidParameter
        Also where there are more than 5000 policies to enumerate.
    """
    epsilon, delta = accuracy(epsilon, delta)
    choice(version, "version", VERSIONS, InvalidParameter)
    tolerance = real(tolerance, "tolerance", above=0, error=InvalidParameter)
    known, size = known_part(deployer), deployer.batch_size
    if deployer.max_deployments < known.horizon:
        raise InvalidParameter(f"max_deployments is {deployer.max_deployments}; there are {known.horizon} layers")
    wanted = nominal(known.dim, known.horizon, epsilon, delta).eigenvalue
    data = np.zeros((known.horizon, *known.phi.shape[1:3], known.n_states))
    designs, start, trace = (), None, []
    for h in range(known.horizon):
        if h == 0:
            policy, gap, members = designed_start(known), 0.0, 1
        else:
            found = _design(known, designs, start, h, size, version, tolerance)
            policy = Mixture(tuple(compose(known, member, h + 1, 0) for member in found.policies), found.weights)
            gap, members, matrix = found.gap, len(found.policies), found.matrix
        batch = deployer.deploy(policy)
        data += batch.counts
        if h == 0:
            start, matrix = batch.counts[0].sum(axis=(1, 2)) / size, moment(known.phi[0], batch.counts[0])
        least = float(np.linalg.eigvalsh(matrix)[0])
        trace.append(Designed(h + 1, h + 1, members, members, gap, least, least >= wanted, policy))
        designs = tuple(fit(known.phi[t], data[t]) for t in range(known.horizon))
    dataset = Regressions(known, data)
    return Outcome(policy=dataset.plan_rewards(known.rewards), deployments=known.horizon,
                   trajectories=known.horizon * size,
                   converged=all(record.gap <= tolerance * known.dim for record in trace), trace=tuple(trace), beta=0.0,
                   dataset=dataset)


def _design(known: KnownPart, designs, start: np.ndarray, h: int, size: int, version: str, tolerance: float):
    """The design of layer index h, with the I of the regression as its ridge."""
    def estimated(policy):
        return second_moment(known, designs, policy, start)

    if version == "enumeration":
        policies = enumerated(known, h + 1)
        moments = np.stack([estimated(policy) for policy in policies])

        def oracle(inverse):
            return policies[int(np.argmax(np.einsum("ij,mij->m", inverse, moments)))]
    else:
        def oracle(inverse):
            rewards = np.zeros((h + 1, known.n_states, known.n_actions))
            rewards[h] = np.einsum("sai,ij,saj->sa", known.phi[h], inverse, known.phi[h])
            return best_response(known, designs, rewards, rewards.max())

    return frank_wolfe(oracle, estimated, known.dim, tolerance, ridge=1 / size)


def enumerated(known: KnownPart, layers: int) -> list[np.ndarray]:
    """All deterministic policies (layers, S).

    Raises
    ------
    InvalidParameter
    """
    actions = [np.flatnonzero(row).tolist() for row in known.available[:layers].reshape(-1, known.n_actions)]
    number = float(np.prod([float(len(row)) for row in actions]))
    if number > ENUMERABLE:
        raise InvalidParameter(f"version is 'enumeration'; there are {number:.3g} policies of {layers} layers, at most "
                               f"{ENUMERABLE} are enumerated")
    return [np.array(row, np.intp).reshape(layers, known.n_states) for row in itertools.product(*actions)]
