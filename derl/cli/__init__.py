"""The command line. Exit status: 0 as expected; 1 a verdict differs from the expected one; 2 unusable input.

A command is a function in one of the modules here; `main` collects them. Errors become one line in `group`.
"""

import click

import derl
from derl.cli import checks, comparison, completion, labs, runs, statements, sweeps, tour
from derl.cli.group import OneLineErrors

__all__ = ["main"]


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(derl.__version__, prog_name="derl")
def main():
    """The executable paper on deployment-efficient reinforcement learning."""


for command in (checks.verify, statements.list_, statements.show, statements.open_, tour.demo, runs.run, runs.instance,
                sweeps.sweep, comparison.table1, labs.lab, completion.completion):
    main.add_command(command)
