"""These are the symbols of this chapter's checks, and functions for the exponents of products of their powers."""

from __future__ import annotations

import sympy
from sympy import log, sqrt

from derl.exact.quotients import simplified

s, t, u, v, w = sympy.symbols("s t u v w", nonnegative=True)
H, K, L, N, a, c, c_beta, d, delta, eps, g = sympy.symbols("H K L N a c c_beta d delta epsilon g", positive=True)
BETA = c_beta * d * H * sqrt(L)
LEVEL = eps**2 / (16 * H**2 * (g * H) ** 2 * BETA**2)  # x, with 2H + 1 = g H, 2 < g <= 3


def exponents(log_size) -> dict[str, sympy.Expr]:
    """Coefficients of log H, log d, log epsilon and log L in the logarithm of a product of powers."""
    expanded = sympy.expand(sympy.expand_log(log_size, force=True))
    return {str(name): simplified(expanded.coeff(log(name))) for name in (H, d, eps, L)}


def log_from_lemma(level=LEVEL):
    """log N of Lemma 4.2 (constant 1) at level x, with log(Hd/x) counted as one factor L."""
    return (log(c) + log(H) + c * log(d) - c * log(level) + c * log(L)) / (c - 1)


def log_printed(text):
    """log N of Equation (16) or (18), as the text has it, with constant 1 and L for log(Hd/(delta epsilon))."""
    size = text(r"N\ge", c=1, c_K=c, H=H, d=d, epsilon=eps, delta=delta)
    return sympy.expand_log(log(size.subs(log(H * d / (delta * eps)), L)), force=True)
