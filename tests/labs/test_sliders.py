"""Every lab in a real JupyterLab: all cells run, and a key pressed on the first slider changes the output."""

from pathlib import Path

import nbformat
import pytest
from browser import ROOT, in_chromium

pytestmark = pytest.mark.browser

LABS = sorted((ROOT / "notebooks").glob("*.ipynb"))
IMPORTS = "import ipywidgets as widgets\nfrom IPython.display import display"
LIVE = "widgets.interact(lambda n: print(n * n), n=widgets.IntSlider(3, 0, 9))"
DEAD = "display(widgets.IntSlider(3, 0, 9), widgets.HTML('nine'))"


def drive(lab, notebook: str, patience: int = 20) -> dict:
    """What the browser met in one notebook."""
    return in_chromium(Path(__file__).with_name("drive.mjs"), lab.url, notebook, str(patience))


def small_notebook(lab, name: str, *cells: str) -> str:
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
    found = drive(lab, small_notebook(lab, "dead.ipynb", IMPORTS, DEAD, "1 / 0"), patience=2)
    assert (found["slider"], found["reacts"]) == (True, False)
    assert "ZeroDivisionError" in found["failed"]
