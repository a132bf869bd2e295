"""Mappings written as YAML, read safely: a key that occurs twice and an alias are refused.

A few aliases (`*name`) can describe gigabytes, or a value that contains itself; a text nested thousands of times would
break whatever walks through it. A number of a million digits takes minutes to be read. All are refused before anything
is built.
"""

from __future__ import annotations

import re

import yaml

from derl.inputs.values import DIGITS, Invalid

OTHERWISE = re.compile(r"[-+]?(0[0-9_]+|0[xob][0-9a-fA-F_]+|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|[0-9]+_[0-9_]*)")
NUMERAL = re.compile(r"[-+.:_0-9a-fA-FxXoO]+")  # may be read as a number; 1:1:1 is one to the base 60
DEEPEST = 32  # mappings and lists within each other


class UniqueKeys(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML keeps the last of two equal keys without a warning; this loader reports the second as an error."""

    def construct_mapping(self, node, deep=False):
        """As the parent's, but every key once."""
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=deep)
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice (line {key_node.start_mark.line + 1})")
            seen.add(key)
        return super().construct_mapping(node, deep)


def mapping(text: str, name: str, error: type[Invalid] = Invalid) -> dict:
    """The mapping that a text in YAML holds.

    Parameters
    ----------
    name : str
        What the text is called in errors.

    Raises
    ------
    error
        The text is not YAML, a key occurs twice, it has an alias or too many levels, or it is empty or not a mapping.
    """
    try:
        _is_tree(text)
        raw = yaml.load(text, Loader=UniqueKeys)
    except yaml.constructor.ConstructorError as problem:
        raise error(f"{name}: {' '.join(str(problem.problem).split())}") from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as problem:
        raise error(f"{name} is not valid YAML: {' '.join(str(problem).split())[:300]}") from None
    if not isinstance(raw, dict) or not raw:
        raise error(f"{name} is empty or no mapping; it must map keys to values")
    return raw


def _is_tree(text: str) -> None:
    """Refuse aliases and levels without end while nothing is built yet: the builder in C has no bound of its own."""
    depth = 0
    for event in yaml.parse(text, Loader=UniqueKeys):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise yaml.constructor.ConstructorError(
                None, None, f"there is an alias in line {line}; write the value out instead")
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > DIGITS and NUMERAL.fullmatch(event.value) and (
                event.implicit[0] or event.tag):
            raise yaml.constructor.ConstructorError(
                None, None, f"line {line} has a number of {len(event.value)} characters; at most {DIGITS} are allowed")
        if isinstance(event, yaml.ScalarEvent) and event.implicit[0] and OTHERWISE.fullmatch(event.value):
            raise yaml.constructor.ConstructorError(
                None, None, f"line {line} has {event.value}, which YAML reads as another number; write it in digits")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth >= DEEPEST:
                raise yaml.constructor.ConstructorError(
                    None, None, f"line {line} is nested deeper than {DEEPEST} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
