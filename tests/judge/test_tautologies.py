r"""A step that holds whatever the text says is refused; one whose sides come from the text is not, powers included."""

import pytest
import sympy

from derl.exact.symbolic import equal
from derl.judge.quotes import Quote
from derl.judge.registry import Registry
from derl.judge.trial import run_check
from derl.ledger import steps

x = sympy.Symbol("x", positive=True)


def row_of(**extra):
    registry = Registry()
    printed = Quote(lambda claim, field: r"For $c=2$, $K\le(3x)^c$ and $M\le4x$.", "thm", "statement")

    @registry.claim("thm", plants=0, false={"3 in place of 2": {"power": 3}})
    def square(text=printed, power=2):
        """The bound is a square."""
        bound = text(r"K\le", x=x, c=text("c="))
        more = {name: side(text, bound) for name, side in extra.items()}
        return steps([("the bound", equal(bound, (3 * x) ** power)),
                      *((name, equal(*sides)) for name, sides in more.items())], "all x > 0")

    return run_check(registry.checks[0])


@pytest.mark.parametrize("sides", [
    lambda text, bound: (x + 1, x + 1), lambda text, bound: (bound / bound, sympy.Integer(1)),
    lambda text, bound: (sympy.diff(x**3, x), 3 * x**2)])
def test_a_step_with_the_same_sides_for_every_text_is_refused(sides):
    row = row_of(idle=sides)
    assert row.outcome == "error" and row.detail == "steps that hold whatever is changed: idle"


@pytest.mark.parametrize("sides", [
    lambda text, bound: (bound, 9 * x**2), lambda text, bound: (sympy.diff(text(r"M\le", x=x), x), sympy.Integer(4)),
    lambda text, bound: (sympy.diff(bound, x), 18 * x),
    lambda text, bound: (sympy.expand_log(sympy.log(bound), force=True), 2 * sympy.log(3) + 2 * sympy.log(x)),
    lambda text, bound: (sympy.simplify(sympy.log(sympy.Integer(4) ** text("c="), 2)), sympy.Integer(4))])
def test_a_step_whose_sides_come_from_the_text_is_not(sides):
    assert row_of(read=sides).outcome == "pass"
