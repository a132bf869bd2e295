"""The cells that a student types in, read from the pages, and a deployer of the library that makes the same draws.

A cell has the tag `from-scratch` and a name, `from-scratch: algorithm 1`. It runs after the lock, book/lock.py, and
after the cells with this tag that come before it on its page.
"""

import re
from dataclasses import dataclass

import numpy as np
from rules import ROOT

from derl import instances
from derl.deployment.counts import Batch
from derl.deployment.known import KnownPart
from derl.mdp.policies import Mixture, as_probabilities

BOOK = ROOT / "book"
LOCK = BOOK / "lock.py"
CELL = re.compile(r"^```\{code-cell\} python\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
TAG = re.compile(r"from-scratch: ([^\"\]]+)")


@dataclass(frozen=True)
class Cell:
    """A cell that is typed in: its name, its page, where it begins on the page, and its code."""

    name: str
    page: str
    start: int
    code: str


def on_page(page: str, text: str) -> list[Cell]:
    """The cells of a page, in their order."""
    return [Cell(TAG.search(cell[1])[1], page, cell.start(), cell[2]) for cell in CELL.finditer(text)
            if TAG.search(cell[1])]


def everywhere() -> dict[str, Cell]:
    """All cells of the book by name; a name that two cells have is refused."""
    found = {}
    for path in sorted(BOOK.glob("*/*.md")):
        for cell in on_page(path.relative_to(BOOK).as_posix(), path.read_text(encoding="utf-8")):
            assert cell.name not in found, f"{cell.name} has two cells"
            found[cell.name] = cell
    return found


def run(name: str, cells: dict[str, Cell]) -> dict:
    """The names that are there after the cell."""
    space = {}
    exec(LOCK.read_text(encoding="utf-8"), space)
    for cell in cells.values():
        if cell.page == cells[name].page and cell.start <= cells[name].start:
            exec(cell.code, space)
    return space


def lock():
    """The lock of the cells as an instance of the library."""
    return instances.lock(3, 3, (1, 2, 0), 0.2)


class SameDraws:
    """Looks like a deployer of the library, and draws as `deploy` of book/lock.py does, from the same seed.

    Parameters
    ----------
    batch_size : int
    in_order : bool
        Whether the members of a mixture are sorted before trajectories are divided among them.
    """

    max_deployments, policy_class = 100, "any"

    def __init__(self, batch_size: int, in_order: bool = False):
        self.space = {}
        exec(LOCK.read_text(encoding="utf-8"), self.space)
        mdp = lock()
        self.known = KnownPart(mdp.phi, mdp.rewards(), mdp.available)
        self.batch_size, self.in_order = batch_size, in_order

    def deploy(self, policy) -> Batch:
        """N trajectories; those of a mixture are divided among its members first."""
        if not isinstance(policy, Mixture):
            return Batch(self.counts(policy, self.batch_size), self.batch_size)
        policies, weights = list(policy.policies), list(policy.weights)
        if self.in_order:
            order = sorted(range(len(policies)), key=lambda i: policies[i].ravel().tolist())
            policies, weights = [policies[i] for i in order], [weights[i] for i in order]
        members = self.space["rng"].multinomial(self.batch_size, weights)
        counts = sum(self.counts(one, size) for one, size in zip(policies, members, strict=True))
        return Batch(counts, self.batch_size, members=members)

    def counts(self, policy, size: int) -> np.ndarray:
        """Transition counts of a policy that is no mixture."""
        return self.space["deploy"](as_probabilities(self.known, policy), size)
