"""A lab as widgets of Jupyter.

A control that is moved asks for a picture a moment later, and what has been asked for in the meantime is drawn once: a
slider that is dragged over twenty positions costs one picture and not twenty.
"""

from __future__ import annotations

import asyncio
import html
from collections.abc import Callable, Mapping
from types import MappingProxyType

import ipywidgets as widgets

from derl.boundary import Invalid
from derl.show.labs.controls import Choice, Depends, Lab, Steps, Text, View, page

PAUSE = 0.08  # seconds without a move before a picture is drawn
INTERVAL = 700  # milliseconds between two steps that are played
LOOK = """<style>
.derl-lab {max-width: 1100px; overflow: visible}
.derl-lab .derl-parts {display: flex; flex-wrap: wrap; gap: 10px; align-items: flex-start}
.derl-lab .derl-part {flex: 1 1 320px; min-width: min(300px, 100%); max-width: 100%; overflow-x: auto}
.derl-lab .derl-part svg {width: 100%; height: auto; max-width: 760px}
.derl-lab .derl-sentence {font-weight: 600; line-height: 1.4; margin: 6px 0; white-space: normal}
.derl-lab .derl-error {color: var(--jp-error-color1); font-weight: 600}
.derl-lab table {border-collapse: collapse} .derl-lab td, .derl-lab th {padding: 2px 8px; text-align: left}
.derl-lab .derl-bad {color: var(--jp-error-color1); font-weight: 700}
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


def widget_of(control):
    """The widget whose value the view takes."""
    if isinstance(control, Steps):
        made = widgets.IntSlider(control.start, control.first, control.most, control.stride)
    elif isinstance(control, Text):
        made = widgets.Textarea(control.start, rows=min(12, 1 + control.start.count("\n") + 1))
        made.layout.width = "min(560px, 100%)"
        made.add_class(f"derl-control-{control.name}")
        return made
    elif isinstance(control, Depends):
        made = widgets.Dropdown()
    else:
        kind = widgets.Dropdown if isinstance(control, Choice) else widgets.SelectionSlider
        made = kind(options=control.options, value=control.start)
    made.description, made.style.description_width = control.words, "9em"
    made.layout.width = f"min({760 if isinstance(control, Depends) else 430}px, 100%)"
    made.add_class(f"derl-control-{control.name}")
    return made


def editor_of(control: Text, area: widgets.Textarea) -> widgets.VBox:
    """The text under what it means and a choice of beginnings."""
    begin = widgets.Dropdown(options=list(control.starts), value=control.first, description="begin with")
    begin.style.description_width, begin.layout.width = "9em", "min(430px, 100%)"
    begin.add_class(f"derl-begin-{control.name}")
    begin.observe(lambda change: setattr(area, "value", control.starts[change["new"]]), "value")
    return widgets.VBox([begin, widgets.HTML(html.escape(control.words)), area])


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


class Desk:
    """The widgets of a lab: what they offer follows from where the others stand."""

    def __init__(self, lab: Lab):
        self.lab, self.widgets = lab, {control.name: widget_of(control) for control in lab.controls}
        self.chosen: dict[tuple, object] = {}
        self.settle(lab.start)

    @property
    def values(self) -> dict[str, object]:
        """Where every control stands."""
        return {name: widget.value for name, widget in self.widgets.items()}

    def settle(self, starts: Mapping = MappingProxyType({})) -> None:
        """Offer what there is to choose; what was chosen at the same place before is chosen again."""
        for control in self.lab.controls:
            if isinstance(control, Depends):
                widget, values = self.widgets[control.name], self.values
                place = control.name, *(values[name] for name in control.takes)
                offered = control.options_at(values)
                if offered != widget.options:
                    known = [value for _, value in offered]
                    wanted = starts.get(control.name, self.chosen.get(place))
                    widget.options = offered
                    widget.value = wanted if wanted in known else known[0]
                self.chosen[place] = widget.value

    def follow(self, view: View) -> bool:
        """Close what changes nothing, and end every process where it ends: who stood at its end stays there.

        Returns whether a process stands elsewhere now.
        """
        before = self.values
        for control in self.lab.controls:
            widget = self.widgets[control.name]
            widget.disabled = control.name in view.idle or isinstance(control, Depends) and len(widget.options) == 1
            if isinstance(control, Steps) and view.last is not None and widget.max != max(view.last, control.first):
                ended = widget.value == widget.max
                widget.max = max(view.last, control.first)
                widget.value = widget.max if ended else widget.value
        return self.values != before


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
    above, below = [], []
    for control in lab.controls:
        widget = moved[control.name]
        if isinstance(control, Steps):
            above.append(widgets.HBox([widget, buttons_of(control, widget)], layout={"flex_flow": "row wrap"}))
        elif isinstance(control, Text):
            above.append(editor_of(control, widget))
        else:
            below.append(widget)
    settings = widgets.HBox(below, layout={"flex_flow": "row wrap"})
    whole = widgets.VBox([widgets.HTML(LOOK), *above, picture, settings])
    whole.add_class("derl-lab")
    return whole
