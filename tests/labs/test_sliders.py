"""Every lab in a real JupyterLab: all cells run without an error and without a word on stderr, and a key pressed on the
first slider changes the output."""

from pathlib import Path

import nbformat
import pytest
from browser import ROOT, in_chromium

pytestmark = pytest.mark.browser

LABS = sorted((ROOT / "notebooks").glob("*.ipynb"))
IMPORTS = "import sys\nimport ipywidgets as widgets\nfrom IPython.display import display"
LIVE = "widgets.interact(lambda n: print(n * n), n=widgets.IntSlider(3, 0, 9))"
DEAD = "display(widgets.IntSlider(3, 0, 9), widgets.HTML('nine'))"
COMPLAINT = "print('careful', file=sys.stderr)"
SMALL = {"live.ipynb": (IMPORTS, LIVE), "dead.ipynb": (IMPORTS, DEAD, "1 / 0"),
         "loud.ipynb": (IMPORTS, LIVE, COMPLAINT)}
PATIENCE = {"dead.ipynb": 2}  # seconds to wait for a reaction; 20 for all others


@pytest.fixture(scope="module")
def driven(lab) -> dict[str, dict]:
    """What the browser met in every lab, and in the small notebooks that show what it sees."""
    for name, cells in SMALL.items():
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, lab.folder / name)
    names = [path.name for path in LABS] + list(SMALL)
    return in_chromium(Path(__file__).with_name("drive.mjs"), lab.url,
                       *[f"{name}={PATIENCE.get(name, 20)}" for name in names])


@pytest.mark.parametrize("notebook", LABS, ids=lambda path: path.stem)
def test_a_lab_runs_through_and_its_slider_changes_the_output(driven, notebook):
    assert driven[notebook.name] == {"errors": [], "slider": True, "reacts": True, "failed": ""}


def test_a_live_slider_is_seen_to_react(driven):
    assert driven["live.ipynb"] == {"errors": [], "slider": True, "reacts": True, "failed": ""}


def test_a_dead_slider_and_a_failing_cell_are_seen(driven):
    assert (driven["dead.ipynb"]["slider"], driven["dead.ipynb"]["reacts"]) == (True, False)
    assert "ZeroDivisionError" in driven["dead.ipynb"]["failed"]


def test_a_complaint_on_stderr_is_seen(driven):
    assert driven["loud.ipynb"]["reacts"] is True
    assert driven["loud.ipynb"]["failed"].strip() == "careful"
