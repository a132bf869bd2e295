"""Bad input by the thousand, from a fixed seed: command lines, arrays, policies, files, ledgers.

`python tests/fuzz.py [LINES] [ARRAYS] [FILES]` runs the full size (2,000, 20,000 and 2,000 by default) in a folder of
its own and prints what it counted; tests/inputs and tests/cli run a small size. What may come out: an answer, or one
line with exit status 2 and an exception of the project's own. What may not: another exception, a changed file, or more
than five seconds of the processor for a refusal. A run of an algorithm that was allowed and is
still at work when the patience ends is stopped, and counted as a long run: neither an answer nor a refusal.
"""

import datetime
import sys
import tempfile
from pathlib import Path

import fuzz_arrays
import fuzz_files
from fuzz_lines import command_lines
from fuzz_watch import tried

from derl.ledger import provenance


def arrays(count, folder, seed=0):
    """Try `count` malformed arrays, policies, parameters and archives; (counts, faults)."""
    whole = fuzz_files.whole_files(folder)
    return tried(count, folder, seed, [(fuzz_files.try_file, (folder, whole["npz"]), 3),
                                       (fuzz_files.try_ledger, (folder, whole["ledger"]), 1),
                                       *((way, (), weight) for way, weight in fuzz_arrays.WAYS)])


def damaged_files(count, folder, seed=0):
    """Read `count` files of every kind that derl reads, each damaged; (counts, faults)."""
    whole = fuzz_files.whole_files(folder)
    return tried(count, folder, seed, [(way, (folder, whole), weight) for way, weight in fuzz_files.WAYS])


if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:]] + [2000, 20_000, 2000][len(sys.argv) - 1:]
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
