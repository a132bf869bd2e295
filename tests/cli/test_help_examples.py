"""The examples of every --help: each is understood, and those that end at once run."""

import shlex

import click
import pytest
from click.testing import CliRunner

from derl.cli import main

RUN = {"say", "instance"}  # the others take minutes, open windows, or are run by tests of their own


def examples(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[click.Command, list[str]]]:
    """(command, words after `derl`) of the examples of a command and of those below it."""
    found = []
    for name in (command.list_commands(None) if isinstance(command, click.Group) else ()):
        found += examples(command.get_command(click.Context(command), name), (*path, name))
    lines = (command.epilog or "").replace("\\\n", " ").splitlines()
    return found + [(command, shlex.split(line, comments=True)[1:]) for line in lines
                    if line.startswith(f"  derl {' '.join(path)}")]


ALL = examples(main)


def test_every_command_is_seen():
    assert len(ALL) > 20 and {words[0] for _, words in ALL} >= {"say", "verify", "run", "instance", "list", "show"}


@pytest.mark.parametrize("command, words", ALL, ids=[" ".join(words) for _, words in ALL])
def test_an_example_is_understood_and_runs(command, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    depth = 1 + isinstance(main.get_command(click.Context(main), words[0]), click.Group)
    command.make_context(words[0], words[depth:])
    if words[0] in RUN:
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0 and result.output, result.output
