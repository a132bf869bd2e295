"""Studies: one module each, with `measure(seed, **parameters) -> list of rows`. A sweep finds them by their name.

A row maps column names to numbers, texts, truth values or None. A study depends on nothing but its arguments.
"""
