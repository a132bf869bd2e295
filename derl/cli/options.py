"""Options of `derl run` that belong to the algorithms: read from their signatures, so that no list goes stale."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import click

from derl.algorithms.catalogue import CATALOGUE, NAMES, find
from derl.cli.group import LARGE, Real, Whole
from derl.inputs import plugins

WORDS = ("uniform",)  # what a parameter "int | str" may be beside a whole number


class Named(click.Choice):
    """A name of an algorithm, or a function of one's own, `file.py:name`."""

    def __init__(self):
        super().__init__(list(NAMES))

    def convert(self, value, param, ctx):
        """A function of one's own is loaded when it is run."""
        return value if plugins.is_plugin(value) else super().convert(value, param, ctx)


def of_algorithms(command: Callable) -> Callable:
    """Give a command every option that some algorithm takes, under its own name."""
    for option in reversed(list(_options())):
        command = option(command)
    return command


class OfOneAlgorithm(click.Command):
    """A command whose help lists the options of the algorithm that its first word names, and of no other."""

    def parse_args(self, ctx, args):
        """Remember the first word for the help, which is printed before arguments are read."""
        ctx.meta["algorithm"] = args[0] if args and args[0] in NAMES else None
        return super().parse_args(ctx, args)

    def format_options(self, ctx, formatter):
        """What every run takes; then what this algorithm takes, with its defaults."""
        taken = {name for entry in CATALOGUE for name in entry.options}
        shared = [param.get_help_record(ctx) for param in self.get_params(ctx)
                  if isinstance(param, click.Option) and param.name not in taken]
        with formatter.section("Options of every algorithm"):
            formatter.write_dl([record for record in shared if record])
        if ctx.meta["algorithm"] is None:
            return
        entry, why = find(ctx.meta["algorithm"])
        with formatter.section(f"Options of {entry.name}"):
            formatter.write_dl([_record(entry, param) for param in self.get_params(ctx) if param.name in entry.options]
                               or [("none", "")])
        if why:
            formatter.write_text(f"{why}.")


def _record(entry, param) -> tuple[str, str]:
    """One option of an algorithm: how it is written, and what it is."""
    default = entry.options[param.name]
    ending = "[required]" if default is inspect.Parameter.empty else f"[default: {default}]"
    if default is None:
        ending = ""
    written = f"{param.opts[0]} {param.make_metavar(click.Context(click.Command(None)))}"
    return written, " ".join(filter(None, (_described(entry.function, param.name) or param.help, ending)))


def listed() -> str:
    """All algorithms as a table: the paper's number, the name, what it does."""
    rows = [("number", "name", "what it does"), *((entry.number or "-", entry.name, entry.does) for entry in CATALOGUE)]
    width = max(len(name) for _, name, _ in rows)
    return "\n".join(f"{number:>6}  {name:{width}}  {does}" for number, name, does in rows)


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
