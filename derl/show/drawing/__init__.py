"""Code that all chapters share: the style, pictures of instances and of the graph, tables, and allowed choices."""

from derl.inputs import Invalid


class InvalidChoice(Invalid):
    """A widget, or another caller, chose a value that does not exist."""
