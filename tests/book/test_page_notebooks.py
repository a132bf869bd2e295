"""Pages as notebooks: what Jupyter shows in the place of the book's directives, and cells that run."""

import json

import nbformat
import pytest
from browser import ROOT
from myst_nb.core.read import read_myst_markdown_notebook
from nbclient import NotebookClient
from page_notebooks import FOLDER, notebook, plain

from derl.claims import PAPER

STATEMENTS = PAPER.statements
KEY = "res-compact-bandit"


@pytest.mark.parametrize("text, shown", [
    ("see {claim}`thm-layerwise`, {ref}`the template <fig>` and {cite:t}`huang`",
     "see Theorem 4.1, the template and huang"),
    ("$$\nx = 1\n$$ (eq-one)\n", "$$\nx = 1\n$$\n"),
    ("[$\\nu$, $\\nu_h$]{#sym-nu .in-x} and [a link](b.md)", "$\\nu$, $\\nu_h$ and [a link](b.md)"),
    (":::{dropdown} Hint\n:open:\nUse {claim}`thm-layerwise`.\n:::\nAfter", "**Hint**\n\nUse Theorem 4.1.\nAfter"),
    ("::::{admonition} A\n:::{dropdown} B\nin\n:::\n::::", "**A**\n\n**B**\n\nin"),
    ("(here)=\n## Title", "\n## Title"),
    ("```python\nx\n```", "```python\nx\n```"),
])
def test_directives_become_plain_markdown(text, shown):
    assert plain(text, STATEMENTS, {}) == shown


def test_a_statement_becomes_a_quotation_with_its_verdict():
    shown = plain(f"```{{claim}} {KEY}\n:line:\n```", STATEMENTS, {KEY: "proved"}).split("\n")
    assert shown[0] == f"> **Result** (The compact bandit): *proved* · `{KEY}`" and shown[1] == ">"
    assert all(line.startswith(">") for line in shown)


@pytest.mark.slow
def test_the_notebook_of_a_page_runs_anywhere_and_shows_no_directive(tmp_path):
    page = ROOT / "book" / "potential" / "elliptical-potential.md"
    read = read_myst_markdown_notebook(page.read_text(encoding="utf-8"), path=str(page))
    made = notebook(read, "derl", STATEMENTS, {})
    nbformat.validate(made)
    text = "\n".join(cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert "{claim}" not in text and "```{" not in text and ":::" not in text
    NotebookClient(made, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()


def made_of(page):
    path = ROOT / "book" / page
    read = read_myst_markdown_notebook(path.read_text(encoding="utf-8"), path=str(path))
    return notebook(read, "derl", STATEMENTS, {}, f"book/{page}".rpartition("/")[0])


@pytest.mark.slow
def test_a_page_that_reads_beside_itself_runs_wherever_its_notebook_lies(tmp_path):
    made = made_of("your-own-paper.md")
    NotebookClient(made, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()


@pytest.mark.browser
def test_every_chapter_offers_its_notebook(html):
    offered = {}
    for page in sorted((html / "book").rglob("*.html")):
        name = page.relative_to(html / "book").with_suffix("").as_posix()
        link = f'{FOLDER}/{name}.ipynb" download'
        if link in page.read_text(encoding="utf-8"):
            body = json.loads((html / FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
            offered[name] = sum(cell["cell_type"] == "code" for cell in body["cells"])
    assert {"potential/elliptical-potential", "layerwise/algorithm-one", "lower-bounds/deterministic"} <= set(offered)
    assert len(offered) > 15 and all(offered.values()) and not any(name.startswith("back/") for name in offered)
