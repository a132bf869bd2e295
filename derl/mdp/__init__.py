"""Floor 1: the model as arrays, exact planning, and the families of instances."""

from derl.mdp import exact, instances, planning, policies
from derl.mdp.exact import ExactMDP
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import InvalidPolicy, Mixture
from derl.mdp.validation import InvalidInstance

__all__ = ["ExactMDP", "InvalidInstance", "InvalidPolicy", "LinearMDP", "Mixture", "exact", "instances", "planning",
           "policies"]
