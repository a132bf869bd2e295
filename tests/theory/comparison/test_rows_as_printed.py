"""The rows of Table 1 in the program are the entries that the statements print."""

import pytest

from derl.printed import BEGINNING
from derl.theory.comparison import table1
from derl.theory.comparison.table1 import H, actions, d, epsilon, eta, nu
from derl.theory.texts import said

INSIDE = {name: lambda inside: inside for name in ("O", r"\tilde O")}
SUMS = ("tab-row-arbitrary", "tab-row-moffle")


@pytest.mark.parametrize("row", [row for row in table1.ROWS if row.claim not in SUMS],
                         ids=lambda row: row.claim)
def test_trajectories_are_the_printed_ones(row):
    assert said(row.claim)("", after=BEGINNING, d=d, H=H, epsilon=epsilon, **INSIDE).equals(row.trajectories)


def test_the_last_row_is_the_printed_one():
    row = table1.row("tab-row-arbitrary")
    pieces = {r"\nu_{\min}": nu}
    assert said(row.claim)(r"K\cdot N=", pieces, d=d, H=H, epsilon=epsilon, **INSIDE).equals(row.trajectories)


def test_the_deployments_of_moffle_are_the_printed_ones():
    row = table1.row("tab-row-moffle")
    printed = said(row.claim)("", {r"\eta_{\min}": eta}, after="trajectories,", d=d, H=H, A=actions, **INSIDE)
    assert printed.equals(row.deployments)
