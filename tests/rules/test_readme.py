"""README says how to get from nothing to a result: its code runs and prints what stands there, as does the book."""

import contextlib
import io
import re
import shlex

import container
import pytest
import stranger
from click.testing import CliRunner
from rules import ROOT

from derl.cli import main

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "book" / "install.md").read_text(encoding="utf-8")
BEGIN = stranger.section(README)
FENCED = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$", re.M | re.S)
COMMANDS = next(match["body"] for match in FENCED.finditer(README) if match["body"].startswith("derl demo"))


def fenced(text: str, kind: str) -> list[str]:
    return [match["body"] for match in FENCED.finditer(text) if match["kind"] == kind]


def printed(code: str) -> str:
    """What a piece of Python prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {})  # its own names
    return said.getvalue()


def command_lines(block: str) -> list[list[str]]:
    """The words of each command, comments left out."""
    return [shlex.split(line, comments=True) for line in block.replace("\\\n", " ").splitlines()]


def refusal(words: list[str]) -> str:
    """Why the command line refuses words before it does anything; empty where it takes them."""
    program, name, *rest = words
    if program != "derl" or name not in main.commands:
        return f"{program} {name} is no command"
    command = main.commands[name]
    try:
        command.make_context(f"derl {name}", rest, resilient_parsing=False)
    except Exception as wrong:  # noqa: BLE001  whatever click or an option says
        return str(wrong) or type(wrong).__name__
    return ""


def test_the_first_lines_say_what_a_deployment_and_a_linear_mdp_are():
    opening = README.split("\n## ")[0]
    for word in ("*deployment*", "*linear MDPs*"):
        assert word in opening


def test_every_way_begins_with_the_files_and_ends_with_one_result():
    ways = stranger.ways(BEGIN)
    assert list(ways) == ["make", "pip", "conda", "container"]
    assert all(lines[:2] == ["git clone <address> derl", "cd derl"] for lines in ways.values())
    assert all(lines[-1].endswith("derl verify C.3") for lines in ways.values())
    assert len(stranger.blocks(BEGIN, "text")) == 1
    assert "://" not in BEGIN  # the address of the repository is not known here


def test_the_result_that_is_shown_is_what_is_printed():
    (shown,) = stranger.blocks(BEGIN, "text")
    result = CliRunner().invoke(main, ["verify", "C.3"])
    assert result.exit_code == 0 and stranger.plain(result.stdout) == stranger.plain(shown)
    assert stranger.plain(shown.replace("6 of 6", "5 of 6")) != stranger.plain(result.stdout)


def test_the_first_code_prints_what_stands_below_it():
    code, = fenced(README, "python")
    below = README.split(code)[1].removeprefix("```\n")
    assert printed(code) == fenced(below, "text")[0]
    assert printed(code.replace("horizon=5", "horizon=4")) != fenced(below, "text")[0]


@pytest.mark.parametrize("words", command_lines(COMMANDS), ids=" ".join)
def test_a_command_is_one_that_derl_takes(words):
    assert refusal(words) == ""


@pytest.mark.parametrize("line", ["derl dance", "derl verify --tier best", "derl list --nowhere", "make derl"])
def test_a_command_that_derl_refuses_is_seen(line):
    assert refusal(shlex.split(line))


def test_a_list_that_is_shown_finds_something():
    (words,) = (words for words in command_lines(COMMANDS) if words[:2] == ["derl", "list"])
    result = CliRunner().invoke(main, words[1:])
    assert result.exit_code == 0 and not result.stdout.splitlines()[-1].startswith("0 of")


def test_the_page_of_the_book_says_the_same():
    for kind in ("sh", "text"):
        assert fenced(PAGE, kind) == fenced(BEGIN, kind)
    assert fenced(PAGE, "{code-cell} python") == fenced(README, "python")
    assert fenced(PAGE.replace("pip install .\n", "pip install derl\n"), "sh") != fenced(BEGIN, "sh")
    assert "](install.md)" in (ROOT / "book" / "index.md").read_text(encoding="utf-8")
    assert "](book/install.md)" in README


def test_what_conda_leaves_to_pip_is_read_from_its_file():
    lines = stranger.of_conda(stranger.ways(BEGIN)["conda"], (ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert ". .venv/bin/activate && pip install -e .[all]" in lines
    assert not any("conda" in line for line in lines)


# the container


def test_the_lines_of_the_containerfile_are_all_understood():
    lines = container.parsed((ROOT / "Containerfile").read_text(encoding="utf-8"))
    assert container.suite(lines[0]) == "bookworm"
    state = container.build(lines, ROOT, ROOT, {}, run=False)
    assert (state.user, state.folder, state.command) == ("derl", "/srv/derl", ["make", "test"])
    assert state.variables["PATH"].startswith("/srv/derl/.venv/bin:/usr/")
    assert state.arguments == {"REPOSITORY": ""}
    assert container.build(lines, ROOT, ROOT, {"REPOSITORY": "a/b"}, run=False).arguments == {"REPOSITORY": "a/b"}


def test_a_change_of_the_source_installs_nothing_again():
    lines = container.parsed((ROOT / "Containerfile").read_text(encoding="utf-8"))
    whole = next(i for i, line in enumerate(lines) if line.word == "COPY" and line.rest.endswith(" . ."))
    assert [line.rest for line in lines[:whole] if line.word == "COPY"] == [
        "--chown=derl:derl requirements.lock ./", "--chown=derl:derl book/_setup book/_setup"]
    assert any("-r requirements.lock" in line.rest for line in lines[:whole])
    assert [line.rest for line in lines[whole:] if line.word == "RUN"] == ['make book REPOSITORY="$REPOSITORY"']


@pytest.mark.parametrize("text, said", [
    ("RUN x", "begins with FROM"), ("FROM debian:bookworm\nFROM debian:bookworm", "has it once"),
    ("FROM debian:bookworm\nADD a b", "line 2: ADD is not among"), ("FROM debian:bookworm\nRUN a \\", "in the middle"),
])
def test_a_line_that_the_script_does_not_run_is_refused(text, said):
    with pytest.raises(container.InvalidLine, match=said):
        container.parsed(text)


def test_what_an_engine_would_refuse_is_refused(tmp_path):
    for line, said in (("FROM alpine:3", "no release of Debian"),):
        with pytest.raises(container.InvalidLine, match=said):
            container.suite(container.parsed(line)[0])
    for line, said in (("ENV A", "has no value"),):
        with pytest.raises(container.InvalidLine, match=said):
            container.build(container.parsed(f"FROM debian:bookworm\n{line}"), ROOT, tmp_path, {}, run=False)
    for rest, said in (("--from=x a b", "--from=x is not known"), ("missing.txt ./", "there is no such file")):
        with pytest.raises(container.InvalidLine, match=said):
            container.copied(container.Line(2, "COPY", rest), container.State(), ROOT, tmp_path, [])


@pytest.mark.parametrize("name, out", [
    (".venv/bin/python", True), ("_build/html/index.html", True), ("book/node_modules/mathjax/a.js", True),
    ("derl/__pycache__/a.pyc", True), ("derl.egg-info/PKG-INFO", True), (".git/HEAD", False),
    ("derl/cli/main.py", False),
    ("book/_setup/container.py", False), ("tests/_build/x", False), ("book/_static/vendor/x.js", True),
])
def test_what_is_installed_or_built_stays_out_of_the_container(name, out):
    patterns = container.ignored((ROOT / ".containerignore").read_text(encoding="utf-8"))
    assert container.left_out(name, patterns) is out
    assert (ROOT / ".dockerignore").resolve() == ROOT / ".containerignore"


def test_values_are_filled_in_as_an_engine_does():
    state = container.State(variables={"A": "1"}, arguments={"A": "2", "B": "3"})
    assert container.filled("$A ${B} $C.", state) == "1 3 ."
