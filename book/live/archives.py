"""The files that Python finds in the page: the library, the fonts of figures, and derl with what it imports."""

from __future__ import annotations

import gzip
import importlib.util
import io
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

from material import ROOT

DATE = (2026, 1, 1, 0, 0, 0)
PACKAGES = ("derl", "click", "pylatexenc")  # what the library does not have
GUEST = Path(__file__).with_name("guest")
LEFT_OUT = frozenset("""pandas sklearn statsmodels reportlab networkx narwhals pypdf seaborn openpyxl xlsxwriter patsy
    jinja2 profiling tzdata formulaic html5lib bs4 lxml xlrd more_itertools attr attrs soupsieve wrapt toolz tlz joblib
    charset_normalizer regex markupsafe et_xmlfile interface_meta xmltodict tabulate webencodings defusedxml cloudpickle
    tomli_w idlelib _pyrepl pydoc_data turtledemo ensurepip venv sqlite3 wsgiref tkinter curses dbm turtle
    pdb""".split())
UNUSED = re.compile(
    r"(?!numpy/testing).*(^|/)(tests?|benchmarks|testing/data|sample_data)/"
    r"|.*mpl-data\.zip$"
    r"|fontTools/(feaLib|ufoLib|designspaceLib|mtiLib|voltLib|merge|svgLib|pens/(cairo|qt|quartz|reportLab|freetype|svg|wx))"
    r"|sympy/(parsing/(latex|autolev)/|utilities/mathml/data)"
    r"|matplotlib/backends/.*backend_(gtk|qt|wx|tk|macosx|webagg|nbagg|cairo|pdf|ps|pgf)")
FONTS = re.compile(r"(?!.*(sample_data|images/|afm|pdfcorefonts|stylelib))"
                   r"(?!.*\.ttf$)|.*(DejaVuSans(-Bold|-Oblique|-BoldOblique|Mono|Display)?|DejaVuSerif|cmsy10|LastResort[\w-]*)\.ttf$")


def library(source: Path, to: Path) -> None:
    """The zip of the library without what no page uses; a file that is not imported is never read."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for entry in old.infolist():
            name = entry.filename
            if name.split("/")[0].removesuffix(".pyc") not in LEFT_OUT and not UNUSED.match(name):
                kept = zipfile.ZipInfo(name, DATE)
                kept.external_attr = entry.external_attr
                new.writestr(kept, old.read(entry), zipfile.ZIP_DEFLATED, 9)


def fonts(source: Path, to: Path) -> None:
    """The data of matplotlib that a figure needs."""
    with zipfile.ZipFile(source) as outer, zipfile.ZipFile(io.BytesIO(outer.read("matplotlib/mpl-data.zip"))) as data:
        for name in data.namelist():
            if not name.endswith("/") and FONTS.match(name):
                target = to / name.removeprefix("matplotlib/").removeprefix("mpl-data/")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data.read(name))


def book(to: Path) -> None:
    """derl as it is here, and the packages that it imports, as sources."""
    shutil.copytree(GUEST, to)
    for package in PACKAGES:
        found = ROOT / package if package == "derl" else Path(importlib.util.find_spec(package).origin).parent
        shutil.copytree(found, to / package, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))


def packed(folder: Path) -> bytes:
    """A folder as .tar.gz, the same for the same files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                entry = tarfile.TarInfo(file.relative_to(folder).as_posix())
                entry.size = file.stat().st_size
                archive.addfile(entry, io.BytesIO(file.read_bytes()))
    return gzip.compress(out.getvalue(), 9, mtime=0)
