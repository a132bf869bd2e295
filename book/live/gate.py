"""Which cells and statements get a button: those that say here what they say natively.

Every quick check, with its false variants, and every visible cell runs in the very module, on the very memory, that the
pages get. What differs gets no button, and the page "What runs in the browser" says why.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import re
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import interpreter

NEAR = 1e-6  # relative difference of a measured number
LONGEST = 60  # seconds of the processor for a check or a cell
TEXT = re.compile(r"\s+")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LEFT_OUT = {"seconds", "file", "line"}


class Python:
    """An interpreter that is made anew when it was stopped, and that stops what takes too long."""

    def __init__(self, files: tuple[Path, ...], image: Path):
        self.files, self.image, self.python = files, image.read_bytes(), None

    def turn(self, code: str) -> tuple[int, str, str]:
        """Run a cell; status -1 where it was stopped or the interpreter failed."""
        if self.python is None:
            self.python = interpreter.Interpreter(self.files[0], self.image, *self.files[1:])
        over = threading.Event()
        threading.Thread(target=self._watch, args=(over, time.process_time())).start()
        try:
            return self.python.turn(code)
        except Exception as problem:  # a trap of WebAssembly, whatever its class
            self.close()
            late = "interrupt" in str(problem)
            return -1, "", f"longer than {LONGEST} s" if late else f"the interpreter failed: {str(problem)[:200]}"
        finally:
            over.set()

    def _watch(self, over: threading.Event, began: float) -> None:
        while not over.wait(1):
            if time.process_time() - began > LONGEST:
                return self.python.engine.increment_epoch()

    def close(self) -> None:
        """Forget all that was defined."""
        if self.python:
            self.python.close()
        self.python = None


def in_thread(function, *given):
    """The result of a call on a stack that is deep enough for WebAssembly."""
    threading.stack_size(64 << 20)
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*given)))
    thread.start()
    thread.join()
    return found[0]


def _rows(files, image, positions: list[int]) -> list[dict]:
    """The rows of checks, by their positions in the registry."""
    python, found = Python(files, image), []
    for position in positions:
        status, out, err = python.turn(f"from derl import live; live.rows([{position}])")
        line = next((line for line in out.splitlines() if line.startswith('{"position"')), None)
        found.append(json.loads(line) if status == 0 and line else
                     {"position": position, "row": None, "why": err[-300:]})
    python.close()
    return found


def _cells(files, images: dict[str, Path], cells: list[dict]) -> list[dict]:
    """What cells print and draw, each in an interpreter of its own, after what it needs of the cells above."""
    pythons = {kind: Python(files, image) for kind, image in images.items()}
    found = []
    for cell in cells:
        for kind in ("numbers", "book"):
            if kind == "numbers" and ("derl" in cell["all"] or "import matplotlib" in cell["all"]):
                continue
            python = pythons[kind]
            python.close()
            status, out, err = python.turn(f"import derl_cells; derl_cells.before({cell['before']!r})")
            if status == 0:
                status, out, err = python.turn(f"import derl_cells; derl_cells.run({cell['source']!r})")
            drawn = len(python.python.figures()) if python.python else 0
            found.append({"page": cell["page"], "at": cell["at"], "kind": kind, "status": status, "out": out,
                          "err": err[-300:], "drawn": drawn})
            break
    for python in pythons.values():
        python.close()
    return found


def _work(function, *given):
    began = time.monotonic()
    return in_thread(function, *given), time.monotonic() - began


def run(function, given: tuple, work: Mapping[str, list], jobs: int, kept: Path) -> list:
    """Spread work over processes, group by group: checks of a module share what they have computed.

    A group that has been done is written to a file, so a run that was interrupted goes on where it was.
    """
    done = dict(map(json.loads, kept.read_text(encoding="utf-8").splitlines())) if kept.is_file() else {}
    with (ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool,  # wasmtime has threads
          kept.open("a", encoding="utf-8") as file):
        parts = {pool.submit(_work, function, *given, group): name for name, group in work.items() if name not in done}
        for part in as_completed(parts):
            name, (rows, seconds) = parts[part], part.result()
            done[name] = rows
            print(json.dumps([name, rows]), file=file, flush=True)
            print(f"live: {sum(one in done for one in work)} of {len(work)}, {name}, {seconds:.0f} s", flush=True)
    return [row for name in work for row in done[name]]


def grouped(work: list, of: Callable) -> dict[str, list]:
    """Work by the group to which it belongs."""
    found: dict[str, list] = {}
    for one in work:
        found.setdefault(of(one), []).append(one)
    return found


def differs(native: dict, here: dict | None, why: str = "") -> str:
    """Why a check's row here is not the native one; "" where they agree in all but the seconds."""
    if here is None:
        return why.strip().splitlines()[-1] if why.strip() else "it could not be run"
    if here["outcome"] != native["outcome"]:
        return f"{here['outcome']} here: {here['detail']}" if here["detail"] else f"{here['outcome']} here"
    place = next((key for key in native if key not in LEFT_OUT and not near(native[key], here.get(key))), "")
    return f"another {place}" if place else ""


def near(one, other) -> bool:
    """Whether two values of a row are the same; numbers, also within a text, up to `NEAR`."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return NUMBER.sub("0", one) == NUMBER.sub("0", other) and near(
            [*map(float, NUMBER.findall(one))], [*map(float, NUMBER.findall(other))])
    if type(one) is float and type(other) in (int, float):
        return one == other or math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR) or (
            math.isnan(one) and math.isnan(other))
    return one == other


def same(printed: str, out: str) -> bool:
    """Whether two outputs are the same but for white space."""
    return TEXT.sub(" ", printed).strip() == TEXT.sub(" ", out).strip()


def judged(runtime, native: dict, ids: set[str], cells: list[dict], jobs: int, kept: Path) -> dict:
    """What agrees and what does not: the checks of statements, and cells; the reason, "" where one agrees."""
    from derl import live
    from derl.claims import PAPER

    files = (runtime.code, runtime.library, runtime.fonts, runtime.book)
    registered = PAPER.register().checks
    of = {(key, check["name"]): check for key, row in native["claims"].items() for check in row["checks"]}
    checks = {at: {"claim": registered[at].claim, "name": registered[at].name} for at in live.positions()
              if registered[at].claim in ids}
    modules = grouped(sorted(checks, key=lambda at: -of[checks[at]["claim"], checks[at]["name"]]["seconds"]),
                      lambda at: registered[at].function.__module__)
    for row in run(_rows, (files, runtime.images["book"]), modules, jobs, kept):
        check = checks[row["position"]]
        check["why"] = differs(of[check["claim"], check["name"]], row["row"], row.get("why", ""))
    found = {}
    asked = [cell for cell in cells if not cell["rich"]]
    rows = {(row["page"], row["at"]): row for row in run(
        _cells, (files, runtime.images), grouped(asked, lambda cell: cell["page"]), jobs, kept)}
    for cell in cells:
        row = rows.get((cell["page"], cell["at"]), {"kind": "book"})
        why = "it shows a table that only the page can set" if cell["rich"] else other(cell, row)
        found[f"{cell['page']} {cell['at']}"] = {"kind": row["kind"], "why": why}
    return {"checks": checks, "cells": found}


def other(cell: dict, row: dict) -> str:
    """Why a cell's output here is not that of the page."""
    if row["status"]:
        return row["err"].strip().splitlines()[-1] if row["err"].strip() else "it could not be run"
    if not same(cell["printed"], row["out"]):
        return "it prints something else"
    return "" if row["drawn"] >= cell["drawn"] else "it draws no figure here"
