"""What a widget, or a caller in its place, may ask for."""

from derl.boundary import Invalid


class InvalidChoice(Invalid):
    """A widget, or a caller in its place, asked for something that does not exist."""
