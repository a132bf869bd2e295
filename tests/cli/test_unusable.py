"""What a command line can ask for and must not get: one line, soon, and nothing lost."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import fuzz
import numpy as np
import pytest
from click.testing import CliRunner

import derl
from derl import LinearMDP, instances
from derl.cli import group, labs, main
from derl.inputs import parts

CHEAP = "text-discretisation-error"
ROOT = Path(__file__).parents[2]
RUN = ("run", "layerwise_exploration", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1",
       "--batch-size", "1e12")


@pytest.mark.parametrize("option", ["--epsilon", "--delta", "--batch-size", "--c-beta", "--seed", "--max-deployments"])
@pytest.mark.parametrize("value", ["1e99999999", "1e-9999999999", "5e-324", "nan", "inf", "-inf", "word", "", "-1",
                                   "9" * 5000, "1e400", "0x10", "\udcff", "a\nb"])
def test_numbers_that_are_none_or_too_large_or_too_small(option, value, one_line_error):
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
def test_specifications_that_ask_for_too_much(tmp_path, spec, part, one_line_error):
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
def test_an_id_of_gymnasium_imports_nothing(tmp_path, id, one_line_error):
    before = set(sys.modules)
    assert "is not one of" in one_line_error("instance", f"gymnasium:env={id},horizon=2", "--out", str(tmp_path / "x"))
    assert not {"this", "antigravity", "mujoco"} & (set(sys.modules) - before)


@pytest.mark.parametrize("content", [
    b"[" * 100_000, b"\xff\xfe", b'{"schema": 1, "claims": {"rem-feature-norm": {}}}', b'{"schema": 1, "claims": []}',
    b'{"schema": 1, "claims": {"rem-feature-norm": 5}}', b"9" * 5000, b"NaN", b"null",
])
def test_a_ledger_that_is_none_is_one_line(tmp_path, content, one_line_error):
    path = tmp_path / "ledger.json"
    path.write_bytes(content)
    assert "run the checks again" in one_line_error("show", CHEAP, "--ledger", str(path))
    assert "run the checks again" in one_line_error("verify", CHEAP, "--compare", str(path))
    assert path.read_bytes() == content


def test_a_ledger_that_lacks_any_field_is_one_line_or_not_missed(tmp_path):
    path = tmp_path / "ledger.json"
    CliRunner().invoke(main, ["verify", CHEAP, "--out", str(path)])
    body = json.loads(path.read_text()) | {"digest": ""}  # without a digest no seal is asked for
    claim = body["claims"][CHEAP]
    for row in (body, claim, claim["power"], claim["checks"][0], claim["checks"][0]["controls"][0]):
        for key in list(row):
            for other in (None, 5, [], {"a": []}, "text", 10**400):
                kept = row.pop(key)
                if other is not None:
                    row[key] = other
                path.write_text(json.dumps(body))
                result = CliRunner().invoke(main, ["show", CHEAP, "--ledger", str(path)])
                assert result.exit_code in (0, 2) and isinstance(result.exception, SystemExit | None), (key, other)
                row[key] = kept


def test_a_pipe_is_not_waited_for(tmp_path, one_line_error):
    os.mkfifo(tmp_path / "pipe.npz")
    assert "is a pipe" in one_line_error("show", CHEAP, "--ledger", str(tmp_path / "pipe.npz"))
    assert "no such file" in one_line_error(*RUN, "--instance", str(tmp_path / "pipe.npz"))


def test_the_version():
    result = CliRunner().invoke(main, ["--version"])
    assert result.exit_code == 0 and result.stdout.startswith("derl, version ")


def test_the_labs_take_the_place_of_the_command(monkeypatch, one_line_error):
    started = []
    monkeypatch.setattr(os, "execve", lambda *what: started.append(what))
    assert CliRunner().invoke(main, ["lab"]).exit_code == 0
    ((program, words, environment),) = started
    assert program == sys.executable and words[:4] == [program, "-P", "-m", "jupyterlab"]
    assert "--ServerApp.answer_yes=True" in words and words[-1].endswith("notebooks/index.ipynb")
    assert Path(environment["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0], "labconfig").is_dir()
    assert "there are: " in one_line_error("lab", "no-lab") and len(started) == 1


def test_a_long_complaint_is_cut(one_line_error):
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


def test_an_installed_derl_copies_its_labs_once_and_overwrites_nothing(tmp_path, monkeypatch):
    source, started = tmp_path / "site" / "notebooks", []
    (source / ".lab").mkdir(parents=True)
    for name in ("index.ipynb", "new.ipynb", "mine.ipynb", "pictures/a.png"):
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(name)
    monkeypatch.setattr(labs, "shipped", lambda: (source, False))
    monkeypatch.setattr(os, "execve", lambda *what: started.append(what))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", "beside", "/far"]))
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "home" / "derl-labs" / derl.__version__
    (place / "pictures").mkdir(parents=True)
    (place / "mine.ipynb").write_text("changed by me")
    result = CliRunner().invoke(main, ["lab", "new"])
    assert result.exit_code == 0 and "yours are kept" in result.stderr and "mine.ipynb" in result.stderr
    assert (place / "mine.ipynb").read_text() == "changed by me" and (place / "pictures" / "a.png").is_file()
    assert not (place / ".lab").exists()
    (_, words, environment), = started
    assert words[-1] == str(place / "new.ipynb") and environment["PYTHONSAFEPATH"] == "1"
    assert environment["PYTHONPATH"] == os.pathsep.join([str(tmp_path / "beside"), "/far"])
    assert environment["JUPYTER_PATH"].split(os.pathsep)[0] == str(source / ".lab" / "data")
    assert CliRunner().invoke(main, ["lab", "--folder", "here"]).exit_code == 0
    assert started[1][1][-1] == str(tmp_path / "here" / derl.__version__ / "index.ipynb")


def test_the_labs_need_jupyterlab(monkeypatch, one_line_error):
    monkeypatch.setattr(parts, "find_spec", lambda name: None)
    assert "pip install '.[book]'" in one_line_error("lab")
