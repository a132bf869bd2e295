"""The script that plants false texts, weakened checks, swapped controls and empty steps draws one change at a time."""

import ast
import importlib
import sys

import pytest
import rules


@pytest.fixture(scope="module")
def planted():
    sys.path.insert(0, str(rules.ROOT / "attacks"))
    yield importlib.import_module("planted")
    sys.path.remove(str(rules.ROOT / "attacks"))


@pytest.mark.parametrize("kind", ["texts", "steps", "weakened", "shortened", "swapped", "tautologies", "pages"])
def test_what_is_drawn_fits_the_files_and_changes_one_place(planted, kind):
    plants = planted.draw(kind, 12, 3)
    assert len({(plant.file, plant.start) for plant in plants}) == 12 and plants == planted.draw(kind, 12, 3)
    assert plants != planted.draw(kind, 12, 4)
    for plant in plants:
        text = (rules.ROOT / plant.file).read_text(encoding="utf-8")
        assert text[plant.start:plant.start + len(plant.old)] == plant.old != plant.new, plant
        if plant.file.endswith(".py"):
            ast.parse(text[:plant.start] + plant.new + text[plant.start + len(plant.old):])


SEARCH = """def search() -> Evidence:
    worst = 0
    for n in range(4):
        if n > 2:
            worst = max(worst, n)
        low = 1 if n else 2
        worst = min(n, worst)
    while worst < 9:
        for _ in (1, 2):
            worst += 1
    return Evidence(worst)
"""


def test_a_search_is_left_early_skips_a_branch_or_forgets(planted, monkeypatch):
    path = rules.ROOT / "derl" / "claims" / "made.py"
    monkeypatch.setattr(planted, "searches", lambda: iter([(path, SEARCH, ast.parse(SEARCH).body[0])]))
    (found,) = planted.shortened()
    assert [(plant.line, plant.old, plant.new) for plant in sorted(found, key=lambda plant: plant.start)] == [
        (4, "n > 2", "False"), (5, "max(worst, n)", "n"), (6, "n", "False"),
        (7, "worst = min(n, worst)", "worst = min(n, worst)\n        break"),
        (9, "for _ in (1, 2):\n            worst += 1", "for _ in (1, 2):\n            worst += 1\n        break"),
        (10, "worst += 1", "worst += 1\n            break")]


def test_texts_are_those_of_their_statement(planted):
    text = """lem-a:
  kind: lemma
  title: Title 7
  statement: |
    For $d\\ge4$.
  page: x/y
  erratum:
    printed: |-
      At most 3.
    class: gap
  proof:
    - say: |
        Every $x^2$.
      check: ["f#1"]
lem-b:
  statement: |
    No number.
"""
    found = [(key, kind, text[first:last].strip()) for key, kind, first, last in planted.regions(text)]
    assert found == [("lem-a", "texts", r"For $d\ge4$."), ("lem-a", "steps", "At most 3."),
                     ("lem-a", "steps", "Every $x^2$."), ("lem-b", "texts", "No number.")]


@pytest.mark.parametrize("text, old, new", [
    ("at 560", "560", "5600"), ("$x^2$", "^2", "^3"), (r"$a\le b$", r"\le", r"\ge"), ("for every d", "every", "some"),
    (r"$\min_x$", r"\min", r"\max"), ("$c_K-1$", "-", "+"), ("at least one", "at least", "at most")])
def test_one_place_of_a_text_is_spoilt(planted, text, old, new):
    assert (text.index(old), old, new) in list(planted.spoilt(text))


def test_references_stay_and_signs_change_in_formulas_only(planted):
    assert list(planted.spoilt("see {claim}`lem-2-3`, and pairs-7 of a kind")) == []
    assert [found[1] for found in planted.spoilt("pairs-7, $n-7$ and {claim}`lem-2-3`")] == ["-"]


def test_what_is_planted_in_prose(planted):
    page = ("---\na: 1\n---\nTake $x^2\\le\\frac12$ by Lemma C.3 and `7`, [here](a1.md), or 12.\n\n"
            "```{code-cell} python\nf(5)\n```\n")
    assert [(old, new) for _, old, new in planted.in_prose(page)] == [
        ("2", "3"), ("12", "13"), ("C.3", "C.4"), ("12", "13"), ("\\le", "\\ge")]
