"""An algorithm begins by asking what it may know; something that is no deployer is one line."""

import inspect

import numpy as np
import pytest

from derl import Deployer, LinearMDP, algorithms, instances
from derl.deployment import InvalidDeployment, known_part

MDP = instances.lock(2, 1, [0], 0.1)
EXPLORERS = [getattr(algorithms, name) for name in algorithms.__all__
             if inspect.isfunction(getattr(algorithms, name))
             and next(iter(inspect.signature(getattr(algorithms, name)).parameters)) == "deployer"]


class Raises:
    @property
    def known(self):
        raise RuntimeError


def test_what_a_deployer_lets_be_known():
    deployer = Deployer(MDP, 10, 1)
    assert known_part(deployer) is deployer.known


@pytest.mark.parametrize("deployer", [None, 5, "text", MDP, Deployer, np.zeros(3), Raises()],
                         ids=lambda value: type(value).__name__)
def test_what_is_no_deployer(deployer):
    with pytest.raises(InvalidDeployment, match="deployer is of type .*; it must be a Deployer"):
        known_part(deployer)


@pytest.mark.parametrize("algorithm", EXPLORERS, ids=lambda function: function.__name__)
def test_every_algorithm_asks(algorithm):
    required = [p for p in inspect.signature(algorithm).parameters.values() if p.default is p.empty]
    for deployer in (None, MDP, LinearMDP):
        with pytest.raises(InvalidDeployment, match="it must be a Deployer"):
            algorithm(deployer, *[0.1] * (len(required) - 1), **(
                {"nu_min": 0.1} if "nu_min" in inspect.signature(algorithm).parameters else {}))
