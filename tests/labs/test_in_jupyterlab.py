"""Every lab in a real JupyterLab: it runs when it is opened, its code is hidden, every control and every button changes
the picture, and no output holds a complaint."""

from pathlib import Path

import nbformat
import pytest
from browser import in_chromium

from derl.show.labs.controls import Steps
from derl.show.labs.found import labs
from derl.show.labs.texts import Table, Text

pytestmark = pytest.mark.browser
FIRST = "layerwise"  # the lab of the quick tests

HEAD = """import sys
from derl.show.labs.controls import Choice, Lab, Slider, View
from derl.show.labs.panel import panel
def view(a, dead=1):
    return View(f"a = {a}" if a < 5 else f"{1 / 0}", (f"<b>{a}</b>",))
"""
SLIDERS = "Slider('a', 'a', (1, 2, 3), 2), Slider('dead', 'dead', (1, 2), 1)"
SMALL = {"dead.ipynb": f"{HEAD}panel(Lab('x', 'x', 'x', view, ({SLIDERS}), 'x'))",
         "failing.ipynb": f"{HEAD}panel(Lab('x', 'x', 'x', view, (Slider('a', 'a', (2, 7), 2),), 'x'))",
         "loud.ipynb": f"{HEAD}print('careful', file=sys.stderr)\n"
                       "panel(Lab('x', 'x', 'x', view, (Slider('a', 'a', (1, 2), 1),), 'x'))"}


def wanted(lab) -> dict[str, bool]:
    """Everything that can be moved in a lab."""
    found = {f"control-{control.name}": True for control in lab.controls}
    found |= {f"begin-{control.name}": True for control in lab.controls if isinstance(control, Text)}
    found |= {f"edit-{control.name}-{number}": True for control in lab.controls if isinstance(control, Table)
              for number in range(len(control.edits))}
    if any(isinstance(control, Steps) for control in lab.controls):
        found |= dict.fromkeys(("back", "step", "reset", "play"), True)
    return found


def drive(lab, *names: str) -> dict[str, dict]:
    """What the browser met in these notebooks."""
    return in_chromium(Path(__file__).with_name("drive.mjs"), lab.url, *names, LAB_TOKEN=lab.token)


@pytest.fixture(scope="module")
def first(lab) -> dict[str, dict]:
    """What the browser met in one lab."""
    return drive(lab, f"{FIRST}.ipynb")


@pytest.fixture(scope="module")
def others(lab) -> dict[str, dict]:
    """What the browser met in all other labs, and in the small notebooks that show what it sees."""
    for name, source in SMALL.items():
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook.metadata.derl = {"run_on_open": True}
        nbformat.write(notebook, lab.folder / name)
    return drive(lab, *(f"{name}.ipynb" for name in labs() if name != FIRST), *SMALL)


@pytest.mark.parametrize("name", [FIRST, *(pytest.param(name, marks=pytest.mark.slow) for name in labs()
                                           if name != FIRST)])
def test_a_lab_runs_by_itself_and_everything_in_it_moves_the_picture(request, name):
    driven = request.getfixturevalue("first" if name == FIRST else "others")
    assert driven[f"{name}.ipynb"] == {"errors": [], "hidden": True, "asked": False, "failed": "", "complaints": "",
                                       "dirty": False,
                                       "moved": wanted(labs()[name])}


@pytest.mark.slow
def test_a_dead_control_and_visible_code_are_seen(others):
    assert others["dead.ipynb"]["moved"] == {"control-a": True, "control-dead": False}
    assert others["dead.ipynb"]["hidden"] is False


@pytest.mark.slow
def test_an_error_behind_a_control_is_seen(others):
    assert others["failing.ipynb"]["moved"] == {"control-a": True}
    assert "ZeroDivisionError" in others["failing.ipynb"]["complaints"]


@pytest.mark.slow
def test_a_complaint_on_stderr_is_seen(others):
    assert others["loud.ipynb"]["complaints"].strip() == "careful"
