"""The command that opens the labs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import derl
from derl.boundary import shown
from derl.cli.group import Whole


@click.command(epilog="""\b
Examples:
  derl lab
  derl lab layerwise
  derl lab --no-browser --port 8890""")
@click.argument("name", required=False)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--port", type=Whole(low=1, high=65535), help="Where JupyterLab listens; by default 8888 or the next.")
def lab(name, no_browser, port):
    """Open the labs in JupyterLab, or one of them."""
    folder = Path(derl.__file__).resolve().parents[1] / "notebooks"
    labs = sorted(path.stem for path in folder.glob("*.ipynb"))
    if not labs:
        raise click.ClickException(f"no labs beside the package ({folder.name}/); clone the repository to have them")
    if name is not None and name not in labs:
        raise click.ClickException(f"no lab {shown(name)}; there are: {', '.join(labs)}")
    place = folder / f"{name}.ipynb" if name else folder
    sys.stdout.flush()
    # JupyterLab takes the place of this process: Ctrl-C is its own, and stops it without a question
    words = ["--ServerApp.answer_yes=True", *(["--no-browser"] if no_browser else []),
             *([f"--port={port}"] if port else []), str(place)]
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *words])
