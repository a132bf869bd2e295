"""These checks compare what a run without nu_min certifies about itself with the truth, and count its policies.

A run knows three bounds without access to the instance: the error of the summed covariance, the least eigenvalue of
Sigma~ - 2 I, and the loss of the plan. The audit (`derl.algorithms.audit`) computes the truth about each of
them, and whether the event of the analysis holds.
"""

from __future__ import annotations

from derl.claims import claim, steps
from derl.experiments.audited_runs import SUITE, AuditedRun, certified_nu_squared, described, runs
from derl.theory.arbitrary.constants import iteration_bound

RATIO = 1 / 40
SEEDS = (0, 1)
VERSION = "self-certifying"


def longest(r: AuditedRun) -> int:
    """Policies of the longest layer."""
    return max(record.iterations for record in r.outcome.trace)


@claim("res-self-certifying", method="run", arithmetic="float64", covers="what the runs say about themselves",
       gap="three instances, known and unknown first state, two seeds", plants=2,
       false={"known bounds ten thousand times smaller": {"share": 1e-4},
              "a true least eigenvalue of at least 9/4": {"more": 0.5}})
def certificates_are_true(text, share=1.0, more=0):
    """What a run certifies is true: Known error, least eigenvalue and known loss against the audit of the same run."""
    result, details = runs(VERSION, seeds=SEEDS), []
    error = float(text(r"i\beta'\sum_{t<h}U_t\le"))
    coverage = float(text("", {"I": 1}, after="the summed true covariances are at least")) + more
    known = true = above = loss = event = True
    for r in result:
        explored = [(k, record) for k, record in enumerate(r.outcome.trace) if record.cover is not None]
        promised = 2 * r.outcome.beta * sum(record.uncertainty for record in r.outcome.trace)
        event &= r.audit.event <= 1
        known &= all(record.matrix_error <= error for _, record in explored)
        true &= all(r.audit.matrix_error[k] <= share * record.matrix_error + 1e-9 for k, record in explored)
        above &= all(r.audit.least_eigenvalue[k] >= coverage for k, _ in explored)
        loss &= bool(r.audit.loss_bound[-1] <= share * promised)
        details.append(min(r.audit.least_eigenvalue[k] for k, _ in explored))
    return steps([
        ("the event holds for every value function", event),
        (f"the known error of Sigma~ is at most {error:g} in every layer", known),
        ("the true error is at most the known one", true),
        (f"the true least eigenvalue is at least {coverage:g}", above),
        ("the loss over all rewards is at most the known bound", loss),
    ], described(VERSION, result), detail=f"least eigenvalue of the true sums: {min(details):.4f}")


@claim("res-self-certifying", method="run", arithmetic="float64", covers="the number of policies",
       gap="three instances, known and unknown first state",
       false={"the rule of the paper in its place": {"version": "repaired"},
              "the threshold on squared rewards in its place": {"version": "squared"}})
def few_policies(version=VERSION):
    """Policies of the longest layer: At most the bound of the statement, its constant explicit, and a fortieth of what
    the rule of the paper takes."""
    ours, paper = runs(version), runs("repaired", starts=("unknown",))
    least = {r.name: longest(r) for r in paper}
    bound = {r.name: iteration_bound(VERSION, r.mdp.dim, float(certified_nu_squared(r.name)) ** 0.5) for r in ours}
    return steps([
        ("at most i_max of the statement", all(longest(r) <= bound[r.name] for r in ours)),
        ("at most a fortieth of the rule of the paper", all(longest(r) <= RATIO * least[r.name] for r in ours)),
    ], described(version, ours), detail="; ".join(
        f"{name}: {max(longest(r) for r in ours if r.name == name)} against {least[name]}, bound {bound[name]}"
        for name in SUITE))
