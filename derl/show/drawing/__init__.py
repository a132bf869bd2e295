"""What all chapters share: one look, pictures of instances and of the graph, widgets and what they may ask for."""

from derl.boundary import Invalid


class InvalidChoice(Invalid):
    """A widget, or a caller in its place, asked for something that does not exist."""
