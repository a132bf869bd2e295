r"""A sentence quotes a formula of a statement, or its value; what cannot be quoted is named with its page and line."""

import re

import pytest
from said_role import in_prose, quoted

from derl.inputs import Invalid

TEXT = r"Let $n\ge1$. Then $N\ge\left(2n+\frac1n\right)^3$ and $f(n)\le\left\lceil\frac n2\right\rceil$."


def look(claim, field):
    return TEXT


@pytest.mark.parametrize("page, counts", [
    (r"Here $N\ge d^2$ and {said}`a N\ge` and {said}`a n\ge @ n=2`.", (2, 1)), ("A letter $K$, as $(a,b)$.", (0, 0)),
    ("$$\nx = 1\n$$\nand {math}`\\frac ab` and a price of 3\\$ or 4\\$.", (0, 2)),
    ("```{claim} a\n$1<2$ {said}`a N`\n```\nthen $1<2$\n````\n```\n$2$\n```\n````\n", (0, 1)), ("", (0, 0))])
def test_formulas_in_sentences_are_counted(page, counts):
    assert in_prose([page]) == counts and in_prose([page, page]) == tuple(2 * count for count in counts)


@pytest.mark.parametrize("asked, shown", [
    (r"a N\ge", r"N\ge\left(2n+\frac1n\right)^3"), (r"a N\ge @", r"\left(2n+\frac1n\right)^3"),
    (r"a (2n+\frac1n)", r"\left(2n+\frac1n\right)"), (r"a 2n", "2n"), (r"a n\ge", r"n\ge1"),
    (r"a N\ge @ n=2", r"\frac{729}{8}"),
    (r"a N\ge @ n=1000", r"8.00\cdot10^{9}")])
def test_what_is_quoted_is_printed_as_the_statement_prints_it(asked, shown):
    assert quoted(look, asked) == shown


def test_a_value_out_of_the_range_of_the_text_is_refused():
    with pytest.raises(Invalid, match="n is 1/2; allowed is 1 <= n"):
        quoted(look, r"a N\ge @ n=1/2")


PAGES = r"""# One

It is {said}`lem-even a + b`, {said}`odd-repaired 3\le`, {said}`odd-repaired a\le @` and {said}`eq-cited p\le @ n=21`.

{said}`%s`
"""


def test_a_page_shows_formulas_and_values(build):
    built = build({"part/one": PAGES % "eq-cited n < p"})
    assert built.warnings == ""
    assert re.findall(r'class="said-formula math[^>]*>\\\((.*?)\\\)<', built.page("part/one")) == [
        "a + b", r"3 \le a", "7", "42", "n &lt; p"]


@pytest.mark.parametrize("asked, complaint", [
    ("lem-evn a", "claims.yml has no such statement"), ("lem-even c=", "no relation that begins with c="),
    ("lem-even 2n+1", "no formula of lem-even holds 2n+1"), ("lem-even", "no formula is named; lem-even has a+b; a=2m"),
    (r"eq-cited p\le @ m=3", "has no letter m; its letters are n"), (r"eq-cited p\le @ n=0", "allowed is 1 <= n"),
    (r"eq-cited p\le @ n=x", "n is 'x'; allowed are numbers"), (r"eq-cited p\le @ n", "'n' is no letter=value"),
    (r"eq-cited/printed p\le", "printed"),
])
def test_what_cannot_be_quoted_is_one_line_with_its_place(build, asked, complaint):
    built = build({"part/one": PAGES % asked})
    (line,) = built.warnings.splitlines()
    assert complaint in line and re.search(r"part/one\.md:5: WARNING: said: ", line), line
