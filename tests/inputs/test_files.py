"""Files appear whole or not at all, and what is no file is left alone."""

import errno
import os
import stat
from functools import partial

import pytest
import refusal

from derl.inputs import Invalid, files

refused = partial(refusal.refused, Invalid)


def test_a_file_is_written_and_replaced_and_hands_on_its_permissions(tmp_path):
    path = tmp_path / "deep" / "er" / "x.json"
    before = os.umask(0o027)
    try:
        files.write(path, b"one")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"one" and stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    files.write(str(path), lambda stream: stream.write(b"two"))
    assert path.read_bytes() == b"two" and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["x.json"]


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(errno.ENOSPC, "No space left on device")])
def test_a_write_that_breaks_off_leaves_nothing_behind(tmp_path, existing, error):
    path = tmp_path / "x"
    if existing:
        path.write_bytes(b"old")

    def breaks_off(stream):
        stream.write(b"half of it")
        raise error

    with pytest.raises(Invalid if isinstance(error, OSError) else BaseException):
        files.write(path, breaks_off)
    assert os.listdir(tmp_path) == ["x"] * existing and (not existing or path.read_bytes() == b"old")


def test_what_is_no_regular_file_is_refused_and_left_alone(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    os.symlink(tmp_path / "pipe", tmp_path / "link")
    os.symlink(tmp_path / "loop", tmp_path / "loop")
    (tmp_path / "file").write_bytes(b"kept")
    for name, reason in (("folder", "is a folder"), ("pipe", "is a pipe"), ("link", "is a pipe"), ("loop", "cannot be"),
                         ("file/x", "ot a directory"), ("new/", "no name of a file"), ("x" * 300, "too long")):
        for call in (files.target, lambda place: files.write(place, b"lost")):
            refused(lambda name=name, call=call: call(f"{tmp_path}/{name}"), reason, "regular file")
    refused(lambda: files.write("/dev/null", b""), "is a device")
    assert (tmp_path / "pipe").is_fifo() and (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"kept"


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    os.symlink("file", tmp_path / "link")
    files.write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.parametrize("name", [5, None, b"\xff", "\udcff", "a\0b"])
def test_what_is_no_name(name):
    for call in (files.target, lambda name: files.read(name, 9)):
        refused(lambda call=call: call(name), "is no name of a file")


def test_a_folder_without_permission_is_named_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(files.os, "access", lambda place, mode: False)
    refused(lambda: files.target(tmp_path / "deep" / "x"), "no permission")


def test_reading(tmp_path):
    (tmp_path / "x").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    assert files.read(tmp_path / "x", 5) == b"12345"
    for name, largest, reason in (("x", 4, "more than 4 bytes"), ("pipe", 4, "is a pipe"), (".", 4, "is a folder"),
                                  ("no", 4, "no such file"), ("x/y", 4, "cannot read")):
        refused(lambda name=name, largest=largest: files.read(tmp_path / name, largest), reason)
