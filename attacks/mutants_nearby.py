"""What speaks of a file of derl/: the tests that mirror it or name what it defines, the statements that rest on it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from mutants_table import Mutant

TESTED = ("inputs", "mdp", "deployment", "estimation", "theory", "algorithms", "ledger", "claims", "certificates",
          "experiments", "cli", "show", "troubled_paper", "second_paper")  # neither book nor browser
NAMING = 6  # of the files that name what a file defines, so many are tried
LONG = ("tests/inputs/test_faults.py", "tests/experiments/test_cluster.py")  # kills and clusters, minutes each


def module_of(file: str | Path) -> str:
    return str(file).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def imports(root: Path) -> dict[str, frozenset[str]]:
    """Module of derl -> the modules of derl that its text imports; a package stands for all its modules."""
    texts = {module_of(path.relative_to(root)): path.read_text(encoding="utf-8")
             for path in sorted((root / "derl").rglob("*.py"))}
    found = {}
    for name, text in texts.items():
        wanted = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                wanted |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
        found[name] = frozenset(wanted & texts.keys())
    return found


@cache
def statements(root: Path) -> dict[str, tuple[str, ...]]:
    """Module of derl.claims -> ids of the statements that it checks."""
    return {module_of(path.relative_to(root)): tuple(dict.fromkeys(re.findall(
        r"^@check\(\s*\"([a-z0-9-]+)\"", path.read_text(encoding="utf-8"), re.MULTILINE)))
        for path in sorted((root / "derl" / "claims").rglob("*.py"))}


def of_line(root: Path, file: str, line: int) -> list[str]:
    """Statements of the check around this line; of the check whose control stands here, or plants what is made here."""
    body = ast.parse((root / file).read_text(encoding="utf-8")).body
    here = next((node for node in body if node.lineno <= line <= node.end_lineno), None)
    found = _checked(here) if isinstance(here, ast.FunctionDef) else []
    controls = [node for node in body if isinstance(node, ast.Expr)]
    around = [here] if here in controls else [
        node for node in controls if not found and isinstance(here, ast.FunctionDef) and here.name in _names(node)]
    named = [name for node in around for name in _names(node)]
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    for name in named:
        if name not in functions:
            functions |= _imported(root, body, name)
        found += _checked(functions[name]) if name in functions else []
    return list(dict.fromkeys(found))


def _names(node: ast.AST) -> list[str]:
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]


def _checked(function: ast.FunctionDef) -> list[str]:
    """The statements that the decorators of a function name."""
    return [call.args[0].value for call in function.decorator_list
            if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)]


def _imported(root: Path, body: list[ast.stmt], name: str) -> dict[str, ast.FunctionDef]:
    """The function that a name stands for, where it is imported from derl.claims."""
    for node in body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("derl.claims.") and name in {
                alias.name for alias in node.names}:
            path = root / f"{node.module.replace('.', '/')}.py"
            tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([])
            return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name}
    return {}


def nearby(root: Path, file: str) -> list[str]:
    """Statements whose checks import the file, the nearest first; then those of its chapter."""
    graph, known = imports(root), statements(root)
    reached, seen = [module_of(file)], {module_of(file)}
    for name in reached:  # grows while it is read
        above = sorted(other for other, used in graph.items() if name in used and other not in seen)
        if not name.startswith("derl.claims.") or name == module_of(file):
            reached += above
            seen |= set(above)
    chapter = f"derl.claims.{Path(file).parts[2]}." if len(Path(file).parts) > 3 else "no chapter"
    modules = [*reached, *(name for name in known if name.startswith(chapter))]
    return list(dict.fromkeys(key for name in modules for key in known.get(name, ())))


@cache
def words_of_tests(root: Path) -> dict[str, frozenset[str]]:
    """Test file -> every word in it."""
    return {str(path.relative_to(root)): frozenset(re.findall(r"\w+", path.read_text(encoding="utf-8")))
            for folder in TESTED for path in sorted((root / "tests" / folder).rglob("test_*.py"))
            if str(path.relative_to(root)) not in LONG}


def naming(root: Path, file: str) -> list[str]:
    """Test files that name what the file defines: those first that name much of what few others name."""
    words = words_of_tests(root)
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    often = Counter(word for found in words.values() for word in found & defined)
    weights = {test: sum(1 / often[word] for word in found & defined) for test, found in words.items()}
    return sorted((test for test, weight in weights.items() if weight), key=lambda test: -weights[test])[:NAMING]


def mirrored(root: Path, file: str) -> list[str]:
    """Test files in the folder that mirrors the file's, those with its name first."""
    path = Path(file)
    folder = root / "tests" / Path(*path.parts[1:-1])
    found = sorted(folder.glob("test_*.py")) if len(path.parts) > 3 or folder.name != "claims" else []
    if path.parts[1] == "theory":
        found += sorted((root / "tests" / "claims" / path.parts[2]).glob("test_*.py"))
    words = set(path.stem.split("_"))
    found.sort(key=lambda test: -len(words & set(test.stem.split("_"))))
    return [str(test.relative_to(root)) for test in found]


def stages(root: Path, mutant: Mutant, line: int, nearest: int | None = None) -> list[list[str]]:
    """Commands in the order in which they are tried, with at most so many statements that only lie near the file."""
    hits = mutant.hits.split()
    tests = [hit for hit in hits if hit.startswith("tests/")]
    ids = [hit for hit in hits if hit not in tests]
    if mutant.file.startswith("derl/claims/"):
        ids += [key for key in of_line(root, mutant.file, line) if key not in ids]
    further = [key for key in nearby(root, mutant.file) if key not in ids][:nearest]
    named = naming(root, mutant.file)
    mirror = [test for test in mirrored(root, mutant.file) if test not in named]
    tried = (("tests", tests), ("statements", ids), ("tests", named), ("tests", mirror), ("statements", further))
    return [[kind, *names] for kind, names in tried if names]
