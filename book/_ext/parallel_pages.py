"""Pages are executed, read and written side by side.

Sphinx reads and writes them in processes of its own, on all cores; Jupyter Book has no option that says so.

myst-nb executes a page when Sphinx reads it, and a process that only reads would keep the others waiting. So every
page that is going to be read and that myst-nb's cache does not know is executed first, one kernel per core, and its
outputs are put into that cache. A page that fails, or finds no kernel, is left out of it: myst-nb then executes it
again and reports it with its traceback, as it does without this extension.

Python looks for cycles after every seven hundred objects, and trees of pages are millions of objects that are all still
needed: a third of what Sphinx costs. It looks less often here.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from forked_kernels import fork_server
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import create_nb_reader
from nbformat import NotebookNode
from sphinx.util import logging
from zmq import ZMQError

from derl.inputs.processes import cores

logger = logging.getLogger(__name__)
TRIES = 3
GARBAGE = 1_000_000  # objects between two looks for cycles
UNDECLARED = "sphinx_multitoc_numbering"  # numbers sections after all pages are read, and does not say that it is safe


def execute_pages(app, env, docnames) -> None:
    """Fill the cache of myst-nb for the pages about to be read."""
    config = env.mystnb_config
    if config.execution_mode != "cache":
        return
    cache = get_cache(config.execution_cache_path)
    waiting = {env.doc2path(name): notebook for name, notebook in notebooks(env, docnames) if unknown(cache, notebook)}
    for path, result in results(waiting, config.execution_timeout):
        if result is not None and result.err is None:
            logger.info("Executed notebook %s in %.1f s", os.path.relpath(path, app.srcdir), result.time)
            cache.cache_notebook_bundle(CacheBundleIn(result.nb, path, data={"execution_seconds": result.time}),
                                        check_validity=False, overwrite=True)
        else:
            app.parallel = 1  # what is said of an error is lost where another process reads the page


def results(waiting: dict[str, NotebookNode], timeout: int) -> Iterator[tuple]:
    """Path and result of every page, in the order in which they end."""
    if not waiting:
        return
    with fork_server(len(waiting)):
        pool = ThreadPoolExecutor(cores())  # a thread only waits for its kernel
        try:
            runs = {pool.submit(executed, notebook, str(Path(path).parent), timeout): path
                    for path, notebook in sorted(waiting.items(), key=lambda item: work(item[1]), reverse=True)}
            for run in as_completed(runs):
                yield runs[run], run.result()
        finally:
            pool.shutdown(cancel_futures=True)


def executed(notebook, folder: str, timeout: int):
    """One notebook in a kernel of its own; None where no kernel comes up.

    Two kernels that start at the same moment may choose the same port, and then one of them dies before it has said a
    word. That has nothing to do with the page: it is tried again.
    """
    for _ in range(TRIES):
        try:
            return single_nb_execution(notebook, cwd=folder, timeout=timeout, allow_errors=False)
        except (RuntimeError, ZMQError) as error:  # an error in a cell is no exception here, but part of the result
            logger.info("A kernel did not start (%s)", " ".join(str(error).split())[:200])
    return None


def notebooks(env, docnames) -> Iterator[tuple[str, NotebookNode]]:
    """The pages that have code cells, as myst-nb reads them."""
    for name in docnames:
        text = Path(env.doc2path(name)).read_text(encoding="utf-8")
        reader = create_nb_reader(env.doc2path(name), env.myst_config, env.mystnb_config, text)
        if reader is not None:
            yield name, reader.read(text)


def unknown(cache, notebook) -> bool:
    try:
        cache.match_cache_notebook(notebook)
    except KeyError:
        return True
    return False


def work(notebook) -> tuple[int, int]:
    """What makes a page long: cells with the tag "slow", then its code. The longest begin, so that none ends alone."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return sum("slow" in cell.metadata.get("tags", ()) for cell in cells), sum(len(cell.source) for cell in cells)


def use_all_cores(app) -> None:
    """Twice as many parts as cores: they differ in length, and the longest should not work alone at the end."""
    app.parallel = max(app.parallel, 2 * cores())
    if UNDECLARED in app.extensions:
        app.extensions[UNDECLARED].parallel_read_safe = True


def look_less_often_for_cycles(app) -> None:
    """Until the end of the build, which is that of the process; those that read and write pages inherit it."""
    before = gc.get_threshold()
    gc.set_threshold(GARBAGE)
    app.connect("build-finished", lambda *_: gc.set_threshold(*before))


def setup(app):
    app.connect("builder-inited", look_less_often_for_cycles)
    app.connect("builder-inited", use_all_cores)
    app.connect("env-before-read-docs", execute_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
