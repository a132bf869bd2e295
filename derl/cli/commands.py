"""All commands under one name."""

import click

import derl
from derl.cli import (
    accepting,
    checks,
    comparison,
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


for command in (checks.verify, accepting.accept_,
                statements.list_, statements.show, statements.say, statements.open_, tour.demo, runs.run,
                runs.instance, sweeps.sweep, sweeps.choose, comparison.table1, reproductions.compare,
                labs.lab, papers.paper):
    main.add_command(command)
