r"""The elliptical potential lemma with an explicit, best possible constant.

For X_t >= 0 of trace at most 1, M_0 = lam I and M_t = M_{t-1} + X_t,

    sum_{t=1}^T tr(X_t M_{t-1}^{-1}) <= (1/lam)/log(1 + 1/lam) d log(1 + T/(d lam)),

with equality for T = d orthonormal directions. The proof is in `derl.claims.potential.elliptical`.
"""

from __future__ import annotations

import math

from derl.inputs import choice, real
from derl.theory.potential.batches import InvalidPotential, roots, whole
from derl.theory.potential.sequences import scan


def elliptical_constant(lam: float) -> float:
    """(1/lam) / log(1 + 1/lam): the best constant in the elliptical potential lemma with regularisation lam > 0."""
    lam = real(lam, "lam", above=0, error=InvalidPotential)
    log_factor = math.log1p(1 / lam) if lam >= 1 else math.log1p(lam) - math.log(lam)  # 1/lam may overflow
    return 1 / (lam * log_factor)


def elliptical_bound(d: int, T: int, lam: float, version: str = "repaired") -> float:
    """Upper bound on sum_t tr(X_t M_{t-1}^{-1}) for T matrices X_t >= 0 of trace at most 1 and M_0 = lam I.

    Parameters
    ----------
    version : {"as-printed", "repaired"}
        "as-printed": (1 + 1/lam) d log(1 + T/d), true exactly for lam >= 1/log 2 - 1 = 0.4427.
        "repaired": (1/lam)/log(1 + 1/lam) d log(1 + T/(d lam)), true for every lam > 0.

    Source: Lemma C.1.
    """
    d, T = whole(d, "d"), whole(T, "T")
    constant = elliptical_constant(lam)
    if choice(version, "version", ("as-printed", "repaired"), InvalidPotential) == "as-printed":
        return (1 + 1 / lam) * d * math.log1p(T / d)
    return constant * d * math.log1p(T / (d * lam))


def elliptical_sum(increments, lam: float, kind: str = "matrices"):
    """sum_t tr(X_t M_{t-1}^{-1}) with M_0 = lam I and M_t = M_{t-1} + X_t: the left side of Lemma C.1.

    Parameters
    ----------
    increments : (..., T, d, d) or (..., T, d)
        X_t >= 0 of trace at most 1 ("matrices"), or X_t = x_t x_t^T with |x_t| <= 1 ("copies").
    lam : float, > 0
    """
    elliptical_constant(lam)  # refuses lam outside (0, inf)
    trace, _ = scan(roots(increments, 1, kind), regularisation=lam)
    return trace.sum(axis=-1)
