"""A statement and its checks stay as they were compared: a change of either side is one line with its name."""

import functools
import re
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
import sympy

from derl.claims import PAPER
from derl.ledger import Evidence, compared
from derl.ledger.registry import Registry
from derl.ledger.statements import InvalidClaims

KEY = "lem-trace-det"
ERRATUM = "lem-elliptical-potential"


@lru_cache
def now():
    return compared.present(PAPER)


def test_every_statement_is_as_it_was_compared():
    """`derl paper compare` shows what changed, and records that it was compared; see CONTRIBUTING."""
    assert compared.problems(compared.recorded(PAPER), now()) == []


def test_the_recorded_way_is_one_that_the_project_has():
    ways = compared.ways(PAPER)
    for key, row in compared.recorded(PAPER).items():
        assert row.how == ways.get(key, row.how) and row.by, key


def changed_text(**change):
    text = compared.text_of(replace(PAPER.statements[KEY], **change))
    return compared.problems(compared.recorded(PAPER), now() | {KEY: (text, now()[KEY][1])})


def test_one_exponent_of_the_statement_is_noticed():
    said = PAPER.statements[KEY].statement
    assert r"\rho\log\rho" in said
    (line,) = changed_text(statement=said.replace(r"\rho\log\rho", r"\rho^2\log\rho"))
    assert line == f"{KEY}: its text has changed since text and checks were compared"


def test_a_relation_that_no_longer_holds_is_counted():
    (line,) = changed_text(proof=tuple(replace(step, say=step.say.replace(r"\rho-1\le\rho\log\rho",
                                                                          r"\rho-1\ge\rho\log\rho"))
                                       for step in PAPER.statements[KEY].proof))
    assert line.startswith(f"{KEY}: its text has changed since") and re.search(
        r"; (\d+) of its relations held where they were evaluated, \d+ do$", line)


def test_one_word_of_a_step_and_what_it_rests_on_are_noticed():
    first, *rest = PAPER.statements[KEY].proof
    assert changed_text(proof=(replace(first, say=first.say.replace("le", "ge", 1)), *rest))
    assert changed_text(proof=(replace(first, quote=()), *rest))
    assert changed_text(proof=(replace(first, check=()), *rest))
    assert changed_text(proof=tuple(rest))


def test_one_number_of_an_erratum_is_noticed_and_a_break_of_the_line_is_not():
    statement, rows = PAPER.statements[ERRATUM], compared.recorded(PAPER)
    for name, said in statement.erratum.items():
        text = compared.text_of(replace(statement, erratum=dict(statement.erratum) | {name: f"{said} 1"}))
        assert compared.digest(text) != rows[ERRATUM].text
    text = compared.text_of(replace(statement, statement=statement.statement.replace(" ", "\n")))
    assert compared.digest(text) == rows[ERRATUM].text


def checks(default=lambda x: x, planted=lambda x: 2 * x, covers="everything", swapped=False):
    registry = Registry()

    @registry.check("lem-x", method="run", arithmetic="exact", covers=covers, gap="none")
    def grows(power=default):
        """Not run here."""
        return Evidence(power(1), 1, "identity", "one case")

    arguments = [{"power": planted}, {"power": 3}]
    for plants, given in zip(("twice", "three"), arguments[::-1] if swapped else arguments, strict=True):
        registry.control(grows, plants, given)
    return compared.checks_of(registry.checks)


@pytest.mark.parametrize("change", [{"default": lambda x: x + 1}, {"planted": lambda x: 3 * x}, {"covers": "a part"},
                                    {"swapped": True}, {"default": min}])
def test_another_truth_another_control_and_swapped_controls_are_noticed(change):
    rows = compared.renewed(None, {"lem-x": ("x", checks())}, ["lem-x"], {}, "a test")
    assert compared.problems(rows, {"lem-x": ("x", checks())}) == []
    assert compared.problems(rows, {"lem-x": ("x", checks(**change))}) == [
        "lem-x: its checks or controls have changed since text and checks were compared"]


def test_a_statement_that_is_new_or_gone_is_noticed_and_a_paper_without_a_record_is_left_alone():
    rows = compared.renewed(None, {"a": ("x", "y")}, ["a"], {}, "a test")
    assert compared.problems(rows, {"b": ("x", "y")}) == [
        "a is in compared.csv and no statement", "b: text and checks were never compared"]
    assert compared.problems(None, {"b": ("x", "y")}) == []
    assert compared.problems({"a": replace(rows["a"], how="guess")}, {"a": ("x", "y")})[0].startswith(
        "a: how it was compared is 'guess'; allowed are formula")


def test_only_what_is_named_is_renewed_and_the_file_keeps_the_rest():
    rows = compared.renewed(None, {"a": ("x", "y"), "b": ("x", "y")}, ["a", "b"], {"a": "formal"}, "first")
    both = {"a": ("other", "y"), "b": ("other", "y")}
    later = compared.renewed(rows, both, ["b"], {}, "second")
    assert later["a"] == rows["a"] and (later["b"].how, later["b"].by) == ("reading", "second")
    assert len(compared.problems(later, both)) == 1
    assert compared.written(later).splitlines()[0] == "id,how,text,checks,holds,by"


def doubled(times=2):
    """Twice.

    A comment of the docstring does not count.
    """
    # nor does this one
    return sum(LIMIT for _ in range(times))


LIMIT = 3


def test_the_code_of_a_check_counts_without_its_words():
    code = compared.code_of(doubled)
    assert "return sum ( LIMIT for _ in range ( times ) )" in code and "LIMIT: 3" in code
    assert "Twice" not in code and "comment" not in code and "nor does" not in code


@functools.cache
def remembered(size):
    return size // 2


class Kind:
    def size(self):
        return LIMIT


x = sympy.Symbol("x", nonnegative=True)
LISTED, TABLE, SOME, NUMBERS = [1, 2], {"a": 1}, {1, 2}, np.array([1, 2])


def everything():
    return remembered(4), Kind().size(), x, x + 1, LISTED, TABLE, SOME, NUMBERS


def half(size):
    return size // 3


@pytest.mark.parametrize("name, value", [
    ("remembered", functools.cache(half)), ("LIMIT", 4), ("x", sympy.Symbol("x", positive=True)), ("LISTED", [1, 3]),
    ("TABLE", {"a": 2}), ("SOME", {1, 3}), ("NUMBERS", np.array([1, 3]))])
def test_whatever_a_check_computes_with_is_part_of_its_code(name, value, monkeypatch):
    before = compared.code_of(everything)
    assert compared.code_of(everything) == before
    monkeypatch.setitem(globals(), name, value)
    assert compared.code_of(everything) != before


LOOP = "def f(xs):\n    for x in xs:\n        g(x)\n"


@pytest.mark.parametrize("one, other", [
    (f"{LOOP}    return True\n", f"{LOOP}        return True\n"), ("f = 'a b'\n", "f = 'ab'\n"),
    ("f = f'{a} b'\n", "f = f'{a}b'\n"), ("f = not b\n", "f = notb\n")])
def test_blocks_and_spaces_of_texts_count(one, other):
    assert compared._bare(one) != compared._bare(other)


def test_comments_docstrings_and_breaks_within_brackets_do_not_count():
    one = 'def f(a,\n      b):  # why\n    """What."""\n\n    # how\n    return f"{a} {b}"\n'
    assert compared._bare(one) == compared._bare('def f(a, b):\n    return f"{a} {b}"\n')


@pytest.mark.parametrize("content, said", [
    ("id,how\n", "begins with id, how"), ("", "begins with nothing"), (b"\xff\xfe", "codec can't decode"),
    *((f"{','.join(compared.FIELDS)}\n{rows}\n", said) for rows, said in (
        ("a,formal,x,y,one,me", "line 2: `how` is one"), ("a,guess,x,y,1,me", "line 2: `how` is one"),
        ("a,formal,x,y,1,me\na,formal,x,y,1,me", "line 3: a has a row"),
        (",formal,x,y,1,me", "line 2: a row has 6 fields"), ("a,formal", "line 2: a row has 6 fields")))])
def test_a_table_that_is_none_is_one_line(content, said, tmp_path, monkeypatch):
    (tmp_path / "compared.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.setattr(compared.resources, "files", lambda package: tmp_path)
    with pytest.raises(InvalidClaims) as refused:
        compared.recorded(PAPER)
    assert said in str(refused.value) and "\n" not in str(refused.value)


def test_a_helper_of_a_check_is_part_of_its_code():
    check = next(check for check in PAPER.register().checks if check.name == "printed_bridge_under_stress")
    code = compared.code_of(check.function)
    assert "potential.trace_determinant._batches: def _batches" in code and "SEED: 20_220_801" in code
