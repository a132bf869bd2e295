"""A browser for the tests: that of the machine, or one of our own where it has none.

Our own is `@sparticuz/chromium` from npm (Linux on x86-64), by exact version and integrity, see browser/. It is
unpacked beside its package. Where the machine has no libnss3 it uses the libraries that come with it, and where the
machine has no fonts, the font.

    python book/_setup/chromium.py      bring a browser if there is none; nothing happens where there is one
"""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from assets import BROWSER, fetch

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGE = BROWSER / "node_modules" / "@sparticuz" / "chromium"
UNPACKED = PACKAGE / "unpacked"
OWN = UNPACKED / "start"
UNBROTLI = """const { readFileSync, writeFileSync } = require("node:fs");
writeFileSync(process.argv[2], require("node:zlib").brotliDecompressSync(readFileSync(process.argv[1])));"""
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}/fonts</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""


def find() -> str | None:
    """Path of a Chromium on this machine, our own last."""
    return next(filter(None, map(shutil.which, NAMES)), None) or (str(OWN) if OWN.exists() else None)


def bring() -> None:
    """Install our own, or stop with one line that says what to install instead."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        sys.exit("setup: the browser tests need Chromium or Google Chrome on the PATH, under one of the names "
                 + ", ".join(NAMES))
    print("no Chromium on this machine: bringing one from npm (66 MB)", flush=True)
    fetch(BROWSER)
    shutil.rmtree(UNPACKED, ignore_errors=True)
    UNPACKED.mkdir()
    for name in ("al2023.tar", "fonts.tar", "swiftshader.tar", "chromium"):
        subprocess.run(["node", "-e", UNBROTLI, PACKAGE / "bin" / f"{name}.br", UNPACKED / name], check=True)
        if name.endswith(".tar"):
            with tarfile.open(UNPACKED / name) as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
                archive.extractall(UNPACKED)
            (UNPACKED / name).unlink()
    binary = UNPACKED / "chromium"
    binary.chmod(0o755)
    (UNPACKED / "fonts.conf").write_text(FONTS.format(folder=UNPACKED), encoding="utf-8")
    settings = {} if runs(binary, {}) else {"LD_LIBRARY_PATH": str(UNPACKED / "lib")}
    if not Path("/etc/fonts/fonts.conf").exists():
        settings["FONTCONFIG_FILE"] = str(UNPACKED / "fonts.conf")
    if not runs(binary, settings):
        sys.exit("setup: the Chromium from npm does not start here; install one (on Debian: apt-get install chromium)")
    lines = [f"export {name}={shlex.quote(value)}" for name, value in settings.items()]
    text = "\n".join(["#!/bin/sh", *lines, f'exec {shlex.quote(str(binary))} "$@"', ""])
    part = OWN.with_suffix(".part")  # under its name only when all is there, so that an interrupted set-up is repeated
    part.write_text(text, encoding="utf-8")
    part.chmod(0o755)
    part.rename(OWN)


def runs(binary: Path, settings: dict[str, str]) -> bool:
    """Whether the browser finds its libraries."""
    return subprocess.run([binary, "--version"], env=os.environ | settings, capture_output=True,
                          check=False).returncode == 0


if __name__ == "__main__":
    if find() is None:
        bring()
