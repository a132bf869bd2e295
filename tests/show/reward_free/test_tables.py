"""Tables of the page of Algorithms 3 and 4."""

from derl.show.reward_free import tables

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def number(said):
    """7.7·10²¹ as a float."""
    mantissa, _, power = said.partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(RAISED) or 0)


def cells(shown):
    return [line.strip("| ").split(" | ") for line in shown.data.splitlines()][2:]


def test_the_printed_corner_is_undervalued_although_the_regression_is_right():
    printed, repaired = ([float(x) for x in row[1:]] for row in cells(tables.corner_replay(10**18)))
    assert printed[0] < printed[1]
    assert repaired[0] >= repaired[1]
    assert max(printed[2], repaired[2]) < 1


def test_better_analyses_need_less():
    for row in cells(tables.batch_sizes(3, 3, 0.5, 0.1, (2, 6))):
        explicit, sharp, flat = map(number, row[2:])
        assert explicit > sharp > flat
