"""Copies of the repository in which one file at a time is false, and one that stays true, to be asked in doubt."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from mutants_nearby import stages
from mutants_table import ROOT, Mutant, changed

JUDGE = Path(__file__).with_name("mutants_judge.py")
LEFT_OUT = shutil.ignore_patterns(".git", "_build", ".venv", "node_modules", "vendor", "__pycache__", ".hypothesis")
ENDLESS = 3  # times as long as the truth: it does not end


@dataclass(frozen=True)
class Found:
    """What became of a mutant: caught or survived, by what, after how many seconds; and the last command."""

    outcome: str
    by: str
    seconds: float
    command: tuple[str, ...] = ()


class Copy:
    """A copy of the repository, in which one file at a time is changed."""

    def __init__(self, folder: Path, compiled: Path | None = None, quick: bool = False):
        self.root, self.quick = folder / "copy", quick
        shutil.copytree(compiled or ROOT, self.root, ignore=None if compiled else LEFT_OUT, symlinks=True)
        environment = os.environ | {"PYTHONPATH": str(self.root), "TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": "1",
                                    "OMP_NUM_THREADS": "1"}
        if not compiled:
            subprocess.run([sys.executable, "-m", "compileall", "-q", "derl", "tests"], cwd=self.root, env=environment,
                           check=True)
        self.output = folder / "output"
        self.judge = subprocess.Popen([sys.executable, str(JUDGE)], cwd=self.root, env=environment, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, command: list[str], seconds: float, without: frozenset[str] = frozenset()) -> tuple[str, str]:
        """(outcome, by whom): "objects", "silent" or "late"."""
        kind, *names = command
        names = [name for name in names if name not in without]
        if not names:  # pytest would run them all
            return "silent", ""
        task = {"kind": kind, "names": names, "output": str(self.output), "seconds": int(seconds) + 1,
                "without": sorted(without), "quick": self.quick}
        print(json.dumps(task), file=self.judge.stdin, flush=True)
        status = int(self.judge.stdout.readline())
        if status in (-signal.SIGXCPU, -signal.SIGALRM):  # its time is up
            return "late", ""
        if status == 0 or kind == "tests" and status in (4, 5):  # a test that is gone
            return "silent", ""
        output = self.output.read_text(encoding="utf-8", errors="replace")
        lines = re.findall(r"^(?:FAILED|ERROR|OBJECTS) (.*)$", output, re.MULTILINE)
        return "objects", (lines or ["does not start: " + (output.strip().splitlines() or ["?"])[-1]])[0]

    def close(self) -> None:
        self.judge.stdin.close()
        self.judge.wait()

    def plant(self, mutant: Mutant, seconds: float, truth: Truth, nearest: int | None = None) -> Found:
        """Change the file, run one command after the other until one objects, and change it back.

        A command that does not end counts as an objection if the truth passes it in a third of the time; otherwise it
        tells nothing, and the next one is tried.
        What objects to the truth too is left out, here and from now on: the rest may still tell the two apart.
        """
        file, started = self.root / mutant.file, time.monotonic()
        before, times = file.read_bytes(), file.stat()
        text, line = changed(self.root, mutant)
        file.write_text(text, encoding="utf-8")
        os.utime(file, (times.st_atime, times.st_mtime + 10))  # no byte code of the truth fits
        outcome, by, command = "survived", "", []
        try:
            for command in stages(self.root, mutant, line, nearest):
                found, who = self.run(command, seconds, truth.troubled)
                while found == "objects" and not truth.silent(who, list(command), seconds):
                    name = name_of(who, "")
                    if not name or name in truth.troubled:  # it tells nothing: go on
                        found, by = "silent", f"objects to the truth too: {who}"
                        break
                    truth.troubled |= {name}
                    found, who = self.run(command, seconds, truth.troubled)
                if found == "late" and truth.in_time(list(command), seconds / ENDLESS):
                    found, who = "objects", f"does not end: {command[1]}"
                if found == "objects":
                    outcome, by = "caught", who
                    break
                by = "time is up" if found == "late" else by  # of a command that is as long with the truth: go on
        finally:
            file.write_bytes(before)
            os.utime(file, (times.st_atime, times.st_mtime))
        return self._found(outcome, by, started, command)

    @staticmethod
    def _found(outcome: str, by: str, started: float, command) -> Found:
        return Found(outcome, by, round(time.monotonic() - started, 1), tuple(command))


class Truth:
    """An unchanged copy: what objects here too has caught nothing, and is in `troubled`."""

    def __init__(self, folder: Path, quick: bool = False):
        self.copy, self.lock, self.known = Copy(folder, quick=quick), threading.Lock(), {}
        self.troubled: frozenset[str] = frozenset()

    def in_time(self, command: list[str], seconds: float) -> bool:
        """Whether the truth passes the command within so many seconds of the processor."""
        with self.lock:
            key = (*command, seconds)
            if key not in self.known:
                self.known[key] = self.copy.run(command, seconds, self.troubled)[0] == "silent"
            return self.known[key]

    def silent(self, by: str, command: list[str], seconds: float) -> bool:
        name = name_of(by, "")
        if name:  # otherwise it did not start, which is asked of the whole command
            command = ["tests" if name.startswith("tests/") else "statements", name]
        with self.lock:
            if tuple(command) not in self.known:
                self.known[tuple(command)] = self.copy.run(command, seconds)[0] == "silent"
            return self.known[tuple(command)]


def name_of(by: str | None, before: str) -> str:
    """The test or statement in what was printed; parameters of a test may change, its name stays."""
    return before if not by or by.startswith("does") else by.split(" - ")[0].partition("[")[0].split()[0]
