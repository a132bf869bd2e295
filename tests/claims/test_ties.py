"""What a text prints is looked up in what its checks compute: a constant, exponent, sign or direction off is seen.

`python attacks/ties.py --renew` records a change of texts or checks that is meant.
"""

import importlib
import subprocess
import sys
from fractions import Fraction
from types import SimpleNamespace

import pytest
import rules
import sympy

BENCHMARKS = rules.ROOT / "attacks"
LEAST = {"relations": 1800, "decided": 1000, "sides": 3000, "numbers": 12_000, "powers": 1900, "bounds": 20,
         "ranges": 340, "references": 300}  # in all texts

H, d, beta, epsilon = sympy.symbols("H d beta epsilon", positive=True)


@pytest.fixture(scope="module")
def ties():
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("ties")
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def computed(ties):
    return importlib.import_module("computed")


@pytest.fixture(scope="module")
def printed(ties):
    return importlib.import_module("loose_latex")


@pytest.fixture
def held(ties, computed):
    """A check that computes 8 beta^2 H^2/epsilon^2 and 4 d, and decides that 2 d H >= d + H."""
    pool = computed.Pool()
    for one in (8 * beta**2 * H**2 / epsilon**2, 4 * d, Fraction(3, 7), (4, 3, -2, 0)):
        pool.add(one)
    pool.relations.append((2 * d * H, d + H, ">="))
    return ties.Held([pool])


def counts(ties, held, text, said=(), twice=()):
    return dict(zip(ties.COUNTS, ties.count(text, held, set(said), set(twice)), strict=True))


@pytest.mark.parametrize("text, changed, kind", [
    (r"$N\ge\frac{8\beta^2H^2}{\epsilon^2}$", r"$N\ge\frac{8\beta^3H^2}{\epsilon^2}$", "sides"),
    (r"$N\ge\frac{8b^2x^2}{y^2}$", r"$N\ge\frac{9b^2x^2}{y^2}$", "sides"),  # other names
    (r"$4\,\mathbb E_\pi\sum_h\|\phi_h\|$", r"$3\,\mathbb E_\pi\sum_h\|\phi_h\|$", "sides"),
    (r"$2ab\ge a+b$", r"$2ab\le a+b$", "decided"), (r"$a+b\le2ab$", r"$a-b\le2ab$", "decided"),
    (r"$V\le2uv$", r"$V\ge2uv$", "decided"), (r"with $V$ at most $2dH$", r"with $V$ at least $2dH$", "decided"),
    (r"$\rho-1\le\rho\log\rho$", r"$\rho-1\le\log\rho$", "relations"),
    (r"for $0<x\le1$, $x^2\le x$", r"for $0<x\le1$, $x^2\ge x$", "relations"),
    (r"$\eta=\frac\epsilon{4H}$, so $2H\eta=\frac\epsilon2$", r"$\eta=\frac\epsilon{4H}$, so $2H\eta=\frac\epsilon3$",
     "relations"),
    (r"above $\frac37$", r"above $\frac38$", "numbers"), ("a share of 0.43", "a share of 0.45", "numbers"),
    (r"$O(H^4d^3\epsilon^{-2})$", r"$O(H^4d^4\epsilon^{-2})$", "powers")])
def test_what_is_changed_in_a_text_is_no_longer_computed(ties, held, text, changed, kind):
    assert counts(ties, held, changed)[kind] < counts(ties, held, text)[kind]


@pytest.mark.parametrize("text, same", [
    (r"$N\ge\frac{8\beta^2H^2}{\epsilon^2}$", r"so that $N\ge2(2\beta H/\epsilon)^2$ is enough"),
    (r"$a+b\le2ab$", r"hence $2ab\ge b+a$"), (r"at most $4d$", r"no more than $4d$")])
def test_other_words_and_an_equal_formula_change_nothing(ties, held, text, same):
    one, other = counts(ties, held, text), counts(ties, held, same)
    assert all(other[kind] >= one[kind] for kind in ("decided", "sides"))


def test_a_bound_of_a_letter_has_the_direction_of_the_code(ties, computed):
    slack = sympy.Symbol("s", nonnegative=True)
    pool = computed.Pool()
    pool.add(8 * beta**2 * H + slack)
    pool.add(d**2 * H / (1 + slack))
    held = ties.Held([pool])
    for right, wrong in ((r"$N\ge8\beta^2H$", r"$N\le8\beta^2H$"), (r"$x\le d^2H$", r"$x\ge d^2H$"),
                         (r"$8\beta^2H\le N$", r"$8\beta^2H\ge N$"), (r"$N\ge8\beta^2H$", r"$N\ge8\beta^3H$")):
        assert (counts(ties, held, right)["bounds"], counts(ties, held, wrong)["bounds"]) == (1, 0)
    assert counts(ties, held, r"$2N\ge8\beta^2H$")["bounds"] == 0


@pytest.mark.parametrize("text, changed", [
    (r"for $d\ge4$", r"for $d\ge5$"), (r"for $d\ge4$", r"for $d\le4$"), (r"for $\nu\le1$", r"for $\nu\le2$"),
    (r"for $0<\epsilon$, $N\ge1/\epsilon$", r"for $1<\epsilon$, $N\ge1/\epsilon$"),
    (r"for $\delta<1$ with probability $1-\delta$", r"for $\delta<2$ with probability $1-\delta$"),
    (r"for $\delta<1$ with probability at least $1-\delta$", r"for $\delta<1$ with probability at most $1-\delta$"),
    (r"rewards in $[0,1]$", r"rewards in $[1,1]$"), (r"$c\in(0,\frac14)$", r"$c\in(1,\frac14)$")])
def test_a_range_is_held_by_a_variant_next_to_it_or_by_what_the_text_says(ties, text, changed):
    held = ties.Held([])
    held.checks = [SimpleNamespace(controls=[SimpleNamespace(plants=words) for words in ("d = 3", "nu > 1")])]
    assert counts(ties, held, text)["ranges"] == counts(ties, held, changed)["ranges"] + 1


def test_a_reference_belongs_to_a_statement_nearby(ties):
    one, other = statement("a", "By Algorithm 4 and (14)."), statement("b", "Text.")
    other.kind, other.number, one.kind, one.number = "algorithm", "4", "equation", "(14)"
    one.uses = ["b"]
    papers = ties.Papers({"a": one, "b": other}, {}, {})
    found = [papers.of(one)["statement"][ties.COUNTS.index("references")]]
    for text in ("By Algorithm 5 and (14).", "By Lemma 4 and (15).", "By $f(14)$."):
        one.statement = text
        found.append(papers.of(one)["statement"][ties.COUNTS.index("references")])
    assert found == [2, 1, 0, 0]


def test_two_texts_that_disagree_are_seen(ties, held):
    texts = [r"If $dH\ge2$, then $K\le4dH+1$."]
    said, twice = ties.said_in(texts), set(ties.windows(texts[0]))
    same, other = (counts(ties, held, f"For $dH{sign}2$.", said, twice) for sign in (r"\ge", r"\le"))
    assert same["twice"] > other["twice"]
    assert counts(ties, held, r"$K\le4dH+1$", said)["said"] > counts(ties, held, r"$K\le4dH-1$", said)["said"]


def test_a_part_that_is_no_arithmetic_is_a_letter(printed):
    formula = printed.formula(r"2\beta\,\|\phi\|_{\Lambda^{-1}}+\max_a w^\top\phi(s,a)")
    assert formula.inside == [r"\phi", r"w ^ \top \phi ( s , a )"] and len(formula.names) == 3
    assert [*printed.relations(r"Since $a\le b=c$, at most $\frac12$")] == [
        ("a", r"\le", "b"), ("b", "=", "c"), ("", r"\le", r"\frac12")]
    assert printed.formula(r"\frac1{") is None


def test_the_source_of_a_check_is_read_with_its_own_names(ties):
    written = importlib.import_module("written")
    found, relations, numbers = written.of_function(_sample)
    at = {"d": 3.0, "H": 2.0}
    assert 4 * 3**1.5 * 2 in [one.at(at) for one in found if one.names <= at.keys()]
    assert numbers == {4, 1.5} and {sign for *_, sign in relations} == {"<="}


def _sample(d, H):
    bound = 4 * d ** 1.5
    return bound * H <= _other(d)


def _other(d):
    return d


def test_a_pool_has_numbers_expressions_and_short_tuples_of_exponents(computed):
    pool = computed.Pool()
    for value in (True, 3, 0.5, Fraction(2, 3), d * H, sympy.sqrt(2), {"H": 4, "d": 3, "nu": 0}, "text", sympy.log):
        pool.add(value)
    assert [*pool.expressions] == [d * H] and pool.powers == {(3.0, 4.0)}
    assert {3, 0.5, Fraction(2, 3), 2**0.5, 4, 0} == pool.numbers


def statement(key, text, **more):
    return SimpleNamespace(id=key, number="", line=0, statement=text, uses=(), repair=None, proof=(), erratum=None,
                           **more)


def test_a_step_is_looked_up_in_the_checks_that_it_names(ties, computed):
    pools = {("a", "f"): computed.Pool(), ("a", "g"): computed.Pool()}
    pools["a", "f"].add(5 * d**2)
    step = SimpleNamespace(say="So $x=5d^2$.", check=(("f", 0, 0),), use=())
    one = statement("a", "Text.")
    one.proof = (step,)
    papers = ties.Papers({"a": one}, pools, dict.fromkeys(pools, SimpleNamespace(function=_other)))
    sides = ties.COUNTS.index("sides")
    assert papers.of(one)["proof"][sides] == 1
    step.check = (("g", 0, 0),)
    assert papers.of(one)["proof"][sides] == 0


def test_a_smaller_count_is_one_line(ties):
    before = {"a": dict.fromkeys(ties.WHERE, [3] * len(ties.COUNTS))}
    now = {"a": before["a"] | {"proof": [3, 3, 2, 3, 4, 3, 3, 3, 3, 3, 2]}, "b": before["a"]}
    assert ties.problems(now, before) == [
        "a, proof: its checks compute 2 of its sides; 3 are recorded", "b: what holds its text was never recorded",
        "a, proof: other texts say 2 of its twice; 3 are recorded"]


def asked(*words):
    return subprocess.run([sys.executable, BENCHMARKS / "ties.py", *words], capture_output=True, text=True,
                          check=False).stdout.splitlines()


def test_some_statements_are_held_as_recorded(ties):
    assert asked("--only", "lem-trace-det,res-exchange-law,eq-trace-logdet") == []
    sums = {kind: sum(counts[where][at] for counts in ties.recorded().values() for where in ties.WHERE)
            for at, kind in enumerate(ties.COUNTS)}
    assert all(sums[kind] >= number for kind, number in LEAST.items()), sums


@pytest.mark.slow
def test_every_text_is_held_as_recorded(ties):
    assert asked() == []
