"""How long a reader of the live book waits; the page "Performance" shows the result.

    python speed/live.py    # after `make live`; one minute of an idle machine; writes to speed/results.json

Chromium and Firefox, those that this machine has, each with an empty profile; puppeteer from npm drives both.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from measuring import record

from derl.claims import PAPER

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "book" / "_setup"), str(ROOT / "book" / "live")]
import chromium  # noqa: E402
import serve  # noqa: E402
from assets import npm  # noqa: E402

PUPPETEER = "puppeteer-core@24.43.1"
TOOLS = ROOT / "_build" / "puppeteer"
FALSE = PAPER.text("thm-layerwise-repaired").replace("=2\\cdot10^7", "=2\\cdot10^2")


class Silent(serve.Handler):
    def log_message(self, *words):
        """Say nothing."""


def main() -> None:
    if not (serve.HTML / "_live").is_dir():
        sys.exit("there is no live book; run `make live` first")
    TOOLS.mkdir(parents=True, exist_ok=True)
    subprocess.run([npm(), "install", "--prefix", str(TOOLS), "--ignore-scripts", "--no-audit", "--no-fund",
                    "--loglevel=error", PUPPETEER], check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(serve.HTML)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    programs = {"chrome": chromium.find(), "firefox": shutil.which("firefox-esr") or shutil.which("firefox")}
    found = {}
    for name, program in programs.items():
        if program:
            said = subprocess.run(["node", str(Path(__file__).with_suffix(".mjs")), name, program, address], check=True,
                                  stdout=subprocess.PIPE, text=True,
                                  env=os.environ | {"NODE_MODULES": f"{TOOLS}/", "STATEMENT": FALSE})
            run = json.loads(said.stdout)
            found[run.pop("version")] = run
    record({"live": found})


if __name__ == "__main__":
    main()
