"""A number in a sentence is printed by the run, or is one of a short list that names its origin.

A row of numbers.csv says where a typed number of a page comes from: a statement of claims.yml, a file or a cell of the
page, which has to contain the literal, or arithmetic, which is computed again.
"""

import csv

import pytest
from origins import amiss
from rules import ROOT
from typed_numbers import prose, typed

ROWS = list(csv.DictReader((ROOT / "tests" / "book" / "numbers.csv").read_text(encoding="utf-8").splitlines()))
PAGES = {path.relative_to(ROOT / "book").with_suffix("").as_posix(): path.read_text(encoding="utf-8")
         for path in sorted((ROOT / "book").rglob("*.md")) if "node_modules" not in path.parts}
LONGEST = 65  # rows; a number that could be printed by the run does not belong there


def unlisted(pages: dict[str, str], rows: list[dict]) -> list[str]:
    """Typed numbers without a row, with their sentences."""
    known = {(row["page"], row["number"]) for row in rows}
    return [f"{page}: {number.number!r} in: {number.sentence}" for page, text in pages.items()
            for number in typed(text) if (page, number.number) not in known]


def test_every_typed_number_that_looks_like_a_result_is_printed_by_a_run_or_has_a_row():
    assert len(PAGES) > 35
    assert unlisted(PAGES, ROWS) == []


def test_every_row_is_about_a_number_of_its_page_and_names_where_it_comes_from():
    assert len(ROWS) <= LONGEST
    found = {(page, number.number) for page, text in PAGES.items() for number in typed(text)}
    assert [row for row in ROWS if (row["page"], row["number"]) not in found] == []
    assert {f"{row['page']} {row['number']}": amiss(row, PAGES) for row in ROWS if amiss(row, PAGES)} == {}


@pytest.mark.parametrize("planted, number", [
    ("The run takes 37 deployments.", "37"), ("The ratio is 3.4.", "3.4"), ("It is $1.9\\cdot10^6$.", "10^6"),
    ("It needs $10^{-8}$.", "10^{-8}"), ("The loss is $0.96$.", "0.96"), ("It is ten times faster.", "ten times"),
    ("That saves 90 %.", "90 %"), ("About 5 per cent are lost.", "5 per cent"), ("It wins by a factor of two.", "two"),
    ("They fall by five orders of magnitude.", "orders of magnitude"), ("It costs 2,000 words.", "2,000"),
    ("The estimate is $-1624$.", "1624"), ("With probability $e^{-700}$.", "e^{-700}"), ("$K=421$ is enough.", "421"),
    ("| rule | 3 times |", "3 times"), ("A hundred runs, of which about a dozen fail.", "dozen"),
    (":::{admonition} Result\nIt takes 208 steps.\n:::", "208"), ("```{headline} thm-a\nIt loses 0.24.\n```", "0.24"),
    ('```{code-cell} python\n:  image: {alt: "It peaks at 1.4."}\ndraw()\n```', "1.4"),
    ("```{code-cell} python\n:    alt: It needs ten times more.\ndraw()\n```", "ten times"),
])
def test_a_planted_result_is_seen(planted, number):
    found = unlisted({"page": f"# Page\n\n{planted}\n"}, [])
    assert found and number in found[0], found


@pytest.mark.parametrize("innocent", [
    "Theorem 4.1 and Lemmas C.3, C.4 of Section 4.1 (line 781) are right.", "Run `derl verify --seeds 64`.",
    "Take $N=10^{12}$ and $\\epsilon=\\frac15$.", "About $d^{15}H^{15}/\\epsilon^5$ trajectories.",
    "The loss is {measured}`thm-a/check`.", "ICLR 2022, [arXiv:2202.06450](https://arxiv.org/abs/2202.06450).",
    "By (31) and $\\frac7{16}$ two policies are left.",
    "```{code-cell} python\nprint(208, 3.4)\n```", "```{claim} lem-a\n```", "At $c_K=20$ and $\\delta\\le0.05$.",
    ":::{dropdown} Proof\nThe bracket is 134, and $134<12^2$.\n:::", "It needs Python 3.11.",
])
def test_an_innocent_sentence_is_accepted(innocent):
    assert unlisted({"page": f"# Page\n\n{innocent}\n"}, []) == []


def test_a_worked_example_is_computed_by_its_cell_or_is_looked_at():
    by_hand = "## The smallest example, by hand\n\nIt is 0.0913.\n\n{}\n## Next\n\nIt is 0.5.\n"
    assert [number.number for number in typed(by_hand.format("```{code-cell} python\nprint()\n```\n"))] == ["0.5"]
    assert [number.number for number in typed(by_hand.format(""))] == ["0.0913", "0.5"]


@pytest.mark.parametrize("row, complaint", [
    ({"where": "arithmetic", "literal": "1 / 3", "number": "0.5"}, "1 / 3 is 0.3333"),
    ({"where": "arithmetic", "literal": "open('x')", "number": "0.5"}, "no arithmetic"),
    ({"where": "cell", "literal": "n_states=21", "number": "21"}, "cell does not contain"),
    ({"where": "lem-trace-det", "literal": "208", "number": "208"}, "lem-trace-det does not contain"),
    ({"where": "derl/nothing.py", "literal": "208", "number": "208"}, "no statement and no file"),
])
def test_an_origin_that_does_not_have_the_number_is_named(row, complaint):
    assert complaint in amiss({"page": "install"} | row, PAGES)
    assert amiss({"page": "install", "where": "cell", "literal": "n_states=20", "number": "20"}, PAGES) == ""


def test_code_proofs_and_roles_are_no_prose():
    code, proof = "```python\ncode\n```\n", ":::{dropdown} Proof\nstep\n:::\n"
    text = prose(f"---\na: 1\n---\nWords `x = 7` {{claim}}`lem-a`.\n\n{code}\n{proof}")
    assert text.split() == ["Words", "."]
