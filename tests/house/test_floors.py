"""A floor of `derl/` imports only from the floors below it."""

from pathlib import Path

import pytest
from floors import violations

PACKAGE = Path(__file__).parents[2] / "derl"


def test_every_import_goes_down():
    assert violations(PACKAGE) == []


@pytest.mark.parametrize("room, line, complaint", [
    ("mdp", "from derl.theory import constants", "mdp (floor 1) imports theory (floor 4)"),
    ("mdp", "import derl.claims.registry", "mdp (floor 1) imports claims (floor 6)"),
    ("theory", "from derl import algorithms", "theory (floor 4) imports algorithms (floor 5)"),
    ("theory", "from ..show import style", "theory (floor 4) imports show (floor 7)"),
    ("theory", "def late():\n    from derl.cli import main\n    return main", "theory (floor 4) imports cli (floor 8)"),
    ("claims", "import derl\nstyle = derl.show", "claims (floor 6) imports show (floor 7)"),
    ("claims", "from derl.experiments import sweep", "claims (floor 6) imports experiments (floor 6)"),
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
    (tmp_path / "__init__.py").write_text("from derl.cli import main\n", encoding="utf-8")
    assert violations(tmp_path) == []
