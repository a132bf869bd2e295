"""The floors of `derl/`: which folder may import from which, read from the source without running it."""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from derl.claims import CHAPTERS

FLOOR = {"inputs": 0, "certificates": 0, "printed": 0, "ledger": 0,
         "mdp": 1, "deployment": 2, "estimation": 3, "theory": 4,
         "algorithms": 5, "experiments": 6, "claims": 6, "show": 7, "cli": 8, "__main__": 9,
         "instances": 2, "planning": 2}  # the last two are public names of modules of derl.mdp
# the only arrows on one floor
BESIDE = {("printed", "inputs"), ("ledger", "inputs"), ("ledger", "printed"), ("claims", "experiments")}
ALONE = ("certificates",)  # the standard library and nothing else
LOOKED_AT = (ast.Import, ast.ImportFrom, ast.Attribute, ast.Name, ast.arg, ast.FunctionDef, ast.AsyncFunctionDef,
             ast.ClassDef)
LONGEST = 500


def violations(package: Path) -> list[str]:
    """Everything in the tree under `package` that breaks a rule of the house, one line each."""
    found = []
    for path in sorted(package.rglob("*.py")):
        where = path.relative_to(package)
        room = where.parts[0].removesuffix(".py")
        if room != "__init__" and room not in FLOOR:
            found.append(f"{where}: {room} stands on no floor")
            continue
        if path.stem in ("utils", "helpers", "misc"):
            found.append(f"{where}: a module is named after what it is about")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, LOOKED_AT):
                found += [f"{where}:{node.lineno}: {problem}" for problem in _problems(node, room, where)]
    return found


def too_long(package: Path) -> list[str]:
    """Modules with more lines than one idea needs."""
    lines = {path.relative_to(package): path.read_text(encoding="utf-8").count("\n")
             for path in sorted(package.rglob("*.py"))}
    return [f"{where} has {count} lines, more than {LONGEST}" for where, count in lines.items()
            if count > LONGEST]


def circles(package: Path) -> list[str]:
    """Modules that import each other, directly or not: "a -> b -> a".

    An import within a function counts; one that is there for types alone does not, since it is never run.
    """
    graph = _imports(package)
    found = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = [*reversed(error.args[1])]
            found.append(" -> ".join(circle))
            graph[circle[0]].discard(circle[1])
        else:
            return found


def _imports(package: Path) -> dict[str, set[str]]:
    """Module -> the modules of the package that it names in an import; that of a function is one of its module."""
    homes = {path: [package.name, *path.relative_to(package).with_suffix("").parts]
             for path in sorted(package.rglob("*.py"))}
    known = {".".join(home).removesuffix(".__init__"): path for path, home in homes.items()}
    graph: dict[str, set[str]] = {name: set() for name in known}
    for name, path in known.items():
        for node in _run(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                above = homes[path][:-node.level] if node.level else []
                base = ".".join([*above, *filter(None, [node.module])])
                graph[name] |= {other if (other := f"{base}.{alias.name}") in known else base for alias in node.names}
        graph[name] &= known.keys() - {name}
    return graph


def _run(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those below `if TYPE_CHECKING:`."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            for other in child.orelse:
                yield from _run(other)
        else:
            yield from _run(child)


def shadowed(package: Path) -> list[str]:
    """Modules that their own package hides behind a function or class of the same name."""
    found = []
    for door in sorted(package.rglob("__init__.py")):
        folder = door.parent
        rooms = {path.stem for path in (*folder.glob("*.py"), *folder.iterdir()) if path.name != "__init__.py"}
        home = ".".join([package.name, *folder.relative_to(package).parts])
        bound = {name for node in ast.parse(door.read_text(encoding="utf-8")).body for name in _bound(node, home)}
        found += [f"{door.relative_to(package)} hides its module {name}" for name in sorted(bound & rooms)]
    return found


def _bound(node: ast.stmt, home: str) -> list[str]:
    """Names that a statement binds to something else than a module of the package `home`."""
    if isinstance(node, ast.ImportFrom) and not (node.module == home and not node.level):
        return [alias.asname or alias.name for alias in node.names]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []


def _problems(node: ast.AST, room: str, where: Path) -> list[str]:
    problems = []
    if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
        problems.append("star import")
    for name in _names(node):
        if not name.isascii():
            problems.append(f"identifier {name} is not ASCII")
    if room in ALONE:
        problems += [f"{room} imports {name}, which is not in the standard library" for name in _packages(node)
                     if name not in sys.stdlib_module_names]
    elif room != "__init__":  # the package's own front door may open on every floor
        for path in _imported(node, where):
            target = path.split(".")[0]
            above = FLOOR.get(target, 99) >= FLOOR[room]
            if target != room and above and (room, target) not in BESIDE:
                problems.append(f"{room} (floor {FLOOR[room]}) imports {target} (floor {FLOOR.get(target, '?')})")
            if room != "claims" and target == "claims" and path.split(".")[1:2] and path.split(".")[1] in CHAPTERS:
                problems.append(f"{room} imports {path}: checks are no library; a kernel stands in theory")
    return problems


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Name):
        return [node.id]
    return [node.arg] if isinstance(node, ast.arg) else []


def _packages(node: ast.AST) -> list[str]:
    """First word of everything that is imported; a relative import is one of derl."""
    if isinstance(node, ast.Import):
        return [alias.name.split(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["derl" if node.level else node.module.split(".")[0]]
    return []


def _imported(node: ast.AST, where: Path) -> Iterator[str]:
    """Dotted path below `derl` of everything that an import, or an attribute of `derl`, reaches."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.startswith("derl."):
                yield alias.name.removeprefix("derl.")
    elif isinstance(node, ast.ImportFrom):
        base = node.module.split(".") if node.module else []
        if node.level:
            base = ["derl", *where.parts[:-1][: len(where.parts) - node.level], *base]
        if base[:1] == ["derl"]:
            for alias in node.names:
                yield ".".join([*base[1:], alias.name]) if len(base) > 1 else _home(alias.name)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "derl":
        if node.attr in FLOOR:
            yield node.attr


def _home(name: str) -> str:
    """`from derl import name`: a folder by its own name; anything else came through the front door."""
    return name if name in FLOOR else "__init__"
