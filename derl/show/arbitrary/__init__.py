"""Figures and the functions under the widgets: Algorithm 2."""
