"""How bad input is tried: what it took, what it left behind, and whether what came out was allowed to."""

import os
import random
import signal
import time
import traceback
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from fuzz_values import LONGEST

from derl.inputs import Invalid

SLOW = 5.0  # seconds of the processor
LONGEST_WAIT = 300.0  # seconds of the clock, on a machine that does other work
_begun = {}


class TooLong(Exception):
    """The patience of the fuzzer with one input has ended."""


@contextmanager
def patience(seconds):
    """Raises TooLong in the midst of what takes more seconds of the processor here, or waits for minutes."""
    _begun.update(used=time.process_time() + seconds, waited=time.monotonic() + LONGEST_WAIT)
    signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def processor():
    """Seconds of the processor, those of ended children included."""
    return sum(os.times()[:4])


def tried(count, folder, seed, ways):
    """Take `count` of the ways, (function, arguments, weight) each, at random; (counts, faults)."""
    rng, counts, faults = random.Random(seed), Counter(), []
    before = {path.name for path in folder.iterdir()} | {f"spoilt.{end}" for end in ("npz", "json", "yml", "parquet")}
    for _ in range(count):
        ((way, arguments, _),) = rng.choices(ways, [weight for *_, weight in ways])
        state, used, stopped = rng.getstate(), processor(), False
        try:
            with patience(2 * SLOW), warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                way(rng, *arguments)
            counts[f"{way.__name__}: accepted"] += 1
        except Invalid as error:
            counts[f"{way.__name__}: refused"] += 1
            if "\n" in str(error) or len(str(error)) > LONGEST:
                faults.append(("long", way.__name__, str(error)[:200], state))
        except TooLong as error:
            frames, stopped = traceback.extract_tb(error.__traceback__), True
            if any("algorithms" in frame.filename for frame in frames):  # it was allowed, and is at work
                counts[f"{way.__name__}: long run"] += 1
            else:
                faults.append((f"hangs in {frames[-1].filename}, line {frames[-1].lineno}", way.__name__, state))
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            where = next((frame for frame in reversed(frames) if "derl" in Path(frame.filename).parts), frames[-1])
            faults.append((f"foreign {type(error).__name__}: {str(error)[:200]} ({where.filename.split('derl/')[-1]}, "
                           f"line {where.lineno})", way.__name__, state))
        used = processor() - used
        key = f"{way.__name__}: slowest (ms of processor)"
        counts[key] = max(counts[key], round(1000 * used))
        if used > 2 * SLOW and not stopped:
            faults.append((f"{used:.1f} s", way.__name__, state))
    left = {path.name for path in folder.iterdir()} - before
    faults += [(f"{name} was left",) for name in sorted(left)]
    return counts, faults


def _look(number, frame):
    if time.process_time() > _begun["used"] or time.monotonic() > _begun["waited"]:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise TooLong


signal.signal(signal.SIGALRM, _look)
