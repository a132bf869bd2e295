"""The algorithms of the paper, each `name(deployer, ...) -> Outcome`."""

from derl.algorithms.layerwise import layerwise_exploration
from derl.algorithms.outcome import InvalidParameter, Outcome, Record
from derl.algorithms.reward_free import Dataset, Planned, reward_free_exploration, reward_free_planning

__all__ = ["Dataset", "InvalidParameter", "Outcome", "Planned", "Record", "layerwise_exploration",
           "reward_free_exploration", "reward_free_planning"]
