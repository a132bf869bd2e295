"""Floor 0: input validation, one clear line for what is not allowed; file I/O; processes, threads and compiled code."""

from derl.boundary.values import Invalid, as_fraction, choice, number, real, shown, text, whole

__all__ = ["Invalid", "as_fraction", "choice", "number", "real", "shown", "text", "whole"]
