"""One check for each way of misbehaving."""

import os
import sys
from pathlib import Path

import numpy as np

from derl.ledger import Evidence
from troubled_paper import check, control

EVERYTHING = {"method": "exhaustive", "arithmetic": "exact", "covers": "everything", "gap": "none"}
RUNS = "TROUBLED_RUNS"  # names a file that gets one line for each run of a check


def one(claimed, name):
    if RUNS in os.environ:
        with Path(os.environ[RUNS]).open("a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")
    return Evidence(1, claimed, "identity", "one equals one")


@check("lem-sound", **EVERYTHING)
def sound(claimed=1) -> Evidence:
    """One is one."""
    return one(claimed, "sound")


@check("lem-sound", **EVERYTHING)
def sound_again(claimed=1) -> Evidence:
    """One is one, again."""
    return one(claimed, "sound_again")


@check("lem-quits", **EVERYTHING)
def quits(claimed=1) -> Evidence:
    """Leaves the interpreter with status 0."""
    sys.exit(0)


@check("lem-interrupts", **EVERYTHING)
def interrupts(claimed=1) -> Evidence:
    """Raises what Ctrl-C raises."""
    raise KeyboardInterrupt


@check("lem-dies", **EVERYTHING)
def dies(claimed=1) -> Evidence:
    """Ends its process."""
    os._exit(3)


@check("lem-plants", **EVERYTHING)
def plants(claimed=1) -> Evidence:
    """One is one."""
    return one(claimed, "plants")


@check("lem-holds", **EVERYTHING)
def holds_the_interpreter(claimed=1) -> Evidence:
    """A power of a hundred million digits, in one step of the interpreter."""
    return Evidence(int(7 ** (10**8) > 0), claimed, "identity", "one power")


@check("lem-numpy", **EVERYTHING)
def computes_in_numpy(claimed=1) -> Evidence:
    """Singular values of a large matrix, in one call."""
    return Evidence(int(np.linalg.svd(np.random.default_rng(0).random((6000, 6000)))[1][0] > 0), claimed, "identity",
                    "one matrix")


for function in (sound, sound_again, quits, interrupts, dies, holds_the_interpreter, computes_in_numpy):
    control(function, "one is two", {"claimed": 2})


def noise():
    raise KeyboardInterrupt


control(plants, "nothing, with a noise", noise)
