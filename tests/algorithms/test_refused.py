"""Every parameter of an algorithm that says nothing is refused in one line, before anything is deployed."""

import math

import numpy as np
import pytest

from derl import Deployer, instances
from derl.algorithms.catalogue import CATALOGUE

LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)  # H = 4, S = 3, A = 3
NEEDED = {"arbitrary_policy_exploration": {"nu_min": 0.4}, "safe_mixture": {"alpha": 0.1},
          "block_exploration": {"block": 4}}
COMMON = [("epsilon", 0), ("epsilon", math.nan), ("delta", 0), ("delta", 1)]
BONUS = [("c_beta", 0), ("c_beta", -1), ("beta", 0.0), ("beta", -1)]
OWN = {
    "layerwise_exploration": [*BONUS, ("version", "fixed"), ("tail", 99)],
    "flat_exploration": [*BONUS[2:], ("share", 0), ("share", 1)],
    "direct_exploration": [*BONUS[2:], ("share", 0), ("share", 1)],
    "reward_free_exploration": [*BONUS, ("version", "fixed"), ("threshold", "steep"), ("tail", 99)],
    "arbitrary_policy_exploration": [
        ("c_beta", -1), ("nu_min", 0), ("nu_min", 1.5), ("nu_min", None), ("version", "better"), ("i_max", 0),
        ("i_max", 2.5), ("tail", 9), *(("initial", law) for law in (3, [0.5, 0.4, 0], [1.5, -0.5, 0], [1.0, 0]))],
    "safe_mixture": [*BONUS, ("alpha", 0), ("alpha", 1.5), ("alpha", math.nan), ("optimistic", "greedy"),
                     ("logged", np.zeros((1, 1, 1, 1)))],
    "lsvi_ucb": BONUS, "reward_free_lsvi_ucb": BONUS,
    "low_switching_lsvi": [*BONUS, ("eta", 0.5)],
    "direct_reduction": [*BONUS, ("eta", 1.0), ("budget", 0), ("seed", -1)],
    "francis": [("episodes", 0), ("seed", -1)], "moffle": [("level", 2.0), ("eta", 2.0)],
    "qiao_wang_2023": [("version", "best"), ("tolerance", 0)],
    "truncated_block_exploration": [("block", 4), ("kappa", 0), ("eta", -1.0), ("dummy", 0)],
    "block_exploration": [("block", 0), ("data", "all"), ("gamma", 2.0), ("initial", 7), ("initial", [0.5, 0.5])]}
ALL = [(entry, *change) for entry in CATALOGUE for change in COMMON + OWN.get(entry.name, [])]


@pytest.mark.parametrize("entry, name, value", ALL, ids=[f"{entry.name}-{name}-{value}" for entry, name, value in ALL])
def test_a_parameter_that_says_nothing_is_named_in_one_line(entry, name, value):
    deployer = Deployer(LOCK, 1 if "lsvi" in entry.name else 100, 100, "any")
    more = {"functions": np.zeros((1, *LOCK.available.shape))} if entry.name == "olive" else {}
    with pytest.raises(ValueError, match=name) as caught:
        entry.function(deployer, **{"epsilon": 0.1, "delta": 0.1} | NEEDED.get(entry.name, {}) | more | {name: value})
    assert "\n" not in str(caught.value) and deployer.deployments == 0
