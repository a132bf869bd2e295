"""derl: the module behind the executable paper on deployment-efficient reinforcement learning."""

__version__ = "0.1.0"

from derl import algorithms, claims, theory
from derl.deployment import Batch, Deployer, ProtocolViolation
from derl.mdp import InvalidInstance, InvalidPolicy, LinearMDP, Mixture, instances, planning

__all__ = ["Batch", "Deployer", "InvalidInstance", "InvalidPolicy", "LinearMDP", "Mixture", "ProtocolViolation",
           "algorithms", "claims", "instances", "planning", "theory"]
