"""What follows in a panel without being asked: alternatives, the end of a process, the cells of a table."""

import pytest

from derl.inputs import Invalid
from derl.show.drawing import InvalidChoice
from derl.show.labs.controls import Choice, Depends, Lab, Steps, View
from derl.show.labs.desk import Desk
from derl.show.labs.editors import Grid, editor_of
from derl.show.labs.panel import panel
from derl.show.labs.texts import Sheet, Table

KINDS = {"fruit": (("apple", 3), ("pear", 4)), "root": (("beet", 5),)}


def kinds(group):
    return KINDS[group]


def small(view=lambda k, group, kind: View(f"{k} of {kind}", ("",), kind)):
    return Lab("x", "x", "x", view, (Steps("k", "k", 0, 0, 9), Choice("group", "group", tuple(KINDS), "fruit"),
                                     Depends("kind", "kind", kinds, ("group",), 4)), "x")


def test_what_depends_follows_and_remembers():
    desk = Desk(small())
    group, kind = desk.widgets["group"], desk.widgets["kind"]
    assert kind.value == 4
    group.value = "root"
    desk.settle()
    assert desk.values["kind"] == 5
    desk.follow(View("x", ("",)))
    assert kind.disabled  # nothing to choose
    group.value = "fruit"
    desk.settle()
    desk.follow(View("x", ("",)))
    assert desk.values["kind"] == 4 and not kind.disabled


def test_corners_are_those_that_exist():
    corners = [(corner["group"], corner["kind"]) for corner in small().corners]
    assert sorted(set(corners)) == [("fruit", 3), ("fruit", 4), ("root", 5)] and len(corners) == 6
    with pytest.raises(Invalid, match="kind"):
        Lab("x", "x", "x", View, (Choice("group", "g", tuple(KINDS), "fruit"),
                                  Depends("kind", "k", kinds, ("group",), 5)), "x")


def test_who_stands_at_the_end_stays_there():
    desk = Desk(small())
    steps = desk.widgets["k"]
    assert not desk.follow(View("x", ("",), 4)) and (steps.value, steps.max) == (0, 4)
    steps.value = 4
    assert desk.follow(View("x", ("",), 7)) and steps.value == 7
    steps.value = 3
    desk.follow(View("x", ("",), 9))
    assert steps.value == 3


def test_a_panel_draws_once_what_it_moves_by_itself():
    seen = []

    def view(k, group, kind):
        seen.append((k, group, kind))
        return View("x", ("",), kind)

    made = panel(small(view))
    seen.clear()
    row = made.children[1]  # where something depends, the choices stand first
    row.children[0].value = "root"
    assert seen == [(0, "root", 5)]


def sheet(text):
    if not text:
        raise InvalidChoice("empty")
    rows = tuple(tuple(line.split()) for line in text.splitlines())
    return Sheet(tuple(map(str, range(len(rows[0])))), tuple(map(str, range(len(rows)))), rows, (1, len(rows[0]) - 1))


def test_a_table_and_its_text_follow_each_other():
    control = Table("t", "t", {"one": "1 2\n3 4", "two": "5 6"}, "one", sheet,
                    lambda cells, sizes: "\n".join(" ".join(row) for row in cells),
                    {"+": lambda text: sheet(text) and text + "\n0 0"})
    desk = Desk(Lab("x", "x", "x", View, (control,), "x"))
    area = desk.widgets["t"]
    grid = Grid(control, area)
    assert [[cell.value for cell in row] for row in grid.cells] == [["1", "2"], ["3", "4"]]
    grid.cells[1][0].value = "9"
    assert area.value == "1 2\n9 4"
    grid.whole.children[1].children[0].click()
    assert len(grid.cells) == 3 and area.value.endswith("\n0 0")
    area.value = ""  # no table: the cells stay, and a button does nothing
    grid.whole.children[1].children[0].click()
    assert len(grid.cells) == 3
    editor = editor_of(control, area, grid)
    editor.children[0].value = "two"
    assert [[cell.value for cell in row] for row in grid.cells] == [["5", "6"]]
    grid.mark(((0, 1),))
    assert "derl-bad" in grid.cells[0][1]._dom_classes and "derl-bad" not in grid.cells[0][0]._dom_classes
    grid.mark(())
    assert "derl-bad" not in grid.cells[0][1]._dom_classes
