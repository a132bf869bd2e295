"""How many assertions guard each part of the project, today and at an earlier commit.

    python attacks/assertions.py COMMIT [--fewer]

Counted are `assert` statements and expected exceptions (`pytest.raises`) in tests/, by folder and, with --fewer, every
file that has fewer of them than before. The count says nothing of parameters: one assertion may run for many.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]


def assertions(source: str) -> int:
    """Number of assertions and expected exceptions in a file."""
    return sum(isinstance(node, ast.Assert) or isinstance(node, ast.Attribute) and node.attr == "raises"
               for node in ast.walk(ast.parse(source)))


def today() -> Counter:
    return Counter({path.relative_to(ROOT).as_posix(): assertions(path.read_text(encoding="utf-8"))
                    for path in (ROOT / "tests").rglob("*.py")})


def then(commit: str) -> Counter:
    """The same of the files of a commit."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    names = [name for name in git("ls-tree", "-r", "--name-only", commit, "tests").splitlines() if name.endswith(".py")]
    return Counter({name: assertions(git("show", f"{commit}:{name}")) for name in names})


def folder(name: str) -> str:
    """Two levels: tests/theory, tests/book, tests."""
    return "/".join(PurePosixPath(name).parts[:-1][:2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="the earlier commit")
    parser.add_argument("--fewer", action="store_true", help="files that have fewer than before")
    options = parser.parse_args()
    before, now = then(options.commit), today()
    sums = [Counter(), Counter()]
    for total, files in zip(sums, (before, now), strict=True):
        for name, count in files.items():
            total[folder(name)] += count
    print(f"{'folder':24} {options.commit[:12]:>12} {'today':>7}")
    for name in sorted(sums[0].keys() | sums[1].keys()):
        print(f"{name:24} {sums[0][name]:12} {sums[1][name]:7}")
    print(f"{'together':24} {sums[0].total():12} {sums[1].total():7}")
    if options.fewer:
        fewer = [name for name in sorted(before) if now[name] < before[name]]
        print(*(f"{name}: {before[name]} -> {now[name]}" for name in fewer), sep="\n")


if __name__ == "__main__":
    main()
