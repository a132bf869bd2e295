"""A lab as widgets of Jupyter.

A moved control has its picture drawn a moment later, and all moves in the meantime share one picture: a slider that is
dragged over twenty positions costs one picture and not twenty.
"""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable

import ipywidgets as widgets

from derl.inputs import Invalid
from derl.show.labs.controls import Depends, Lab, Steps, page
from derl.show.labs.desk import Desk
from derl.show.labs.editors import Grid, editor_of
from derl.show.labs.texts import Table, Text

PAUSE = 0.08  # seconds without a move before a picture is drawn
INTERVAL = 700  # milliseconds between two steps that are played
LOOK = """<style>
.derl-lab {max-width: 1100px; overflow: visible}
.derl-lab .derl-parts {display: flex; flex-wrap: wrap; gap: 10px; align-items: flex-start}
.derl-lab .derl-part {flex: 1 1 320px; min-width: min(300px, 100%); max-width: 100%; overflow-x: auto}
.derl-lab .derl-part svg {width: 100%; height: auto; max-width: 760px}
.derl-lab .derl-sentence {font-weight: 600; line-height: 1.4; margin: 6px 0; white-space: normal}
.derl-lab .derl-error {color: var(--jp-error-color1); font-weight: 600}
.derl-lab table {border-collapse: collapse} .derl-lab td, .derl-lab th {padding: 2px 8px; text-align: left;
  line-height: 1.35; vertical-align: top; overflow-wrap: anywhere}
.derl-lab th {white-space: nowrap} .derl-lab pre {font-size: 11px; overflow-x: auto}
.derl-lab .derl-sheet {overflow-x: auto; max-width: 100%}
.derl-lab .derl-sheet .widget-label {font-size: 12px; margin: 0; text-align: center}
.derl-lab .derl-sheet input {padding: 0 3px; text-align: center}
.derl-lab .derl-sheet .derl-group input {background: var(--jp-layout-color2)}
.derl-lab .derl-sheet .derl-bad input {outline: 2px solid var(--jp-error-color1); color: var(--jp-error-color1);
  font-weight: 700}
[data-jp-theme-light="false"] .derl-lab svg {filter: invert(1) hue-rotate(180deg)}
</style>"""


class Later:
    """Calls a function once, a moment after the last request; at once where no loop runs."""

    def __init__(self, function: Callable[[], None], pause: float = PAUSE):
        self.function, self.pause, self.handle = function, pause, None

    def __call__(self, *_) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.function()
            return
        if self.handle:
            self.handle.cancel()
        self.handle = loop.call_later(self.pause, self.function)


def buttons_of(control: Steps, slider: widgets.IntSlider) -> widgets.HBox:
    """Play, step back, step on, reset: all of them move the slider."""
    play = widgets.Play(value=slider.value, min=slider.min, max=slider.max, step=slider.step, interval=INTERVAL,
                        show_repeat=False)
    widgets.jslink((play, "value"), (slider, "value"))
    widgets.jslink((slider, "max"), (play, "max"))
    made = [play]

    def button(name: str, words: str, tip: str, move: Callable[[], int]) -> None:
        made.append(widgets.Button(description=words, tooltip=tip, layout={"width": "auto"}))
        made[-1].add_class(f"derl-{name}-{control.name}")
        made[-1].on_click(lambda _: setattr(slider, "value", min(max(move(), slider.min), slider.max)))

    play.add_class(f"derl-play-{control.name}")
    button("back", "◂ back", "one step back", lambda: slider.value - slider.step)
    button("step", "step ▸", "one step on", lambda: slider.value + slider.step)
    button("reset", "reset", "to the first step", lambda: slider.min)
    return widgets.HBox(made, layout={"flex_flow": "row wrap"})


def panel(lab: Lab) -> widgets.VBox:
    """All controls of a lab, its sentence and its pictures.

    Parameters
    ----------
    lab : Lab

    Returns
    -------
    VBox
    """
    desk, busy = Desk(lab), []
    moved, picture = desk.widgets, widgets.HTML()
    grids = {control.name: Grid(control, moved[control.name]) for control in lab.controls if isinstance(control, Table)}
    editors = {control.name: editor_of(control, moved[control.name], grids.get(control.name))
               for control in lab.controls if isinstance(control, Text)}
    picture.add_class("derl-picture")

    def draw() -> None:
        if busy:  # what the desk moves by itself is drawn already
            return
        busy.append(True)
        try:
            desk.settle()
            view = lab.view(**desk.values)
            if desk.follow(view):
                view = lab.view(**desk.values)
            for name, grid in grids.items():
                grid.mark(view.marks)
                editors[name].layout.display = "none" if grid.control.below and name in view.idle else "flex"
            picture.value = page(view)
        except Invalid as problem:
            picture.value = f'<p class="derl-sentence">{html.escape(str(problem))}</p>'
        except Exception as problem:  # in a callback nobody would see it
            picture.value = f'<p class="derl-error">{html.escape(f"{type(problem).__name__}: {problem}")}</p>'
        finally:
            busy.clear()

    later = Later(draw)
    for widget in moved.values():
        widget.observe(lambda change: busy or later(change), "value")
    draw()
    above, settings, below = [], [], []
    for control in lab.controls:
        widget = moved[control.name]
        if isinstance(control, Steps):
            above.append(widgets.HBox([widget, buttons_of(control, widget)], layout={"flex_flow": "row wrap"}))
        elif isinstance(control, Text):
            under = isinstance(control, Table) and control.below
            (below if under else above).append(editors[control.name])
        else:
            settings.append(widget)
    row = widgets.HBox(settings, layout={"flex_flow": "row wrap"})
    chosen = any(isinstance(control, Depends) for control in lab.controls)  # then they say what is looked at
    order = (row, *above, picture) if chosen else (*above, picture, row)
    whole = widgets.VBox([widgets.HTML(LOOK), *order, *below])
    whole.add_class("derl-lab")
    return whole
