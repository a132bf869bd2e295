"""Sizes of the quoted methods by hand, and the first number for which a bound holds."""

import math

import pytest

from derl.theory.comparison import online, qiao_wang, quoted, zhang
from derl.theory.foundations.setting import InvalidConstant


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


@pytest.mark.parametrize("eta", [1.0, 2.0])
def test_it_is_the_first_number_for_which_the_bound_holds(eta):
    k = online.episodes_lsvi_ucb(3, 4, 0.1, 0.05, eta=eta)

    def bound(n):
        beta = online.bonus_scale_online(3, 4, 0.05, n)
        return online.mean_loss(3, 4, 0.05, beta, n, math.sqrt(eta))

    assert bound(k) <= 0.1 < bound(k - 1)


def test_switches_are_a_logarithm():
    assert online.switches(4, 4, 10**12) == 1 + math.floor(16 * math.log2(1 + 10**12 / 4)) == 606
    assert online.switches(1, 1, 1, 2.0) == 2
    with pytest.raises(InvalidConstant, match="n_episodes"):
        online.switches(1, 1, 0)


@pytest.mark.parametrize("d, horizon, n, stretch", [
    (1, 1, 1, 1.0), (2, 3, 7, 1.0), (5, 2, 1000, 1.5), (1, 4, 10**6, 2.0)])
def test_the_bound_and_its_scales_are_the_formulas_of_the_docstring(d, horizon, n, stretch):
    """Equal, not only of the right order: at d = K = 1 every wrong factor is visible."""
    delta, beta = 0.1, 3.0
    assert online.bonus_scale_online(d, horizon, delta, n, 2.0) == pytest.approx(
        2 * d * horizon * math.log(2 * d * n * horizon / delta) ** 0.5)
    assert online.mean_loss(d, horizon, delta, beta, n, stretch) == pytest.approx(
        2 * stretch * beta * horizon * (2 * d * math.log(1 + n / d) / n) ** 0.5
        + horizon**2 * (math.log(2 * n / delta) / (2 * n)) ** 0.5)


@pytest.mark.parametrize("d, horizon, epsilon, beta", [(1, 1, 0.5, None), (3, 4, 0.1, None), (2, 3, 0.2, 5.0)])
def test_reward_free_episodes_are_the_first_for_which_the_bound_holds(d, horizon, epsilon, beta):
    """2H times the mean of sum_h min((2 + 1/H) beta b_h, H), with the beta of Wang et al. where none is given."""
    delta = 0.1
    scale = 2 * d * horizon * math.sqrt(math.log(d * horizon / (delta * epsilon))) if beta is None else beta
    found = online.episodes_reward_free(d, horizon, epsilon, delta, 2.0, beta)

    def bound(n):
        return 2 * horizon * ((2 + 1 / horizon) * scale * horizon * math.sqrt(2 * d * math.log(1 + n / d) / n)
                              + horizon**2 * math.sqrt(math.log(2 * n / delta) / (2 * n)))

    assert bound(found) <= epsilon < bound(found - 1)


def test_the_reduction_asks_for_a_third_of_the_accuracy_and_renews_at_twice_the_determinant():
    d, horizon, epsilon, delta, beta = 2, 3, 0.3, 0.1, 4.0
    found = online.episodes_of_the_reduction(d, horizon, epsilon, delta, beta=beta)

    def bound(n):
        return (2 * math.sqrt(2) * beta * horizon * math.sqrt(2 * d * math.log(1 + n / d) / n)
                + horizon**2 * math.sqrt(math.log(2 * n / delta) / (2 * n)))

    assert bound(found) <= epsilon / 3 < bound(found - 1)


def test_one_episode_is_enough_where_the_bound_is_small_at_once():
    assert online._first(lambda k: True) == 1
    assert [online._first(lambda k, n=n: k >= n) for n in (1, 2, 3, 7, 8, 9, 1000)] == [1, 2, 3, 7, 8, 9, 1000]
    with pytest.raises(InvalidConstant, match=r"more than 2\^900 trajectories"):
        online._first(lambda k: False)


@pytest.mark.parametrize("change, word", [({"eta": 0.9}, "eta is 0.9"), ({"beta": 0}, "beta is 0"),
                                          ({"c_beta": -1}, "c_beta is -1"), ({"delta": 0}, "delta is 0")])
def test_numbers_out_of_range_are_named(change, word):
    assert online.episodes_lsvi_ucb(**({"d": 1, "horizon": 1, "epsilon": 1.0, "delta": 0.1} | {"eta": 1})) > 1
    with pytest.raises(InvalidConstant, match=word):
        online.episodes_lsvi_ucb(**({"d": 1, "horizon": 1, "epsilon": 1.0, "delta": 0.1} | change))


@pytest.mark.parametrize("size", [(40, 40, 1 / 40), (80, 40, 1 / 100), (40, 200, 1 / 40)])
def test_the_literal_set_can_cut_and_covers(size):
    found = zhang.literal(*size, 0.1)
    assert found.can_cut and found.covers
    assert zhang.practical(*size, 10**9, 100).x == found.x and zhang.practical(*size, 10**9, 100).f == found.f


def test_the_couplings_are_the_two_that_are_said():
    """m zeta/(2x) < 1 and z >= N zeta/(16x), and nothing on the other side."""
    fine = zhang.practical(5, 4, 0.1, 10**9, 100)
    assert fine.covers and fine.can_cut
    edge = 2 * fine.x / fine.zeta
    assert not zhang.practical(5, 4, 0.1, 10**9, 1.001 * edge, fine.zeta).can_cut
    assert zhang.practical(5, 4, 0.1, 10**9, 0.999 * edge, fine.zeta).can_cut
    assert zhang.practical(5, 4, 0.1, 10**9, 1.001 * edge).can_cut  # by default it starts where something can be cut
    least = 16 * fine.x / fine.zeta
    assert zhang.practical(5, 4, 0.1, 2 * least, 100).z == pytest.approx(2)
    assert zhang.practical(5, 4, 0.1, least / 2, 100).z == 1


def test_the_literal_constants_by_hand():
    """d = 2, H = 3, epsilon = 1/10, delta = 1/20."""
    found = zhang.literal(2, 3, 0.1, 0.05)
    assert (found.x, found.f, found.zeta, found.z) == pytest.approx(
        (1 / 12_000, 57_600, 1e-5 / (32e4 * 3**15), 16e5 * 243 * 100))
    assert (found.value, found.policies) == pytest.approx((0.1 / 72, 32_000 * 16 * 27 * 10))
    assert found.sub_dataset == pytest.approx(1e12 * 2**7 * 3**7 * math.log(6 / 0.005))
    assert zhang.trajectories(2, 3, 0.1, 0.05) == pytest.approx(
        9 * (2 * found.policies**2 + 1) * found.sub_dataset)


def test_the_practical_constants_by_hand():
    found = zhang.practical(2, 3, 0.1, 10**6, 7)
    assert (found.x, found.f, found.zeta, found.z, found.value, found.policies, found.sub_dataset) == pytest.approx(
        (1 / 12_000, 57_600, 1e-12, 1, 0.1 / 72, 7, 1e6))
    assert zhang.practical(2, 3, 0.1, 10**12, 7).z == pytest.approx(12_000 / 16)
