"""The scripts of the page, each with the packages that it imports in one file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from material import ROOT

sys.path.insert(0, str(ROOT / "book" / "_setup"))
from assets import npm  # noqa: E402

PAGE = Path(__file__).with_name("page")
ENTRIES = {"live.js": "esm", "editor.js": "esm", "worker.js": "iife"}


def scripts(to: Path) -> None:
    """Bundle the scripts and copy the style."""
    npm()  # brings node where there is none
    modules = ROOT / "book" / "node_modules"
    esbuild = ["node", str(modules / "esbuild-wasm" / "bin" / "esbuild"), "--bundle", "--minify", "--charset=utf8",
               "--legal-comments=none", "--log-level=warning"]
    for name, form in ENTRIES.items():
        subprocess.run([*esbuild, str(PAGE / name), f"--format={form}", f"--outfile={to / name}"],
                       env=os.environ | {"NODE_PATH": str(modules)}, check=True)
    (to / "live.css").write_bytes((PAGE / "live.css").read_bytes())
