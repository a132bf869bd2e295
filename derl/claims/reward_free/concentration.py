"""These checks establish Lemma D.1 for the repaired algorithms, for all rewards at once, with the constant 2.

The symbolic steps take the class of value functions of both phases, its net, and two ranges of the number of samples,
with every logarithm compared with log(2dKNH/delta), for K >= 2. The result covers the data of all K deployments, which
the planning phase uses; the printed lemma stops at K - 1.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational, log, sqrt

from derl.claims import claim, printed, steps
from derl.claims.layerwise.symbols import number, values_fit
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, below, equal, nonnegative, nonnegative_from, same_operator
from derl.printed import Text
from derl.theory.reward_free.bracket import bracket_over_beta

FIRST_V = Rational(229, 100)  # below sqrt(log 192), the least v for d >= 2 and n >= 12 d^2
ROOT_HALF = Rational(70711, 100000)  # above sqrt(1/2)
NOISE = (r"\|\sum_{\tau<k}\sum_n\phi_h^{\tau n}\bigl(V(s_{h+1}^{\tau n})-P_hV(s_h^{\tau n},a_h^{\tau n})\bigr)"
         r"\|_{(\Lambda_h^k)^{-1}}")

n, p, q, r, s, t = sympy.symbols("n p q r s t", nonnegative=True)
d, k, x, z = sympy.symbols("d k x z", positive=True)


def reward_free_class(lipschitz=2) -> list[tuple[str, bool]]:
    """What is new against a known reward: theta inside w, a bonus counted `lipschitz` times, every horizon."""
    return [
        "class",
        ("|Lambda^-1 Phi^T y| <= |y|/2: 1/2 - s/(1 + s^2) is a square over 2(1 + s^2)",
         equal(Rational(1, 2), s / (1 + s**2) + (1 - s) ** 2 / (2 * (1 + s**2)))),
        "net",
        ("net radius for w: 1 + 2 (H sqrt(n)/2 + sqrt d)/(eta/2)",
         equal(1 + 2 * (x * sqrt(k) / 2 + sqrt(d)) / (z / 2), 1 + (2 * x * sqrt(k) + 4 * sqrt(d)) / z)),
    ]


def two_bonuses() -> list[tuple[str, bool]]:
    """The reward min(beta b, H)/H of Algorithm 3 and its bonus: Lipschitz with constant 1 + 1/H <= 2 together."""
    H = 1 + t
    return [
        "class",
        ("the bonus is Lipschitz with constant 1 + 1/H <= 2", at_least(2, 1 + 1 / H, t)),
        ("min(y, H)/H of two values differs by at most their difference over H: below the cap",
         equal((p + q) / H, p / H + q / H)),
        ("and across it", at_least((p + q) / H, p / H, p, q, t)),
    ]


def few_samples(c) -> list[tuple[str, bool]]:
    """n' <= 12 d^2 samples, K N >= max(n', 2)."""
    inside, rest = 24 * d**3, 15 + 5 / d
    room = c**2 * log(inside) - rest  # over d^2, at n' = 12 d^2: 5n'/4 + 5d
    return [
        "few samples",
        ("d = 1: H <= beta, as l >= log 4", below(1 / c**2, log(4))),
        ("(sqrt d + sqrt n')^2 <= 5n'/4 + 5d",
         same_operator(Rational(5, 4) * t**2 + 5 * s**2, (s + t) ** 2 + (t / 2 - 2 * s) ** 2)),
        ("c^2 d^2 log(2d n') - 5n'/4 - 5d is concave in n'",
         nonnegative(-sympy.diff(c**2 * d**2 * log(2 * d * k), k, 2), d, k)),
        ("n' <= 2: c^2 d^2 log(4d) >= 5/2 + 5d at d = 2", below(Rational(25, 2) / (4 * c**2), log(8))),
        ("and it grows: c^2 d log(4d) - 5 - 5/(2d) increases", nonnegative(
            c**2 + Rational(5, 2) / (2 + s) ** 2, s)),
        ("room is that difference over d^2 at n' = 12 d^2",
         equal((c**2 * d**2 * log(2 * d * k) - 5 * k / 4 - 5 * d).subs(k, 12 * d**2) / d**2, room)),
        ("n' = 12 d^2: at d = 2", below(rest.subs(d, 2) / c**2, log(inside.subs(d, 2)))),
        ("and it grows with d", nonnegative(sympy.together(sympy.diff(room, d).subs(d, 2 + s)), s)),
    ]


def many_samples(c, lipschitz=2) -> list[tuple[str, bool]]:
    """n >= 12 d^2: each line of the table, then one quadratic in v."""
    H, dim, size = 1 + t, 2 + s, 48 + q  # n >= 48
    inside = 64 * lipschitz  # of d sqrt(l n), at c = 2
    square = (inside + 1) ** 2
    large = 1 + p  # d sqrt(l n)
    v = FIRST_V + r
    l = v**2  # noqa: E741
    left = (Rational(9, 8) * l - Rational(3, 2) * LOW[2] + HIGH[4] / 4 + HIGH[16] / 2
            + Rational(3, 8) * (HIGH[square] + l / 4 + HIGH[4] - 1))
    right = 2 * c**2 * l - 5 * c * ROOT_HALF * v
    in_y, in_h = Rational(1, 4) + Rational(7, 4) / dim, 2 / dim**2
    return [
        "many samples",
        *((f"log {m}: rational bounds", every(below(LOW[m], log(m)), below(log(m), HIGH[m]))) for m in HIGH),
        ("1 + n/d <= n", at_least(size, 1 + size / dim, q, s)),
        ("(H + 1) 2H <= 4 H^2", at_least(4 * H**2, (H + 1) * 2 * H, t)),
        ("16 n sqrt(1/2) + 32 n/sqrt(48) + 1 <= 16 n",
         every(less_than(1, 2 * ROOT_HALF**2), less_than(Rational(692, 100) ** 2, 48),
               at_least(16 * size, 16 * ROOT_HALF * size + 32 * size / Rational(692, 100) + 1, q))),
        (f"1 + {inside} z <= {inside + 1} z for z = d sqrt(l n) >= 1",
         at_least((inside + 1) * large, 1 + inside * large, p)),
        (f"32 m beta sqrt(n)/H = 32 m c d sqrt(l n) <= {inside} d sqrt(l n) for c <= 2",
         at_least(inside, 32 * lipschitz * c, t)),
        ("coefficients of y add up to (1/4 + 7/(4d)) d^2",
         equal((d / 2 + d + d * (d + 1) / 4) / d**2, Rational(1, 4) + Rational(7, 4) / d)),
        ("they are at most 9/8, and at least that of h",
         every(at_least(Rational(9, 8), in_y, s), at_least(in_y, in_h, s))),
        ("(1 + 1/d)/4 <= 3/8 and 1/d <= 1/2, 1/d^2 <= 1/4",
         every(at_least(Rational(3, 8), (1 + 1 / dim) / 4, s), at_least(Rational(1, 2), 1 / dim, s),
               at_least(Rational(1, 4), 1 / dim**2, s))),
        ("log d: -9/8 + 3/4 = -3/8, and d >= 2 adds to -(9/8) log 2",
         every(exactly(-Rational(9, 8) + Rational(3, 4), -Rational(3, 8)),
               exactly(-Rational(9, 8) - Rational(3, 8), -Rational(3, 2)))),
        ("log l <= l/4 + log 4 - 1: tangent at 4, upwards and downwards",
         every(nonnegative_from(z - 1 - log(z), z, 1), nonnegative_from(log(1 + s) - s / (1 + s), s, 0))),
        ("u + sqrt d = (5/4) sqrt d, and (c d v - (5/4) sqrt d)^2 >= c^2 d^2 v^2 - (5/2) c d sqrt(d) v",
         same_operator((c * d * x - Rational(5, 4) * k) ** 2 + Rational(5, 2) * c * d * k * x,
                       c**2 * d**2 * x**2 + Rational(25, 16) * k**2)),
        ("c d v >= (5/4) sqrt d", at_least(c * v, Rational(5, 4), r)),
        ("229/100 < sqrt(log 192)", below(FIRST_V**2, log(192))),
        ("the quadratic in v is positive from there on", at_least(right, left, r)),
    ]


HIGH = {m: bound for m, bound in ((2, Rational(6932, 10**4)), (4, Rational(13863, 10**4)),
                                  (16, Rational(27726, 10**4)), (16641, Rational(97197, 10**4)),
                                  (37249, Rational(105254, 10**4)))}
LOW = {m: bound - Rational(1, 1000) for m, bound in HIGH.items()}


WORST = (2, 1, Fraction(999999, 10**6), 25)  # d, H, delta, n = KN: the largest bracket over beta on a fine grid


def at_the_worst_point(c, lipschitz) -> list[tuple[str, bool]]:
    """The bracket itself, enclosed in rationals, at the parameters where it is largest against beta."""
    _, high = bracket_over_beta(*WORST, lipschitz, Fraction(int(c.p), int(c.q)))
    return ["margin",
            (f"bracket at most beta at (d, H, delta, n) = (2, 1, 0.999999, 25): {float(high):.4f}", at_most(high, 1))]


def scale_of(text: Text):
    """The constant c of beta = c dH sqrt(log(2dKNH/delta)), from a text; any other form of beta is refused."""
    H, K, N = sympy.symbols("H K N", positive=True)
    beta = text(r"\beta=", d=d, H=H, K=K, N=N, delta=2 * d * K * N * H * sympy.exp(-x))
    return number(beta / (d * H * sqrt(x)))


def event_of_the_text(text: Text, after: str = "linear rewards in") -> list:
    """What a statement says of the event, beside the constant of beta: its failure, the error, K, the data, rewards."""
    norm, beta, K, H = sympy.symbols("norm beta K H", positive=True)
    error, bound = text.sides(r"|\phi^\top w_h-P_hV_{h+1}|\le", {
        r"\|\phi\|_{\Lambda_h^{-1}}": norm, r"|\phi^\top w_h-P_hV_{h+1}|": (beta - s) * norm}, beta=beta)
    fewest = Rational(text.range("K").low)
    seen = [text("", after="for the data of the first", skip=skip, numbers=Rational) for skip in (0, 1)]
    return [
        "self-normalised sums",
        ("the event fails with half of delta, a part 1/H for each layer",
         equal(H * (z / (2 * H)), 1 - text("", after="probability at least", delta=z))),
        ("|S| + H sqrt d <= beta bounds the error by beta |phi|", at_least(bound, error, s, norm)),
        ("log(2dKNH/delta) >= log 4 from the least K on", exactly(log(2 * fewest), log(4))),
        ("a net of the data of 0 to K deployments: n' = 0, N, 2N, ...", exactly(tuple(seen), (0, 1))),
        ("horizons up to the H of the class", equal(text.range(r"\tilde h", H=H).high, H)),
        values_fit(text.interval(after=after)),
    ]


@claim("res-concentration-reward-free", plants=2,
       false={"c_beta = 7/5: at d = 2, H = 1, delta = 0.999999, n = KN = 25 the bracket is 1.027 beta": {
                  "less": Rational(3, 5)}})
def every_step_for_all_rewards(text, less=0):
    """Class, net, and every logarithm, with c_beta = 2: The net of the class of value functions, and the closed form of
    beta for all d, K, N, H and delta; `less` is taken off the constant of beta."""
    c = scale_of(text) - less
    return steps([*event_of_the_text(text), *reward_free_class(), *two_bonuses(), *few_samples(c), *many_samples(c),
                  *at_the_worst_point(c, 2)],
                 scope="all d, H, N >= 1, K >= 2, 0 < delta < 1, any state space, all linear rewards in [0, 1]")


@claim("lem-concentration-reward-free", covers="the repaired algorithms: the printed form of the bound follows",
       gap="the repaired algorithms only",
       false={"y >= 1: for y near 1 the printed logarithm vanishes": {"least": 1}})
def printed_form_follows(text, event=printed("res-concentration-reward-free"), least=None):
    """The printed form of the bound: The noise is at most 2 d H sqrt(log(2y)), y = dKNH/delta; log(2y) <= 2 log y for y
    >= 2, so c = 2 sqrt(2).

    `least` is the least y, by default the least K.
    """
    H, K, N, scale = sympy.symbols("H K N scale", positive=True)
    named = {"d": d, "H": H, "K": K, "N": N}
    constant = scale_of(event)
    bound = text(rf"{NOISE}\le", c=scale, delta=d * K * N * H * sympy.exp(-x), **named)
    repaired = event(r"\beta=", delta=d * K * N * H * sympy.exp(-x), **named) ** 2
    argument = (Rational(event.range("K").low) if least is None else least) + s
    return steps([
        ("2y <= y^2 for y >= 2", at_least(argument**2, 2 * argument, s)),
        ("so beta^2 <= 2 c^2 d^2 H^2 log y, the square of the printed bound at 2 sqrt(2)",
         every(equal(repaired - (constant * d * H) ** 2 * log(2), (constant * d * H) ** 2 * x),
               equal((bound**2).subs(scale, constant * sqrt(2)), 2 * (constant * d * H) ** 2 * x))),
        ("both events fail with probability delta/2",
         equal(*(each("", after="probability at least", delta=z) for each in (text, event)))),
    ], "K >= 2, values as in the repaired algorithms")
