"""Figures and the functions under the widgets: safe mixtures."""
