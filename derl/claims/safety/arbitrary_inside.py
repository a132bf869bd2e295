"""This check establishes that Algorithm 7 with Algorithm 2 inside needs alpha N where Algorithm 2 alone needs N.

Its symbolic steps work on quadratic forms of the pessimist's covariance and of the sum over the list of policies.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import claim, printed, steps
from derl.claims.layerwise.symbols import values_fit
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, below, equal

QUARTER = Rational(1, 4)  # the share of an event in the failure of the optimist, and of a pessimist's event in delta
WORST = sympy.sqrt(Rational(9, 8)) * Rational(3, 8)  # of nu^2: no true value is above it where Algorithm 2 stops
EVENTS = ("regressions of the optimist", "planning", "batches", "regressions of the pessimist", "constraint (c)")


def exploring_part_of_fraction_of_the_batch(text, alone, chernoff, blow_up, explores, fewer, radius, failure):
    """The parts "exploring part", "Chernoff" and "one layer" of `fraction_of_the_batch`."""
    x, y, s, t = sympy.symbols("x y s t", nonnegative=True)
    d, H, i, lam, nu, xi, delta, N = sympy.symbols("d H i lam nu xi delta N", positive=True)
    share = 1 / (1 + s)  # alpha
    rate = chernoff("c_0=", numbers=sympy.Rational)
    counted, batch = (text(r"\alpha N\ge", after=words, i=i, c_0=rate, lambda_=lam, nu=nu, xi=xi, d=d, H=H,
                           delta=fewer * delta) for words in ("If", r"\frac{8dH}\delta$ and"))
    shares = [failure * QUARTER] * 3 + [delta * QUARTER] * 2
    number = text(r"\lambda=", numbers=Rational)
    whole, logarithms = sympy.expand(rate * number).as_coeff_Add()  # of c_0 lambda
    mixture = (1 - share) * x + share * y / i
    return [
        "exploring part",
        ("M >= (alpha/i) A", at_least(mixture, explores * share * y / i, x, y, s, i)),
        "Chernoff",
        ("R = i/(alpha lam): 1/lambda_min(M) for M >= (alpha/i)(lam + t) I",
         at_least(i * (1 + radius * s) / lam, i * (1 + s) / (lam + t), s, t, i, lam)),
        ("d H exp(-c_0 N/R) = delta/8",
         equal(sympy.expand_log(log(d * H) - rate * counted * lam / i - log(shares[2]), force=True), 0)),
        ("I + (N/2) M >= I + (alpha N/2i) A", at_least(N / 2 * mixture, N * share * y / (2 * i), x, y, s, i, N)),
        "one layer",
        ("layer h costs xi/H at alpha N = 2 i nu^4 H^2/(lam xi^2)",
         equal(nu**4 * 2 * i / (lam * batch), (xi / H) ** 2)),
        ("log 8 > c_0 lambda, and 2 i nu^4 >= lambda for i = i_max and nu = 1/2, 1/4, ...",
         every(exactly(number, blow_up(r"\lambda=", after="eigenvalue lemma, and", e=WORST, c=2, nu=1)),
               below(whole, log(8) - logarithms),
               *(below(number, 2 * text("i=", {r"i_{\max}": alone(r"i_{\max}=", d=1, nu=Rational(1, 2**k))})
                       / 2 ** (4 * k)) for k in (1, 2, 3)))),
    ]


def third_constraint_of_fraction_of_the_batch(text, alone, regression, constraint, failure):
    """The parts "third constraint" and "failure" of `fraction_of_the_batch`."""
    x = sympy.Symbol("x", nonnegative=True)
    d, H, delta, N, epsilon, marks = sympy.symbols("d H delta N epsilon nu_min", positive=True)
    numbers = {"d": d, "H": H, "delta": delta, "N": N}
    shares = [failure * QUARTER] * 3 + [delta * QUARTER] * 2
    beta = text(r"\beta_p\ge", **numbers)
    trusted = text.range(r"\alpha", epsilon=epsilon, H=H)
    return [
        "third constraint",
        values_fit(text.interval(after="let rewards lie in")),
        ("the pessimist's regressions fail with probability delta/4, with K = H",
         equal(beta, regression(r"\beta\ge", K=H, **numbers | {"delta": 2 * shares[3]}))),
        ("constraint (c) fails with probability delta/4, with K = H, for the same alpha",
         every(equal(text(r"N+1\ge", beta_p=x, epsilon=epsilon, **numbers),
                     constraint(r"N+1\ge", K=H, beta=x, epsilon=epsilon, **numbers | {"delta": shares[4]})),
               exactly(trusted.low, 0),
               equal(trusted.high, constraint(r"\alpha\le", epsilon=epsilon, H=H)))),
        ("nu is one that Theorem R allows", equal(text.range(r"\nu", {r"\nu_{\min}": marks}).high,
                                                 alone.range(r"\nu", {r"\nu_{\min}": marks}).high)),
        "failure",
        (f"failure: {', '.join(EVENTS)} add up to at most delta",
         at_least(1 - text("", after="with probability at least", delta=delta), sum(shares), delta)),
    ]


@claim("res-safe-mixture-arbitrary",
       false={"N in the place of alpha N: x = 0, alpha = 1/2, M = A/(2i) is not >= A/i": {"explores": 2},
              "R = i/lam with 99/100 of what 1/alpha adds": {"radius": Rational(99, 100)},
              "log(4dH/delta) in the Chernoff condition: it fails with probability delta/4": {"fewer": 2}})
def fraction_of_the_batch(text, alone=printed("res-theorem-r"), chernoff=printed("res-matrix-chernoff"),
                          regression=printed("lem-concentration-repaired"), blow_up=printed("res-sharp-blow-up"),
                          constraint=printed("res-mixture-constraint"), explores=1, fewer=1, radius=1):
    """The mixture covers alpha times as much: Quadratic forms x of Lambda_p and y of A; the Chernoff bound with R =
    i/(alpha lam); the cost of a layer."""
    delta = sympy.Symbol("delta", positive=True)
    failure = text("", after="for this $N$ and", delta=delta)  # of the optimist
    return steps([*exploring_part_of_fraction_of_the_batch(text, alone, chernoff, blow_up, explores, fewer, radius,
                                                           failure),
                  *third_constraint_of_fraction_of_the_batch(text, alone, regression, constraint, failure)],
                 "all d, H, i, alpha, epsilon, delta, 0 < nu <= nu_min; law of s_1 known")
