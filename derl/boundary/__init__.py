"""Floor 0: what comes in and what goes out: numbers, choices, files. One line for whatever is not allowed."""

from derl.boundary.values import Invalid, choice, number, real, shown, text, whole

__all__ = ["Invalid", "choice", "number", "real", "shown", "text", "whole"]
