"""Figures of the book and the pure functions behind its widgets."""

from derl.show import figures, interactive, labs, style

__all__ = ["figures", "interactive", "labs", "style"]
