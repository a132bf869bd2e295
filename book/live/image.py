"""Images of a memory in which Python has imported what a page needs: a page that loads one starts at once."""

from __future__ import annotations

from pathlib import Path

from interpreter import ZIP, Interpreter

QUIET = "import derl_cells, numpy, sys; sys.stdout.reconfigure(line_buffering=True); del derl_cells, numpy, sys"
# an import writes nothing but this; what is missing here is imported from the library, which then has to be loaded
IMPORTS = {
    "numbers": "import collections, csv, fractions, functools, itertools, random",
    "book": """
import logging; logging.getLogger('matplotlib').setLevel(logging.ERROR)
import os; os.environ.update(NO_COLOR='1', MPLBACKEND='svg', MPLCONFIGDIR='/tmp')
import scipy.linalg, scipy.optimize, scipy.special, scipy.stats, sympy, yaml, click, tqdm, pylatexenc, threadpoolctl
import csv, glob, sympy.physics.matrices, sympy.physics.units
from derl import live, claims, Deployer, LinearMDP, algorithms, instances, planning
from derl.judge import trial
from derl.ledger import edited, workers
from derl.cli import main, checks
claims.load(); claims.PAPER.register()
del Deployer, LinearMDP, algorithms, instances, planning, claims
""",
}
# the module was saved with a table of the whole library; this one is smaller
TABLE = f"""
import sys, zipimport
zipimport._zip_directory_cache.clear()
zipimport._zip_directory_cache[{ZIP!r}] = zipimport._read_directory({ZIP!r})
for found in sys.path_importer_cache.values():
    if hasattr(found, 'invalidate_caches'): found.invalidate_caches()
del found, sys, zipimport
"""
CLEAN = "import gc, linecache; linecache.clearcache(); gc.collect(); gc.collect(); del gc, linecache"


class Unusable(Exception):
    """A cell that makes the image has failed."""


def image(kind: str, code: Path, first: bytes, library: Path, fonts: Path, book: Path) -> bytes:
    """The memory after the imports of a kind of page."""
    python = Interpreter(code, first, library, fonts, book, still=True)
    try:
        for cell in (TABLE, "import sys; sys.path.insert(0, '/book'); " + QUIET, IMPORTS[kind], CLEAN):
            status, out, err = python.turn(cell)
            if status or err:
                raise Unusable(f"{kind}: {cell.strip()[:60]}: {status} {out} {err}")
        return python.memory().rstrip(b"\0")
    finally:
        python.close()
