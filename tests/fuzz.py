"""Bad input by the thousand, from a fixed seed: command lines, arrays, policies, files, ledgers.

`python tests/fuzz.py [LINES] [ARRAYS] [FILES]` runs the full size (2,000, 20,000 and 2,000 by default) in a folder of
its own and prints what it counted; tests/boundary and tests/cli run a small size. What may come out: an answer, or one
line with exit status 2 and an exception of the project's own. What may not: another exception, a changed file, or more
than five seconds of the processor (a minute of the clock) for a refusal.
"""

import datetime
import inspect
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from derl import Deployer, LinearMDP, Mixture, algorithms, instances, planning
from derl.boundary import Invalid
from derl.cli import main
from derl.deployment import deploy_counts, known_part, sample
from derl.ledger import Ledger, provenance
from derl.mdp import policies

SLOW = 5.0  # seconds
PATIENCE = 10.0  # seconds for one command line in this process
LONGEST = 610  # characters on stderr
NUMBERS = ("1", "0", "-1", "2", "3", "1e10", "1e99999999", "1e-9999999999", "5e-324", "1e308", "-1e308", "nan", "inf",
           "-inf", "", " ", "x", "0.1", "1/10", "1/0", "9" * 50, "9" * 5000, "0x10", "1_0", "1e400", "\u0663", "--",
           "+", "1e-300", "0.999999999999", "true", "None", "[]", "1+2j", "\udcff", "a\nb")
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


class Spoilt:
    """An object that fails at everything it is asked."""

    def __getattr__(self, name):
        raise RuntimeError("spoilt")

    def __repr__(self):
        raise RuntimeError("spoilt")

    __len__ = __iter__ = __array__ = __float__ = __bool__ = __str__ = __eq__ = __hash__ = __repr__


def processor():
    """Seconds of the processor, those of ended children included."""
    return sum(os.times()[:4])


def spec(rng):
    """A specification, good but for a few parameters."""
    family = rng.choice(list(FAMILIES))
    parts = []
    for name in FAMILIES[family]:
        value = GOOD[name] if rng.random() < 0.75 else rng.choice((*NUMBERS, "1-0-2", "-".join("0" * 5000), "10**9"))
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
        return rng.choice(NUMBERS)

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


class TooLong(Exception):
    """The patience of this fuzzer with one command line has ended."""


def verdict_of(words, in_process):
    """(exit status, stderr, foreign exception) of one command line.

    Status "long run": what was asked for is allowed, and an algorithm was at work when the patience ended.
    """
    if in_process:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            result = CliRunner().invoke(main, words)
            signal.setitimer(signal.ITIMER_REAL, 0)
        if isinstance(result.exception, TooLong):
            frames = traceback.extract_tb(result.exception.__traceback__)
            return "long run" if any("algorithms" in frame.filename for frame in frames) else "hang", "", None
        foreign = result.exception if not isinstance(result.exception, SystemExit | None) else None
        return result.exit_code, result.stderr, foreign
    done = subprocess.run([sys.executable, "-m", "derl.cli", *words], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, errors="replace", check=False)
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
                   if status != "long run" and (used > (SLOW if status == 2 else 4 * SLOW) or seconds > 12 * SLOW)
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


@np.errstate(all="ignore")
def spoil(rng, array):
    """An array with something wrong, or something that is no array."""
    array = np.array(array)
    flat = array.astype(float) if array.dtype != bool else array.copy()
    way = rng.randrange(14)
    if way < 4 and flat.size:
        flat.reshape(-1)[rng.randrange(flat.size)] = rng.choice((np.nan, np.inf, -np.inf, 1e308, -1e308, -1, 2, 5e-324))
        return flat
    if way == 4:
        return flat.astype(rng.choice((complex, object, np.float16, np.int8, bool, np.longdouble, str, "S5")))
    if way == 5:
        return flat[..., : rng.randrange(flat.shape[-1] + 1)] if flat.ndim else flat
    if way == 6:
        return flat[: rng.randrange(len(flat) + 1)] if flat.ndim else flat
    if way == 7:
        return np.broadcast_to(flat, (2, *flat.shape))
    if way == 8:
        return flat.tolist()
    if way == 9:
        return rng.choice((None, 5, "text", b"bytes", [[1, 2], [3]], {}, {1: 2}, set(), object(), Spoilt(), lambda: 0,
                           np.array("x"), np.datetime64("2020"), range(3), (), float("nan"), 10**400, iter(())))
    if way == 10:
        return flat * rng.choice((0, 1e-300, 0.999, 1.001, 1e308, -1))
    if way == 11:
        return np.ma.masked_array(flat, np.ones(flat.shape, bool))
    if way == 12:
        objects = flat.astype("O")
        if objects.size:
            objects.flat[0] = rng.choice((0, 10**400, None, "1e99999999", Spoilt()))
        return objects if rng.random() < 0.7 else flat.astype(">f8")
    return np.asfortranarray(flat)


BASES = [instances.optimism_trap(), instances.lock(2, 2, [0, 1], 0.1),
         instances.random_simplex(3, 2, 3, 2, 0)]
STRANGE = (None, 5, "abc", b"ab", ["a"], ["a"] * 3, {"a": 1}, Spoilt(), [Spoilt()] * 3, np.array(["a", "b"]),
           iter("ab"), [[1], [2, 3]], np.array(3), float("nan"), object, {1: {2: object()}}, {"x": float("nan")},
           [("a", 1)])


def try_instance(rng):
    """Build an instance with a few of its parts spoilt."""
    base = rng.choice(BASES)
    parts = {name: getattr(base, name) for name in ("phi", "mu", "theta", "initial", "available")}
    for name in rng.sample(list(parts), rng.choice((0, 1, 1, 1, 2))):
        parts[name] = spoil(rng, parts[name])
    for name in ("state_names", "action_names", "info"):
        if rng.random() < 0.15:
            parts[name] = rng.choice(STRANGE)
    mdp = LinearMDP(**parts)
    rows = mdp.transitions()[np.asarray(mdp.available)]
    assert np.isfinite(rows).all() and (rows >= 0).all() and np.allclose(rows.sum(axis=-1), 1), "not a distribution"
    assert np.isfinite(mdp.rewards()).all() and (mdp.rewards() >= -1e-8).all() and (mdp.rewards() <= 1 + 1e-8).all()


def try_policy(rng):
    """Evaluate, deploy, compose or mix a policy that may be none."""
    mdp = rng.choice(BASES)
    policy = rng.choice((np.zeros(mdp.phi.shape[:2], int), policies.uniform(mdp)))
    policy = spoil(rng, policy) if rng.random() < 0.8 else policy
    if rng.random() < 0.3:
        weights = rng.choice(([1.0], [0.5, 0.5], spoil(rng, [1.0]), rng.choice(STRANGE)))
        policy = Mixture(rng.choice(((policy,), [policy, policy], (), policy, rng.choice(STRANGE))), weights)
    number = rng.choice((0, 1, 2, 1.5, -1, True, None, "1", np.int64(1), np.nan, 10**400, 1 + 2j, Spoilt()))
    what = rng.choice((mdp, mdp, mdp, mdp, rng.choice(STRANGE)))
    way = rng.randrange(6)
    if way == 0:
        planning.evaluate(what, policy, number)
    elif way == 1:
        planning.occupancy(what, policy)
    elif way == 2:
        policies.compose(mdp, policy, number, rng.choice((0, "uniform", number)))
    elif way == 3:
        Deployer(what, rng.choice((10, number)), rng.choice((1, number)), rng.choice(("any", "deterministic", number)),
                 rng.choice((0, number)), rng.choice(("exact", "gaussian", "expected", number))).deploy(policy)
    elif way == 4:
        deploy_counts(what, policy, rng.choice((10, number)), np.random.default_rng(0))
    else:
        known_part(rng.choice(STRANGE))
        sample(what, policy, 5, np.random.default_rng(0))


EXPLORERS = [getattr(algorithms, name) for name in algorithms.__all__
             if name.endswith("_exploration") or name == "safe_mixture"]


def try_algorithm(rng):
    """Run an algorithm with a number that may be none, or with something that is no deployer."""
    def number(good):
        return good if rng.random() < 0.6 else rng.choice((
            0, -1, 2, 1.5, True, None, "1", np.float32(0.5), np.nan, 10**400, 5e-324, 1e-300, 1e300, 1 + 2j, Spoilt(),
            np.complex128(2), np.array(0.5), [0.5], Fraction(1, 3), Fraction(1, 10**400)))

    explorer = rng.choice(EXPLORERS)
    deployer = Deployer(BASES[1], 10**6, 4, "any") if rng.random() < 0.6 else rng.choice(STRANGE)
    third = [number(0.1)] if "mixture" in explorer.__name__ or "arbitrary" in explorer.__name__ else []
    options = {"c_beta": number(1.0)} if "c_beta" in inspect.signature(explorer).parameters else {}
    with np.errstate(all="ignore"):  # a huge bonus may overflow: the run then does not converge
        explorer(deployer, number(0.5), number(0.1), *third, **options)


def try_file(rng, folder, whole):
    """Load an archive whose bytes or entries were changed."""
    path = folder / "spoilt.npz"
    content = bytearray(whole)
    way = rng.randrange(5)
    if way == 0:
        for _ in range(rng.randrange(1, 6)):
            content[rng.randrange(len(content))] = rng.randrange(256)
    elif way == 1:
        content = content[: rng.randrange(len(content))]
    else:
        with np.load(io.BytesIO(whole)) as archive:
            entries = dict(archive)
        key = rng.choice(list(entries))
        stream = io.BytesIO()
        if way == 2:
            changed = (spoil(rng, entries[key]) if entries[key].dtype.kind in "ifb" else rng.choice(
                ("{", "[]", "[" * 5000, '{"state_names": 5}', 5.0)))
            if isinstance(changed, np.ndarray | str | float | int):  # numpy can write no other
                entries[key] = np.asarray(changed)
            entries.update({"horizon": np.array(rng.choice((1, 10**8, -1, 2**62)))} if rng.random() < 0.2 else {})
            if any(array.dtype.hasobject for array in entries.values()):
                entries[key] = np.array([None])
            np.savez(stream, **entries)
        else:
            np.savez(stream, **entries)
            with zipfile.ZipFile(stream, "a") as archive, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                archive.writestr(rng.choice(("phi.npy", "phi", "more.npy", "../up.npy", "note.txt")), b"\x93NUMPY\x01")
        content = stream.getvalue()
    path.write_bytes(content)
    LinearMDP.load(path)


def try_ledger(rng, folder, whole):
    """Load a ledger of which a part was removed or replaced."""
    body = json.loads(whole)
    body["digest"] = ""  # no seal is asked for, so that what lies deeper is reached
    place = body
    for _ in range(rng.randrange(1, 7)):
        keys = list(place) if isinstance(place, dict) else range(len(place)) if isinstance(place, list) else ()
        if not len(keys):
            break
        key, inside = rng.choice(list(keys)), place
        place = inside[key]
    if rng.random() < 0.5 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = rng.choice((None, 5, "x", [], {}, [None], True, [[[]]]))
    path = folder / "spoilt.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    ledger = Ledger.load(path)
    ledger.surprises, ledger.changes(ledger)
    CliRunner().invoke(main, ["show", next(iter(ledger.claims), "C.3"), "--ledger", str(path)], catch_exceptions=False)


def arrays(count, folder, seed=0):
    """Try `count` malformed arrays, policies, parameters and archives; (counts, faults)."""
    import fuzz_parts  # it builds on this module

    folder.mkdir(parents=True, exist_ok=True)
    whole = fuzz_parts.whole_files(folder)
    ways = [(try_instance, (), 10), (try_policy, (), 6), (try_algorithm, (), 2), (try_file, (folder, whole["npz"]), 3),
            (try_ledger, (folder, whole["ledger"]), 1), *((way, (), weight) for way, weight in fuzz_parts.ARRAYS)]
    return _tried(count, folder, seed, ways)


def damaged_files(count, folder, seed=0):
    """Read `count` files of every kind that derl reads, each damaged; (counts, faults)."""
    import fuzz_parts

    whole = fuzz_parts.whole_files(folder)
    return _tried(count, folder, seed, [(way, (folder, whole), weight) for way, weight in fuzz_parts.FILES])


def _tried(count, folder, seed, ways):
    rng, counts, faults = random.Random(seed), Counter(), []
    before = {path.name for path in folder.iterdir()} | {f"spoilt.{end}" for end in ("npz", "json", "yml", "parquet")}
    for _ in range(count):
        ((way, arguments, _),) = rng.choices(ways, [weight for *_, weight in ways])
        state, started, used = rng.getstate(), time.monotonic(), processor()
        signal.setitimer(signal.ITIMER_REAL, 12 * SLOW)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                way(rng, *arguments)
            counts[f"{way.__name__}: accepted"] += 1
        except Invalid as error:
            counts[f"{way.__name__}: refused"] += 1
            if "\n" in str(error) or len(str(error)) > LONGEST:
                faults.append(("long", way.__name__, str(error)[:200], state))
        except TooLong as error:
            frames = traceback.extract_tb(error.__traceback__)
            if any("algorithms" in frame.filename for frame in frames):  # it was allowed, and is at work
                counts[f"{way.__name__}: long run"] += 1
            else:
                faults.append((f"hangs in {frames[-1].filename}, line {frames[-1].lineno}", way.__name__, state))
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            where = next((frame for frame in reversed(frames) if "derl" in Path(frame.filename).parts), frames[-1])
            faults.append((f"foreign {type(error).__name__}: {str(error)[:200]} ({where.filename.split('derl/')[-1]}, "
                           f"line {where.lineno})", way.__name__, state))
        signal.setitimer(signal.ITIMER_REAL, 0)
        used = processor() - used
        key = f"{way.__name__}: slowest (ms of processor)"
        counts[key] = max(counts[key], round(1000 * used))
        if used > 2 * SLOW and time.monotonic() - started < 12 * SLOW:
            faults.append((f"{used:.1f} s", way.__name__, state))
    left = {path.name for path in folder.iterdir()} - before
    faults += [(f"{name} was left",) for name in sorted(left)]
    return counts, faults


def _end(number, frame):
    raise TooLong


signal.signal(signal.SIGALRM, _end)

if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:]] + [2000, 20_000, 2000][len(sys.argv) - 1:]
    sys.modules["fuzz"] = sys.modules["__main__"]
    print(datetime.date.today(), "code", provenance.digest("derl")[:12], flush=True)
    with tempfile.TemporaryDirectory() as home:
        for name, size, part in zip(("command lines", "arrays", "files"), sizes, (
                lambda size: command_lines(size, Path(home, "lines"), real=size // 40),
                lambda size: arrays(size, Path(home, "arrays")),
                lambda size: damaged_files(size, Path(home, "files"))), strict=True):
            counted, wrong = part(size)
            print(name, size, dict(sorted(counted.items())), f"{len(wrong)} faults", flush=True)
            for fault in wrong[:60]:
                print("   ", *(part for part in fault if not isinstance(part, tuple)), flush=True)
