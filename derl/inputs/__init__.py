"""Floor 0: input and output. Numbers, choices and files are checked, and each refusal is one line.

It also handles the machine: processes, the threads of linear algebra, and whether compiled code can be used.
"""

from derl.inputs.values import Invalid, as_fraction, choice, number, real, shown, text, whole

__all__ = ["Invalid", "as_fraction", "choice", "number", "real", "shown", "text", "whole"]
