"""Larger changes of a text: what is left out, turned over or exchanged, and words that become their opposites."""

import pytest
from larger import larger
from opposites import OPPOSITES, deciding, opposites

from derl.printed import Text

TEXT = Text(r"""Let $d\ge2$ and $\delta\in(0,1)$. For every policy $\pi$, with probability at
least $1-\delta$, $K\le\frac{dH^2}{8\lceil\log_d(NH)\rceil}$ and $\hat V_h(s)=2\sqrt d\,c_K$. There is no $\frac12$.""")
SOURCES = {edit.source for edit in larger(TEXT)}


@pytest.mark.parametrize("old, new", [
    ("dH^2", "H^2"), ("dH^2", "d"), ("dH^2", "dH"), (r"{8\lceil\log", r"{\lceil\log"), ("(NH)", "(H)"),
    (r"8\lceil\log_d(NH)\rceil", "8"), (r"\lceil\log_d(NH)\rceil", r"(\log_d(NH))"), (r"\log_d(", r"\log("),
    (r"\sqrt d", "(d)"), ("c_K", "c"), ("2\\sqrt d", "\\sqrt d"), (r"\frac12", r"\frac21"), ("V_h", "V"),
    (r"\frac{dH^2}{8\lceil\log_d(NH)\rceil}", r"\frac{8\lceil\log_d(NH)\rceil}{dH^2}"), (r"K\le", r"K<"),
    (r"\in(0", r"\in[0"), ("1)$. For", "1]$. For"), (r"1-\delta", r"1-\pi"), ("dH^2", "dK^2")])
def test_a_part_is_left_out_turned_over_or_exchanged(old, new):
    assert TEXT.source.replace(old, new, 1) in SOURCES


def test_every_larger_change_keeps_its_brackets_and_says_where_it_is():
    for edit in larger(TEXT):
        after = TEXT.source[:edit.start] + edit.new + TEXT.source[edit.end:]
        assert edit.source == after != TEXT.source and edit.old == TEXT.source[edit.start:edit.end]
        for opening, closing in ("{}", (r"\lceil", r"\rceil")):
            assert after.count(opening) == after.count(closing), edit
    assert not any("V_h=" in source or r"\hat _" in source for source in SOURCES), "an argument is no factor"


def test_words_become_their_opposites_and_a_hypothesis_is_left_out():
    found = {(edit.old, edit.new) for edit in opposites(TEXT)}
    assert found == {("For every", "For some"), ("at\nleast", "at most"), ("There is", "There is no"), ("no", "some"),
                     (r"Let $d\ge2$ and $\delta\in(0,1)$.", "")}
    assert [word[0] for word in deciding(Text(r"$\text{at most}$ or all-in, deterministically: all"))] == ["all"]
    assert not list(opposites(Text("Let $x$ be $1$."))), "nothing would be left"


def test_no_word_is_its_own_opposite():
    assert all(word != other and word == word.lower() for word, other in OPPOSITES.items())
