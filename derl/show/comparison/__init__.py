"""Figures and the functions under the widgets: the front page, Table 1."""
