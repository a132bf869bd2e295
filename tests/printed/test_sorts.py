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


SAID = [  # what is refused, and the words for it
    (r"\beta\le h\ge1", "relations of both directions"), (r"\beta+h\le\beta+h", r"\beta+h is compared with itself"),
    (r"A\le\Sigma", r"\le compares a matrix with a matrix"), (r"\phi<\beta", "< compares a vector with a number"),
    (r"A\succeq\beta", r"\succeq compares a matrix with a number"),
    (r"\phi\prec A", r"\prec compares a vector with a matrix"), (r"h\in\mathbb R^d", "a whole is no vector"),
    (r"A=\phi", "a matrix is no vector"), (r"\phi=\phi^\top", "a vector is no row"),
    (r"\phi+A\sim x", "a vector and a matrix have no sum"), (r"\beta-\pi\le1", "a number and a policy have no sum"),
    (r"\beta/\phi\le1", "nothing is divided by a vector"), (r"\frac\beta A\le1", "nothing is divided by a matrix"),
    (r"\beta(s,a)\le1", "a number has no arguments"), (r"h(s,a)\le1", "a whole has no arguments"),
    (r"P\pi\le1", "a measure and a policy have no product"), (r"PA\le1", "a measure and a matrix have no product"),
    (r"\phi w\le1", "a vector and a vector have no product"),
    (r"A\phi^\top\sim x", "a matrix and a row have no product"),
    (r"\phi^\top w^\top\le1", "a row and a row have no product"),
    (r"\phi A\sim x", "a vector and a matrix have no product"),
    (r"\sqrt\phi\le1", "a root of a vector"), (r"\sqrt[3]{A}\le1", "a root of a matrix"),
    (r"\log A\le1", "a logarithm of a matrix"), (r"\exp\phi\le1", "a logarithm of a vector"),
    (r"\lceil\phi\rceil\le1", "rounding of a vector"), (r"\lfloor A\rfloor\le1", "rounding of a matrix"),
    (r"\mathbb V\le1", r"there is no \mathbb V"), (r"\mathcal v\le1", r"there is no \mathcal v"),
    (r"\det\beta\le1", r"a number has no \det"), (r"\operatorname{tr}(\phi)\le1", r"a vector has no \operatorname{tr}"),
    (r"|\phi|\le1", "a vector has no absolute value"), (r"|\pi|\le1", "a policy has no absolute value"),
    (r"\tilde V\le1", r"there is no \tilde V"), (r"H_t\le1", "H has no index"),
    (r"\phi_\phi\sim x", r"\phi is its own"),
    (r"\lambda_{\min}(\phi)\le1", "a vector has no eigenvalues"),
    (r"\sigma_{\max}(h)\le1", "a whole has no eigenvalues"),
    (r"V_2\le1", "V has the index 2"), (r"V_{h+2}\le1", "V has the index h+2"), (r"V_{h-1}\le1", "V has the index h-1"),
    (r"\pi(a)=a", "a policy has no action at a action"),
    (r"J(s)\le1", "J is a function of policies and not of a state"),
    (r"P(P)\le1", "P of a measure"), (r"V(A)\le1", "V is no function of a matrix"),
    (r"\langle\phi,h\rangle\le1", "an inner product is of two vectors"), (r"\|\beta\|\le1", "a number has no norm"),
    (r"\|\pi\|\le1", "a policy has no norm"), (r"\|\phi\|^3\le1", "a norm to the power 3"),
    (r"\|\phi\|_A^3\le1", "a norm to the power 3"), (r"\|\phi\|_\beta\le1", "a norm has a matrix and no number"),
    (r"\|\phi\|_w\le1", "a norm has a matrix and no vector"),
    (r"\|A\|_\Sigma\le1", "the norm with a matrix is that of a vector and not of a matrix"),
    (r"\max_E\beta\le1", "nothing runs over an event"), (r"\sum_AV\le1", "nothing runs over a matrix"),
    (r"\min_\pi\max_\pi V^\pi\le1", r"two things run over \pi"),
    (r"\sum_h\beta\le1", "h does not occur in what runs over it"),
    (r"\sum_{t=1}^\beta V_t\le1", "a sum has a whole number as its end and no number"),
    (r"\max\{\phi,h\}\le1", "an extreme of what is no number"),
    (r"\Sigma_\pi\succeq A", "a policy is no index of a matrix"),
    (r"w_\phi\sim x", "a vector is no index"), (r"w_A\sim x", "a matrix is no index"),
    (r"\phi_V\sim x", "a function is no index of a vector"), (r"A_E\sim x", "an event is no index of a matrix"),
    (r"\phi_\beta\sim x", "a number that is not whole is no index"), (r"V^\top\le1", "a function is not transposed"),
    (r"\beta^\phi\le1", "a vector is no exponent"), (r"\beta^A\le1", "a matrix is no exponent"),
    (r"A^{-2}\sim x", "a matrix to the power -2"), (r"\phi^2\le1", "a vector has no power"),
    (r"\phi^\beta\sim x", "a vector has no number as its exponent"), (r"\beta^\pi\le1", "a number has no policy"),
    (r"V^a\le1", "a function has no action as its index above"), (r"N\le4", "no number is above the size N"),
    (r"H\ge0", "the size H is at least 1"), (r"N=0", "the size N is at least 1"), (r"0<H", "the size H is at least 1"),
    (r"h>H", "h counts up to H and is not above it"), (r"H\le t", "t counts up to H and is not above it"),
    (r"0+\beta\le1", r"a zero in 0+\beta"), (r"\beta-0\le1", r"a zero in \beta-0"),
    (r"0\beta\le1", r"a zero in 0\beta"),
    (r"\frac{0h}\beta\le1", r"a zero in \frac{0h}\beta"),
    (r"1\beta\le2", r"a factor, a divisor or an exponent 1 in 1\beta"),
    (r"\beta/1\le2", r"a factor, a divisor or an exponent 1 in \beta/1"),
    (r"\beta\cdot1\le2", r"a factor, a divisor or an exponent 1 in \beta\cdot1"),
    (r"\beta^1\le2", r"a factor, a divisor or an exponent 1 in \beta^1")]
NEXT = [  # nearly the same, and meant: no rule refuses more than it says
    r"0\le\beta\le h", r"\beta+h\le\beta+t", r"A\preceq\Sigma", r"\phi=0", r"A\succeq0", r"\phi\in\mathbb R^d",
    r"\phi=A\phi", r"\phi^\top=\phi^\top A", r"\phi+w=\theta", r"\beta-h\le1", r"\beta/h\le1", r"\frac A\beta=\Sigma",
    r"V(s,a)\le1", r"PV\le1", r"\phi^\top w\le1", r"\phi w^\top=A", r"\phi^\top A\phi\le1", r"\sqrt\beta\le1",
    r"\sqrt[3]\beta\le\sqrt[t]{2h}",
    r"\log\beta\le1", r"\lceil\beta\rceil\le h", r"\mathbb E V\le1", r"\mathcal V\sim x", r"\det A\le\beta",
    r"\operatorname{tr}(A)\le1", r"|\beta|\le1", r"|V|\le1", r"\hat V\le1", r"\phi_h=w", r"\lambda_{\min}(A)\le1",
    r"V_1\le1", r"V_{h+1}\le1", r"\nu_{\min}\le1", r"\pi(s)=a", r"J(\pi)\le1", r"P(E)\le1",
    r"\langle\phi,w\rangle\le1", r"\|A\|\le1", r"\|\phi\|_A^2\le1", r"\|\phi\|_{A^{-1}}\le1", r"\max_\pi J(\pi)\le1",
    r"\sum_hV_h\le1", r"\sum_h(\beta+h)\le1", r"\sum_{t=1}^HV_t\le1", r"\max\{\beta,h\}\le1", r"\Sigma_h\succeq A",
    r"w_h=\phi", r"A_{ij}\le1", r"\phi_{h,1}=w", r"\phi^\top\phi\le1", r"A^{-1}\succeq\Sigma", r"A^2\succeq\Sigma",
    r"\beta^2\le1", r"V^\pi\le1", r"N\ge4", r"H\ge1", r"N=1", r"h\le H", r"H\ge t", r"\beta=0", r"\beta_0\le1",
    r"\beta-1\le1", r"10\beta\le1", r"\frac1\beta\le1", r"\beta^{10}\le1", r"\beta_1\le2", r"h\in\{0,1\}"]


@pytest.mark.parametrize("formula, words", SAID, ids=[row[0] for row in SAID])
def test_what_means_nothing_is_said_in_words(formula, words):
    assert SORTS.problem(Text(f"${formula}$")).startswith(words)


@pytest.mark.parametrize("formula", NEXT)
def test_what_is_next_to_it_means_something(formula):
    assert SORTS.problem(Text(f"${formula}$")) == ""
