r"""What a text says for given letters, and what becomes of a statement whose text is edited."""

from fractions import Fraction as F

import pytest
import second_paper

from derl.judge.places import reading
from derl.judge.trial import run_check
from derl.ledger.edited import UnusableEdit, edited
from derl.ledger.saying import Unsayable, chosen, formulas, lines, number, said, shown_value, table
from derl.printed import Range, Text

TEXT = Text(r"For $d\ge2$, $0<\epsilon\le1$: $N\ge\frac{d^2}{\epsilon}$, $\|A\|\le\sqrt d$, $B\le\|A\|$ and $N=1$.",
            "made")
PAPER = second_paper.PAPER


def test_formulas_are_listed_with_their_letters_and_ranges():
    assert [formula.begins for formula in formulas(TEXT)] == [r"N\ge", r"\|A\|\le", r"B\le", "N="]
    assert list(lines(TEXT))[0].endswith("[2 <= d, 0 < epsilon <= 1]") and "not arithmetic" in list(lines(TEXT))[2]


def test_a_value_is_exact_where_it_is_rational():
    assert said(chosen(TEXT, r"N\ge"), {"d": F(4), "epsilon": F(1, 10)}) == 160
    assert said(chosen(TEXT, r"\|A\|"), {"d": F(9)}) == 3
    assert shown_value(F(160)) == "160" and shown_value(F(1, 3)) == "1/3 = about 0.3333333333"
    assert shown_value(said(chosen(TEXT, r"\|A\|"), {"d": F(2)})) == "about 1.414213562"
    assert shown_value(F(7) ** 900) == "about 3.874681533e+760"


@pytest.mark.parametrize("begins, letters, says", [
    (r"N\ge", {"d": F(1), "epsilon": F(1)}, "d is 1; allowed is 2 <= d"),
    (r"N\ge", {"d": F(2), "epsilon": F(0)}, "epsilon is 0; allowed is 0 < epsilon <= 1"),
    (r"N\ge", {"d": F(2)}, "epsilon has none"), (r"N\ge", {"q": F(2)}, "has no letter q; its letters are d, epsilon"),
    (r"B\le", {}, "cannot be evaluated"), ("M", {}, "no formula of made begins with M"), ("N", {}, "2 formulas")])
def test_what_cannot_be_said_is_refused_with_one_line(begins, letters, says):
    with pytest.raises(Unsayable, match=says) as problem:
        said(chosen(TEXT, begins), letters)
    assert "\n" not in str(problem.value)


def test_numbers_as_they_are_typed():
    assert [number(typed, "d") for typed in ("3", "1/10", "0.1", "1e-3")] == [3, F(1, 10), F(1, 10), F(1, 1000)]
    for typed in ("", "ten", "1/0", "1e999999999", "9" * 99, "nan"):
        with pytest.raises(Unsayable, match="allowed are numbers"):
            number(typed, "d")


@pytest.mark.parametrize("claim, old, new, words, refuted", [
    ("lem-odd-numbers", "=n^2", "=n^3", {"refuted"}, True), ("lem-odd-numbers", "(2n-1)", "(2n-2)", {"refuted"}, True),
    ("lem-odd-numbers", "=n^2", r"=\|n\|", {"unreadable"}, False),
    ("res-euler-primes", "39", "40", {"other value"}, True), ("res-euler-primes", "39", "38", {"holds"}, False),
    ("res-euler-primes", "is prime", "is odd", {"elsewhere"}, False),
    ("thm-euler-primes", "n^2+n+41", "n^2+n+43", {"not refuted"}, False),
    ("thm-euler-primes", "n^2+n+", "", {"not refuted"}, False),  # the beginning of what is read is gone
    ("thm-euler-primes", r"n\ge0", r"n\ge1", {"still refuted"}, True)])
def test_each_check_says_what_becomes_of_an_edited_statement(claim, old, new, words, refuted):
    found = edited(PAPER, claim, old, new)
    assert {answer.word for answer in found.answers} == words and found.refuted == refuted
    assert all("\n" not in str(answer) for answer in found.answers) and found.verdict
    assert found.checked == (not words <= {"unreadable", "elsewhere"})


@pytest.mark.parametrize("old, new", [("nowhere", "x"), ("n", "m"), ("39", "39"), ("", "x")])
def test_an_edit_that_names_no_single_piece_is_unusable(old, new):
    with pytest.raises(UnusableEdit):
        edited(PAPER, "res-euler-primes", old, new)


def test_the_reading_of_a_statement_counts_places_and_shows_what_is_free():
    source = PAPER.text("res-euler-primes")
    found = reading(source, [run_check(check, True) for check in PAPER.register().of("res-euler-primes")])
    assert found.read == found.places and found.unread == () and found.count("rejected") > 5
    assert all("[" in one and " -> " in one for one in found.free)
    assert f"{found.count('rejected')} rejected" in str(found)
    assert reading(source, []).read == 0 and len(reading(source, []).unread) == 2


@pytest.mark.parametrize("printed, why", [
    (r"J(\pi)", "pi"), (r"2J(\pi)+1", "J, pi"), ("V_h^*+V_h^k", "V_h"), (r"\phi\phi^\top", "phi"),
    ("2x^*(N)", "x^* is no number"),
    (r"2\zeta(N,d)", "zeta is no number"), (r"w_h^k", "w_h"), (r"2\tilde O(d)", "is no number"),
    (r"\mathbb R^d", "mathbb R"),
    (r"\sum_{h=1}^Hn_h", "n_h has a value for each h"), ("r^{plan}", "a word"), ("1/d(N+1)", "needs a bracket"),
    ("2B+1", "B is nowhere said to be a number")])
def test_what_is_no_formula_of_numbers_is_not_computed(printed, why):
    rows = [{"letter": letter, "values": "1 <= whole", "example": "2", "except": "made" * (letter == "B")}
            for letter in ("d", "N", "H", "k", "h", "x^*", r"\zeta", "n_h", "B")]
    (found,) = [one for one in formulas(Text(f"$Y={printed}$"), table(rows, "made"))]
    assert found.node is None and why in found.why and not found.numbers


def test_a_letter_has_the_range_of_its_text_within_that_of_the_table():
    rows = [{"letter": "d", "values": "1 <= whole", "example": "2", "except": ""}]
    (found,) = formulas(Text(r"For $d\ge3$: $N\ge2d$."), table(rows, "made"))
    assert found.numbers["d"].allowed == Range(F(3), whole=True) and found.numbers["d"].example == "3"
    with pytest.raises(Unsayable, match="d is 7/2; allowed is 3 <= d, whole"):
        said(found, {"d": F(7, 2)})
