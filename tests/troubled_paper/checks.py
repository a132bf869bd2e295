"""One check for each way of misbehaving."""

import os
import sys
from pathlib import Path

import numpy as np

from derl.ledger import Evidence
from troubled_paper import claim

EXHAUSTIVE = {"method": "exhaustive", "false": {"one is two": {"claimed": 2}}}
RUNS = "TROUBLED_RUNS"  # names a file that gets one line for each run of a check


def one(claimed, name):
    if RUNS in os.environ:
        with Path(os.environ[RUNS]).open("a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")
    return Evidence(1, claimed, "identity", "one equals one")


@claim("lem-sound", **EXHAUSTIVE)
def sound(claimed=1):
    """One is one."""
    return one(claimed, "sound")


@claim("lem-sound", **EXHAUSTIVE)
def sound_again(claimed=1):
    """One is one, again."""
    return one(claimed, "sound_again")


@claim("lem-quits", **EXHAUSTIVE)
def quits(claimed=1):
    """Leaves the interpreter with status 0."""
    sys.exit(0)


@claim("lem-interrupts", **EXHAUSTIVE)
def interrupts(claimed=1):
    """Raises what Ctrl-C raises."""
    raise KeyboardInterrupt


@claim("lem-dies", **EXHAUSTIVE)
def dies(claimed=1):
    """Ends its process."""
    os._exit(3)


def noise():
    raise KeyboardInterrupt


@claim("lem-plants", method="exhaustive", false={"nothing, with a noise": noise})
def plants(claimed=1):
    """One is one."""
    return one(claimed, "plants")


@claim("lem-holds", **EXHAUSTIVE)
def holds_the_interpreter(claimed=1):
    """A power of a hundred million digits, in one step of the interpreter."""
    return Evidence(int(7 ** (10**8) > 0), claimed, "identity", "one power")


@claim("lem-numpy", **EXHAUSTIVE)
def computes_in_numpy(claimed=1):
    """Singular values of a large matrix, in one call."""
    return Evidence(int(np.linalg.svd(np.random.default_rng(0).random((6000, 6000)))[1][0] > 0), claimed, "identity",
                    "one matrix")
