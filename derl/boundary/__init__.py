"""Floor 0: what comes in and what goes out: numbers, choices, files. One line for whatever is not allowed.

Also what belongs to the machine: threads of linear algebra, and whether there is a compiler.
"""

from derl.boundary.values import Invalid, as_fraction, choice, number, real, shown, text, whole

__all__ = ["Invalid", "as_fraction", "choice", "number", "real", "shown", "text", "whole"]
