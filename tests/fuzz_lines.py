"""Command lines with one or more things wrong, or nothing."""

import os
import random
import subprocess
import sys
import time
import traceback
import warnings
from collections import Counter

from click.testing import CliRunner
from fuzz_values import LONGEST, WORDS
from fuzz_watch import LONGEST_WAIT, SLOW, TooLong, patience, processor

from derl import instances
from derl.cli import main

PATIENCE = 10.0  # seconds of the processor for one command line in this process
FAMILIES = {"lock": ("d", "horizon", "digits", "bias"), "compact-bandit": ("d", "horizon", "arm", "bias"),
            "hard-template": ("d", "horizon", "optimal_layer", "optimal_index", "cores", "epsilon"),
            "random-simplex": ("n_states", "n_actions", "dim", "horizon", "seed"), "hexagon": ("dim",),
            "gymnasium": ("env", "horizon"), "optimism-trap": (), "nothing": ("d",)}
GOOD = {"d": "2", "horizon": "2", "digits": "0", "bias": "0.1", "arm": "1", "optimal_layer": "1", "optimal_index": "1",
        "cores": "0", "epsilon": "0.1", "n_states": "2", "n_actions": "2", "dim": "3", "seed": "0",
        "env": "FrozenLake-v1"}
ALGORITHMS = ("layerwise_exploration", "reward_free_exploration", "arbitrary_policy_exploration", "safe_mixture", "no")
STRANGE_NAMES = ("no-such-thing", "", " ", "\udcff", "x" * 9999, "a\nb", "C.999", "[", "%s", "../..", "\u0663")
IDS = ("this:x-v1", "antigravity:x-v1", "Taxi-v3", "Ant-v5", "x" * 9999, "FrozenLake", "os:FrozenLake-v1", "", "[")


def spec(rng):
    """A specification, good but for a few parameters."""
    family = rng.choice(list(FAMILIES))
    parts = []
    for name in FAMILIES[family]:
        value = GOOD[name] if rng.random() < 0.75 else rng.choice((*WORDS, "1-0-2", "-".join("0" * 5000), "10**9"))
        value = rng.choice(IDS) if name == "env" and rng.random() < 0.6 else value
        value = str(10 ** rng.randrange(1, 12)) if name != "env" and rng.random() < 0.05 else value
        if rng.random() < 0.97:
            parts.append(f"{name}={value}")
    if rng.random() < 0.05:
        parts.append(rng.choice(("d=3", "unknown=1", "=", "==", "d", ",,,", "env=this:x-v1")))
    depth = rng.choice((0,) * 12 + (1, 1, 2, 3, 12, 3000))
    return "stationary:" * depth + f"{family}:{','.join(parts)}"


def files_of(folder):
    """Names of the files that command lines read, good and bad, made in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    instances.optimism_trap().save(folder / "good.npz")
    (folder / "cut.npz").write_bytes((folder / "good.npz").read_bytes()[:400])
    (folder / "text.npz").write_text("no archive", encoding="utf-8")
    (folder / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (folder / "bytes.json").write_bytes(b"\xff\xfe\x00")
    (folder / "lacks.json").write_text('{"schema": 1, "claims": {"lem-trace-det": {}}}', encoding="utf-8")
    (folder / "folder").mkdir(exist_ok=True)
    (folder / "pipe").exists() or os.mkfifo(folder / "pipe")
    (folder / "link").exists() or os.symlink(folder / "pipe", folder / "link")
    return ("good.npz", "cut.npz", "text.npz", "deep.json", "bytes.json", "lacks.json", "folder", "pipe", "link",
            "absent", "folder/new.npz", "text.npz/x", "", "x" * 300, "\udcff", "a\0b")


def command_line(rng, folder, names):
    """A command line with one or more things wrong, or nothing."""
    def number():
        return rng.choice(WORDS)

    def file():
        name = rng.choice(names)
        return str(folder / name) if name else name

    kind = rng.choice(("run", "run", "run", "instance", "instance", "verify", "show", "lab", "noise"))
    if kind == "run":
        instance = rng.choice(("optimism_trap", "lock:d=2,horizon=2,digits=0,bias=0.1", spec(rng), file()))
        words = ["run", rng.choice(ALGORITHMS), "--instance", instance]
        for option, good in (("--epsilon", "0.5"), ("--delta", "0.1"), ("--batch-size", "1e8"), ("--c-beta", "1"),
                             ("--nu-min", "0.4"), ("--alpha", "0.1"), ("--seed", "1"), ("--max-deployments", "5"),
                             ("--version", "repaired"), ("--mode", "gaussian"), ("--optimistic", "layerwise")):
            if rng.random() < (0.97 if option in ("--epsilon", "--delta", "--batch-size") else 0.2):
                words += [option, good if rng.random() < 0.7 else number()]
        return words + ["--json"] * (rng.random() < 0.3)
    if kind == "instance":
        return ["instance", rng.choice((spec(rng), file())), *(["--out", file()] if rng.random() < 0.9 else [])]
    if kind == "verify":
        extra = rng.choice((["--tier", number()], ["--jobs", number()], ["--out", file()], ["--compare", file()],
                            ["--what"], []))
        return ["verify", rng.choice(("rem-feature-norm", "Z.9", *STRANGE_NAMES)), *extra]
    if kind == "show":
        return ["show", rng.choice(("C.3", "Z.9", *STRANGE_NAMES)), "--ledger", file()]
    if kind == "lab":
        return ["lab", rng.choice((*STRANGE_NAMES, "--what"))]
    return [rng.choice((number(), *STRANGE_NAMES)) for _ in range(rng.randrange(1, 4))]


def snapshot(folder):
    """What must not change: every file that was there before, and no temporary file beside it."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def verdict_of(words, in_process):
    """(exit status, stderr, foreign exception) of one command line.

    Status "long run": what was asked for is allowed, and an algorithm was at work when the patience ended.
    """
    if in_process:
        with warnings.catch_warnings(), patience(PATIENCE):
            warnings.simplefilter("error", RuntimeWarning)
            result = CliRunner().invoke(main, words)
        if isinstance(result.exception, TooLong):
            frames = traceback.extract_tb(result.exception.__traceback__)
            return "long run" if any("algorithms" in frame.filename for frame in frames) else "hang", "", None
        foreign = result.exception if not isinstance(result.exception, SystemExit | None) else None
        return result.exit_code, result.stderr, foreign
    done = subprocess.run([sys.executable, "-m", "derl.cli", *words], capture_output=True, text=True,
                          timeout=LONGEST_WAIT, stdin=subprocess.DEVNULL, errors="replace", check=False)
    return done.returncode, done.stderr, done.stderr if "Traceback" in done.stderr else None


def command_lines(count, folder, seed=0, real=0):
    """Run `count` command lines, the first `real` that can be one as processes of their own; (counts, faults)."""
    rng, counts, faults = random.Random(seed), Counter(), []
    names = files_of(folder)
    before = snapshot(folder)
    for number in range(count):
        words = command_line(rng, folder, names)
        process = number < real and not any("\0" in word or len(word) > 100_000 for word in words)
        started, used = time.monotonic(), processor()
        try:
            status, complaint, foreign = verdict_of(words, not process)
        except subprocess.TimeoutExpired:
            status, complaint, foreign = "hang", "", None
        seconds, used = time.monotonic() - started, processor() - used
        lines = [line for line in complaint.splitlines() if line.startswith("derl:")]
        counts[f"status {status}"] += 1
        key = f"slowest of status {status} (ms of processor)"
        counts[key] = max(counts[key], round(1000 * used))
        problem = (f"foreign {foreign!r}" if foreign else f"{used:.1f} of {seconds:.1f} s"
                   if status != "long run" and (used > (SLOW if status == 2 else 4 * SLOW) or seconds > LONGEST_WAIT)
                   else f"{len(lines)} lines" if status == 2 and (len(lines) != 1 or len(complaint) > LONGEST)
                   else f"status {status}" if status not in (0, 1, 2, "long run") else "")
        after = snapshot(folder)
        for path in after:
            if before.get(path) != after[path]:
                if path in before and not (status == 0 and path.name in words[-1]):
                    problem = problem or f"{path.name} was changed"
                if path.suffix == ".part" or path.name.endswith(".journal"):
                    problem = problem or f"{path.name} was left"
                elif path not in before and status == 2:
                    problem = problem or f"{path.name} was written with status 2"
        if before.keys() - after.keys():
            problem = problem or "a file was lost"
        for path in after.keys() - before.keys():
            path.unlink()
        for path, content in before.items():
            if after.get(path) != content:
                path.write_bytes(content)
        if problem:
            faults.append((problem, [word[:80] for word in words]))
    return counts, faults
