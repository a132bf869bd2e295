"""Rational instances: rules without tolerance, and planning that agrees with the floats."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from derl.mdp import ExactMDP, InvalidInstance, InvalidPolicy, exact, instances, planning

TINY = Fraction(1, 10**12)


def parts(mdp):
    names = ("phi", "mu", "theta", "initial", "available")
    return {name: getattr(mdp, name).copy() for name in names}


@pytest.fixture(scope="module")
def lock():
    return instances.lock(3, 3, [2, 0, 1], Fraction(1, 10), exact=True)


def as_float(array):
    return np.asarray(array, dtype=np.float64)


@pytest.mark.parametrize("build", [
    lambda exact: instances.random_simplex(4, 3, 3, 3, 5, exact=exact),
    lambda exact: instances.hard_template(3, 4, 2, 1, [0, 0, 2, 1], Fraction(1, 7), exact=exact),
    lambda exact: instances.lock(3, 3, [2, 0, 1], Fraction(1, 10), exact=exact),
    lambda exact: instances.compact_bandit(4, 3, 5, Fraction(1, 3), exact=exact),
    lambda exact: instances.optimism_trap(exact=exact),
])
def test_floats_and_fractions_agree(build, make_policy):
    rational, rounded = build(True), build(False)
    assert rational.to_float() == rounded
    best = exact.optimal(rational)
    assert isinstance(best.value, Fraction)
    assert planning.optimal(rounded).value == pytest.approx(float(best.value), abs=1e-13)
    assert np.allclose(planning.optimal(rounded).values, as_float(best.values), rtol=0, atol=1e-13)
    assert exact.evaluate(rational, best.policy).value == best.value
    policy = make_policy(rounded, 3)
    rows = exact.rationals(policy)
    rows = np.where(rows == rows.max(axis=2, keepdims=True), 0, rows)
    rows[np.arange(len(rows))[:, None], np.arange(rows.shape[1]), policy.argmax(axis=2)] = 1 - rows.sum(axis=2)
    value = exact.evaluate(rational, rows).value
    assert planning.evaluate(rounded, policy).value == pytest.approx(float(value), abs=1e-12)
    occupancy = exact.occupancy(rational, rows)
    assert (occupancy.sum(axis=(1, 2)) == 1).all()
    assert np.allclose(planning.occupancy(rounded, policy), as_float(occupancy), rtol=0, atol=1e-12)
    assert (occupancy * rational.rewards()).sum() == value
    assert np.allclose(rounded.transitions(), as_float(rational.transitions()), rtol=0, atol=1e-15)


def test_optimal_by_enumeration():
    mdp = instances.random_simplex(2, 2, 2, 2, 9, exact=True)
    values = [exact.evaluate(mdp, np.reshape(actions, (2, 2))).value
              for actions in itertools.product(range(2), repeat=4)]
    assert exact.optimal(mdp).value == max(values)


def test_truncated_horizons(lock):
    assert [exact.optimal(lock, h).value for h in (1, 2, 3, 4)] == [0, Fraction(1, 2), 1, Fraction(8, 5)]
    assert exact.evaluate(lock, exact.optimal(lock).policy, 3).value == 1


@pytest.mark.parametrize("name, index, fragment", [
    ("mu", (1, 0, 1), "layer 2, state 0, action 0: transition probabilities"),
    ("initial", (0,), "initial sums to"),
    ("theta", (3, 4), "layer 4, state 2, action 0: reward"),
    ("phi", (2, 1, 0, 3), r"layer 3, state 1, action 0: \|phi\|\^2"),
])
def test_no_tolerance(lock, name, index, fragment):
    """A change of 1e-12, which float64 lets pass, is refused."""
    fields = parts(lock)
    fields[name][index] += TINY
    with pytest.raises(InvalidInstance, match=fragment):
        ExactMDP(**fields)
    rounded = {key: array if key == "available" else as_float(array) for key, array in fields.items()}
    assert type(lock.to_float())(**rounded).horizon == 4


@pytest.mark.parametrize("name, index, fragment", [
    ("mu", (1, 1, 1), r"transition probabilities have minimum \S+ and sum 999999999999/1000000000000"),
    ("initial", (0,), "initial sums to 999999999999/1000000000000"),
    ("theta", (0, 0), "layer 1, state 0, action 0: reward")])
def test_no_tolerance_below(lock, name, index, fragment):
    """Nor is a sum of probabilities that is too small by as much, or a reward below 0."""
    fields = parts(lock)
    fields[name][index] -= TINY
    with pytest.raises(InvalidInstance, match=fragment):
        ExactMDP(**fields)


def test_negative_probability_is_refused(lock):
    fields = parts(lock)
    fields["mu"][0, 0] += [TINY, -Fraction(1, 2) - TINY, Fraction(1, 2)]
    with pytest.raises(InvalidInstance, match="minimum -1/1000000000000 and sum 1"):
        ExactMDP(**fields)


def test_measure_norm_is_sharp():
    """d = 2, phi = e_1, columns (1/2, w) and (1/2, -w): sup_v |.|^2 = max(1, 4 w^2) must not exceed 2."""
    def build(weight):
        return ExactMDP([[[[1, 0]], [[1, 0]]]], [[["1/2", "1/2"], [weight, -weight]]], [[0, 0]], [1, 0])

    assert exact.squared_measure_norm(build(Fraction(1, 2)).mu[0]) == 1
    # the triangle inequality gives 1 + 4 w^2 > 2 and does not decide; the enumeration does
    assert exact.squared_measure_norm(build(Fraction(7, 10)).mu[0], enough=2) == Fraction(196, 100)
    with pytest.raises(InvalidInstance, match=r"layer 1: sup .*\|\^2 is 2000000000000014\d*/10*; at most 2"):
        build(Fraction(70710678118655, 10**14))


def test_undecided_measures_are_refused():
    mu = np.full((2, 12), Fraction(1, 12), dtype=object)
    mu[1] = [Fraction(k, 60) for k in range(-6, 6)]
    assert exact.squared_measure_norm(mu, enough=2) > 0
    with pytest.raises(InvalidInstance, match="at most 10"):
        exact.squared_measure_norm(mu)


@pytest.mark.parametrize("seed", range(10))
def test_squared_measure_norm_by_enumeration(seed):
    rng = np.random.default_rng(seed)
    mu = exact.rationals(rng.integers(-5, 6, (3, 5)))
    signs = itertools.product([-1, 1], repeat=5)
    assert exact.squared_measure_norm(mu) == max((mu @ np.array(v)) @ (mu @ np.array(v)) for v in signs)


@pytest.mark.parametrize("policy, fragment", [
    (np.zeros((3, 3), int), "shape"), (np.full((4, 3), 3), "simplex"), (np.full((4, 3, 3), 1 / 3), "simplex"),
    (np.zeros((4, 3, 2)), "shape"),
])
def test_bad_policies(lock, policy, fragment):
    with pytest.raises(InvalidPolicy, match=fragment):
        exact.evaluate(lock, policy)


def test_arrays_are_read_only(lock):
    with pytest.raises(ValueError, match="read-only"):
        lock.mu[0] = 0


@pytest.mark.parametrize("entry", [float("nan"), float("inf"), "x", "1/0", None])
def test_what_is_not_rational(entry):
    with pytest.raises(InvalidInstance, match="rational number"):
        ExactMDP([[[[entry]]]], [[[1]]], [[0]], [1])


def test_shapes():
    with pytest.raises(InvalidInstance, match=r"phi has shape \(1, 1\)"):
        ExactMDP([[1]], [[[1]]], [[0]], [1])
    with pytest.raises(InvalidInstance, match="mu has shape"):
        ExactMDP([[[[1]]]], [[1]], [[0]], [1])


def test_rationals_read_text_and_floats_exactly():
    assert exact.rationals(["3/20", 0.5, 2]).tolist() == [Fraction(3, 20), Fraction(1, 2), 2]
    assert exact.rationals(0.1).item() == Fraction(0.1) != Fraction(1, 10)


def test_reachable_states_are_those_that_some_path_meets():
    """Every action is followed to all its successors of positive probability, in every layer to the last."""
    mdp = instances.hard_template(3, 4, 2, 1, 0, Fraction(1, 5), exact=True)
    P, met = mdp.transitions(), [{0}]
    for h in range(mdp.horizon - 1):
        met.append({t for s in met[-1] for a in np.flatnonzero(mdp.available[h, s])
                    for t in range(mdp.n_states) if P[h, s, a, t] > 0})
    found = exact.reachable_states(mdp)
    assert [set(np.flatnonzero(row)) for row in found] == met
    assert not found.all() and found[-1].any()


def test_whole_numbers_of_numpy_are_read_as_those_of_python():
    entries = exact.rationals([[np.int64(2**40), np.int32(3)], [np.uint8(255), "1/3"]])
    assert (entries * entries).tolist() == [[2**80, 9], [255**2, Fraction(1, 9)]]
