"""Every lab runs from top to bottom, without an error and without a word on stderr."""

import nbformat
import pytest
from browser import ROOT
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

LABS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def run(notebook, folder):
    """Execute a notebook in memory and return what its cells wrote to stderr."""
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}})
    # no stand-in for Output widgets: it sends on the channel that it reads, and now and then waits for the timeout
    client.comm_open_handlers = {}
    client.execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stderr")


@pytest.mark.parametrize("path", LABS, ids=lambda path: path.stem)
def test_a_lab_runs_through(path):
    assert run(nbformat.read(path, as_version=4), path.parent) == ""


def test_a_failing_cell_and_a_complaint_are_seen(tmp_path):
    cell = nbformat.v4.new_code_cell
    assert run(nbformat.v4.new_notebook(cells=[cell("import sys; print('careful', file=sys.stderr)")]), tmp_path)
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        run(nbformat.v4.new_notebook(cells=[cell("1 / 0")]), tmp_path)
