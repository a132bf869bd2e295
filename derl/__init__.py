"""derl: the module of the executable paper on deployment-efficient reinforcement learning.

A public name is imported when it is first used, so that `import derl` costs nothing by itself.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what editors complete
    from derl import algorithms, claims, deployment, estimation, mdp, theory
    from derl.deployment import Batch, Deployer, ProtocolViolation
    from derl.mdp import InvalidInstance, InvalidPolicy, LinearMDP, Mixture, instances, planning

__version__ = "0.1.0"

_HOMES = {name: home for home, names in {
    "derl": ("algorithms", "claims", "deployment", "estimation", "mdp", "theory"),
    "derl.mdp": ("InvalidInstance", "InvalidPolicy", "LinearMDP", "Mixture", "instances", "planning"),
    "derl.deployment": ("Batch", "Deployer", "ProtocolViolation"),
}.items() for name in names}

__all__ = ["Batch", "Deployer", "InvalidInstance", "InvalidPolicy", "LinearMDP", "Mixture", "ProtocolViolation",
           "algorithms", "claims", "deployment", "estimation", "instances", "mdp", "planning", "theory"]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'derl' has no attribute {name!r}")
    home = _HOMES[name]
    found = _import_module(f"derl.{name}") if home == "derl" else getattr(_import_module(home), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), *_HOMES})
