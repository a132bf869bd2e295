"""What a process and those that it starts look for in a folder, seen by Python's audit events and by os.stat.

The folder has files that would run code or stop the process, if libraries read them.
"""

import os
from pathlib import Path

HOOK = """
import os, sys
seen, held = [], []
def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str) and not held:
        seen.append(os.path.join(os.getcwd(), arguments[0]))
sys.addaudithook(note)
for name in ("stat", "lstat"):
    def asked(path, *more, _real=getattr(os, name), **options):
        if isinstance(path, str) and options.get("dir_fd") is None:
            seen.append(os.path.join(os.getcwd(), path))
        return _real(path, *more, **options)
    setattr(os, name, asked)
def opened(*what, _real=os.open, **options):
    if options.get("dir_fd") is None:
        return _real(*what, **options)
    held.append(what)  # a name within a folder that is held is no name in the current one
    try:
        return _real(*what, **options)
    finally:
        held.pop()
os.open = opened
for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
    able.update({os.open, os.stat, os.lstat} if able is not os.supports_fd else {os.stat})
import atexit
def tell():
    with open(os.environ["SEEN"], "a") as stream:
        stream.writelines(f"{path}\\n" for path in seen)
atexit.register(tell)
"""


class Watched:
    """Two folders below `parent`: `here`, in which processes begin, and one with the hook that tells what they do.

    Attributes
    ----------
    here : Path
    settings : dict
        Variables for the processes.
    """

    def __init__(self, parent: Path, root: Path):
        hooks, self.here, self._seen = parent / "hooks", parent / "here", parent / "seen"
        hooks.mkdir()
        self.here.mkdir()
        (hooks / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
        (self.here / ".numba_config.yaml").write_text("cache_dir: cache\ndisable_jit: 1\ndump_bytecode: 1\n",
                                                      encoding="utf-8")
        os.mkfifo(self.here / "matplotlibrc")
        self.settings = {"PYTHONPATH": f"{hooks}{os.pathsep}{root}", "SEEN": str(self._seen), "PYTHONSAFEPATH": "1"}

    def names(self) -> set[str]:
        """Names in `here` that processes which have ended looked for; no parts of its own path."""
        looked = set(self._seen.read_text(encoding="utf-8").splitlines())
        names = {Path(path).name for path in looked if Path(path).parent == self.here}
        names = {name for name in names if not name.endswith("__path_hook__")}  # of an editable install; never a file
        return names - set(self.here.parts)
