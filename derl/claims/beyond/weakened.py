"""These rows list changes that only weaken a theorem; the check that rejects the false variants accepts them."""

from __future__ import annotations

from fractions import Fraction

from derl.claims.beyond.covers import cover_in_steps, law_from_moment, spanner_under_attack
from derl.claims.beyond.domination import every_policy_is_dominated, polytopes_under_attack
from derl.claims.beyond.law import law_in_steps
from derl.claims.beyond.planning import planning_in_steps, regression_in_steps
from derl.claims.beyond.theorems import blocks_in_steps, one_deployment_in_steps, spanned_blocks_in_steps

WEAKENED = {
    "res-one-step-domination": (polytopes_under_attack, (("twice the factor", {"scale": 2}),)),
    "res-design-chain": (every_policy_is_dominated, (("twice the factor", {"scale": 2}),)),
    "res-covered-law": (law_from_moment, (("E u'phi <= 2", {"best": 2}),)),
    "res-robust-spanner": (spanner_under_attack, (("coefficients of at most 4", {"coefficient": 4}),)),
    "res-block-cover": (cover_in_steps, (("a mass of 2", {"mass": 2}),)),
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
        ("a geometric factor of 25", {"geometric": 25}), ("a geometric factor of 21", {"geometric": 21}))),
}
