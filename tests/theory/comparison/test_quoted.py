"""Sizes of the quoted methods: exponents as in Table 1, and the potential of the elliptical planner."""

import math

import pytest

from derl.theory.comparison import qiao_wang, quoted


def slope(count, at, to):
    return math.log(count(at) / count(to)) / math.log(at / to)


def test_exponents_are_those_of_the_table_up_to_logarithms():
    francis = [lambda d: 1 * quoted.francis_episodes(round(d), 10, 0.1, 0.1),
               lambda h: h * quoted.francis_episodes(10, round(h), 0.1, 0.1)]
    for count, power in zip(francis, (3, 5), strict=True):
        assert power <= slope(count, 10**9, 10**6) < power + 0.1
    # log|F| of linear functions is d H up to logarithms, and there are d H phases
    olive = [lambda d: d * d * quoted.olive(round(d), 10, 0.1, 0.1, 3).batch_size,
             lambda h: h * h * quoted.olive(10, round(h), 0.1, 0.1, 3).batch_size]
    for count, power in zip(olive, (3, 6), strict=True):
        assert power <= slope(count, 10**9, 10**6) < power + 0.1
    # policies of a planner: d^3 A^4/eta^2
    planners = [(lambda eta: quoted.moffle_policies(4, quoted.moffle_threshold(4, 2, eta)), 1e-4, 1e-6, -2),
                (lambda d: quoted.moffle_policies(round(d), quoted.moffle_threshold(round(d), 2, 0.1)), 1000, 100, 3)]
    for count, at, to, power in planners:
        assert slope(count, at, to) == pytest.approx(power, abs=0.2)


@pytest.mark.parametrize("d, b", [(3, 0.05), (4, 1e-4), (10, 1.0)])
def test_the_number_of_policies_is_the_last_that_the_potential_allows(d, b):
    most = quoted.moffle_policies(d, b)

    def fits(count):
        return 0.75 * b * count <= 2 * d * math.log1p(count / d)

    assert fits(most) and not fits(most + 1)


def test_thresholds_of_olive():
    found = quoted.olive(4, 5, 0.1, 0.1, 100)
    assert found.act == pytest.approx(4 * math.sqrt(4) * found.eliminate) and found.phases == 21
    assert found.batch_size == found.n_act + found.n_eliminate > found.n_eliminate > found.n_act


def test_francis_pays_for_accuracy_by_its_square():
    assert slope(lambda epsilon: quoted.francis_episodes(4, 3, epsilon, 0.1), 1e-6, 1e-4) == pytest.approx(-2, abs=0.1)


def test_the_sizes_of_the_module_by_hand():
    iota = math.log(4 * 3 / (0.05 * 0.1))
    assert quoted.francis_episodes(3, 4, 0.1, 0.05) == math.ceil(27 * 256 * iota / 0.01)
    found = quoted.olive(3, 4, 0.1, 0.05, 100)
    act = math.ceil(256 * iota / 0.01)
    assert (found.act, found.eliminate) == pytest.approx((0.2 / 4, 0.1 / (8 * math.sqrt(3))))
    assert (found.n_act, found.n_eliminate, found.phases) == (act, math.ceil(act * 3 * math.log(100)), 13)
    assert quoted.olive(3, 4, 0.1, 0.05, 1).n_eliminate == math.ceil(act * 3 * math.log(2))  # at least two functions
    assert quoted.moffle_threshold(3, 2, 0.1) == pytest.approx(0.01 / (9 * 16))
    assert quoted.francis_episodes(1, 1, 1.0, 0.9) == 1  # iota is log 2 where the logarithm is smaller


def test_the_nominal_constants_of_qiao_and_wang_by_hand():
    iota = math.log(3 * 4 / (0.1 * 0.05))
    found = qiao_wang.nominal(3, 4, 0.1, 0.05)
    accuracy = 0.1 / (16 * math.sqrt(3) * iota)
    assert (found.iota, found.accuracy) == pytest.approx((iota, accuracy))
    assert found.batch_size == math.ceil(3 * iota / accuracy**2)
    assert found.eigenvalue == pytest.approx(9 * 4 * accuracy * iota) == pytest.approx(36 * 0.1 / (16 * math.sqrt(3)))
    assert qiao_wang.nominal(1, 1, 1.0, 0.9).iota == pytest.approx(math.log(2))
