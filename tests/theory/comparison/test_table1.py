"""Table 1 is held twice, as formulas to reckon with and as the statements of its rows: both say the same."""

import re

import pytest
import sympy

from derl.claims import PAPER
from derl.theory.comparison import table1

TOKEN = re.compile(r"\\[a-z]+|\{\d+\}|\d|[A-Za-z]|[-+/^(){},]")
SYMBOLS = {"d": table1.d, "H": table1.H, "A": table1.actions, "\\epsilon": table1.epsilon,
           "\\nu_{min}": table1.nu, "\\eta_{min}": table1.eta}


class Formula:
    """A formula of TeX with products, quotients, powers, sums, log and min, read from left to right."""

    def __init__(self, tex):
        tex = re.sub(r"\\(bigl|bigr|tilde)\s*", "", tex)
        self.tokens = TOKEN.findall(re.sub(r"_\{\\min\}", "", tex))[::-1]

    def next(self, wanted=None):
        token = self.tokens.pop()
        assert wanted in (None, token)
        return token

    def sees(self, *tokens):
        return bool(self.tokens) and self.tokens[-1] in tokens

    def total(self):
        value = self.product()
        while self.sees("+"):
            self.next()
            value += self.product()
        return value

    def product(self):
        value = self.power()
        while self.tokens and not self.sees(")", "}", ",", "+"):
            if self.sees("/"):
                self.next()
                value /= self.power()
            else:
                value *= self.power()
        return value

    def power(self):
        base = self.atom()
        if self.sees("^"):
            self.next()
            base **= self.atom()
        return base

    def atom(self):
        token = self.next()
        if token in "({":
            value = self.total()
            self.next(")" if token == "(" else "}")
            return value
        if token == "\\frac":
            return self.atom() / self.atom()
        if token == "\\log":
            return sympy.log(self.atom())
        if token == "\\min":
            self.next("(")
            first = self.total()
            self.next(",")
            second = self.total()
            self.next(")")
            return sympy.Min(first, second)
        if token.strip("{}").isdigit():
            return sympy.Integer(token.strip("{}"))
        return {**SYMBOLS, "\\nu": table1.nu, "\\eta": table1.eta}[token]


def stated(claim):
    """Trajectories and deployments in the statement of a row of the table."""
    found = re.findall(r"\$([^$]*)\$ (trajectories|deployments)", PAPER.statements[claim].statement)
    formulas = {what: Formula(re.sub(r"^.*?O(?=\(|\\bigl)", "", tex)).total() for tex, what in found}
    return formulas["trajectories"], formulas.get("deployments", formulas["trajectories"])


@pytest.mark.parametrize("row", table1.ROWS, ids=lambda row: row.claim)
def test_a_row_is_its_statement(row):
    trajectories, deployments = stated(row.claim)
    assert sympy.simplify(trajectories - row.trajectories) == 0
    assert sympy.simplify(deployments - row.deployments) == 0
    assert PAPER.statements[row.claim].line == row.line


@pytest.mark.parametrize("claim, trade_off, powers", [
    ("tab-row-layerwise", 2, (7, 10, 4)), ("tab-row-layerwise", 3, (sympy.Rational(11, 2), sympy.Rational(15, 2), 3)),
    ("tab-row-reward-free", 2, (7, 14, 4)), ("tab-row-reward-free", 6, (sympy.Rational(23, 5), sympy.Rational(42, 5),
                                                                     sympy.Rational(12, 5)))])
def test_exponents_at_a_trade_off_by_hand(claim, trade_off, powers):
    """d H times (H^(pc+1) d^(3c)/epsilon^(2c))^(1/(c-1)), p = 4 or 6."""
    assert tuple(table1.at_trade_off(claim, trade_off).values()) == powers


def test_the_size_of_the_last_row():
    d, H, epsilon, nu = table1.d, table1.H, table1.epsilon, table1.nu
    assert table1.sample_size("tab-row-arbitrary") == H**4 * d**3 / (epsilon**2 * nu**2) + H**2 * d**7 / nu**14
    with pytest.raises(StopIteration):
        table1.row("tab-row-nobody")
