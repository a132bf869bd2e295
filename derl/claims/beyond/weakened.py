"""These rows list changes that only weaken a theorem; the check that rejects the false variants accepts them."""

from __future__ import annotations

from fractions import Fraction

from derl.claims.beyond.covers import cover_in_steps, law_from_moment, spanner_in_steps
from derl.claims.beyond.domination import domination_in_steps, every_policy_is_dominated
from derl.claims.beyond.law import law_in_steps
from derl.claims.beyond.planning import planning_in_steps, regression_in_steps
from derl.claims.beyond.theorems import blocks_in_steps, one_deployment_in_steps, spanned_blocks_in_steps

WEAKENED = {
    "res-one-step-domination": (domination_in_steps, (
        ("2 r for the laws", {"factor": 2}), ("phi phi' <= 3 r V", {"moment": 3}), ("|c| <= 2 r", {"leverage": 4}))),
    "res-design-chain": (every_policy_is_dominated, (("twice the factor", {"scale": 2}),)),
    "res-covered-law": (law_from_moment, (("E u'phi <= 2", {"best": 2}), ("second moments within 3", {"ratio": 3}))),
    "res-robust-spanner": (spanner_in_steps, (
        ("coefficients of at most 4", {"coefficient": 4}), ("error 4 sqrt(d) gamma", {"error": 4}),
        ("means within gamma/(10 d)", {"accuracy": 10}))),
    "res-block-cover": (cover_in_steps, (("gamma = nu^2/(8 d)", {"phantom": 8}), ("a mass of 2", {"mass": 2}))),
    "res-designed-regression": (regression_in_steps, (
        ("pieces of at most 2/lambda", {"pieces": 2}), ("a bias of sqrt(2 lambda)", {"length": 2}))),
    "res-design-planning": (planning_in_steps, (("twice the trace", {"trace": 2}), ("twice the clip", {"clipped": 2}))),
    "res-one-deployment": (one_deployment_in_steps, (
        ("twice N", {"size": 2}), ("the ninth power", {"terms": 3}))),
    "res-blocks-with-covers": (blocks_in_steps, (("twice the maximum", {"least": 2, "more": 2}),
                                                 ("twice the geometric sum", {"root": 2}))),
    "res-blocks": (spanned_blocks_in_steps, (
        ("an oracle within 4 sqrt(d) tau", {"oracle": 4}),
        ("directions rounded by tau/4", {"rounding": Fraction(1, 4)}))),
    "res-exchange-law": (law_in_steps, (
        ("a geometric factor of 25", {"geometric": 25}), ("N >= d^5", {"least": 5}))),
}
