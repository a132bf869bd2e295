"""All commands under one name."""

import click

import derl
from derl.cli import (
    checks,
    comparison,
    completion,
    labs,
    papers,
    reproductions,
    runs,
    statements,
    sweeps,
    tour,
    whose,
)
from derl.cli.group import OneLineErrors


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(derl.__version__, prog_name="derl")
def main():
    """The executable paper on deployment-efficient reinforcement learning."""
    whose.check()


for command in (checks.verify, statements.list_, statements.show, statements.say, statements.open_, tour.demo, runs.run,
                runs.instance, sweeps.sweep, comparison.table1, reproductions.compare, labs.lab, papers.paper,
                completion.completion):
    main.add_command(command)
