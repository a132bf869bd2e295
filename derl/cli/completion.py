"""The command that teaches a shell to complete the others."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from derl.cli.printing import echo


@click.command(epilog="""\b
Examples:
  eval "$(derl completion bash)"
  derl completion fish > ~/.config/fish/completions/derl.fish""")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context, shell):
    """Print the lines that make a shell complete commands and options of derl."""
    echo(get_completion_class(shell)(context.find_root().command, {}, "derl", "_DERL_COMPLETE").source())
