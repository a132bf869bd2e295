"""How the four statements are checked. What could be false in a statement is a parameter; the default is the truth."""

import sympy

from derl.ledger import Evidence, steps
from derl.theory.exact.compared import exactly
from derl.theory.exact.symbolic import same_operator
from second_paper import check, control

n = sympy.Symbol("n", integer=True, positive=True)


@check("lem-odd-numbers", method="symbolic", arithmetic="exact", covers="everything", gap="none")
def one_more_odd_number(power=2) -> Evidence:
    """Base and step of the induction, for a symbolic n."""
    return steps(["start", ("1 = 1^2", exactly(1, 1**power)),
                  "next", ("n^2 + (2n + 1) = (n + 1)^2", same_operator(n**power + 2 * n + 1, (n + 1) ** power))],
                 "every n >= 1")


control(one_more_odd_number, "n^3, false at n = 2: 1 + 3 is not 8", {"power": 3})


@check("thm-euler-primes", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True)
def forty_gives_a_square(at=40) -> Evidence:
    """The value at n = 40 is not prime: it has 41 as a factor."""
    value = at * at + at + 41
    return Evidence(value % 41 if value > 41 else 1, 0, "identity", f"n = {at}, value {value}")


control(forty_gives_a_square, "n = 39, where the value 1601 is prime", {"at": 39}, variant="corrected")


@check("res-euler-primes", method="exhaustive", arithmetic="exact", covers="everything", gap="none")
def forty_primes(last=39) -> Evidence:
    """How many of the values are prime, by trial division."""
    values = [k * k + k + 41 for k in range(last + 1)]
    primes = sum(all(value % q for q in range(2, int(value**0.5) + 1)) for value in values)
    return Evidence(primes, last + 1, "identity", f"n = 0, ..., {last}")


control(forty_primes, "one value more: n = 40", {"last": 40})


@check("lem-multiples", method="symbolic", arithmetic="exact", covers="everything", gap="none")
def product_and_41(constant=41) -> Evidence:
    """The identity for a symbolic n, and that 41 is prime."""
    return steps(["identity",
                  ("n^2 + n + 41 = n(n + 1) + 41", same_operator(n**2 + n + constant, n * (n + 1) + 41)),
                  "prime",
                  ("41 has no divisor from 2 to 6", exactly(sum(41 % q == 0 for q in range(2, 7)), 0))], "every n >= 1")


control(product_and_41, "n^2 + n + 43, which is not n(n + 1) + 41", {"constant": 43})
