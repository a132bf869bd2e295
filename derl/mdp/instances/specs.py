"""Instances by name: "lock:d=4,horizon=3,digits=1-2-0,bias=1/10"."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from fractions import Fraction

from derl.mdp.instances.bandit import compact_bandit
from derl.mdp.instances.hexagon import hexagon
from derl.mdp.instances.lock import lock
from derl.mdp.instances.simplex import random_simplex
from derl.mdp.instances.stationary import stationary_embedding
from derl.mdp.instances.tables import from_gymnasium
from derl.mdp.instances.template import hard_template
from derl.mdp.instances.trap import optimism_trap
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance

FAMILIES: dict[str, Callable[..., LinearMDP]] = {
    "random-simplex": random_simplex,
    "hard-template": hard_template,
    "hexagon": hexagon,
    "lock": lock,
    "compact-bandit": compact_bandit,
    "optimism-trap": optimism_trap,
    "gymnasium": from_gymnasium,
}
STATIONARY = "stationary"


def _number(text):
    return Fraction(text)


def _integers(text):
    """One integer, or several joined by '-'."""
    parts = [int(part) for part in text.split("-")]
    return parts[0] if len(parts) == 1 else parts


READERS = {
    "bias": (_number, "a number such as 0.1 or 1/10"),
    "epsilon": (_number, "a number such as 0.1 or 1/10"),
    "digits": (_integers, "integers joined by '-', such as 1-0-2"),
    "cores": (_integers, "integers joined by '-', such as 1-0-2"),
    "arm": (_integers, "an integer, or layer-action such as 2-1"),
    "env": (str, "an id such as FrozenLake-v1"),
}
INTEGER = (int, "an integer")


def parameters(family: str) -> tuple[str, ...]:
    """Names of the parameters that a specification of the family must give."""
    signature = inspect.signature(FAMILIES[family])
    return tuple(p.name for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD)


def from_spec(spec: str) -> LinearMDP:
    """Build an instance from text.

    Parameters
    ----------
    spec : str
        `family:name=value,name=value,...` with every parameter of the family; `stationary:` before a
        specification embeds that instance (Corollary 3.3); a name ending in `.npz` is loaded.
        Sequences are joined by '-', numbers may be fractions: `lock:d=4,horizon=3,digits=1-2-0,bias=1/10`.

    Raises
    ------
    InvalidInstance
        One line: unknown family, unknown, missing or repeated parameter, or a value that is not allowed.
    """
    spec = spec.strip()
    if spec.endswith(".npz"):
        return LinearMDP.load(spec)
    family, _, rest = spec.partition(":")
    family = family.strip().replace("_", "-")
    if family == STATIONARY:
        return stationary_embedding(from_spec(rest))
    if family not in FAMILIES:
        raise InvalidInstance(f"unknown instance family {family!r}; allowed are {', '.join(FAMILIES)}, "
                              f"'{STATIONARY}:' before one of them, or the name of an .npz file")
    return FAMILIES[family](**_values(family, rest))


def _values(family, text):
    wanted, values = parameters(family), {}
    known = f"parameters are {', '.join(wanted)}" if wanted else "it has no parameters"
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InvalidInstance(f"{family}: {part!r} is not of the form name=value; {known}")
        if name not in wanted:
            raise InvalidInstance(f"{family}: unknown parameter {name!r}; {known}")
        if name in values:
            raise InvalidInstance(f"{family}: parameter {name!r} is given twice; once is allowed")
        read, allowed = READERS.get(name, INTEGER)
        try:
            values[name] = read(value)
        except (ValueError, ZeroDivisionError):
            raise InvalidInstance(f"{family}: {name} is {value!r}; it must be {allowed}") from None
    missing = [name for name in wanted if name not in values]
    if missing:
        raise InvalidInstance(f"{family}: parameter {missing[0]!r} is missing; {known}")
    return values
