"""The command that opens the labs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import derl
from derl.boundary import shown
from derl.cli.group import Whole
from derl.cli.printing import echo

GALLERY = "index"


def command(folder: Path, *words: str) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment of a JupyterLab in which labs run when they are opened.

    What does that stands in notebooks/.lab: settings, and an extension of JupyterLab of one small file.
    """
    own = folder / ".lab"
    paths = [str(own / "config"), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    return ([sys.executable, "-m", "jupyterlab", "--ServerApp.answer_yes=True",
             f"--LabApp.extra_labextensions_path={own / 'labextensions'}", *words],
            os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(paths)})


@click.command(epilog="""\b
Examples:
  derl lab
  derl lab layerwise
  derl lab --list
  derl lab --no-browser --port 8890""")
@click.argument("name", required=False)
@click.option("--list", "listed", is_flag=True, help="Only say which labs there are.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--port", type=Whole(low=1, high=65535), help="Where JupyterLab listens; by default 8888 or the next.")
def lab(name, listed, no_browser, port):
    """Open the gallery of the labs in JupyterLab, or one of them."""
    if listed:
        from derl.show.labs.found import labs as found  # draws, so it takes a second to import

        for key, one in found().items():
            echo(f"{key:<20} {one.about}")
        return
    folder = Path(derl.__file__).resolve().parents[1] / "notebooks"
    labs = sorted(path.stem for path in folder.glob("*.ipynb"))
    if not labs:
        raise click.ClickException(f"no labs beside the package ({folder.name}/); clone the repository to have them")
    if name is not None and name not in labs:
        raise click.ClickException(f"no lab {shown(name)}; there are: {', '.join(labs)}")
    sys.stdout.flush()
    words, environment = command(
        folder, *(["--no-browser"] if no_browser else []), *([f"--port={port}"] if port else []),
        *(["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []),
        str(folder / f"{name or GALLERY}.ipynb"))
    # JupyterLab takes the place of this process: Ctrl-C is its own, and stops it without a question
    os.execve(sys.executable, words, environment)
