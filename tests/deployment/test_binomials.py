"""The law of exact draws, at the corners where the generators of libraries are known to be wrong.

Most of it is decided without a sample: thresholds and densities are compared with mpmath at 60 digits, and the hat of
the rejection is compared with the density. So an error of 1e-12 is seen, which no sample would show. The samples have
sizes and seeds that are fixed here, and the level 1e-3 for the file.
"""

import ast
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest
from chisquare import of_integers

from derl import deployment
from derl.deployment import _binomials, binomials

LEVEL = 1e-3 / 40  # statistical assertions in this file
TOP = 2**63 - 1
ENDS = [2**31 - 1, 2**31, 2**32 - 1, 2**53 - 1, 2**53, 2**53 + 1, 2**62, TOP - 1, TOP]  # of integers and doubles
RESOLVED = 2.0**-50  # how well a distribution function is held
DENSITY = 1e-12  # how well a logarithm of a quotient of densities is held

# n, p: means below 10
RARE = [(1, 0.5), (19, 0.5), (2**40, 1.05e-15), (2**40, 5e-12), (50_000_000_000, 5e-17), (2**53 + 1, 1e-16),
        (TOP, 1e-18), (TOP, 1e-19), (10**6, 9.9e-6), (TOP, 5e-324), (3, 1e-300)]
# means of 10 and more
USUAL = [(20, 0.5), (100, 0.1), (1000, 0.4), (10**6, 1e-5), (2**40, 1e-9), (2**53, 100.3 / 2**53), (10**12, 0.5),
         (10**12, 0.3), (2**62, 0.5), (TOP, 0.5), (TOP, 0.3), (TOP, 1.1e-18), (TOP, 1e-9), (2**31 - 1, 0.49)]


class Given:
    """A generator whose uniform numbers are given; it has no other method, so nothing else can be asked of it."""

    def __init__(self, numbers):
        self.numbers = numbers

    def random(self, size):
        assert size == len(self.numbers)
        return self.numbers


def generator(seed):
    return np.random.default_rng(np.random.SeedSequence(29, spawn_key=(seed,)))


def exact(n, p, most):
    """P(0), ..., P(most) for Bin(n, p) at 60 digits, p as the double that it is."""
    with mpmath.workdps(60):
        p = mpmath.mpf(p)
        masses = [mpmath.exp(n * mpmath.log1p(-p))]
        for k in range(1, min(most, n) + 1):
            masses.append(masses[-1] * (n - k + 1) / k * p / (1 - p))
        return masses


def misplaced(invert, n, p):
    """The counts k whose threshold is not where the exact distribution function has it, up to `RESOLVED`."""
    with mpmath.workdps(60):
        sums, total = [], mpmath.mpf(0)
        for mass in exact(n, p, 40):
            total += mass
            sums.append(total)
        below = [max(float(value) - RESOLVED, 0.0) for value in sums]
        above = [float(value) + RESOLVED for value in sums]
    wrong = []
    for k, (low, high) in enumerate(zip(below, above, strict=True)):
        if low > 0 and invert(n, p, low) > k:
            wrong.append(k)
        if high < 1 and invert(n, p, high) <= k:
            wrong.append(k)
    return wrong


def inverted(n, p, u):
    array = np.array
    return int(binomials._inverted(Given(array([u])), array([n]), array([p]), array([1 - p]))[0])


@pytest.mark.parametrize("n, p", RARE)
def test_small_means_have_their_exact_distribution_function(n, p):
    assert misplaced(inverted, n, p) == []


def quotients(log_density, n, p):
    """The largest error of log P(k) / P(mode) within nine standard deviations, against mpmath."""
    mean, other = n * p, n * (1 - p)
    mode, spread = int(mean + p), math.sqrt(mean * (1 - p))
    steps = {round(x * spread) for x in np.linspace(-9, 9, 61)} | set(range(-3, 4))
    steps = [step for step in steps if 0 <= mode + step <= n]
    k = np.array([mode + step for step in steps])
    away = np.array(steps, float) - (mean - mode)
    size = np.full(len(k), n)
    found = log_density(k, size, away, np.full(len(k), mean), np.full(len(k), other))
    found = found - found[steps.index(0)]
    with mpmath.workdps(60):
        share = mpmath.mpf(mean) / n  # the chance as it is after the mean has been rounded

        def density(k):
            return (-mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1) + k * mpmath.log(share)
                    + (n - k) * mpmath.log1p(-share))

        centre = density(mode)
        return max(abs(float(value - (density(mode + step) - centre)))
                   for value, step in zip(found.tolist(), steps, strict=True))


@pytest.mark.parametrize("n, p", USUAL)
def test_the_density_is_that_of_the_binomial(n, p):
    assert quotients(binomials.log_density, n, p) < DENSITY
    assert quotients(np.vectorize(_binomials.log_density, otypes=[float]), n, p) < DENSITY


def hat(n, p, u):
    """Density over the hat at u, the height of the box, and whether u is inside of it."""
    mean, other = n * p, n * (1 - p)
    mode, spread = math.floor(mean + p), math.sqrt(mean * (1 - p))
    b = 1.15 + 2.53 * spread
    a, room = 0.0248 * b - 0.0873 + 0.01 * p, 0.5 - np.abs(u)
    step = np.floor((2 * a / room + b) * u + (mean - mode) + 0.5)
    inside = (step >= -mode) & (step <= n - mode)
    u, room, step = u[inside], room[inside], step[inside]
    k, size = mode + step.astype(np.int64), np.full(len(step), n)

    def log_density(k, away):
        return binomials.log_density(k, size, away, np.full(len(k), mean), np.full(len(k), other))

    quotient = np.exp(log_density(k, step - (mean - mode)) - log_density(np.full(len(k), mode), mode - mean + 0 * step))
    return quotient * (a / room**2 + b) / ((2.83 + 5.1 / b) * spread), 0.92 - 4.2 / b, room >= binomials.CERTAIN


@pytest.mark.parametrize("n, p", [*USUAL, *((round(mean / p), p) for mean in (10, 10.5, 11, 13, 17, 25, 50, 200)
                                            for p in (0.5, 0.37, 0.1, 1e-3, 1e-9))])
def test_the_hat_is_above_the_density_and_the_box_is_below(n, p):
    """Then the law of what is accepted is the density itself: the transformation has the slope 1 / (a / room^2 + b)."""
    u = np.linspace(-0.5, 0.5, 100_001)[1:-1]
    heights, low, sure = hat(n, p, u)
    assert heights.max() <= 1 + 1e-12
    assert (heights[sure] >= low).all()
    assert (np.abs(u) <= 0.43).sum() == sure.sum()  # all of the box is possible counts


# ---- samples

@pytest.mark.parametrize("n", ENDS)
@pytest.mark.parametrize("last", [False, True], ids=["rare first", "rare last"])
def test_a_cell_next_to_certain_has_the_law_of_its_complement(n, last):
    """p next to 1: the counts of the rare cell, mean near 100, against the exact binomial."""
    p = 100.3 / n
    row = [1 - p, p] if last else [p, 1 - p]
    counts = binomials.multinomials(generator(1), np.full(20_000, n), np.tile(row, (20_000, 1)))
    assert counts.sum(axis=1).tolist() == [n] * 20_000
    law = np.array([float(mass) for mass in exact(n, p / (row[0] + row[1]), 180)])
    assert of_integers(counts[:, int(last)], law) > LEVEL


def test_masses_of_any_size_make_a_row():
    """Subnormal masses, one cell, masses that do not sum to 1, and impossible cells beside each other."""
    rng = generator(50)
    assert binomials.multinomials(rng, np.array([TOP]), np.array([[5e-324, 0.0, 0.0, 1.0, 1e-300]])).tolist() == [
        [0, 0, 0, TOP, 0]]
    assert binomials.multinomials(rng, np.array([7, 0]), np.array([[3.0], [1e-5]])).tolist() == [[7], [0]]
    halves = binomials.multinomials(rng, np.array([10**6]), np.array([[0.0, 5e-324, 0.0, 5e-324]]))
    assert halves.sum() == 10**6 and not halves[0, [0, 2]].any() and abs(halves[0, 1] - 500_000) < 3000


@pytest.mark.parametrize("cells", [1, 2, 3, 7, 16, 33])
def test_compiled_and_readable_draws_are_the_same(cells):
    rng = generator(60)
    for n in (0, 1, 17, 300, 2**40, *ENDS):
        rows = rng.dirichlet(np.full(cells, 0.2), 12)
        rows[:, -1] *= rng.random(12) < 0.8
        rows[rows.sum(axis=1) == 0] = 1.0
        size = np.full(12, n)
        one, other = (module(np.random.default_rng(5), size, rows)
                      for module in (_binomials.multinomials, binomials.readable))
        np.testing.assert_array_equal(one, other)


# ---- what is relied on

ALLOWED = {"random", "integers", "permutation",  # uniform numbers, and places that are uniform
           "standard_normal"}  # the Gaussian approximation alone


def methods(source):
    """Names of methods called on a generator."""
    return {node.func.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
            and node.func.value.id in ("rng", "stream")}


def test_exact_draws_ask_a_generator_for_uniform_numbers_only():
    folder = Path(deployment.__file__).parent
    used = {path.name: methods(path.read_text(encoding="utf-8")) - ALLOWED for path in folder.glob("*.py")}
    assert {name: names for name, names in used.items() if names} == {}
    assert methods("def f(rng): return rng.binomial(3, 0.5) + rng.random()") == {"binomial", "random"}


def test_whole_numbers_up_to_the_end_of_their_type_are_uniform():
    """Places in a multiset are drawn by `integers`, whose range goes up to 2^63 - 1: high and low bits."""
    top = 2**63 - 1 - 2**61
    drawn = generator(70).integers(0, np.full(100_000, top))
    assert 0 <= drawn.min() and drawn.max() < top
    assert of_integers((drawn // (top // 16 + 1)).astype(int), np.full(16, 1 / 16)) > LEVEL
    assert of_integers((drawn % 16).astype(int), np.full(16, 1 / 16)) > LEVEL
