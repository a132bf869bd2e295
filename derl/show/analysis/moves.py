"""How much uncertainty is left after n times the data: the lemma, its printed proof and the truth in one dimension."""

from __future__ import annotations

from functools import cache

from derl.theory.analysis import perturbation

REGULARISATIONS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0)


@cache
def blow_up() -> dict:
    """For each regularisation c the n from which the lemma holds; the curves are formulas of the script."""
    return {"rows": [{"c": c, "from": perturbation.blow_up_threshold((1 + c) ** 0.5)} for c in REGULARISATIONS]}
