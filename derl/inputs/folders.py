"""Folders that are held open: a file is made in the folder that was looked at, whatever becomes of its name.

A path that was checked may lead elsewhere when it is used, because another user has replaced a folder by
a link. So links are followed here, one by one, and only those of this user and of the system; the folder at the end is
opened without following any link, and files in it are named relative to its descriptor.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

NO_LINK, NO_WAITING = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)
MOST_LINKS = 40  # on the way to a file, as for Linux
HELD = os.open in os.supports_dir_fd and os.mkdir in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
_TO_PASS = getattr(os, "O_PATH", os.O_RDONLY)  # a folder that one may pass through need not be readable


class ForeignLink(OSError):
    """A link on the way belongs neither to this user nor to the system; the message is its path."""


class Folder:
    """A folder by its path without links; use it as a context.

    Parameters
    ----------
    path : Path
        Absolute and without links, as `without_links` returns it; folders that are missing are made.

    Raises
    ------
    OSError
        It cannot be opened, or a part of the path has become a link.
    """

    def __init__(self, path: Path):
        self.path, self.descriptor = path, None
        if not HELD:
            path.mkdir(parents=True, exist_ok=True)
            return
        here = os.open(path.anchor, _TO_PASS | os.O_DIRECTORY)
        try:
            for part in path.parts[1:]:
                here = self._step(here, part)
            self.descriptor = _readable(here)
        except BaseException:
            os.close(here)
            raise

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *error) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)

    def _step(self, here: int, part: str) -> int:
        flags = _TO_PASS | os.O_DIRECTORY | NO_LINK
        try:
            there = os.open(part, flags, dir_fd=here)
        except FileNotFoundError:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=here)
            there = os.open(part, flags, dir_fd=here)
        os.close(here)
        return there

    def name(self, name: str) -> str:
        """What stands for a file in this folder, together with `dir_fd=folder.descriptor`."""
        return name if self.descriptor is not None else str(self.path / name)

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Open a file in this folder; no link is followed."""
        return os.open(self.name(name), flags | NO_LINK, mode, dir_fd=self.descriptor)

    def state(self, name: str) -> os.stat_result | None:
        """Of the file itself, were it a link; None where there is nothing."""
        try:
            return os.stat(self.name(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def names(self) -> list[str]:
        """Of the files in it; none, where they cannot be read."""
        with suppress(OSError):
            return os.listdir(self.path if self.descriptor is None else self.descriptor)
        return []

    def rename(self, old: str, new: str) -> None:
        """Give a file another name in this folder; what had that name is gone."""
        os.replace(self.name(old), self.name(new), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def unlink(self, name: str) -> None:
        """Remove a name; nothing happens where there is none."""
        with suppress(FileNotFoundError):
            os.unlink(self.name(name), dir_fd=self.descriptor)

    def remove(self, name: str, handle: int) -> None:
        """Remove the name of an open file; nothing happens if it no longer exists or belongs to another file."""
        state = self.state(name)
        if state is not None and os.path.samestat(state, os.fstat(handle)):
            self.unlink(name)

    def sync(self) -> None:
        """The names in it are on the disk, too; not every file system can."""
        with suppress(OSError):
            if self.descriptor is not None:
                os.fsync(self.descriptor)


def without_links(path: Path) -> Path:
    """The absolute path of a file or folder, with every link on the way replaced by what it leads to.

    Raises
    ------
    ForeignLink
    OSError
        There are more than 40 links, or a folder on the way is none or cannot be entered.
    """
    *_, (found, _) = on_the_way(path)
    return found


def on_the_way(path: Path) -> Iterator[tuple[Path, os.stat_result | None]]:
    """Every file, folder and link on the way to a place with its state, the place itself last; None where nothing is.

    Raises
    ------
    ForeignLink, OSError
        As `without_links`.
    """
    start = path if path.is_absolute() else Path.cwd() / path
    left, here, links = [*reversed(start.parts[1:])], Path(start.anchor), 0
    yield here, os.lstat(here)
    while left:
        part = left.pop()
        if part == "..":
            here = here.parent
            continue
        state, leads = _look(here / part)
        if leads is None:
            here = here / part
            yield here, state
            continue
        yield here / part, state
        if hasattr(os, "geteuid") and state.st_uid not in (0, os.geteuid()):
            raise ForeignLink(str(here / part))
        links += 1
        if links > MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        if leads.is_absolute():
            here = Path(leads.anchor)
        left += reversed(leads.parts[1:] if leads.is_absolute() else leads.parts)
    yield here, _look(here)[0]


def _look(place: Path) -> tuple[os.stat_result | None, Path | None]:
    """The state of what is at a place, and where it leads if it is a link; both are of the same file."""
    try:
        if hasattr(os, "O_PATH"):
            handle = os.open(place, os.O_PATH | NO_LINK)
            try:
                state = os.fstat(handle)
                return state, Path(os.readlink("", dir_fd=handle)) if stat.S_ISLNK(state.st_mode) else None
            finally:
                os.close(handle)
        state = os.lstat(place)
        return state, Path(os.readlink(place)) if stat.S_ISLNK(state.st_mode) else None
    except FileNotFoundError:
        return None, None


def _readable(passed: int) -> int:
    """The same folder, opened for reading where that is allowed."""
    try:
        read = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=passed)
    except OSError:
        return passed
    os.close(passed)
    return read
