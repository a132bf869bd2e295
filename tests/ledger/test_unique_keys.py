"""claims.yml is read by the parser in C, and a key that stands twice does not pass it."""

import pytest
import yaml

from derl.inputs import mappings
from derl.ledger import InvalidClaims, statements

FIELDS = ("kind: lemma", "number: ''", "label: ''", "line: 1", "title: t", "statement: s", "page: p", "expected: holds",
          "word: tested")
ENTRY = "{key}:\n" + "".join(f"  {field}\n" for field in FIELDS)


def test_the_parser_in_c_reads_claims():
    assert issubclass(mappings.UniqueKeys, yaml.CSafeLoader)
    assert list(statements.parse(ENTRY.format(key="one") + ENTRY.format(key="two"))) == ["one", "two"]


@pytest.mark.parametrize("text, key, line", [
    (ENTRY.format(key="one") + ENTRY.format(key="one"), "one", 11),
    (ENTRY.format(key="one") + "  title: u\n", "title", 11),
    (ENTRY.format(key="one") + "  uses: {proof: [], proof: [two]}\n", "proof", 11),
])
def test_a_key_that_stands_twice_is_refused_with_its_line(text, key, line):
    with pytest.raises(InvalidClaims, match=rf"the key '{key}' stands twice \(line {line}\)"):
        statements.parse(text)
