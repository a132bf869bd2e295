"""Figures and the functions under the widgets: reachability."""
