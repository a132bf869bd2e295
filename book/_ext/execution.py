"""Pages are executed side by side, beside the checks, before Sphinx reads them; Sphinx uses all cores, too.

    python book/_ext/execution.py             execute the pages that the cache of myst-nb does not know
    python book/_ext/execution.py --ledger    then those that read the ledger: the first run leaves them out

The cache lies in a folder that is named after a digest of `derl/`, of the locked packages and of the data that pages
read, so that a change of the module executes all pages anew. Each page runs in a process that is forked after the
imports, which are most of what a short page costs; figures become SVG. A page that fails is told with its traceback.
"""

from __future__ import annotations

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")  # a core each

import base64
import gc
import hashlib
import io
import multiprocessing
import shutil
import sys
import time
import traceback
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import nbformat.v4
import yaml
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from myst_nb.core.config import NbParserConfig
from myst_nb.core.read import create_nb_reader
from myst_parser.config.main import MdParserConfig

ROOT = Path(__file__).resolve().parents[2]
READ = ("derl/**/*", "requirements.lock", "book/*.py", "book/*/*.csv", "speed/*.json", "attacks/*.csv")
LEFT_OUT = {".pyc", ".nbi", ".nbc"}
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
UNDECLARED = "sphinx_multitoc_numbering"  # numbers sections after all pages are read, and does not say that it is safe
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}


class NeedsLedger(Exception):
    """A page asks for the ledger while the checks that write it still run."""


def cache_folder(root: Path) -> Path:
    """Where the outputs of this state of the module are kept; those of other states are removed."""
    files = sorted({path for pattern in READ for path in root.glob(pattern) if path.suffix not in LEFT_OUT
                    and path.is_file()})
    found = hashlib.sha256()
    for path in files:
        found.update(f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    caches = root / "_build" / ".jupyter_cache"
    own = caches / found.hexdigest()[:16]
    own.mkdir(parents=True, exist_ok=True)
    for other in caches.iterdir():
        if other != own:
            shutil.rmtree(other)
    return own


def pages(root: Path) -> dict[str, nbformat.NotebookNode]:
    """The pages of the table of contents that have code cells, as myst-nb reads them."""
    def named(entry):
        below = [page for key in ("parts", "chapters", "sections") for one in entry.get(key, ()) for page in named(one)]
        return [entry[key] for key in ("root", "file") if key in entry] + below

    found = {}
    for name in named(yaml.safe_load((root / "book" / "_toc.yml").read_text(encoding="utf-8"))):
        path = root / f"{name}.md"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        reader = create_nb_reader(str(path), MdParserConfig(), NbParserConfig(), text)
        if reader is not None:
            found[str(path)] = reader.read(text)
    return found


class Stream(io.TextIOBase):
    """What is printed, as outputs of the cell."""

    def __init__(self, name: str, outputs: list):
        self.name, self.outputs = name, outputs

    def write(self, text: str) -> int:
        last = self.outputs[-1] if self.outputs else {}
        if last.get("name") == self.name:
            last["text"] += text
        else:
            self.outputs.append({"output_type": "stream", "name": self.name, "text": text})
        return len(text)


def output(entry: dict, shown: bool) -> nbformat.NotebookNode:
    """One output: what was printed, displayed, or returned by the cell."""
    if "output_type" in entry:
        return nbformat.from_dict(entry)
    data = {kind: base64.b64encode(value).decode() if isinstance(value, bytes) else value
            for kind, value in entry["data"].items()}
    more = {"execution_count": 1} if shown else {}
    return nbformat.v4.new_output("execute_result" if shown else "display_data", data,
                                  metadata=entry.get("metadata") or {}, **more)


def executed(path: str, notebook, with_ledger: bool) -> tuple:
    """Path, the notebook with its outputs, seconds and what went wrong; in a process of its own."""
    from IPython.core.displayhook import CapturingDisplayHook
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    from derl.ledger import Ledger

    def refuse(*_):
        raise NeedsLedger
    if not with_ledger:
        Ledger.load = refuse
    start, outputs = time.monotonic(), []
    shell = InteractiveShell.instance(config=Config(
        HistoryManager={"enabled": False}, InlineBackend={
            "figure_formats": {"svg"}, "print_figure_kwargs": {"bbox_inches": "tight", "metadata": {"Date": None}}}))
    shell.enable_gui = lambda *_: None
    shell.enable_matplotlib("inline")
    shell.display_pub = CapturingDisplayPublisher()
    shell.display_trap.hook = CapturingDisplayHook(shell=shell, outputs=(returned := []))
    shell.display_pub.outputs, shell.showtraceback = outputs, lambda *_, **__: None
    stdout, stderr = Stream("stdout", outputs), Stream("stderr", outputs)
    with chdir(Path(path).parent), redirect_stdout(stdout), redirect_stderr(stderr):
        for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
            outputs.clear(), returned.clear()
            result = shell.run_cell(cell.source, store_history=False)
            error = result.error_before_exec or result.error_in_exec
            if isinstance(error, NeedsLedger):
                return path, None, 0, ""
            if error is not None:
                return path, None, 0, f"{cell.source}\n{''.join(traceback.format_exception(error))}"
            cell.outputs = [output(entry, False) for entry in outputs] + [output(entry, True) for entry in returned]
            cell.execution_count = 1
    notebook.metadata["language_info"] = LANGUAGE
    return path, notebook, time.monotonic() - start, ""


def execute(root: Path, with_ledger: bool) -> int:
    """Fill the cache; the longest pages begin, so that none ends alone."""
    cache = get_cache(cache_folder(root))
    waiting = {}
    if not with_ledger:
        for record in cache.list_cache_records():
            if record.data.get("ledger"):
                cache.remove_cache(record.pk)
    for path, notebook in pages(root).items():
        try:
            cache.match_cache_notebook(notebook)
        except KeyError:
            waiting[path] = notebook
    if len(waiting) > 4:
        preload()
    failed, order = 0, sorted(waiting, key=lambda path: -work(waiting[path]))
    with multiprocessing.get_context("fork").Pool(CORES, maxtasksperchild=1) as pool:
        runs = [pool.apply_async(executed, (path, waiting[path], with_ledger)) for path in order]
        for run in runs:
            path, notebook, seconds, problem = run.get()
            if problem:
                print(f"{os.path.relpath(path, root)}: a cell fails\n{problem}", file=sys.stderr)
                failed += 1
            elif notebook is not None:
                print(f"executed {os.path.relpath(path, root)} in {seconds:.1f} s", flush=True)
                cache.cache_notebook_bundle(CacheBundleIn(notebook, path, data={
                    "execution_seconds": seconds, "ledger": with_ledger}), check_validity=False, overwrite=True)
    return int(failed > 0)


def work(notebook) -> int:
    """What makes a page long: cells with the tag "slow", then its code."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return sum(100_000 * ("slow" in cell.metadata.get("tags", ())) + len(cell.source) for cell in cells)


def preload() -> None:
    """Import once what most pages import; names are not bound by that."""
    import pkgutil
    from importlib import import_module

    import derl.show

    for name in ("matplotlib.pyplot", "matplotlib.backends.backend_svg", "scipy.optimize", "scipy.stats", "sympy"):
        import_module(name)
    for module in pkgutil.walk_packages(derl.show.__path__, "derl.show."):
        if ".labs" not in module.name:
            import_module(module.name)
    import_module("derl.claims").PAPER.register()
    gc.freeze()


def configure(app, config) -> None:
    config.nb_execution_cache_path = str(cache_folder(Path(app.srcdir)))


def use_all_cores(app) -> None:
    """Jupyter Book has no option for it. Python looks for cycles less often: trees of pages are all still needed."""
    app.parallel = max(app.parallel, 2 * CORES)  # parts: they differ in length
    if UNDECLARED in app.extensions:
        app.extensions[UNDECLARED].parallel_read_safe = True
    gc.set_threshold(1_000_000)


def setup(app):
    app.connect("config-inited", configure)
    app.connect("builder-inited", use_all_cores)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    sys.exit(execute(ROOT, "--ledger" in sys.argv[1:]))
