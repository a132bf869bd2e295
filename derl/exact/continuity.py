"""Which expressions are continuous where their variables are >= 0: those to which the mean value theorem applies.

A function with a jump may have a derivative >= 0 wherever it has one: atan(2x/(1 - x^2)), or a distinction of cases. So
the proofs by derivatives accept only what is built from numbers and symbols by sums, products, powers, logarithms and
exponentials, and with bases and arguments that are positive where they have to be.
"""

from __future__ import annotations

import sympy

from derl.exact.quotients import quotient, remembered


@remembered
def continuous(expression: sympy.Expr, *variables: sympy.Symbol) -> bool:
    """Whether an expression is continuous for all variables >= 0 and differentiable for all variables > 0.

    True is a proof; False says that no rule applies.
    """
    if expression.is_Symbol or expression.is_number and expression.is_real and expression.is_finite:
        return True
    if not all(continuous(part, *variables) for part in expression.args):
        return False
    if expression.is_Add or expression.is_Mul or isinstance(expression, sympy.exp):
        return True
    if isinstance(expression, sympy.log):
        return _positive(expression.args[0], variables)
    if expression.is_Pow:
        base, power = expression.args
        return power.is_Integer and power > 0 or _positive(base, variables)
    return False


def _positive(expression: sympy.Expr, variables: tuple) -> bool:
    """Whether it is positive for all variables >= 0: by what is assumed of its symbols, or by its coefficients."""
    if expression.is_positive:
        return True
    found = quotient(expression, variables)
    if found is None:
        return False
    signs = {c > 0 for side in found for c in side.values()}
    return len(signs) == 1 and all(side.coeff(1) for side in found)
