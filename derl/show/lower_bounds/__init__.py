"""Figures and the functions under the widgets: the lower bounds."""
