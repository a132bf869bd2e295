"""How the four statements are checked. The formulas come from their texts; what else could be false is a parameter."""

import sympy

from derl.ledger import Evidence, steps
from derl.theory.exact.compared import exactly
from derl.theory.exact.symbolic import same_operator
from second_paper import check, control, printed

n = sympy.Symbol("n", integer=True, positive=True)


@check("lem-odd-numbers", method="symbolic", arithmetic="exact", covers="everything", gap="none")
def one_more_odd_number(said=printed("lem-odd-numbers")) -> Evidence:
    """Base and step of the induction, for a symbolic n: the sum before is what the text says of it."""
    square = said.function("1+...=", "n")
    first = said.range("n").low
    total, wanted = said.sides("1+...=", {r"1+3+\dots": square(n)}, n=n + 1)
    return steps(["start", ("1 = 1^2", exactly(first, square(first))),
                  "next", ("n^2 + (2n + 1) = (n + 1)^2", same_operator(total, wanted))], "every n >= 1")


control(one_more_odd_number, "n^3, false at n = 2: 1 + 3 is not 8",
        lambda: {"said": printed("lem-odd-numbers").text().edit("n^2", "n^3")})


@check("thm-euler-primes", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True)
def forty_gives_a_square(at=40, said=printed("thm-euler-primes")) -> Evidence:
    """The value at n = 40 is not prime: it has 41 as a factor."""
    value = said("", after="The number", n=at)
    rest = value % 41 if value > 41 and at in said.range("n") else 1
    return Evidence(rest, 0, "identity", f"n = {at}, value {value}")


control(forty_gives_a_square, "n = 39, where the value 1601 is prime", {"at": 39}, variant="corrected")


@check("res-euler-primes", method="exhaustive", arithmetic="exact", covers="everything", gap="none")
def forty_primes(said=printed("res-euler-primes")) -> Evidence:
    """How many of the values are prime, by trial division."""
    rows = range(int(said.range("n").low), int(said.range("n").high) + 1)
    values = [said("", after="The number", n=row) for row in rows]
    primes = sum(value > 1 and all(value % q for q in range(2, int(value**0.5) + 1)) for value in values)
    return Evidence(primes, len(rows), "identity", f"n = {rows[0]}, ..., {rows[-1]}")


@check("lem-multiples", method="symbolic", arithmetic="exact", covers="everything", gap="none")
def product_and_41(said=printed("lem-multiples")) -> Evidence:
    """The identity for a symbolic n, and that 41 is prime."""
    prime, value = said("", after="Where"), said("", after="Where $41$ divides", n=n)
    factors = said("", after="it divides", n=n) * said("", after="it divides $n$ or", n=n)
    divisors = sum(prime % q == 0 for q in range(2, prime.numerator) if q * q <= prime)
    return steps(["identity", ("n^2 + n + 41 = n(n + 1) + 41", same_operator(value, factors + sympy.Rational(prime))),
                  "prime", ("41 has no divisor from 2 to 6", exactly(divisors, 0))], "every n >= 1")
