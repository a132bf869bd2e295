"""Options of `derl run` that are those of the algorithms: read from their signatures, so that no list goes stale."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import click

from derl.algorithms.catalogue import CATALOGUE
from derl.cli.group import LARGE, Real, Whole

WORDS = ("uniform",)  # what a parameter "int | str" may be beside a whole number


def of_algorithms(command: Callable) -> Callable:
    """Give a command every option that some algorithm takes, under its own name."""
    for option in reversed(list(_options())):
        command = option(command)
    return command


def _options() -> Iterator[Callable]:
    found: dict[str, list] = {}
    for entry in CATALOGUE:
        for name in entry.options:
            found.setdefault(name, []).append(entry)
    for name, entries in found.items():
        annotation = " | ".join(entry.annotations[name] for entry in entries)
        yield click.option("--" + name.replace("_", "-"), name, type=_type(annotation), help=_help(name, entries))


def _type(annotation: str) -> click.ParamType:
    """How a value is read: a number as such, anything else as text. Ranges are the algorithm's to refuse."""
    kinds = {kind.strip() for kind in annotation.split("|")} - {"None"}
    if kinds == {"int", "str"}:
        return Whole(low=0, words=WORDS)
    if kinds == {"int"}:
        return Whole(low=0, high=2**63 - 1)
    return Real(low=-LARGE, high=LARGE) if kinds == {"float"} else click.STRING


def _help(name: str, entries: list) -> str:
    """The first sentence that a docstring has on it, and which algorithms take it where not most do."""
    said = next(filter(None, (_described(entry.function, name) for entry in entries)), "")
    taken = [entry.name for entry in entries]
    where = f" ({', '.join(taken)})" if len(taken) <= 2 else ""
    return f"{said}{where}".strip()


def _described(function: Callable, name: str) -> str:
    lines = inspect.cleandoc(function.__doc__ or "").splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith(f"{name} :")]
    if not heads:
        return ""
    text = []
    for line in lines[heads[0] + 1:]:
        if not line.startswith("    "):
            break
        text.append(line.strip())
    sentence, _, _ = " ".join(text).partition(". ")
    return sentence.rstrip(".") + "." if sentence else ""
