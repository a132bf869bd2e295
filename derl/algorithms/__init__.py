"""The algorithms of the paper and of this book, each `name(deployer, ...) -> Outcome`; `catalogue` names them all."""

from derl.algorithms.arbitrary import UndefinedStep, arbitrary_policy_planning
from derl.algorithms.baselines.pevi import Pessimistic, pessimistic_value_iteration
from derl.algorithms.by_name import Report, run_by_name
from derl.algorithms.catalogue import CATALOGUE
from derl.algorithms.outcome import InvalidParameter, Outcome, Record
from derl.algorithms.reward_free import Dataset, Planned, reward_free_planning

globals().update({entry.name: entry.function for entry in CATALOGUE})

__all__ = ["CATALOGUE", "Dataset", "InvalidParameter", "Outcome", "Pessimistic", "Planned", "Record", "Report",
           "UndefinedStep", "arbitrary_policy_planning", "pessimistic_value_iteration", "reward_free_planning",
           "run_by_name", *(entry.name for entry in CATALOGUE)]
