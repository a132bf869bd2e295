"""These rows list further false variants of the theorem without reachability, and changes that only weaken it.

The same checks reject the first and accept the second. Where a premise has room to spare, weaker premises are listed as
accepted, and the false variants lie far outside.
"""

from __future__ import annotations

from sympy import E
from sympy import Rational as R

from derl.claims import control
from derl.claims.beyond.law import all_linear_mdps_in_steps
from derl.claims.beyond.no_reachability import fewer_than_before, rate_in_steps, theorem_in_steps
from derl.claims.beyond.truncation_chain import block_in_steps, estimates_in_steps
from derl.claims.beyond.truncation_covers import design_in_steps, spanner_in_steps
from derl.claims.beyond.truncation_event import law_in_steps, regression_in_steps

control(regression_in_steps, "failures of delta/(H members)", {"share": 1})

control(law_in_steps, "a chord steeper by a hundredth", {"slope": R(101, 100), "constant": R(100, 101)})
control(law_in_steps, "a chord twice as steep", {"slope": 2, "constant": R(1, 2)})
control(law_in_steps, "99/100 of y", {"constant": R(99, 100)})
control(law_in_steps, "y without e/(e-1)", {"constant": 1 - 1 / E})

control(block_in_steps, "d^2 + ... + d^{L+1} <= 19/10 d^{L+1}", {"geometric": R(19, 10)})
control(block_in_steps, "a cut rounded by 51/100 kappa^2", {"rounding": R(51, 100)})
control(block_in_steps, "a cut rounded by 2/3 kappa^2", {"rounding": R(2, 3)})

control(estimates_in_steps, "values of at most 19/10", {"top": R(19, 10)})
control(estimates_in_steps, "values of at most 199/100", {"top": R(199, 100)})
control(estimates_in_steps, "a telescope with the true value twice", {"estimated": False})

control(design_in_steps, "|c| <= r/sqrt 2", {"leverage": R(1, 2)})
control(design_in_steps, "mass 99/100 tau", {"budget": R(99, 100)})
control(design_in_steps, "mass 9/10 tau", {"budget": R(9, 10)})
control(design_in_steps, "greedy within eta", {"greedy": 1})

control(spanner_in_steps, "norms of at most 3 sqrt d", {"norm": 3})

control(theorem_in_steps, "a block loses 3 tau", {"blocks": 3})
control(theorem_in_steps, "planning loses 2 H tau", {"planning": 2})
control(theorem_in_steps, "events at 51/100 delta", {"half": R(51, 100)})

control(rate_in_steps, "beta^2 <= 71/10 d^2 Lambda", {"scale": R(71, 10)})
control(rate_in_steps, "Lambda <= 18/5 l iota", {"by_design": R(18, 5)})
control(rate_in_steps, "Lambda <= 5 l iota for spanners", {"by_spanner": 5})
control(rate_in_steps, "7/5 d Lambda for the potential", {"potential": R(7, 5)})
control(rate_in_steps, "iota >= 7/5", {"least": R(7, 5)})

control(fewer_than_before, "2.049e18 for theirs", {"literal_constant": 2049})

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
