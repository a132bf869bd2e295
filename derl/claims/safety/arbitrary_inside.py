"""This check establishes that Algorithm 7 with Algorithm 2 inside needs alpha N where Algorithm 2 alone needs N.

Its symbolic steps work on quadratic forms of the pessimist's covariance and of the sum over the list of policies.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, steps
from derl.theory.exact.compared import at_most
from derl.theory.exact.symbolic import at_least, equal

SHARES = {"regressions of the optimist": Rational(1, 8), "planning": Rational(1, 8), "batches": Rational(1, 8),
          "regressions of the pessimist": Rational(1, 4), "constraint (c)": Rational(1, 4)}


@check("res-safe-mixture-arbitrary", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The mixture covers alpha times as much")
def fraction_of_the_batch(explores=1, failure=8, radius=1) -> Evidence:
    """Quadratic forms x of Lambda_p and y of A; the Chernoff bound with R = i/(alpha lam); the cost of a layer."""
    x, y, s, t = sympy.symbols("x y s t", nonnegative=True)
    d, H, i, lam, nu, xi, delta, N = sympy.symbols("d H i lam nu xi delta N", positive=True)
    share = 1 / (1 + s)  # alpha
    rate = (1 - log(2)) / 2
    counted = i / (rate * lam) * log(failure * d * H / delta)  # alpha N
    batch = 2 * i * nu**4 * H**2 / (lam * xi**2)  # alpha N
    mixture = (1 - share) * x + share * y / i
    return steps([
        "exploring part",
        ("M >= (alpha/i) A", at_least(mixture, explores * share * y / i, x, y, s, i)),
        "Chernoff",
        ("R = i/(alpha lam): 1/lambda_min(M) for M >= (alpha/i)(lam + t) I",
         at_least(i * (1 + radius * s) / lam, i * (1 + s) / (lam + t), s, t, i, lam)),
        ("d H exp(-c_0 N/R) = delta/8",
         equal(sympy.expand_log(log(d * H) - rate * counted * lam / i - log(delta / 8), force=True), 0)),
        ("I + (N/2) M >= I + (alpha N/2i) A", at_least(N / 2 * mixture, N * share * y / (2 * i), x, y, s, i, N)),
        "one layer",
        ("layer h costs xi/H at alpha N = 2 i nu^4 H^2/(lam xi^2)",
         equal(nu**4 * 2 * i / (lam * batch), (xi / H) ** 2)),
        "third constraint",
        ("constraint (c) at delta/4: 4 beta H^2/(delta/4) = 16 beta H^2/delta with K = H",
         equal(4 * x * H * H / (delta / 4), 16 * x * H**2 / delta)),
        "failure",
        (f"failure: {', '.join(SHARES)} add up to at most delta", at_most(sum(SHARES.values()), 1)),
    ], "all d, H, i, alpha, epsilon, delta, 0 < nu <= nu_min; law of s_1 known")


control(fraction_of_the_batch, "N in the place of alpha N: x = 0, alpha = 1/2, M = A/(2i) is not >= A/i",
        {"explores": 2})
control(fraction_of_the_batch, "R = i/lam, without alpha", {"radius": 0})
control(fraction_of_the_batch, "R = i/lam with 99/100 of what 1/alpha adds", {"radius": Rational(99, 100)})
control(fraction_of_the_batch, "log(4dH/delta) in the Chernoff condition: it fails with probability delta/4",
        {"failure": 4})
