"""What a command line can ask for and must not get: one line, soon, and nothing lost."""

import os
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import derl
from derl import claims, instances
from derl.cli import group, labs, main
from derl.cli.printing import visible
from derl.exact import base

CHEAP = "text-discretisation-error"
RUN = ("run", "layerwise_exploration", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1",
       "--batch-size", "1e12")


@pytest.mark.parametrize("option", ["--epsilon", "--batch-size", "--c-beta", "--seed"])
@pytest.mark.parametrize("value", ["1e99999999", "1e-9999999999", "nan", "-inf", "word", "", "-1", "1e400", "a\nb"])
def test_numbers_that_are_none_or_too_large_or_too_small(option, value, one_line_error):
    complaint = one_line_error(*RUN, option, value)
    assert option in complaint or option.strip("-").replace("-", "_") in complaint


@pytest.mark.parametrize("spec, part", [
    ("lock:d=3,horizon=3,digits=1-2-0,bias=1e999999999", "bias"),
    ("lock:d=1000000000,horizon=3,digits=0,bias=0.1", "more than"),
    ("lock:d=3,horizon=1000000000,digits=0,bias=0.1", "at most 10000"),
    ("random-simplex:n_states=1000000,n_actions=1000000,dim=9,horizon=9,seed=0", "more than"),
    ("random-simplex:n_states=2,n_actions=2,dim=2,horizon=2,seed=" + "9" * 41, "seed"),
    ("stationary:" * 3000 + "optimism-trap", "3000 times"), ("x" * 9000, "unknown"), ("lock:d=1,d=1", "given twice"),
    ("gymnasium:env=this:x-v1,horizon=2", "is not one of"), ("gymnasium:env=Ant-v5,horizon=2", "is not one of")])
def test_specifications_that_ask_for_too_much(tmp_path, spec, part, one_line_error):
    assert part in one_line_error("instance", spec, "--out", str(tmp_path / "x.npz"))
    assert os.listdir(tmp_path) == [] and "this" not in sys.modules


def test_an_archive_of_gigabytes_of_zeros_is_refused_before_it_is_unpacked(tmp_path, one_line_error):
    instances.optimism_trap().save(tmp_path / "good.npz")
    with (zipfile.ZipFile(tmp_path / "good.npz") as source,
          zipfile.ZipFile(tmp_path / "large.npz", "w", zipfile.ZIP_DEFLATED) as archive):
        for info in source.infolist():
            if info.filename != "phi.npy":
                archive.writestr(info.filename, source.read(info))
        with archive.open("phi.npy", "w", force_zip64=True) as stream:
            np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False,
                                                          "shape": (1, 10**4, 10, 400)})
            stream.write(bytes(2**20))
    line = one_line_error("instance", str(tmp_path / "large.npz"), "--out", str(tmp_path / "x.npz"))
    assert "has not the size that its header says" in line


@pytest.mark.parametrize("content", [b"[" * 100_000, b"\xff\xfe", b'{"schema": 1, "claims": {"rem-feature-norm": 5}}',
                                     b"9" * 5000, b"NaN", b"null"])
def test_a_ledger_that_is_none_is_one_line(tmp_path, content, one_line_error):
    path = tmp_path / "ledger.json"
    path.write_bytes(content)
    assert "run the checks again" in one_line_error("show", CHEAP, "--ledger", str(path))
    assert "run the checks again" in one_line_error("verify", CHEAP, "--compare", str(path))


@pytest.mark.parametrize("words", [("verify", CHEAP), ("instance", "optimism_trap")])
@pytest.mark.parametrize("name, reason", [("pipe", "is a pipe"), (".", "is a folder"), ("x" * 300, "too long")])
def test_a_target_that_is_no_file_is_refused_before_the_work(tmp_path, monkeypatch, words, name, reason,
                                                             one_line_error):
    monkeypatch.setattr(claims, "verify", None)
    monkeypatch.setattr(instances, "from_spec", None)
    os.mkfifo(tmp_path / "pipe")
    assert reason in one_line_error(*words, "--out", f"{tmp_path}/{name}")
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize("words, package", [
    ((*RUN, "--plot", "x.svg"), "matplotlib"), (("lab",), "jupyterlab"), (("paper", "build", "x"), "jupyter_book")])
def test_a_missing_part_is_named_with_its_extra(monkeypatch, words, package, one_line_error):
    monkeypatch.setattr(base, "find_spec", lambda name: None)
    line = one_line_error(*words)
    assert package in line and "pip install '.[book]'" in line


def test_no_text_tells_the_terminal_what_to_do(one_line_error):
    assert visible("a\x1b[1m\x9b\u202e") == r"a\x1b[1m\x9b\u202e" and visible("ε ≤ 1\n\tČ") == "ε ≤ 1\n\tČ"
    assert r"\x1b]0;owned" in one_line_error("show", "\x1b]0;owned\x07")
    line = one_line_error("frobnicate" * 500)
    assert len(line) == len("derl: ") + group.LONGEST and line.endswith("...")


def test_labs_are_copied_once_and_take_the_place_of_the_command(tmp_path, monkeypatch, one_line_error):
    source, started = tmp_path / "site" / "notebooks", []
    for name in ("index.ipynb", "new.ipynb", "mine.ipynb", "pictures/a.png", ".lab/data"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(name)
    monkeypatch.setattr(labs, "shipped", lambda: (source, False))
    monkeypatch.setattr(os, "execve", lambda *what: started.append(what))
    place = tmp_path / "own" / derl.__version__
    place.mkdir(parents=True)
    (place / "mine.ipynb").write_text("changed by me")
    result = CliRunner().invoke(main, ["lab", "new", "--folder", str(tmp_path / "own")])
    assert result.exit_code == 0 and "yours are kept" in result.stderr and "mine.ipynb" in result.stderr
    assert (place / "mine.ipynb").read_text() == "changed by me" and (place / "pictures" / "a.png").is_file()
    ((program, words, environment),) = started
    assert program == sys.executable and words[-1] == str(place / "new.ipynb") and not (place / ".lab").exists()
    assert environment["PYTHONSAFEPATH"] == "1" and Path(environment["JUPYTER_PATH"].split(os.pathsep)[0]).exists()
    assert "there are: " in one_line_error("lab", "no-lab") and len(started) == 1
