r"""A formula that means nothing is told from one that means something."""

import pytest

from derl.claims import PAPER, verify
from derl.ledger.edited import edited
from derl.printed import Text
from derl.printed.sorts import Notation

SORTS = Notation({"phi": "vector", "w": "vector", "Sigma": "matrix", "A": "matrix", "t": "whole", "h": "whole",
                  "H": "size", "beta": "number", "pi": "policy", "s": "state", "a": "action", "V": "function",
                  "J": "function", "P": "measure", "E": "event", "theta": "vector", "N": "large"},
                 {"V": ("1", "+1"), "nu": ("min",)}, {"V": ("hat",), "h": ()})
MEANS = [r"\|\phi_t\|_{\Sigma_t^{-1}}\le\beta", r"|\phi^\top w-P_hV|\le\beta\|\phi\|_{\Sigma_h^{-1}}",
         r"A=\Sigma+\phi\phi^\top", r"\max_\pi\mathbb E_\pi[(\phi_h^\top\theta)^2]\ge0", r"J(\pi)\le H-h",
         r"\sum_{t=1}^HV_t(s_t)\le H", r"A\succeq\frac12\Sigma", r"V^\pi=\max_aV(s,a)", r"P(E_t)\ge1-\beta",
         r"x\Sigma y\sim z", r"\operatorname{tr}(A^{-1}\phi\phi^\top)\le1"]
NOTHING = [r"\|\phi_t\|_{\beta_t^{-1}}\le\beta", r"\|\phi_\phi\|\le1",
           r"|\phi^\top w-P_hV|\le\Sigma\|\phi\|_{\Sigma^{-1}}",
           r"A=\beta+\phi\phi^\top", r"A=\phi\phi", r"\max_E\mathbb E_\pi[(\phi_h^\top\theta)^2]\ge0", r"J(h)\le H-h",
           r"\sum_{t=1}^\beta V_t(s_t)\le H", r"A\succeq\frac12H", r"h\le h", r"h_h\le H", r"H_t\le1",
           r"\min_\pi\max_\pi V^\pi\le1", r"\|\beta\|\le1", r"V^s\le1", r"\mathbb V[h]\le1", r"\mathcal\phi=1",
           r"V(a)\le1", r"\theta^2\le1", r"\frac1\phi\le1", r"\phi\le1", r"\beta^\pi\le1", r"\Sigma_\pi\succeq A"]

MEANS += [r"\hat V_1\le V_{h+1}", r"N\ge1", "h<H", r"x=0", r"\|\phi\|^2\ge1", r"N_0\le10\beta", r"\frac12\beta\ge0"]
NOTHING += [r"V_2\le1", r"V_{h+2}\le1", r"V_{h-1}\le1", r"\tilde V\le1", r"\tilde h\le1", r"N\le4", r"N\ge0", r"H=0",
            r"h>H", r"0+\beta\le1", r"\frac0{20}\le\beta", r"0\beta\le1", r"\beta\le1\beta", r"\|\phi\|^1\le1",
            r"\beta/1\le2", r"A^{-2}\succeq\Sigma", r"\phi_V\sim w", r"\|\phi\|^3\le1", r"P(P)\le1", r"\nu_{\max}\le1"]


@pytest.mark.parametrize("formula", MEANS)
def test_a_formula_that_means_something(formula):
    assert SORTS.problem(Text(f"${formula}$")) == ""


@pytest.mark.parametrize("formula", NOTHING)
def test_a_formula_that_means_nothing(formula):
    assert SORTS.problem(Text(f"${formula}$"))


def test_every_formula_of_every_statement_means_something():
    assert not {key: problem for key in PAPER.statements if (problem := PAPER.meaningless(key))}


def test_nothing_is_asked_of_letters_that_no_notation_names():
    assert Notation({}).problem(Text(r"$\|x\|_y+z\le q$")) == ""


def test_a_statement_with_such_a_formula_fails(monkeypatch):
    from dataclasses import replace
    statement = PAPER.statements["text-tail-inconsequential"]
    monkeypatch.setitem(PAPER.statements, statement.id,
                        replace(statement, statement=statement.statement.replace("h_k", "h_h")))
    word, _ = verify([statement.id]).surprises[statement.id]
    assert word == "failed"


def test_an_edit_that_means_nothing_is_told():
    told = edited(PAPER, "text-tail-inconsequential", "h_k", "h_h")
    assert told.refuted and "means nothing" in told.verdict


@pytest.mark.parametrize("words, right", [("with probability at least $1-\\delta$", True),
                                          ("probability $\\frac12$", True),
                                          ("with probability at least $1+\\delta$", False),
                                          ("with probability at least $2-\\delta$", False),
                                          ("with probability at most $0-\\delta$", False),
                                          ("the number $1+\\delta$", True)])
def test_a_probability_is_between_0_and_1(words, right):
    assert (Notation({}).problem(Text(words)) == "") is right
