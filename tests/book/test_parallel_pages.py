"""Pages run side by side into myst-nb's cache; what fails or complains is still seen by the build."""

import gc
import io
import re

import parallel_pages
import pytest
from myst_nb.core.execute import ExecutionError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils
from zmq import ZMQError

PAGE = """\
---
file_format: mystnb
kernelspec: {{display_name: Python 3, language: python, name: python3}}
---
# Page

```{{code-cell}} python
{code}
```
"""
GREET = "from pathlib import Path; Path('{own}').touch()\n" \
        "for _ in range(300):\n    if Path('{other}').exists(): break\n    import time; time.sleep(0.1)\n" \
        "print('met', Path('{other}').exists())"


@pytest.fixture
def build(tmp_path):
    """Build pages (name -> code of their only cell); what Sphinx said, and what it warned about."""

    def run(cells: dict[str, str]) -> tuple[str, str]:
        (tmp_path / "index.md").write_text("# Index\n\n```{toctree}\n" + "\n".join(cells) + "\n```\n", encoding="utf-8")
        for name, code in cells.items():
            (tmp_path / f"{name}.md").write_text(PAGE.format(code=code), encoding="utf-8")
        said, warned = io.StringIO(), io.StringIO()
        settings = {"extensions": ["myst_nb", "parallel_pages"], "source_suffix": {".md": "myst-nb"},
                    "nb_execution_mode": "cache",
                    "nb_execution_cache_path": str(tmp_path / "cache"), "nb_execution_raise_on_error": True,
                    "nb_execution_show_tb": True, "nb_output_stderr": "warn", "html_theme": "basic",
                    "suppress_warnings": ["config.cache"], "exclude_patterns": ["html"]}
        with patch_docutils(), docutils_namespace():
            app = Sphinx(tmp_path, None, tmp_path / "html", tmp_path / "doctrees", "html", settings, status=said,
                         warning=warned, freshenv=True)
            try:
                app.build()
            except ExecutionError:
                pass  # the build of the book stops here; the tests read what it said before
        return said.getvalue(), warned.getvalue()

    return run


def test_two_pages_run_at_the_same_time_and_sphinx_takes_their_outputs_from_the_cache(build, tmp_path, monkeypatch):
    monkeypatch.setattr(parallel_pages, "cores", lambda: 2)
    said, warned = build({"one": GREET.format(own="a", other="b"), "two": GREET.format(own="b", other="a")})
    assert warned == ""
    assert len(re.findall(r"Executed notebook \w+\.md in", said)) == 2
    assert said.count("Using cached notebook") == 2
    for page in ("one", "two"):  # each has waited for a file that the other writes
        assert "met True" in (tmp_path / "html" / f"{page}.html").read_text(encoding="utf-8")


def test_cycles_are_looked_for_less_often_while_pages_are_read_and_as_before_afterwards(build, monkeypatch):
    before, during = gc.get_threshold(), []
    monkeypatch.setattr(parallel_pages, "execute_pages", lambda *_: during.append(gc.get_threshold()[0]))
    build({"one": "1"})
    assert during == [parallel_pages.GARBAGE] and gc.get_threshold() == before


def test_a_failing_cell_is_reported_with_its_traceback_and_a_line_on_stderr_is_a_warning(build):
    said, warned = build({"broken": "1 / 0", "loud": "import sys; print('careful', file=sys.stderr)"})
    assert "Executed notebook loud.md" in said and "Executed notebook broken.md" not in said
    assert "ZeroDivisionError" in warned and "broken.md" in warned
    said, warned = build({"broken": "1", "loud": "import sys; print('careful', file=sys.stderr)"})
    assert "Executed notebook broken.md" in said and "Executed notebook loud.md" not in said
    assert "stderr" in warned and "loud.md" in warned


@pytest.mark.slow
def test_a_failing_cell_is_reported_among_many_pages_too(build, monkeypatch):
    monkeypatch.setattr(parallel_pages, "cores", lambda: 2)
    said, warned = build({f"page{i}": "1 / 0" if i == 3 else str(i) for i in range(7)})
    assert said.count("Executed notebook") == 6 and "ZeroDivisionError" in warned and "page3.md" in warned


def test_a_kernel_that_does_not_come_up_is_started_again(monkeypatch):
    """As when two kernels choose the same port; nbclient says so with these exceptions."""
    tried = []

    def flaky(notebook, **settings):
        tried.append(settings["cwd"])
        if len(tried) < 2:
            raise RuntimeError("Kernel died before replying to kernel_info")
        if len(tried) < 3:
            raise ZMQError(98)
        return "done"

    monkeypatch.setattr(parallel_pages, "single_nb_execution", flaky)
    assert parallel_pages.executed(None, "here", 1) == "done" and tried == ["here"] * 3
    tried.clear()
    monkeypatch.setattr(parallel_pages, "TRIES", 1)
    assert parallel_pages.executed(None, "here", 1) is None


def test_slow_cells_go_before_long_ones():
    def page(source, *tags):
        return new_notebook(cells=[new_code_cell(source, metadata={"tags": list(tags)}), new_markdown_cell("x" * 99)])

    pages = {"short": page("1"), "long": page("1\n" * 40), "slow": page("2", "remove-input", "slow")}
    assert sorted(pages, key=lambda name: parallel_pages.work(pages[name]), reverse=True) == ["slow", "long", "short"]
