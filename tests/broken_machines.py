"""Machines on which something is missing, broken or short, and what `derl verify` says on them.

`python tests/broken_machines.py [ID ...]` runs the quick tier, or some statements, on each and prints every word that
is neither that of the sound machine nor "not checked". A machine is made of environment variables, of packages that
cannot be found or whose import fails, and of limits of the process.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINE = re.compile(r"(ok |NOT) (?P<word>.{15}) .{16} (?P<key>\S+) +[\d.]+ s")
HIDE = """
import os, sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in os.environ["HIDDEN"].split():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
"""
ALONE = """
import threading
def refused(*what):
    raise BlockingIOError(11, "Resource temporarily unavailable")
def no_thread(self):
    raise RuntimeError("can't start new thread")
os.fork, threading.Thread.start = refused, no_thread
"""


@dataclass(frozen=True)
class Machine:
    """What a machine lacks.

    Attributes
    ----------
    settings : dict
        Environment variables.
    missing : tuple of str
        Packages that are not installed.
    broken : dict
        Package -> the statement that its import runs into.
    limits : dict
        Of `resource`: name -> limit.
    code : str
        What runs before everything else: for what a limit cannot do to the superuser.
    """

    settings: dict | None = None
    missing: tuple[str, ...] = ()
    broken: dict | None = None
    limits: dict | None = None
    code: str = ""

    def run(self, *words: str, folder: Path, command=(sys.executable, "-m", "derl")) -> subprocess.CompletedProcess:
        """Run a command of derl there; `folder` is an empty one for what the machine is made of."""
        (folder / "sitecustomize.py").write_text(HIDE + self.code, encoding="utf-8")
        for name, statement in (self.broken or {}).items():
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text(f"{statement}\n", encoding="utf-8")
        return subprocess.run([*command, *words], capture_output=True, text=True, check=False, cwd=ROOT, env={
            **os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), "HIDDEN": " ".join(self.missing),
            "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", **(self.settings or {})},
            preexec_fn=self._restrict)

    def _restrict(self) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        for name, limit in (self.limits or {}).items():
            resource.setrlimit(getattr(resource, name), (limit, limit))


NO_CACHE = {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/nonexistent", "NUMBA_CACHE_DIR": "/dev/null/cache",
            "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
MACHINES = {
    "no cache can be written": Machine(NO_CACHE),
    "no extra is installed": Machine(missing=("numba", "cvxpy", "clarabel", "flint", "gymnasium", "dask",
                                              "distributed", "pyarrow", "matplotlib", "ipywidgets", "jupyterlab",
                                              "jupyter_book")),
    "no further process or thread": Machine(code=ALONE),
    "little memory": Machine(limits={"RLIMIT_AS": 900 * 2**20}),
    "numba does not suit this numpy": Machine(broken={"numba": "raise ImportError('Numba needs NumPy 1.0 or less')"}),
    "the compiler's library cannot be loaded": Machine(broken={"llvmlite": "raise OSError('libllvmlite.so: no file')"}),
    "cvxpy and gymnasium are not installed": Machine(missing=("cvxpy", "clarabel", "gymnasium")),
    "the solver is broken": Machine(broken={"clarabel": "raise OSError('clarabel.so: undefined symbol')"}),
    "flint is broken": Machine(broken={"flint": "raise ImportError('libflint.so.20: cannot open shared object file')"}),
    "files may not grow, and there is no folder for temporary ones": Machine(
        NO_CACHE | {"TMPDIR": "/dev/null", "NUMBA_CACHE_LOCATOR_CLASSES": ""}, limits={"RLIMIT_FSIZE": 0}),
    "a plain locale, no git, no home": Machine({"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PATH": "", "HOME": ""}),
}
SOUND = Machine()


def words(done: subprocess.CompletedProcess) -> dict[str, str]:
    """Statement -> word, as `derl verify` has printed them."""
    return {found["key"]: found["word"].strip() for line in done.stdout.splitlines() if (found := LINE.fullmatch(line))}


def wrong(sound: dict[str, str], found: dict[str, str], complaints: str) -> list[str]:
    """What a machine says that it must not: a word of its own, "not checked" without a reason, or nothing."""
    faults = [f"{key} is {found.get(key, 'absent')}, soundly {word}" for key, word in sound.items()
              if found.get(key) not in (word, "not checked")]
    return faults + [f"{key} is not checked, without a reason" for key, word in found.items()
                     if word == "not checked" != sound[key]
                     and not re.search(rf"^derl: {key} is not checked, expected [\w-]+: \S", complaints, re.MULTILINE)]


if __name__ == "__main__":
    ids = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        Path(home, "sound").mkdir()
        reference = words(SOUND.run("verify", *ids, folder=Path(home, "sound")))
        print(f"{len(reference)} statements", flush=True)
        for number, (machine, what) in enumerate(MACHINES.items()):
            Path(home, str(number)).mkdir()
            ended = what.run("verify", *ids, folder=Path(home, str(number)))
            said = words(ended)
            silent = sum(said.get(key) == "not checked" != word for key, word in reference.items())
            print(f"{machine}: status {ended.returncode}, {silent} not checked", flush=True)
            for fault in wrong(reference, said, ended.stderr):
                print("   ", fault, flush=True)
            if len(said) < len(reference):
                print(ended.stderr[-800:])
