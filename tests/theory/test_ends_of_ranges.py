"""The ends of what a function takes, as its docstring names them: the last number inside works, the next is refused."""

import math
from fractions import Fraction as F

import pytest

from derl.inputs import Invalid
from derl.theory import lower_bounds
from derl.theory.analysis import covers
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.beyond import exact_base, exchange, gates, junk_game, modulo, odd_game, renewal, spanner, truncation
from derl.theory.comparison import online
from derl.theory.foundations.setting import Setting, trade_off
from derl.theory.layerwise import bonus
from derl.theory.lower_bounds import bandit_game, search_game, search_programme
from derl.theory.reward_free import direct
from derl.theory.safety import mixture, sample_efficient, threshold

NEXT = math.nextafter
ENDS = {  # what varies: (inside, outside)
    "needed d": (lambda x: exact_base.needed(x, 9, 1, 0.1), (2,), (1,)),
    "needed horizon": (lambda x: exact_base.needed(3, x, 1, 0.1), (3,), (2,)),
    "needed exponent": (lambda x: exact_base.needed(3, 9, x, 0.1), (0,), (-1,)),
    "needed delta": (lambda x: exact_base.needed(3, 9, 1, x), (1e-9, 0.499), (0, 0.5)),
    "enough d": (lambda x: exact_base.enough(x, 9, 1.0, 5, 9), (2,), (1,)),
    "enough exponent": (lambda x: exact_base.enough(3, 9, x, 5, 9), (0,), (-1e-9,)),
    "polynomial horizon": (lambda x: exact_base.polynomial(2, x, 0.5, 0.1), (3,), (2,)),
    "polynomial epsilon": (lambda x: exact_base.polynomial(3, 5, x, 0.1), (1,), (1.001,)),
    "shares leverage": (lambda x: exchange.shares(2, 3, 0.5, 0.1, 3, x), (1,), (0.999,)),
    "shares nu": (lambda x: exchange.shares(2, 3, 0.5, 0.1, 2, 2.0, x), (1e-3, 1), (0, 1.001, None)),
    "shares block": (lambda x: exchange.shares(2, 3, 0.5, 0.1, x, 2.0, 0.5), (1, 9), (0,)),
    "shares dim": (lambda x: exchange.shares(x, 3, 0.5, 0.1, 3, 2.0), (1,), (0,)),
    "shares delta": (lambda x: exchange.shares(2, 3, 0.5, x, 3, 2.0), (1e-9, 0.999), (0, 1)),
    "gates levels": (lambda x: gates.best_success(1, 3, x, F(1, 2), 1), (1, 3), (0, 4)),
    "gates theta": (lambda x: gates.best_success(1, 2, 2, x, 1), (0, 1), (F(-1, 9), F(10, 9))),
    "gates budget": (lambda x: gates.best_success(1, 2, 1, F(1, 2), x), (0,), (-1,)),
    "gates stages": (lambda x: gates.best_success(x, 2, 1, F(1, 2), 1), (1,), (0,)),
    "gates eta": (lambda x: gates.stated(9, 4000, F(1, 100), F(1, 10), x), (F(1, 2), F(99, 100)), (0, 1)),
    "gates delta": (lambda x: gates.stated(9, 4000, F(1, 100), x, F(1, 2)), (0, F(1, 2)), (F(-1, 9), 1)),
    "gates d": (lambda x: gates.stated(x, 40000, F(1, 1000), F(1, 10), F(1, 2)), (4,), (3,)),
    "one deployment horizon": (lambda x: exact_base.one_deployment(3, x, 0.1, 0.1), (3,), (2,)),
    "junk d": (lambda x: junk_game.best_failure(x, 2, 1, 1), (2,), (1,)),
    "junk horizon": (lambda x: junk_game.best_failure(2, x, 1, 1), (2,), (1,)),
    "junk batch": (lambda x: junk_game.best_failure(2, 2, x, 1), (1,), (0,)),
    "junk deployments": (lambda x: junk_game.best_failure(2, 2, 1, x), (1,), (0,)),
    "weights leverage": (lambda x: modulo.start_weights(x, 2), (1,), (0.999,)),
    "weights layers": (lambda x: modulo.start_weights(2, x), (0,), (-1,)),
    "modulo first": (lambda x: modulo.deployments(9, x, 1), (0, 7), (-1, 8)),
    "modulo block": (lambda x: modulo.deployments(9, 3, x), (1, 5), (0, 6)),
    "modulo epsilon": (lambda x: modulo.blocks_demand(3, 5, 0, 2, x, 0.1, 100), (5,), (5.001,)),
    "modulo closed d": (lambda x: modulo.closed_form(x, 5, 2, 0.5, 0.1), (3,), (2,)),
    "modulo closed block": (lambda x: modulo.closed_form(3, 5, x, 0.5, 0.1), (1, 4), (0, 5)),
    "modulo closed epsilon": (lambda x: modulo.closed_form(3, 5, 2, x, 0.1), (1,), (1.001,)),
    "odd d": (lambda x: odd_game.least_loss(x, 2, 1), (2, 4), (1, 5)),
    "odd horizon": (lambda x: odd_game.least_loss(2, x, 1), (2, 3), (1, 4)),
    "odd batch": (lambda x: odd_game.least_loss(2, 2, x), (1, 3), (0, 4)),
    "odd contexts d": (lambda x: odd_game.least_loss_after_contexts(x, 1), (2, 4), (1, 5)),
    "odd contexts batch": (lambda x: odd_game.least_loss_after_contexts(2, x), (1, 3), (0, 4)),
    "odd bias": (lambda x: odd_game.uniform_loss(2, 2, 5, x), (1e-9, 0.499), (0, 0.5)),
    "renewal d": (lambda x: renewal.values(x, 1, 1, 1), (2,), (1,)),
    "renewal n": (lambda x: renewal.values(2, x, 1, 1), (1,), (0,)),
    "renewal N": (lambda x: renewal.values(2, 1, x, 1), (1,), (0,)),
    "renewal K": (lambda x: renewal.values(2, 1, 1, x), (0,), (-1,)),
    "spanner epsilon": (lambda x: spanner.spanner_size(2, 3, x, 0.1), (3,), (3.001,)),
    "spanner sigma": (lambda x: spanner.spanner_size(2, 3, 0.1, 0.1, sigma=x), (1e-6, 1), (0, 1.001)),
    "truncation d": (lambda x: truncation.batch_size(x, 4, 1, 1.0, 0.1), (2,), (1,)),
    "truncation horizon": (lambda x: truncation.batch_size(3, x, 1, 1.0, 0.1), (2,), (1,)),
    "truncation block": (lambda x: truncation.batch_size(3, 4, x, 1.0, 0.1), (1, 3), (0, 4)),
    "truncation epsilon": (lambda x: truncation.batch_size(3, 4, 1, x, 0.1), (4,), (4.001,)),
    "truncation closed": (lambda x: truncation.closed_form(3, 4, 1, x, 0.1), (1,), (1.001,)),
    "grid bound": (lambda x: covers.grid_points(x, 1), (0,), (F(-1, 9),)),
    "grid step": (lambda x: covers.grid_limit(1, x), (F(1, 9),), (0,)),
    "arbitrary epsilon": (lambda x: arbitrary_constants(2, 2, x, 0.1, 0.5), (0.999,), (0, 1)),
    "arbitrary nu": (lambda x: arbitrary_constants(1, 1, 0.5, 0.5, x), (1,), (0, NEXT(1, 2), 9e-21)),
    "setting d": (lambda x: Setting(x, 1, 1, 0.5), (1, 10**12), (0, 10**12 + 1)),
    "setting horizon": (lambda x: Setting(1, x, 1, 0.5), (1, 10**12), (0, 10**12 + 1)),
    "setting epsilon": (lambda x: Setting(1, 1, x, 0.5), (1e-100, 1e100), (9e-101, 1.1e100)),
    "setting delta": (lambda x: Setting(1, 1, 1, x), (1e-100, NEXT(1, 0)), (9e-101, 1)),
    "trade-off": (trade_off, (NEXT(1, 2), 10**12), (1, 10**12 + 1)),
    "bonus c_beta": (lambda x: bonus.closed_form_scale(1, 1, 0.5, 1, 1.0, x), (1e-100, 1e100), (9e-101, 1.1e100)),
    "bonus K": (lambda x: bonus.closed_form_scale(1, 1, 0.5, x, 1.0), (1,), (0,)),
    "template": (lambda x: lower_bounds.template_arms(x, x), (1,), (0,)),
    "compact D": (lambda x: lower_bounds.compact_arms(x, 1), (3,), (2,)),
    "compact T": (lambda x: lower_bounds.compact_arms(3, x), (1,), (0,)),
    "bandit m": (lambda x: lower_bounds.bandit_failure(x, 0), (0,), (-1,)),
    "bandit served": (lambda x: lower_bounds.bandit_failure(3, 0, x), (1,), (0,)),
    "failure delta": (lambda x: lower_bounds.deployments_for_failure(3, x), (0, F(99, 100)), (F(-1, 9), 1)),
    "served epsilon": (lambda x: lower_bounds.arms_served(x, F(1, 2)), (0,), (F(-1, 9),)),
    "served bias": (lambda x: lower_bounds.arms_served(F(1, 8), x), (F(1, 99), F(1, 2)), (0, F(51, 100))),
    "log base": (lambda x: lower_bounds.ceil_log(x, 5), (2,), (1,)),
    "log x": (lambda x: lower_bounds.ceil_log(2, x), (1,), (0,)),
    "paper H": (lambda x: lower_bounds.paper_deployments_arbitrary(2, x, 1), (3,), (2,)),
    "improved H": (lambda x: lower_bounds.improved_deployments_arbitrary(2, x, 1), (3,), (2,)),
    "reach L": (lambda x: lower_bounds.first_deployment_reach(2, x, 1), (1,), (0,)),
    "no log d": (lambda x: lower_bounds.failure_without_horizon_log(x, 3, 1, 1), (2,), (1,)),
    "no log n": (lambda x: lower_bounds.failure_without_horizon_log(2, x, 1, 1), (0,), (-1,)),
    "no log failure": (lambda x: lower_bounds.deployments_without_horizon_log(2, 3, 1, x), (1, F(1, 99)), (0, 1.001)),
    "success H": (lambda x: lower_bounds.exact_success_arbitrary(2, x, 1, 1), (2,), (1,)),
    "bayes m": (lambda x: bandit_game.bayes_failure(x, 0, 1, F(1, 4)), (1,), (0,)),
    "bayes N": (lambda x: bandit_game.bayes_failure(2, 1, x, F(1, 4)), (0,), (-1,)),
    "bayes bias": (lambda x: bandit_game.bayes_failure(2, 1, 1, x), (0, F(1, 2)), (F(-1, 9), F(51, 100))),
    "codes": (lambda x: search_game.sequences(2, x), (0, 12), (-1, 13)),
    "curve d": (lambda x: search_programme.success_curve(x, 2, 1, 1), (2, 10**5), (1,)),
    "curve N": (lambda x: search_programme.success_curve(2, 2, x, 1), (1, 10**300), (0, 10**300 + 1)),
    "success probability": (lambda x: search_programme.deployments_for_success(2, 1, 1, x), (0, 0.999), (-0.001, 1)),
    "too few alpha": (lambda x: mixture.too_few(2, x, 1), (0, 1), (F(-1, 9), F(10, 9))),
    "too few needed": (lambda x: mixture.too_few(2, F(1, 2), x), (0,), (-1,)),
    "enough alpha": (lambda x: mixture.enough_trajectories(1, x, 1), (F(1, 9), 1), (0, F(10, 9))),
    "enough level": (lambda x: mixture.enough_trajectories(1, F(1, 2), x), (0,), (F(-1, 9),)),
    "safe alpha": (lambda x: threshold.mixture_constants(2, 2, 0.5, 0.1, x), (0.125,), (0, NEXT(0.125, 1))),
    "safe epsilon": (lambda x: threshold.mixture_constants(2, 2, x, 0.1, 0.01), (0.999,), (0, 1)),
    "level of violations": (lambda x: sample_efficient.deployments_at(4, 1, 1.0, x, 9), (0.5001,), (0, 0.4999)),
    "direct epsilon": (lambda x: direct.budget(2, 3, x, 0.1, 2), (3,), (3.001,)),
    "switches": (lambda x: online.switches(1, 1, x), (1,), (0,)),
    "online eta": (lambda x: online.episodes_lsvi_ucb(1, 1, 1.0, 0.5, eta=x), (1,), (0.999,)),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_last_number_inside_works_and_the_next_one_is_refused_in_one_line(name):
    call, inside, outside = ENDS[name]
    for value in inside:
        call(value)
    for value in outside:
        with pytest.raises(Invalid) as caught:
            call(value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("shorter, longer", [
    (lambda: online.episodes_of_the_reduction(1, 2, 0.9, 0.1),
     lambda: online.episodes_lsvi_ucb(1, 2, 0.3, 0.1, 1.0, 2.0)),
    (lambda: online.episodes_reward_free(1, 1, 0.9, 0.1), lambda: online.episodes_reward_free(1, 1, 0.9, 0.1, 1.0)),
    (lambda: online.episodes_lsvi_ucb(1, 1, 0.9, 0.1),
     lambda: online.episodes_lsvi_ucb(1, 1, 0.9, 0.1, 1.0, 1.0, None)),
    (lambda: online.switches(2, 3, 9), lambda: online.switches(2, 3, 9, 2.0)),
    (lambda: bonus.closed_form_scale(2, 2, 0.1, 3, 5.0), lambda: bonus.closed_form_scale(2, 2, 0.1, 3, 5.0, 1.5)),
    (lambda: truncation.batch_size(2, 3, 1, 1.0, 0.1), lambda: truncation.batch_size(2, 3, 1, 1.0, 0.1, "spanner")),
    (lambda: modulo.blocks_size(2, 4, 0, 1, 0.5, 0.1), lambda: modulo.blocks_size(2, 4, 0, 1, 0.5, 0.1, "design")),
    (lambda: exchange.batch_size(2, 3, 0.5, 0.1, 2, 2.0, 0.5),
     lambda: exchange.batch_size(2, 3, 0.5, 0.1, 2, 2.0, 0.5, False)),
    (lambda: arbitrary_constants(2, 2, 0.5, 0.1, 0.5),
     lambda: arbitrary_constants(2, 2, 0.5, 0.1, 0.5, "repaired", False)),
    (lambda: threshold.mixture_constants(2, 2, 0.5, 0.1, 0.1),
     lambda: threshold.mixture_constants(2, 2, 0.5, 0.1, 0.1, 2)),
    (lambda: lower_bounds.bandit_failure(9, 2), lambda: lower_bounds.bandit_failure(9, 2, 1)),
    (lambda: lower_bounds.deployments_without_horizon_log(3, 30, 9),
     lambda: lower_bounds.deployments_without_horizon_log(3, 30, 9, F(1, 2))),
    (lambda: lower_bounds.exact_success_arbitrary(2, 6, 2, 2),
     lambda: lower_bounds.exact_success_arbitrary(2, 6, 2, 2, "forget", True)),
    (lambda: junk_game.one_deployment(3, 4, 5), lambda: junk_game.one_deployment(3, 4, 5, False)),
    (lambda: sample_efficient.repeated(2, 2, 0.5, 0.1, 10**6, 2),
     lambda: sample_efficient.repeated(2, 2, 0.5, 0.1, 10**6, 2, "layers"))])
def test_what_is_not_given_has_the_value_that_the_docstring_names(shorter, longer):
    assert shorter() == longer()
