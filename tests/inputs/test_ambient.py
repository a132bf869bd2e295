"""Variables that change how libraries work are gone when a command begins."""

import decimal
import os
import warnings

import flint
import mpmath
import numpy as np
import pytest
import sympy
from second_paper import PAPER

from derl.inputs.ambient import as_delivered, settle
from derl.ledger import verify


def test_what_is_left_out_is_gone_and_what_is_used_stays(monkeypatch):
    for name in ("SYMPY_GROUND_TYPES", "GIT_DIR", "MATPLOTLIBRC", "NUMBA_DUMP_BYTECODE", "HOME"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("MPLBACKEND", "nonsense")
    with warnings.catch_warnings():
        settle()
    assert {"SYMPY_GROUND_TYPES", "GIT_DIR", "MATPLOTLIBRC", "NUMBA_DUMP_BYTECODE"}.isdisjoint(os.environ)
    assert os.environ["MPLBACKEND"] == "agg" and os.environ["HOME"] == "x"


@pytest.mark.parametrize("change, now", [
    (lambda: sympy.evaluate(False), lambda: sympy.Integer(1) + 1 == 2 and (1 + sympy.Integer(1)).is_Integer),
    (lambda: mpmath.workprec(10), lambda: mpmath.mp.prec == 53),
    (lambda: flint.ctx.workprec(10), lambda: flint.ctx.prec == 53),
    (lambda: np.errstate(all="raise"), lambda: np.geterr()["under"] == "ignore"),
    (lambda: decimal.localcontext(decimal.Context(prec=2)), lambda: decimal.getcontext().prec == 28)])
def test_a_check_does_not_depend_on_the_settings_of_its_caller(change, now):
    with change():
        with as_delivered():
            assert now()
        assert not now()


def test_a_statement_has_its_verdict_where_sympy_does_not_evaluate():
    with sympy.evaluate(False):
        assert verify(PAPER, ["lem-odd-numbers"]).claims["lem-odd-numbers"].as_expected
