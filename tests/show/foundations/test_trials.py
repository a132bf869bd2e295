"""Breaking a check: the truth passes, what a control plants is rejected, and the way between them is walked exactly."""

import csv
import re
from fractions import Fraction

import pytest
import sympy

from derl.claims import CHAPTERS, PAPER
from derl.judge.trial import run_check
from derl.show.foundations.light import COMMAND, FILE, checks, measure, recorded
from derl.show.foundations.playground import CHECK, check_view, checks_of, claims_of, falsehoods_of, unlike
from derl.show.foundations.trials import STOPS, between, path, tried

SLIDES = ("lem-self-normalised", "walks_stay_inside", "a tenth of the bound")
FEWEST = 25  # statements that can be broken


def test_every_chapter_can_be_broken():
    claims = {claim for claim, _ in recorded()}
    assert len(claims) >= FEWEST
    assert {PAPER.statements[claim].chapter for claim in claims} == set(CHAPTERS)
    assert all(checks()[name].controls for name in recorded())


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_planted_falsehood_turns_the_verdict(chapter):
    names = [name for name in recorded() if PAPER.statements[name[0]].chapter == chapter]
    for claim, name in names[::max(1, len(names) // 3)]:
        plants = checks()[claim, name].controls[0].plants
        truth, false = tried(claim, name, plants, 0), tried(claim, name, plants, STOPS)
        assert truth.passes and truth.word != "failed"
        assert false.stop == false.stops and false.evidence and not false.passes and false.word == "failed"


def test_the_word_is_the_one_of_the_registry():
    claim, name = CHECK.start["claim"], CHECK.start["check"]
    row = run_check(checks()[claim, name])
    truth, false = (tried(claim, name, CHECK.start["falsehood"], stop) for stop in (0, STOPS))
    assert row["outcome"] == "pass" and truth.word == "proved"
    planted = next(c for c in row["controls"] if c["planted"] == CHECK.start["falsehood"])
    assert false.broken == planted["breaks"] and false.witness == planted["witness"]


def test_a_bound_is_walked_until_it_breaks():
    runs = path(*SLIDES, 0, 0.0)
    words = [run.word for run in runs]
    assert len(runs) == STOPS + 1 and words[0] == "tested" and words[-1] == "failed"
    assert words == sorted(words, reverse=True)  # "tested" until it turns, then "failed"
    assert len(path(*SLIDES, 3, 10.0)) == 3  # a slow one: both ends, and where it stands


@pytest.mark.parametrize(("true", "false", "half"), [
    (1, 5, 3), (1, Fraction(1, 2), Fraction(3, 4)), (1.0, 0.0, 0.5), ((1, 4), (1, 8), (1, 6)),
    (sympy.Rational(1), sympy.Rational(1, 2), sympy.Rational(3, 4))])
def test_half_of_the_way_stays_exact(true, false, half):
    found = between(true, false, Fraction(1, 2))
    assert found == half and type(found) is type(half)


def test_the_view_says_what_was_planted_what_broke_and_where():
    at = {name: CHECK.start[name] for name in ("chapter", "claim", "check", "falsehood")}
    before, after = check_view(0, **at), check_view(1, **at)
    assert before.sentence.startswith("■ proved") and after.sentence.startswith("! failed: planted “99/100")
    assert before.last == 1  # a rule is planted at once
    for words in ("witness", "trace_determinant.py, line", "the code that ran", "fails",
                  "# 99/100 of rho log rho\nbound = lambda rho: sympy.Rational(99, 100) * rho * log(rho)"):
        assert words in after.pictures[-1]
    assert len(check_view(3, "analysis", *SLIDES).pictures) == 3  # with the way


def test_alternatives_follow_and_can_be_told_apart():
    assert CHECK.start["claim"] in dict((value, words) for words, value in claims_of("potential"))
    assert {name for _, name in checks_of("lem-trace-det")} >= {"trace_at_most_rho_log_rho"}
    assert len(falsehoods_of("lem-trace-det", "trace_at_most_rho_log_rho")) == 2
    assert unlike([("a" * 200, 1), ("a" * 201, 2)])[1][0].endswith("(1)")


def test_a_heavy_check_is_not_light():
    assert measure(checks()["lem-trace-det", "trace_at_most_rho_log_rho"], most=-1.0) is None


def test_every_check_that_was_measured_is_still_there():
    first, *lines = FILE.read_text(encoding="utf-8").splitlines()
    gone = [row for row in csv.DictReader(lines) if (row["claim"], row["check"]) not in checks()]
    assert gone == [] and len(recorded()) >= 100
    assert re.fullmatch(rf"# {COMMAND}, \d{{4}}-\d\d-\d\d, code ([0-9a-f]{{12}}|unknown), Python [\d.]+, \w+ \w+",
                        first)
