"""Kills at random moments of what writes files: nothing finished is lost, nothing is torn, the next run ends the same.

`python tests/faults.py [KILLS]` kills so many times (100 by default: 40 runs of the checks, 40 sweeps, 20 builds of a
book) in a folder of its own and prints what it counted; tests/inputs/test_faults.py does a few. A victim is a fork of
this process, killed by SIGKILL somewhere between its start and the time that a whole run takes.
"""

import datetime
import io
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from click.testing import CliRunner

from derl.cli import main
from derl.experiments import Spec, run_sweep, table
from derl.experiments.work import place
from derl.inputs.digests import untimed
from derl.ledger import Ledger, provenance
from derl.ledger.rows import plain

STATEMENTS = ("res-nu-tabular", "res-mixture-exactly", "res-design-optimal", "alg-arbitrary", "value-hard-template",
              "res-plain-lock-value", "res-rounding-spectrum", "lem-concentration", "rem-feature-norm")
SPEC = {"study": "run", "fixed": {"epsilon": 0.2, "delta": 0.1, "batch_size": 10**9, "c_beta": 1.0,
                                  "algorithm": "layerwise_exploration",
                                  "instance": "random_simplex:n_states=4,n_actions=2,dim=2,horizon=2,seed={seed}"},
        "seeds": {"count": 60, "block": 1}}
SETTLED = 20  # seconds until workers of a killed run have to be gone


def forked(task):
    """The process of a fork that does the task; it says nothing and ends with it."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.setpgid(0, 0)
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        status = int(task() or 0)
    finally:
        os._exit(status)


def killed(task, after):
    """Whether a fork was at work when it was killed, so many seconds after its start; its group is then empty."""
    child = forked(task)
    end = time.monotonic() + after
    done = 0
    while not done and time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.002)
    if done:
        assert status == 0, f"a run that was not killed ended with {status}"
        return False
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    end = time.monotonic() + SETTLED
    while _group_lives(child) and time.monotonic() < end:
        time.sleep(0.01)
    assert not _group_lives(child), "workers outlived the run that started them"
    return os.WIFSIGNALED(status)


def _group_lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return any(_state(process) not in ("Z", "") for process in Path("/proc").glob("[0-9]*")
               if _group(process) == group)


def _stat(process):
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _state(process):
    return (_stat(process) or [""])[0]


def _group(process):
    found = _stat(process)
    return int(found[2]) if found else None


def timed(task):
    """Seconds of a whole run in a fork."""
    started = time.monotonic()
    assert os.waitstatus_to_exitcode(os.waitpid(forked(task), 0)[1]) == 0
    return time.monotonic() - started


def gone(before, now):
    """Why rows of a journal are no longer there, given its header and rows before and now; "" where none is gone."""
    if before[1] <= now[1]:
        return ""
    if now[0] in (b"", before[0]):
        return "rows of the journal were lost"
    return "the journal was begun anew: the code or a library changed during the attack"


def verify(kills, folder, rng):
    """The run of the checks: its ledger is there as a whole or not at all, and rows in the journal stay."""
    folder.mkdir(parents=True)
    counts, faults = Counter(), []

    def run(out):
        return CliRunner().invoke(main, ["verify", *STATEMENTS, "--jobs", "2", "--out", str(out)]).exit_code

    whole = folder / "whole.json"
    seconds = timed(lambda: run(whole))
    expected = untimed(plain(Ledger.load(whole).claims))
    number = 0
    while counts["kills"] < kills and number < 5 * kills:
        number += 1
        out, kept = folder / f"{number}.json", (b"", set())
        journal = out.with_name(f".{out.name}.journal")
        while not out.exists():
            if not killed(lambda out=out: run(out), rng.uniform(0.1, 1.1) * seconds):
                break
            counts["kills"] += 1
            if out.exists():
                break
            header, *lines = journal.read_bytes().split(b"\n") if journal.exists() else [b"", b""]
            now = set(lines[:-1])
            for row in now:
                json.loads(row)
            if why := gone(kept, (header, now)):
                faults.append((why, number))
            kept = header, now
            counts["with rows kept"] += bool(now)
            if counts["kills"] >= kills:
                break
        timed(lambda out=out: run(out))
        if untimed(plain(Ledger.load(out).claims)) != expected:
            faults.append(("another ledger", number))
        left = {path.name for path in folder.iterdir()} - {f"{n}.json" for n in range(1, number + 1)} - {"whole.json"}
        if left:
            faults.append((f"left: {sorted(left)}", number))
        counts["runs to the end"] += 1
    return counts, faults


def sweep(kills, folder, rng):
    """A sweep: every file in its folder is that of an unbroken run, and none is made twice."""
    folder.mkdir(parents=True)
    counts, faults, spec = Counter(), [], Spec.of(**SPEC)

    def run(out):
        run_sweep(spec, out, 2)
        table.write_table(spec, out, out / "table.parquet")

    whole = folder / "whole"
    seconds = timed(lambda: run(whole))
    expected = {place(whole, task).name: place(whole, task).read_bytes() for task in spec.tasks}
    number, out, kept = 0, None, {}
    while counts["kills"] < kills and number < 10 * kills:
        number += 1
        if out is None:
            out, kept = folder / f"{number}", {}
        was_killed = killed(lambda out=out: run(out), rng.uniform(0.05, 0.9) * seconds)
        counts["kills"] += was_killed
        now = {path: path.stat().st_mtime_ns for path in out.rglob("*.json")}
        counts["with results kept"] += bool(now) and was_killed
        if any(now.get(path) != made for path, made in kept.items()):
            faults.append(("a result was lost or made twice", number))
        if any(path.read_bytes() != expected.get(path.name) for path in now):
            faults.append(("a result is torn", number))
        kept = now
        if len(now) == len(expected) or counts["kills"] >= kills:
            timed(lambda out=out: run(out))
            same = (out / "table.parquet").read_bytes() == (whole / "table.parquet").read_bytes()
            others = {path.name for path in out.rglob("*") if path.is_file()} - expected.keys()
            if not same or others != {"table.parquet", ".lock"}:
                faults.append((f"another end, {sorted(others)[:3]}", number))
            counts["runs to the end"] += 1
            out = None
    return counts, faults


def book(kills, folder, rng):
    """The build of a small book: whatever a kill leaves, the next build is that of an unbroken one, byte by byte."""
    from sphinx.application import Sphinx

    folder.mkdir(parents=True)
    counts, faults = Counter(), []
    source = folder / "source"
    shutil.copytree(Path(__file__).parent / "book" / "sample_paper", source)
    pages = [f"page{i}" for i in range(12)]
    for name in pages:
        (source / f"{name}.md").write_text(f"# {name}\n\n```{{claim}} lem-even\n```\n\n$a_{{{name[4:]}}}$\n\n" + 300 *
                                           "A line of words that fills the page.\n\n", encoding="utf-8")
    toc = "\n".join(pages)
    (source / "index.md").write_text(f"# Index\n\n```{{toctree}}\n{toc}\n```\n", encoding="utf-8")
    settings = {"extensions": ["myst_parser", "claims_domain", "page_assets", "code_pages", "finding", "csp"],
                "claims_paper": "sample_paper", "claims_ledger": "ledger.json", "claims_origin": False,
                "claims_command": "derl verify", "myst_enable_extensions": ["dollarmath"], "html_theme": "basic",
                "suppress_warnings": ["config.cache"], "html_last_updated_fmt": None}

    def run(out):
        Sphinx(source, None, out / "html", out / "doctrees", "html", settings, status=None,
               warning=io.StringIO(), parallel=2).build(force_all=True)

    def pages_of(out):
        return {path.relative_to(out): path.read_bytes() for path in sorted((out / "html").rglob("*"))
                if path.is_file() and path.name != ".buildinfo"}

    whole = folder / "whole"
    seconds = timed(lambda: run(whole))
    expected, out = pages_of(whole), folder / "again"
    for number in range(5 * kills):
        counts["kills"] += killed(lambda: run(out), rng.uniform(0.05, 0.95) * seconds)
        if rng.random() < 0.5 or counts["kills"] >= kills:
            timed(lambda: run(out))
            counts["runs to the end"] += 1
            if pages_of(out) != expected:
                faults.append(("another book", number))
            if rng.random() < 0.5:
                shutil.rmtree(out)
        if counts["kills"] >= kills:
            break
    return counts, faults


WAYS = {"verify": (verify, 0.4), "sweep": (sweep, 0.4), "book": (book, 0.2)}


def all_of(kills, folder, seed=0):
    """Kills shared out among the ways; name -> (counts, faults)."""
    return {name: way(max(1, round(share * kills)), folder / name, random.Random(f"{seed} {name}"))
            for name, (way, share) in WAYS.items()}


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here / "book"), str(here.parent / "book" / "_ext")]
    print(datetime.date.today(), "code", provenance.digest("derl")[:12], flush=True)
    with tempfile.TemporaryDirectory() as home:
        for kind, (way, share) in WAYS.items():
            counted, wrong = way(round(share * int((*sys.argv[1:], "100")[0])), Path(home, kind), random.Random(kind))
            print(kind, dict(counted), f"{len(wrong)} faults", *wrong[:5], flush=True)
