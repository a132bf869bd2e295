"""The chain of Appendix B at d = H = 3, by hand."""

from fractions import Fraction


def test_chain_of_the_text_at_three_by_three():
    m, K = 4, 2
    assert Fraction(K + 1, m + 1) == Fraction(3, 5) > Fraction(1, 2) >= Fraction(K, m + 1)
    assert (1 - Fraction(1, 2)) ** 2 < Fraction(368, 1000) < 1 - Fraction(1, 2)  # H = 2: below and above 1/e
