"""The module of WebAssembly, made smaller: unused packages are emptied, and the data become part of the first memory.

The interpreter links all its packages into one module. The functions of those that derl does not use are found by their
names and emptied (their Python files are left out, too, so nothing calls them). The data segments are taken out: the
page writes an image of the memory instead, see image.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

CODE, DATA, COUNT, CUSTOM = 10, 11, 12, 0
# the functions of a Cython package lie together: from the first to the last that has its name
CYTHON = ("6pandas", "7sklearn", "11statsmodels", "4lxml")
C = re.compile(r"sqlite3|(xml|xslt|html|exslt)[A-Z]")
SHARED = re.compile(r"_Z|std::|__cxx|__clang|.*std::")  # what the compiler put between them serves others, too
EMPTY = b"\x03\x00\x00\x0b"  # a body of three bytes: no local, unreachable, end


def number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def written(value: int) -> bytes:
    """A number as unsigned LEB128."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def sections(module: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, start and end of each section."""
    at = 8
    while at < len(module):
        kind = module[at]
        size, at = number(module, at + 1)
        yield kind, at, at + size
        at += size


def bodies(module: bytes, at: int) -> list[tuple[int, int]]:
    """Start (of the size) and end of each function in the code section."""
    count, at = number(module, at)
    found = []
    for _ in range(count):
        size, start = number(module, at)
        found.append((at, start + size))
        at = start + size
    return found


def names(module: bytes) -> dict[int, str]:
    """The names of functions, from the custom section `name`."""
    found = {}
    for kind, at, end in sections(module):
        if kind == CUSTOM and module[at:at + 5] == b"\x04name":
            at += 5
            while at < end:
                part = module[at]
                size, at = number(module, at + 1)
                if part == 1:
                    count, here = number(module, at)
                    for _ in range(count):
                        index, here = number(module, here)
                        length, here = number(module, here)
                        found[index] = module[here:here + length].decode(errors="replace")
                        here += length
                at += size
    return found


def imported(module: bytes) -> int:
    """How many functions the module imports; the host gives functions only."""
    return next(number(module, at)[0] for kind, at, _ in sections(module) if kind == 2)


def unused(called: list[str]) -> set[int]:
    """The functions to be emptied, by their position among those of the module."""
    found = {at for at, name in enumerate(called) if C.match(name)}
    for package in CYTHON:
        own = [at for at, name in enumerate(called) if re.match(rf"__pyx_\w*?{package}", name)]
        found |= {at for at in range(min(own), max(own) + 1) if not SHARED.match(called[at])}
    return found


def reduced(module: bytes) -> bytes:
    """The module without data, without names, and with the unused functions emptied."""
    first, known = imported(module), names(module)
    out = [module[:8]]
    for kind, at, end in sections(module):
        body = module[at:end]
        if kind == CUSTOM:
            continue
        if kind in (DATA, COUNT):
            body = written(0)
        if kind == CODE:
            found = bodies(module, at)
            emptied = unused([known.get(first + index, "") for index in range(len(found))])
            body = written(len(found)) + b"".join(EMPTY if index in emptied else module[start:stop]
                                                  for index, (start, stop) in enumerate(found))
        out += [bytes([kind]), written(len(body)), body]
    return b"".join(out)


def memory(module: bytes) -> bytes:
    """The memory that the module starts with: its active data segments, each where it belongs."""
    at = next(at for kind, at, _ in sections(module) if kind == DATA)
    count, at = number(module, at)
    segments = []
    for _ in range(count):
        passive, at, offset = module[at] == 1, at + 1, 0
        if not passive:  # i32.const, the place, end
            offset, at = signed(module, at + 1)
            at += 1
        size, at = number(module, at)
        if passive and size:
            raise ValueError("the module has data that it places itself")
        segments.append((offset % 2**32, module[at:at + size]))
        at += size
    out = bytearray(max(offset + len(data) for offset, data in segments))
    for offset, data in segments:
        out[offset:offset + len(data)] = data
    return bytes(out)


def signed(data: bytes, at: int) -> tuple[int, int]:
    """A signed LEB128 number, and where it ends."""
    start = at
    value, at = number(data, at)
    bits = 7 * (at - start)
    return value - (1 << bits) if data[at - 1] & 64 else value, at
