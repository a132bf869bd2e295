"""The script that plants false texts, weakened searches and empty steps draws one change at a time."""

import ast

import planted
import pytest
import rules

from derl.claims import PAPER


@pytest.mark.parametrize("kind", ["weakened", "shortened", "tautologies"])
def test_what_is_drawn_fits_the_files_and_changes_one_place(kind):
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


def test_a_search_is_left_early_skips_a_branch_or_forgets(monkeypatch):
    path = rules.ROOT / "derl" / "claims" / "made.py"
    monkeypatch.setattr(planted, "searches", lambda: iter([(path, SEARCH, ast.parse(SEARCH).body[0])]))
    (found,) = planted.shortened()
    assert [(plant.line, plant.old, plant.new) for plant in sorted(found, key=lambda plant: plant.start)] == [
        (4, "n > 2", "False"), (5, "max(worst, n)", "n"), (6, "n", "False"),
        (7, "worst = min(n, worst)", "worst = min(n, worst)\n        break"),
        (9, "for _ in (1, 2):\n            worst += 1", "for _ in (1, 2):\n            worst += 1\n        break"),
        (10, "worst += 1", "worst += 1\n            break")]


@pytest.mark.parametrize("kind, field", [("texts", "statement"), ("other", "statement"), ("steps", "")])
def test_a_change_of_a_text_is_one_sign_of_one_statement(kind, field):
    for plant in planted.draw(kind, 12, 3):
        changed, before = planted.edited(plant), PAPER.statements[plant.about]
        fields = {name for name in ("statement", "proof", "erratum") if getattr(changed, name) != getattr(before, name)}
        assert len(fields) == 1 and (not field or fields == {field}), plant
        assert plant.field in (plant.field if not field else field) and plant.old != plant.new


def test_a_false_constant_is_noticed_and_the_truth_is_not():
    PAPER.register()
    plants = [plant for group in planted.texts() for plant in group if plant.about == "ineq-levels-fit"]
    assert planted.readers("ineq-levels-fit")[0] == "ineq-levels-fit"
    assert all(plant.field == "statement" for plant in plants)


def test_a_table_of_somebody_else_is_planted_row_by_row(tmp_path):
    path = tmp_path / "their.csv"
    path.write_text("id,old,new,why\n4.2,norm,trace,a\n"
                    "ineq-levels-fit,$H\\ge3$,$H\\ge2$,b\nineq-levels-fit,Then,When,c\n", encoding="utf-8")
    (second,) = planted.table(path, "2-2")
    assert planted.edited(second).statement == PAPER.text("ineq-levels-fit").replace(r"$H\ge3$", r"$H\ge2$")
    assert [plant.line for plant in planted.table(path, "2-")] == [2, 3]
    path.write_text("id,old,new,why\nineq-levels-fit,nowhere,here,a\nineq-levels-fit,L,M,b\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"row 1: ineq-levels-fit holds 'nowhere' 0 times\n.*row 2: .*'L' \d times"):
        planted.table(path, "1-")
