"""What a card says of a check that is broken on purpose."""

from dataclasses import replace
from pathlib import Path

import made_rows
import pytest
from check_words import CONTRARY, answer

from derl.judge import kernel

STEPS = made_rows.check(steps=[{"name": "a <= b"}])
NUMBER = made_rows.check(direction="upper")


def control(**given):
    return made_rows.control(**{"measured": "3", "claimed": "4"} | given)


@pytest.mark.parametrize("row, check, said", [
    (control(breaks=["a <= b"], witness="a <= b: s = 1: 2 < 1"), STEPS,
     "3 of 4 steps hold; this one fails: a <= b; at s = 1: 2 < 1"),
    (control(breaks=["a <= b", "c"], witness="failed: a <= b, c"), STEPS,
     "3 of 4 steps hold; these fail: a <= b; c"),
    (control(breaks=["c"], witness="gap 5; failed: c"), STEPS, "3 of 4 steps hold; this one fails: c; gap 5"),
    (control(breaks=list("abcde")), STEPS, "3 of 4 steps hold; these fail: a; b; c; and 2 more"),
    (control(breaks=[CONTRARY]), STEPS, "the kernel of Coq has accepted a proof of the contrary"),
    (control(measured=2.0, claimed=0.2, detail="corridor"), NUMBER,
     "it computes 2, which is not at most 0.2 (corridor)"),
    (control(measured="0", claimed="1"), replace(NUMBER, direction="lower", refutes=True),
     "it computes 0, which is not at least 1, so nothing is refuted"),
    (control(outcome="NOT REJECTED"), NUMBER, "the check does not object: NOT REJECTED"),
])
def test_the_answer_names_what_fails_and_where(row, check, said):
    assert answer(row, check) == said


def test_the_step_of_the_kernel_checks_is_called_so():
    assert f'"{CONTRARY}"' in Path(kernel.__file__).read_text(encoding="utf-8")

