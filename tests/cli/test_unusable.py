"""What a command line can ask for and must not get: one line, soon, and nothing lost."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import fuzz
import numpy as np
import pytest
from click.testing import CliRunner

from derl import LinearMDP, claims, instances
from derl.cli import group, main

CHEAP = "text-discretisation-error"
ROOT = Path(__file__).parents[2]
RUN = ("run", "layerwise_exploration", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1",
       "--batch-size", "1e12")


def one_line_error(*words):
    started = time.process_time()
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == 2 and result.exception.__class__ is SystemExit, result.output
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("derl: ") and len(lines[0]) <= group.LONGEST + 6, lines
    assert time.process_time() - started < 2
    return lines[0]


def untouched(monkeypatch):
    """No work is done before the target is looked at."""
    def never(*words, **options):
        raise AssertionError("the work has begun")
    monkeypatch.setattr(claims, "verify", never)
    monkeypatch.setattr(instances, "from_spec", never)


@pytest.mark.parametrize("words", [("verify", CHEAP), ("instance", "optimism_trap")])
@pytest.mark.parametrize("name, reason", [("pipe", "is a pipe"), ("link", "is a pipe"), ("folder", "is a folder"),
                                          ("file/x", "ot a directory"), ("\udcff", "no name"), ("x" * 300, "too long"),
                                          ("a\0b", "no name")])
def test_a_target_that_is_no_file_is_refused_before_the_work(tmp_path, monkeypatch, words, name, reason):
    untouched(monkeypatch)
    os.mkfifo(tmp_path / "pipe")
    os.symlink("pipe", tmp_path / "link")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    assert reason in one_line_error(*words, "--out", f"{tmp_path}/{name}")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder", "link", "pipe"]
    assert stat.S_ISFIFO((tmp_path / "link").stat().st_mode) and (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("words", [("verify", CHEAP), ("instance", "optimism_trap")])
def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch, words):
    untouched(monkeypatch)
    monkeypatch.setattr("derl.boundary.files.os.access", lambda place, mode: False)
    assert "no permission" in one_line_error(*words, "--out", str(tmp_path / "x"))


def test_what_is_written_can_be_read_by_a_web_server(tmp_path):
    before = os.umask(0o022)
    try:
        for words in (("verify", CHEAP), ("instance", "optimism_trap")):
            assert CliRunner().invoke(main, [*words, "--out", str(tmp_path / words[0])]).exit_code == 0
            assert stat.S_IMODE((tmp_path / words[0]).stat().st_mode) == 0o644
    finally:
        os.umask(before)
    assert sorted(os.listdir(tmp_path)) == ["instance", "verify"]


@pytest.mark.parametrize("option", ["--epsilon", "--delta", "--batch-size", "--c-beta", "--seed", "--max-deployments"])
@pytest.mark.parametrize("value", ["1e99999999", "1e-9999999999", "5e-324", "nan", "inf", "-inf", "word", "", "-1",
                                   "9" * 5000, "1e400", "0x10", "\udcff", "a\nb"])
def test_numbers_that_are_none_or_too_large_or_too_small(option, value):
    complaint = one_line_error(*RUN, option, value)
    assert option in complaint or option.strip("-").replace("-", "_") in complaint


@pytest.mark.parametrize("spec, part", [
    ("lock:d=3,horizon=3,digits=1-2-0,bias=1e999999999", "bias"),
    ("lock:d=3,horizon=3,digits=1-2-0,bias=1e-999999999", "bias"),
    ("lock:d=1000000000,horizon=3,digits=0,bias=0.1", "more than"),
    ("lock:d=3,horizon=1000000000,digits=0,bias=0.1", "at most 10000"),
    ("compact-bandit:d=100000,horizon=100,arm=0,bias=0.1", "more than"),
    ("hard-template:d=1000,horizon=10,optimal_layer=1,optimal_index=1,cores=0,epsilon=0.1", "more than"),
    ("random-simplex:n_states=1000000,n_actions=1000000,dim=9,horizon=9,seed=0", "more than"),
    ("random-simplex:n_states=2000000,n_actions=1,dim=1,horizon=1,seed=0", "multiplications"),
    ("random-simplex:n_states=2,n_actions=2,dim=2,horizon=2,seed=" + "9" * 41, "seed"),
    ("stationary:" * 3000 + "optimism-trap", "3000 times"), ("stationary:" * 12 + "optimism-trap", "12 times"),
    ("stationary:" * 3 + "optimism-trap", "more than"), ("x" * 200_000, "at most 100000"), ("x" * 9000, "unknown"),
    ("lock:" + "d=1," * 9000, "given twice"), ("gymnasium:env=this:x-v1,horizon=2", "is not one of"),
    ("gymnasium:env=FrozenLake-v1,horizon=1000000000", "at most 10000"),
])
def test_specifications_that_ask_for_too_much(tmp_path, spec, part):
    assert part in one_line_error("instance", spec, "--out", str(tmp_path / "x.npz"))
    assert os.listdir(tmp_path) == []


BOUND = 200 * 2**20  # bytes beyond what the imports take
MEASURE = """
import resource, sys
from derl.cli import main
before = resource.getrusage(resource.RUSAGE_SELF)
try:
    main(sys.argv[1:])
except SystemExit as end:
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(end.code, after.ru_maxrss - before.ru_maxrss, after.ru_utime - before.ru_utime)
"""


def inflating(path):
    """Three kilobytes of archive: gigabytes of zeros in one entry."""
    good = path.with_name("good.npz")
    instances.optimism_trap().save(good)
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for info in source.infolist():
            if info.filename != "phi.npy":
                archive.writestr(info.filename, source.read(info))
        with archive.open("phi.npy", "w", force_zip64=True) as stream:
            np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False,
                                                          "shape": (1, 10**4, 10, 400)})
            for _ in range(305):
                stream.write(bytes(2**20))
            stream.write(bytes(8 * 10**4 * 4000 - 305 * 2**20))


def endless(path):
    """A horizon of a hundred million in three kilobytes."""
    instances.tabular(np.full((3, 2, 3), 1 / 3), np.zeros((3, 2)), [1, 0, 0], horizon=2).save(path)
    with np.load(path) as archive:
        entries = dict(archive)
    np.savez_compressed(path, **entries | {"horizon": np.array(10**8)})


@pytest.mark.parametrize("make", [inflating, endless])
def test_an_archive_that_asks_for_too_much_is_refused_in_little_time_and_memory(tmp_path, make):
    path = tmp_path / "large.npz"
    make(path)
    done = subprocess.run([sys.executable, "-c", MEASURE, "instance", str(path), "--out", str(tmp_path / "x.npz")],
                          capture_output=True, text=True, cwd=ROOT, check=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)})
    status, kilobytes, seconds = map(float, done.stdout.split())
    assert status == 2 and done.stderr.count("\n") == 1 and "at most" in done.stderr
    assert kilobytes * 1024 < BOUND and seconds < 1.5


@pytest.mark.parametrize("id", ["this:x-v1", "antigravity:x-v1", "this:FrozenLake-v1", "Ant-v5", "CartPole-v1", "no"])
def test_an_id_of_gymnasium_imports_nothing(tmp_path, id):
    before = set(sys.modules)
    assert "is not one of" in one_line_error("instance", f"gymnasium:env={id},horizon=2", "--out", str(tmp_path / "x"))
    assert not {"this", "antigravity", "mujoco"} & (set(sys.modules) - before)


@pytest.mark.parametrize("content", [
    b"[" * 100_000, b"\xff\xfe", b'{"schema": 1, "claims": {"rem-feature-norm": {}}}', b'{"schema": 1, "claims": []}',
    b'{"schema": 1, "claims": {"rem-feature-norm": 5}}', b"9" * 5000, b"NaN", b"null",
])
def test_a_ledger_that_is_none_is_one_line(tmp_path, content):
    path = tmp_path / "ledger.json"
    path.write_bytes(content)
    assert "run `derl verify` again" in one_line_error("show", CHEAP, "--ledger", str(path))
    assert "run `derl verify` again" in one_line_error("verify", CHEAP, "--compare", str(path))
    assert path.read_bytes() == content


def test_a_ledger_that_lacks_any_field_is_one_line_or_not_missed(tmp_path):
    path = tmp_path / "ledger.json"
    CliRunner().invoke(main, ["verify", CHEAP, "--out", str(path)])
    body = json.loads(path.read_text())
    rows = body["claims"][CHEAP], body["claims"][CHEAP]["checks"][0], body["claims"][CHEAP]["checks"][0]["controls"][0]
    for row in (body, *rows):
        for key in list(row):
            for other in (None, 5, [], {"a": []}, "text"):
                kept = row.pop(key)
                if other is not None:
                    row[key] = other
                path.write_text(json.dumps(body))
                result = CliRunner().invoke(main, ["show", CHEAP, "--ledger", str(path)])
                assert result.exit_code in (0, 2) and isinstance(result.exception, SystemExit | None), (key, other)
                row[key] = kept


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.npz")
    assert "is a pipe" in one_line_error("show", CHEAP, "--ledger", str(tmp_path / "pipe.npz"))
    assert "no such file" in one_line_error(*RUN, "--instance", str(tmp_path / "pipe.npz"))


def test_the_version():
    result = CliRunner().invoke(main, ["--version"])
    assert result.exit_code == 0 and result.stdout.startswith("derl, version ")


def test_a_stopped_run_of_the_command_is_taken_up_again(tmp_path):
    """Ctrl-C in the middle of the real command: soon over, one line, rows kept; the next run uses them."""
    out, journal = tmp_path / "ledger.json", tmp_path / ".ledger.json.journal"
    words = [sys.executable, "-m", "derl.cli", "verify", "--tier", "full", "--jobs", "2", "--out", str(out)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=ROOT)
    end = time.monotonic() + 90
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 3) and time.monotonic() < end:
        time.sleep(0.05)
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate(timeout=2)
    assert time.monotonic() - pressed < 2 and process.returncode == 2
    assert complaint.splitlines()[-1] == "derl: stopped" and "Traceback" not in complaint
    assert os.listdir(tmp_path) == [journal.name]
    kept = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    ids = sorted({row["claim"] for row in kept})[:2]
    result = CliRunner().invoke(main, ["verify", *ids, "--out", str(out)])
    assert result.exit_code == 0 and "are taken over from a run that was stopped" in result.stderr
    assert os.listdir(tmp_path) == ["ledger.json"]


READY = "import sys; from derl.cli import main; print('ready', flush=True); main(sys.argv[1:])"
LARGE = "random-simplex:n_states=200,n_actions=20,dim=60,horizon=20,seed=0"


@pytest.mark.parametrize("words", [("run", "layerwise_exploration", "--instance", LARGE, "--epsilon", "0.001",
                                    "--delta", "0.1", "--batch-size", "1e6"), ("instance", LARGE, "--out", "x.npz"),
                                   ("verify", "4.1", "--tier", "full"), ("show", "4.1")])
def test_ctrl_c_stops_every_command(tmp_path, words):
    process = subprocess.Popen([sys.executable, "-c", READY, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True, cwd=tmp_path,
                               env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        process.stdout.readline()
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, complaint = process.communicate(timeout=2)
    finally:  # a run that does not stop would go on for hours
        process.kill()
    assert process.returncode == 2 and complaint.splitlines()[-1] == "derl: stopped" and "Traceback" not in complaint
    assert os.listdir(tmp_path) == []


PRESSED = """
import sys
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed())
Pressed.name = sys.argv[1]
sys.argv[1:] = ["show", "C.3"]
from derl.cli import main
main()
"""


@pytest.mark.parametrize("module", ["click", "derl.cli.commands", "numpy", "derl.claims"])
def test_ctrl_c_while_modules_are_imported_is_one_line(module):
    done = subprocess.run([sys.executable, "-c", PRESSED, module], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "derl: stopped\n")


def test_the_labs_take_the_place_of_the_command(monkeypatch):
    started = []
    monkeypatch.setattr(os, "execve", lambda *what: started.append(what))
    assert CliRunner().invoke(main, ["lab"]).exit_code == 0
    ((program, words, environment),) = started
    assert program == sys.executable and words[:3] == [program, "-m", "jupyterlab"]
    assert "--ServerApp.answer_yes=True" in words and words[-1].endswith("notebooks/index.ipynb")
    assert Path(environment["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0], "labconfig").is_dir()
    assert "there are: " in one_line_error("lab", "no-lab") and len(started) == 1


def test_a_long_complaint_is_cut():
    assert len(one_line_error("frobnicate" * 500)) == len("derl: ") + group.LONGEST
    assert one_line_error("frobnicate" * 500).endswith("...") and "x..." in one_line_error(*RUN, "--mode", "x" * 10_000)


def test_fuzzed_command_lines(tmp_path, sized):
    counts, faults = fuzz.command_lines(sized(150, 2000), tmp_path, seed=1)
    assert not faults, faults[:5]
    assert counts["status 2"] > 50 and counts["status 0"] > 3


def test_instances_on_the_command_line_are_those_of_python(tmp_path):
    out = tmp_path / "x.npz"
    assert CliRunner().invoke(main, ["instance", "stationary:optimism-trap", "--out", str(out)]).exit_code == 0
    assert LinearMDP.load(out) == instances.stationary_embedding(instances.optimism_trap())
