"""Tables and the figure of the refinements."""

from derl.show.beyond import refinements


def cells(table):
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def number(cell):
    """1.2·10¹⁸ as a float."""
    mantissa, _, power = cell.partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")) or 0)


def test_needles_beat_one_bandit_at_the_largest_size():
    last = [row for row in cells(refinements.needed()) if row[0] == "1000000"]
    assert len(last) == 4 and all(float(row[3]) > float(row[2]) for row in last)


def test_the_prefix_wins_for_small_coefficients():
    rows = cells(refinements.sizes_without_nu())
    assert all(number(row[3]) < number(row[2]) for row in rows[1:])


def test_paces_lie_between_their_bounds():
    for row in cells(refinements.paces()):
        assert float(row[2]) <= float(row[3]) <= float(row[4])
        assert abs(float(row[6]) - int(row[7])) <= 1.5


def test_figure_has_three_lines():
    assert len(refinements.failures(200, 200).axes[0].lines) == 3


def test_optimal_play_lies_between_forgetting_and_being_told():
    told, optimal, forgets = (line.get_ydata() for line in refinements.pace_curve(5, 3).axes[0].lines)
    assert (forgets < optimal).all() and (optimal < told).all()


def test_the_best_prefix_is_below_the_eigenvalue_rule_where_nu_is_small():
    told, rule, best = (line.get_ydata() for line in refinements.sizes_curve(3, 4).axes[0].lines)
    assert best[0] < rule[0] and best[-1] > told[-1]
