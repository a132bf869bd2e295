"""What the program depends on that nobody passes to it, and what it does with each: the one list.

`ROWS` is printed on the page "What the program depends on", `settle` acts on it when a command begins, the Makefile
names the same variables, and the tests run commands under every row that can be tried (`tried`).

Three answers are possible. A variable or file is *left out*: it changes how a library works, or where it looks, and
says nothing about the question. It is *used*, and no verdict depends on it. Or it is *refused* with one line.
"""

from __future__ import annotations

import fnmatch
import os
import sys
import warnings
from dataclasses import dataclass, field

LEFT_OUT, USED, REFUSED = "left out", "used", "refused"
DIGITS = 4300  # of whole numbers that become text: Python's own limit


@dataclass(frozen=True)
class Row:
    """One thing of the surroundings.

    Attributes
    ----------
    kind : str
        Environment variable, file, folder, stream, process, machine or file system.
    name : str
        Of variables a pattern, such as `SYMPY_*`.
    answer : str
        "left out", "used" or "refused".
    does : str
        What happens, in one sentence.
    tried : dict
        Environment variables under which the tests run commands.
    """

    kind: str
    name: str
    answer: str
    does: str
    tried: dict[str, str] = field(default_factory=dict)


def _variable(name: str, answer: str, does: str, **tried: str) -> Row:
    return Row("environment variable", name, answer, does, tried)


ROWS = (
    _variable("OPENBLAS_CORETYPE", USED, "Products of matrices may differ in the last digits; checks that compare "
              "such numbers allow for the rounding that is known.", OPENBLAS_CORETYPE="Prescott"),
    _variable("OPENBLAS_NUM_THREADS", USED, "The number of threads of linear algebra outside of checks and sweeps, "
              "which always use one.", OPENBLAS_NUM_THREADS="3", OMP_NUM_THREADS="nonsense"),
    _variable("NPY_DISABLE_CPU_FEATURES", USED, "numpy computes without these instructions; as for OPENBLAS_CORETYPE.",
              NPY_DISABLE_CPU_FEATURES="AVX512F AVX2 FMA3"),
    _variable("NUMBA_DISABLE_JIT", USED, "The readable code runs in place of the compiled one.", NUMBA_DISABLE_JIT="1"),
    _variable("NUMBA_CACHE_DIR", USED, "Compiled code is kept there, if the path is absolute and nobody else can "
              "write to the folder; otherwise nothing is kept.", NUMBA_CACHE_DIR="cache"),
    _variable("NUMBA_CPU_NAME", USED, "Compiled code is made for this processor.", NUMBA_CPU_NAME="generic"),
    _variable("NUMBA_DEBUG*", LEFT_OUT, "It would mix the compiler's notes with the results.",
              NUMBA_DEBUG_ARRAY_OPT_STATS="1"),
    _variable("NUMBA_DUMP_*", LEFT_OUT, "It would mix the compiler's notes with the results.", NUMBA_DUMP_BYTECODE="1"),
    _variable("SYMPY_*", LEFT_OUT, "It would change the types of exact numbers.", SYMPY_GROUND_TYPES="flint",
              SYMPY_USE_CACHE="no"),
    _variable("MPMATH_*", LEFT_OUT, "It would change the types of long floats.", MPMATH_NOGMPY="1"),
    _variable("SCIPY_ARRAY_API", LEFT_OUT, "It would change which arrays scipy takes.", SCIPY_ARRAY_API="1"),
    _variable("NPY_PROMOTION_STATE", LEFT_OUT, "It would change the types of sums.", NPY_PROMOTION_STATE="legacy"),
    _variable("TQDM_*", LEFT_OUT, "It would change the bar of progress.", TQDM_MININTERVAL="nonsense"),
    _variable("MPLBACKEND", LEFT_OUT, "Figures are drawn without a window.", MPLBACKEND="nonsense"),
    _variable("MATPLOTLIBRC", LEFT_OUT, "Figures have matplotlib's default settings and the style of the book.",
              MATPLOTLIBRC="matplotlibrc"),
    _variable("PLOTLY_*", LEFT_OUT, "It would choose how figures are shown.", PLOTLY_RENDERER="nonsense"),
    _variable("GIT_*", LEFT_OUT, "git is asked about the checkout that holds the package.", GIT_DIR="/nonexistent"),
    _variable("PYTHONWARNINGS", LEFT_OUT, "A warning of a library would become an error.", PYTHONWARNINGS="error"),
    _variable("PYTHONINTMAXSTRDIGITS", LEFT_OUT, "Whole numbers have up to 4300 digits, as Python allows by default.",
              PYTHONINTMAXSTRDIGITS="640"),
    _variable("PYTHONOPTIMIZE", USED, "No check is an assertion; help texts are missing at level 2.",
              PYTHONOPTIMIZE="2"),
    _variable("PYTHONHASHSEED", USED, "No result depends on the order of a set.", PYTHONHASHSEED="1"),
    _variable("PYTHONDEVMODE", USED, "Python checks more and says more on the error output.", PYTHONDEVMODE="1"),
    _variable("PYTHONIOENCODING, PYTHONUTF8, LC_ALL", USED, "What the terminal cannot show is written out; files are "
              "UTF-8.", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C", PYTHONCOERCECLOCALE="0"),
    _variable("PYTHON_CPU_COUNT", USED, "Nothing; a number of workers that is not given goes by the processors that "
              "this process may use.", PYTHON_CPU_COUNT="384"),
    _variable("TZ", USED, "Times are differences of a clock that runs evenly; no file holds a date.",
              TZ="Nowhere/None"),
    _variable("SOURCE_DATE_EPOCH", LEFT_OUT, "Libraries would end where it is no whole number, and no file holds a "
              "date.", SOURCE_DATE_EPOCH="nonsense"),
    _variable("HOME, XDG_*, TMPDIR", USED, "Caches of libraries are left out where they cannot be written.",
              HOME="/nonexistent", XDG_CACHE_HOME="/nonexistent", XDG_CONFIG_HOME="/nonexistent",
              TMPDIR="/nonexistent"),
    _variable("COLUMNS, TERM, NO_COLOR", USED, "They change how help and progress look.", COLUMNS="1", TERM="nonsense",
              FORCE_COLOR="1"),
    _variable("PATH", USED, "git, node and the browser are looked for there; `derl` never looks for git in the "
              "current folder.", PATH=""),
    _variable("PIP_*, UV_*, and the files of pip and uv", LEFT_OUT, "The set-up takes from them where packages come "
              "from (index, proxy, certificate, cache), and nothing about where they go."),
    _variable("DASK_*, and dask's files", USED, "They say how a cluster is reached, for --scheduler alone."),
    _variable("IPYTHONDIR, JUPYTER_*", USED, "In labs, which are your own notebooks; pages of the book are executed "
              "with a profile of their own."),
    Row("file", ".numba_config.yaml in the current folder", LEFT_OUT, "numba is imported from another folder, and "
        "looks nowhere before it compiles."),
    Row("file", "matplotlibrc in the current folder, in a configuration folder", LEFT_OUT, "matplotlib is imported "
        "from another folder, with its default settings."),
    Row("file", "pyproject.toml and derl/ in the current folder or above", REFUSED, "Where they are those of another "
        "derl than the one that runs, a command says so and ends."),
    Row("file", ".git above the package", USED, "Its commit is recorded if it holds the package; otherwise "
        "\"unknown\"."),
    Row("folder", "the current folder", USED, "Relative names on the command line are relative to it; nothing else is "
        "looked up in it, and it may be gone."),
    Row("folder", "of labs (--folder), of a paper, of compiled code", REFUSED, "It has to belong to you or to the "
        "system, and nobody else may be able to write to it."),
    Row("folder", ".venv/", USED, "`make` sets it up again where it was made in another folder, by another Python or "
        "from another lock."),
    Row("stream", "standard input, output and error output", USED, "What is closed leads to nowhere; what is full or "
        "has no reader ends the command with status 2 or 141, and on the error output costs only the messages."),
    Row("process", "a worker of a pool, a thread, a process that may start no other", USED, "The checks run in this "
        "process."),
    Row("process", "exit status", USED, "1 is a verdict that differs and nothing else; 70 is a mistake in derl."),
    Row("process", "ignored signals, limits of memory, files and processes", USED, "A check that cannot run to its "
        "end is \"not checked\"."),
    Row("machine", "number of processors", USED, "By default one worker for each processor that the process may use, "
        "and at most 256."),
    Row("machine", "clock", USED, "Only seconds are measured."),
    Row("file system", "without permissions or owners (a mounted drive of Windows)", USED, "Neither can be asked for, "
        "so neither is; this is found out by making a file."),
    Row("file system", "without locks, second names, files without a name, or fsync", USED, "Files are written under "
        "a temporary name and renamed; two runs at once are not kept apart."),
)


def left_out() -> tuple[str, ...]:
    """Patterns of the environment variables that are left out."""
    return tuple(row.name for row in ROWS if row.kind == "environment variable" and row.answer == LEFT_OUT
                 and " " not in row.name)


def settle() -> None:
    """Prepare a process that is derl's own, and those that it starts: leave out what the table says is left out."""
    patterns = left_out()
    for name in [name for name in os.environ if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]:
        del os.environ[name]
    os.environ["MPLBACKEND"] = "agg"
    if sys.warnoptions:
        warnings.resetwarnings()
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)
    if 0 < sys.get_int_max_str_digits() < DIGITS:
        sys.set_int_max_str_digits(DIGITS)
