"""Kernels that are forked from a process with everything imported: as fresh as those that start by themselves."""

import os
import subprocess
import sys

import forked_kernels
import nbformat
import parallel_pages
import pytest
from forked_kernels import WORTH, ForkedProvisioner, fork_server
from jupyter_cache.executors.utils import single_nb_execution
from jupyter_client import KernelManager

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux")
FRESH = "import os, sys\nsorted(name for name in globals() if not name.startswith('_')), os.getcwd(), os.getppid()"
DRAWN = "from derl.show.layerwise import figures\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"


def notebook(*cells: str):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return made


def told(result, cell: int = 0) -> str:
    return result.nb.cells[cell].outputs[-1]["data"]["text/plain"]


def run(folder, *cells: str):
    return single_nb_execution(notebook(*cells), cwd=str(folder), timeout=60, allow_errors=False)


@pytest.fixture
def pages_profile(html, monkeypatch):
    """The profile with which kernels of the book draw."""
    monkeypatch.setenv("IPYTHONDIR", str(html.parent / ".ipython"))
    monkeypatch.delenv("MPLBACKEND", raising=False)  # a command that ran in this process has set it


def test_a_forked_kernel_is_as_fresh_as_another_and_draws_the_same(pages_profile, tmp_path):
    alone = run(tmp_path, FRESH, DRAWN)
    with fork_server(WORTH):
        parent = ForkedProvisioner.fork_server._process
        one, two = run(tmp_path, FRESH, DRAWN), run(tmp_path, FRESH)
    assert parent.poll() == 0  # it ends with the block
    assert told(one) == told(two) == told(alone).replace(str(os.getpid()), str(parent.pid))
    assert str(tmp_path) in told(one) and "'figures'" not in told(one)
    assert [cell.outputs for cell in one.nb.cells[1:]] == [cell.outputs for cell in alone.nb.cells[1:]]
    assert "image/svg+xml" in one.nb.cells[1].outputs[-1]["data"]


@pytest.mark.slow
def test_errors_and_deaths_are_told_and_cost_no_other_kernel(tmp_path):
    with fork_server(WORTH):
        assert run(tmp_path, "1 / 0").err.ename == "ZeroDivisionError"
        assert parallel_pages.executed(notebook("import os\nos._exit(3)"), str(tmp_path), 60) is None
        assert told(run(tmp_path, "1 + 1")) == "2"


def test_a_kernel_sees_today_s_environment_and_how_its_own_children_end(tmp_path, monkeypatch):
    with fork_server(WORTH):
        monkeypatch.setenv("DERL_TOLD", "later")  # the server has been started before
        assert told(run(tmp_path, "import os, subprocess\nos.environ['DERL_TOLD'], subprocess.run(['false']).returncode"
                        )) == "('later', 1)"


@pytest.mark.slow
def test_kernels_end_with_the_server(tmp_path):
    """As with a build that is killed: nobody is left to stop them."""
    with fork_server(WORTH):
        kernel = KernelManager()
        kernel.start_kernel(cwd=str(tmp_path))
        client = kernel.blocking_client()
        client.start_channels()
        client.wait_for_ready(timeout=60)
        ForkedProvisioner.fork_server._process.kill()
        assert kernel.provisioner.process.wait(30) == 0
        client.stop_channels()
        kernel.cleanup_resources()


def test_few_kernels_start_by_themselves(tmp_path):
    with fork_server(WORTH - 1):
        assert str(os.getpid()) in told(run(tmp_path, FRESH))


def test_where_nothing_can_be_forked_the_page_is_left_to_myst_nb(tmp_path, monkeypatch):
    monkeypatch.setattr(forked_kernels, "Popen", lambda line, **rest: subprocess.Popen(
        [sys.executable, "-c", "raise SystemExit(1)"], **rest))
    with fork_server(WORTH):
        assert parallel_pages.executed(notebook("1 + 1"), str(tmp_path), 60) is None
    assert told(run(tmp_path, "1 + 1")) == "2"
