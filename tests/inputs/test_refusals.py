"""Every refusal of derl is a `derl.inputs.Invalid` of one line, whatever is handed in."""

import inspect
import pkgutil
from fractions import Fraction

import numpy as np
import pytest
from generators import Spoilt

import derl
from derl import Deployer, LinearMDP, Mixture, instances, planning
from derl.inputs import Invalid
from derl.mdp.exact import ExactMDP
from derl.theory import lower_bounds
from derl.theory.reward_free import direct

MDP = instances.random_simplex(3, 2, 3, 2, 0)
PARTS = {name: getattr(MDP, name) for name in ("phi", "mu", "theta", "initial")}
HUGE = 10**400


ODD = (None, "abc", True, np.nan, np.inf, {}, Spoilt())


def refused(call):
    with pytest.raises(Invalid) as caught:
        call()
    assert "\n" not in str(caught.value) and 0 < len(str(caught.value)) <= 610


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_odd_objects_are_refused_at_every_door(odd):
    for name in PARTS:
        refused(lambda name=name: LinearMDP(**PARTS | {name: odd}))
    for call in (lambda: planning.evaluate(MDP, odd), lambda: Deployer(MDP, odd, 2), lambda: Deployer(MDP, 9, odd),
                 lambda: Mixture(odd, [1.0]), lambda: instances.from_spec(odd),
                 lambda: instances.lock(3, 3, odd, 0.1), lambda: instances.lock(3, 3, (1, 2, 0), odd),
                 lambda: direct.budget(2, 3, odd, 0.1, 2)):
        refused(call)


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("spoil", [
    lambda array: np.where(np.arange(array.size).reshape(array.shape) == 1, np.nan, array), lambda array: -array - 1,
    lambda array: array[..., :-1], lambda array: array.astype(str), lambda array: array[None],
    lambda array: np.ma.masked_array(array, array > -9), lambda array: 3 * array + 1])
def test_an_instance_with_one_spoilt_array_is_refused(name, spoil):
    refused(lambda: LinearMDP(**PARTS | {name: spoil(PARTS[name])}))


@pytest.mark.parametrize("arguments", [(2, 10, 10**301, 5), (HUGE, 10, 10, 50), (2, 10**9, 3, 1), (2, 2, 3, 10**9)])
def test_a_programme_that_would_not_end_is_not_begun(arguments):
    refused(lambda: lower_bounds.exact_success_arbitrary(*arguments))


def test_ten_digits_of_a_sixth_are_a_row_and_seven_are_none():
    row = np.full(6, 0.1666666667)
    assert instances.tabular(np.broadcast_to(row, (1, 6, 5, 6)), np.zeros((1, 6, 5)), row).dim == 30
    with pytest.raises(Invalid, match="sum to 1.0000002"):
        instances.tabular(np.full((1, 6, 5, 6), 0.1666667), np.zeros((1, 6, 5)), row)
    refused(lambda: ExactMDP([[[[1]]]], [[[1 + Fraction(1, HUGE)]]], [[0]], [1]))


def test_every_exception_that_says_invalid_is_one_of_ours():
    found = set()
    for module in pkgutil.walk_packages(derl.__path__, "derl."):
        if module.name.rpartition(".")[2] != "__main__" and not module.name.startswith("derl.claims."):
            members = inspect.getmembers(__import__(module.name, fromlist=["*"]), inspect.isclass)
            found |= {kind for _, kind in members if issubclass(kind, Exception) and kind.__module__[:5] == "derl."}
    ours = {kind for kind in found if kind.__name__.startswith("Invalid") or issubclass(kind, ValueError)}
    within = {"Undecided"}  # of `derl.printed`, which knows nothing else of derl; whoever evaluates catches it
    assert {kind.__name__ for kind in ours if not issubclass(kind, Invalid)} == within
    assert {"ProtocolViolation", "UndefinedStep", "InvalidInstance", "InvalidLedger"} <= {
        kind.__name__ for kind in found if issubclass(kind, Invalid)}
