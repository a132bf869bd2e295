"""Whether kernels compiled by numba are at hand; everything also runs without them.

A compiled kernel is a private module beside the readable code that it repeats, with its cache on disk. It is imported
where it is called: numba takes half a second to import.
"""

from importlib.util import find_spec

COMPILED = find_spec("numba") is not None
