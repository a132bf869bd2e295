"""The exercises for pencil and paper: each has a level, a hint, a solution, and a cell that computes it again.

A line of a cell that ends in `# the answer` is what the solution derives; the rest of the cell computes the same by
another way and compares. Every change of one number or one operation in such a line has to be noticed.
"""

import ast
import contextlib
import copy
import io
import re

import pytest
from rules import ROOT

from derl.claims import CHAPTERS

MARK = "# the answer"
EXERCISE = re.compile(r"^:::\{admonition\} Exercise (\d+) (★{1,3}): [^\n]+\n:class: exercise\n.*?^:::\n\n"
                      r":::\{dropdown\} Hint\n", re.MULTILINE | re.DOTALL)
SOLUTION = re.compile(r"^:::\{admonition\} Solution (\d+): [^\n]+\n:class: solution\n(.*?)^:::\n\n"
                      r"^```\{code-cell\} python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXTS = {chapter: (ROOT / "book" / chapter.replace("_", "-") / "exercises.md").read_text(encoding="utf-8")
         for chapter in CHAPTERS}
CELLS = {f"{chapter} {number}": code for chapter, text in TEXTS.items() for number, _, code in SOLUTION.findall(text)}
OPPOSITE = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.LtE: ast.Gt, ast.GtE: ast.Lt}


def run(code: str) -> None:
    """Run a cell; what it prints is left out."""
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "cell", "exec"), {})


def changes(code: str) -> list[str]:
    """The cell with one number raised by one, or one operation replaced, in a line with the answer."""
    lines = {i for i, line in enumerate(code.splitlines(), 1) if line.rstrip().endswith(MARK)}
    tree, changed = ast.parse(code), []
    for place, node in enumerate(ast.walk(tree)):
        if getattr(node, "lineno", None) not in lines:
            continue
        other = copy.deepcopy(tree)
        twin = list(ast.walk(other))[place]
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            twin.value += 1
        elif isinstance(node, ast.BinOp) and type(node.op) in OPPOSITE:
            twin.op = OPPOSITE[type(node.op)]()
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in OPPOSITE:
            twin.ops[0] = OPPOSITE[type(node.ops[0])]()
        else:
            continue
        changed.append(ast.unparse(ast.fix_missing_locations(other)))
    return changed


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_six_exercises_with_levels_hints_and_solutions(chapter):
    posed, solved = EXERCISE.findall(TEXTS[chapter]), SOLUTION.findall(TEXTS[chapter])
    numbers = [str(i) for i in range(1, len(posed) + 1)]
    assert len(posed) >= 6
    assert [number for number, _ in posed] == [number for number, *_ in solved] == numbers
    levels = [level for _, level in posed]
    assert levels == sorted(levels, key=len) and set(levels) == {"★", "★★", "★★★"}


@pytest.mark.parametrize("name", CELLS)
def test_a_solution_is_computed_again(name):
    run(CELLS[name])


@pytest.mark.parametrize("name", CELLS)
def test_a_wrong_solution_is_noticed(name):
    changed = changes(CELLS[name])
    assert changed
    for code in changed:
        with pytest.raises((AssertionError, ArithmeticError, ValueError, IndexError, StopIteration, RecursionError)):
            run(code)


def test_at_most_a_third_of_the_exercises_of_a_chapter_are_programs():
    for chapter, text in TEXTS.items():
        pages = [page.read_text(encoding="utf-8") for page in (ROOT / "book" / chapter.replace("_", "-")).glob("*.md")]
        programs = sum(page.count('code_prompt_show: "Solution"') for page in pages)
        paper = len(EXERCISE.findall(text)) + sum(page.count("{dropdown} Solution") for page in pages)
        print(chapter, programs, paper)
        assert programs <= (programs + paper) / 3, chapter
