"""These checks establish how many trajectories of a mixture suffice for N of them to explore (Appendix F.2).

Of m trajectories Bin(m, alpha) explore. Tail bounds are derived symbolically and compared with exact binomial sums; the
law of the first N exploring trajectories is enumerated.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import below, by_sign, equal, nonnegative_from
from derl.theory.safety import mixture

LARGEST_ROOT, LARGEST_NEED = 12, 40  # alpha = 1/2, ..., 1/12 and N = 1, ..., 40

s = sympy.Symbol("s", nonnegative=True)


def miscounted() -> int:
    """Cases in which P(fewer than N explore) is not what all sequences of up to four coins give."""
    wrong = 0
    for drawn, needed, root in product(range(5), range(6), (2, 3)):
        chances = (Fraction(root - 1, root), Fraction(1, root))
        total = sum((chances[1] ** sum(coins) * chances[0] ** (drawn - sum(coins))
                     for coins in product((0, 1), repeat=drawn) if sum(coins) < needed), Fraction(0))
        wrong += total != mixture.too_few(drawn, Fraction(1, root), needed)
    return wrong


@claim("text-mixture-samples", false={"the exponent at theta = 1, with the tail of log 2": {"theta": sympy.Integer(1)}})
def twice_as_many_are_enough(text, theta=log(2)):
    """2N/alpha is enough: Markov's inequality at theta = log 2 and the mean of the text gives P(X <= N) <= exp(-(1 -
    log 2) N)."""
    N, mu, delta, K, alpha = sympy.symbols("N mu delta K alpha", positive=True)
    exponent = N * theta + mu * (Rational(1, 2) - 1)
    size, mean = text(r"N\ge", K=K, delta=delta), alpha * text(r"\tilde N\ge", N=N, alpha=alpha)
    order = text(r"\tilde N=", N=N, alpha=alpha, Theta=lambda number: 2 * number)
    failure = 1 - text("", after="with probability at least", delta=delta)
    return steps([
        "enough trajectories",
        ("one trajectory: 1 - alpha + alpha/2 <= exp(-alpha/2), by log(1+s) >= s/(1+s)",
         nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        ("the exponent at mu = 2N is -(1 - log 2) N",
         equal(exponent.subs(mu, mean) + (1 - log(2)) * N, 0)),
        ("it falls in mu", by_sign(0, sympy.diff(exponent, mu))),
        ("mu = 2N is the order of the text, with the factor 2", equal(order * alpha, mean)),
        "all deployments",
        ("K exp(-(1 - log 2) N) = delta at N = log(K/delta)/(1 - log 2)",
         equal(sympy.expand_log(log(K) - (1 - log(2)) * size - log(failure), force=True), 0)),
        ("1 - log 2 > 1/4", below(log(2), Rational(3, 4))),
    ], scope="all alpha in (0, 1], N >= 1, K, delta; N~ >= 2N/alpha")


@claim("text-mixture-samples", method="exhaustive", covers="the first N exploring trajectories",
       gap="two outcomes per trajectory, N = 1, 2, up to five trajectories",
       false={"the first N of all trajectories, without their names": {"labelled": False}})
def first_exploring_trajectories_are_a_batch(text, labelled=True):
    """A batch within the batch: Law of the first N exploring outcomes, given that N explore, against N independent
    draws: total deviation."""
    cautious, exploring, off = (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 3), Fraction(2, 3)), Fraction(0)
    alone = [text("", {r"\pi_{k,\mathrm{optim}}": chance}, after="independent trajectories of") for chance in exploring]
    for alpha, (needed, drawn) in product((Fraction(1, 2), Fraction(1, 5)), ((1, 2), (1, 4), (2, 3), (2, 5))):
        law: dict[tuple, Fraction] = {}
        for coins, seen in product(product((0, 1), repeat=drawn), product((0, 1), repeat=drawn)):
            if sum(coins) < needed:
                continue
            chance = Fraction(1)
            for coin, outcome in zip(coins, seen, strict=True):
                chance *= alpha * exploring[outcome] if coin else (1 - alpha) * cautious[outcome]
            kept = tuple(o for c, o in zip(coins, seen, strict=True) if c or not labelled)[:needed]
            law[kept] = law.get(kept, Fraction(0)) + chance
        whole = sum(law.values())
        for kept in product((0, 1), repeat=needed):
            independent = Fraction(1)
            for outcome in kept:
                independent *= alone[outcome]
            off += abs(law.get(kept, Fraction(0)) / whole - independent)
    return Evidence(off, 0, "identity", "alpha = 1/2, 1/5; (N, N~) = (1, 2), (1, 4), (2, 3), (2, 5); all sequences")


@claim("text-mixture-samples", method="exhaustive", covers="alpha = 1/q, q <= 12, N <= 40", gap="a grid")
def binomial_sums_at_twice(size=printed("text-mixture-samples").function(r"\tilde N\ge", "N", r"\alpha")):
    """Binomial sums at 2N/alpha: Cases where log P(Bin(N~, 1/q) < N) at the N~ of the text is not certainly below -(1 -
    log 2) N."""
    broken = miscounted()
    rate = 1 - enclosure(2)[0]
    for root, needed in product(range(1, LARGEST_ROOT + 1), range(1, LARGEST_NEED + 1, 3)):
        probability = mixture.too_few(int(size(needed, Fraction(1, root))), Fraction(1, root), needed)
        broken += probability > 0 and enclosure(probability)[1] > -rate * needed
    return Evidence(broken, 0, "upper", f"alpha = 1, ..., 1/{LARGEST_ROOT}, N = 1, 4, ..., {LARGEST_NEED}")


@claim("res-mixture-samples", false={"the tail exp(-s^2/(3 mu))": {"tails": 3}})
def close_sample_size(text, tails=2):
    """The lower tail, and the root of a quadratic: (1-y) log(1-y) + y >= y^2/2 for the tail exp(-s^2/(2 mu)); the
    stated mu solves (mu - N)^2 = 2 L mu."""
    N, L, mu, z = sympy.symbols("N L mu z", positive=True)
    y = sympy.Symbol("y", nonnegative=True)
    tail = (1 - y) * log(1 - y) + y - y**2 / 2
    low = text.range("L").low
    stated = text(r"\alpha\tilde N\ge", N=N, L=low + L)
    tail_there = -(stated - N) ** 2 / (tails * stated)
    return steps([
        "exponent",
        ("at theta = -log(1-y) the exponent is -mu [(1-y) log(1-y) + y]",
         equal(mu * ((1 - y) - 1) + mu * ((1 - y) * log(1 - y) + y), log(1 - y) * mu * (1 - y))),
        "tail",
        ("the tail function vanishes at 0", exactly(tail.subs(y, 0), 0)),
        ("its derivative is -log(1-y) - y >= 0: log(1+s) >= s/(1+s) at 1/(1-y) = 1 + s",
         every(equal(sympy.diff(tail, y) + log(1 - y) + y, 0), nonnegative_from(log(1 + s) - s / (1 + s), s, 0))),
        "mean",
        ("(mu - N)^2 = 2 L mu, mu > N for L > 0",
         every(equal(tail_there, sympy.log(text("", after="with probability at most", L=low + L))), by_sign(stated, N),
               exactly(text(r"\alpha\tilde N\ge", N=N, L=low), N))),
        ("(mu - N)^2/(2 mu) increases for mu > N",
         equal(sympy.diff(z**2 / (2 * (N + z)), z), z * (z + 2 * N) / (2 * (N + z) ** 2))),
    ], scope="all alpha in (0, 1], N >= 1, L > 0; N~ alpha >= N + L + sqrt(L^2 + 2LN)")


@claim("res-mixture-samples", method="exhaustive", covers="64 cases, alpha = 1/q, N <= 40", gap="a grid",
       false={"half as many": {"divisor": 2}})
def binomial_sums_at_the_stated_size(divisor=1):
    """Binomial sums at the stated size: Cases where log P(fewer than N) is not certainly at most -L at the stated
    number of trajectories."""
    broken, tried = miscounted(), 0
    for root, needed, level in product((1, 2, 3, 12), (1, 2, 10, LARGEST_NEED), (Fraction(1, 10), 1, 5, 20)):
        size = mixture.enough_trajectories(needed, Fraction(1, root), Fraction(level))
        probability = mixture.too_few(size // divisor, Fraction(1, root), needed)
        broken += probability > 0 and enclosure(probability)[1] > -level
        tried += 1
    return Evidence(broken, 0, "upper", f"{tried} cases, exact binomial sums")


@claim("res-mixture-exactly", method="exhaustive", covers="alpha = 1/2, ..., 1/12, N <= 40",
       gap="alpha = 1/2, ..., 1/12, N <= 40",
       false={"2N/alpha trajectories": {"factor": 2}})
def exactly_the_mean_is_not_enough(text, factor=1):
    """N/alpha fails with probability at least 1/4: Least and largest P(Bin(N q, 1/q) < N) over q = 2, ..., 12 and N =
    1, ..., 40: from 1/4 to below 1/2."""
    first, shares = text.range("N", after="Let").low, text.range(r"\alpha")
    allowed = text.range("f", after="explore with a probability")
    cases = {(root, needed): mixture.too_few(int(factor * text("n=", N=needed, alpha=Fraction(1, root))),
                                             Fraction(1, root), needed)
             for root, needed in product(range(1, LARGEST_ROOT + 1), range(int(first), LARGEST_NEED + 1))}
    result = [cases[case] for case in cases if Fraction(1, case[0]) in shares] or [Fraction(0)]
    inside = first == 1 and all((f in allowed) == (Fraction(1, root) in shares) for (root, _), f in cases.items())
    return Evidence(min(result) if inside else Fraction(0), allowed.low, "tight",
                    f"{len(result)} exact binomial sums; the least is met at alpha = 1/2, N = 1",
                    detail=f"largest {float(max(result)):.4f}")
