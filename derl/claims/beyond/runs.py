"""Block exploration at the theorems' own N."""

from __future__ import annotations

from derl.algorithms.blocks_at_size import EPSILON, FAMILIES, SEEDS, pace, run
from derl.claims import Evidence, check, control

QUICK = ("lock", "random simplex")


@check("res-exchange-runs", method="run", arithmetic="float64", covers="the lock and a random simplex",
       gap="two families; the others are in the full tier", title="At the theorems' own N: two families")
def loses_little(families=QUICK, share=1.0) -> Evidence:
    """The largest loss over families, blocks and seeds, against epsilon."""
    found = [run(family, block, share) for family in families for block in pace(family)]
    return Evidence(max(one.gap for one in found), EPSILON, "upper", f"{len(found)} runs of {SEEDS} seeds each")


@check("res-exchange-runs", method="run", arithmetic="float64", covers="everything", gap="none", tier="full",
       title="At the theorems' own N: all families", needs="gym")
def loses_little_everywhere(share=1.0) -> Evidence:
    """The same for all families."""
    return loses_little(tuple(FAMILIES), share)


control(loses_little, "a ten-millionth of N", {"share": 1e-7})
control(loses_little_everywhere, "a ten-millionth of N", {"share": 1e-7})
