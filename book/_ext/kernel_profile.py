"""The kernels of the build use a profile of their own: figures are SVG, drawn for two widths, and nobody's private
settings reach a page.

Each kernel computes on one core, because as many kernels as there are cores run side by side.
"""

import os
from pathlib import Path

PROFILE = """\
c.InlineBackend.figure_formats = {"svg"}
c.InlineBackend.print_figure_kwargs = {"bbox_inches": None, "metadata": {"Date": None},
                                       "backend": "module://derl.show.drawing.two_widths"}
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = 40
"""
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def write_profile(app, config):
    folder = Path(app.outdir).parent / ".ipython"
    (folder / "profile_default").mkdir(parents=True, exist_ok=True)
    (folder / "profile_default" / "ipython_kernel_config.py").write_text(PROFILE, encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(folder)
    os.environ |= dict.fromkeys(THREADS, "1")


def setup(app):
    app.connect("config-inited", write_profile)
    return {"version": "1", "parallel_read_safe": True}
