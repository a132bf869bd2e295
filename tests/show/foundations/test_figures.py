"""The pictures of a typed MDP and of a broken check show what was typed and what was found."""

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from derl.judge.evidence import Evidence
from derl.show.drawing import style
from derl.show.foundations import draft_figure, trial_figures
from derl.show.foundations.draft import Draft, Fault

DRAFT = Draft(np.zeros((2, 2, 1)), np.array([[[1.0, 0.0], [0.25, 0.75]], [[0.0, 1.0], [1.5, -0.5]]]),
              np.array([[0.125, 1.0], [0.0, 0.5]]))


def arrows(axes):
    return [note.arrow_patch for note in axes.texts if note.arrow_patch is not None]


@pytest.mark.parametrize("wrong", [None, Fault("no", 1, 0), Fault("all rows")])
def test_every_row_has_an_arrow_per_probability_and_the_fault_is_red(wrong):
    axes = draft_figure.one_step(DRAFT, wrong).axes[0]
    drawn = arrows(axes)
    assert len(drawn) == np.count_nonzero(DRAFT.rows) == 6
    widths = [arrow.get_linewidth() for arrow in drawn]
    assert widths == pytest.approx([3.0, 0.5 + 2.5 * 0.25, 0.5 + 2.5 * 0.75, 3.0, 0.5 + 2.5 * 1.5, 0.5 + 2.5 * 0.5])
    assert [arrow.get_linestyle() for arrow in drawn] == ["-"] * 5 + ["--"]  # what is negative is dashed
    words = [note.get_text() for note in axes.texts if note.get_text() and note.arrow_patch is None]
    assert [word.lstrip("✗ ") for word in words[:4]] == ["a0, r = 0.125", "a1, r = 1", "a0, r = 0", "a1, r = 0.5"]
    assert words[4:] == ["s0", "s0", "s1", "s1"]
    bad = [word.startswith("✗") for word in words[:4]]
    assert bad == [False, False, wrong is not None and wrong.state == 1, False]


@dataclass
class Run:
    """What the pictures read of a trial."""

    evidence: Evidence | None
    error: str = ""
    stop: int = 0
    stops: int = 10
    passes: bool = True


def marked(axes):
    return {line.get_label(): line for line in axes.lines}


@pytest.mark.parametrize("count", [3, trial_figures.NAMED + 4])
def test_steps_are_squares_where_they_hold_and_crosses_where_they_fail(count):
    steps = tuple((f"step {i} is {'n' * 90}", i != 1) for i in range(count))
    run = Run(SimpleNamespace(steps=steps))
    axes = trial_figures.gauge(run, run).axes[0]
    across = 1 if count == 3 else trial_figures.ACROSS
    at = {good: [(i % across, -(i // across)) for i in range(count) if (i != 1) == good] for good in (True, False)}
    lines = marked(axes)
    for good, label in ((True, "step that holds"), (False, "step that fails")):
        assert list(zip(*lines[label].get_data(), strict=True)) == at[good]
    words = [note.get_text() for note in axes.texts]
    assert [word for word in words if word.isdigit()] == [str(i + 1) for i in range(count)]
    named = [word for word in words if word.startswith("step")]
    assert len(named) == (3 if count == 3 else 0) and all(len(word) == trial_figures.LONGEST for word in named)
    assert trial_figures.found(run.evidence).startswith(f"1 of {count} steps fails, first: step 1 is")


@pytest.mark.parametrize("direction, holds, allowed", [("upper", True, (None, 2.0)), ("lower", False, (2.0, None)),
                                                       ("tight", False, ())])
def test_what_is_allowed_is_shaded_on_its_side_of_the_claim(direction, holds, allowed):
    truth = Run(Evidence(Fraction(3, 2), 2, direction, "x"))
    run = Run(Evidence(1, 2, direction, "x"))
    assert run.evidence.holds is holds
    axes = trial_figures.gauge(run, truth).axes[0]
    lines, low, high = marked(axes), *axes.get_xlim()
    assert list(lines["measured"].get_xdata()) == [1.0] and lines["measured"].get_marker() == ("s" if holds else "X")
    assert list(lines["measured for the truth"].get_xdata()) == [1.5]
    assert list(lines[f"claimed: {trial_figures.SIGNS[direction]}"].get_xdata()) == [2.0, 2.0]
    assert (low, high) == (0.75, 2.25)  # a quarter of the distance on each side
    spans = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in axes.patches]
    assert spans == ([(allowed[0] or low, allowed[1] or high)] if allowed else [])


def test_numbers_are_short_and_what_has_no_answer_says_why():
    values = (Fraction(1, 3), Fraction(1, 10**5), 0.123456789, 10**400, -10**400)
    assert [trial_figures.number(value) for value in values] == [
        "1/3", "1e-05", "0.123457", "1e400 or so", "-1e400 or so"]
    run = Run(None, "it could not be run")
    assert trial_figures.gauge(run, run).axes[0].texts[0].get_text() == "it could not be run"


def test_the_passage_marks_each_stop_by_its_verdict_and_the_reader():
    runs = [Run(SimpleNamespace(), stop=0), Run(SimpleNamespace(), stop=4, passes=False), Run(None, stop=10)]
    lines = marked(trial_figures.passage(runs, 4).axes[0])
    assert [list(lines[label].get_xdata()) for label in ("passes", "fails", "no answer", "you are here")] == [
        [0.0], [40.0], [100.0], [40.0]]
    assert lines["passes"].get_color() == style.GREEN
    assert list(marked(trial_figures.passage(runs, 99).axes[0])["you are here"].get_xdata()) == [100.0]
