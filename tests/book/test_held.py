"""Every formula and number in the prose of a page is held by a statement, a value or a cell, or is recorded."""

import pytest
from held import Page, pages, problems, recorded, unheld
from page_items import in_cells, items, plain, prose, variants

PAGES = pages()
CELL = "\n\n```{code-cell} python\nf([1270], K=4)\n```\n"
MOST = 1800  # rows of recorded.csv; what a statement or a cell can hold does not belong there


def holding(text: str) -> dict[str, str]:
    """What holds the items of a page that is made up."""
    return {item.text: by for item, by in Page("made-up", text).by}


def test_every_formula_and_number_of_a_page_is_held_or_recorded():
    assert problems(unheld(PAGES), recorded()) == ([], []), "compare them, and run: python tests/book/held.py --renew"
    assert 200 < len(recorded()) <= MOST


@pytest.mark.parametrize("page, old, new", [
    ("lower-bounds/deterministic", r"\frac3{10}+\frac16=\frac7{15}", r"\frac3{10}+\frac16=\frac8{15}"),
    ("lower-bounds/deterministic", r"\cdot\frac12=\frac23$", r"\cdot\frac12=\frac24$"),
    ("lower-bounds/deterministic", "$K=4$ of the nine", "$K=5$ of the nine"),
    ("lower-bounds/deterministic", "for $d=4$ and $H=5$", "for $d=4$ and $H=6$"),
])
def test_a_planted_falsehood_is_held_by_nothing(page, old, new):
    assert PAGES[page].count(old) == 1
    spoilt = unheld({page: PAGES[page].replace(old, new)})
    assert problems(spoilt, {key: row for key, row in recorded().items() if key[0] == page})[0] != []


@pytest.mark.parametrize("text, by", [
    (r"It is $\frac13+\frac23\cdot\frac12=\frac23$.", "value"),
    (r"It is $\frac13+\frac23\cdot\frac12=\frac24$.", ""),
    (r"For $K=1$, $m=3$ it is $1-\frac{K+1}m=\frac13$.", "value"),
    (r"For $K=1$, $m=4$: $1-\frac{K+1}m=\frac13$.", ""),
    (r"As $(a+b)^2=a^2+2ab+b^2$.", "value"), (r"As $(a+b)^2=a^2+3ab+b^2$.", ""),
    (r"It is $1/\sqrt{4.4}\approx0.477$.", "value"), (r"It is $1/\sqrt{4.4}\approx0.478$.", ""),
    ("By {claim}`thm-lower-deterministic`, Theorem B.2", "place"), ("By {claim}`lem-trace-det`, Theorem B.2", ""),
    (f"Take $K=4$.{CELL}", "cell"), (f"Take $K=5$.{CELL}", ""), (f"It meets 1270.{CELL}", "cell"),
    ("It meets 1270.", ""),
])
def test_what_holds_the_last_item_of_a_sentence(text, by):
    assert list(holding(text).values())[-1] == by


def test_the_value_of_a_letter_is_held_by_the_equality_that_uses_it():
    found = holding(r"For $K=1$ and $m=3$ it is $1-\frac{K+1}m=\frac13$, and $N=7$.")
    assert found["K=1"] == found["m=3"] == "set" and found["N=7"] == ""


def test_what_would_hold_a_false_variant_as_well_holds_loosely():
    both = "```{code-cell} python\nfor K in (3, 4):\n    f(K=K)\n```\n"
    assert holding(f"Take $K=4$.\n\n{both}") == {"K=4": "loose"}
    assert holding("As $134<12^2$.") == {"134<12^2": "loose"} and holding("As $145<12^2$.") == {"145<12^2": ""}


def test_items_and_their_variants():
    found = list(items(prose("Take $x\\le2$ of `7` with Lemma C.3, line 781 and 12 more {claim}`lem-trace-det`.")))
    assert [(item.text, item.place) for item in found] == [
        (r"x\le2", ""), ("C.3", "lemma"), ("781", "line"), ("12", "line")]
    assert list(variants(r"x\le2")) == [r"x\le3", r"x\le1", r"x\ge2"]
    assert list(variants(r"\frac12")) == [r"\frac22", r"\frac02", r"\frac13", r"\frac11"]


def test_what_does_not_change_the_meaning_of_a_formula():
    assert plain(r"\tfrac12\,x^{2}") == plain(r"\frac{1}{2} x^2.") != plain(r"\frac{1}{3} x^2")


def test_numbers_of_cells_with_their_names():
    cell = ("from derl.theory.lower_bounds import bandit_game\n"
            "```{code-cell} python\n:tags: [a]\nb = Fraction(2, 5)\nbandit_game.bayes_failure(3, K=2)\n```\n")
    numbers, pairs = in_cells(cell, cell)
    assert {str(number) for number in numbers} == {"2", "5", "2/5", "3"}
    assert {(name, str(value)) for name, value in pairs} == {("b", "2/5"), ("m", "3"), ("K", "2")}
