"""Data that only scripts of the pages read: kept compressed, in scripts that a page from the disk can load.

Such a script adds base64 of a zlib stream of JSON to `window.derlPacked`; `derlUnpack` of unpack.js gives the value of
a name.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

from derl.inputs import files

PACKED = re.compile(r'^\(window\.derlPacked\?\?=\{\}\)\["([\w-]+)"\]="([A-Za-z0-9+/=]*)";\n$')


def pack(file: Path, value, name: str = "") -> None:
    """Write a value of JSON under a name, by default that of the file without its ending."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    files.write(file, f'(window.derlPacked??={{}})["{name or file.stem}"]="{packed}";\n'.encode())


def unpack(script: str):
    """The value in a script that `pack` wrote.

    Raises
    ------
    ValueError
        The script is none that `pack` writes.
    """
    found = PACKED.match(script)
    if found is None:
        raise ValueError("the script holds no packed data")
    return json.loads(zlib.decompress(base64.b64decode(found[2])))
