"""These functions compute the coefficients of the examples with their certificates, once for all checks."""

from __future__ import annotations

from functools import cache

from derl.certificates.check_reachability import problems
from derl.theory import reachability
from derl.theory.reachability.examples import mixed_instances


@cache
def certified(name) -> dict:
    """The three coefficients of one of `mixed_instances` with certificates, relative gaps of 1e-3 and 1e-2."""
    mdp, layer = mixed_instances()[name]
    return {"nu": reachability.nu(mdp, layer, relative=1e-3),
            "explorability": reachability.explorability(mdp, layer, relative=1e-2),
            "lambda": reachability.best_min_eigenvalue(mdp, layer, relative=1e-3)}


@cache
def right(name) -> bool:
    """Whether the checker that needs nothing but the standard library accepts these certificates."""
    return not any(problems(result.certificate) for result in certified(name).values())
