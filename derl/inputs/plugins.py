"""Code of one's own: `path/to/file.py:name` names a function in a file that is no part of the package."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import types
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

from derl.exact import base
from derl.inputs import files
from derl.inputs.digests import below, versions
from derl.inputs.values import Invalid, shown

LARGEST = 10**6  # bytes of a file
WRITTEN = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)", re.ASCII)


class InvalidPlugin(Invalid):
    """A file or a function that cannot be loaded; the message is one line."""


def is_plugin(written) -> bool:
    """Whether a text has the form file.py:name."""
    return isinstance(written, str) and WRITTEN.fullmatch(written) is not None


def load(written: str) -> Callable:
    """The function that `file.py:name` names. The file is run: name only files that you trust.

    Raises
    ------
    InvalidPlugin
        The file is missing, is not Python, fails when it is run, or has no function of that name.
    """
    found = WRITTEN.fullmatch(written)
    path, name = Path(found["file"]), found["name"]
    source = files.read(path, LARGEST, InvalidPlugin)
    module = types.ModuleType(f"derl_plugin_{base.digest(source)[:16]}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(source, str(path), "exec"), vars(module))  # running the file is the purpose
    except Exception as error:  # the file may fail in any way
        raise InvalidPlugin(f"{path} fails when it is loaded: {type(error).__name__}: "
                            f"{' '.join(str(error).split())}") from error
    if not callable(getattr(module, name, None)):
        own = sorted(key for key, value in vars(module).items() if isinstance(value, types.FunctionType)
                     and value.__module__ == module.__name__)
        raise InvalidPlugin(f"{path} has no function {shown(name)}; it has {', '.join(own) or 'none'}")
    return getattr(module, name)


def imported(source: bytes) -> dict[str, str]:
    """What a file imports: name of a module -> version of its package, or the digest of its content without one.

    The standard library and derl itself are left out. Files that are imported are read in turn.
    """
    found, packages = {}, metadata.packages_distributions()
    waiting = [source]
    while waiting:
        for name in _names(waiting.pop()):
            if name in found or name in sys.stdlib_module_names or name == "derl":
                continue
            if name in packages:
                found[name] = str(versions(packages[name]))
                continue
            spec = importlib.util.find_spec(name)
            roots = [Path(place) for place in spec.submodule_search_locations or ()] if spec else []
            own = sorted(path for root in roots for path in below(root, "*.py"))
            if spec and spec.origin and spec.origin.endswith(".py") and not own:
                own = [Path(spec.origin)]
            sources = [path.read_bytes() for path in own]
            found[name] = base.digest([base.digest(one) for one in sources])
            waiting += sources
    return found


def _names(source: bytes) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
