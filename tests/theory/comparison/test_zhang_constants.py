"""The constants of Zhang et al. grow in d, H and 1/epsilon as their Appendix A says, and hang together."""

import math

import pytest

from derl.theory.comparison import zhang


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
