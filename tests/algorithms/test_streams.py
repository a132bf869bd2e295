"""No two random streams of one run are the same: what an algorithm draws is independent of what deployments draw."""

import numpy as np
import pytest

from derl import instances
from derl.algorithms.by_name import run_by_name
from derl.algorithms.catalogue import CATALOGUE
from derl.experiments.methods import METHODS
from derl.experiments.studies import table1

LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)
ONLINE = {"batch_size": 1, "beta": 0.02, "epsilon": 4.0}
OPTIONS = {"safe_mixture": {"alpha": 0.1}, "arbitrary_policy_exploration": {"nu_min": 0.4}, "lsvi_ucb": ONLINE,
           "reward_free_lsvi_ucb": ONLINE, "block_exploration": {"block": 2, "nu_min": 0.4}}


@pytest.fixture
def made(monkeypatch):
    """The name of every stream that a generator is made of: (entropy, spawn key)."""
    names = []

    class Recorded(np.random.SeedSequence):
        def generate_state(self, *words):
            names.append((str(self.entropy), self.spawn_key))
            return super().generate_state(*words)

    monkeypatch.setattr(np.random, "SeedSequence", Recorded)
    return names


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_an_algorithm_and_its_deployments(entry, made):
    run_by_name(entry.name, LOCK, **{"epsilon": 0.5, "delta": 0.1, "batch_size": 10**9, "seed": 1}
                | OPTIONS.get(entry.name, {}))
    assert made and len(set(made)) == len(made)


@pytest.mark.parametrize("name", ["Algorithm 1", "FRANCIS", "low switching", "OLIVE"])
def test_an_instance_and_a_method_of_table_1(name, made):
    mode = "calibrated" if METHODS[name].bonus else "nominal"
    more = {"c_beta": 0.1} if mode == "calibrated" else {}
    table1.measure(3, name, mode, 64, family="simplex", d=3, horizon=3, epsilon=0.2, delta=0.1, **more)
    assert made and len(set(made)) == len(made)
