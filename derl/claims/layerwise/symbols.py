"""These are the symbols of this chapter's checks, and functions for logarithms of products of their powers."""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.theory.exact.quotients import remembered

HALF = Rational(1, 2)
C_BETA = Rational(3, 2)  # beta = C_BETA d H sqrt(log(2dKNH/delta)), Lemma C.4, repaired

c, d, H, e, L, b = sympy.symbols("c d H e L b", positive=True)  # c_K, d, H, epsilon, L, c_beta^2
@remembered
def expanded_log(expression):
    """log(expression) as a sum of multiples of logarithms of symbols and numbers."""
    return sympy.expand(sympy.expand_log(log(expression), force=True))


@remembered
def printed_log_size(trade_off=c):
    """log N of Theorem 4.1 without the absolute constant, in log c_K, log H, log d, log epsilon and log L."""
    k = trade_off
    return sympy.expand(expanded_log(k * H ** (4 * k + 1) * d ** (3 * k) * e ** (-2 * k) * L ** (2 * k)) / (k - 1))


@remembered
def exponent(log_size, base):
    """The power of `base` in exp(log_size): the coefficient of its logarithm."""
    return sympy.simplify(sympy.expand(log_size).coeff(log(base)))
