"""Every lab in a real JupyterLab: it runs when it is opened, its code is hidden, every control and every button changes
the picture, and no output holds a complaint."""

from pathlib import Path

import nbformat
import pytest
from browser import in_chromium

from derl.show.labs.controls import Steps
from derl.show.labs.found import labs
from derl.show.labs.texts import Table, Text

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEAD = """import sys
from derl.show.labs.controls import Choice, Lab, Slider, View
from derl.show.labs.panel import panel
def view(a, dead=1):
    return View(f"a = {a}" if a < 5 else f"{1 / 0}", (f"<b>{a}</b>",))
"""
SLIDERS = "Slider('a', 'a', (1, 2, 3), 2), Slider('dead', 'dead', (1, 2), 1)"
SMALL = {"dead.ipynb": f"{HEAD}panel(Lab('x', 'x', 'x', view, ({SLIDERS}), 'x'))",
         "failing.ipynb": f"{HEAD}panel(Lab('x', 'x', 'x', view, (Slider('a', 'a', (2, 7), 2),), 'x'))"}


def wanted(lab) -> dict[str, bool]:
    """Everything that can be moved in a lab."""
    found = {f"control-{control.name}": True for control in lab.controls}
    found |= {f"begin-{control.name}": True for control in lab.controls if isinstance(control, Text)}
    found |= {f"edit-{control.name}-{number}": True for control in lab.controls if isinstance(control, Table)
              for number in range(len(control.edits))}
    if any(isinstance(control, Steps) for control in lab.controls):
        found |= dict.fromkeys(("back", "step", "reset", "play"), True)
    return found


@pytest.fixture(scope="module")
def driven(lab) -> dict[str, dict]:
    """What the browser met in all labs, and in two small notebooks that show what it sees."""
    for name, source in SMALL.items():
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook.metadata.derl = {"run_on_open": True}
        nbformat.write(notebook, lab.folder / name)
    return in_chromium(Path(__file__).with_name("drive.mjs"), lab.url, *(f"{name}.ipynb" for name in labs()), *SMALL,
                       LAB_TOKEN=lab.token)


@pytest.mark.parametrize("name", labs())
def test_a_lab_runs_by_itself_and_everything_in_it_moves_the_picture(driven, name):
    assert driven[f"{name}.ipynb"] == {"errors": [], "hidden": True, "asked": False, "failed": "", "complaints": "",
                                       "dirty": False, "moved": wanted(labs()[name])}


def test_a_dead_control_and_an_error_are_seen(driven):
    assert driven["dead.ipynb"]["moved"] == {"control-a": True, "control-dead": False}
    assert driven["dead.ipynb"]["hidden"] is False
    assert "ZeroDivisionError" in driven["failing.ipynb"]["complaints"]
