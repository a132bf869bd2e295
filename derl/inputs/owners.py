"""Owners and kinds of files: files and links of other users are not opened or followed, and their folders not trusted.

A file system may have no permissions or no owners (a mounted drive of Windows shows every file as writable by all,
and as of one user). There is neither. `abilities` finds that out by making a file.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from derl.inputs.folders import NO_WAITING, Folder, ForeignLink, on_the_way, without_links
from derl.inputs.values import Invalid

KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISCHR, "a device"),
         (stat.S_ISBLK, "a device"), (stat.S_ISSOCK, "a socket"))
OTHERS = 0o022  # the bits of a mode by which others can write


def opened(path: Path, error: type[Invalid]) -> int:
    """Open a file of the same user for reading and appending; it is created if it does not exist.

    Returns
    -------
    int
        A file descriptor. No link is followed, the file has no second name, and nobody else can have written to it, as
        far as the file system can tell.

    Raises
    ------
    error
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_WAITING | getattr(os, "O_BINARY", 0)
    try:
        if path.is_symlink():
            raise error(f"{path} is a link; it must be a file of your own, so remove it or choose another place")
        with Folder(without_links(path.parent)) as folder:
            handle = folder.open(path.name, flags)
    except ForeignLink as link:
        raise error(f"{path} cannot be written: {link} is a link of another user") from None
    except OSError as problem:
        what = None if not os.path.lexists(path) else kind_of(path.lstat())
        reason = f"is {what}" if what not in (None, "a file") else f"cannot be written: {problem.strerror}"
        raise error(f"{path} {reason}") from None
    wrong = _wrong(os.fstat(handle), path.parent)
    if wrong:
        os.close(handle)
        raise error(f"{path} is {wrong}; it must be a file of your own, so remove it or choose another place")
    return handle


def _wrong(state: os.stat_result, folder: Path) -> str | None:
    if kind_of(state) != "a file":
        return kind_of(state)
    if not is_own(state) and abilities(folder)[0]:
        return "a file of another user"
    if state.st_nlink > 1:
        return "a file with a second name"
    if hasattr(os, "geteuid") and state.st_mode & OTHERS and abilities(folder)[1]:
        return "a file that others can write to"
    return None


def abilities(folder: Path) -> tuple[bool, bool]:
    """Whether the file system of a folder keeps owners, and whether it keeps permissions.

    A file is made there for a moment. Where none can be made, both are taken to be kept.
    """
    name = f".{secrets.token_hex(8)}.part"
    with suppress(OSError), Folder(without_links(folder)) as held:
        handle = held.open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR)
        try:
            state = os.fstat(handle)
        finally:
            os.close(handle)
            held.unlink(name)
        return is_own(state), not state.st_mode & OTHERS
    return True, True


def is_own(state: os.stat_result) -> bool:
    """Whether a file belongs to the user who runs this; True where the platform has no such users."""
    return not hasattr(os, "geteuid") or state.st_uid == os.geteuid()


def is_foreign(state: os.stat_result, folder: Path) -> bool:
    """Whether a file in a folder belongs to another user, on a file system that can tell."""
    return not is_own(state) and abilities(folder)[0]


def owner_of(path) -> int | None:
    """The number of the user to whom a file belongs; None where the platform has no such users."""
    return os.stat(path).st_uid if hasattr(os, "geteuid") else None


def distrusted(path, others: Iterable[int | None] = (), below: bool = False) -> str | None:
    """Why somebody else may have put something into a folder, in one line; None where nobody can.

    The folder and all folders on the way to it have to belong to this user or to the system, and no other user may be
    able to write to them. On the way, a folder such as /tmp is allowed, in which everybody can make files and only
    their owners can rename them.

    Parameters
    ----------
    path : path
        It need not exist.
    others : iterable of int
        Users who are trusted as well.
    below : bool
        Look at all that is in the folder, too; it has to exist then.
    """
    if not hasattr(os, "geteuid"):
        return None
    if not os.path.isabs(path):
        return f"{path} is relative to the current folder"
    trusted, able = {0, os.geteuid(), *others}, {}
    try:
        way = [(place, state) for place, state in on_the_way(Path(path)) if state is not None]
    except ForeignLink as link:
        return f"{link} is a link of another user"
    except OSError as problem:
        return f"{path}: {problem.strerror}"
    last = way[-1][0]
    if below:
        way += ((place, place.lstat()) for place in last.rglob("*"))

    def ability(place: Path, state: os.stat_result) -> tuple[bool, bool]:
        if state.st_dev not in able:
            able[state.st_dev] = abilities(place if stat.S_ISDIR(state.st_mode) else place.parent)
        return able[state.st_dev]

    for place, state in reversed(way):  # the deepest first: there a file can be made, if anywhere
        if state.st_uid not in trusted and ability(place, state)[0]:
            return f"{place} belongs to another user"
        passed = state.st_mode & stat.S_ISVTX and place != last and place in last.parents
        if not stat.S_ISLNK(state.st_mode) and not passed and _others_write(state) and ability(place, state)[1]:
            return f"other users can write to {place}"
    return None


def _others_write(state: os.stat_result) -> bool:
    """Whether the mode lets others write; a group of this user alone, as many systems make one, is no other."""
    return bool(state.st_mode & stat.S_IWOTH or state.st_mode & stat.S_IWGRP and not _own_group(state.st_gid))


def _own_group(number: int) -> bool:
    try:
        import grp
        import pwd

        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except (ImportError, KeyError):
        return False
    return user.pw_gid == number and user.pw_name == group.gr_name and set(group.gr_mem) <= {user.pw_name}


def remove(path: Path, handle: int) -> None:
    """Remove the name of an open file; nothing happens if the name no longer exists or belongs to another file."""
    with suppress(OSError), Folder(without_links(path.parent)) as folder:
        folder.remove(path.name, handle)


def kind_of(state: os.stat_result) -> str:
    """What kind of file is at a place."""
    if stat.S_ISREG(state.st_mode):
        return "a file"
    return next((word for test, word in KINDS if test(state.st_mode)), "no regular file")
