"""What the tests of the command line share."""

import pytest
from click.testing import CliRunner

from derl.cli import group, main


@pytest.fixture
def one_line_error():
    """Runs a command line that is refused in one line, and gives the line."""
    def refused(*words):
        result = CliRunner().invoke(main, list(words))
        assert result.exit_code == 2 and result.exception.__class__ is SystemExit, result.output
        lines = result.stderr.strip().splitlines()
        assert len(lines) == 1 and lines[0].startswith("derl: ") and len(lines[0]) <= group.LONGEST + 6, lines
        return lines[0]

    return refused
