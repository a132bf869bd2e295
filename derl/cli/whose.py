"""Which code is run: that of the checkout in which the user works, or a line that says so.

An environment that was copied, with the checkout around it, still runs the code of the original; and one that was
installed some time ago runs the code of that day.
"""

from __future__ import annotations

import sys
from pathlib import Path

import derl
from derl.inputs import Invalid, files

LARGEST = 10**7  # bytes of a file that is compared
PROJECT = b'\nname = "derl"\n'  # in the pyproject.toml of a checkout
COMPARED = {".py", ".yml", ".csv", ".json"}


class OtherCode(Invalid):
    """The code that runs is not that of the current folder; the message says what to do."""


def check(package: Path | None = None, script: str | None = None) -> None:
    """Refuse to run where the code is not the one that the user sees.

    Parameters
    ----------
    package : Path
        The folder of the package that runs; by default that of derl.
    script : str
        The command as it was called; by default that of this process.

    Raises
    ------
    OtherCode
    """
    package = package or Path(derl.__file__).resolve().parent
    home = Path(script or sys.argv[0]).parent.parent
    if (home / "pyvenv.cfg").is_file() and home.resolve() != Path(sys.prefix).resolve():
        raise OtherCode(f"{home} was copied or moved from {sys.prefix}, whose code would run; set it up again: "
                        "make setup")
    checkout = _checkout()
    if checkout is not None and (name := _differing(checkout / "derl", package)):
        raise OtherCode(f"{checkout} is a checkout of derl, but {package} would run, and {name} differs; run make "
                        "or `pip install .` there, or derl in another folder")


def _checkout() -> Path | None:
    """The checkout of derl that holds the current folder."""
    try:
        here = Path.cwd()
    except OSError:  # the folder is gone
        return None
    for folder in (here, *here.parents):
        if (folder / "derl" / "__init__.py").is_file():
            try:
                return folder if PROJECT in files.read(folder / "pyproject.toml", LARGEST) else None
            except Invalid:
                return None
    return None


def _differing(theirs: Path, ours: Path) -> str | None:
    """The first file of a checkout that is another one in the package that runs."""
    if theirs.resolve() == ours:
        return None
    for file in sorted(theirs.rglob("*")):
        if file.suffix in COMPARED and file.is_file() and "__pycache__" not in file.parts:
            name = file.relative_to(theirs)
            try:
                same = files.read(file, LARGEST) == files.read(ours / name, LARGEST)
            except Invalid:
                same = False
            if not same:
                return f"derl/{name.as_posix()}"
    return None
