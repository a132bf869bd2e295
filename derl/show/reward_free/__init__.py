"""Figures and the functions under the widgets: reward-free exploration."""
