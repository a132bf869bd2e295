"""The widgets of the controls of a lab, and how some of them follow from others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import ipywidgets as widgets

from derl.show.labs.controls import Choice, Depends, Lab, Steps, View
from derl.show.labs.texts import Table, Text


def widget_of(control):
    """The widget whose value the view takes."""
    if isinstance(control, Steps):
        made = widgets.IntSlider(control.start, control.first, control.most, control.stride)
    elif isinstance(control, Text):
        made = widgets.Textarea(control.start, rows=min(12, 1 + control.start.count("\n") + 1))
        made.layout.width = "min(560px, 100%)"
        made.add_class(f"derl-{'text' if isinstance(control, Table) else 'control'}-{control.name}")
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


class Desk:
    """The widgets of a lab; the options of a widget may depend on the values of others."""

    def __init__(self, lab: Lab):
        self.lab, self.widgets = lab, {control.name: widget_of(control) for control in lab.controls}
        self.chosen: dict[tuple, object] = {}
        self.settle(lab.start)

    @property
    def values(self) -> dict[str, object]:
        """The value of every control."""
        return {name: widget.value for name, widget in self.widgets.items()}

    def settle(self, starts: Mapping = MappingProxyType({})) -> None:
        """Set the options of each control, and choose again what was chosen with the same options before."""
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
        """Disable controls without effect, and limit every process to its last step; a process at its end stays at its
        end.

        Returns whether the position of a process has changed.
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
