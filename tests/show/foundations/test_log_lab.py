"""The lab on logs: the interval of the data, and what a batch does to it."""

import pytest

from derl.show.foundations.log_lab import LAB, decide


@pytest.mark.parametrize("length", [100, 500, 2500])
def test_the_truth_about_the_plan_lies_in_the_interval_and_a_batch_narrows_it(length):
    log, more = decide(length, 0.1, 1.0, 0), decide(length, 0.1, 1.0, 4096)
    for one in (log, more):
        assert one.pessimistic <= one.plan <= one.best <= one.optimistic
    assert more.optimistic - more.pessimistic < log.optimistic - log.pessimistic
    assert more.plan >= log.plan


def test_a_log_of_one_action_leaves_all_others_open_however_long_it_is():
    short, long = decide(20, 0.0, 0.3, 0), decide(12_500, 0.0, 0.3, 0)
    assert short.optimistic == long.optimistic == 4 and long.pessimistic <= long.plan == pytest.approx(long.old)


def test_a_small_bonus_has_no_guarantee():
    small = decide(20, 0.6, 0.03, 0)
    assert small.best > small.optimistic


def test_the_sentence_names_the_loss():
    view = LAB.view(**LAB.start)
    assert "its plan loses" in view.sentence and "1024 trajectories more" in view.sentence
