"""How the four statements are checked. The formulas come from their texts; what else could be false is a parameter."""

import sympy

from derl.exact.compared import exactly
from derl.exact.symbolic import same_operator
from derl.ledger import Evidence
from second_paper import claim, printed

n = sympy.Symbol("n", integer=True, positive=True)


@claim("lem-odd-numbers", false={"n^3, false at n = 2: 1 + 3 is not 8": lambda: {
    "text": printed("lem-odd-numbers").text().edit("n^2", "n^3")}})
def one_more_odd_number(text):
    """Base and step of the induction: every n >= 1; the sum before is what the text says of it."""
    square = text.function("1+...=", "n")
    first = text.range("n").low
    total, wanted = text.sides("1+...=", {r"1+3+\dots": square(n)}, n=n + 1)
    return ["start", ("1 = 1^2", exactly(first, square(first))),
            "next", ("n^2 + (2n + 1) = (n + 1)^2", same_operator(total, wanted))]


@claim("thm-euler-primes", method="exhaustive", refutes=True,
       as_corrected={"n = 39, where the value 1601 is prime": {"at": 39}})
def forty_gives_a_square(text, at=40):
    """The value at n = 40 is not prime: it has 41 as a factor."""
    value = text("", after="The number", n=at)
    rest = value % 41 if value > 41 and at in text.range("n") else 1
    return Evidence(rest, 0, "identity", f"n = {at}, value {value}")


@claim("res-euler-primes", method="exhaustive")
def forty_primes(text):
    """How many of the values are prime, by trial division."""
    rows = range(int(text.range("n").low), int(text.range("n").high) + 1)
    values = [text("", after="The number", n=row) for row in rows]
    primes = sum(value > 1 and all(value % q for q in range(2, int(value**0.5) + 1)) for value in values)
    return Evidence(primes, len(rows), "identity", f"n = {rows[0]}, ..., {rows[-1]}")


@claim("lem-multiples")
def product_and_41(text):
    """The identity, and that 41 is prime: every n >= 1."""
    prime, value = text("", after="Where"), text("", after="Where $41$ divides", n=n)
    factors = text("", after="it divides", n=n) * text("", after="it divides $n$ or", n=n)
    divisors = sum(prime % q == 0 for q in range(2, prime.numerator) if q * q <= prime)
    return ["identity", ("n^2 + n + 41 = n(n + 1) + 41", same_operator(value, factors + sympy.Rational(prime))),
            "prime", ("41 has no divisor from 2 to 6", exactly(divisors, 0))]
