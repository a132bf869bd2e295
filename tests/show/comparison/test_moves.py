"""Table 1 as points: what the script evaluates is the printed order at the same numbers."""

import math

import pytest

from derl.show.comparison import moves

d, H, eps, nu, A = 3, 7, 0.01, 0.1, 5
AT = {"d": d, "H": H, "epsilon": eps, "nu": nu, "A": A}
PRINTED = {  # trajectories and deployments of Table 1 of the paper, evaluated by hand
    "LSVI-UCB": (d**3 * H**4 / eps**2, d**3 * H**4 / eps**2),
    "reward-free LSVI-UCB": (d**3 * H**6 / eps**2, d**3 * H**6 / eps**2),
    "FRANCIS": (d**3 * H**5 / eps**2, d**3 * H**5 / eps**2),
    "low-switching LSVI-UCB": (d**3 * H**4 / eps**2, d * H * math.log(d * H / eps)),
    "Q-type OLIVE": (d**3 * H**6 / eps**2, d * H * math.log(1 / eps)),
    "Algorithm 1": (d**4 * H**5 / eps**2, d * H),
    "Algorithms 3 and 4": (d**4 * H**7 / eps**2, d * H),
    "Algorithm 2": (H * (d**3 * H**4 / (eps**2 * nu**2) + d**7 * H**2 / nu**14), H)}


def value(terms) -> float:
    """A sum of products of powers, with at most one logarithm in each."""
    def power(product):
        return math.prod(AT[name] ** exponent for name, exponent in product.items() if name != "log")
    return sum(power(term) * (math.log(power(term["log"])) if "log" in term else 1) for term in terms)


ROWS = {row["method"]: row for row in moves.orders()["rows"]}


@pytest.mark.parametrize("method", PRINTED)
def test_a_point_lies_where_the_table_puts_it(method):
    found = [value(ROWS[method][axis]) for axis in ("trajectories", "deployments")]
    assert found == pytest.approx(PRINTED[method])


def test_the_minimum_of_a_row_is_drawn_within_a_factor_two():
    row = ROWS["simplified MOFFLE"]
    printed = d**8 * H**7 * A**13 / min(eps**2 * nu, nu**5)
    assert printed <= value(row["trajectories"]) <= 2 * printed
    assert value(row["deployments"]) == pytest.approx(H * d**3 * A**4 / nu**2)
    assert ROWS.keys() == {*PRINTED, "simplified MOFFLE"}


def test_marks_say_what_the_table_says():
    assert [name for name, row in ROWS.items() if row["reward_free"]] == [
        "reward-free LSVI-UCB", "FRANCIS", "simplified MOFFLE", "Algorithms 3 and 4", "Algorithm 2"]
    assert [name for name, row in ROWS.items() if row["policy"] == "stochastic"] == ["simplified MOFFLE", "Algorithm 2"]
