"""The algorithms of the paper, each `name(deployer, ...) -> Outcome`."""

from derl.algorithms.arbitrary import arbitrary_policy_exploration, arbitrary_policy_planning
from derl.algorithms.layerwise import layerwise_exploration
from derl.algorithms.outcome import InvalidParameter, Outcome, Record
from derl.algorithms.reward_free import Dataset, Planned, reward_free_exploration, reward_free_planning
from derl.algorithms.safe_mixture import safe_mixture

__all__ = ["Dataset", "InvalidParameter", "Outcome", "Planned", "Record", "arbitrary_policy_exploration",
           "arbitrary_policy_planning", "layerwise_exploration", "reward_free_exploration",
           "reward_free_planning", "safe_mixture"]
