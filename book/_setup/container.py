"""The lines of the Containerfile, run in an empty root directory, where there is no container engine.

    python3 book/_setup/container.py ROOT                    (as root, on a Debian with debootstrap) the whole build
    python3 book/_setup/container.py ROOT --run derl demo    ... and then a command in what was built
    python3 book/_setup/container.py ROOT --built --run derl demo    the command alone, in what was built before

ROOT is a directory that does not exist yet; debootstrap fills it with the Debian that FROM names. Each line then does
what a container engine makes of it: RUN, COPY, ENV, ARG, WORKDIR, USER and CMD. Any other line is refused, so that this
script never says more than it has done. Commands see none of this machine's files or variables, except how it reaches
the network: SHARED and the variables that `network` picks.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
KNOWN = ("FROM", "RUN", "COPY", "ENV", "ARG", "WORKDIR", "USER", "CMD")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
SHARED = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
NETWORK = re.compile(r"(?i)(.*_proxy|ssl_cert_file|.*_ca_bundle|pip_cert|node_extra_ca_certs|git_ssl_cainfo)")


class InvalidLine(ValueError):
    """A line of the Containerfile that this script does not run; the message says which, and why."""


@dataclass(frozen=True)
class Line:
    """One instruction: its number in the file, its word, and the rest as it is written."""

    number: int
    word: str
    rest: str


@dataclass
class State:
    """What the instructions so far have set."""

    folder: str = "/"
    user: str = "root"
    variables: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    arguments: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)


def parsed(text: str) -> list[Line]:
    """The instructions of a Containerfile, with continued lines joined.

    Raises
    ------
    InvalidLine
        For an unknown word, and unless the file begins with FROM and has it once.
    """
    lines, begun, kept = [], 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or not (kept or line.strip()):
            continue
        begun = begun or number
        kept += line.rstrip()
        if kept.endswith("\\"):
            kept = kept[:-1]
            continue
        word, _, rest = kept.strip().partition(" ")
        if word not in KNOWN:
            raise InvalidLine(f"line {begun}: {word} is not among {', '.join(KNOWN)}")
        lines.append(Line(begun, word, rest.strip()))
        begun, kept = 0, ""
    if kept:
        raise InvalidLine(f"line {begun}: the file ends in the middle of it")
    if [line.word for line in lines].count("FROM") != 1 or lines[0].word != "FROM":
        raise InvalidLine("line 1: a Containerfile begins with FROM, and has it once")
    return lines


def suite(line: Line) -> str:
    """The Debian release of FROM.

    Raises
    ------
    InvalidLine
    """
    found = re.fullmatch(r"debian:([a-z]+)(?:-slim)?", line.rest)
    if not found:
        raise InvalidLine(f"line {line.number}: FROM {line.rest} is no release of Debian, such as debian:bookworm-slim")
    return found[1]


def filled(text: str, state: State) -> str:
    """The text with the values of $NAME and ${NAME}; a name that nothing has set is empty."""
    values = state.arguments | state.variables
    return VARIABLE.sub(lambda match: values.get(match[1] or match[2], ""), text)


def ignored(text: str) -> list[str]:
    """The patterns of .containerignore."""
    lines = [line.strip() for line in text.splitlines()]
    return [line.rstrip("/") for line in lines if line and not line.startswith("#")]


def left_out(name: str, patterns: list[str]) -> bool:
    """Whether a file, named from the root of the project, or any folder above it, has one of the patterns.

    As in an engine, a pattern is held against the whole name, and `**/` at its beginning is any folder or none.
    """
    path = PurePosixPath(name)
    for part in (path, *path.parents):
        for pattern in patterns:
            tail = pattern.removeprefix("**/")
            tried = part.as_posix() if tail == pattern else part.name
            if (tail == pattern and tail.count("/") == tried.count("/") or tail != pattern) and fnmatch(tried, tail):
                return True
    return False


def copied(line: Line, state: State, source: Path, root: Path, patterns: list[str]) -> None:
    """COPY: files and folders of the project into the root; a folder gives what is in it.

    Raises
    ------
    InvalidLine
    """
    words = shlex.split(filled(line.rest, state))
    options = [word for word in words if word.startswith("--")]
    *names, target = [word for word in words if not word.startswith("--")]
    owner = "root:root"
    for option in options:
        if not option.startswith("--chown="):
            raise InvalidLine(f"line {line.number}: COPY {option} is not known here, only --chown=user:group")
        owner = option.removeprefix("--chown=")
    place = root / PurePosixPath(state.folder, target).relative_to("/")
    for name in names:
        first = source / name
        if not first.exists():
            raise InvalidLine(f"line {line.number}: COPY {name}: there is no such file")
        if first.is_dir():
            within = [path for path in first.rglob("*") if path.is_file() or path.is_symlink()]
            pairs = [(path, place / path.relative_to(first)) for path in within]
        else:
            pairs = [(first, place / first.name if target.endswith("/") or place.is_dir() else place)]
        made = set()
        for here, there in pairs:
            if left_out(here.relative_to(source).as_posix(), patterns):
                continue
            made |= {there, *(folder for folder in there.parents if not folder.exists())}
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(here, there, follow_symlinks=False)
        for start in range(0, len(made), 500):
            inside = [f"/{path.relative_to(root)}" for path in sorted(made)[start:start + 500]]
            subprocess.run(["chroot", root, "chown", "--no-dereference", owner, *inside], check=True)


def network() -> dict[str, str]:
    """Variables that say how this machine reaches the network; the root has the certificates under the same name."""
    return {name: value for name, value in os.environ.items()
            if NETWORK.fullmatch(name) and (not value.startswith("/") or value in SHARED)}


def share(root: Path) -> None:
    """Copy the few files that say how this machine reaches the network."""
    for name in SHARED:
        if Path(name).is_file():
            place = root / name.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, place)


def execute(command: list[str], state: State, root: Path) -> None:
    """Run a command in the root, as its user, in its folder, with /proc and shared memory of its own.

    Raises
    ------
    SystemExit
        With the command, where it fails.
    """
    share(root)  # each time: a package such as ca-certificates writes its own over it
    home = "/root" if state.user == "root" else f"/home/{state.user}"
    settings = {"HOME": home, "USER": state.user} | network() | state.arguments | state.variables
    inner = ["chroot", f"--userspec={state.user}", root, "env", "-i",
             *(f"{name}={value}" for name, value in settings.items()),
             "sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", state.folder, *command]
    mounts = ('mount -t proc proc "$1/proc" && mkdir -p "$1/dev/shm" && mount -t tmpfs tmpfs "$1/dev/shm" '
              '&& shift && exec "$@"')
    whole = ["unshare", "--mount", "sh", "-c", mounts, "sh", root, *inner]
    if subprocess.run([str(word) for word in whole], check=False, stdin=subprocess.DEVNULL).returncode:
        raise SystemExit(f"container: this failed in {root}: {shlex.join(command)}")


def build(lines: list[Line], source: Path, root: Path, arguments: dict[str, str], run: bool = True) -> State:
    """Do what the lines say; with run=False only follow what they set.

    Raises
    ------
    InvalidLine
    """
    state, file = State(), source / ".containerignore"
    patterns = ignored(file.read_text(encoding="utf-8")) if file.is_file() else []
    for line in lines:
        if run:
            print(f"== line {line.number}: {line.word} {line.rest}", flush=True)
        started = time.monotonic()
        if line.word == "ENV" or line.word == "ARG":
            for word in shlex.split(filled(line.rest, state)):
                name, equals, value = word.partition("=")
                if line.word == "ENV" and not equals:
                    raise InvalidLine(f"line {line.number}: ENV {word} has no value; write NAME=value")
                group = state.variables if line.word == "ENV" else state.arguments
                group[name] = arguments.get(name, value) if line.word == "ARG" else value
        elif line.word == "WORKDIR":
            state.folder = str(PurePosixPath(state.folder, filled(line.rest, state)))
            if run:
                (root / state.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif line.word == "USER":
            state.user = filled(line.rest, state)
        elif line.word == "CMD":
            state.command = json.loads(line.rest)
        elif run and line.word == "FROM":
            subprocess.run(["debootstrap", "--variant=minbase", suite(line), root], check=True,
                           stdout=subprocess.DEVNULL)
        elif run and line.word == "RUN":
            execute(["sh", "-c", line.rest], state, root)
        elif run and line.word == "COPY":
            copied(line, state, source, root, patterns)
        if run:
            print(f"   {time.monotonic() - started:.0f} s", flush=True)
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, help="a directory that does not exist yet")
    parser.add_argument("--built", action="store_true", help="the directory is from an earlier call; build nothing")
    parser.add_argument("--build-arg", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--run", nargs=argparse.REMAINDER, help="a command to run afterwards, in place of CMD")
    options = parser.parse_args()
    missing = [name for name in ("debootstrap", "unshare", "chroot") if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        sys.exit(f"container: {' and '.join(missing) + ' not found' if missing else 'only root may use chroot'}")
    if options.root.exists() != options.built:
        sys.exit(f"container: {options.root} {'exists already' if options.root.exists() else 'does not exist'}")
    try:
        lines = parsed((ROOT / "Containerfile").read_text(encoding="utf-8"))
        arguments = dict(word.split("=", 1) for word in options.build_arg)
        state = build(lines, ROOT, options.root.resolve(), arguments, run=not options.built)
    except InvalidLine as wrong:
        sys.exit(f"container: Containerfile, {wrong}")
    if options.run:
        execute(options.run, state, options.root.resolve())


if __name__ == "__main__":
    main()
