"""A browser for the tests: that of the machine, or `@sparticuz/chromium` from npm (Linux on x86-64) where it has none.

    python book/_setup/chromium.py      bring a browser if there is none; nothing happens where there is one

It is unpacked beside its package, with libraries and fonts for a machine that has neither.
"""

import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from assets import fetch

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = Path(__file__).with_name("browser")
PACKAGE = BROWSER / "node_modules" / "@sparticuz" / "chromium"
UNPACKED = PACKAGE / "unpacked"
OWN = UNPACKED / "start"
UNBROTLI = """const { readFileSync, writeFileSync } = require("node:fs");
writeFileSync(process.argv[2], require("node:zlib").brotliDecompressSync(readFileSync(process.argv[1])));"""
FONTS = '<fontconfig><dir>{0}/fonts</dir><cachedir>{0}/cache</cachedir></fontconfig>\n'
START = """#!/bin/sh
[ -f /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE='{0}/fonts.conf'
'{0}/chromium' --version >/dev/null 2>&1 || export LD_LIBRARY_PATH='{0}/lib'
exec '{0}/chromium' "$@"
"""


def find() -> str | None:
    """Path of a Chromium on this machine, our own last."""
    return next(filter(None, map(shutil.which, NAMES)), None) or (str(OWN) if OWN.exists() else None)


def bring() -> None:
    """Install our own, or stop with one line that says what to install instead."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        sys.exit(f"setup: the browser tests need Chromium or Google Chrome on the PATH, as {' or '.join(NAMES)}")
    print("no Chromium on this machine: bringing one from npm (66 MB)", flush=True)
    fetch(BROWSER)
    UNPACKED.mkdir(exist_ok=True)
    for name in ("al2023.tar", "fonts.tar", "swiftshader.tar", "chromium"):
        subprocess.run(["node", "-e", UNBROTLI, PACKAGE / "bin" / f"{name}.br", UNPACKED / name], check=True)
        if name.endswith(".tar"):
            with tarfile.open(UNPACKED / name) as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
                archive.extractall(UNPACKED)
    (UNPACKED / "chromium").chmod(0o755)
    (UNPACKED / "fonts.conf").write_text(FONTS.format(UNPACKED), encoding="utf-8")
    OWN.write_text(START.format(UNPACKED), encoding="utf-8")
    OWN.chmod(0o755)
    if subprocess.run([OWN, "--version"], capture_output=True, check=False).returncode:
        sys.exit("setup: the Chromium from npm does not start here; install one (on Debian: apt-get install chromium)")


if __name__ == "__main__" and find() is None:
    bring()
