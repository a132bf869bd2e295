"""A sweep survives: the driver killed at any moment, workers killed, any number of workers; what is done stays done."""

import gc
import importlib.machinery
import json
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
import types
import weakref
from concurrent.futures import ProcessPoolExecutor

import pytest

from derl.experiments import InvalidSpec, Spec, run_sweep
from derl.experiments import sweep as sweeping
from derl.experiments.code import code_digest
from derl.experiments.sweep import SweepFailed
from derl.experiments.table import load, write_table
from derl.experiments.work import OtherCode, kept, measured, place, rows_of
from derl.inputs import Invalid, files

FORK = multiprocessing.get_context("fork")
RUN = {"study": "run", "fixed": {"epsilon": 0.2, "delta": 0.1, "batch_size": 10**9},
       "grid": {"algorithm": ["layerwise_exploration", "flat_exploration"],
                "instance": ["random_simplex:n_states=4,n_actions=2,dim=2,horizon=2,seed={seed}"]},
       "seeds": {"first": 3, "count": 8, "block": 3}}


@pytest.fixture
def study(monkeypatch):
    """A study made of a function."""
    def plant(measure):
        module = types.ModuleType("derl.experiments.studies.planted")
        module.__spec__ = importlib.machinery.ModuleSpec(module.__name__, None)
        module.measure = measure
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return "planted"
    return plant


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.json"))}


def test_one_worker_and_two_write_the_same_bytes(tmp_path):
    spec = Spec.of(**RUN)
    seen = []
    for jobs in (1, 2):
        folder = run_sweep(spec, tmp_path / str(jobs), jobs, report=lambda *numbers: seen.append(numbers))
        write_table(spec, folder, folder / "table.parquet")
    assert seen == [(done, 6) for done in range(7)] * 2
    one, two = tmp_path / "1", tmp_path / "2"
    assert contents(one) == contents(two) and len(contents(one)) == 6
    assert (one / "table.parquet").read_bytes() == (two / "table.parquet").read_bytes()
    rows, about = load(one / "table.parquet")
    assert [row["seed"] for row in rows] == [*range(3, 11)] * 2
    assert about["spec"] == spec.content and about["code"] == code_digest()
    assert all(row["converged"] and 0 <= row["suboptimality"] <= 0.2 for row in rows)


def test_what_is_done_is_not_done_again(tmp_path, study):
    log = tmp_path / "log"
    log.touch()

    def measure(seed, shift):
        with log.open("a") as stream:
            stream.write(f"{seed}\n")
        return [{"sum": seed + shift}]

    small = Spec.of(study(measure), {"shift": 1}, seeds={"count": 4, "block": 2})
    large = Spec.of("planted", {"shift": 1}, seeds={"count": 8, "block": 2})
    run_sweep(small, tmp_path / "out")
    run_sweep(small, tmp_path / "out")
    assert log.read_text().split() == [*"0123"]
    run_sweep(large, tmp_path / "out")
    assert log.read_text().split() == [*"01234567"]
    run_sweep(Spec.of("planted", {"shift": 2}, seeds={"count": 2, "block": 2}), tmp_path / "out")
    assert log.read_text().split() == [*"0123456701"]


def test_other_code_is_another_task(tmp_path, monkeypatch):
    task = Spec.of(**RUN).tasks[0]
    before = task.key
    monkeypatch.setattr("derl.experiments.spec.code_digest", lambda: "0" * 64)
    assert task.key != before
    with pytest.raises(OtherCode, match="another version"):
        measured(task.content, "0" * 64)


def wait_until_free(folder):
    """Workers keep the lock of their driver for the moment that they need to see that it is gone."""
    folder.mkdir(parents=True, exist_ok=True)
    for _ in range(200):
        with open(folder / ".lock", "ab") as stream:
            if files.locked(stream.fileno()):
                return
        time.sleep(0.05)
    raise AssertionError("the lock was never given back")


def marks(out):
    """What tells a result from one that was written again."""
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in out.rglob("*.json")}


def damage(out, before, expected):
    """What a killed driver must not leave: lost results, repeated ones, half-written ones, anything else."""
    now = marks(out)
    found = [f"lost {path.name}" for path in before.keys() - now.keys()]
    found += [f"repeated {path.name}" for path, mark in before.items() if now.get(path, mark) != mark]
    for path in now:
        try:
            whole = path in expected and json.loads(path.read_bytes())["task"] == expected[path].content
        except ValueError:
            whole = False
        found += [] if whole else [f"half-written {path.name}"]
    others = {path for path in out.rglob("*") if path.is_file()} - now.keys() - {out / ".lock"}
    return found + [f"left {path.name}" for path in others]


def test_damage_is_noticed(tmp_path, study):
    spec = Spec.of(study(lambda seed: [{"text": "x" * 500}]), seeds={"count": 4, "block": 1})
    out = run_sweep(spec, tmp_path / "out")
    expected, before = {place(out, task): task for task in spec.tasks}, marks(out)
    one, two, three, _ = sorted(before)
    assert damage(out, before, expected) == []
    content = one.read_bytes()
    one.write_bytes(content[:200])
    assert damage(out, {}, expected) == [f"half-written {one.name}"]
    one.write_bytes(two.read_bytes())
    assert damage(out, {}, expected) == [f"half-written {one.name}"]
    one.write_bytes(content)
    two.rename(out / "kept")
    (out / "kept").replace(three)
    assert {line.split()[0] for line in damage(out, before, expected)} == {"lost", "repeated", "half-written"}
    (out / "table.tmp").touch()
    assert "left table.tmp" in damage(out, before, expected)


@pytest.mark.slow
def test_a_driver_killed_at_twenty_random_times_loses_nothing_and_repeats_nothing(tmp_path, study):
    log, out = tmp_path / "log", tmp_path / "out"
    log.touch()

    def measure(seed, size):
        with log.open("a") as stream:
            stream.write(f"{seed}\n")
        time.sleep(0.004)
        return [{"text": "x" * size}]

    spec = Spec.of(study(measure), {"size": 20_000}, seeds={"count": 3000, "block": 1})
    expected = {place(out, task): task for task in spec.tasks}
    rng, finished, kills = random.Random(5), {}, 0
    for k in range(20):
        driver, size = FORK.Process(target=run_sweep, args=(spec, out, 2)), log.stat().st_size
        driver.start()
        limit = time.monotonic() + 30
        while k % 2 and log.stat().st_size == size and time.monotonic() < limit:
            time.sleep(0.01)  # every second time, in the midst of the work even where the machine is slow
        time.sleep(rng.uniform(0.02, 0.4))
        os.kill(driver.pid, signal.SIGKILL)
        driver.join()
        kills += driver.exitcode == -signal.SIGKILL
        wait_until_free(out)  # workers die with the driver, as soon as they find out
        assert damage(out, finished, expected) == []
        finished = marks(out)
    assert kills == 20 and 20 < len(finished) < len(expected)
    done, begun = len(finished), len(log.read_text().split())
    assert begun <= done + 2 * 20  # nothing but what was in the hands of the two workers is run twice
    rest = Spec.of("planted", {"size": 20_000}, seeds={"count": done + 50, "block": 1})
    run_sweep(rest, out, 2)
    assert {path: mark for path, mark in marks(out).items() if path in finished} == finished
    assert len(log.read_text().split()) == begun + len(rest.tasks) - len({place(out, task) for task in rest.tasks}
                                                                         & finished.keys())
    assert len(write_table(rest, out, tmp_path / "t.parquet").read_bytes()) > 0


def test_workers_that_die_cost_their_tasks_only(tmp_path, study):
    fuse = tmp_path / "fuse"
    fuse.touch()

    def measure(seed):
        if seed == 5 and fuse.exists():
            fuse.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return [{"seed_again": seed}]

    spec = Spec.of(study(measure), seeds={"count": 12, "block": 1})
    numbers = []
    run_sweep(spec, tmp_path / "out", 2, report=lambda done, total: numbers.append(done))
    assert numbers == [*range(13)] and len(contents(tmp_path / "out")) == 12


def threads_of_pools():
    return [thread for thread in threading.enumerate() if type(thread).__name__ == "_ExecutorManagerThread"]


def test_no_thread_of_a_pool_is_left_when_the_next_may_fork(tmp_path, study, monkeypatch):
    """A thread that holds a lock while a process is forked leaves it held there for ever."""
    spec = Spec.of(study=study(lambda seed: [{"value": 1}]), seeds={"count": 4, "block": 1})
    before, pools = [], []

    class Pool(ProcessPoolExecutor):
        def __init__(self, *arguments, **options):
            before.append(threads_of_pools())
            pools.append(self)
            super().__init__(*arguments, **options)

    monkeypatch.setattr(sweeping, "ProcessPoolExecutor", Pool)
    for n in range(10):
        run_sweep(spec, tmp_path / str(n), 2)
        assert threads_of_pools() == []
    assert before == [[]] * 10 and len(pools) == 10


def test_workers_do_not_collect_what_they_inherit(tmp_path, study):
    """A pool of an earlier sweep is garbage when the next one forks; whoever collects it takes a lock to say so."""
    class Garbage:
        pass

    driver, said, old = os.getpid(), tmp_path / "said", Garbage()
    old.itself = old
    told = weakref.ref(old, lambda _: None if os.getpid() == driver else said.write_text("collected"))
    spec = Spec.of(study=study(lambda seed: [{"found": gc.collect() >= 0}]), seeds={"count": 2, "block": 1})
    gc.disable()
    try:
        del old
        run_sweep(spec, tmp_path / "sweep", 2)
        assert told() is not None and not said.exists()
    finally:
        gc.enable()


def test_a_task_that_kills_every_worker_ends_the_sweep(tmp_path, study):
    spec = Spec.of(study(lambda seed: os.kill(os.getpid(), signal.SIGKILL)), seeds={"count": 1})
    with pytest.raises(SweepFailed, match="worker processes died 3 times"):
        run_sweep(spec, tmp_path / "out")


def test_an_error_names_the_task(tmp_path, study):
    def measure(seed, limit):
        return [{"value": 1 / (limit - seed)}]

    with pytest.raises(SweepFailed, match=r"planted with \{'limit': 2\}, seeds from 2: ZeroDivisionError"):
        run_sweep(Spec.of(study(measure), {"limit": 2}, seeds={"count": 4, "block": 1}), tmp_path / "out")


def test_two_sweeps_do_not_share_a_folder(tmp_path):
    with sweeping._alone(tmp_path / "out"), pytest.raises(InvalidSpec, match="another sweep is at work"):
        run_sweep(Spec.of(**RUN), tmp_path / "out")
    run_sweep(Spec.of(**RUN | {"seeds": {"count": 1}}), tmp_path / "out")


def test_what_is_kept_of_a_number():
    import numpy as np

    assert [kept(value) for value in (1 / 3, np.float64(2 / 3), np.int64(7), 2**70, float("inf"), np.True_, None)] == [
        0.333333, 0.666667, 7, 1.18059e21, None, True, None]


def test_a_result_of_another_user_is_not_believed(tmp_path, monkeypatch):
    spec = Spec.of(**RUN)
    run_sweep(spec, tmp_path)
    first = next(tmp_path.rglob("*.json"))
    run_sweep(spec, tmp_path)
    try:
        os.chown(first, 54321, -1)
    except PermissionError:
        monkeypatch.setattr("derl.inputs.owners.os.geteuid", lambda: os.getuid() + 1)
        monkeypatch.setattr("derl.inputs.owners.abilities", lambda folder: (True, True))
    with pytest.raises(Invalid, match="another user|file of your own"):
        run_sweep(spec, tmp_path)
    task = next(task for task in spec.tasks if place(tmp_path, task) == first)
    with pytest.raises(Invalid, match="another user"):
        rows_of(tmp_path, task)


def test_the_lock_of_a_sweep_is_never_a_link(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".lock").symlink_to(tmp_path / "made")
    with pytest.raises(Invalid, match="is a link"):
        run_sweep(Spec.of(**RUN), tmp_path / "out")
    assert not (tmp_path / "made").exists()
