"""What is no good: numbers, names, objects and arrays that stand where something good is meant, and spoilt copies."""

import json
from fractions import Fraction

import numpy as np

from derl import instances

LONGEST = 610  # characters of a refusal


class Spoilt:
    """An object that fails at everything it is asked."""

    def __getattr__(self, name):
        raise RuntimeError("spoilt")

    def __repr__(self):
        raise RuntimeError("spoilt")

    __len__ = __iter__ = __array__ = __float__ = __bool__ = __str__ = __eq__ = __hash__ = __repr__


WORDS = ("1", "0", "-1", "2", "3", "1e10", "1e99999999", "1e-9999999999", "5e-324", "1e308", "-1e308", "nan", "inf",
           "-inf", "", " ", "x", "0.1", "1/10", "1/0", "9" * 50, "9" * 5000, "0x10", "1_0", "1e400", "\u0663", "--",
           "+", "1e-300", "0.999999999999", "true", "None", "[]", "1+2j", "\udcff", "a\nb")
NUMBERS = (0, -1, 2, 1.5, 3.0, True, None, "1", np.float32(0.5), np.nan, np.inf, 10**400, 5e-324, 1e-300, 1e300, 1 + 2j,
           np.complex128(2), np.array(0.5), [0.5], Fraction(1, 3), Fraction(1, 10**400), 2**63, -2**70, Spoilt())
STRANGE = (None, 5, "abc", b"ab", ["a"], ["a"] * 3, {"a": 1}, Spoilt(), [Spoilt()] * 3, np.array(["a", "b"]),
           iter("ab"), [[1], [2, 3]], np.array(3), float("nan"), object, {1: {2: object()}}, {"x": float("nan")},
           [("a", 1)])
PLAIN = (None, 5, -1, 1e300, "x", "", [], {}, [None], True, [[[]]], {"a": {"b": 1}}, "9" * 5000, "1e99999", 2**70,
         float("nan"), float("inf"), "../../x", "\udcff")
BASES = [instances.optimism_trap(), instances.lock(2, 2, [0, 1], 0.1),
         instances.random_simplex(3, 2, 3, 2, 0)]


def number(rng, good, share=0.6):
    return good if rng.random() < share else rng.choice((*NUMBERS, *STRANGE))


@np.errstate(all="ignore")
def spoil(rng, array):
    """An array with something wrong, or something that is no array."""
    array = np.array(array)
    flat = array.astype(float) if array.dtype != bool else array.copy()
    way = rng.randrange(14)
    if way < 4 and flat.size:
        flat.reshape(-1)[rng.randrange(flat.size)] = rng.choice((np.nan, np.inf, -np.inf, 1e308, -1e308, -1, 2, 5e-324))
        return flat
    if way == 4:
        return flat.astype(rng.choice((complex, object, np.float16, np.int8, bool, np.longdouble, str, "S5")))
    if way == 5:
        return flat[..., : rng.randrange(flat.shape[-1] + 1)] if flat.ndim else flat
    if way == 6:
        return flat[: rng.randrange(len(flat) + 1)] if flat.ndim else flat
    if way == 7:
        return np.broadcast_to(flat, (2, *flat.shape))
    if way == 8:
        return flat.tolist()
    if way == 9:
        return rng.choice((None, 5, "text", b"bytes", [[1, 2], [3]], {}, {1: 2}, set(), object(), Spoilt(), lambda: 0,
                           np.array("x"), np.datetime64("2020"), range(3), (), float("nan"), 10**400, iter(())))
    if way == 10:
        return flat * rng.choice((0, 1e-300, 0.999, 1.001, 1e308, -1))
    if way == 11:
        return np.ma.masked_array(flat, np.ones(flat.shape, bool))
    if way == 12:
        objects = flat.astype("O")
        if objects.size:
            objects.flat[0] = rng.choice((0, 10**400, None, "1e99999999", Spoilt()))
        return objects if rng.random() < 0.7 else flat.astype(">f8")
    return np.asfortranarray(flat)


def damaged(rng, body, deepest=5):
    """The body with one entry removed or replaced, somewhere, at most so deep."""
    body = json.loads(json.dumps(body))
    place = body
    for _ in range(rng.randrange(1, deepest)):
        keys = list(place) if isinstance(place, dict) else range(len(place)) if isinstance(place, list) else ()
        if not len(keys):
            break
        key, inside = rng.choice(list(keys)), place
        place = inside[key]
    if rng.random() < 0.3 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = rng.choice(PLAIN)
    return body


def bitten(rng, content):
    """Bytes with some of them changed, cut off, doubled or zeroed."""
    content, way = bytearray(content), rng.randrange(4)
    if way == 0:
        for _ in range(rng.randrange(1, 8)):
            content[rng.randrange(len(content))] = rng.randrange(256)
    elif way == 1:
        content = content[:rng.randrange(len(content))]
    elif way == 2:
        at = rng.randrange(len(content))
        content[at:at + rng.randrange(1, 200)] = bytes(rng.randrange(200))
    else:
        at = rng.randrange(len(content))
        content[at:at] = content[:rng.randrange(len(content))]
    return bytes(content)
