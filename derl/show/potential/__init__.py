"""Figures and the functions under the widgets: elliptical potentials."""
