"""Mappings written as YAML: safe, and no key stands twice."""

from __future__ import annotations

import yaml

from derl.boundary.values import Invalid


class UniqueKeys(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML keeps the last of two equal keys without a word; here the second is an error."""

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
        It is no YAML, a key stands twice, or it is empty or no mapping.
    """
    try:
        raw = yaml.load(text, Loader=UniqueKeys)
    except yaml.constructor.ConstructorError as problem:
        raise error(f"{name}: {' '.join(str(problem.problem).split())}") from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as problem:
        raise error(f"{name} is not valid YAML: {' '.join(str(problem).split())[:300]}") from None
    if not isinstance(raw, dict) or not raw:
        raise error(f"{name} is empty or no mapping; it must map keys to values")
    return raw
