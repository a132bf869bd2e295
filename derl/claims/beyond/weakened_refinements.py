"""These rows list changes that only weaken the refinements; the check that rejects the false variants accepts them."""

from __future__ import annotations

from fractions import Fraction

from sympy import Rational

from derl.claims.beyond.gates import needles_in_series
from derl.claims.beyond.prefix import QUARTERS, prefix_in_steps
from derl.claims.beyond.search_optimal import exchange_by_cases
from derl.claims.beyond.search_pace import pace_against_programmes
from derl.claims.beyond.spanner import spanner_in_steps

REFINED = {
    "res-deterministic-exact": (needles_in_series, (
        ("R = 6 epsilon ts", {"reward": 6}), ("R = 11 epsilon ts", {"reward": 11}),
        ("a margin of 3 epsilon", {"margin": 3}), ("a margin of 21/10 epsilon", {"margin": Rational(21, 10)}))),
    "res-shortest-prefix": (prefix_in_steps, (
        ("b <= 1/(16 I)", {"drift": Rational(1, 2)}),
        ("events at delta/8", {"failures": tuple(q / 2 for q in QUARTERS)}))),
    "res-spanner-exponent": (spanner_in_steps, (("e = sigma/(9d)", {"far": 9}), ("e = sigma/(20d)", {"far": 20}))),
    "res-search-optimal": (exchange_by_cases, (
        ("one per cent less after the exchange", {"gain": Fraction(99, 100)}),
        ("half of it", {"gain": Fraction(1, 2)}))),
    "res-search-constant": (pace_against_programmes, (
        ("the least K within 2 of n/pace", {"within": 2}), ("the least K within 3 of n/pace", {"within": 3}))),
}
