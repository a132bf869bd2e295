"""Modules of checks, compiled with calls added to their code: what `cases.py` counts and `computed.py` records."""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys

PACKAGE = "derl.claims."


def call(name: str, node: ast.expr) -> ast.Call:
    """`node` as the argument of a function that the module is given, at the place of `node`."""
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), node), [node], []), node)


class Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module after `change`, past every cached byte code, with `given` among its names."""

    def __init__(self, name: str, path: str, change: type[ast.NodeTransformer], given: dict):
        super().__init__(name, path)
        self.change, self.given = change, given

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        tree = ast.fix_missing_locations(self.change().visit(ast.parse(self.get_data(path))))
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module):
        vars(module).update(self.given)
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of checks as the path does, and hands them to `Loader`."""

    def __init__(self, change: type[ast.NodeTransformer], given: dict):
        self.change, self.given = change, given

    def find_spec(self, name, path=None, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path) if name.startswith(PACKAGE) else None
        if spec and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(spec.loader.name, spec.loader.path, self.change, self.given)
        return spec


def install(change: type[ast.NodeTransformer], **given) -> None:
    """From now on modules of checks are imported with the change."""
    sys.meta_path.insert(0, Finder(change, given))
