"""Run a script of the tests under node, against the Chromium of this machine or of the set-up."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import chromium

ROOT = Path(__file__).parents[1]


def in_chromium(script: Path, *arguments: str, **variables: str) -> dict:
    """What the script reports as JSON; `variables` are added to its environment.

    Node is the machine's own, or the one that the set-up brought.
    """
    browser = chromium.find()
    assert browser, "the browser tests need Chromium; `make test` brings one"
    path = os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    environment = os.environ | {"PATH": path, "CHROMIUM": browser, "NODE_MODULES": f"{ROOT / 'book'}/", **variables}
    done = subprocess.run([shutil.which("node", path=path), script, *arguments], env=environment, capture_output=True,
                          text=True, timeout=3000, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
