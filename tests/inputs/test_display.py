"""Objects show themselves in at most ten short lines, and in HTML that is escaped."""

import math
from xml.etree import ElementTree

import made_rows
import numpy as np
import pytest

from derl import Deployer, LinearMDP, Mixture, algorithms, claims, instances, planning, theory
from derl.inputs import display
from derl.ledger import Ledger

LINES, WIDE = 10, 140
BIG = instances.random_simplex(n_states=60, n_actions=4, dim=5, horizon=30, seed=0)


def objects():
    deployer = Deployer(BIG, 10**15, 3, "any", seed=1)
    plan = planning.optimal(BIG)
    mixture = Mixture((plan.policy,) * 4, np.full(4, 1 / 4))
    run = algorithms.run_by_name(1, instances.optimism_trap(), 0.2, 0.1, 10**12)
    statement = claims.load()["lem-trace-det"]
    row = made_rows.statement(verdict="failed", expected="proved", as_expected=False)
    return [BIG, deployer, deployer.deploy(mixture), deployer.deploy_sums(mixture), deployer.deploy_layer(mixture, 2),
            deployer, plan, mixture, run, run.outcome, theory.reachability.nu(instances.optimism_trap(), 2), statement,
            Ledger("quick", {f"c{n}": row for n in range(900)}, {}, "a" * 40)]


@pytest.fixture(scope="module")
def shown():
    return objects()


def test_texts_are_short_whatever_the_size(shown):
    for thing in shown:
        text = repr(thing)
        assert text.startswith(type(thing).__name__) and text == str(thing)
        assert len(text.splitlines()) <= LINES and max(map(len, text.splitlines())) <= WIDE, text


def test_html_is_whole_and_small(shown):
    for thing in shown:
        page = thing._repr_html_()
        ElementTree.fromstring(page)  # one element, everything closed
        assert type(thing).__name__ in page and len(page) < 40_000, type(thing)
        assert "http" not in page and "<script" not in page


def test_an_outcome_shows_its_deployments_and_a_chart(shown):
    outcome = next(thing for thing in shown if isinstance(thing, algorithms.Outcome))
    page = ElementTree.fromstring(outcome._repr_html_())
    assert len(page.findall(".//tbody/tr")) == min(display.ROWS + 1, outcome.deployments)
    (picture,) = page.findall(".//svg")
    curves = picture.findall(".//polyline")
    assert len(curves) == 2 and "statistic and threshold" in picture.get("aria-label")
    assert len(curves[0].get("points").split()) == len(picture.findall(".//circle")) / 2 == outcome.deployments


def test_to_show_an_object_computes_nothing(monkeypatch):
    """What is made when it is first read stays unmade, and nobody is asked to compute."""
    deployer = Deployer(BIG, 10**6, 3, "any", seed=1)
    plan = planning.optimal(BIG)
    objects = [BIG.truncate(30), plan, deployer.deploy(plan.policy), deployer.deploy_sums(plan.policy), deployer]
    before = [set(vars(thing)) for thing in objects]
    for heavy in ("backup", "transitions", "rewards", "transition_rows"):
        monkeypatch.setattr(LinearMDP, heavy, None)
    for thing in objects:
        assert repr(thing) and thing._repr_html_()
    assert [set(vars(thing)) for thing in objects] == before
    with pytest.raises(TypeError):
        planning.Plan.q.func(plan)  # this is what would have been noticed


def test_names_from_outside_are_escaped():
    evil = "<script>alert(1)</script>&\"'"
    mdp = LinearMDP(np.eye(2).reshape(1, 1, 2, 2), np.ones((1, 2, 1)), np.array([[0.25, 1.0]]), np.ones(1),
                    info={evil: evil})
    for page in (mdp._repr_html_(), display.table([{evil: evil}]), display.html(evil, {evil: evil}),
                 display.chart([1, 2], {evil: [1, 2]}, evil)):
        assert "<script>" not in page and "&lt;script&gt;" in page
        ElementTree.fromstring(f"<div>{page}</div>")


def test_large_whole_numbers_and_odd_values():
    assert [display.short(value) for value in (7, 999_999, 10**6, 10**12, 12345678 * 10**10, -(10**9), 0.1, None, True)
            ] == ["7", "999999", "1e+06", "1e+12", "123456780000000000", "-1e+09", "0.1", "-", "True"]
    assert display.short(10**400) == "1e+400" and display.short(99_999_995 * 10**15) == "1e+23"
    assert display.short(1_234_567) == "1234567" and display.short(-1_234_560) == "-1.23456e+06"
    exact = [10**k * m for k in range(14) for m in (1, 25, 123_456, 1_234_567)]
    assert [int(float(display.short(n)) if "e" in display.short(n) else display.short(n)) for n in exact] == exact
    assert display.short(math.nan) == "nan"
    assert display.cut("a\nb" * 200).endswith("...") and len(display.cut("a\nb" * 200)) == display.LONGEST


@pytest.mark.parametrize("values", [[], [0.0, -1.0], [None, None], [math.inf, math.nan], [1.0, None]])
def test_a_chart_without_two_positive_numbers_is_left_out(values):
    assert display.chart(range(1, len(values) + 1), {"x": values}, "k") == ""
