"""These rows list further false variants of the theorem without reachability, and changes that only weaken it.

The same checks reject the first and accept the second. Where a premise has room to spare, weaker premises are listed as
accepted, and the false variants lie far outside.
"""

from __future__ import annotations

from sympy import Rational as R

from derl.claims.beyond.law import all_linear_mdps_in_steps
from derl.claims.beyond.no_reachability import rate_in_steps, theorem_in_steps
from derl.claims.beyond.truncation_chain import block_in_steps
from derl.claims.beyond.truncation_covers import design_in_steps, spanner_in_steps
from derl.claims.beyond.truncation_event import law_in_steps

CUTS = {
    "res-no-reachability": (theorem_in_steps, (
        ("events at 2/5 delta", {"half": R(2, 5)}),)),
    "res-no-reachability-rate": (rate_in_steps, (
        ("beta^2 <= 8 d^2 Lambda", {"scale": 8}),)),
    "res-law-without-reachability": (all_linear_mdps_in_steps, (
        ("log(N/Q) >= log N/3", {"halved": 3}),)),
    "res-law-uncertainty": (law_in_steps, (("twice y", {"constant": 2}),)),
    "res-cut-block": (block_in_steps, (("a cut rounded by kappa^2/3", {"rounding": R(1, 3)}),)),
    "res-design-cover": (design_in_steps, (
        ("mass 2 tau", {"budget": 2}), ("greedy within 3 eta", {"greedy": 3}))),
    "res-spanner-cover": (spanner_in_steps, (
        ("norms of at most 5 sqrt d", {"norm": 5}), ("two errors", {"misses": 2}))),
}
