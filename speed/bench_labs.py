"""Every corner of every lab: how long from a moved control to a new picture, without the way to the browser.

    python speed/bench_labs.py [NAME ...]

Corners are all combinations of the ends of the controls, each asked for as if nothing had been computed before.
"""

import sys
import time
from functools import _lru_cache_wrapper

from derl.show.labs.controls import page
from derl.show.labs.found import labs


def forget(lab) -> None:
    """Empty what the module of a lab keeps; instances and certificates that belong to no position stay."""
    for value in vars(sys.modules[lab.view.__module__]).values():
        if isinstance(value, _lru_cache_wrapper):
            value.cache_clear()


def main(names) -> None:
    print(f"{'lab':<20}{'corners':>8}{'median s':>10}{'worst s':>9}   where")
    for name, lab in labs().items():
        if names and name not in names:
            continue
        page(lab.view(**lab.start))
        times = []
        for corner in lab.corners:
            forget(lab)
            start = time.process_time()
            page(lab.view(**corner))
            times.append((time.process_time() - start, {key: str(value)[:20] for key, value in corner.items()}))
        times.sort(key=lambda pair: pair[0])
        print(f"{name:<20}{len(times):>8}{times[len(times) // 2][0]:>10.2f}{times[-1][0]:>9.2f}   {times[-1][1]}",
              flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
