"""A worker ignores Ctrl-C, can be ended, dies with its parent and leaves alone what it has inherited."""

import gc
import os
import signal
import time

import pytest

from derl.inputs import processes
from derl.inputs.processes import CONTEXT, begin

ENOUGH = 20.0  # seconds, also on a machine with other work


@pytest.fixture
def shaped():
    """SIGTERM as a command line would have set it, so that a worker has something to undo."""
    before = signal.signal(signal.SIGTERM, lambda number, frame: None)
    yield
    signal.signal(signal.SIGTERM, before)


def _tell(pipe, parent):
    begin(parent)
    pipe.send((signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), gc.get_freeze_count()))
    pipe.send(pipe.recv())
    pipe.recv()


def test_a_worker_ignores_ctrl_c_and_is_ended_by_sigterm(shaped):
    ours, theirs = CONTEXT.Pipe()
    worker = CONTEXT.Process(target=_tell, args=(theirs, os.getpid()), daemon=True)
    worker.start()
    try:
        assert ours.poll(ENOUGH)
        interrupt, end, frozen = ours.recv()
        assert (interrupt, end) == (signal.SIG_IGN, signal.SIG_DFL) and frozen > 0
        os.kill(worker.pid, signal.SIGINT)
        ours.send("after Ctrl-C")
        assert ours.poll(ENOUGH) and ours.recv() == "after Ctrl-C"
        worker.terminate()
        worker.join(ENOUGH)
        assert worker.exitcode == -signal.SIGTERM
    finally:
        worker.kill()
        worker.join(ENOUGH)


@pytest.mark.parametrize("linux", [True, False])
def test_a_worker_ends_with_its_parent(linux, monkeypatch):
    """By the kernel's word where there is one, and by a thread that looks where there is none."""
    monkeypatch.setattr(processes, "LINUX", linux and processes.LINUX)
    reading, writing = os.pipe()
    parent = os.fork()
    if parent == 0:
        try:
            middle = os.getpid()
            if os.fork() == 0:
                begin(middle)
                os.write(writing, b"at work")
                time.sleep(10 * ENOUGH)
            else:
                time.sleep(10 * ENOUGH)
        finally:
            os._exit(1)
    os.close(writing)
    assert os.read(reading, 99) == b"at work"
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    start = time.monotonic()
    assert os.read(reading, 99) == b""  # the last process that could write has ended
    os.close(reading)
    assert time.monotonic() - start < ENOUGH
