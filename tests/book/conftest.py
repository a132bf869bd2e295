"""The built book, and a small book of made-up statements on which the extensions are tried."""

import io
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "sample_paper"
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(SAMPLE.parent)]  # the extensions, and the sample by its name


@pytest.fixture(scope="session")
def html() -> Path:
    """Folder of the built book."""
    folder = ROOT / "_build" / "html"
    assert (ROOT / "_build" / ".html").exists() and (folder / "index.html").exists(), "run `make book` first"
    return folder


@dataclass
class Built:
    """A small book after its build."""

    folder: Path
    warnings: str

    def page(self, name: str) -> str:
        return (self.folder / "html" / f"{name}.html").read_text(encoding="utf-8")


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Build pages (name -> MyST text) with the extensions, on the statements and the ledger of the sample."""
    monkeypatch.delenv("REPOSITORY", raising=False)  # which `make` hands on

    def run(pages: dict[str, str], ledger: str | None = None, paper: str = "sample_paper", processes: int = 1,
            fresh: bool = True, **more) -> Built:
        source = tmp_path / "source"
        shutil.copytree(SAMPLE, source, dirs_exist_ok=True)
        if ledger is not None:
            (source / "ledger.json").write_text(ledger, encoding="utf-8")
        toc = "\n".join(name for name in pages if name != "index")
        pages = {"index": f"# Index\n\n```{{toctree}}\n{toc}\n```\n"} | pages
        for name, text in pages.items():
            file = source / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            if fresh or not file.is_file() or file.read_text(encoding="utf-8") != text:
                file.write_text(text, encoding="utf-8")
        settings = {"extensions": ["myst_parser", "claims_domain", "page_assets", "code_pages", "finding",
                                   "symbols"],
                    "claims_paper": paper,
                    "claims_ledger": "ledger.json", "claims_origin": False, "claims_command": "derl verify",
                    "myst_enable_extensions": ["dollarmath", "attrs_inline", "deflist"],
                    "myst_dmath_double_inline": True, "html_theme": "basic",
                    "suppress_warnings": ["config.cache"]} | more
        warnings = io.StringIO()
        with patch_docutils(), docutils_namespace():
            app = Sphinx(source, None, tmp_path / "html", tmp_path / "doctrees", "html", settings, status=io.StringIO(),
                         warning=warnings, freshenv=fresh, parallel=processes)
            app.build(force_all=fresh)
        return Built(tmp_path, warnings.getvalue())

    return run
