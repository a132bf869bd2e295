"""The numbers of the errata are those of their checks; what no check prints is arithmetic, or a file says it."""

import csv
import json
import re
from fractions import Fraction

import pytest
from origins import amiss
from rules import ROOT

from derl.claims import PAPER
from derl.ledger.rows import plain

FIELDS = ("printed", "corrected", "reading", "margin", "becomes")
ROWS = list(csv.DictReader((ROOT / "tests" / "book" / "errata_numbers.csv").read_text(encoding="utf-8").splitlines()))
NAMED = re.compile(r"\{[a-z]+\}`[^`]*`|\b(?:[Ll]ines?|Theorems?|Lemmas?|Definitions?|Claims?|Algorithms?|Equations?"
                   r"|Sections?) \(?[A-F]?\.?\d[\d.]*(?:(?:,| and|-| or) ?[A-F]?\.?\d[\d.]*)*"
                   r"|\((?:[A-F0-9.]+[;,] ?)+[^)]*\)")
NUMBER = re.compile(r"\d+\.\d+|(?<![\w^{.,])\d{3,}|\d{4,}(?=\})|(?<=\{-)\d{3,}(?=\})|\d{1,3}(?:\\,|,)\d{3}")


def numbers(erratum) -> list[str]:
    """Decimals and whole numbers with three digits or more that an erratum types."""
    return [re.sub(r"\\,|,", "", number) for field in FIELDS
            for number in NUMBER.findall(NAMED.sub(" ", erratum[field]))]


def told(keys: list[str], claims: dict) -> tuple[set[float], str]:
    """Every number that checks of these statements have found or planted, and every text of them."""
    found, texts = set(), [PAPER.statements[key].statement for key in keys]
    for check in (check for key in keys for check in claims[key].checks):
        texts.append(json.dumps({key: value for key, value in plain(check).items() if key not in ("seconds", "line")}))
        for row in (check, *check.controls):
            for number in (row.measured, row.claimed):
                try:
                    found.add(abs(float(Fraction(str(number)))))
                except (ValueError, OverflowError):
                    continue
    return found, re.sub(r"(?<=\d)(?:\\,|[ ,_])(?=\d{3})", "", " ".join(texts))


def typed(key: str, erratum, claims: dict) -> list[str]:
    """Numbers of an erratum that no check of its statement, or of those that it uses, knows."""
    statement = PAPER.statements[key]
    found, texts = told([key, *filter(None, [statement.repair]), *statement.uses], claims)

    def known(number: str) -> bool:
        unit = 10.0 ** -len(number.partition(".")[2])
        return number in texts or any(abs(value - float(number)) <= 0.51 * unit for value in found)

    return [number for number in numbers(erratum) if not known(number)]


def test_every_number_of_the_errata_is_one_of_its_checks_or_has_a_row(ledger):
    listed = {(row["statement"], row["number"]) for row in ROWS}
    found = {(key, number) for key, statement in PAPER.statements.items() if statement.erratum
             for number in typed(key, statement.erratum, ledger.claims)}
    assert found - listed == set()
    assert listed - found == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['statement']} {row['number']}")
def test_a_number_that_no_check_prints_comes_from_where_its_row_says(row):
    assert amiss(row, {}) == ""


@pytest.mark.parametrize("planted, seen", [
    ("A loss of 0.0913 with two arms.", []), ("A loss of 0.0713 with two arms.", ["0.0713"]),
    ("After 12,345 steps.", ["12345"]), ("Theorem 4.1, line 1653 and {claim}`lem-a` are right.", []),
    ("A probability below $10^{-16999}$.", ["16999"]),
])
def test_a_planted_number_is_seen(planted, seen, ledger):
    erratum = dict.fromkeys(FIELDS, "") | {"margin": planted}
    assert typed("thm-lower-deterministic", erratum, ledger.claims) == seen
