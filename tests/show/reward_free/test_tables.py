"""Tables of the page of Algorithms 3 and 4."""

from derl.show.reward_free import tables


def cells(shown):
    return [line.strip("| ").split(" | ") for line in shown.data.splitlines()][2:]


def test_the_printed_corner_is_undervalued_although_the_regression_is_right():
    printed, repaired = ([float(x) for x in row[1:]] for row in cells(tables.corner_replay(10**18)))
    assert printed[0] < printed[1]
    assert repaired[0] >= repaired[1]
    assert max(printed[2], repaired[2]) < 1
