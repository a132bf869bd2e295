"""The list of what the program depends on: it is acted on, printed, and the same in the Makefile."""

import fnmatch
import os
import re
import subprocess
import sys

from rules import ROOT

from derl.inputs import ambient

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
SETTLED = """
import os, sys, warnings
from derl.inputs.ambient import settle
settle()
print(sorted(name for name in os.environ if name in sys.argv[1].split()))
print(sys.get_int_max_str_digits() >= 4300, any(action == "error" for action, *_ in warnings.filters))
"""


def test_what_is_left_out_is_gone_when_a_command_begins():
    tried = {name: value for row in ambient.ROWS if row.answer == ambient.LEFT_OUT for name, value in row.tried.items()}
    done = subprocess.run([sys.executable, "-c", SETTLED, " ".join(tried)], env=os.environ | tried, text=True,
                          capture_output=True, check=True, cwd=ROOT)
    left = ["MPLBACKEND", "PYTHONINTMAXSTRDIGITS", "PYTHONWARNINGS"]  # the first is set, the others act at the start
    assert set(eval(done.stdout.splitlines()[0])) <= set(left) and done.stdout.splitlines()[1] == "True False"


def test_make_leaves_out_the_same_variables():
    line = re.search(r"^unexport (.*)$", MAKEFILE, re.MULTILINE)[1]
    patterns = [word.replace("%", "*") for word in re.findall(r"[A-Z_]+%?", line)]
    for name in ambient.left_out():
        if not name.startswith(("PIP_", "UV_")):  # the set-up sees to these
            assert any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns), name


def test_every_row_has_one_answer_and_one_sentence():
    for row in ambient.ROWS:
        assert row.answer in (ambient.LEFT_OUT, ambient.USED, ambient.REFUSED)
        assert row.does.endswith("."), row
    assert len({row.name for row in ambient.ROWS}) == len(ambient.ROWS)
