"""Folders that are held open, folders of others, and file systems that cannot do what most can."""

import errno
import os
import shutil
import stat
import threading
import time
from contextlib import suppress

import pytest

from derl.inputs import Invalid, files, folders, owners


@pytest.mark.skipif(not folders.HELD, reason="no folder descriptors here")
def test_a_folder_that_becomes_a_link_is_not_followed(tmp_path):
    """Another process swaps a folder and a link without end; nothing is ever written where the link leads."""
    private, ends = tmp_path / "private", threading.Event()
    private.mkdir()
    (private / "x").write_bytes(b"precious")
    (tmp_path / "sub").mkdir()

    def swaps():
        while not ends.is_set():
            with suppress(OSError):
                os.rename(tmp_path / "sub", tmp_path / "aside")
            with suppress(OSError):
                os.symlink(private, tmp_path / "sub")
            time.sleep(1e-4)  # the writer has its turn while it is a link, and below while it is the folder
            if (tmp_path / "sub").is_symlink():
                os.unlink(tmp_path / "sub")
            shutil.rmtree(tmp_path / "sub", ignore_errors=True)  # the writer has made it while it was missing
            with suppress(OSError):
                os.rename(tmp_path / "aside", tmp_path / "sub")
            time.sleep(1e-4)

    real = folders.without_links(tmp_path / "sub")  # what a check has found before the swap
    thread = threading.Thread(target=swaps)
    thread.start()
    written = refused = 0
    try:
        until = time.monotonic() + 120
        while (written < 50 or refused < 50) and time.monotonic() < until:
            try:
                with folders.Folder(real) as folder:
                    assert not os.path.samestat(os.fstat(folder.descriptor), private.stat())
                    files._write_named(folder, "x", b"new")
                    written += 1
            except OSError:
                refused += 1
    finally:
        ends.set()
        thread.join()
    assert written and refused and (private / "x").read_bytes() == b"precious" and os.listdir(private) == ["x"]


@pytest.fixture
def modeless(monkeypatch):
    """A file system like a mounted drive of Windows: every file shows as open to all and of user 7, no mode is set."""
    real = {name: getattr(os, name) for name in ("stat", "lstat", "fstat")}

    def shown(name):
        def asked(*what, **how):
            state = list(real[name](*what, **how))
            state[0], state[4], state[5] = state[0] | 0o777, 7, 7
            return os.stat_result(state)
        return asked

    def refused(*what, **how):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    for name in real:
        monkeypatch.setattr(os, name, shown(name))
    for name in ("fchmod", "chmod", "link"):
        monkeypatch.setattr(os, name, refused)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no users here")
def test_a_file_system_without_modes_and_owners_asks_for_neither(tmp_path, modeless):
    for _ in range(2):
        os.close(owners.opened(tmp_path / "journal", files.InvalidFile))
        files.write(tmp_path / "x", b"one")
    assert files.read(tmp_path / "x", 9, own=True) == b"one"
    assert owners.distrusted(tmp_path) is None and sorted(os.listdir(tmp_path)) == ["journal", "x"]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_no_other_run(tmp_path, monkeypatch, number):
    def refused(*what):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(files.fcntl, "flock", refused)
    with open(tmp_path / "x", "wb") as stream:
        assert files.locked(stream.fileno())


def test_a_file_system_that_cannot_sync(tmp_path, monkeypatch):
    def refused(*what):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "fsync", refused)
    files.write(tmp_path / "x", b"one")
    assert (tmp_path / "x").read_bytes() == b"one"


def test_a_folder_in_which_others_can_write_is_not_trusted(tmp_path):
    own, shared = tmp_path / "own", tmp_path / "shared"
    own.mkdir(mode=0o755)
    shared.mkdir()
    shared.chmod(0o777)
    (shared / "mine").mkdir(mode=0o700)
    (tmp_path / "sticky").mkdir()
    (tmp_path / "sticky").chmod(0o1777)
    (tmp_path / "sticky" / "mine").mkdir(mode=0o700)
    assert owners.distrusted(own) is None and owners.distrusted(tmp_path / "sticky" / "mine") is None
    assert owners.distrusted(own / "new" / "deep") is None
    for folder in (shared, shared / "mine", tmp_path / "sticky"):
        assert "other users can write to" in owners.distrusted(folder)
    assert "relative" in owners.distrusted("own")
    (own / "open.py").write_text("")
    (own / "open.py").chmod(0o666)
    assert owners.distrusted(own) is None and "open.py" in owners.distrusted(own, below=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser gives files away")
def test_a_folder_of_another_user_is_not_trusted(tmp_path):
    (tmp_path / "labs" / "0.1.0").mkdir(parents=True)
    os.chown(tmp_path / "labs" / "0.1.0", 54321, -1)
    assert "belongs to another user" in owners.distrusted(tmp_path / "labs" / "0.1.0")
    assert "belongs to another user" in owners.distrusted(tmp_path / "labs", below=True)
    assert owners.distrusted(tmp_path / "labs" / "0.1.0", (54321,)) is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no users here")
def test_a_file_of_another_user_in_a_shared_folder_is_refused_before_the_work(tmp_path, monkeypatch):
    tmp_path.chmod(0o1777)
    (tmp_path / "theirs").write_bytes(b"kept")
    (tmp_path / "theirs").chmod(0o666)
    monkeypatch.setattr(owners.os, "geteuid", lambda: 54321)  # neither its owner nor that of the folder
    with pytest.raises(Invalid, match="it belongs to another user"):
        files.target(tmp_path / "theirs")
    assert stat.S_ISREG((tmp_path / "theirs").stat().st_mode)
