"""Sizes of the quoted methods: exponents as in Table 1, and the potential of the elliptical planner."""

import math

import pytest

from derl.theory.comparison import qiao_wang, quoted


@pytest.mark.parametrize("d, b", [(3, 0.05), (4, 1e-4), (10, 1.0)])
def test_the_number_of_policies_is_the_last_that_the_potential_allows(d, b):
    most = quoted.moffle_policies(d, b)

    def fits(count):
        return 0.75 * b * count <= 2 * d * math.log1p(count / d)

    assert fits(most) and not fits(most + 1)


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
