"""Files appear whole or not at all, and what is no file is left alone."""

import multiprocessing
import os
import stat
import time

import pytest

from derl.inputs import Invalid, files, owners


def refused(call, *fragments):
    with pytest.raises(Invalid) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message, message


@pytest.fixture(params=["without a name", "with a name"])
def way(request, monkeypatch):
    """Both ways of writing: where the platform makes files without a name, and elsewhere."""
    if request.param == "with a name":
        monkeypatch.setattr(files, "_write_nameless", lambda *what: False)
    return request.param


def test_a_file_is_written_and_replaced(tmp_path, way):
    path = tmp_path / "deep" / "er" / "x.json"
    files.write(path, b"one")
    assert path.read_bytes() == b"one"
    files.write(str(path), lambda stream: stream.write(b"two"))
    assert path.read_bytes() == b"two" and os.listdir(path.parent) == ["x.json"]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_permissions_follow_the_umask(tmp_path, way, mask):
    before = os.umask(mask)
    try:
        for _ in range(2):
            files.write(tmp_path / "x", b"")
            assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o666 & ~mask
    finally:
        os.umask(before)


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device"), ValueError("own")])
def test_an_interrupted_write_leaves_nothing_behind(tmp_path, way, existing, error):
    path = tmp_path / "x"
    if existing:
        path.write_bytes(b"old")

    def breaks_off(stream):
        stream.write(b"half of it")
        raise error

    with pytest.raises(Invalid if isinstance(error, OSError) else BaseException):
        files.write(path, breaks_off)
    assert os.listdir(tmp_path) == (["x"] if existing else [])
    assert not existing or path.read_bytes() == b"old"


def test_what_is_no_regular_file_is_refused_and_left_alone(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    os.symlink(tmp_path / "pipe", tmp_path / "link")
    os.symlink(tmp_path / "loop", tmp_path / "loop")
    (tmp_path / "file").write_bytes(b"kept")
    for name, reason in (("folder", "is a folder"), ("pipe", "is a pipe"), ("link", "is a pipe"),
                         ("loop", "symbolic links"), ("file/x", "ot a directory"), ("new/", "no name of a file"),
                         ("x" * 300, "too long")):
        for call in (files.target, lambda place: files.write(place, b"lost")):
            refused(lambda name=name, call=call: call(f"{tmp_path}/{name}"), reason, "regular file")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode) and (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"kept"


def test_a_device_is_refused(tmp_path):
    device = tmp_path / "device"
    try:
        os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    except OSError:  # not allowed here: the kind is asked of the mode alone
        assert next(word for test, word in owners.KINDS if test(stat.S_IFCHR)) == "a device"
        return
    refused(lambda: files.write(device, b"lost"), "is a device")
    assert stat.S_ISCHR(device.stat().st_mode)


@pytest.mark.parametrize("name", [5, None, b"\xff", "\udcff", "a\0b", object()])
def test_what_is_no_name(name):
    for call in (files.target, lambda name: files.read(name, 9)):
        refused(lambda call=call: call(name), "is no name of a file")


def test_a_folder_without_permission(tmp_path, monkeypatch):
    monkeypatch.setattr(files.os, "access", lambda place, mode: False)
    refused(lambda: files.target(tmp_path / "x"), "no permission")
    refused(lambda: files.target(tmp_path / "deep" / "x"), "no permission")


def test_a_link_to_a_file_is_followed(tmp_path, way):
    (tmp_path / "file").write_bytes(b"old")
    os.symlink("file", tmp_path / "link")
    files.write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"new"


def test_leftovers_of_a_killed_write_go_with_the_next_one(tmp_path, way):
    leftover, foreign = tmp_path / files._temporary("x", "1234abcd"), tmp_path / files._temporary("y", "1234abcd")
    leftover.write_bytes(b"half")
    foreign.write_bytes(b"half")
    files.write(tmp_path / "x", b"whole")
    assert sorted(os.listdir(tmp_path)) == sorted(["x", foreign.name])


def test_a_writer_at_work_is_left_alone(tmp_path, way):
    at_work = tmp_path / files._temporary("x", "1234abcd")
    with at_work.open("wb") as stream:
        assert files.locked(stream.fileno())
        files.write(tmp_path / "x", b"whole")
        assert at_work.exists()


def _write_for_ever(path, mode, ready):
    if mode == "named":
        files._write_nameless = lambda *what: False
    ready.send(True)
    while True:
        for letter in b"ab":
            files.write(path, bytes([letter]) * 200_000)


@pytest.mark.parametrize("mode", ["nameless", "named"])
def test_a_kill_at_any_moment_leaves_a_whole_file_and_the_next_write_no_other(tmp_path, mode):
    path, fork = tmp_path / "x", multiprocessing.get_context("fork")
    left = 0
    for delay in range(20):
        ours, theirs = fork.Pipe()
        process = fork.Process(target=_write_for_ever, args=(path, mode, theirs))
        process.start()
        ours.recv()
        time.sleep(0.01 + delay * 0.001)
        process.kill()
        process.join()
        assert not path.exists() or path.read_bytes() in (b"a" * 200_000, b"b" * 200_000)
        left += len(os.listdir(tmp_path)) - path.exists()
    files.write(path, b"end")
    assert os.listdir(tmp_path) == ["x"]
    assert mode == "named" or left <= 4  # only the instant between two names leaves one, and the next write takes it


def test_reading(tmp_path):
    (tmp_path / "x").write_bytes(b"12345")
    os.mkfifo(tmp_path / "pipe")
    assert files.read(tmp_path / "x", 5) == b"12345"
    refused(lambda: files.read(tmp_path / "x", 4), "more than 4 bytes")
    refused(lambda: files.read(tmp_path / "pipe", 4), "is a pipe")
    refused(lambda: files.read(tmp_path, 4), "is a folder")
    refused(lambda: files.read(tmp_path / "no", 4), "no such file")


@pytest.fixture
def foreign(monkeypatch):
    """Make a name another user's: by `chown` where that is allowed, else this process becomes the other user."""
    def give(path):
        try:
            os.chown(path, 54321, -1, follow_symlinks=False)
        except PermissionError:
            monkeypatch.setattr(owners.os, "geteuid", lambda: os.getuid() + 1)
            monkeypatch.setattr(owners, "abilities", lambda folder: (True, True))  # a new file has the old owner

    return give


def test_a_link_of_another_user_is_not_followed(tmp_path, foreign):
    (tmp_path / "precious").write_bytes(b"kept")
    (tmp_path / "folder").mkdir()
    os.symlink("precious", tmp_path / "link")
    os.symlink("folder", tmp_path / "way")
    os.symlink("link", tmp_path / "mine")
    for name in ("link", "mine", "way/x", "way/new/x"):
        files.target(tmp_path / name)
    foreign(tmp_path / "link")
    foreign(tmp_path / "way")
    for name in ("link", "mine", "way/x", "way/new/x"):
        for call in (files.target, lambda place: files.write(place, b"lost")):
            refused(lambda name=name, call=call: call(tmp_path / name), "is a link of another user")
    assert (tmp_path / "precious").read_bytes() == b"kept" and os.listdir(tmp_path / "folder") == []


def test_a_link_of_another_user_is_found_from_the_folder_below_it(tmp_path, foreign, monkeypatch):
    (tmp_path / "folder" / "below").mkdir(parents=True)
    os.symlink(tmp_path / "folder", tmp_path / "way")
    foreign(tmp_path / "way")
    monkeypatch.chdir(tmp_path / "folder" / "below")
    assert files.target("x").name == "x"
    refused(lambda: files.target("../../way/x"), "is a link of another user")


def test_a_file_that_is_replaced_hands_on_its_permissions_if_it_is_ones_own(tmp_path, way, foreign):
    (tmp_path / "x").write_bytes(b"secret")
    for mode in (0o600, 0o640, 0o444):
        (tmp_path / "x").chmod(mode)
        files.write(tmp_path / "x", lambda stream: (stream.write(b"new"), None)[1])
        assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == mode
        if mode == 0o444 and os.getuid():
            break
    (tmp_path / "x").chmod(0o606)
    foreign(tmp_path / "x")
    files.write(tmp_path / "x", b"new")
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o666 & ~_umask()


def _umask():
    before = os.umask(0o022)
    os.umask(before)
    return before


def test_a_leftover_of_another_user_a_link_and_a_pipe_are_left_alone(tmp_path, way, foreign):
    names = [tmp_path / files._temporary("x", f"{number}" * 8) for number in range(3)]
    (tmp_path / "precious").write_bytes(b"kept")
    os.symlink("precious", names[0])
    os.mkfifo(names[1])
    names[2].write_bytes(b"theirs")
    foreign(names[2])
    files.write(tmp_path / "x", b"whole")
    assert all(os.path.lexists(name) for name in names) and (tmp_path / "precious").read_bytes() == b"kept"


def test_a_file_of_ones_own_is_opened_and_nothing_else(tmp_path, foreign):
    handle = owners.opened(tmp_path / "x", files.InvalidFile)
    assert stat.S_IMODE(os.fstat(handle).st_mode) & 0o077 == 0
    os.close(handle)
    os.symlink("x", tmp_path / "link")
    os.symlink("nowhere", tmp_path / "dangling")
    refused(lambda: owners.opened(tmp_path / "link", files.InvalidFile), "is a link")
    refused(lambda: owners.opened(tmp_path / "dangling", files.InvalidFile), "is a link")
    (tmp_path / "x").chmod(0o620)
    refused(lambda: owners.opened(tmp_path / "x", files.InvalidFile), "others can write to")
    (tmp_path / "x").chmod(0o600)
    os.link(tmp_path / "x", tmp_path / "twin")
    refused(lambda: owners.opened(tmp_path / "x", files.InvalidFile), "second name")
    (tmp_path / "twin").unlink()
    os.mkfifo(tmp_path / "pipe")
    refused(lambda: owners.opened(tmp_path / "pipe", files.InvalidFile), "pipe")
    foreign(tmp_path / "x")
    refused(lambda: owners.opened(tmp_path / "x", files.InvalidFile), "of another user")
    assert sorted(os.listdir(tmp_path)) == ["dangling", "link", "pipe", "x"]


def test_a_name_that_has_become_something_elses_is_not_removed(tmp_path):
    handle = owners.opened(tmp_path / "x", files.InvalidFile)
    (tmp_path / "x").rename(tmp_path / "y")
    owners.remove(tmp_path / "x", handle)
    (tmp_path / "x").write_bytes(b"new")
    owners.remove(tmp_path / "x", handle)
    assert sorted(os.listdir(tmp_path)) == ["x", "y"]
    owners.remove(tmp_path / "y", handle)
    os.close(handle)
    assert os.listdir(tmp_path) == ["x"]


def test_reading_a_file_of_ones_own(tmp_path, foreign):
    (tmp_path / "x").write_bytes(b"1")
    assert files.read(tmp_path / "x", 5, own=True) == b"1"
    foreign(tmp_path / "x")
    assert files.read(tmp_path / "x", 5) == b"1"
    refused(lambda: files.read(tmp_path / "x", 5, own=True), "belongs to another user")
