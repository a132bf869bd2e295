r"""Texts: what is looked up in them, ranges, chains, edits; trees that are written out are read back."""

from fractions import Fraction as F

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derl.printed import Node, Range, Relation, Text, Unreadable, read, value, words
from derl.printed.edits import edits, places
from derl.printed.reading import latex, tokens
from derl.printed.text import wording
from derl.show.drawing.javascript import javascript

TEXT = Text(r"""Let $d,H\ge2$, $0<\epsilon\le1$ and $\delta\in(0,1)$. If
$$N\ge\frac{(c_KdH)^2}{\epsilon^2}\log\frac1\delta,\qquad K=\Bigl\lceil\frac{dH}{8}\Bigr\rceil$$
then (a) $\|A\|\le2\sqrt d$, and (b) $\|A\|\le3$; at most $dH/2$ of them, and $1\le x<y\le9$.""", "thm-made")


def test_the_words_of_a_text_are_without_its_formulas():
    assert wording("For every $d$,\r\n  let $$x=1.$$") == wording("For every $h$, let $y$") == "For every $ , let $"
    assert wording("For each $d$, let $x$") != wording("For every $d$, let $x$") != wording("For every, let $x$")


def test_the_right_side_of_a_relation_is_found_by_how_it_begins():
    assert TEXT("K=", d=4, H=6) == 3 and TEXT(r"N \geq", c_K=1, d=1, H=2, epsilon=F(1, 2), delta=1) == 0
    assert TEXT("", after="at most", d=3, H=5) == F(15, 2)
    assert TEXT(r"\|A\|\le", after="(b)") == 3 and TEXT(r"\|A\|\le", after="(a)", d=9) == 6
    assert TEXT.sides(r"\|A\|\le", {r"\|A\|": 5}, after="(b)") == (5, 3)
    assert TEXT.function("K=", "d", "H")(4, 6) == 3 and TEXT.shown(r"\|A\|", after="(b)") == r"$\|A\|\le3$"
    assert TEXT.relation("x", {"x": 1, "y": 2}).holds and not TEXT.relation("x", {"x": 2, "y": 2}).holds
    assert [Text(f"$x{sign} y$").relation("x", x=1, y=2).ordered for sign in (r"\le", "<", r"\ge", ">")] == [
        (1, 2), (1, 2), (2, 1), (2, 1)]
    assert TEXT(r"1\le...<", y=4) == 4, "three dots in what is looked up stand for anything"


@pytest.mark.parametrize("ask, says", [
    (lambda: TEXT("M="), "has no relation that begins with M="),
    (lambda: TEXT(r"N\le"), "has no relation"),
    (lambda: TEXT(r"\|A\|\le"), "2 relations that begin"),
    (lambda: TEXT("K=", after="nowhere"), "0 times"),
    (lambda: TEXT("K="), "d has no value"),
    (lambda: TEXT(""), "say how the formula begins"),
    (lambda: TEXT.range("d").high, "does not bound the letter from above"),
    (lambda: TEXT.range("N_0"), "says nothing about the range"),
    (lambda: TEXT.relation(r"\delta", delta=1), "arithmetic|compare"),
    (lambda: Text("$x=2$").relation("x", x=1).ordered, "= does not say which side is smaller"),
    (lambda: TEXT.edit("nowhere", "x"), "0 times"),
    (lambda: TEXT.edit("d", "x"), "times"),
    (lambda: TEXT.edit("(a)", "(a)"), "changes nothing"),
    (lambda: Text(r"$d\ge2$ and $d\ge3$").range("d"), "two things")])
def test_what_is_not_there_or_not_clear_is_refused_with_one_line(ask, says):
    with pytest.raises(Unreadable, match=says) as problem:
        ask()
    assert "\n" not in str(problem.value)


def test_ranges_say_whether_a_value_is_inside():
    assert TEXT.range("d") == TEXT.range("H") == Range(2)
    assert TEXT.range(r"\epsilon") == Range(0, 1, low_belongs=False)
    assert TEXT.range(r"\delta") == Range(0, 1, low_belongs=False, high_belongs=False)
    inside = TEXT.range(r"\epsilon")
    assert [number in inside for number in (0, F(1, 10), 1, 2)] == [False, True, True, False]
    assert Text("$2H\\ge d$").range("d", H=3) == Range(top=6)
    assert Text("$x\\in[0,1)$").range("x") == Range(0, 1, high_belongs=False)
    assert Text(r"$d\ge2$, (b) $d\ge3$").range("d", after="(b)") == Range(3)
    assert TEXT.range("x", y=5) == Range(1, 5, high_belongs=False)


def test_formulas_after_some_words_can_be_passed_over():
    text = Text(r"The same holds with $7$, $d^5$ and $C=6$ for $5$, $d^2$ and $C=3$.")
    assert [text("", after="with", skip=skip, d=2) for skip in (0, 1, 3, 4)] == [7, 32, 5, 4]
    assert text("C=", after="with", skip=1) == 3
    with pytest.raises(Unreadable):
        text("C=", after="with", skip=2)
    with pytest.raises(Unreadable):
        text("", after="with", skip=6)


def test_a_definition_has_one_sign():
    assert Text("Let $R_h:=2a+1$.").sides("R_h:=", R_h=7, a=3) == (7, 7)


def test_a_turned_sign_is_not_found():
    turned = TEXT.edit(r"N\ge", r"N\le")
    with pytest.raises(Unreadable):
        turned(r"N\ge", c_K=1, d=1, H=1, epsilon=1, delta=1)
    assert TEXT.edit(r"\frac{dH}{8}", r"\frac{dH}{4}")("K=", d=4, H=6) == 6


def test_a_turned_sign_is_not_skipped_for_a_later_relation():
    text = Text(r"First $N\ge2$ and $K\le3$, then $N\ge5$.")
    assert text(r"N\ge", after="First") == 2 and text(r"N\ge", after="then") == 5
    turned = text.edit(r"N\ge2", r"N\le2")
    with pytest.raises(Unreadable, match="turned"):
        turned(r"N\ge", after="First")


def test_places_that_were_looked_up_are_remembered():
    text = Text("$a=b+1$ and $c=2$")
    assert text("c=") == 2 and [text.source[start:end] for start, end in text.places] == ["c=2"]
    text("a=", b=1), text("a=", b=2)
    assert [text.source[start:end] for start, end in text.places] == ["c=2", "a=b+1"]


def test_chains_are_cut_at_commas_and_words_outside_of_brackets():
    text = Text(r"$f(x,y)=\max\{a,b\}, c<d\le e \text{ and } g=\{h,i\}$, $1.5$")
    assert [len(chain.sides) for chain in text.chains] == [2, 3, 2, 1]


def planted(text, inside=None):
    return {(edit.old, edit.new) for edit in edits(Text(text), inside)}


def test_every_kind_of_sign_is_changed():
    assert planted("$N=12$") == {("12", "13"), ("12", "11"), ("12", "24"), ("12", "6")}
    assert planted("$a\\le b^2$") == {("\\le", "\\ge"), ("2", "3"), ("2", "1"), ("a", "b"), ("b", "a")}
    assert ("+", "-") in planted("$a=b+c$") and (r"\min", r"\max") in planted(r"$a=\min\{b,c\}$")
    assert planted("$x=0.5$") == {("0.5", "0.6"), ("0.5", "0.4")}
    assert planted(r"$x=850\,000$") == {(r"850\,000", n) for n in ("850001", "849999", "1700000", "425000")}
    assert planted("$x=y^9$") >= {("9", "{10}"), ("9", "8")} and planted(r"$x=\frac12$") == {
        ("1", "2"), ("1", "0"), ("2", "3"), ("2", "1")}
    sources = {edit.source for edit in edits(Text(r"$x=\lceil\lceil y\rceil z\rceil$"))}
    assert r"$x=\lfloor\lceil y\rceil z\rfloor$" in sources and r"$x=\lceil\lfloor y\rfloor z\rceil$" in sources
    assert planted("words only, 12 of them") == set()


def test_each_edit_changes_one_place_and_the_text_after_it_is_read():
    for edit in edits(TEXT):
        assert TEXT.source[edit.start:edit.end] == edit.old != edit.new and edit.source != TEXT.source
        assert edit.source[edit.start:].startswith(edit.new)
        assert len(Text(edit.source).chains) == len(TEXT.chains)
    assert len({edit.key for edit in edits(TEXT)}) == len(list(edits(TEXT)))
    there = {token.start for token in places(TEXT)}
    assert {edit.start for edit in edits(TEXT)} == there, "a letter that is alone is not exchanged"


def test_letters_are_exchanged_within_their_relation():
    found = planted("$a=bc$ and $x=y$")
    assert found == {("a", "b"), ("b", "c"), ("c", "a"), ("x", "y"), ("y", "x")}
    sources = {edit.source for edit in edits(Text(r"$\epsilon=cd$"))}
    assert sources == {r"$c=cd$", r"$\epsilon=dd$", r"$\epsilon=c\epsilon$"}
    assert {edit.source for edit in edits(Text(r"$a=a\mu$"))} == {r"$\mu=a\mu$", r"$a=\mu\mu$", r"$a=aa$"}


LETTERS = ("a", "b", "H", r"\epsilon", "c_K", r"\nu_{\min}", r"\tilde h", "x'")
leaves = st.one_of(st.integers(0, 40).map(lambda n: Node("number", F(n))),
                   st.sampled_from(LETTERS).map(lambda text: read(words(text))))


def branches(parts):
    one, two = st.tuples(parts), st.tuples(parts, parts)
    kinds = [st.builds(Node, st.sampled_from(("ceil", "floor", "abs", "exp", "sin", "cos", "negative")), st.just(""),
                       one),
             st.builds(Node, st.sampled_from(("quotient", "product", "sum", "min", "max", "log", "power", "binomial")),
                       st.just(""), two),
             st.builds(Node, st.just("root"), st.sampled_from((F(2), F(3))), one),
             st.builds(Node, st.just("sum"), st.just(""), st.tuples(parts, parts, parts)),
             st.builds(lambda low, high, body: Node("series", "i", (low, high, body)), parts, parts, parts)]
    return st.one_of(kinds)


def written(node) -> str:
    """LaTeX with a bracket around every part."""
    parts = [f"({written(part)})" for part in node.parts]
    plain = [written(part) for part in node.parts]
    kind = node.kind
    if kind == "number":
        return str(node.value)
    if kind == "letter":
        return next(text for text in LETTERS if read(words(text)).value == node.value)
    if kind == "series":
        return rf"\sum_{{i={plain[0]}}}^{{{plain[1]}}}{parts[2]}"
    if kind in ("ceil", "floor"):
        return rf"\l{kind} {plain[0]}\r{kind}"
    if kind in ("sum", "product"):
        return {"sum": "+", "product": r"\cdot"}[kind].join(parts)
    if kind in ("quotient", "binomial"):
        return rf"\{'frac' if kind == 'quotient' else 'binom'}{{{plain[0]}}}{{{plain[1]}}}"
    if kind in ("min", "max"):
        return rf"\{kind}\{{{','.join(plain)}\}}"
    return {"negative": f"-{parts[0]}", "abs": f"|{parts[0]}|", "power": f"{parts[0]}^{{{plain[-1]}}}",
            "root": rf"\sqrt[{node.value}]{{{plain[0]}}}", "log": rf"\log_{{{plain[-1]}}}{parts[0]}"}.get(
                kind, rf"\{kind}{parts[0]}")


@settings(deadline=None, max_examples=300)
@given(st.recursive(leaves, branches, max_leaves=12))
def test_a_tree_that_is_written_out_is_read_back(node):
    assert read(words(written(node))) == node


@settings(deadline=None, max_examples=500)
@given(st.lists(st.sampled_from((*LETTERS, *"0123()[]{}^_!/|+-,.='$é²", r"\frac", r"\sqrt", r"\log", r"\sum", r"\min",
                                 r"\{", r"\}", r"\lceil", r"\rceil", r"\binom", r"\,", r"\cdot", r"\mathcal",
                                 r"\operatorname{tr}")), max_size=14))
def test_whatever_is_written_is_read_or_refused_and_never_more(signs):
    """No other exception, in reading, evaluating and planting."""
    text = " ".join(signs)
    try:
        node = read(words(text))
        value(node, dict.fromkeys(node.letters(), F(3)))
    except Unreadable as problem:
        assert "\n" not in str(problem)
    for edit in edits(Text(f"${text}$")):
        assert edit.old != edit.new


@pytest.mark.parametrize("text, wanted, found", [
    (r"$a\left(b+c\right)d$", "(b+c)", r"\left(b+c\right)"), (r"$a\left(b+c\right)d$", "b+c", "b+c"),
    (r"$\left(a+b\right)$", "(a", "(a"), (r"words $x\le  y$ and $\bigl(x\bigr)$", r"x\leq y", r"x\le  y"),
    (r"$$N\ge\frac12$$", r"\frac12", r"\frac12"), (r"$\|A\|^2$", r"\|A\|", r"\|A\|")])
def test_a_piece_is_given_as_it_is_printed(text, wanted, found):
    assert Text(text).piece(wanted) == found
    for absent in ("nowhere", ""):
        with pytest.raises(Unreadable, match="no formula of the text holds"):
            Text(text).piece(absent)


def test_a_relation_is_shown_whole_or_by_its_right_side():
    text = Text(r"We have $N\ge\left(\frac{d}{2}\right)^2$ and $0<x\le1$.")
    assert text.shown(r"N\ge") == r"$N\ge\left(\frac{d}{2}\right)^2$"
    assert text.shown(r"N\ge", right=True) == r"$\left(\frac{d}{2}\right)^2$"
    assert text.shown("x", right=True) == "$1$" and text.shown("0<") == "$0<x$"


@pytest.mark.parametrize("sign, pairs", [
    (r"\le", (True, True, False)), (r"\ge", (False, True, True)), ("<", (True, False, False)),
    (">", (False, False, True)),
    ("=", (False, True, False)), (":=", (False, True, False)), (r"\ne", (True, False, True))])
def test_a_relation_is_true_of_numbers_as_its_sign_says(sign, pairs):
    assert tuple(Relation(1, sign, other).holds for other in (2, 1, 0)) == pairs
    with pytest.raises(Unreadable, match="does not compare numbers"):
        Relation(1, r"\approx", 1).holds  # noqa: B018


@pytest.mark.parametrize("found, inside", [
    (Range(1, 2), (0, 1, 1, 1, 0)), (Range(1, 2, low_belongs=False), (0, 0, 1, 1, 0)), (Range(top=1), (1, 1, 0, 0, 0)),
    (Range(1, 2, high_belongs=False), (0, 1, 1, 0, 0)), (Range(F(3, 2)), (0, 0, 1, 1, 1)), (Range(), (1, 1, 1, 1, 1))])
def test_the_ends_of_a_range_belong_to_it_or_not(found, inside):
    assert tuple(number in found for number in (0, 1, F(3, 2), 2, 3)) == tuple(map(bool, inside))
    for name, end, words_ in (("low", found.bottom, "below"), ("high", found.top, "above")):
        if end is None:
            with pytest.raises(Unreadable, match=f"from {words_}"):
                getattr(found, name)
        else:
            assert getattr(found, name) == end


@pytest.mark.parametrize("text, tokens_, back", [
    (r"\frac12", (r"\frac", "1", "2"), r"\frac12"), (r"x^10", ("x", "^", "1", "0"), "x^10"),
    ("x_{10}", ("x", "_", "{", "10", "}"), "x_{10}"),
    (r"\log d", (r"\log", "d"), r"\log d"), (r"\log\,2", (r"\log", "2"), r"\log2"),
    (r"\left(a\right)\tag{7}", ("(", "a", ")"), "(a)"),
    (r"a\leq b\geq c\neq d", ("a", r"\le", "b", r"\ge", "c", r"\ne", "d"), r"a\le b\ge c\ne d"),
    (r"1{,}024:=2", ("1{,}024", ":=", "2"), "1{,}024:=2"),
    (r"\lbrace a\rbrace", (r"\{", "a", r"\}"), r"\{a\}"),
    (r"\sqrt4d\text{ so } e", (r"\sqrt", "4", "d", r"\text{ so }", "e"), r"\sqrt4d\text{ so }e")])
def test_tokens_and_the_latex_that_they_make(text, tokens_, back):
    assert words(text) == tokens_ and latex(tokens_) == back
    assert [token.text for token in tokens(f"a+{text}-b", 2, len(text) + 2)] == list(tokens_)


def test_letters_of_a_tree_are_counted_without_the_index_of_a_series():
    node = read(words(r"\sum_{i=1}^n(a_i+a_i^2)+f(x)^2+i"))
    assert sorted(node.letters()) == ["a_i", "a_i", "f", "i", "n", "x"]


@pytest.mark.parametrize("formula, script", [
    ("7", "F.q(7n)"), (r"\frac12a", 'F.times(F.over(F.q(1n),F.q(2n)),F.letter(v,"a"))'),
    ("a-b", 'F.add(F.letter(v,"a"),F.negative(F.letter(v,"b")))'),
    (r"\sqrt[3]a", 'F.root(3,F.letter(v,"a"))'), 
    ("a(b)^2", 'F.times(F.letter(v,"a"),F.power(F.letter(v,"b"),F.q(2n)))'),
    (r"\lceil\log_2a\rceil", 'F.ceilLog(F.letter(v,"a"),F.q(2n))'),
    (r"\lfloor\log a\rfloor", 'F.floor(F.log(F.letter(v,"a")))'),
    (r"\sum_{i=1}^ni", 'F.series(F.q(1n),F.letter(v,"n"),(i)=>((v)=>F.letter(v,"i"))({...v,["i"]:i}))'),
    ("0.25", "F.q(1n,4n)")])
def test_the_script_of_a_formula(formula, script):
    assert javascript(read(words(formula))) == script


@pytest.mark.parametrize("formula, why", [("O(n)", "O is no number"), ("f(a,b)", "f is no number"),
    ("1/d(H+1)", "needs a bracket")])
def test_what_has_no_script(formula, why):
    with pytest.raises(Unreadable, match=why):
        javascript(read(words(formula)))
