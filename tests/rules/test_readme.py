"""README says how to get from nothing to a result: its code runs and prints what is shown, as does the book."""

import contextlib
import io
import re
import shlex

import pytest
from click.testing import CliRunner
from rules import ROOT

from derl.cli import main

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "book" / "install.md").read_text(encoding="utf-8")
BEGIN = README.split("## From nothing to a result\n")[1].split("\n## ")[0]
FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
COMMANDS = next(body for _, body in FENCED.findall(README) if body.startswith("derl demo"))


def fenced(text: str, kind: str) -> list[str]:
    return [body for name, body in FENCED.findall(text) if name == kind]


def untimed(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b", "... s", text).strip()


def test_the_result_that_is_shown_is_what_is_printed():
    (shown,) = fenced(BEGIN, "text")
    result = CliRunner().invoke(main, ["verify", "C.3"])
    assert result.exit_code == 0 and untimed(result.stdout) == untimed(shown)


def test_the_first_code_prints_what_is_shown_below_it():
    (code,) = fenced(README, "python")
    with contextlib.redirect_stdout(printed := io.StringIO()):
        exec(compile(code, "README.md", "exec"), {})  # its own names
    assert printed.getvalue() == fenced(README.split(code)[1].removeprefix("```\n"), "text")[0]


@pytest.mark.parametrize("line", COMMANDS.replace("\\\n", " ").splitlines())
def test_a_command_is_one_that_derl_takes(line):
    _, name, *rest = shlex.split(line, comments=True)
    main.commands[name].make_context(f"derl {name}", rest, resilient_parsing=False)


def test_the_page_of_the_book_says_the_same():
    for kind in ("sh", "text"):
        assert fenced(PAGE, kind) == fenced(BEGIN, kind)
    assert fenced(PAGE, "{code-cell} python") == fenced(README, "python")
