"""A pytest plugin that writes what every test costs: seconds of the clock, and of the processors, children included.

`speed/profile_tests.py` loads it by `-p profile_plugin --profile-out FILE`. Under pytest-xdist each worker
measures its own tests, and the controller writes the table.
"""

from __future__ import annotations

import csv
import resource
from pathlib import Path

import pytest

COLUMNS = ("file", "test", "phase", "outcome", "wall", "cpu")


def pytest_addoption(parser):
    parser.addoption("--profile-out", type=Path, help="file for the table of what every test costs")


LAST = pytest.StashKey[float]()


def used() -> float:
    """Seconds of the processors that this process and the children it has waited for have used."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Attach to the report of a phase what the phase has cost since the one before it ended."""
    report, now = (yield), used()
    cost = call.duration, now - item.config.stash.get(LAST, now)
    report.user_properties = [*report.user_properties, ("cost", cost)]
    item.config.stash[LAST] = now
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    item.config.stash[LAST] = used()


class Table:
    """The rows of all tests, written when the session ends."""

    def __init__(self, path: Path):
        self.path, self.rows = path, []

    def pytest_runtest_logreport(self, report):
        cost = dict(report.user_properties).get("cost")
        if cost:
            file, _, test = report.nodeid.partition("::")
            self.rows.append((file, test, report.when, report.outcome, *(f"{seconds:.4f}" for seconds in cost)))

    def pytest_sessionfinish(self):
        with self.path.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(self.rows)


def pytest_configure(config):
    path = config.getoption("--profile-out")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Table(path.absolute()), "profile-table")
