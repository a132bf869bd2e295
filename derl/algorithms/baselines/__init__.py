"""Algorithms of others that the paper uses or compares with."""

from derl.algorithms.baselines.pevi import Pessimistic, pessimistic_value_iteration, uniform_pessimism

__all__ = ["Pessimistic", "pessimistic_value_iteration", "uniform_pessimism"]
