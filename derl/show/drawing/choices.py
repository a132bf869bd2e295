"""The choices that a widget, or another caller, can make."""

from derl.boundary import Invalid


class InvalidChoice(Invalid):
    """A widget, or another caller, chose a value that does not exist."""
