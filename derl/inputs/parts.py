"""Optional packages: which extra installs a package, and one line if it is missing or broken."""

from __future__ import annotations

import importlib
import traceback
from types import ModuleType

from derl.exact.base import Unavailable, installed

# package as it is imported -> extra in pyproject.toml; a test holds the two together
EXTRAS = {
    "cvxpy": "sdp", "clarabel": "sdp", "flint": "rigor", "gymnasium": "gym", "dask": "cluster",
    "distributed": "cluster", "pyarrow": "cluster", "numba": "fast", "matplotlib": "book", "plotly": "book",
    "ipywidgets": "book", "jupyterlab": "book", "jupyter_book": "book", "pypdf": "book",
}


def part(name: str, purpose: str) -> ModuleType:
    """Import a module of one of the packages of `EXTRAS`.

    Parameters
    ----------
    purpose : str
        What needs it, the subject of the sentence: "a table".

    Raises
    ------
    Unavailable
        It is not installed, or its import fails; the line names the extra.

    Examples
    --------
    >>> from derl.inputs.parts import part
    >>> part("flint", "ball arithmetic").arb(1)
    1.00000000000000
    """
    try:
        return importlib.import_module(name)
    except MemoryError:
        raise
    except Exception as error:  # a broken package fails in its own way
        raise Unavailable(f"{purpose} needs {wanting(name, error)}") from error


def demand(purpose: str, *names: str) -> None:
    """Check before the work begins whether packages of `EXTRAS` are installed, without importing them.

    Raises
    ------
    Unavailable
        Names the first that is missing, and its extra.
    """
    for name in names:
        if not installed(name):
            raise Unavailable(f"{purpose} needs {wanting(name)}")


def wanting(name: str, error: BaseException | None = None) -> str:
    """A package of `EXTRAS` as a line about its absence, or about the error of its import, names it."""
    package = name.partition(".")[0]
    absent = error is None or isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == package
    why = "is not installed" if absent else \
        f"cannot be imported ({type(error).__name__}: {' '.join(str(error).split())[:200]})"
    extra = EXTRAS[package]
    return f"{package} (extra '{extra}' of derl), which {why}: pip install '.[{extra}]' in the folder of derl's source"


def blamed(error: ImportError) -> str:
    """The package of `EXTRAS` that an import could not find, or in whose import it failed; "" where it is none."""
    entered = (frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__))
    names = (name.partition(".")[0] for name in (error.name or "", *entered))
    return next((name for name in names if name in EXTRAS), "")
