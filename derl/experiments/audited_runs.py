r"""Runs of Algorithm 2 at the theorem's own constants, on instances whose reachability is certified.

**Reachability.** For any policy and any unit vector u in the span of what can be reached in layer h, max_pi
E_pi (phi^T u)^2 >= u^T Lambda_h u, so nu_h^2 >= lambda as soon as Lambda_h - lambda I is positive definite
for one policy. The policy is a mixture with rational weights on a rational instance; its occupancies,
Lambda_h and the pivots of the elimination are computed in fractions. What is certified is a lower bound of
nu_min, and a lower bound is all that the algorithm needs. (Coordinates that no policy can reach are left out:
nu_h is taken over the reachable span.)

**A run** is made at N of the theorem for that bound, epsilon = delta = 1/10, and audited against the instance
(`derl.algorithms.audit`): event, induction condition and loss are computed, not sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from derl.algorithms.arbitrary import arbitrary_policy_exploration
from derl.algorithms.audit import Audit, audit
from derl.algorithms.outcome import Outcome
from derl.deployment import LARGEST_EXACT, Deployer
from derl.exact.matrices import positive_definite
from derl.mdp import LinearMDP, exact, instances
from derl.theory.arbitrary.constants import ArbitraryConstants, arbitrary_constants
from derl.theory.arbitrary.rules import rule_of

EPSILON = DELTA = 0.1
SUITE = ("simplex", "lock", "template")
STARTS = ("unknown", "known")
KNOWN = ("known",)
STEPS = 1000  # nu^2 is certified as a whole multiple of 1/STEPS


@dataclass(frozen=True, eq=False)
class AuditedRun:
    """One run with its constants and its audit."""

    name: str
    mdp: LinearMDP
    constants: ArbitraryConstants
    outcome: Outcome
    audit: Audit


@cache
def instance(name: str) -> exact.ExactMDP:
    """The rational instances of the suite."""
    if name == "simplex":
        return instances.random_simplex(6, 4, 3, 3, 5, exact=True)
    if name == "lock":
        return instances.lock(3, 3, (1, 2, 0), Fraction(1, 5), exact=True)
    return instances.hard_template(3, 3, 2, 1, 0, Fraction(3, 10), exact=True)


@cache
def small_instance() -> exact.ExactMDP:
    """Small enough for a whole run of Algorithm 5 in fractions."""
    return instances.random_simplex(3, 2, 2, 3, 1, exact=True)


@cache
def certified_nu_squared(name: str) -> Fraction:
    """A lower bound of nu_min^2 over the layers, certified by exact elimination."""
    rational = instance(name)
    model = rational.to_float()
    deployer = Deployer(model, 10**15, model.horizon, policy_class="any")
    outcome = arbitrary_policy_exploration(deployer, EPSILON, DELTA, version="self-certifying", initial=model.initial)
    return min(_certify(rational, record) for record in outcome.trace)


def _certify(mdp: exact.ExactMDP, record) -> Fraction:
    h, total = record.layer - 1, Fraction(0)
    for count, member in zip(record.cover.counts, record.policy.policies, strict=True):
        occupancy = exact.occupancy(mdp, member)[h].reshape(-1)
        rows = mdp.phi[h].reshape(-1, mdp.dim)
        total = total + int(count) * (rows.T @ (rows * occupancy[:, None]))
    covariance = total / Fraction(record.n_policies)
    used = np.array([bool(x) for x in np.diag(covariance)])
    features = mdp.phi[h][exact.reachable_states(mdp)[h]]
    if features[..., ~used].any():
        return Fraction(0)  # a direction can be reached, and this policy does not
    covariance = covariance[np.ix_(used, used)]
    guess = int(STEPS * np.linalg.eigvalsh(covariance.astype(float))[0])
    unit = np.array([[Fraction(int(i == j)) for j in range(len(covariance))] for i in range(len(covariance))])
    while guess > 0 and not positive_definite(covariance - Fraction(guess, STEPS) * unit):
        guess -= 1
    return Fraction(guess, STEPS)


@cache
def run(name: str, version: str, seed: int = 0, start: str = "unknown", shrink: float = 1.0) -> AuditedRun:
    """One audited run.

    Parameters
    ----------
    name : {"simplex", "lock", "template"}
    start : {"unknown", "known"}
        Whether the law of the first state is handed to the algorithm.
    shrink : float, >= 1
        N is divided by this, for controls.
    """
    mdp = instance(name).to_float()
    nu = float(certified_nu_squared(name)) ** 0.5
    known = start == "known"
    constants = arbitrary_constants(mdp.dim, mdp.horizon, EPSILON, DELTA, nu, version, known)
    size = max(1, int(constants.batch_size / shrink))
    deployer = Deployer(mdp, size, mdp.horizon, policy_class="any", seed=seed,
                        mode="exact" if size <= LARGEST_EXACT else "gaussian")
    outcome = arbitrary_policy_exploration(deployer, EPSILON, DELTA, None if version == "self-certifying" else nu,
                                           version, initial=mdp.initial if known else None)
    return AuditedRun(name, mdp, constants, outcome, audit(mdp, outcome, rule_of(version).linear))


def runs(version: str, names=SUITE, starts=STARTS, seeds=(0,), shrink: float = 1.0) -> list[AuditedRun]:
    """One run for each instance, kind of start and seed."""
    return [run(name, version, seed, start, shrink) for name in names for start in starts for seed in seeds]


def described(version: str, found: list[AuditedRun]) -> str:
    """Scope of a check on runs: instances, range of N, how counts were drawn."""
    sizes = [r.outcome.dataset.batch_size for r in found]
    exact_counts = sum(record.exact for r in found for record in r.outcome.trace)
    total = sum(len(r.outcome.trace) for r in found)
    names = ", ".join(dict.fromkeys(r.name for r in found))
    return (f"{len(found)} runs of '{version}' on {names}, nu of the reachable span certified, epsilon = delta = 1/10, "
            f"N from {min(sizes):.1e} to {max(sizes):.1e}; {exact_counts} of {total} batches drawn exactly, "
            "the others Gaussian")
