"""The floors of `derl/`: which folder may import from which, read from the source without running it."""

import ast
from pathlib import Path

FLOOR = {"mdp": 1, "deployment": 2, "estimation": 3, "theory": 4, "algorithms": 5, "claims": 6, "experiments": 6,
         "show": 7, "cli": 8}


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
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            found += [f"{where}:{node.lineno}: {problem}" for problem in _problems(node, room, where)]
    return found


def _problems(node: ast.AST, room: str, where: Path) -> list[str]:
    problems = []
    if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
        problems.append("star import")
    for name in _names(node):
        if not name.isascii():
            problems.append(f"identifier {name} is not ASCII")
    if room != "__init__":  # the package's own front door may open on every floor
        for target in _rooms_imported(node, where):
            if target != room and FLOOR.get(target, 99) >= FLOOR[room]:
                problems.append(f"{room} (floor {FLOOR[room]}) imports {target} (floor {FLOOR.get(target, '?')})")
    return problems


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Name):
        return [node.id]
    return [node.arg] if isinstance(node, ast.arg) else []


def _rooms_imported(node: ast.AST, where: Path) -> list[str]:
    """First folder below `derl` of everything that an import, or an attribute of `derl`, reaches."""
    if isinstance(node, ast.Import):
        dotted = [alias.name.split(".") for alias in node.names]
        return [parts[1] for parts in dotted if parts[0] == "derl" and len(parts) > 1]
    if isinstance(node, ast.ImportFrom):
        base = node.module.split(".") if node.module else []
        if node.level:
            base = ["derl", *where.parts[:-1][: len(where.parts) - node.level], *base]
        if base[:1] != ["derl"]:
            return []
        return [base[1]] if len(base) > 1 else [_home(alias.name) for alias in node.names]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "derl":
        return [node.attr] if node.attr in FLOOR else []
    return []


def _home(name: str) -> str:
    """`from derl import name`: a folder by its own name; anything else came through the front door."""
    return name if name in FLOOR else "__init__"
