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

control(regression_in_steps, "beta with d(d+6) log(1+N)", {"scale": 6})
control(regression_in_steps, "beta with d(d+69/10) log(1+N)", {"scale": R(69, 10)})
control(regression_in_steps, "beta with log(4H/delta) once", {"level": 1})
control(regression_in_steps, "beta with sqrt(d)/2", {"ridge": R(1, 2)})
control(regression_in_steps, "a basis with coefficients of at most 3", {"basis": 3})
control(regression_in_steps, "N >= 9", {"least": 3})
control(regression_in_steps, "failures of delta/(H members)", {"share": 1})

control(law_in_steps, "the potential constant 36/25", {"potential": R(36, 25)})
control(law_in_steps, "the potential constant 1", {"potential": R(1)})
control(law_in_steps, "a chord steeper by a hundredth", {"slope": R(101, 100), "constant": R(100, 101)})
control(law_in_steps, "a chord twice as steep", {"slope": 2, "constant": R(1, 2)})
control(law_in_steps, "99/100 of y", {"constant": R(99, 100)})
control(law_in_steps, "y without e/(e-1)", {"constant": 1 - 1 / E})
control(law_in_steps, "log(H/delta) in place of log(2H/delta)", {"failing": 1})
control(law_in_steps, "log(19H/(10 delta))", {"failing": R(19, 10)})

control(block_in_steps, "Y <= 26/100 tau kappa^2", {"share": R(26, 100)})
control(block_in_steps, "d^2 + ... + d^{L+1} <= 19/10 d^{L+1}", {"geometric": R(19, 10)})
control(block_in_steps, "a cut rounded by 51/100 kappa^2", {"rounding": R(51, 100)})
control(block_in_steps, "a cut rounded by 2/3 kappa^2", {"rounding": R(2, 3)})
control(block_in_steps, "second moments of 3/2 tau kappa^2", {"second": R(3, 2)})
control(block_in_steps, "second moments of 17/10 tau kappa^2", {"second": R(17, 10)})
control(block_in_steps, "a block loses 19/10 tau", {"lost": R(19, 10)})
control(block_in_steps, "a block loses tau", {"lost": 1})

control(estimates_in_steps, "values of at most 19/10", {"top": R(19, 10)})
control(estimates_in_steps, "E with sqrt 6", {"error": 6})
control(estimates_in_steps, "E with sqrt(69/10)", {"error": R(69, 10)})
control(estimates_in_steps, "second moments of 9/5 tau kappa^2", {"moment": R(9, 5)})
control(estimates_in_steps, "second moments of 2 tau kappa^2", {"moment": 2})
control(estimates_in_steps, "E in place of H E with rewards", {"horizon": 0})
control(estimates_in_steps, "sqrt(H) E in place of H E with rewards", {"horizon": R(1, 2)})
control(estimates_in_steps, "values of at most 199/100", {"top": R(199, 100)})
control(estimates_in_steps, "E with sqrt(699/100)", {"error": R(699, 100)})
control(estimates_in_steps, "second moments of 176/100 tau kappa^2", {"moment": R(176, 100)})
control(estimates_in_steps, "a telescope with the true value twice", {"estimated": False})
control(estimates_in_steps, "far out, tau up to 13 (the steps need 12, 1/3 is stated)", {"room": R(1, 13)})
control(estimates_in_steps, "far out, N >= 3/20 d^2/(tau kappa^2) (the steps need 1/6, 17 is stated)",
        {"first": R(3, 20)})

control(design_in_steps, "kappa = sqrt(tau)/(59/10 sqrt d beta H)", {"cut": R(59, 10)})
control(design_in_steps, "eta = tau/(10 H)", {"grid": 10})
control(design_in_steps, "designs within 1 + 2/H", {"excess": 2})
control(design_in_steps, "designs within 1 + 11/(10 H)", {"excess": R(11, 10)})
control(design_in_steps, "|c| <= r/sqrt 2", {"leverage": R(1, 2)})
control(design_in_steps, "mass 99/100 tau", {"budget": R(99, 100)})
control(design_in_steps, "mass 9/10 tau", {"budget": R(9, 10)})
control(design_in_steps, "greedy within eta", {"greedy": 1})

control(spanner_in_steps, "coefficients of at most 2", {"coefficient": 2})
control(spanner_in_steps, "coefficients of at most 29/10", {"coefficient": R(29, 10)})
control(spanner_in_steps, "dual vectors of 3 d/dummy", {"dual": 3})
control(spanner_in_steps, "dual vectors of 39/10 d/dummy", {"dual": R(39, 10)})
control(spanner_in_steps, "eta = tau/(115 d^2 H)", {"grid": 115})
control(spanner_in_steps, "kappa = sqrt(tau)/(119 d^2 beta H)", {"cut": 119})
control(spanner_in_steps, "the search starts from 39/10 d slack", {"start": R(39, 10)})
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
    "res-cut-regression": (regression_in_steps, (
        ("beta with d(d+8) log(1+N)", {"scale": 8}), ("beta with 3 log(4H/delta)", {"level": 3}),
        ("beta with 2 sqrt d", {"ridge": 2}), ("N >= 25", {"least": 5}))),
    "res-law-uncertainty": (law_in_steps, (
        ("the potential constant 2", {"potential": R(2)}), ("twice y", {"constant": 2}),
        ("log(3H/delta)", {"failing": 3}))),
    "res-cut-block": (block_in_steps, (
        ("Y <= tau kappa^2/5", {"share": R(1, 5)}), ("a cut rounded by kappa^2/3", {"rounding": R(1, 3)}),
        ("second moments of 2 tau kappa^2", {"second": 2}), ("a block loses 3 tau", {"lost": 3}))),
    "res-cut-estimates": (estimates_in_steps, (
        ("E with sqrt 8", {"error": 8}), ("second moments of 3/2 tau kappa^2", {"moment": R(3, 2)}),
        ("tau <= 1/6", {"room": 6}), ("N >= 20 d^2/(tau kappa^2)", {"first": 20}),
        ("a weaker premise, tau <= 1 (the steps have that room)", {"room": 1}),
        ("a weaker premise, N >= d^2/(tau kappa^2) (likewise)", {"first": 1}))),
    "res-design-cover": (design_in_steps, (
        ("kappa = sqrt(tau)/(7 sqrt d beta H)", {"cut": 7}), ("eta = tau/(15 H)", {"grid": 15}),
        ("mass 2 tau", {"budget": 2}), ("designs within 1 + 1/(2H)", {"excess": R(1, 2)}))),
    "res-spanner-cover": (spanner_in_steps, (
        ("kappa = sqrt(tau)/(130 d^2 beta H)", {"cut": 130}), ("eta = tau/(130 d^2 H)", {"grid": 130}),
        ("norms of at most 5 sqrt d", {"norm": 5}))),
}
