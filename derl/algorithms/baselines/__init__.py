"""Algorithms of others that the paper uses or compares with."""

from derl.algorithms.baselines.pevi import Pessimistic, pessimistic_value_iteration

__all__ = ["Pessimistic", "pessimistic_value_iteration"]
