"""Algorithms by name: all in one table, the same run as by hand, options checked first, streams of their own."""

import importlib
import inspect
import pkgutil
from functools import cache

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.algorithms import InvalidParameter
from derl.algorithms.by_name import run_by_name
from derl.algorithms.catalogue import CATALOGUE, NAMES, PARTS
from derl.algorithms.dataset import Collected
from derl.algorithms.run_defaults import certified_nu
from derl.experiments.methods import METHODS
from derl.experiments.studies import table1
from derl.mdp.policies import validate
from derl.theory.arbitrary.constants import arbitrary_constants

LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)
ONLINE = {"batch_size": 1, "beta": 0.02, "epsilon": 4.0}
OPTIONS = {"safe_mixture": {"alpha": 0.1}, "arbitrary_policy_exploration": {"nu_min": 0.4}, "lsvi_ucb": ONLINE,
           "reward_free_lsvi_ucb": ONLINE, "block_exploration": {"block": 4}}
EACH = pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)


@cache
def report(entry, **more):
    """A run on the lock, made once for all that looks at it."""
    return run_by_name(entry.name, LOCK, **{"epsilon": 0.5, "delta": 0.1, "batch_size": 10**12, "seed": 1}
                       | OPTIONS.get(entry.name, {}) | more)


@EACH
def test_every_algorithm_is_at_the_same_door(entry):
    assert getattr(algorithms, entry.name) is entry.function and entry.name in algorithms.__all__
    assert set(entry.needs) <= OPTIONS.get(entry.name, {}).keys()
    assert report(entry).outcome.converged and report(entry).options["algorithm"] == entry.name


@EACH
def test_whatever_was_collected_plans_for_a_linear_reward(entry):
    data = report(entry).outcome.dataset
    assert isinstance(data, Collected)
    policy = data.plan(LOCK.theta)
    validate(LOCK, policy)
    assert policy.shape == (LOCK.horizon, LOCK.n_states)
    assert planning.gap(LOCK, policy) <= 0.5
    for theta, word in ((LOCK.theta[:2], "theta has shape"), (3 * LOCK.theta, "rewards must lie in"),
                        (np.nan * LOCK.theta, "NaN")):
        with pytest.raises(InvalidParameter, match=word) as caught:
            data.plan(theta)
        assert "\n" not in str(caught.value)


@EACH
def test_counts_are_those_of_the_deployer(entry):
    found = report(entry)
    made = sum(row.repeats for row in found.deployer.log)
    assert found.outcome.deployments == found.deployer.deployments == made
    assert found.outcome.trajectories == made * found.deployer.batch_size
    records = found.outcome.trace
    numbers = [record.deployment for record in records if hasattr(record, "deployment")]
    lengths = [getattr(record, "repeats", 1) for record in records if hasattr(record, "deployment")]
    assert numbers == [1 + sum(lengths[:i]) + (made - sum(lengths)) for i in range(len(numbers))] or (
        entry.name == "spanner_exploration" and numbers == list(range(2, made + 1)))  # the first shows the start
    layers = [record.layer for record in records if hasattr(record, "layer") and entry.name != "olive"]
    assert layers == sorted(layers) and all(1 <= layer <= LOCK.horizon for layer in layers)


SHORT = ("layerwise_exploration", "flat_exploration", "direct_exploration", "reward_free_exploration", "safe_mixture",
         "reward_free_direct_exploration", "olive", "direct_reduction")  # K enters the bonus of those left out


@pytest.mark.parametrize("entry", [entry for entry in CATALOGUE if entry.name in SHORT], ids=lambda entry: entry.name)
def test_with_one_deployment_less_it_does_not_say_that_it_has_ended(entry):
    whole = report(entry).outcome.deployments
    if whole > 1:
        assert not report(entry, max_deployments=whole - 1).outcome.converged
    else:
        assert report(entry, max_deployments=1).outcome.converged


def test_every_algorithm_of_the_paper_has_its_number():
    numbers = {entry.number for entry in CATALOGUE} | PARTS.keys()
    assert {str(number) for number in range(1, 8)} <= numbers and len(set(NAMES)) == len(NAMES)
    assert run_by_name(1, LOCK, 0.5, 0.1, 10**12).options["algorithm"] == "layerwise_exploration"
    third, fourth = (run_by_name(number, LOCK, 0.5, 0.1, 10**12) for number in ("3", "4"))
    np.testing.assert_array_equal(third.policy, fourth.policy)
    assert "Algorithm 4 plans" in fourth.options["note"] and "note" not in third.options
    assert "inside Algorithm 2" in run_by_name("5", LOCK, 0.5, 0.1, 10**12, nu_min=0.4).options["note"]


@pytest.mark.parametrize("name", ["1", "flat_exploration"])
def test_small_batches_are_given_more_deployments(name):
    simplex = instances.random_simplex(4, 2, 2, 2, seed=1)
    many, few = (run_by_name(name, simplex, 2.0, 0.1, size, c_beta=None).deployer for size in (10, 10**9))
    assert few.max_deployments == 6 * 2 * 2 + 1 < many.max_deployments <= 2000
    alone = run_by_name(name, simplex, 2.0, 0.1, 1, max_deployments=7).deployer
    assert alone.max_deployments == 7


def test_defaults_stand_in_the_signatures_alone():
    found = run_by_name("1", LOCK, 0.5, 0.1, 10**12)
    assert found.options == {"algorithm": "layerwise_exploration", "c_beta": 1.0, "version": "repaired", "tail": 0,
                             "keep": "transitions"}


def test_it_is_the_run_that_one_makes_by_hand():
    found = run_by_name("arbitrary_policy_exploration", LOCK, 0.1, 0.1, 10**12, seed=3, version="self-certifying")
    deployer = Deployer(LOCK, 10**12, 4, policy_class="any", seed=3)
    by_hand = algorithms.arbitrary_policy_exploration(deployer, 0.1, 0.1, version="self-certifying")
    np.testing.assert_array_equal(found.outcome.dataset.counts, by_hand.dataset.counts)
    assert found.findings["policies"] == [record.n_policies for record in by_hand.trace]
    assert found.deployer.deployments == 4 and "nu_min" not in found.options


@pytest.mark.parametrize("name, options", [("francis", {"episodes": 16}), ("direct_reduction", {"budget": 64})])
def test_one_seed_is_for_the_deployments_and_for_what_the_algorithm_draws_itself(name, options):
    simplex = instances.random_simplex(6, 3, 3, 3, seed=0)
    runs = [run_by_name(name, simplex, 0.5, 0.1, 1, 200, seed=seed, **options).outcome for seed in (3, 3, 4)]
    by_hand = getattr(algorithms, name)(Deployer(simplex, 1, 200, seed=3), 0.5, 0.1, seed=3, **options)
    other = getattr(algorithms, name)(Deployer(simplex, 1, 200, seed=3), 0.5, 0.1, seed=4, **options)
    np.testing.assert_array_equal(runs[0].dataset.counts, by_hand.dataset.counts)
    same = [np.array_equal(runs[0].policy, found.policy) and all(
        np.array_equal(one.policy, two.policy) for one, two in zip(runs[0].trace, found.trace, strict=False))
        for found in (runs[1], by_hand, runs[2], other)]
    assert same[:2] == [True, True] and (name != "francis" or same[2:] == [False, False])
    with pytest.raises(InvalidParameter, match=f"{name} takes no draw"):
        run_by_name(name, simplex, 0.5, 0.1, 1, 200, draw=1, **options)


def test_the_certified_reachability_is_a_lower_bound():
    assert certified_nu(LOCK) ** 2 == pytest.approx(0.2) and certified_nu(LOCK) ** 2 <= 0.2 + 1e-12
    simplex = instances.random_simplex(6, 4, 3, 3, seed=5)
    assert 0.7 * 0.1417 <= certified_nu(simplex) ** 2 <= 0.1418


def test_the_batch_size_of_the_theorem():
    found = run_by_name("arbitrary_policy_exploration", LOCK, 0.1, 0.1, nu_min=0.4, version="spectral")
    assert found.deployer.batch_size == arbitrary_constants(5, 4, 0.1, 0.1, 0.4, "spectral").batch_size
    assert found.deployer.mode == "exact" and found.outcome.converged and found.findings["loss_bound"] <= 0.1


def test_what_the_mixture_loses_is_reported():
    found = run_by_name("safe_mixture", LOCK, 0.2, 0.1, 10**15, alpha=1.0)
    assert found.findings["largest_drop"] >= 0 and found.options["optimistic"] == "layerwise"
    assert found.findings["last_value"] <= 1.7


@pytest.mark.parametrize("name, options, word", [
    ("value_iteration", {}, "algorithm"), ("layerwise_exploration", {"alpha": 0.1}, "takes no alpha"),
    ("safe_mixture", {}, "needs alpha"), ("reward_free_exploration", {"nu_min": 0.1}, "takes no nu_min"),
    ("layerwise_exploration", {"batch_size": None}, "needs a batch size"),
    ("arbitrary_policy_exploration", {"version": "best"}, "version"),
    ("arbitrary_policy_exploration", {"nu_min": -1.0}, "nu_min"), ("layerwise_exploration", {"epsilon": 0}, "epsilon"),
])
def test_bad_parameters_are_named_in_one_line(name, options, word):
    with pytest.raises(InvalidParameter, match=word) as caught:
        run_by_name(name, LOCK, **({"epsilon": 0.1, "delta": 0.1, "batch_size": 100} | options))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("package", ["derl.algorithms", "derl.theory"])
def test_no_module_is_shadowed_by_its_function(package):
    names = [module.name for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + ".")]
    assert len(names) > 10
    for name in names:
        module, (parent, _, last) = importlib.import_module(name), name.rpartition(".")
        assert getattr(importlib.import_module(parent), last) is module, name


def test_whatever_has_the_signature_of_an_algorithm_stands_in_the_table():
    """(deployer, epsilon, delta, ...) is that signature; helpers are handed a rule, or a dataset."""
    found = set()
    for module in pkgutil.walk_packages(algorithms.__path__, "derl.algorithms."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if inspect.isfunction(thing) and not name.startswith("_"):
                if list(inspect.signature(thing).parameters)[:3] == ["deployer", "epsilon", "delta"]:
                    found.add(thing)
    assert found == {entry.function for entry in CATALOGUE}
    assert len(CATALOGUE) == len({entry.name for entry in CATALOGUE})


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
    report(entry, delta=0.2)
    assert made and len(set(made)) == len(made)


@pytest.mark.parametrize("name", ["Algorithm 1", "FRANCIS", "low switching", "OLIVE"])
def test_an_instance_and_a_method_of_table_1(name, made):
    mode = "calibrated" if METHODS[name].bonus else "nominal"
    more = {"c_beta": 0.1} if mode == "calibrated" else {}
    table1.measure(3, name, mode, 64, family="simplex", d=3, horizon=3, epsilon=0.2, delta=0.1, **more)
    assert made and len(set(made)) == len(made)
