"""Deployments against the batch size: bounds, repetitions, and the smallest batches that can be trusted."""

import math

import pytest

from derl.theory import constants
from derl.theory.constants import InvalidConstant
from derl.theory.layerwise.samples import budget, deployments_for
from derl.theory.potential.bounds import sharp_bound
from derl.theory.safety import sample_efficient

SETTING = (3, 4, 0.2, 0.1)  # d, H, epsilon, delta


def test_the_level_of_a_violation():
    assert sample_efficient.violation_level(4, 0.2, 10.0) == pytest.approx((0.2 / 160) ** 2)


@pytest.mark.parametrize("size", [1, 10**3, 10**9])
def test_the_bound_is_h_times_the_sharp_lemma_plus_one(size):
    level = sample_efficient.violation_level(4, 0.2, 10.0)
    assert sample_efficient.deployments_at(3, 4, 0.2, 10.0, size) == 4 * sharp_bound(3, size, level) + 1


def test_the_bound_falls_in_n():
    counts = [sample_efficient.deployments_at(3, 4, 0.2, 10.0, 10**k) for k in range(0, 40, 2)]
    assert counts == sorted(counts, reverse=True) and counts[-1] == 3 * 4 + 1


def test_a_level_above_one_over_d_is_refused():
    with pytest.raises(InvalidConstant, match="1/d") as caught:
        sample_efficient.deployments_at(4, 2, 10.0, 0.1, 100)
    assert "\n" not in str(caught.value)


def test_repetition_is_the_theorem_in_parts():
    plan = sample_efficient.repeated(*SETTING, 10**6, 2)
    size = constants.batch_size_layerwise(*SETTING, 2, version="sharp")
    assert (plan.repetitions, plan.updates) == (-(-size // 10**6), constants.deployments_layerwise(3, 4, 2))
    assert plan.deployments == plan.repetitions * plan.updates


def hoeffding_holds(plan):
    d, horizon, epsilon, delta = SETTING
    size = plan.repetitions * plan.limit
    beta = constants.bonus_scale_with_batch(d, horizon, delta, plan.updates, size)
    return size >= 8 * (beta * horizon / epsilon) ** 2 * math.log(2 * plan.updates / delta)


@pytest.mark.parametrize("limit", [10**3, 10**6, 10**8, 10**12])
def test_early_updates_repeat_just_often_enough_for_hoeffding(limit):
    plan = sample_efficient.adaptive(*SETTING, limit)
    assert hoeffding_holds(plan)
    if plan.repetitions > 1000:
        fewer = sample_efficient.RepetitionPlan(limit, plan.repetitions * 99 // 100, plan.updates)
        assert not hoeffding_holds(fewer)


@pytest.mark.parametrize("limit", [10**2, 10**4, 10**12])
def test_the_flat_analysis_repeats_just_often_enough_for_its_test(limit):
    plan = sample_efficient.adaptive(*SETTING, limit, "flat")
    assert plan.updates == deployments_for(*SETTING, plan.repetitions * limit, "covering")
    if plan.repetitions > 100:
        with pytest.raises(InvalidConstant, match="needs at least"):
            deployments_for(*SETTING, plan.repetitions * limit * 98 // 100, "covering")


@pytest.mark.parametrize("analysis", sample_efficient.ANALYSES)
def test_the_curve_falls_to_dh_plus_one(analysis):
    curve = [sample_efficient.adaptive(*SETTING, 10**k, analysis).deployments for k in range(0, 120, 6)]
    assert curve == sorted(curve, reverse=True) and curve[-1] == 3 * 4 + 1


@pytest.mark.parametrize("call", [sample_efficient.adaptive, lambda *a: sample_efficient.repeated(*a[:5], 2, a[5])])
def test_an_unknown_analysis_is_refused(call):
    with pytest.raises(InvalidConstant, match="'layers', 'flat'"):
        call(*SETTING, 10**6, "deep")


def test_repetition_of_the_flat_analysis_takes_its_own_batch():
    plan = sample_efficient.repeated(*SETTING, 10**4, 2.5, "flat")
    found = budget(*SETTING, 2.5, "covering")
    assert (plan.repetitions, plan.updates, plan.limit) == (-(-found.batch_size // 10**4), found.deployments, 10**4)


@pytest.mark.parametrize("limit", [10**6, 10**9, 10**30])
def test_the_number_of_policies_is_the_least_that_bounds_itself(limit):
    """With beta at K - 1 policies the bound is still above K - 1."""
    d, horizon, epsilon, delta = SETTING
    plan = sample_efficient.adaptive(*SETTING, limit)
    size = plan.repetitions * limit

    def bound(count):
        beta = 1.5 * d * horizon * math.sqrt(math.log(2 * d * count * horizon * size / delta))
        return horizon * sharp_bound(d, size, (epsilon / (4 * horizon * beta)) ** 2) + 1

    assert bound(plan.updates) == plan.updates
    assert plan.updates == d * horizon + 1 or bound(plan.updates - 1) >= plan.updates
