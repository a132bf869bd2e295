"""The numbers that a statement prints are those that its check starts from: a check of something weaker is no check."""

import inspect
import re

import pytest

from derl.claims import PAPER

NUMBER = r"(\d[\d\\,]*)"
PRINTED = {  # statement -> what it prints, the check, and the parameters in the order of the numbers
    "res-law-without-reachability": [
        (rf"Q={NUMBER}\\,\(H\+(\d+)\)\^2\\,\\frac{{d\^(\d+)H\^(\d+)}}", "all_linear_mdps_in_steps",
         ("closed", "shift", "dims", "horizons"))],
    "res-no-reachability-rate": [
        (rf"\$C={NUMBER}\$ for a design", "rate_in_steps", ("design",)),
        (rf"\$C={NUMBER}\\cdot10\^9\$ for spanners", "rate_in_steps", ("spanner",))],
}
UNITS = {("res-no-reachability-rate", "spanner"): 10**9}


def printed(text, pattern):
    return [int(re.sub(r"\D", "", number)) for number in re.search(pattern, text).groups()]


def defaults(name):
    (found,) = (check.function for check in PAPER.register().checks if check.function.__name__ == name)
    return {key: value.default for key, value in inspect.signature(found).parameters.items()}


@pytest.mark.parametrize("claim, pattern, name, parameters", [
    (claim, *row) for claim, rows in PRINTED.items() for row in rows])
def test_a_check_starts_from_the_printed_numbers(claim, pattern, name, parameters):
    numbers, given = printed(PAPER.statements[claim].statement, pattern), defaults(name)
    assert [number * UNITS.get((claim, key), 1) for key, number in zip(parameters, numbers, strict=True)] == [
        given[key] for key in parameters]


def test_the_law_takes_its_block_from_the_rate():
    """A block of L layers costs (L + 5)^2 d^(L+5) K^2 H^4, with the constant of a design."""
    from derl.theory.beyond import truncation

    text = PAPER.statements["res-no-reachability-rate"].statement
    assert printed(text, rf"\$C={NUMBER}\$ for a design") == [truncation.COVERS["design"].closed]
    assert r"(L+5)^2\,\frac{d^{L+p+3}K^2H^4}" in text and r"\tilde O(d^{L+5}K^2H^4/\epsilon^2)" in text
