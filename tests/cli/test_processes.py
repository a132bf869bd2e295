"""The command as a process: exit status, streams, Ctrl-C, and a folder that somebody else has filled."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT)}
DERL = [sys.executable, "-P", "-m", "derl"]  # -P: as the installed command, which does not look in the current folder
EVIL = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\nraise SystemExit('a stranger')\n"
LSVI = ("run", "lsvi_ucb", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1",
        "--max-deployments", "20")


def derl(*words, folder, **options):
    return subprocess.run([*DERL, *words], capture_output=True, text=True, cwd=folder, check=False, env=ENVIRONMENT,
                          **options)


def test_no_file_of_the_current_folder_is_run(tmp_path):
    for name in ("click.py", "numpy.py", "sitecustomize.py", "derl.py", "matplotlib.py", "evil.py"):
        (tmp_path / name).write_text(EVIL, encoding="utf-8")
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {tmp_path / 'cache'}\n", encoding="utf-8")
    (tmp_path / "matplotlibrc").write_text("backend: module://evil\nfigure.facecolor: red\n", encoding="utf-8")
    done = derl(*LSVI, "--plot", "x.svg", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists() and not (tmp_path / "cache").exists()
    assert "#ff0000" not in (tmp_path / "x.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("words, status", [(("show",), 141), (("--help",), 1)])
def test_a_reader_who_is_gone_is_quiet(tmp_path, words, status):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*DERL, *words], stdout=write, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False,
                          env=ENVIRONMENT)
    os.close(write)
    assert (done.returncode, done.stderr) == (status, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_disk_is_one_line_and_closed_streams_are_nothing(tmp_path):
    for ending, status in ((">/dev/full", 2), (">&- 2>&-", 0)):
        done = subprocess.run(["sh", "-c", f'"$@" show {ending}', "sh", *DERL], text=True, cwd=tmp_path, check=False,
                              stderr=subprocess.PIPE, env=ENVIRONMENT)
        said = "derl: [Errno 28] No space left on device\n" if status else ""
        assert (done.returncode, done.stderr) == (status, said)


def test_ctrl_c_is_one_line_and_leaves_nothing(tmp_path):
    large = "random-simplex:n_states=200,n_actions=20,dim=60,horizon=20,seed=0"
    words = [*DERL, *LSVI[:3], large, *LSVI[4:-2], "--plot", "x.svg"]
    heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731  a background job has it ignored
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=ENVIRONMENT,
                               preexec_fn=heard)
    time.sleep(1.5)
    for _ in range(3):  # numba swallows one that comes while it compiles
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            _, complaint = process.communicate(timeout=15)
            break
    assert process.returncode == 130 and complaint.split()[-2:] == ["derl:", "stopped"] and os.listdir(tmp_path) == []


def test_a_mistake_in_derl_is_a_traceback_and_no_verdict(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import derl.claims\nderl.claims.verify = None\n", encoding="utf-8")
    done = subprocess.run([*DERL, "verify", "C.3"], capture_output=True, text=True, cwd=tmp_path, check=False,
                          env=ENVIRONMENT | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"})
    assert done.returncode == 70 and "Traceback" in done.stderr and "please report it" in done.stderr
