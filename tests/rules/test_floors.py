"""A floor of `derl/` imports only from the floors below it; a chapter has one name in all folders."""

import ast
import sys

from rules import ROOT, tracked

from derl.claims import CHAPTERS

PACKAGE = ROOT / "derl"
FLOOR = {"inputs": 0, "certificates": 0, "exact": 0, "printed": 0, "judge": 0, "ledger": 0,
         "mdp": 1, "deployment": 2, "estimation": 3,
         "theory": 4, "algorithms": 5, "experiments": 6, "claims": 6, "show": 7, "live": 9, "cli": 8, "__main__": 9,
         "instances": 2, "planning": 2}  # the last two are public names of modules of derl.mdp
# a verdict rests on exact, printed and judge: they import nothing else of derl
BESIDE = {("printed", "exact"), ("judge", "exact"), ("judge", "printed"), ("inputs", "exact"), ("ledger", "exact"),
          ("ledger", "printed"), ("ledger", "judge"), ("ledger", "inputs"), ("claims", "experiments")}
TREES = {"derl/claims": (), "derl/theory": (), "derl/show": ("drawing", "labs"),
         "book": ("back", "background", "evidence", "live"), "tests/claims": (), "tests/theory": (),
         "tests/show": ("drawing",)}  # tree -> folders in it that are no chapters


def imported(source: str, package: list[str]):
    """Dotted names that a module imports, at its top or in a function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*package[:len(package) + 1 - node.level if node.level else 0], *filter(None, [node.module])]
            yield from (".".join([*base, alias.name]) for alias in node.names)


def upward(room: str, name: str) -> bool:
    """Whether a module of a floor may not import a name."""
    first, target, *below = [*name.split("."), "", ""]
    if room == "certificates":
        return first not in sys.stdlib_module_names
    if first != "derl" or not target or target == room or room == "__init__" or (room, target) in BESIDE:
        return False
    chapter = target == "claims" and below[0] in CHAPTERS and room != "claims"  # checks are no library
    return chapter or FLOOR.get(target, 99) >= FLOOR[room]


def test_every_import_goes_down():
    found = []
    for path in PACKAGE.rglob("*.py"):
        where = path.relative_to(PACKAGE)
        room = where.parts[0].removesuffix(".py")
        found += [f"{where} imports {name}" for name in imported(path.read_text(encoding="utf-8"),
                                                                  ["derl", *where.parts[:-1]]) if upward(room, name)]
    assert found == []
    assert upward("judge", "derl.inputs.files") and upward("exact", "derl.printed") and upward("printed", "derl.judge")
    assert upward("mdp", "derl.theory.constants") and upward("show", "derl.claims.safety.drops")
    assert list(imported("from ..show import style", ["derl", "theory"])) == ["derl.show.style"]


def test_folders_are_called_after_chapters():
    files = [path.relative_to(ROOT).as_posix() for path in tracked()]
    for tree, others in TREES.items():
        here = {name.removeprefix(f"{tree}/").split("/")[0] for name in files
                if name.startswith(f"{tree}/") and name.count("/") > tree.count("/") + 1}
        known = {chapter.replace("_", "-") if tree == "book" else chapter for chapter in CHAPTERS}
        assert {name for name in here - known - set(others) if not name.startswith("_")} == set(), tree
