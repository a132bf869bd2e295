"""A floor of `derl/` imports only from the floors below it."""

from pathlib import Path

import pytest
from floors import FLOOR, LONGEST, circles, shadowed, too_long, violations

PACKAGE = Path(__file__).parents[2] / "derl"


def test_every_import_goes_down():
    assert violations(PACKAGE) == []


def test_no_floor_is_empty():
    assert [room for room in FLOOR if not ((PACKAGE / room).is_dir() or (PACKAGE / f"{room}.py").is_file())] == []


@pytest.mark.parametrize("room, line, complaint", [
    ("mdp", "from derl.theory import constants", "mdp (floor 1) imports theory (floor 4)"),
    ("mdp", "import derl.claims.layerwise.theorem", "mdp (floor 1) imports claims (floor 6)"),
    ("theory", "from derl import algorithms", "theory (floor 4) imports algorithms (floor 5)"),
    ("theory", "from ..show import style", "theory (floor 4) imports show (floor 7)"),
    ("theory", "def late():\n    from derl.cli import main\n    return main", "theory (floor 4) imports cli (floor 8)"),
    ("claims", "import derl\nstyle = derl.show", "claims (floor 6) imports show (floor 7)"),
    ("estimation", "from derl.claims import load", "estimation (floor 3) imports claims (floor 6)"),
    ("show", "from derl.claims.safety import drops", "show imports claims.safety.drops: checks are no library"),
    ("show", "from derl.claims import PAPER, safety", "show imports claims.safety: checks are no library"),
    ("ledger", "from derl.mdp import planning", "ledger (floor 0) imports mdp (floor 1)"),
    ("ledger", "from derl.certificates import check_potential", "ledger (floor 0) imports certificates (floor 0)"),
    ("inputs", "from derl.ledger import Evidence", "inputs (floor 0) imports ledger (floor 0)"),
    ("certificates", "import numpy as np", "certificates imports numpy, which is not in the standard library"),
    ("certificates", "from derl.inputs import whole", "certificates imports derl, which is not"),
    ("certificates", "def late():\n    from . import other", "certificates imports derl, which is not"),
    ("mdp", "from derl import LinearMDP", "mdp (floor 1) imports __init__ (floor ?)"),
    ("mdp", "from math import *", "star import"),
    ("mdp", "\u03c6 = 1", "identifier \u03c6 is not ASCII"),
    ("lobby", "x = 1", "lobby stands on no floor"),
])
def test_a_planted_violation_is_seen(tmp_path, room, line, complaint):
    (tmp_path / room).mkdir()
    (tmp_path / room / "planted.py").write_text(line + "\n", encoding="utf-8")
    assert any(complaint in found for found in violations(tmp_path)), violations(tmp_path)


def test_good_manners_are_not_complained_about(tmp_path):
    (tmp_path / "algorithms").mkdir()
    (tmp_path / "algorithms" / "fine.py").write_text(
        "import derl\nimport numpy\nfrom derl.mdp import planning\nfrom derl.algorithms import outcome\n"
        "from .baselines import greedy\nversion = derl.__version__\n", encoding="utf-8")
    for room, lines in (("ledger", "from derl.inputs import whole\n"),
                        ("certificates", "import json\nfrom fractions import Fraction\n")):
        (tmp_path / room).mkdir()
        (tmp_path / room / "fine.py").write_text(lines, encoding="utf-8")
    (tmp_path / "show").mkdir()
    (tmp_path / "show" / "fine.py").write_text("from derl.claims import PAPER, load\n", encoding="utf-8")
    (tmp_path / "__init__.py").write_text("from derl.cli import main\n", encoding="utf-8")
    assert violations(tmp_path) == []


def test_no_modules_import_each_other():
    assert circles(PACKAGE) == []


@pytest.mark.parametrize("paper, workers, verify, found", [
    ("", "from derl.ledger.paper import Paper", "from derl.ledger.workers import run", []),
    ("def late():\n    from derl.ledger.verify import verify", "from derl.ledger.paper import Paper",
     "from derl.ledger.workers import run", ["derl.ledger.paper", "derl.ledger.verify", "derl.ledger.workers"]),
    ("from derl.ledger import verify", "from .paper import Paper", "from . import workers",
     ["derl.ledger.paper", "derl.ledger.verify", "derl.ledger.workers"]),
    ("import derl.ledger.workers", "import derl.ledger.paper as home", "",
     ["derl.ledger.paper", "derl.ledger.workers"]),
    ("from derl.ledger import Paper", "", "", ["derl.ledger", "derl.ledger.paper"]),
    ("if TYPE_CHECKING:\n    from derl.ledger.workers import run", "from derl.ledger.paper import Paper", "", []),
    ("if TYPE_CHECKING:\n    pass\nelse:\n    from derl.ledger.workers import run",
     "from derl.ledger.paper import Paper", "", ["derl.ledger.paper", "derl.ledger.workers"]),
    ("from .. import ledger", "", "", ["derl.ledger", "derl.ledger.paper"]),
], ids=["none", "in a function", "relative", "of two", "with the package", "for types alone", "not for types alone",
        "with the package, relative"])
def test_a_planted_circle_is_named(tmp_path, paper, workers, verify, found):
    folder = tmp_path / "derl" / "ledger"
    folder.mkdir(parents=True)
    for name, line in (("__init__", "from derl.ledger.paper import Paper"), ("paper", paper), ("workers", workers),
                       ("verify", verify), ("../__init__", "")):
        (folder / f"{name}.py").write_text(line + "\n", encoding="utf-8")
    said = circles(tmp_path / "derl")
    assert [sorted(set(circle.split(" -> "))) for circle in said] == ([found] if found else [])
    assert all(circle.split(" -> ")[0] == circle.split(" -> ")[-1] for circle in said)


def test_a_module_is_one_idea(tmp_path):
    assert too_long(PACKAGE) == []
    (tmp_path / "long.py").write_text("x = 1\n" * (LONGEST + 1), encoding="utf-8")
    (tmp_path / "fine.py").write_text("x = 1\n" * LONGEST, encoding="utf-8")
    assert too_long(tmp_path) == ["long.py has 501 lines, more than 500"]


@pytest.mark.parametrize("line, hidden", [
    ("from derl.algorithms.mix import mix", True), ("from .mix import safe as mix", True), ("mix = 1", True),
    ("def mix(): pass", True), ("class mix: pass", True), ("from derl.algorithms import mix", False),
    ("from derl.algorithms.mix import mixed", False),
])
def test_no_module_hides_behind_its_function(tmp_path, line, hidden):
    assert shadowed(PACKAGE) == []
    folder = tmp_path / "derl" / "algorithms"
    folder.mkdir(parents=True)
    (folder / "mix.py").write_text("", encoding="utf-8")
    (folder / "__init__.py").write_text(line + "\n", encoding="utf-8")
    assert shadowed(tmp_path / "derl") == (["algorithms/__init__.py hides its module mix"] if hidden else [])
