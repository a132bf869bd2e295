r"""What a sweep consists of: a study, what stays fixed, what varies, and the seeds.

    study: run                        # a module of derl.experiments.studies
    fixed: {epsilon: 0.2, delta: 0.1, batch_size: 1e9}
    grid:                             # every combination ...
      algorithm: [layerwise_exploration, flat_exploration]
      instance: ["random_simplex:n_states=6,n_actions=3,dim=3,horizon=3,seed={seed}"]
    cells:                            # ... with every one of these, or of these alone
      - {label: small}
    seeds: {first: 0, count: 100, block: 10}

A task is a cell with a block of seeds. Its name is the SHA-256 of its content and of the code that it runs
(`derl.experiments.code`), so a task that has been done is known wherever its file lies, and another code is another
task.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from yaml.reader import Reader

from derl.experiments.code import code_digest
from derl.inputs import Invalid, shown, whole
from derl.inputs import files as input_files
from derl.inputs.digests import digest
from derl.inputs.mappings import mapping

KEYS = ("study", "fixed", "grid", "cells", "seeds")
MOST_TASKS, LARGEST = 200_000, 10**6  # tasks of a sweep; bytes of a specification
MOST_BYTES = 10**8  # of all tasks, written out
DEEPEST, DIGITS = 20, 400  # lists in one another; digits of a whole number
LARGEST_NUMBER = 10**DIGITS
NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
WHOLE_FLOAT = re.compile(r"[0-9]+(\.[0-9]+)?[eE][0-9]+")  # YAML reads 1e9 as text


class InvalidSpec(Invalid):
    """A specification of a sweep that cannot be run; the message is one line."""


@dataclass(frozen=True)
class Task:
    """A cell with a block of seeds.

    Attributes
    ----------
    study : str
    parameters : dict
        Plain values by name.
    first, count : int
        Seeds first, ..., first + count - 1.
    """

    study: str
    parameters: dict[str, Any] = field(hash=False)
    first: int
    count: int

    @property
    def key(self) -> str:
        """32 hexadecimal digits: what is computed, by which code."""
        return digest(canonical([self.content, code_digest()]))[:32]

    @property
    def content(self) -> dict:
        """As plain values."""
        return {"study": self.study, "parameters": self.parameters, "first": self.first, "count": self.count}


@dataclass(frozen=True)
class Spec:
    """A sweep.

    Attributes
    ----------
    study : str
    cells : tuple of dict
    first, count, block : int
        Seeds, and how many of them make a task.
    """

    study: str
    cells: tuple[dict, ...]
    first: int
    count: int
    block: int

    @classmethod
    def read(cls, path) -> Spec:
        """From a file.

        Raises
        ------
        InvalidSpec
        """
        content = input_files.read(path, LARGEST, InvalidSpec)
        try:
            return cls.parse(content.decode("utf-8"))
        except UnicodeDecodeError:
            raise InvalidSpec(f"{path} is no text in UTF-8") from None

    @classmethod
    def parse(cls, text: str) -> Spec:
        """From YAML.

        Raises
        ------
        InvalidSpec
        """
        return cls.of(**_known(mapping(text, "the specification", InvalidSpec), KEYS, "the specification"))

    @classmethod
    def of(cls, study=None, fixed=None, grid=None, cells=None, seeds=None) -> Spec:
        """From its parts; the text of a specification has the same names."""
        _study(study)
        fixed, grid = _plains(fixed, "fixed"), _mapping(grid, "grid")
        for name, values in grid.items():
            if not isinstance(values, list) or not values:
                raise InvalidSpec(f"grid: {name} is {shown(values)}; it must be a list of values")
        grid = _plains(grid, "grid")
        if cells is not None and (not isinstance(cells, list) or not cells):
            raise InvalidSpec("cells must be a list of mappings")
        special = [_plains(cell, "a cell") for cell in cells or [{}]]
        sizes = _known(_mapping(seeds, "seeds"), ("first", "count", "block"), "seeds")
        sizes = _plains({"first": 0, "count": 1} | sizes, "seeds")
        first = whole(sizes["first"], "seeds: first", 0, 2**62, InvalidSpec)
        count = whole(sizes["count"], "seeds: count", 1, 10**7, InvalidSpec)
        block = whole(sizes.get("block", min(count, 10)), "seeds: block", 1, error=InvalidSpec)
        size = len(special)
        for values in grid.values():
            size *= len(values)
        blocks = -(-count // block)
        if size * blocks > MOST_TASKS:
            raise InvalidSpec(f"the specification has {size * blocks} tasks; at most {MOST_TASKS} are allowed")
        longest = len(canonical(fixed)) + sum(max(map(len, map(canonical, values))) for values in grid.values()
                                              ) + max(map(len, map(canonical, special)))
        if size * blocks * longest > MOST_BYTES:
            raise InvalidSpec(f"the specification has {size * blocks} tasks of up to {longest} bytes each; at most "
                              f"{MOST_BYTES} bytes are allowed in all")
        made = tuple(fixed | dict(zip(grid, values, strict=True)) | cell
                     for values in itertools.product(*grid.values()) for cell in special)
        return cls(study, made, first, count, block)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """All of them, in the order of the final table; equal ones once."""
        found = {}
        for cell in self.cells:
            for begin in range(self.first, self.first + self.count, self.block):
                task = Task(self.study, cell, begin, min(self.block, self.first + self.count - begin))
                found.setdefault(task.key, task)
        return tuple(found.values())

    @property
    def content(self) -> dict:
        """As plain values."""
        return {"study": self.study, "cells": list(self.cells), "first": self.first, "count": self.count,
                "block": self.block}


def canonical(value: Any) -> bytes:
    """The one way to write plain values: JSON with sorted keys, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _study(name) -> None:
    usable = isinstance(name, str) and NAME.fullmatch(name)
    if not usable or importlib.util.find_spec(f"derl.experiments.studies.{name}") is None:
        raise InvalidSpec(f"study is {shown(name)}; it must be a module of derl.experiments.studies, such as 'run'")


def _mapping(value, name) -> dict:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(key, str) and NAME.fullmatch(key) for key in value):
        raise InvalidSpec(f"{name} is {shown(value)}; it must map names such as batch_size to values")
    return value


def _plains(value, name) -> dict:
    return {key: _read(plain(entry, key)) for key, entry in _mapping(value, name).items()}


def _known(found: dict, names: tuple[str, ...], where: str) -> dict:
    for key in found:
        if key not in names:
            raise InvalidSpec(f"{where}: unknown key {shown(key)}; allowed are {', '.join(names)}")
    return found


def plain(value, name: str, finite: bool = True, depth: int = 0):
    """The value itself, if it is a plain one; of numpy's numbers, the same number of Python.

    Raises
    ------
    InvalidSpec
        The message names `name`. Infinite numbers are let in unless they have to be `finite`.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, list) and depth < DEEPEST:
        return [plain(entry, name, finite, depth + 1) for entry in value]
    if value is None or isinstance(value, bool):
        return value
    for kind, allowed in ((float, lambda number: not finite or math.isfinite(number)),
                          (int, lambda number: abs(number) < LARGEST_NUMBER), (str, _readable)):
        if isinstance(value, kind) and allowed(value):
            return kind(value)
    raise InvalidSpec(f"{name} is {shown(value)}; it must be a number of at most {DIGITS} digits, a text of characters "
                      f"that YAML has, a truth value, or a list of them, with at most {DEEPEST} lists in one another")


def _read(value):
    """Numbers written as 1e9 are whole numbers."""
    if isinstance(value, list):
        return [_read(entry) for entry in value]
    if isinstance(value, str) and WHOLE_FLOAT.fullmatch(value) and float(value) < float("inf"):
        value = float(value)
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**63 else value


def _readable(text: str) -> bool:
    """Whether YAML can hold the text; it has no halves of characters and no control characters."""
    return Reader.NON_PRINTABLE.search(text) is None
