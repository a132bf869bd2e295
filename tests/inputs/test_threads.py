"""One thread for linear algebra: in every BLAS of a fresh process, scipy's too, and only while the function runs."""

import os
import subprocess
import sys

import pytest

REPORT = """
import sys
import numpy
from threadpoolctl import threadpool_info, threadpool_limits
from derl.inputs.threads import one_thread

def widths():
    import scipy.linalg
    return sorted({library["num_threads"] for library in threadpool_info()})

wrapped = {"ours": one_thread, "theirs": threadpool_limits.wrap(limits=1)}[sys.argv[1]](widths)
print(wrapped(), widths(), wrapped())
"""


@pytest.mark.parametrize("way, first", [("ours", "[1]"), ("theirs", "[1, 2]")])
def test_the_limit_holds_for_libraries_that_are_loaded_later(way, first):
    """That of threadpoolctl does not, at the first call: scipy loads its BLAS within."""
    done = subprocess.run([sys.executable, "-c", REPORT, way], env=os.environ | {"OPENBLAS_NUM_THREADS": "2"},
                          capture_output=True, text=True, check=True)
    assert done.stdout == f"{first} [2] [1]\n"
