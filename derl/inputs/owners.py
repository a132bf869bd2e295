"""Owners and kinds of files: files and links of other users are not opened or followed."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from derl.inputs.values import Invalid

NO_LINK, NO_WAITING = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)
MOST_LINKS = 40  # on the way to a file, as for Linux
KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISCHR, "a device"),
         (stat.S_ISBLK, "a device"), (stat.S_ISSOCK, "a socket"))


def opened(path: Path, error: type[Invalid]) -> int:
    """Open a file of the same user for reading and appending; it is created if it does not exist.

    Returns
    -------
    int
        A file descriptor. No link is followed, the file has no second name, and nobody else can have written to it.

    Raises
    ------
    error
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINK | NO_WAITING | getattr(os, "O_BINARY", 0)
    try:
        if path.is_symlink():
            raise error(f"{path} is a link; it must be a file of your own, so remove it or choose another place")
        handle = os.open(path, flags, 0o600)
    except OSError as problem:
        what = None if not os.path.lexists(path) else kind_of(path.lstat())
        reason = f"is {what}" if what not in (None, "a file") else f"cannot be written: {problem.strerror}"
        raise error(f"{path} {reason}") from None
    state = os.fstat(handle)
    wrong = (kind_of(state) if kind_of(state) != "a file" else "a file of another user" if not is_own(state)
             else "a file with a second name" if state.st_nlink > 1
             else "a file that others can write to" if hasattr(os, "geteuid") and state.st_mode & 0o022 else None)
    if wrong:
        os.close(handle)
        raise error(f"{path} is {wrong}; it must be a file of your own, so remove it or choose another place")
    return handle


def remove(path: Path, handle: int) -> None:
    """Remove the name of an open file; nothing happens if the name no longer exists or belongs to another file."""
    with suppress(FileNotFoundError):
        if os.path.samestat(path.lstat(), os.fstat(handle)):
            path.unlink()


def is_own(state: os.stat_result) -> bool:
    """Whether a file belongs to the user who runs this; True where the platform has no such users."""
    return not hasattr(os, "geteuid") or state.st_uid == os.geteuid()


def kind_of(state: os.stat_result) -> str:
    """What kind of file is at a place."""
    if stat.S_ISREG(state.st_mode):
        return "a file"
    return next((word for test, word in KINDS if test(state.st_mode)), "no regular file")


def foreign_link(path: Path) -> Path | None:
    """The first link on the way to a place that belongs neither to this user nor to the system, if there is one."""
    if not hasattr(os, "geteuid"):
        return None
    left, here, links = [*reversed(path.parts), *reversed(Path.cwd().parts)], Path(), 0
    while left and links < MOST_LINKS:  # beyond, opening the file fails
        part = left.pop()
        here = here.parent if part == ".." else here / part
        if not here.is_symlink():
            continue
        if here.lstat().st_uid not in (0, os.geteuid()):
            return here
        left += reversed(Path(os.readlink(here)).parts)
        links += 1
        here = here.parent  # what follows is relative to the folder of the link, or begins with the root
    return None
