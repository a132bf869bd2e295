"""A few kills, a full disk, outputs that cannot be written, two writers: nothing is lost or torn, one line says why."""

import errno
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import faults
import pytest

from derl.inputs import files
from derl.ledger import InvalidLedger, Ledger
from derl.ledger.journal import Journal

RUN = [sys.executable, "-m", "derl.cli"]
ROOT = Path(__file__).parents[2]
IDS = faults.STATEMENTS[:4]


@pytest.mark.slow
@pytest.mark.parametrize("name", faults.WAYS)
def test_kills_at_random_moments(tmp_path, sized, name, monkeypatch):
    for folder in (ROOT / "tests" / "book", ROOT / "book" / "_ext"):
        monkeypatch.syspath_prepend(str(folder))
    way, share = faults.WAYS[name]
    kills = sized(max(1, round(5 * share)), round(100 * share))
    counts, wrong = way(kills, tmp_path / name, faults.random.Random(name))
    assert not wrong, wrong[:5]
    assert counts["kills"] >= kills and counts["runs to the end"]


def test_the_count_of_kills_knows_who_was_killed(tmp_path):
    assert faults.killed(lambda: signal.pause(), 0.05)
    assert not faults.killed(lambda: 0, 20)
    with pytest.raises(AssertionError, match="ended with"):
        faults.killed(lambda: 3, 20)


def test_rows_that_are_gone_because_the_code_was_edited_are_told_from_lost_ones():
    before = b"code 1", {b"x", b"y"}
    assert faults.gone(before, (b"code 1", {b"x", b"y", b"z"})) == "" == faults.gone((b"", set()), (b"code 1", {b"x"}))
    assert "lost" in faults.gone(before, (b"code 1", {b"x", b"z"})) and "lost" in faults.gone(before, (b"", set()))
    assert "the code" in faults.gone(before, (b"code 2", {b"z"}))


def run(*words, **options):
    return subprocess.run([*RUN, *map(str, words)], capture_output=True, text=True, check=False,
                          env=os.environ | {"PYTHONPATH": str(ROOT)}, **options)


def one_line(done):
    lines = [line for line in done.stderr.splitlines() if line.startswith("derl: ")]
    assert done.returncode == 2 and len(lines) == 1 and "Traceback" not in done.stderr, done.stderr
    return lines[0]


@pytest.fixture
def full(tmp_path):
    """A file system of a few pages; where none may be mounted, the test is left out."""
    place = tmp_path / "small"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", place]
    mounted = subprocess.run(words, capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no file system may be mounted here; the test with a limit on files is run instead")
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_with_room_the_run_goes_on(full):
    (full / "blocker").write_bytes(bytes(40_000))
    first = run("verify", *IDS, "--out", full / "ledger.json")
    assert "No space left" in one_line(first)
    left = {path.name for path in full.iterdir()}
    assert left <= {"blocker", ".ledger.json.journal"}
    kept = (full / ".ledger.json.journal").read_bytes()
    assert kept.endswith(b"\n") or not kept
    (full / "blocker").unlink()
    subprocess.run(["mount", "-o", "remount,size=4m", full], check=True)
    second = run("verify", *IDS, "--out", full / "ledger.json")
    assert second.returncode == 0 and set(os.listdir(full)) == {"ledger.json"}
    assert Ledger.load(full / "ledger.json").claims.keys() >= set(IDS)


def limited():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))


@pytest.mark.slow
def test_files_that_may_not_grow_are_one_line_and_half_a_row_hides_nothing(tmp_path):
    out = tmp_path / "ledger.json"
    assert "cannot be written: File too large" in one_line(run("verify", *IDS, "--out", out, preexec_fn=limited))
    assert os.listdir(tmp_path) == [".ledger.json.journal"]
    rows = (tmp_path / ".ledger.json.journal").read_bytes().split(b"\n")
    assert rows[-1] == b"" and len(rows) > 2 and all(json.loads(row) for row in rows[:-1])
    done = run("verify", *IDS, "--out", out)
    assert done.returncode == 0 and f"{len(rows) - 2} checks are taken over" in done.stderr
    assert os.listdir(tmp_path) == ["ledger.json"]


def test_a_row_that_does_not_fit_leaves_the_rows_before_it(tmp_path, monkeypatch):
    with Journal(tmp_path / "x", "digest") as journal:
        journal._write('{"claim": "a", "row": 1}')
        stream = journal._stream

        class Full:
            def write(self, content):
                if stream.tell() > before + 5:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return stream.write(content[:7])

            def __getattr__(self, name):
                return getattr(stream, name)

        before, journal._stream = stream.seek(0, os.SEEK_END), Full()
        with pytest.raises(InvalidLedger, match="No space left on device"):
            journal._write('{"claim": "b", "row": 2}')
        assert journal.path.read_bytes().endswith(b'"row": 1}\n')


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO, errno.EDQUOT])
def test_whatever_the_file_system_refuses_the_old_file_stays(tmp_path, monkeypatch, number):
    place = tmp_path / "x"
    files.write(place, b"old")

    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    for name in ("fsync", "open", "link"):
        with monkeypatch.context() as patched:
            patched.setattr(files.os, name, refuse)
            with pytest.raises(files.InvalidFile, match=f"cannot be written: {os.strerror(number)}"):
                files.write(place, b"new")
        assert place.read_bytes() == b"old" and os.listdir(tmp_path) == ["x"]


@pytest.mark.slow
def test_two_runs_on_one_file_are_one_ledger_and_one_line(tmp_path):
    out = tmp_path / "ledger.json"
    words = [*RUN, "verify", *IDS, "--out", str(out)]
    both = [subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                             env=os.environ | {"PYTHONPATH": str(ROOT)}) for _ in range(2)]
    said = [process.communicate()[1] for process in both]
    assert sorted(process.returncode for process in both) in ([0, 0], [0, 2])  # one after the other, or refused
    for process, words in zip(both, said, strict=True):
        assert process.returncode == 0 or "is in use by another run" in words.splitlines()[-1]
    assert Ledger.load(out).claims.keys() >= set(IDS) and os.listdir(tmp_path) == ["ledger.json"]


def test_many_writers_of_one_file_leave_one_of_theirs(tmp_path):
    contents = [bytes([65 + i]) * 200_000 for i in range(4)]

    def write(content):
        for _ in range(20):
            files.write(tmp_path / "x", content)

    children = [faults.forked(lambda content=content: write(content)) for content in contents]
    seen = set()
    while children:
        done, status = os.waitpid(children[0], os.WNOHANG)
        if (tmp_path / "x").exists():
            seen.add((tmp_path / "x").read_bytes())
        if done:
            assert status == 0
            children.pop(0)
    assert seen <= set(contents) and os.listdir(tmp_path) == ["x"]
