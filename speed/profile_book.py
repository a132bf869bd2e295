"""Where a `make book` from nothing spends its time: by stage, by part, by page.

    python speed/profile_book.py [--commit HEAD] [--out speed/book.csv]
    python speed/profile_book.py --target .venv/.ready      another target of the fresh clone
    python speed/profile_book.py --keep FOLDER              leave the clone and the output there

It clones the repository into a temporary folder, gives uv, pip, npm and matplotlib empty caches there, and runs make.
Packages are still fetched from the index that the machine is set up for. A *stage* lasts from one line of the output to
another, and its CPU seconds are those of all processes of the build in that time: a stage with fewer CPU seconds than
cores times seconds has left a core idle, or the core has worked for others. A *part* is what processes belong to,
whenever they run, so parts may overlap. A *page* is the kernel that executes it. CPU seconds hardly depend on other
work on the machine, seconds of the clock do. Linux only.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAUSE = 0.05  # seconds between two looks at the processes
TICK = os.sysconf("SC_CLK_TCK")
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: processes whose parent has ended stay in the tree
COLUMNS = ("kind", "name", "start", "seconds", "CPU seconds")
STAGES = (  # a line of the output that contains this -> the stage that begins there
    ("environment.sh", "packages"), ("setup/assets.py", "assets"), ("of 776 checks", "checks"),
    ("Running Sphinx", "Sphinx begins"), ("updating environment", "pages are executed"),
    ("Using cached notebook", "pages are read"), ("looking for now-outdated", "links are resolved"),
    ("preparing documents", "pages are written"), ("build succeeded", "the end"))
PARTS = (  # what the command of a process contains -> its part; the first that fits, else that of its parent
    ("environment.sh", "packages"), ("setup/assets.py", "assets"), ("derl verify", "checks"),
    ("forked_kernels.py", "kernels"), ("jupyter-book", "Sphinx"), ("make", "make"))
PAGE = re.compile(r"Executed notebook (\S+) in ([\d.]+) s")


class Processes:
    """Every process below this one, with the CPU seconds that it was last seen with."""

    def __init__(self):
        ctypes.CDLL(None).prctl(SUBREAPER, 1)
        self.began = time.perf_counter()
        self.seen: dict[tuple[int, int], dict] = {}  # (id, start): ids are used again
        self._over = threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)
        self._looking.start()

    def now(self) -> float:
        return time.perf_counter() - self.began

    def cpu(self) -> float:
        return sum(row["cpu"] for row in list(self.seen.values()))

    def close(self) -> None:
        self._over.set()
        self._looking.join()

    def _look(self) -> None:
        while not self._over.wait(PAUSE):
            now, table = self.now(), {}
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    words = (folder / "stat").read_text().rpartition(")")[2].split()
                except OSError:  # it has ended
                    continue
                table[int(folder.name)] = int(words[1]), int(words[19]), (int(words[11]) + int(words[12])) / TICK
            below = {os.getpid()}
            size = 0
            while size < len(below):
                size = len(below)
                below |= {pid for pid, (parent, _, _) in table.items() if parent in below}
            for pid in below - {os.getpid()}:
                parent, start, cpu = table[pid]
                row = self.seen.setdefault((pid, start), {"pid": pid, "parent": parent, "first": now, "part": "make"})
                row |= {"last": now, "cpu": cpu, "part": self._part(pid, parent, row["part"])}

    def _part(self, pid: int, parent: int, before: str) -> str:
        """The part of a process, which may have become another program; one that has just ended has no command."""
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            command = ""
        if not command:
            return before
        own = next((part for words, part in PARTS if words in command), None)
        above = next((row["part"] for row in self.seen.values() if row["pid"] == parent), "make")
        return above if own in (None, "make") else own


def run(target: str, folder: Path, commit: str) -> tuple[int, Processes, list[tuple[float, float, str]]]:
    """Make a target in a fresh clone; its exit status, its processes, and (second, CPU seconds, line) of its output."""
    clone, caches = folder / "derl", folder / "caches"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    subprocess.run(["git", "-C", str(clone), "checkout", "--quiet", "--detach", commit], check=True)
    names = {"XDG_CACHE_HOME": "xdg", "UV_CACHE_DIR": "uv", "PIP_CACHE_DIR": "pip", "npm_config_cache": "npm",
             "MPLCONFIGDIR": "matplotlib"}
    env = os.environ | {name: str(caches / own) for name, own in names.items()} | {"PYTHONUNBUFFERED": "1"}
    processes, lines = Processes(), []
    made = subprocess.Popen(["make", target], cwd=clone, env=env, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    with (folder / "output.log").open("w", encoding="utf-8") as log:
        for line in made.stdout:
            lines.append((processes.now(), processes.cpu(), line))
            log.write(f"{processes.now():7.2f} {line}")
    status = made.wait()
    lines.append((processes.now(), processes.cpu(), "build succeeded" if not status else "failed"))
    processes.close()
    return status, processes, lines


def stages(lines) -> list[dict]:
    """What lasts from one line to another."""
    begun = [(0.0, 0.0, "make begins")]
    for words, name in STAGES:
        found = next(((second, cpu, name) for second, cpu, line in lines if words in line), None)
        if found:
            begun.append(found)
    begun = [*sorted(begun), (lines[-1][0], lines[-1][1], "")]
    return [{"kind": "stage", "name": name, "start": start, "seconds": end - start, "CPU seconds": after - before}
            for (start, before, name), (end, after, _) in zip(begun, begun[1:], strict=False)]


def parts(processes: Processes) -> list[dict]:
    """What processes belong to."""
    found = defaultdict(list)
    for row in processes.seen.values():
        found[row["part"]].append(row)
    return [{"kind": "part", "name": name, "start": min(row["first"] for row in rows),
             "seconds": max(row["last"] for row in rows) - min(row["first"] for row in rows),
             "CPU seconds": sum(row["cpu"] for row in rows)} for name, rows in found.items()]


def pages(processes: Processes, lines) -> list[dict]:
    """Seconds of a page are those that the build states; its kernel is the one that lasted so long and ended then."""
    all_of_them = [row for row in processes.seen.values() if row["part"] == "kernels"]
    servers = {row["pid"] for row in all_of_them} - {row["pid"] for row in all_of_them
                                                     if row["parent"] in {other["pid"] for other in all_of_them}}
    kernels = [row for row in all_of_them if row["parent"] in servers]
    found = []
    for second, _, line in lines:
        said = PAGE.search(line)
        if said and kernels:
            name, lasted = said[1], float(said[2])
            own = min(kernels, key=lambda row: abs(row["last"] - second) + abs(row["last"] - row["first"] - lasted))
            kernels.remove(own)
            found.append({"kind": "page", "name": name, "start": own["first"], "seconds": lasted,
                          "CPU seconds": own["cpu"]})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commit", default="HEAD", help="what is cloned: committed work only")
    parser.add_argument("--target", default="book", help="what is made in the clone")
    parser.add_argument("--keep", type=Path, help="an empty or new folder for the clone, the caches and the output")
    parser.add_argument("--out", type=Path, default=ROOT / "speed" / "book.csv", help="the table")
    options = parser.parse_args()
    if not sys.platform.startswith("linux"):
        sys.exit("profile_book: the processes of a build can be watched on Linux only")
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", options.commit], check=True, text=True,
                            capture_output=True).stdout.strip()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as temporary:
        status, processes, lines = run(options.target, (options.keep or Path(temporary)).resolve(), commit)
    whole = {"kind": "whole", "name": f"make {options.target}", "start": 0.0, "seconds": lines[-1][0],
             "CPU seconds": processes.cpu()}
    rows = [whole, *stages(lines), *sorted(parts(processes), key=lambda row: row["start"]),
            *sorted(pages(processes, lines), key=lambda row: -row["CPU seconds"])]
    print(f"{commit}, {os.cpu_count()} cores, load average {load:.1f} to {os.getloadavg()[0]:.1f}")
    print(f"{'':46}{'start':>8}{'seconds':>9}{'CPU s':>8}")
    for row in rows:
        print(f"{row['kind']:7}{row['name']:39}{row['start']:8.1f}{row['seconds']:9.1f}{row['CPU seconds']:8.1f}")
    if status:
        sys.exit(f"profile_book: make {options.target} has failed; its last lines:\n"
                 + "".join(line for *_, line in lines[-30:]))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with options.out.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([row["kind"], row["name"], *(f"{row[key]:.1f}" for key in COLUMNS[2:])] for row in rows)


if __name__ == "__main__":
    main()
