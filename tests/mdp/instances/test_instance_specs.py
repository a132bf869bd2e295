"""Instances by name: what a specification means and how a bad one is answered."""

from fractions import Fraction

import pytest
from refusal import refused

from derl.mdp import InvalidInstance, instances, limits
from derl.mdp.instances import specs


@pytest.mark.parametrize("spec, wanted", [
    ("lock:d=4,horizon=3,digits=1-2-0,bias=0.1", lambda: instances.lock(4, 3, [1, 2, 0], Fraction(1, 10))),
    (" lock : horizon = 3, bias=1/10, digits=1-2-0, d=4 ", lambda: instances.lock(4, 3, [1, 2, 0], Fraction(1, 10))),
    ("lock:d=4,horizon=3,digits=2,bias=0", lambda: instances.lock(4, 3, 2, 0)),
    ("random_simplex:n_states=3,n_actions=2,dim=4,horizon=2,seed=5",
     lambda: instances.random_simplex(3, 2, 4, 2, 5)),
    ("hard-template:d=3,horizon=4,optimal_layer=2,optimal_index=1,cores=0-0-2-1,epsilon=1/8",
     lambda: instances.hard_template(3, 4, 2, 1, [0, 0, 2, 1], Fraction(1, 8))),
    ("compact-bandit:d=3,horizon=4,arm=5,bias=0.25", lambda: instances.compact_bandit(3, 4, 5, 0.25)),
    ("compact-bandit:d=3,horizon=4,arm=2-1,bias=0.25", lambda: instances.compact_bandit(3, 4, (2, 1), 0.25)),
    ("optimism-trap", instances.optimism_trap),
    ("gymnasium:env=FrozenLake-v1,horizon=4", lambda: instances.from_gymnasium("FrozenLake-v1", 4)),
    ("stationary:lock:d=2,horizon=2,digits=0-1,bias=0.5",
     lambda: instances.stationary_embedding(instances.lock(2, 2, [0, 1], 0.5))),
])
def test_specifications(spec, wanted):
    assert instances.from_spec(spec) == wanted()


def test_a_file_is_a_specification(tmp_path):
    mdp = instances.optimism_trap()
    mdp.save(tmp_path / "trap.npz")
    assert instances.from_spec(str(tmp_path / "trap.npz")) == mdp


@pytest.mark.parametrize("spec, fragments", [
    ("", ["unknown instance family ''", "lock", "gymnasium"]),
    ("look:d=3", ["unknown instance family 'look'", "lock"]),
    ("stationary:look", ["unknown instance family 'look'"]),
    ("lock", ["'d' is missing", "d, horizon, digits, bias"]),
    ("lock:d=4,horizon=3,digits=0", ["'bias' is missing"]),
    ("lock:d=4,depth=3", ["unknown parameter 'depth'", "d, horizon, digits, bias"]),
    ("lock:d=4,d=5", ["'d' is given twice"]),
    ("lock:d4", ["'d4' is not of the form name=value"]),
    ("lock:d=four", ["d is 'four'", "an integer"]),
    ("lock:d=4.0", ["d is '4.0'", "an integer"]),
    ("lock:d=4,horizon=3,digits=1-x-2,bias=0", ["digits is '1-x-2'", "joined by '-'"]),
    ("lock:d=4,horizon=3,digits=1-2-0,bias=1/0", ["bias is '1/0'", "0.1 or 1/10"]),
    ("lock:d=4,horizon=3,digits=1-2-0,bias=nan", ["bias is 'nan'"]),
    ("lock:d=4,horizon=3,digits=1-2-4,bias=0", ["digits[2] is 4", "0..3"]),
    ("optimism-trap:d=7", ["unknown parameter 'd'", "no parameters"]),
    ("absent.npz", ["absent.npz: no such file"]),
])
def test_bad_specifications(spec, fragments):
    refused(InvalidInstance, lambda: instances.from_spec(spec), *fragments)


def test_every_family_states_its_parameters():
    assert {name: specs.parameters(name) for name in instances.FAMILIES} == {
        "hexagon": ("dim",), "corridor": ("horizon",),
        "random-simplex": ("n_states", "n_actions", "dim", "horizon", "seed"),
        "hard-template": ("d", "horizon", "optimal_layer", "optimal_index", "cores", "epsilon"),
        "lock": ("d", "horizon", "digits", "bias"),
        "junk-lock": ("d", "horizon", "digits", "bias"),
        "compact-bandit": ("d", "horizon", "arm", "bias"),
        "optimism-trap": (),
        "rare-state": ("probability", "horizon", "seed"),
        "gymnasium": ("env", "horizon"),
    }


@pytest.mark.parametrize("spec", [
    "random-simplex:n_states=7,n_actions=3,dim=2,horizon=4,seed=0", "rare-state:probability=1/9,horizon=3,seed=1",
    "hard-template:d=3,horizon=4,optimal_layer=3,optimal_index=2,cores=1-0-1-0,epsilon=1/5",
    "lock:d=5,horizon=3,digits=1-2-0,bias=1/5",
    "junk-lock:d=3,horizon=3,digits=1-2,bias=1/5", "compact-bandit:d=4,horizon=3,arm=1,bias=1/10"])
def test_what_is_affordable_is_judged_by_the_sizes_that_are_built(spec, monkeypatch):
    judged = []
    monkeypatch.setattr(specs, "affordable", lambda what, *sizes, **_: judged.append(sizes[:4]))
    mdp = instances.from_spec(spec)
    assert judged == [(mdp.horizon, mdp.n_states, mdp.n_actions, mdp.dim)]


def test_the_largest_horizon_is_allowed_and_the_next_is_not():
    limits.affordable("x", limits.HORIZON, 1, 1, 1)
    with pytest.raises(InvalidInstance, match="layers"):
        limits.affordable("x", limits.HORIZON + 1, 1, 1, 1)


def test_an_embedding_may_be_as_large_as_the_largest_array_that_it_stores(monkeypatch):
    """One layer is stored, of H S states in dimension d H."""
    spec = "stationary:random-simplex:n_states=3,n_actions=5,dim=4,horizon=3,seed=0"
    mdp = instances.from_spec(spec)
    largest = max(mdp.phi[0].size, mdp.mu[0].size)
    for size, allowed in ((largest, True), (largest - 1, False)):
        monkeypatch.setattr(limits, "ENTRIES", size)
        if allowed:
            assert instances.from_spec(spec) == mdp
        else:
            with pytest.raises(InvalidInstance, match="more than"):
                instances.from_spec(spec)
