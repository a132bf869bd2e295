"""Plain words are held: what the guide forbids may become rarer in a file and never more frequent."""

from collections import Counter

import prose
import pytest

PLANTED = {  # rule -> a sentence that breaks it, and the same sentence mended
    "free relative": ("Whoever wants to play opens the lock.", "To play, open the lock."),
    "stands": ("The proof stands in the appendix.", "The proof is in the appendix."),
    "asks for": ("The lemma asks for a large batch.", "The lemma requires a large batch."),
    "dear": ("A deployment is dear.", "A deployment is costly."),
    "behind": ("The reward lies behind the last wheel.", "The reward comes after the last wheel."),
    "in the place of": ("A list is kept in the place of a set.", "A list is kept instead of a set."),
    "but for": ("It holds but for probability 0.1.", "It holds except with probability 0.1."),
    "bare kernel": ("The kernel reads the proof.", "Coq's kernel reads the proof."),
    "near falsehood": ("A near falsehood is rejected.", "A false variant is rejected."),
    "minds": ("The algorithm knows neither number.", "The algorithm receives neither number."),
    "nobody": ("Nobody is above the curve.", "No algorithm is above the curve."),
    "two colons": ("One thing: it has two parts: a and b.", "One thing has two parts: a and b."),
    "verbless opening": ("Without any reachability.", "Without any reachability the bound holds."),
    "long sentence": (f"The bound holds for {'one and ' * 20}all.", f"The bound holds for {'one and ' * 10}all."),
}


@pytest.fixture(scope="module")
def counted():
    return Counter((file, rule) for file, rule, _ in prose.hits(prose.sources()))


def test_no_file_has_more_than_is_recorded(counted):
    more = prose.risen(prose.recorded(), counted)
    assert more == {}, "python tests/rules/prose.py prints every place with its rule"


def test_every_rule_has_a_planted_sentence():
    assert {*PLANTED, "spelling", "proselint"} == set(prose.RULES)


@pytest.mark.parametrize("rule", PLANTED)
def test_a_planted_sentence_is_caught_and_the_mended_one_passes(rule):
    broken, mended = PLANTED[rule]
    assert rule in {name for name, _ in prose.problems(broken)}
    assert prose.problems(mended) == []


def test_wrong_spelling_and_bad_diction_are_caught():
    assert prose.misspelt(["A right word.", "We recieve it."]) == [(1, "recieve ==> receive")]
    assert prose.misspelt(["We receive it."]) == []
    assert prose.diction(["The result is very unique."]) and prose.diction(["The result is unique."]) == []


def test_a_file_may_not_get_worse_and_a_split_page_keeps_its_total():
    allowed = Counter({("a.md", "behind"): 2, ("b.md", "behind"): 1})
    assert prose.risen(allowed, Counter({("a.md", "behind"): 2, ("b.md", "behind"): 1})) == {}
    assert prose.risen(allowed, Counter({("a.md", "behind"): 1, ("new.md", "behind"): 1})) == {}
    assert prose.risen(allowed, Counter({("b.md", "behind"): 2})) == {("b.md", "behind"): (2, 1)}
    assert prose.risen(allowed, Counter({("a.md", "stands"): 1})) == {
        ("a.md", "stands"): (1, 0), ("all files", "stands"): (1, 0)}
    assert prose.risen(allowed, allowed + Counter({("new.md", "behind"): 1})) == {("all files", "behind"): (4, 3)}


def test_the_record_can_only_be_lowered():
    allowed = Counter({("a.md", "behind"): 2, ("a.md", "stands"): 1})
    assert prose.lowered(allowed, Counter({("a.md", "behind"): 5, ("b.md", "dear"): 1})) == Counter({
        ("a.md", "behind"): 2})
    assert prose.lowered(allowed, Counter({("a.md", "behind"): 1})) == Counter({("a.md", "behind"): 1})


PAGE = """---
kernelspec: {name: python3}
---
# Title behind

The *first* [link](x.md) has $x$ and {claim}`lem-a`.
It goes on.

$$
a = b
$$ (eq-a)

```{code-cell} python
behind = 1
```

| a | behind |
|---|---|

- An item is here.
- Another one is
  there.

```{headline} thm-a
The text of a box is read.
```
"""
MODULE = '''def f(x):
    """Give one back for it.

    Parameters
    ----------
    x : int
        Stands behind all of it.
    """
'''
STATEMENTS = """- id: behind all of the rest
  statement: It is $a$ for all $b$.
  formula: a b c d e
"""


def test_a_page_is_read_without_code_tables_and_markup():
    assert prose.of_page(PAGE) == ["The first link has X and lem-a. It goes on.", "An item is here.",
                                   "Another one is there.", "The text of a box is read."]


def test_docstrings_and_statements_are_read_without_sections_and_formulas():
    assert prose.of_docstrings(MODULE) == ["Give one back for it."]
    assert prose.of_statements(STATEMENTS) == ["It is X for all X."]


def test_sentences_are_told_apart():
    assert prose.sentences("One is here, e.g. X. Is it? (Two is X.) Three.") == [
        "One is here, e.g. X.", "Is it?", "(Two is X.", "Three."]
    assert prose.words("One X is well-known: it’s X.") == 6
