"""A text in YAML is a tree of bounded depth, or it is refused in one line and soon."""

import time

import pytest

from derl.inputs import Invalid
from derl.inputs.mappings import DEEPEST, mapping

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9))


def nested(levels):
    """A mapping of a list of a list ..., so many values deep."""
    return "a: " + "[" * (levels - 2) + "1" + "]" * (levels - 2)


@pytest.mark.parametrize("text, why", [
    (LAUGHS, "an alias in line 2"), ("a: &a [*a]", "an alias in line 1"),
    ("a: &a {b: 1}\nc:\n  <<: *a", "an alias"), ("a: &a 1\nb: *a", "an alias"), ("a: &a x\n? *a\n: 1", "an alias"),
    *((f"a: 1\nb: {typed}", f"line 2 has {typed}, which") for typed in (
        "1:30", "010", "0x10", "0o7", "0b1", "1_000", "-1:30.5")),
    (nested(DEEPEST + 1), f"deeper than {DEEPEST} levels"), ("a: " + "[" * 100_000, "deeper"),
    ("- " * 100_000, "deeper"), ("a: " + "{a: " * 500 + "1" + "}" * 500, "deeper"),
])
def test_what_multiplies_contains_itself_or_is_too_deep_is_one_line_and_soon(text, why):
    began = time.monotonic()
    with pytest.raises(Invalid, match=why) as refused:
        mapping(text, "the specification")
    assert "\n" not in str(refused.value) and "the specification" in str(refused.value)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("text, value", [
    ("a: &name 1\nb: 'x*y & z'", {"a": 1, "b": "x*y & z"}), ("a: [1, 1]\nb: [1, 1]", {"a": [1, 1], "b": [1, 1]}),
])
def test_an_anchor_without_an_alias_and_equal_values_are_read(text, value):
    assert mapping(text, "x") == value
    assert mapping(nested(DEEPEST), "x")
