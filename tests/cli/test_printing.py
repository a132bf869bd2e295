"""No file and no name tells the terminal what to do: control characters are printed as they are written."""

import ast
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import derl.cli
from derl.certificates import check_potential, check_reachability
from derl.cli import main
from derl.cli.printing import visible

CHEAP = "text-discretisation-error"
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2028\x7f"


def quiet(text: str) -> bool:
    return all(letter.isprintable() or letter in "\n\t" for letter in text)


def test_control_characters_are_written_out_and_all_others_stay():
    assert visible("a\x1b[1m\x9b\u202e") == r"a\x1b[1m\x9b\u202e"
    plain = "ε ≤ 1/2, Čech, 数\n\tnext"
    assert visible(plain) == plain and quiet(visible(EVIL)) and not quiet(EVIL)


@pytest.fixture
def ledger(tmp_path):
    path = tmp_path / "ledger.json"
    assert CliRunner().invoke(main, ["verify", CHEAP, "--out", str(path)]).exit_code == 0
    return path


def test_a_ledger_does_not_speak_to_the_terminal(ledger):
    body = json.loads(ledger.read_text()) | {"digest": ""}
    claim = body["claims"][CHEAP]
    claim["scope_gap"] = claim["checks"][0]["title"] = EVIL
    claim["rests_on"] = [EVIL]
    ledger.write_text(json.dumps(body))
    shown = CliRunner().invoke(main, ["show", CHEAP, "--ledger", str(ledger)])
    assert shown.exit_code == 0 and shown.output.count(r"\x1b]0;owned\x07") == 3 and quiet(shown.output)


def test_a_certificate_does_not_speak_to_the_terminal(tmp_path):
    step = {"name": EVIL, "command": EVIL, "minutes": 1, "passed": True}
    for name in ("mine", "yours"):
        (tmp_path / name).write_text(json.dumps({"schema": 1, "commit": EVIL, "environment": {EVIL: name},
                                                 "steps": [step],
                                                 "everywhere": {EVIL: name}, "here": {EVIL: name}}))
    compared = CliRunner().invoke(main, ["compare", str(tmp_path / "mine"), str(tmp_path / "yours")])
    assert compared.exit_code == 1 and r"\x1b]0;owned" in compared.output and quiet(compared.output)


@pytest.mark.parametrize("words", [("show", CHEAP, "--ledger", EVIL), ("sweep", EVIL, "--out", "x"), ("verify", EVIL),
                                   (EVIL,), ("instance", EVIL, "--out", "x"), ("lab", EVIL), ("compare", EVIL, EVIL)])
def test_a_name_does_not_speak_to_the_terminal(words):
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == 2 and quiet(result.output) and "x1b" in result.output


@pytest.mark.parametrize("program", [check_potential, check_reachability])
def test_the_checkers_of_certificates_do_not_either(program, tmp_path, capsys):
    path = tmp_path / f"{EVIL.replace('/', '')}.json"
    path.write_text(json.dumps({EVIL: EVIL}))
    assert program.main([path]) == 1
    said = capsys.readouterr().out
    assert quiet(said) and r"\x1b]0;owned" in said


def printing(source: str) -> list[int]:
    """Lines of a module that print past `derl.cli.printing`."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [node.lineno for node in calls if ast.unparse(node.func) in ("print", "click.echo", "click.secho")]


def test_every_command_prints_in_one_place():
    assert printing("click.echo(1)\nprint(2)") == [1, 2]
    modules = sorted(Path(derl.cli.__file__).parent.glob("*.py"))
    assert [path.name for path in modules if printing(path.read_text(encoding="utf-8"))] == ["printing.py"]
