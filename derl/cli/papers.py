"""The commands that begin a paper of one's own and build it: a package of claims, and pages that show its verdicts."""

from __future__ import annotations

import importlib
import keyword
import os
import re
import shutil
import subprocess
import sys
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import click

import derl
from derl.cli import checks
from derl.cli.group import Whole
from derl.cli.printing import echo
from derl.inputs import Invalid, choice, files, parts, shown
from derl.inputs.mappings import mapping
from derl.inputs.processes import MOST_JOBS
from derl.ledger import Paper, verify
from derl.ledger.edited import edited

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
PACKAGE = "PACKAGE"  # what stands in the files of `first_paper` for the name of the package
CONFIG, LEDGER = "_config.yml", Path("_build", "ledger.json")
LARGEST = 10**6  # bytes of a _config.yml that are read


class InvalidPaper(Invalid):
    """A folder that cannot become a paper, or that holds none; the message says why."""


def extensions() -> Path:
    """The folder with the Sphinx extensions of the book: in the installed package, or in the checkout beside it."""
    package = Path(derl.__file__).resolve().parent
    inside = package / "book" / "_ext"
    return inside if inside.is_dir() else package.parent / "book" / "_ext"


def first_paper(name: str) -> dict[Path, str]:
    """The files of a new paper whose package has this name: place in its folder -> content."""
    found = {}
    for file in sorted(resources.files("derl.cli").joinpath("first_paper").iterdir(), key=lambda file: file.name):
        place = Path(file.name.removesuffix(".txt"))
        inside = place.suffix == ".py" or place.name == "claims.yml"
        found[name / place if inside else place] = file.read_text(encoding="utf-8").replace(PACKAGE, name)
    return found


def begin(folder: Path) -> list[Path]:
    """Write a small paper into a new folder, whose name becomes that of its package.

    Returns
    -------
    list of Path
        The files, relative to the folder.

    Raises
    ------
    InvalidPaper
        The folder is there already, or its name cannot be that of a package.
    InvalidFile
        It cannot be written.
    """
    name = folder.name
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InvalidPaper(f"{shown(name)} cannot be the name of a package; allowed are up to 40 lower-case letters, "
                           "digits and underscores, a letter first, and no keyword of Python")
    if os.path.lexists(folder):
        raise InvalidPaper(f"{shown(str(folder))} is there already; name a new folder, nothing is overwritten")
    if parts.installed(name):
        raise InvalidPaper(f"{name} is the name of a package that is installed; choose another name for the folder")
    written = first_paper(name)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise InvalidPaper(f"{shown(str(folder))} cannot be made: {error.strerror}") from None
    try:
        for place, content in written.items():
            files.write(folder / place, content.encode())
    except BaseException:  # a disk that is full, or Ctrl-C: half a paper does not build
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return list(written)


def of_folder(folder: Path) -> Paper:
    """The paper that `_config.yml` of a folder names, with its checks; the folder goes first in the search for modules.

    Raises
    ------
    InvalidPaper
        There is no such file, it names no package, or the package is not in the folder or holds no paper.
    """
    content = files.read(folder / CONFIG, LARGEST, InvalidPaper)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidPaper(f"{folder / CONFIG} is not UTF-8") from None
    settings = mapping(text, str(folder / CONFIG), InvalidPaper).get("sphinx")
    settings = settings.get("config") if isinstance(settings, dict) else None
    name = settings.get("claims_paper") if isinstance(settings, dict) else None
    if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
        raise InvalidPaper(f"{folder / CONFIG}: `claims_paper` under `sphinx: config:` is {shown(name)}; it must be "
                           "the import name of the package that holds the paper")
    echo(f"the code in {folder} runs now, with your rights", err=True)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    found = find_spec(name.partition(".")[0])
    if found is None or not found.origin or not Path(found.origin).resolve().is_relative_to(folder):
        raise InvalidPaper(f"{folder} has no package {name.partition('.')[0]}, which {CONFIG} names as `claims_paper`")
    try:
        paper = getattr(importlib.import_module(name), "PAPER", None)
    except Invalid:
        raise
    except Exception as error:  # whatever the code of the paper raises
        raise InvalidPaper(f"{name} cannot be imported: {_said(error)}") from error
    if not isinstance(paper, Paper):
        raise InvalidPaper(f"{name} has no `PAPER`; it must be a derl.ledger.Paper")
    try:
        paper.register()
    except Invalid:
        raise
    except Exception as error:  # whatever the code of the checks raises
        raise InvalidPaper(f"the checks of {name} cannot be imported: {_said(error)}") from error
    return paper


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def rendered(folder: Path) -> Path:
    """Build the pages with Jupyter Book and the extensions of this book.

    Returns
    -------
    Path
        The first page.

    Raises
    ------
    InvalidPaper
        The build fails or warns; what Jupyter Book says has been printed.
    """
    paths = [str(extensions()), str(folder), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from jupyter_book.cli.main import main; main()", "build", str(folder), "-W",
         "--keep-going", "--all", "-q"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "MPLBACKEND": ""},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        check=False)
    if done.returncode:
        echo(done.stdout, err=True)
        raise InvalidPaper(f"the pages of {folder} cannot be built; what Jupyter Book says stands above")
    return folder / "_build" / "html" / "index.html"


@click.group()
def paper():
    """Make a paper of your own executable, and compare the text of statements with their checks."""


@paper.command(epilog="""\b
Example:
  derl paper new primes""")
@click.argument("folder")
def new(folder):
    """Write a small paper that builds into a new FOLDER.

    The name of the folder becomes that of the package of statements and checks. No file is overwritten.
    """
    place = Path(os.path.expanduser(folder)).absolute()
    for name in begin(place):
        echo(str(Path(folder, name)))
    echo(f"next: derl paper build {folder}", err=True)


@paper.command(epilog="""\b
Example:
  derl paper build primes""")
@click.argument("folder")
@click.option("--tier", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--jobs", type=Whole(high=MOST_JOBS), default=1, show_default=True, help="Worker processes.")
def build(folder, tier, jobs):
    """Run the checks of the paper in FOLDER, write its ledger, and render its pages.

    The code of the paper is run, with your rights. Exit status as of `derl verify`: 1 where a verdict is not the
    expected one.
    """
    parts.demand("derl paper build", "jupyter_book")
    place = Path(os.path.expanduser(folder)).resolve()
    own = of_folder(place)
    ledger = verify(own, tier=tier, jobs=jobs, apart=True)
    ledger.save(place / LEDGER)
    checks.printed(ledger, own)
    echo(f"the first page is {rendered(place)}")
    sys.exit(checks.status(ledger))


@paper.command(epilog="""\b
Example:
  derl paper edit primes thm-odd-numbers n^2 n^3""")
@click.argument("folder")
@click.argument("key", metavar="ID")
@click.argument("old")
@click.argument("new")
def edit(folder, key, old, new):
    """Run the checks of one statement of the paper in FOLDER on its text with OLD replaced by NEW, in memory.

    Answers and exit status are those of `derl verify --edit`.
    """
    own = of_folder(Path(os.path.expanduser(folder)).resolve())
    checks.told(edited(own, choice(key, "ID", tuple(own.statements), InvalidPaper), old, new, "quick"))
