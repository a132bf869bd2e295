"""What a ledger says is read by attribute: a misspelt field is then an error where it stands, and types are checked.

`row["verdict"]` is for pages and for programs of others.
"""

import ast

import pytest
import rules

from derl.ledger.rows import CheckRow, ControlRow, StatementRow

# fields that nothing else in these folders has
OWN = {"verdict", "as_expected", "scope_gap", "rests_on", "weakest", "grounded", "checks", "outcome", "measured",
       "claimed", "planted", "controls", "control", "witness", "breaks", "refutes", "breaks_proof", "near_miss"}
PLACES = ("derl/ledger/*.py", "derl/cli/*.py", "derl/claims/**/*.py", "book/_ext/*.py", "book/_setup/*.py")
JSON = {"derl/ledger/rows.py"}  # reads what the file says


def by_key(source: str) -> list[str]:
    """Fields of rows that are read by a key: `row["verdict"]`, `row.get("verdict")`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        key = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            key = node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            key = next(iter(node.args), None)
        if isinstance(key, ast.Constant) and key.value in OWN:
            found.append(key.value)
    return found


def test_no_field_of_a_row_is_read_by_a_key():
    files = [path for path in rules.tracked() if any(path.match(place) for place in PLACES)]
    found = {path.relative_to(rules.ROOT).as_posix(): by_key(path.read_text(encoding="utf-8")) for path in files}
    assert len(files) > 60 and OWN <= {*StatementRow.__annotations__, *CheckRow.__annotations__,
                                       *ControlRow.__annotations__, "near_miss"}
    assert {name: fields for name, fields in found.items() if fields and name not in JSON} == {}


@pytest.mark.parametrize("line, fields", [
    ('row["verdict"]', ["verdict"]), ("check.get('control', {})['outcome']", ["outcome", "control"]),
    ('f"{check[\'measured\']}"', ["measured"]), ("row.verdict", []), ('row["colour"]', []), ('row["verdict"] = 1', []),
    ('"verdict"', []), ("row.get()", [])])
def test_a_planted_key_is_seen(line, fields):
    assert by_key(line) == fields
