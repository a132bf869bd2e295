"""The outputs of a page do not outlive a change in `derl/`: shown on a copy of the project with one page."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from browser import ROOT
from library_cache import digest

PAGE = """\
---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
# Page

```{code-cell} python
from derl.mdp import planning
assert callable(planning.optimal), "the library is broken"
print("optimal is", type(planning.optimal).__name__)
```
"""


@pytest.fixture
def copy(tmp_path):
    """derl/, the configuration and the extensions of the book, and one page."""
    shutil.copytree(ROOT / "derl", tmp_path / "derl", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "book" / "_ext", tmp_path / "book" / "_ext", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "book" / "_static").mkdir()
    shutil.copy(ROOT / "book" / "references.bib", tmp_path / "book")
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    (tmp_path / "_config.yml").write_text(config.replace("  config:\n", "  config:\n    claims_origin: false\n", 1),
                                          encoding="utf-8")
    (tmp_path / "_build").mkdir()
    shutil.copy(Path(__file__).parent / "sample_paper" / "ledger.json", tmp_path / "_build")
    (tmp_path / "book" / "_toc.yml").write_text("format: jb-book\nroot: book/page\n", encoding="utf-8")
    (tmp_path / "book" / "page.md").write_text(PAGE, encoding="utf-8")
    return tmp_path


def jupyter_book(folder) -> tuple[int, str]:
    """Exit status and log of the build that `make book` runs."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ".", "--toc", "book/_toc.yml", "-W",
               "--keep-going"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
                          check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_a_break_in_the_library_fails_the_build_and_taking_it_back_costs_nothing(copy):
    status, log = jupyter_book(copy)
    assert status == 0, log
    assert "Executed notebook" in log

    module = copy / "derl" / "mdp" / "planning.py"
    sound = module.read_text(encoding="utf-8")
    module.write_text(sound + "\noptimal = None\n", encoding="utf-8")
    status, log = jupyter_book(copy)
    assert status != 0, log
    assert "the library is broken" in log

    module.write_text(sound, encoding="utf-8")
    status, log = jupyter_book(copy)
    assert status == 0, log
    assert "Executed notebook" not in log, "the outputs of the sound library were still in the cache"
    assert "optimal is function" in (copy / "_build" / "html" / "book" / "page.html").read_text(encoding="utf-8")


def test_the_digest_follows_code_data_lock_and_ledger_but_no_timings(tmp_path):
    (tmp_path / "derl" / "__pycache__").mkdir(parents=True)
    (tmp_path / "book" / "back").mkdir(parents=True)
    ledger = tmp_path / "ledger.json"
    (tmp_path / "speed").mkdir()
    files = {"derl/a.py": "1", "derl/b.yml": "1", "requirements.lock": "1", "book/back/rows.csv": "1",
             "speed/results.json": "1"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    body = {"seconds": 1.0, "commit": "a", "claims": {"x": {"verdict": "proved", "checks": [{"seconds": 2.0}]}}}
    ledger.write_text(json.dumps(body), encoding="utf-8")
    first = digest(tmp_path, ledger)
    for name in files:
        (tmp_path / name).write_text("2", encoding="utf-8")
        assert digest(tmp_path, ledger) != first, name
        (tmp_path / name).write_text("1", encoding="utf-8")
    (tmp_path / "derl" / "__pycache__" / "a.pyc").write_text("2", encoding="utf-8")
    ledger.write_text(json.dumps(body | {"seconds": 9.0, "commit": "b"}), encoding="utf-8")
    assert digest(tmp_path, ledger) == first
    ledger.write_text(json.dumps(body).replace("proved", "failed"), encoding="utf-8")
    assert digest(tmp_path, ledger) != first
