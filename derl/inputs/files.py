"""Files: a target is checked before the work begins, and a file appears whole or not at all.

A target is a regular file, or a name at which one can be created. Devices, pipes, sockets, folders, and links to them
are refused, because replacing them by a file would destroy them. In a folder that other users can write to, their files
are not used: a link of another user is not followed, and a file that derl trusts has to belong to the user who runs it
(`owners.opened`).

`write` creates a file without a name, fills it, and gives it a name last. If the process is killed at any moment, the
old file or the new one remains, and a file without a name vanishes with its process. Both names are relative to the
folder that was opened (`derl.inputs.folders`), so nobody can put a link in its place meanwhile. While an old file is
replaced, a second name exists for an instant. It holds a lock, so the next write can tell a leftover from a writer that
still works, and removes the leftover.
"""

from __future__ import annotations

import csv
import errno
import fnmatch
import hashlib
import io
import os
import secrets
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from derl.inputs.folders import NO_WAITING, Folder, ForeignLink, without_links
from derl.inputs.owners import is_foreign, is_own, kind_of
from derl.inputs.values import Invalid, shown

try:
    import fcntl
except ImportError:  # not on this platform: then nothing is locked, and leftovers stay
    fcntl = None

UNABLE = (errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)  # what a file system says it cannot do
ALLOWED = "a regular file, or a new name in a folder that can be written"


class InvalidFile(Invalid):
    """A file that cannot be read or written as asked; the message is one line."""


def table(columns: Iterable[str], rows: Iterable[Iterable]) -> str:
    """The text of a table with commas: a line of names, and a line for every row, each ended by a line feed."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*columns])
    writer.writerows(map(list, rows))
    return stream.getvalue()


def target(path: Any, error: type[Invalid] = InvalidFile) -> Path:
    """The place that `path` names, links followed, where a file can be written.

    Raises
    ------
    error
        The target is not a regular file, its folder cannot be written or created, a link of another user is on the
        path, or its name is not a text.
    """
    found = _path(path, error)
    try:
        place = without_links(found)
        state = _state(place)
        kind = state and kind_of(state)
        nearest = next(folder for folder in place.parents if folder.exists())
    except ForeignLink as link:
        raise error(f"{found} cannot be written: {link} is a link of another user; needed is {ALLOWED}") from None
    except OSError as problem:
        raise error(f"{shown(str(found))} cannot be written: {problem.strerror}; needed is {ALLOWED}") from None
    if kind not in (None, "a file") or os.fspath(path).endswith(("/", b"/")[isinstance(path, bytes)]):
        raise error(f"{found} is {kind if kind not in (None, 'a file') else 'no name of a file'}; needed is {ALLOWED}")
    if not nearest.is_dir():
        raise error(f"{found} cannot be written: {nearest} is no folder; needed is {ALLOWED}")
    if not os.access(nearest, os.W_OK | os.X_OK) or kind and not os.access(place, os.W_OK):
        raise error(f"{found} cannot be written: no permission; needed is {ALLOWED}")
    if kind and _stays(state, nearest.stat()):
        raise error(f"{found} cannot be written: it belongs to another user; needed is {ALLOWED}")
    return place


def write(path: Any, content: bytes | Callable[[BinaryIO], None], error: type[Invalid] = InvalidFile) -> None:
    """Write a file all at once; folders on the way are made.

    If a file of the same user is replaced, its permissions are kept; otherwise the file has those of a new file.

    Parameters
    ----------
    content : bytes, or a function that writes to the stream that it is given

    Raises
    ------
    error
        As `target`; also where the disk is full or the file system refuses.
    """
    place = target(path, error)
    try:
        with Folder(place.parent) as folder:
            _sweep(folder, place.name)
            if not _write_nameless(folder, place.name, content):
                _write_named(folder, place.name, content)
            folder.sync()
    except OSError as problem:
        raise error(f"{path} cannot be written: {problem.strerror or problem}") from None


def read(path: Any, largest: int, error: type[Invalid] = InvalidFile, own: bool = False) -> bytes:
    """The content of a regular file of at most `largest` bytes; a pipe or a device is not waited for.

    Parameters
    ----------
    own : bool
        Refuse a file of another user.

    Raises
    ------
    error
    """
    found = _path(path, error)
    try:
        if not found.exists():
            raise error(f"{found}: no such file")
        if kind_of(found.stat()) != "a file":
            raise error(f"{found} is {kind_of(found.stat())}; a file is needed")
        with os.fdopen(os.open(found, os.O_RDONLY | NO_WAITING | getattr(os, "O_BINARY", 0)), "rb") as stream:
            state = os.fstat(stream.fileno())  # of what was opened, whatever was there before
            if kind_of(state) != "a file":
                raise error(f"{found} is {kind_of(state)}; a file is needed")
            if own and is_foreign(state, found.parent):
                raise error(f"{found} belongs to another user; a file of your own is needed")
            content = stream.read(largest + 1)
    except OSError as problem:
        raise error(f"cannot read {shown(str(found))}: {problem.strerror}") from None
    if len(content) > largest:
        raise error(f"{found} has more than {largest} bytes; more are not read")
    return content


def locked(stream: int, wait: bool = False) -> bool:
    """Lock an open file until it is closed; False where another process holds it."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as problem:
        return problem.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)  # else it has no locks
    return True


def _path(path: Any, error: type[Invalid]) -> Path:
    try:
        found = Path(os.fsdecode(path))
        str(found).encode("utf-8")
        if "\0" in str(found):
            raise ValueError
    except (TypeError, ValueError):  # ValueError: UnicodeEncodeError too
        raise error(f"{shown(path)} is no name of a file; it must be a text in UTF-8") from None
    return found


def _state(place: Path) -> os.stat_result | None:
    """None where there is nothing."""
    try:
        return place.stat()
    except FileNotFoundError:
        return None


def _stays(state: os.stat_result, folder: os.stat_result) -> bool:
    """Whether a file cannot be replaced: in a folder such as /tmp, only its owner and that of the folder can."""
    owned = is_own(state) or is_own(folder) or hasattr(os, "geteuid") and os.geteuid() == 0
    return bool(folder.st_mode & stat.S_ISVTX) and not owned


def _permissions(folder: Folder, name: str) -> int | None:
    """Of a file of one's own that is replaced; None where there is none."""
    state = folder.state(name)
    usable = state is not None and stat.S_ISREG(state.st_mode) and is_own(state) and hasattr(os, "fchmod")
    return stat.S_IMODE(state.st_mode) & 0o777 if usable else None


def _temporary(name: str, token: str) -> str:
    """A name beside the target, short however long the target's own is."""
    return f".{hashlib.sha256(name.encode()).hexdigest()[:12]}.{token}.part"


def _sweep(folder: Folder, name: str) -> None:
    """Remove what a killed write left: temporary files of this target that nobody holds."""
    for leftover in fnmatch.filter(folder.names(), _temporary(name, "*")):
        with suppress(OSError):
            handle = folder.open(leftover, os.O_RDONLY | NO_WAITING)
            try:
                state = os.fstat(handle)
                if fcntl is not None and stat.S_ISREG(state.st_mode) and is_own(state) and locked(handle):
                    folder.remove(leftover, handle)
            finally:
                os.close(handle)


def _write_nameless(folder: Folder, name: str, content) -> bool:
    """Write through a file without a name; False where the platform has none."""
    before = _permissions(folder, name)
    try:
        handle = os.open(folder.name("."), os.O_TMPFILE | os.O_WRONLY, 0o666 if before is None else 0o600,
                         dir_fd=folder.descriptor)
    except AttributeError:
        return False
    except OSError as problem:
        if problem.errno in (*UNABLE, errno.EISDIR, errno.ENOENT):
            return False
        raise
    with os.fdopen(handle, "wb") as stream:
        source = f"/proc/self/fd/{stream.fileno()}"
        if not os.path.exists(source):
            return False
        locked(stream.fileno())
        _permit(stream, before)
        _fill(stream, content)

        def named(new: str) -> None:  # a folder descriptor makes Python follow the link to the file without a name
            os.link(source, new, src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor, follow_symlinks=True)
        try:
            named(name)
        except FileExistsError:
            temporary = _temporary(name, secrets.token_hex(4))
            named(temporary)
            _rename(folder, temporary, name)
        except OSError as problem:
            if problem.errno in (*UNABLE, errno.EPERM):  # a file system without second names
                return False
            raise
    return True


def _write_named(folder: Folder, name: str, content) -> None:
    temporary, before = _temporary(name, secrets.token_hex(4)), _permissions(folder, name)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_EXLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(folder.open(temporary, flags, 0o666 if before is None else 0o600), "wb") as stream:
        try:
            locked(stream.fileno())
            _permit(stream, before)
            _fill(stream, content)
        except BaseException:
            folder.unlink(temporary)
            raise
        _rename(folder, temporary, name)


def _permit(stream: BinaryIO, mode: int | None) -> None:
    """Hand permissions on, where the file system has any."""
    if mode is not None:
        with suppress(OSError):
            os.fchmod(stream.fileno(), mode)


def _fill(stream: BinaryIO, content) -> None:
    if callable(content):
        content(stream)
    else:
        stream.write(content)
    stream.flush()
    try:
        os.fsync(stream.fileno())
    except OSError as problem:
        if problem.errno not in UNABLE:
            raise


def _rename(folder: Folder, temporary: str, name: str) -> None:
    try:
        folder.rename(temporary, name)
    except BaseException:
        folder.unlink(temporary)
        raise
