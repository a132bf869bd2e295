"""Eleven words for everything: whoever knows the chapter knows the folder of its pages, checks, kernels and tests."""

import ast

import pytest
import rules
from trees import crowds, misplaced, strays

from derl.claims import CHAPTERS, PAPER

FILES = [path.relative_to(rules.ROOT).as_posix() for path in rules.tracked()]
PAGES = {key: (statement.chapter, statement.page) for key, statement in PAPER.statements.items()}
ELSEWHERE = {  # check -> why it stands in another chapter than its statement
    "derl.claims.analysis.evaluation.printed_accumulated_error_is_too_small":
        "the noisy chain on which the accumulated error is too small refutes and bounds the lemmas beside it",
    "derl.claims.analysis.every_constant.slopes_multiply":
        "one counterexample for two lemmas of the analysis and for Algorithm 6, which they are about",
    "derl.claims.analysis.every_constant.bounds_are_left": "the same counterexample, its bounds",
    "derl.claims.analysis.evaluation.entries_are_doubled": "the same identity carries Algorithm 6 and the lemmas on it",
    "derl.claims.analysis.inductions.overestimation_from_layer_to_layer":
        "one induction over layers for the lemmas of the analysis and for Algorithm 5, which they are about",
    "derl.claims.analysis.inductions.evaluation_from_layer_to_layer": "the same for Algorithm 6",
}


def test_the_six_trees_hold_to_the_one_list():
    assert strays(FILES, CHAPTERS) == []
    assert len(CHAPTERS) == 11 == len(set(CHAPTERS))


@pytest.mark.parametrize("name, complaint", [
    ("derl/claims/appendix/checks.py", "derl/claims/appendix is no chapter"),
    ("derl/theory/misc/a.py", "derl/theory/misc is no chapter"),
    ("derl/show/exact/a.py", "derl/show/exact is no chapter"),
    ("book/reward_free/a.md", "book/reward_free is no chapter"), ("book/exact/a.md", "book/exact is no chapter"),
    ("notebooks/rewards.ipynb", "notebooks/rewards is the lab of no chapter"),
    ("notebooks/safetynet.ipynb", "notebooks/safetynet is the lab of no chapter"),
    ("tests/theory/lower-bounds/test_a.py", "tests/theory/lower-bounds is no chapter"),
    ("tests/claims/algorithm_one/test_a.py", "tests/claims/algorithm_one is no chapter"),
    ("tests/show/labs/test_a.py", "tests/show/labs is no chapter"),
])
def test_a_stray_is_seen(name, complaint):
    assert strays([*FILES, name], CHAPTERS) == [complaint]


@pytest.mark.parametrize("tree, chapter", [("derl/claims", "reward_free"), ("book", "reward-free")])
def test_a_missing_chapter_is_seen(tree, chapter):
    rest = [name for name in FILES if not name.startswith(f"{tree}/{chapter}/")]
    assert strays(rest, CHAPTERS) == [f"{tree} lacks {chapter}"]


def test_every_statement_stands_on_a_page_of_its_chapter():
    assert misplaced(PAGES, FILES) == []
    assert misplaced({"lem-a": ("reward_free", "other/a")}, ["book/other/a.md"]) == [
        "lem-a of reward_free stands on other/a"]
    assert misplaced({"lem-a": ("safety", "safety/a")}, []) == ["lem-a stands on safety/a, which is no page"]


def test_the_checks_of_a_chapter_are_about_its_statements():
    def outside(checks):
        return {check.source for check in checks
                if not check.source.startswith(f"derl.claims.{PAPER.statements[check.claim].chapter}.")}

    checks = [check for check in PAPER.register().checks if check.method != "kernel"]  # those come from recordings
    assert outside(checks) == set(ELSEWHERE)
    astray = next(check for check in checks if check.source not in ELSEWHERE)
    moved = next(key for key, (chapter, _) in PAGES.items() if chapter != PAGES[astray.claim][0])
    assert outside([type(astray)(**(vars(astray) | {"claim": moved}))]) == {astray.source}


def test_no_street_has_more_rooms_than_the_chapters_and_three():
    assert crowds(FILES) == []
    crowd = [f"derl/theory/room{i}.py" for i in range(15)]
    assert crowds([*crowd, "derl/theory/__init__.py", "derl/theory/table.csv"]) == [
        "derl/theory has 15 rooms, more than 14"]


def unseen(modules, tests):
    """Modules of pictures that no test imports, by their names and the texts of the tests."""
    imported = set()
    for text in tests:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
            elif isinstance(node, ast.Import):
                imported |= {name.name for name in node.names}
    return sorted(set(modules) - imported)


def test_every_module_of_pictures_is_imported_by_a_test():
    modules = [name.removesuffix(".py").replace("/", ".") for name in FILES
               if name.startswith("derl/show/") and name.endswith(".py") and not name.endswith("__init__.py")]
    tests = [(rules.ROOT / name).read_text(encoding="utf-8") for name in FILES
             if name.startswith("tests/") and name.endswith(".py")]
    assert len(modules) > 60 and unseen(modules, tests) == []


def test_a_module_that_no_test_imports_is_seen():
    modules = ["derl.show.a.b", "derl.show.a.c", "derl.show.d"]
    tests = ["from derl.show.a import b\nimport derl.show.d", "x = 'derl.show.a.c'"]
    assert unseen(modules, tests) == ["derl.show.a.c"]
