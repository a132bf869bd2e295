"""This check recomputes, from the records of a run of Algorithm 2 alone, the objects that it deploys and reports.

Sigma~ is 2 I plus the estimated covariances of the list Pi_h, with multiplicities. The weight of a policy in the
mixture is its share of the list. The known error is i beta' times the uncertainties of all layers before h, plus 1/sqrt
N where the law of s_1 is estimated, times 2d where entries are evaluated. The first V is that of 2 I, planned again.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from derl.algorithms.policy_cover import prepare, solve_optq, uncertainty_reward
from derl.claims import Evidence, claim
from derl.experiments.audited_runs import KNOWN, STARTS, AuditedRun, described, runs
from derl.printed import Text
from derl.theory.arbitrary.rules import rule_of

NAMES = ("simplex", "lock")
VERSIONS = (("repaired", KNOWN), ("spectral", KNOWN), ("self-certifying", STARTS))


SUMMED = r"\sum_{\pi\in\Pi_h}\hat\Lambda^\pi_h"


def deviations(text: Text, r: AuditedRun, version: str, less: float, gathered: str, scale: bool, listed: bool):
    """Relative deviations of the records of one run from the formulas of the text and of the module."""
    rule, known, d = rule_of(version), 0.0, r.mdp.dim
    unit = np.eye(d)
    start = text(r"\tilde\Sigma_h=", {"I": unit, SUMMED: 0 * unit}) - less * unit
    if r.outcome.trace[0].cover is None:
        known = 1 / sqrt(r.outcome.dataset.batch_size)
    for h, record in enumerate(r.outcome.trace):
        cover = record.cover
        if cover is not None:
            times = cover.counts if listed else np.minimum(cover.counts, 1)
            matrix = text(r"\tilde\Sigma_h=", {
                "I": unit, SUMMED: np.tensordot(times, cover.estimates, axes=1)}) - less * unit
            yield np.abs(matrix - cover.matrix).max() / np.abs(cover.matrix).max()
            yield np.abs(record.policy.weights - times / times.sum()).max()
            factor = (1 if rule.linear else 2 * d) * (r.outcome.dataset.beta if scale else 1)
            wanted = int(cover.counts.sum()) * factor * known
            yield abs(record.matrix_error - wanted) / max(wanted, 1e-300) if wanted or record.matrix_error else 0.0
            data = r.outcome.dataset
            problem = prepare(r.mdp.phi[:h + 1], data.designs[:h], data.beta, data.initial, r.mdp.available[:h + 1])
            own, _ = solve_optq(problem, uncertainty_reward(problem, start, rule.reward))
            yield abs(own - cover.start) / cover.start
        known = known + record.uncertainty if gathered == "sum" else record.uncertainty


@claim("alg-arbitrary-repaired", method="run", arithmetic="float64", covers="the objects that runs deploy and report",
       gap="two instances, three versions", plants=6,
       false={"Sigma~ from I on": {"less": 1.0},
              "the uncertainty of the last layer alone, in layer 3": {"gathered": "last"},
              "the known error without beta'": {"scale": False},
              "each policy of the list once": {"listed": False}})
def records_agree_with_their_formulas(text, less=0.0, gathered="sum", scale=True, listed=True):
    """Matrix, mixture and known error, recomputed from the records: Largest relative deviation of Sigma~, weights,
    known error and first V from the formulas, over all layers."""
    result = [(r, version) for version, starts in VERSIONS for r in runs(version, NAMES, starts)]
    worst = max(x for r, version in result for x in deviations(text, r, version, less, gathered, scale, listed))
    return Evidence(worst, 0, "upper", described(", ".join(v for v, _ in VERSIONS), [r for r, _ in result]),
                    tolerance=1e-9)
