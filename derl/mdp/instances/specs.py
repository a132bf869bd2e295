"""Instances by name: "lock:d=4,horizon=3,digits=1-2-0,bias=1/10"."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

from derl.inputs import number, plugins, shown, text
from derl.mdp.instances.bandit import compact_bandit
from derl.mdp.instances.combination_lock import lock
from derl.mdp.instances.environments import from_gymnasium
from derl.mdp.instances.hexagons import hexagon
from derl.mdp.instances.junk import junk_lock
from derl.mdp.instances.rare import rare_state
from derl.mdp.instances.simplex import random_simplex
from derl.mdp.instances.stationary import stationary_embedding
from derl.mdp.instances.template import hard_template
from derl.mdp.instances.trap import optimism_trap
from derl.mdp.instances.walkway import corridor
from derl.mdp.limits import OBJECT, affordable
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance, demand

FAMILIES: dict[str, Callable[..., LinearMDP]] = {
    "random-simplex": random_simplex,
    "hard-template": hard_template,
    "hexagon": hexagon,
    "lock": lock,
    "junk-lock": junk_lock,
    "compact-bandit": compact_bandit,
    "optimism-trap": optimism_trap,
    "rare-state": rare_state,
    "corridor": corridor,
    "gymnasium": from_gymnasium,
}
STATIONARY = "stationary"
LONGEST = 100_000  # characters of a specification: the digits of a long lock
NESTED = 3  # embeddings of embeddings; each multiplies states and dimension by the horizon
WHOLE = re.compile(r"[+-]?\d{1,40}", re.ASCII)


def _integer(written):
    if not WHOLE.fullmatch(written):
        raise ValueError
    return int(written)


def _integers(written):
    """One integer, or several joined by '-'."""
    parts = [_integer(part) for part in written.split("-")]
    return parts[0] if len(parts) == 1 else parts


def _fraction(written):
    return number(written, "value")


READERS = {
    "bias": (_fraction, "a number such as 0.1 or 1/10"),
    "probability": (_fraction, "a number such as 0.1 or 1/1000"),
    "epsilon": (_fraction, "a number such as 0.1 or 1/10"),
    "digits": (_integers, "integers joined by '-', such as 1-0-2"),
    "cores": (_integers, "integers joined by '-', such as 1-0-2"),
    "arm": (_integers, "an integer, or layer-action such as 2-1"),
    "env": (str, "an id such as FrozenLake-v1"),
}
INTEGER = (_integer, "an integer")


# what a specification asks for: horizon, states, actions, dimension, and the cost of an entry
SIZES: dict[str, Callable[..., tuple]] = {
    "random-simplex": lambda n_states, n_actions, dim, horizon, **_: (horizon, n_states, n_actions, dim),
    "hard-template": lambda d, horizon, **_: (horizon + 1, d + 2, d + 2, 2 * d + 1, None, OBJECT),
    "rare-state": lambda horizon, **_: (horizon, 5, 2, 4),
    "corridor": lambda horizon: (horizon, 2, 3, 4, None, OBJECT),
    "lock": lambda d, horizon, **_: (horizon + 1, 3, d, d + 2),
    "junk-lock": lambda d, horizon, **_: (horizon, d + 4, d, d, None, OBJECT),
    "compact-bandit": lambda d, horizon, **_: (horizon + 1, 3, d, d + 2),
}


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
        specification embeds that instance (Corollary 3.3); a name ending in `.npz` is loaded, and `file.py:name`
        calls a function of your own that returns a LinearMDP.
        Sequences are joined by '-', numbers may be fractions: `lock:d=4,horizon=3,digits=1-2-0,bias=1/10`.

    Raises
    ------
    InvalidInstance
        One line: unknown family, unknown, missing or repeated parameter, a value that is not allowed, or sizes beyond
        `derl.mdp.limits`.

    Examples
    --------
    >>> from derl import instances
    >>> instances.from_spec("lock:d=3,horizon=3,digits=1-2-0,bias=1/5").dim
    5
    """
    rest, embeddings = text(spec, "specification", LONGEST, InvalidInstance).strip(), 0
    while rest.partition(":")[0].strip() == STATIONARY:
        rest, embeddings = rest.partition(":")[2].strip(), embeddings + 1
    if embeddings > NESTED:
        raise InvalidInstance(f"'{STATIONARY}:' stands {embeddings} times in a row; at most {NESTED} are allowed")
    mdp = LinearMDP.load(rest) if rest.endswith(".npz") else _own(rest) if plugins.is_plugin(rest) else _build(rest)
    for _ in range(embeddings):
        horizon, n_states, n_actions, dim = mdp.phi.shape
        affordable(STATIONARY, horizon, n_states * horizon, n_actions, dim * horizon, layers=1)
        mdp = stationary_embedding(mdp)
    return mdp


def _own(spec):
    mdp = plugins.load(spec)()
    demand(LinearMDP, **{spec: mdp})
    return mdp


def _build(spec):
    family, _, rest = spec.partition(":")
    family = family.strip().replace("_", "-")
    if family not in FAMILIES:
        raise InvalidInstance(f"unknown instance family {shown(family)}; allowed are {', '.join(FAMILIES)}, "
                              f"'{STATIONARY}:' before one of them, the name of an .npz file, or a function of your "
                              "own, such as mine.py:chain")
    values = _values(family, rest)
    if family in SIZES:
        affordable(family, *SIZES[family](**values))
    return FAMILIES[family](**values)


def _values(family, written):
    wanted, values = parameters(family), {}
    known = f"parameters are {', '.join(wanted)}" if wanted else "it has no parameters"
    for part in filter(None, (part.strip() for part in written.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InvalidInstance(f"{family}: {shown(part)} is not of the form name=value; {known}")
        if name not in wanted:
            raise InvalidInstance(f"{family}: unknown parameter {shown(name)}; {known}")
        if name in values:
            raise InvalidInstance(f"{family}: parameter {name!r} is given twice; once is allowed")
        read, allowed = READERS.get(name, INTEGER)
        try:
            values[name] = read(value)
        except ValueError:
            raise InvalidInstance(f"{family}: {name} is {shown(value)}; it must be {allowed}") from None
    missing = [name for name in wanted if name not in values]
    if missing:
        raise InvalidInstance(f"{family}: parameter {missing[0]!r} is missing; {known}")
    return values
