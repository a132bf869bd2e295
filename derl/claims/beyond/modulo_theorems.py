"""These checks establish two deployments for a known reward, K deployments for all rewards, and the law at fixed d."""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational as R
from sympy import log

from derl.claims import Evidence, claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, below, equal, nonnegative_from, same_fraction
from derl.printed import BEGINNING
from derl.theory.beyond import junk_game, modulo

s, t, u, v, w, z = sympy.symbols("s t u v w z", nonnegative=True)
d, H, K, N, P, W, q, a, X1, Y1, lam, alpha, beta, epsilon, delta, tau, k2 = sympy.symbols(
    "d H K N P W q a x y lambda alpha beta epsilon delta tau k2", positive=True)
E_UP, E_LOW = R(271829, 100000), R(271828, 100000)  # around e
INSIDE = {name: lambda order: order for name in (r"\tilde O", "O")}  # what an order is of


def between(allowed):
    """A value strictly inside a range."""
    return allowed.low + (allowed.high - allowed.low) / (1 + u)


def moments_of_two(text, moment, mass, mean):
    """Second moments under the mixture, from the chain to A_h/(N q_h)."""
    n, kappa, g = sympy.symbols("n kappa g", positive=True)
    return [
        "second moments",
        hypotheses(text, ("known rewards in",), "-optimal with probability at least", least=(("H", 2),)),
        ("lambda F in [0, 1]: W D(F) + W alpha/lambda", equal((W * (lam * P) + W * alpha) / lam,
                                                             W * P + mass * W * alpha / lam)),
        "design",
        ("tr Lambda (lambda I + n Lambda)^-1/(1/2) <= 2/n per eigenvalue",
         at_least(moment / n, kappa / ((lam + n * kappa) / 2), n, kappa, lam)),
        ("W (2 d g/(N q) + alpha/lambda) <= W (2 d g + alpha N/lambda)/(N q), 1/q = 1 + s",
         at_least(W * (moment * d * g * (1 + s) / N + alpha * (1 + s) / lam),
                  W * (2 * d * g * (1 + s) / N + alpha / lam), W, d, g, N, alpha, lam, s)),
        ("alpha is that of the mean law at delta/4, and A_h is W_{h-1} times the bracket at the leverage d", every(
            equal(text(r"\alpha=", d=d, N=N, H=H, delta=delta, e=sympy.E), mean(d, N, H, delta / 4, sympy.E)),
            equal(text("A_h=", {"W_{h-1}": W}, alpha=alpha, N=N, d=d, lambda_=lam),
                  W * (2 * d * d + alpha * N / lam)))),
        ("modulo the first mean feature the leverage is at most d - 1 = 1/(1/(d-1)), from the first layer on", every(
            equal(text("g=", d=d), 1 / (1 / (d - 1))), exactly(text("h_0="), 1))),
    ]


def loss_of_two(text, loss, power):
    """How the trajectories are divided among the layers, and what is lost then."""
    a, T, A, b, h = sympy.symbols("a T A b h", positive=True)
    cube = text("", {"A_h": A}, after="proportional to", H=H, h=h)
    return [
        "loss",
        ("a = 2 b (H-h) sqrt(A): a^2 = 4 b^2 (H-h)^2 A", equal((2 * b * u * sympy.sqrt(A)) ** 2,
                                                             loss * b**2 * u**power * A)),
        ("a^(2/3) is proportional to the printed cube root", equal((4 * b**2) ** R(1, 3) * cube,
                                                                   ((2 * b * (H - h)) ** 2 * A) ** R(1, 3))),
        (text.shown(r"N\ge"), every(equal(
            text(r"N\ge", {"A_h": A}, b=b, epsilon=epsilon, H=sympy.Integer(layers)),
            sum(((2 * b * (layers - at)) ** 2 * A) ** R(1, 3) for at in range(1, layers)) ** 3 / epsilon**2)
            for layers in (2, 3, 5))),
    ]


def events_of_two(text, shares, one):
    """The three events of the H - 1 layers, and their probabilities together."""
    c0 = sympy.Symbol("c_0", positive=True)
    failure, last = between(text.range(r"\delta")), text.range("H").low - 1 + s
    dim = text.range("d", after=BEGINNING).low + t
    ridge, tail = (one(key, c_0=c0, d=dim, H=1 + last, delta=failure) for key in (r"\lambda=", "t="))
    return [
        "events",
        ("H - 1 layers: matrices delta/2, regressions delta/4, and the mean law delta/4", every(
            at_least(failure / 2, last * dim * sympy.exp(-c0 * ridge), s, t, u),
            at_least(failure / 4, last * sympy.exp(-tail), s, t, u),
            at_least(failure / 4, last / (1 + last) * failure / 4, s, u))),
        ("failures: matrices and regressions as for one deployment, and the mean law", at_least(
            delta, sum(shares) * delta, delta)),
    ]


def closed_forms_of_two(text, cubes, weight):
    """The sums over the layers, and the two closed forms."""
    n, x, y = sympy.symbols("n x y", positive=True)
    narrow, at_two = (text("N=", after=words, d=d, H=H, epsilon=epsilon, **INSIDE)
                      for words in ("This is", "there), and"))
    return [
        "closed forms",
        ("(H-h)^2 h <= 4 H^3/27: 4 (x + y)^3 - 27 x^2 y = (x - 2y)^2 (4x + y)",
         equal(4 * (x + y) ** 3 - cubes * x**2 * y, (x - 2 * y) ** 2 * (4 * x + y))),
        ("d = 2: 1 + 2(e-1)(h-1) <= 2(e-1) h", at_least(weight * (E_LOW - 1) * (1 + s), 1 + 2 * (E_LOW - 1) * s, s)),
        ("d >= 3: sum of j x^(j-1), from j - 1 to j, as for one deployment", same_fraction(
            ((1 - (n + 1) * y * x + n * y * x**2) - (1 - n * y + (n - 1) * y * x)) / (1 - x) ** 2, n * y)),
        ("b^2 of order d times d^2 times W of the last layer, over epsilon^2; at d = 2 the sum is at most H of order H",
         every(equal(narrow, d * d**2 * (d - 1) ** (H - 1 - 1) / epsilon**2),
               equal(at_two, (H * (H**2 * H) ** R(1, 3)) ** 3 / epsilon**2))),
    ]


@claim("res-two-deployments", plants=4,
       false={"no mass without a bound": {"mass": 0},
              "tr(...) <= 19/(10 n)": {"moment": R(19, 10)},
              "3 b^2 in place of 4 b^2": {"loss": 3},
              "W_{h-1} <= 19/10 (e-1) h at d = 2": {"weight": R(19, 10)},
              "H - h in place of its square": {"power": 1},
              "half of delta for the mean law": {"shares": (R(1, 2), R(1, 4), R(1, 2))},
              "(H-h)^2 h <= H^3/8": {"cubes": 32}})
def two_deployments_in_steps(text, moment=2, mass=1, loss=4, power=2, shares=(R(1, 2), R(1, 4), R(1, 4)), cubes=27,
                             weight=2,
                             mean=printed("res-mean-law").function(r"\alpha=", "d", "N", "H", r"\delta_1", "e"),
                             one=printed("res-one-deployment")):
    """Second moments, the loss, failures, and the two closed forms: From the chain to A_h/(N q_h), how the trajectories
    are divided, the union, and sums over the layers."""
    return steps([*moments_of_two(text, moment, mass, mean), *loss_of_two(text, loss, power),
                  *events_of_two(text, shares, one), *closed_forms_of_two(text, cubes, weight)],
                 "every linear MDP with known features and rewards, all d >= 2, H >= 2, epsilon, delta")


def targets_of_a_block(text, chain):
    """The targets of a later block, their weights, and the powers of 1 + 1/H."""
    k, X, C = sympy.symbols("k X C", positive=True)  # k = sqrt r, X = r^(L-1)
    factor, share = (text.function("", "H", after="are within a factor"), text(
        "", after="with probability proportional to", d=1 + k**2, j=v))
    return [
        "later block",
        hypotheses(text, ("linear rewards in",), "With probability at least", least=(("H", 2), ("L_0", 0))),
        ("W_j with (1 + 1/H) r for r: 1 + sqrt((1+1/H) r) <= sqrt(1+1/H) (1 + sqrt r)",
         at_least((1 + s) * (1 + k), 1 + (1 + s) * k, s, k)),
        ("the two weights are those of the chain", every(equal(
            text("", after="of the two are", skip=at, g=C, j=v, e=sympy.E, h=u, t=t),
            X * chain("", {"W_j": X, r"\tau": t}, after=words, g=C, j=v, e=sympy.E, h=u))
            for at, words in enumerate(("at $h_0$ with probability", "random layer $\\tau$ with probability")))),
        ("the targets: with probability proportional to the root of (d-1)^j", equal(share, k**v)),
        "powers",
        ("(1 + 1/H)^H <= e", nonnegative_from(s - log(factor(1 / s)), s, 0)),
    ]


def sums_of_a_block(text):
    """The sum of the roots of the powers of d - 1, and its closed form."""
    k = sympy.Symbol("k", positive=True)
    block, at_two = (text("C=", after="let", skip=at, L=1 + s, numbers=R) for at in range(2))
    root = R(14142135, 10**7)  # below sqrt 2
    return [
        "sums",
        ("sum of r^(j/2) for j < L is r^((L-1)/2) (1 - x^L)/(1 - x), x = 1/k: one term more",
         same_fraction(((1 - v / k) - (1 - v)) / (1 - 1 / k), v)),
        ("c_d/(1 - r^(-1/2))^2 at r = 2, and it falls as r rises", every(
            at_most((1 + (E_UP - 1) / (root - 1)) * 2 / (root - 1) ** 2, block),
            at_least(1 + 1 / (1 + s), 1 + 1 / (1 + s + t), s, t))),
        ("d = 2: L (L + (e-1) L (L-1)) <= 1.72 L^3, L = 1 + s",
         at_least(at_two, (1 + s) * ((1 + s) + (E_UP - 1) * (1 + s) * s), s)),
    ]


def sizes_of_blocks(text, eighth, narrow, plain_kappa, uncertainty):
    """N that is demanded for a later block, for the first one, and with spanners; the constants of the text."""
    X, C = sympy.symbols("X C", positive=True)
    kappa2, cut = plain_kappa(tau, d, beta, H) ** 2, text(r"\tau=", epsilon=epsilon, K=K, H=H)
    common, y = beta**2 * K**2 * H**4 * P / epsilon**2, sympy.E / (sympy.E - 1) * P / N
    wanted, plain, by_spanner = (sympy.solve(demand, N)[0].subs(tau, cut) for demand in (
        sympy.E * d**2 * C * X * y - tau * kappa2 / eighth,
        sympy.E * d * X * y - tau * kappa2 / 4,  # X = d^L0
        3 * sympy.E * d**2 * C * X * y - tau * narrow(tau, d, beta, H) ** 2 / 8))
    first, later, block = printed_sizes(text, common, uncertainty)
    spanner, early_power, power, *replaced = (text("", after="of that statement, the same holds with", skip=at, d=d,
                                                   L_0=z, numbers=R) for at in range(6))
    e2 = E_UP**2 / (E_UP - 1)
    return [
        "later sizes",
        ("later blocks: N = 2592 e^2/(e-1) C d^3 r^(L-1) beta^2 K^2 H^4 P/epsilon^2",
         equal(sympy.simplify(wanted / (common * C * X * d**3)), 324 * 8 * sympy.E**2 / (sympy.E - 1))),
        "first block",
        ("the first block: N = 1296 e^2/(e-1) d^(L0+2) beta^2 K^2 H^4 P/epsilon^2",
         equal(sympy.simplify(plain / (common * X * d**2)), 324 * 4 * sympy.E**2 / (sympy.E - 1))),
        "constants",
        ("e < 2.71829, and the constants", every(
            below(1, log(E_UP)), at_least(first, 324 * 4 * e2, K, beta, epsilon),
            at_least(later, 324 * 8 * e2, K, beta, epsilon),
            at_most(block, R(6105, 100)))),
        "spanners",
        ("spanners, D = 3d and kappa^2 = tau/(14400 d^4 beta^2 H^2): 216 14400 and 36 14400 times e^2/(e-1)",
         every(equal(sympy.simplify(by_spanner / (common * C * X * d**6)),
                     9 * 8 * 3 * 14400 * sympy.E**2 / (sympy.E - 1)),
               at_most(9 * 8 * 3 * 14400 * e2, 2 * spanner), at_most(9 * 4 * 14400 * e2, spanner),
               equal(early_power, d**z * d**5), equal(power, d**6), equal(replaced[0], first),
               equal(replaced[1], d**z * d**2), equal(replaced[2], d**3))),
    ]


def printed_sizes(text, common, uncertainty):
    """The factors of the first and of a later block in the stated N, and the factor of the sum."""
    at = {"d": 4, "N": sympy.Integer(4), "H": 2, "delta": R(1, 2)}
    bracket = uncertainty(4, at["N"], 2, R(1, 4), sympy.E) * 4 * (sympy.E - 1) / sympy.E  # P there
    block = text("C=", after="let", L=1 + s, numbers=R)

    def demanded(first_layers, layers):  # N without what does not depend on the blocks
        whole = text(r"N\ge", {"L_0": first_layers}, L=layers, C=block, K=K, beta=beta, epsilon=epsilon, **at)
        return sympy.cancel(whole / (common.subs({P: 1, H: 2}) * sympy.expand(bracket)))

    return demanded(5, 1) / 4 ** (5 + 2), demanded(0, 5) / (block * 4**3 * 3**4), block


def conditions_of_blocks(text, known, lost, second, eighth):
    """What N has to be at least, the second moments, the mass that is lost, and the failures."""
    dim, ell = text.range("d", after=BEGINNING).low + t, R(283, 100) + s
    return [
        "later sizes",
        ("N alpha <= beta^2: d (d+7) l + 2 m + 1 against 2 d l + m + e, l = log(1+N) >= 2.83", every(
            below(R(283, 100), log(17)),
            at_least(dim * (7 + dim) * ell + 2 * u + 1, 2 * dim * ell + u + E_UP, t, s, u))),
        ("12 e d alpha sum W <= tau: N >= 288 4.3 d^3 C X beta^2 H^2 P/tau^2, P >= 1, tau <= 1/3", every(
            below(1, log(8)), at_least(288 * R(43, 10) * dim ** 2 * 4 * 3, known * E_UP, t),
            at_least(R(1, 3), text(r"\tau=", epsilon=text.range(r"\epsilon", H=H).high, K=1 + s, H=H), s, H))),
        "second moments",
        ("second moments: 3/2 + 1/8 + 3/2 1/12 = 7/4", every(
            equal(R(3, 2) + R(1, eighth) + R(3, 2) / known, R(7, 4)),
            at_least(second * tau * k2, (R(3, 2) + R(1, 8) + R(1, 8)) * tau * k2, tau, k2))),
        "mass",
        ("mass: tau + (2/kappa^2) tau kappa^2/8 + tau/12 <= 2 tau",
         at_least(lost * tau, tau + 2 / k2 * (tau * k2 / 8) + tau / 12, tau, k2)),
        "later sizes",
        ("N >= 17 d^2/(tau kappa^2): 8 e^2/(e-1) >= 17", at_most(17, 8 * E_LOW**2 / (E_LOW - 1))),
        "failures",
        (f"{text.shown('K=')}: the first block, and the others until layer H - 1", exactly(
            [text("K=", H=layers, L=size, L_0=begin) for layers, size, begin in ((7, 2, 1), (7, 2, 0), (9, 3, 2))],
            [1 + len(range(begin + 1, layers, size)) for layers, size, begin in ((7, 2, 1), (7, 2, 0), (9, 3, 2))])),
    ]


@claim("res-modulo-blocks", plants=3,
       false={"alpha sum W <= tau/(10 e d)": {"known": 10},
              "y up to tau kappa^2/7": {"eighth": 7},
              "a block loses tau": {"lost": 1},
              "second moments of 17/10 tau kappa^2": {"second": R(17, 10)}})
def modulo_blocks_in_steps(text, known=12, eighth=8, lost=2, second=R(7, 4), chain=printed("res-modulo-chain"),
                           uncertainty=printed("res-law-uncertainty").function(
                               r"\operatorname{tr}(\Sigma_h^{-1}\Lambda_h)\le y=", "d", "N", "H", r"\delta", "e"),
                           narrow=printed("res-spanner-cover").function(r"\kappa=", r"\tau", "d", r"\beta", "H"),
                           plain_kappa=printed("res-design-cover").function(r"\kappa=", r"\tau", "d", r"\beta", "H")):
    """Designs that are nearly optimal, shares of the layers, conditions on N: e d^2 C r^(L-1) y <= tau kappa^2/8 and 12
    e d alpha sum W <= tau at the stated N, and what is lost."""
    return steps([*targets_of_a_block(text, chain), *sums_of_a_block(text),
                  *sizes_of_blocks(text, eighth, narrow, plain_kappa, uncertainty),
                  *conditions_of_blocks(text, known, lost, second, eighth)],
                 "all d, H >= 2, 0 <= L0, 1 <= L <= H - 1 - L0, 0 < epsilon <= H, 0 < delta < 1")


def lower(text, first_one, others):
    """The bound on K from below."""
    ceilings = {r"\lceil\log_dN\rceil": first_one, r"\lceil\log_{d-1}N\rceil": others, r"K^\circ(N)": 1}
    return text.sides("...\\le", ceilings, after="these bounds hold:", H=H, x=X1, y=Y1)[0]


def ratio(text, count):
    """K log N/H where H is much larger than log N = a, and log N than log Q = q."""
    r = sympy.Symbol("r", positive=True)
    left, right = text.sides(r"\frac{K^\circ(N)\,\log_{d-1}N}H\to", {r"K^\circ(N)": count, r"\log_{d-1}N": a}, H=H)
    long, longest = text.sides(r"H/\log_{d-1}N\to", {r"\log_{d-1}N": a, r"\infty": sympy.oo}, H=H)
    scale_of, largest = text.sides(r"\log N/\log Q\to", {r"\log N": a, r"\log Q": q, r"\infty": sympy.oo})
    there = sympy.limit(left.subs(H, sympy.solve(long - r, H)[0]), r, longest)
    there = sympy.limit(there.subs(q, sympy.solve(scale_of - r, q)[0]), r, largest)
    return exactly(sympy.limit(there, a, sympy.oo), right)


def share_of_size(text, blocks, layers, scale):
    """Of Q (d-1)^(L-1): what is demanded with both logarithms parts of c' (H+5) iota."""
    iota, Q = sympy.symbols("iota Q", positive=True)
    block, low = blocks("C=", after="let", numbers=R), text(r"d\ge", after=BEGINNING)
    dim, horizon, whole = low + t, 1 + layers + u, scale * (6 + layers + u) * iota / (1 + v + w)
    logs = {r"\log(1+\frac Nd)": whole * v, r"\log\frac{4H}\delta": whole, r"d^{L_0+2}": 0}
    scaled = dim * sympy.sqrt(R(73, 10) * whole * (1 + v + w))
    demanded = blocks(r"N\ge", logs, d=dim, C=block, L=layers, K=horizon, H=horizon, epsilon=epsilon, beta=scaled)
    size = text("Q=", {r"\log^2\frac{dH}{\epsilon\delta}": iota**2}, H=horizon, d=dim, epsilon=epsilon, numbers=R)
    return demanded / text(r"N\ge", Q=size, d=dim, L=layers)


def law_from_below(text, later, first, lock):
    """The bound from below, solved for K; the locks are inside the ranges of the text."""
    ell, l1, low = *sympy.symbols("l l1", positive=True), text(r"d\ge", after=BEGINNING)
    high, failing = (text.range(letter).high for letter in (r"\epsilon", r"\delta"))
    solved = lower(text, l1, ell)
    shares = [text(f"{key}=", d=d, delta=delta) for key in "xy"]
    worst = later("", {"m": shares[0] + z * shares[1]}, after="that is at least", d=d, K=1 + z)
    return [
        "below",
        hypotheses(text, ("known rewards in",), "-optimal with probability at least", least=(("H", 3),)),
        ("m = x + (K-1) y at the least K", equal(
            later("m=", {r"\ell_1": l1, r"\ell": ell}, H=H, K=solved), X1 + (solved - 1) * Y1)),
        ("the first digits: (1 - (1/(d-1) + (K-1)/(d-2))/m)/2 = delta at m = x + (K-1) y, K - 1 = z",
         equal(worst, delta)),
        ("2 epsilon < b = 1/2 on the locks, 1 - 2 delta > 0, and the least d and H", every(
            exactly(2 * high, lock(r"|b|\le")),
            *(exactly(*((each.range(r"\epsilon").low, each.range(r"\epsilon").high) for each in (text, other)))
              for other in (later, first)),
            exactly(1 - 2 * failing, text.range(r"\delta").low),
            exactly([later.range("d").low, text(r"d\ge", after="So for every fixed")], [low] * 2),
            at_most(later.range("H").low, text.range("H").low))),
    ]


def law_from_above(text, blocks, scale):
    """Q with its own logarithm, and the least N of the theorem."""
    log_iota, wide, low = R(1386, 1000) + s, 6 + t, text(r"d\ge", after=BEGINNING)  # wide = L + 5
    high, failing = (text.range(letter).high for letter in (r"\epsilon", r"\delta"))
    block = blocks("C=", after="let", numbers=R)
    closed = text("Q=", {r"\log^2\frac{dH}{\epsilon\delta}": 1}, H=1, d=1, epsilon=1, numbers=R) / 36
    return [
        "above",
        ("3/2 7.3 11200 61 c'^2 <= C: what the theorem demands is at most Q (d-1)^(L-1)", every(
            at_least(1, share_of_size(text, blocks, layers, scale), t, u, v, w) for layers in (1, 2, 4))),
        ("the second term is the larger one: 2 C d^3 (d-1)^(L-1) >= d^2", at_least(2 * block * (low + t), 1, t)),
        ("log 16 + log C + 2 log 6", below(log(16) + log(closed) + 2 * log(6), R(2513, 100))),
        ("log(16HN/delta) <= c' l iota", at_least(
            scale * wide * log_iota, wide * log_iota + log_iota + R(3, 4) * log_iota + t / 3 + R(2513, 100), t, s)),
        ("iota > 1.386 at the least d/(epsilon delta), and K <= H for L >= 1", every(
            below(R(1386, 1000), log(R(low * text.range("H").low / high / failing))), at_least(
                (2 + t) - 1 + 1, 1 + (1 + t), t))),
        ("the deployments, and the layers of a block, are those of the theorem for L_0 = 0", every(
            (exactly(text(r"K^\circ(N)\le", H=8, L=layers), blocks("K=", {"L_0": 0}, H=8, L=layers))
             for layers in (1, 3, 7)), exactly(*(
                 [layers in each.range("L", {"L_0": 0}, H=8) for layers in range(10)] for each in (text, blocks))))),
    ]


def law_in_the_limit(text):
    """Both limits of K log N/H."""
    return [
        "limit",
        ("below: the limit where log_d N + 1 <= 2 log_{d-1} N digits are known at first",
         ratio(text, lower(text, 2 * a, a + 1))),
        ("above: L = (1 - eta) log_{d-1} N, Q = N^eta", ratio(
            text, 2 + text(r"K^\circ(N)\le", {r"\lceil\frac{H-1}L\rceil": (H - 1) / ((1 - q / a) * a)}) - 1)),
    ]


def law_in_two_dimensions(text, first, two, one, base, at_two):
    """One deployment and two at d = 2."""
    size, tenth = int(text("d=")), Fraction(1, 10)
    few, many = int(text("N<", delta=tenth, H=7)) - 1, text("N=", H=7, epsilon=tenth, **INSIDE)
    return [
        "dimension two",
        ("one deployment of N < (1-2 delta) 2^(H-1) fails with probability above delta", every(
            equal(first("...\\ge", after="policy with probability at least", N=text("N<", delta=delta, H=H), d=size,
                        H=H), delta),
            exactly([text(r"K^\circ(N)=", after=BEGINNING, skip=at) for at in range(2)],
                    [1 + (junk_game.one_deployment(size, 7, int(count)) > tenth) for count in (few, many)]))),
        ("and for d = 3, H = 7", less_than(tenth, junk_game.one_deployment(
            3 + base, 7, int(Fraction(4, 5) * 3**6) - 1))),
        ("two deployments and one, at d = 2, up to a factor", every(
            equal(text("", after="which is", H=H, epsilon=epsilon, **INSIDE),
                  two("N=", after="there), and", H=H, epsilon=epsilon, **INSIDE)),
            *(equal(*(each("N=", H=H + more, epsilon=epsilon * scaled, d=size, **INSIDE)
                      / each("N=", H=H, epsilon=epsilon, d=size, **INSIDE) for each in (text, one)))
              for more, scaled in ((1, 1), (0, 2))))),
        ("d = 2, epsilon = delta = 1/10, H = 60: the N of two deployments is below (1 - 2 delta) 2^59", less_than(
            modulo.two_deployments_size(2, 60, 0.1, 0.1), text("N<", delta=tenth, H=60) / 2**59 * at_two**59)),
    ]


@claim("res-exact-base-law", plants=4,
       false={"c' = 4.3": {"scale": R(43, 10)},
              "base d - 1 for one deployment": {"base": -1},
              "fewer than (1 - 2 delta) (9/5)^59 in place of 2^59": {"at_two": R(9, 5)}})
def exact_base_in_steps(text, scale=R(435, 100), base=0, at_two=2, later=printed("res-later-deployments-base"),
                        first=printed("res-first-deployment-base"), lock=printed("res-junk-lock"),
                        blocks=printed("res-modulo-blocks"), two=printed("res-two-deployments"),
                        one=printed("res-one-deployment")):
    """Both sides of the law, the closed form, and the limit: The lower side solved for K, Q with its own logarithm, the
    limits, and d = 2."""
    return steps([*law_from_below(text, later, first, lock), *law_from_above(text, blocks, scale),
                  *law_in_the_limit(text), *law_in_two_dimensions(text, first, two, one, base, at_two)],
                 "all d >= 3, H >= 3, epsilon < 1/4, delta < 1/2; d = 2")


@claim("res-exact-base-law", method="exhaustive", arithmetic="float64", covers="d, H, L, epsilon, delta on a grid",
       gap="a grid; float64",
       false={"a fiftieth of the closed form": {"factor": 0.02}})
def exact_base_closed_form(factor=1.0):
    """The closed form against the least N: The largest ratio of what the theorem demands at Q (d-1)^(L-1) to that
    number."""
    worst = 0.0
    for dim in (3, 4, 10, 100):
        for horizon in (3, 8, 50):
            for block in {1, 2, horizon - 1}:
                for accuracy, failure in ((0.2, 0.4), (0.2, 1e-9), (0.01, 0.1), (1e-6, 1e-6)):
                    size = factor * modulo.closed_form(dim, horizon, block, accuracy, failure)
                    worst = max(worst, modulo.blocks_demand(dim, horizon, 0, block, accuracy, failure, size) / size)
    return Evidence(worst, 1, "upper", "d up to 100, H up to 50, epsilon down to 1e-6")
