"""Files: a target is looked at before the work begins, and a file appears whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from derl.inputs.values import Invalid, shown

ALLOWED = "a regular file, or a new name in a folder that can be written"


class InvalidFile(Invalid):
    """A file that cannot be read or written as asked; the message is one line."""


def target(path: Any, error: type[Invalid] = InvalidFile) -> Path:
    """The place that `path` names, links followed, where a file can be written.

    Raises
    ------
    error
        The target is not a regular file, its folder cannot be written or created, or its name is not a text.
    """
    found = _path(path, error)
    try:
        place = found.resolve()
        kind = _kind(place)
        nearest = next(folder for folder in place.parents if folder.exists())
    except (OSError, RuntimeError) as problem:  # RuntimeError: links in a circle, before Python 3.13
        raise error(f"{shown(str(found))} cannot be written: {getattr(problem, 'strerror', problem)}; needed is "
                    f"{ALLOWED}") from None
    if os.fspath(path).endswith(("/", b"/")[isinstance(path, bytes)]):
        kind = "no name of a file"
    if kind not in (None, "a file"):
        raise error(f"{found} is {kind}; needed is {ALLOWED}")
    if not nearest.is_dir():
        raise error(f"{found} cannot be written: {nearest} is no folder; needed is {ALLOWED}")
    if not os.access(nearest, os.W_OK | os.X_OK) or kind and not os.access(place, os.W_OK):
        raise error(f"{found} cannot be written: no permission; needed is {ALLOWED}")
    return place


def write(path: Any, content: bytes | Callable[[BinaryIO], None], error: type[Invalid] = InvalidFile) -> None:
    """Write a file all at once; folders on the way are made. A file that is replaced hands on its permissions.

    Parameters
    ----------
    content : bytes, or a function that writes to the stream that it is given

    Raises
    ------
    error
        As `target`; also where the disk is full or the file system refuses.
    """
    place = target(path, error)
    temporary = place.with_name(f".{secrets.token_hex(8)}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as stream:
                content(stream) if callable(content) else stream.write(content)
            if place.exists():
                shutil.copymode(place, temporary)
            os.replace(temporary, place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as problem:
        raise error(f"{path} cannot be written: {problem.strerror or problem}") from None


def read(path: Any, largest: int, error: type[Invalid] = InvalidFile) -> bytes:
    """The content of a regular file of at most `largest` bytes.

    Raises
    ------
    error
    """
    found = _path(path, error)
    try:
        kind = _kind(found)
        if kind is None:
            raise error(f"{found}: no such file")
        if kind != "a file":
            raise error(f"{found} is {kind}; a file is needed")
        with found.open("rb") as stream:
            content = stream.read(largest + 1)
    except OSError as problem:
        raise error(f"cannot read {shown(str(found))}: {problem.strerror}") from None
    if len(content) > largest:
        raise error(f"{found} has more than {largest} bytes; more are not read")
    return content


def _path(path: Any, error: type[Invalid]) -> Path:
    try:
        found = Path(os.fsdecode(path))
        str(found).encode("utf-8")
        if "\0" in str(found):
            raise ValueError
    except (TypeError, ValueError):  # ValueError: UnicodeEncodeError too
        raise error(f"{shown(path)} is no name of a file; it must be a text in UTF-8") from None
    return found


def _kind(place: Path) -> str | None:
    """What is at a place, links followed; None where there is nothing."""
    try:
        place.stat()
    except FileNotFoundError:
        return None
    kinds = {"a file": place.is_file, "a folder": place.is_dir, "a pipe": place.is_fifo, "a socket": place.is_socket}
    return next((word for word, holds in kinds.items() if holds()), "a device")
