"""The command that opens the labs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import derl
from derl.cli.group import Whole
from derl.cli.printing import echo
from derl.inputs import files, parts, shown

GALLERY = "index"
HOME = "~/derl-labs"
LARGEST = 10**8  # bytes of a file of the labs


def shipped() -> tuple[Path, bool]:
    """The folder of the labs, and whether it is that of a checkout, where they are opened as they are."""
    package = Path(derl.__file__).resolve().parent
    inside = package / "notebooks"
    return (inside, False) if inside.is_dir() else (package.parent / "notebooks", True)


def command(own: Path, *words: str) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment of a JupyterLab in which the labs of derl run when they are opened.

    The folder `.lab` holds the means: settings, a Jupyter kernel that runs this very Python, and an extension
    of JupyterLab of one small file. No code is taken from the current folder, nor from that of a notebook.

    Parameters
    ----------
    own : Path
        The folder `.lab`.
    """
    def first(name: str, folder: str) -> dict[str, str]:
        return {name: os.pathsep.join([str(own / folder), *filter(None, [os.environ.get(name)])])}

    environment = os.environ | first("JUPYTER_CONFIG_PATH", "config") | first("JUPYTER_PATH", "data")
    environment["PYTHONSAFEPATH"] = "1"  # of every Python below: neither `-m` nor `-c` reads the current folder
    environment.pop("MPLBACKEND", None)  # kernels choose theirs, which shows figures in the notebook
    if "PYTHONPATH" in environment:  # what was relative to this folder does not become relative to another one
        environment["PYTHONPATH"] = os.pathsep.join(
            os.path.abspath(entry) for entry in environment["PYTHONPATH"].split(os.pathsep) if entry)
    return ([sys.executable, "-P", "-m", "jupyterlab", "--ServerApp.answer_yes=True",
             f"--LabApp.extra_labextensions_path={own / 'labextensions'}", *words], environment)


def copied(source: Path, folder: Path) -> list[str]:
    """Put the labs into a folder, where they are not there yet; nothing is overwritten.

    Returns
    -------
    list of str
        Files that were there and differ from those of this version.
    """
    kept = []
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        if not path.is_file() or name.parts[0].startswith("."):
            continue
        content, place = path.read_bytes(), folder / name
        if not os.path.lexists(place):
            files.write(place, content)
        elif files.read(place, LARGEST) != content:
            kept.append(name.as_posix())
    return kept


@click.command(epilog="""\b
Examples:
  derl lab
  derl lab layerwise
  derl lab --list
  derl lab --folder my-labs
  derl lab --no-browser --port 8890""")
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="Only say which labs there are.")
@click.option("--folder", metavar="DIR", help=f"Where the labs are copied, each version into a folder of its own; what "
              f"is there is never overwritten. By default {HOME}; a checkout opens its own notebooks/ instead.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--port", type=Whole(low=1, high=65535), help="Where JupyterLab listens; by default 8888 or the next.")
def lab(name, listed, folder, no_browser, port):
    """Open the gallery of the labs in JupyterLab, or one of them."""
    if listed:
        parts.demand("derl lab --list", "matplotlib", "ipywidgets")
        from derl.show.labs.found import labs as found  # draws, so it takes a second to import

        for key, one in found().items():
            echo(f"{key:<20} {one.about}")
        return
    source, checkout = shipped()
    labs = sorted(path.stem for path in source.glob("*.ipynb"))
    if not labs:
        raise click.ClickException(f"there are no labs in {source}; install derl again")
    if name is not None and name not in labs:
        raise click.ClickException(f"no lab {shown(name)}; there are: {', '.join(labs)}")
    parts.demand("derl lab", "jupyterlab", "ipywidgets", "matplotlib")
    place = source
    if folder is not None or not checkout:
        place = Path(os.path.expanduser(folder or HOME)).absolute() / derl.__version__
        kept = copied(source, place)
        echo(f"the labs of derl {derl.__version__} are in {place}", err=True)
        if kept:
            echo(f"yours are kept, although they differ from those of this version: {', '.join(kept)}", err=True)
    sys.stdout.flush()
    words, environment = command(
        source / ".lab", *(["--no-browser"] if no_browser else []), *([f"--port={port}"] if port else []),
        *(["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []),
        f"--ServerApp.root_dir={place}", str(place / f"{name or GALLERY}.ipynb"))  # not that of the user's settings
    # JupyterLab takes the place of this process: Ctrl-C is its own, and stops it without a question
    os.execve(sys.executable, words, environment)
