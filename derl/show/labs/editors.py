"""Editors of a text: as it is, or as a table whose cells, rows and columns are edited."""

from __future__ import annotations

import html

import ipywidgets as widgets

from derl.inputs import Invalid
from derl.show.labs.texts import Sheet, Table, Text

CELL, NAME = "4.4em", "4.4em"  # widths


class Grid:
    """The cells of a table. The text is the source: cells write it, and follow it if it is changed elsewhere."""

    def __init__(self, control: Table, area: widgets.Textarea):
        self.control, self.area, self.shown, self.busy = control, area, None, False
        self.cells: list[list[widgets.Text]] = []
        self.box = widgets.GridBox()
        self.box.add_class("derl-sheet")
        self.box.add_class(f"derl-control-{control.name}")
        buttons = [self._button(number, words) for number, words in enumerate(control.edits)]
        self.whole = widgets.VBox([self.box, widgets.HBox(buttons, layout={"flex_flow": "row wrap"})])
        area.observe(lambda _: self.follow(), "value")
        self.follow()

    def _button(self, number: int, words: str) -> widgets.Button:
        button = widgets.Button(description=words, layout={"width": "auto"})
        button.add_class(f"derl-edit-{self.control.name}-{number}")

        def edit(_):
            try:
                self.area.value = self.control.edits[words](self.area.value)
            except Invalid:  # what is wrong with the text is said in the place of the picture
                return

        button.on_click(edit)
        return button

    def follow(self) -> None:
        """Show what the text says; a text that is no table leaves the cells as they are."""
        if self.busy:
            return
        try:
            sheet = self.control.sheet(self.area.value)
        except Invalid:
            return
        self.busy = True
        if self.shown is None or (self.shown.rows, self.shown.columns) != (sheet.rows, sheet.columns):
            self._build(sheet)
        for row, words in zip(self.cells, sheet.cells, strict=True):
            for cell, word in zip(row, words, strict=True):
                cell.value = word
        self.shown, self.busy = sheet, False

    def _build(self, sheet: Sheet) -> None:
        self.cells, children = [], [widgets.Label("", layout={"width": NAME})]
        group = [number for number, size in enumerate(sheet.sizes) for _ in range(size)]
        children += [widgets.Label(name, layout={"width": CELL}) for name in sheet.columns]
        for name in sheet.rows:
            row = [widgets.Text(layout={"width": CELL, "margin": "1px"}) for _ in sheet.columns]
            for at, cell in enumerate(row):
                if group[at] % 2:
                    cell.add_class("derl-group")
                cell.observe(lambda _: self._write(), "value")
            self.cells.append(row)
            children += [widgets.Label(name, layout={"width": NAME}), *row]
        self.box.children = children
        self.box.layout.grid_template_columns = f"{NAME} repeat({len(sheet.columns)}, {CELL})"

    def _write(self) -> None:
        if not self.busy:
            self.busy = True
            self.area.value = self.control.write([[cell.value for cell in row] for row in self.cells], self.shown.sizes)
            self.busy = False

    def mark(self, marks) -> None:
        """Mark the cells of these rows and groups."""
        first = [sum(self.shown.sizes[:group]) for group in range(len(self.shown.sizes))]
        bad = {(row, at) for row, group in marks for at in range(first[group], first[group] + self.shown.sizes[group])}
        for i, row in enumerate(self.cells):
            for j, cell in enumerate(row):
                if (i, j) in bad:
                    cell.add_class("derl-bad")
                elif "derl-bad" in cell._dom_classes:
                    cell.remove_class("derl-bad")


def editor_of(control: Text, area: widgets.Textarea, grid: Grid | None = None) -> widgets.VBox:
    """The text under what it means and a choice of beginnings; where it is a table, the text can be opened below."""
    begin = widgets.Dropdown(options=list(control.starts), value=control.first, description="begin with")
    begin.style.description_width, begin.layout.width = "9em", "min(430px, 100%)"
    begin.add_class(f"derl-begin-{control.name}")
    begin.observe(lambda change: setattr(area, "value", control.starts[change["new"]]), "value")
    words = widgets.HTML(html.escape(control.words))
    if grid is None:
        return widgets.VBox([begin, words, area])
    as_text = widgets.Accordion([area], titles=["the same as text, to copy and paste"], selected_index=None)
    return widgets.VBox([begin, words, grid.whole, as_text])
