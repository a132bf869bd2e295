"""Values that a caller may pass, as hypothesis generators: good ones, bad ones, and those at the ends of a range."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from derl.inputs import Invalid

DIGITS_OF_OTHERS = "\u0663\u0967\uff13"  # Arabic, Devanagari, full width
LONGEST = 700  # characters of a refusal
CORNERS = [2**1024, -2**1024, 10**400, 10**401, 2**63, 2**63 - 1, 2**53 + 1, 10**100, 10**100 + 1, 0, -1, 1, 2, 3]
FLOATS = [0.0, -0.0, 5e-324, 2.2e-308, 1e-100, 1e-300, 1e308, 1.7976931348623157e308, float("nan"), float("inf"),
          float("-inf"), 0.1, 1 / 3, 1 - 2**-53, 1e100]


def outcome(call):
    """The result, or None where it was refused in one line; any other exception is a fault."""
    try:
        return call()
    except Invalid as error:
        message = str(error)
        assert "\n" not in message and 0 < len(message) <= LONGEST, message
        return None


def numbers():
    """Numbers of every type that may stand where a number is meant, and things that are none."""
    return st.one_of(
        st.sampled_from(CORNERS), st.sampled_from(FLOATS), st.integers(), st.floats(), st.fractions(),
        st.sampled_from([Fraction(1, 10**400), Fraction(10**400, 3), True, None, "1", "1/10", 1 + 2j, np.float32(0.5),
                         np.int8(3), np.float64("nan"), np.array(0.5), np.array([1])]))


def written():
    """Texts that are numbers, or look like numbers."""
    digits = st.text("0123456789", min_size=1, max_size=30)
    sign = st.sampled_from(["", "+", "-", "--"])
    plain = st.builds("{}{}".format, sign, digits)
    decimal = st.builds("{}{}.{}".format, sign, st.one_of(digits, st.just("")), st.one_of(digits, st.just("")))
    power = st.builds("{}{}{}".format, st.one_of(plain, decimal), st.sampled_from("eE"),
                      st.one_of(st.integers(-450, 450), st.sampled_from([10**6, -10**9, 10**30])).map(str))
    fraction = st.builds("{}/{}".format, plain, st.one_of(digits, plain))
    odd = st.sampled_from(["nan", "inf", "-inf", "Infinity", "", " ", "0x10", "1__0", "1_0", "_1", "1_", "1 0", "1e",
                           ".", "e5", "1/0", "0/0", "1/2/3", "1,5", "½", "²", "-0", "-0.0", "1e-400", "1e400", "1e401",
                           "9" * 400, "9" * 401, "9" * 5000, "1/" + "9" * 400, "0." + "1" * 399, "true", "1\n2",
                           "5e-324", *DIGITS_OF_OTHERS, "1" + DIGITS_OF_OTHERS])
    padded = st.builds("{}{}{}".format, st.sampled_from(["", " ", "\t"]), plain, st.sampled_from(["", " ", "\n"]))
    return st.one_of(plain, decimal, power, fraction, odd, padded)


def rows(n_states: int, digits):
    """A distribution over states whose entries are written with so many digits after the point."""
    weights = st.lists(st.integers(0, 20), min_size=n_states, max_size=n_states).filter(any)
    return st.builds(lambda w, k: [round(x / sum(w), k) for x in w], weights, digits)


class Spoilt:
    """An object that fails at everything it is asked."""

    def __getattr__(self, name):
        raise RuntimeError("spoilt")

    def __repr__(self):
        raise RuntimeError("spoilt")

    __len__ = __iter__ = __array__ = __float__ = __bool__ = __str__ = __eq__ = __hash__ = __repr__
