"""What README says first, typed line by line in an empty root directory, where there is nothing but Debian.

    python3 book/_setup/stranger.py ROOT           (as root, on a Debian with debootstrap) every way that works there
    python3 book/_setup/stranger.py ROOT pip       one way: make, pip, or conda (only what conda leaves to pip)

ROOT is a directory that does not exist yet, or one that this script has filled. The container has container.py. Debian
has no conda, so of that way only the pip part of environment.yml is tried. `<address>` becomes a clone of this
repository. Each way has to end with the lines that README shows, up to the times.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import container

ROOT = Path(__file__).resolve().parents[2]
SECTION = "## From nothing to a result"
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.M | re.S)
NEEDED = re.compile(r"`apt-get install ([\w -]+)`")
SECONDS = re.compile(r"\d+\.\d+ s\b")
USER, HOME, CLONE = "reader", "/srv/reader", "/srv/source"
WAYS = ("make", "pip", "conda")


def section(text: str) -> str:
    """The section of README that says how to begin."""
    return text.split(f"{SECTION}\n")[1].split("\n## ")[0]


def blocks(text: str, kind: str) -> list[str]:
    """The blocks of commands (kind sh), or of what they print (kind text)."""
    return [body for name, body in BLOCK.findall(text) if name == kind]


def ways(text: str) -> dict[str, list[str]]:
    """Way -> its commands, those that every way begins with before its own."""
    first, *rest = [body.splitlines() for body in blocks(text, "sh")]
    return {name: first + own for name, own in zip((*WAYS, "container"), rest, strict=True)}


def of_conda(commands: list[str], environment: str) -> list[str]:
    """The same commands, with a fresh environment and the pip part of environment.yml in the place of conda's lines."""
    (project,) = re.findall(r"^ {6}- (.+)$", environment, re.M)
    instead = {"conda env create -f environment.yml": "python3 -m venv .venv",
               "conda activate derl": f". .venv/bin/activate && pip install {project}"}
    return [instead.get(line, line) for line in commands]


def plain(text: str) -> str:
    """What is printed, without what differs from run to run."""
    return SECONDS.sub("... s", text).strip()


def prepare(root: Path, packages: str) -> None:
    """Debian, the packages that README names, a user, and a clone of this repository."""
    if not (root / "etc").exists():
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], check=True, stdout=subprocess.DEVNULL)
    if not (root / HOME[1:]).exists():
        install = f"apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates {packages}"
        container.execute(["sh", "-c", f"export DEBIAN_FRONTEND=noninteractive; {install}"], container.State(), root)
        container.execute(["useradd", "--create-home", "--home-dir", HOME, USER], container.State(), root)
    shutil.rmtree(root / CLONE[1:], ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--no-local", ROOT, root / CLONE[1:]], check=True)
    shutil.rmtree(root / HOME[1:] / "derl", ignore_errors=True)


def typed(commands: list[str], root: Path) -> str:
    """Type the commands into one shell of the user; what the last one prints."""
    lines = [line.replace("<address>", CLONE) for line in commands]
    script = "\n".join(["set -e", "git config --global --add safe.directory '*'",
                        *(f"echo '$ {line}'\n{line}" for line in lines[:-1]),
                        f"echo '$ {lines[-1]}'", f"{lines[-1]} > {HOME}/printed", f"cat {HOME}/printed"])
    state = container.State(folder=HOME, user=USER)
    state.variables["HOME"] = HOME
    container.execute(["sh", "-c", script], state, root)
    return (root / HOME[1:] / "printed").read_text(encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=f"of {', '.join(WAYS)}; all by default")
    options = parser.parse_args()
    if unknown := set(options.ways) - set(WAYS):
        sys.exit(f"stranger: {', '.join(sorted(unknown))} is not among {', '.join(WAYS)}")
    text = section((ROOT / "README.md").read_text(encoding="utf-8"))
    (shown,) = blocks(text, "text")
    root = options.root.resolve()
    for way in options.ways or WAYS:
        prepare(root, NEEDED.search(text)[1])
        commands = ways(text)[way]
        if way == "conda":
            commands = of_conda(commands, (ROOT / "environment.yml").read_text(encoding="utf-8"))
        started = time.monotonic()
        printed = typed(commands, root)
        if plain(printed) != plain(shown):
            sys.exit(f"stranger: {way} ends with\n{printed}\nand README shows\n{shown}")
        print(f"{way}: {time.monotonic() - started:.0f} s, and the last lines are those of README", flush=True)


if __name__ == "__main__":
    main()
