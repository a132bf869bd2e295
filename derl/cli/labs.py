"""The command that opens the labs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

import derl
from derl.boundary import shown


@click.command()
@click.argument("name", required=False)
def lab(name):
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
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", "--ServerApp.answer_yes=True", str(place)])
