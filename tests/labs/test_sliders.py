"""Every lab in a real JupyterLab: all cells run, and a key pressed on the first slider changes the output."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import LABS, ROOT, Lab

pytestmark = pytest.mark.browser

IMPORTS = "import ipywidgets as widgets\nfrom IPython.display import display"
LIVE = "widgets.interact(lambda n: print(n * n), n=widgets.IntSlider(3, 0, 9))"
DEAD = "display(widgets.IntSlider(3, 0, 9), widgets.HTML('nine'))"
BROKEN = "display(widgets.IntSlider(3, 0, 9))\n1 / 0"


def drive(lab: Lab, notebook: str) -> dict:
    """What the browser met in one notebook."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert chromium, "the lab tests need Chromium (on Debian: apt-get install chromium)"
    node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run([node, Path(__file__).with_name("drive.mjs"), chromium, ROOT / "book", lab.url, notebook],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def small_notebook(lab: Lab, name: str, *cells: str) -> str:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, lab.folder / name)
    return name


@pytest.mark.parametrize("notebook", LABS, ids=lambda path: path.stem)
def test_the_slider_of_a_lab_changes_its_output(lab, notebook):
    assert drive(lab, notebook.name) == {"errors": [], "slider": True, "reacts": True, "failed": ""}


def test_a_live_slider_is_seen_to_react(lab):
    assert drive(lab, small_notebook(lab, "live.ipynb", IMPORTS, LIVE))["reacts"] is True


def test_a_dead_slider_and_a_failing_cell_are_seen(lab):
    dead = drive(lab, small_notebook(lab, "dead.ipynb", IMPORTS, DEAD))
    assert (dead["slider"], dead["reacts"], dead["failed"]) == (True, False, "")
    assert "ZeroDivisionError" in drive(lab, small_notebook(lab, "broken.ipynb", IMPORTS, BROKEN))["failed"]
