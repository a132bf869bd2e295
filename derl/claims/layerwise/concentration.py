"""These checks establish Lemma C.4 for the repaired algorithm, with the constant 3/2 in the bonus.

The symbolic steps follow the proof: sums normalised by their own covariance, a net of the class of value functions, and
then two ranges of n = (K - 1) N, in which every logarithm is compared with log(2dKNH/delta).
"""

from __future__ import annotations

import sympy
from sympy import Rational, log, sqrt

from derl.claims import claim, steps
from derl.claims.layerwise.symbols import HALF, number
from derl.exact.compared import at_most, every, less_than
from derl.exact.symbolic import at_least, below, equal, nonnegative, nonnegative_from, same_operator

PROXY = Rational(1, 4)  # variance of a number in an interval of length 1, at most
FIRST_V = Rational(107, 50)  # below sqrt(log 100), the least sqrt(l) for d >= 2 and n >= 6 d^2

m, n, p, q, s, t = sympy.symbols("m n p q s t", nonnegative=True)
d, k, x, y, z = sympy.symbols("d k x y z", positive=True)
S, P, W = sympy.symbols("S P W", commutative=False)


# --- the self-normalised inequality ------------------------------------------------------------------------------

@claim("res-self-normalised", false={"a variance proxy of R^2/8": {"proxy": Rational(1, 8)}})
def method_of_mixtures(text, proxy=PROXY):
    """Hoeffding's lemma and a Gaussian mixture: Variance on an interval, the tilted second derivative, the mixture per
    eigendirection, Ville's threshold."""
    mean, second, shift, tilt, length, a, v = sympy.symbols("mean second shift tilt length a v", real=True)
    kappa = proxy * length**2
    moment = sympy.Function("M")(tilt)
    along = text(r"\Lambda_t=", {r"\sum_{i\le t}\phi_i\phi_i^\top": y - 1, "I": 1})  # an eigenvalue of Lambda
    summed = text("S_t=", {r"\sum_{i\le t}\phi_ix_i": a})
    log_mixed = summed**2 / (2 * k * along) - log(along) / 2
    tilted = moment.diff(tilt, 2) / moment - (moment.diff(tilt) / moment) ** 2
    threshold = text(r"\|S_t\|_{\Lambda_t^{-1}}^2\le", {r"\det\Lambda_t": y}, R=length, delta=z)
    reached = log_mixed.subs({a: sqrt(y * threshold), k: kappa})
    failure = 1 - text("", after="probability at least", delta=z)
    return steps([
        "one step",
        ("(b - m)(m - a) <= R^2/4", same_operator((p + q) ** 2 / 4, p * q + (p - q) ** 2 / 4)),
        ("(log M)'' is the variance of the tilted law",
         equal(sympy.diff(log(moment), tilt, 2), tilted)),
        ("integrated twice: log M <= R^2 l^2/8, the drift k l^2/2",
         equal(sympy.integrate((tilt - s) * length**2 / 4, (s, 0, tilt)), kappa * tilt**2 / 2)),
        "all directions",
        ("the mixture, per eigendirection of Lambda: complete the square",
         same_operator(v * a + k * y * (v - a / (k * y)) ** 2 / 2, k * y * v**2 / 2 + a**2 / (2 * k * y))),
        "all times",
        ("it reaches 1/delta exactly at the threshold",
         equal(sympy.expand_log(reached, force=True), -log(failure))),
        ("2k = R^2/2", same_operator(2 * kappa, length**2 / 2)),
    ], scope="all dimensions, all times at once, any adapted vectors phi_i, any 0 < delta < 1")


# --- the lemma ---------------------------------------------------------------------------------------------------

def class_and_net(radius=HALF) -> list[tuple[str, bool]]:
    """The class of value functions, its net, and what the change to a neighbour in the net costs."""
    return [
        "regression",
        ("Lambda (w - w*) = S - w*", same_operator(S + P * W - (1 + P) * W, S - W)),
        ("|w*|_{Lambda^-1} <= |w*|, per eigenvalue", at_least(1, 1 / (1 + s), s)),
        "class",
        ("|Lambda^-1 Phi^T y| <= |y|/2: 1/2 - s/(1 + s^2) = (1 - s)^2/(2 (1 + s^2))",
         equal(radius, s / (1 + s**2) + (1 - s) ** 2 / (2 * (1 + s**2)))),
        ("|Phi^T y|_{Lambda^-1} <= |y|, per singular value", at_least(1, s**2 / (1 + s**2), s)),
        ("|beta Lambda^{-1/2}|_F^2 <= beta^2 d, per eigenvalue", at_least(k**2, k**2 / (1 + s), k, s)),
        ("disjoint balls of radius rho/2 in one of radius r + rho/2", equal((x + y / 2) / (y / 2), 1 + 2 * x / y)),
        ("symmetric matrices have d (d + 1)/2 coordinates", same_operator(d + d * (d - 1) / 2, d * (d + 1) / 2)),
        ("log det Lambda <= d log(1 + n/d): log z <= z - 1 for z >= 1", nonnegative_from(z - 1 - log(z), z, 1)),
        ("and for z = 1/(1 + s)", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
    ]


def few_trajectories(c) -> list[tuple[str, bool]]:
    """n <= 6 d^2: the norm is at most H sqrt(n). Also K = 1, where n = 0, and d = 1, where S = 0."""
    inside, rest = 2 * d * (6 * d**2 + 1), Rational(15, 2) + 5 / d
    room = c**2 * log(inside) - rest  # over d^2, at n = 6 d^2: 5n/4 + 5d
    slope = sympy.together(sympy.diff(room, d).subs(d, 2 + s))
    return [
        "small cases",
        ("d = 1: H <= beta", below(1 / c**2, log(2))),
        ("(sqrt d + sqrt n)^2 <= 5n/4 + 5d",
         same_operator(Rational(5, 4) * t**2 + 5 * s**2, (s + t) ** 2 + (t / 2 - 2 * s) ** 2)),
        ("c^2 d^2 log(2d(n+1)) - 5n/4 - 5d is concave in n",
         nonnegative(-sympy.diff(c**2 * d**2 * log(2 * d * (n + 1)), n, 2), d, n)),
        ("n = 0: c^2 d log(2d) >= 5 at d = 2, and it increases", below(5 / (2 * c**2), log(4))),
        ("room is that difference over d^2 at n = 6 d^2",
         equal((c**2 * d**2 * log(2 * d * (n + 1)) - 5 * n / 4 - 5 * d).subs(n, 6 * d**2) / d**2, room)),
        ("n = 6 d^2: at d = 2", below(rest.subs(d, 2) / c**2, log(inside.subs(d, 2)))),
        ("and it increases with d", nonnegative(slope, s)),
    ]


def many_trajectories(c) -> list[tuple[str, bool]]:
    """n >= 6 d^2: the net, with u = sqrt(d)/4; all logarithms against l, then one quadratic in sqrt(l)."""
    w = sympy.Symbol("w", positive=True)  # sqrt(d)
    in_n = (1 / (2 * (1 + n / w**2)) + w**2 * 16 / w / (1 + 16 * n / w) - 1 / (n + 1)).subs(w, 1 + t)
    factor = 512 * c**2  # (8 c d sqrt(d) / u)^2 / (2 d) = 512 c^2 d for u = sqrt(d)/4
    per_d2 = -Rational(3, 2) * log(2 * d) / d + log(16 / sqrt(d)) / d + log(2) / d**2
    v = FIRST_V + s
    least_log, most_log = Rational(248, 100), Rational(139, 100)  # log 12 from below, log 4 from above
    quadratic = ((2 * c**2 - Rational(9, 8)) * v**2 - 5 * c * Rational(7072, 10000) * v - Rational(7, 20)
                 - Rational(3, 8) * (Rational(706, 100) + (v**2 - least_log) / 3 + v**2 / 4 + most_log - 1))
    return [
        "large n",
        ("for given l the bracket increases with n", nonnegative(in_n, n, t)),
        ("1 + n/d <= n + 1", at_least(n + 1, 1 + n / (1 + t), n, t)),
        ("1 + 4n/u <= (4/u)(n + 1) where 4/u >= 1", at_least((1 + t) * (n + 1), 1 + (1 + t) * n, n, t)),
        ("1 + 4n/u <= n + 1 where 4/u <= 1", at_least(n + 1, 1 + n / (1 + t), n, t)),
        ("(1 + x sqrt n)^2 <= (1 + x^2)(n + 1)",
         same_operator((1 + x**2) * (t**2 + 1), (1 + x * t) ** 2 + (t - x) ** 2)),
        ("(8 beta sqrt(d)/(H u))^2/(2d) = 512 c^2 d l for beta = c d H sqrt(l)",
         equal((8 * c * d * sqrt(y) * sqrt(d) / (sqrt(d) / 4)) ** 2 / (2 * d), factor * d * y)),
        ("1/(2d) + 512 c^2 d l <= 1153 d l for d, l >= 1",
         at_least(1153 * (1 + s) * (1 + t), factor * (1 + s) * (1 + t) + 1, s, t)),
        ("log 1153 < 7.06", below(log(1153), Rational(706, 100))),
        ("2d(6d^2 + 1) >= 12 d^3", at_least(2 * d * (6 * d**2 + 1), 12 * d**3, d)),
        ("log 12 > 2.48 and log 4 < 1.39", every(below(least_log, log(12)), below(log(4), most_log))),
        ("log l <= l/4 + log 4 - 1: tangent at 4, upwards and downwards",
         every(nonnegative_from(z - 1 - log(z), z, 1), nonnegative_from(log(1 + s) - s / (1 + s), s, 0))),
        ("1/4 + 7/(4d) <= 9/8 and (1 + 1/d)/4 <= 3/8 for d >= 2",
         every(at_least(Rational(9, 8), Rational(1, 4) + Rational(7, 4) / (2 + s), s),
               at_least(Rational(3, 8), (1 + 1 / (2 + s)) / 4, s))),
        ("the terms in log d: at most 7/20 at d = 2",
         every(equal(per_d2.subs(d, 2) + Rational(3, 4) * log(4), log(16) / 2),
               below(log(16) / 2, Rational(7, 20) + Rational(3, 4) * log(4)))),
        ("not positive from d = 3 on, as log 16 + log(2)/d < 2 log d + (3/2) log 2 there",
         below(log(16) + log(2) / 3, 2 * log(3) + Rational(3, 2) * log(2))),
        ("sqrt(1/2) < 0.7072", less_than(1, 2 * Rational(7072, 10000) ** 2)),
        ("107/50 < sqrt(log 100)", below(FIRST_V**2, log(100))),
        ("c d v >= (5/4) sqrt d", at_least(c * v, Rational(5, 4), s)),
        ("the quadratic is positive from 107/50 on", nonnegative(quadratic, s)),
        "larger beta",
        ("a larger beta will do: d log sqrt(B/2)/d log beta <= 1/(2 log(1 + 32)) < 1",
         every(below(1, 2 * log(33)), equal(d * (d + 1) / (4 * (d * (d + 1) / 2) * x), 1 / (2 * x)))),
    ]


@claim("lem-concentration-repaired")
def every_step_of_the_concentration(text):
    """Class, net, and every logarithm, with c_beta = 3/2: The net of the class of value functions, and the closed form
    of beta for all d, K, N, H and delta."""
    K, N, H, norm = sympy.symbols("K N H norm", positive=True)
    beta = text(r"\beta\ge", d=d, K=K, N=N, H=H, delta=2 * d * K * N * H * sympy.exp(-y))  # y is l
    c_beta = number(beta / (d * H * sqrt(y)))
    error = text(r"|\phi^\top w_h^k-P_hV_{h+1}^k|\le", {r"\|\phi\|_{(\Lambda_h^k)^{-1}}": norm}, beta=beta)
    failure, rewards = 1 - text("", after="probability at least", delta=z), text.interval(after="rewards in")
    return steps([*class_and_net(), *few_trajectories(c_beta), *many_trajectories(c_beta),
                  "union",
                  ("the union has the failure that is allowed", equal(z / 2, failure)),
                  "regression",
                  ("|S| + H sqrt d <= beta bounds the error by beta |phi|", at_least(error, beta * norm, norm)),
                  ("H rewards lie between 0 and H", every(at_most(0, rewards.low), at_most(rewards.high, 1)))],
                 scope="all d, H, K, N >= 1, 0 < delta < 1, any state and action space, linear rewards "
                       "(for d = 1 they make V constant)")
