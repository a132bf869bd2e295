"""Floor 0: input and output. Numbers, choices and files are checked, and each refusal is one line.

It also handles the machine: processes, the threads of linear algebra, and whether numba can be used.
"""

from derl.exact.base import Invalid, as_fraction
from derl.inputs.values import choice, number, real, shown, text, whole

__all__ = ["Invalid", "as_fraction", "choice", "number", "real", "shown", "text", "whole"]
