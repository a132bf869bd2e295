"""The algorithms of the paper, each `name(deployer, ...) -> Outcome`."""

from derl.algorithms.layerwise import layerwise_exploration
from derl.algorithms.outcome import InvalidParameter, Outcome, Record

__all__ = ["InvalidParameter", "Outcome", "Record", "layerwise_exploration"]
