"""These checks establish Theorem C.6 with fewer samples, in the five steps (a) to (e), and its trade-off curve.

The algorithm is the repaired one, with rewards in [0, 1], epsilon <= H, any c > 1 and K = floor(c d H) + 1; a layer is
finished when Delta_k < s epsilon h_k/H (first step) or s epsilon. Exponents of d, H and epsilon are computed for c ->
oo.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log, sqrt

from derl.claims import claim, printed, steps
from derl.claims.layerwise.concentration import class_and_net
from derl.claims.layerwise.direct_exploration import block_count
from derl.claims.layerwise.symbols import HALF, H, d, e, ends, expanded_log, exponent, values_fit
from derl.exact.compared import every, exactly
from derl.exact.quotients import remembered
from derl.exact.symbolic import at_least, below, by_sign, equal, nonnegative_from
from derl.printed import Text, Unreadable

SIZE, GROWS = r"N\ge", r"c_K\to"
OO = {r"\infty": sympy.oo}

K, L, N, beta, delta, more, x, y, z = sympy.symbols("K L N beta delta more x y z", positive=True)
r, s, t = sympy.symbols("r s t", nonnegative=True)
m = sympy.Symbol("m", integer=True, positive=True)
share = sympy.Symbol("share", positive=True)
c = 1 + more  # c_K
PART = 1 - 1 / (1 + y)  # s, for all 0 < s < 1
UNION = delta * sympy.exp(L) / 2  # K with log(2K/delta) = L


@remembered
def powers(size, growing=more, at=sympy.oo):
    """Powers of d, H and 1/epsilon in a product of powers, as c grows."""
    result, signs = expanded_log(size), ((d, 1), (H, 1), (e, -1))
    return tuple(sign * sympy.limit(exponent(result, base), growing, at) for base, sign in signs)


def count_size(text: Text, level, part=share, scale=beta):
    """The N of a statement that the count of violations requires, where a violation has this level.

    K = delta/2 is no number of deployments: there log(2K/delta) = 0, so that the test requires nothing.
    """
    return _alone(text(SIZE, c_K=c, x=level, H=H, K=delta / 2, delta=delta, s=part, epsilon=e, beta=scale))


def test_size(text: Text, part=PART, scale=beta):
    """The N of a statement that the test requires for log(2K/delta) = L: at the level oo the count requires nothing."""
    return _alone(text(SIZE, c_K=c, x=sympy.oo, H=H, K=UNION, delta=delta, s=part, epsilon=e, beta=scale))


def _alone(size):
    if size.has(sympy.Max):
        raise Unreadable(f"no condition on N requires nothing, in {size}")
    return size


def order(size, at=sympy.oo):
    """Powers of d, H and 1/epsilon of a size at beta = dH."""
    return powers(size.subs(beta, d * H), at=at)


def share_leaves_some(text: Text) -> tuple:
    """A step: that s and 1 - s are positive on the whole range of s."""
    low, high = ends(text.range("s"))
    part = low + (high - low) * y / (1 + y)
    return "s and 1 - s are positive", every(by_sign(part), by_sign(1 - part))


def violation_of_sharp_lemma_per_layer(text, algorithm, sharp, event, counted, hoeffding, layers, level, size, test):
    """The parts "violation", "count" and "test" of `sharp_lemma_per_layer`."""
    h_k = sympy.Symbol("h_k", positive=True)
    named = {"d": d, "H": H, "K": K, "N": N, "delta": delta}
    threshold = text(r"\Delta_k<", s=share, epsilon=e, h_k=h_k, H=H)
    scale = text(r"\beta=", **named)
    deviation = hoeffding("", after="average plus", B=2 * beta * H, **named)
    largest = text.range(r"\epsilon", H=1 + t).high / (1 + r)
    return [
        "violation",
        share_leaves_some(text),
        ("in some layer the mean of b is at least the threshold over 2 beta h_k, and x is its square",
         equal(level, (threshold / (2 * beta * h_k**layers)) ** 2)),
        ("the share of the paper", equal(threshold.subs(share, text("", after="be a share (", numbers=Rational)),
                                         algorithm(r"\Delta_k=...<", epsilon=e, h_k=h_k, H=H))),
        "count",
        values_fit(text.interval(after="rewards in")),
        ("N of the sharp lemma at the level x, for all c_K of the text",
         equal(log(size), log(sharp(SIZE, c_K=text.range("c_K").low + more, epsilon=x)))),
        ("K is the largest whole number up to the count",
         exactly(text("K=", c_K=c, d=d, H=H), sympy.floor(counted(r"k_h\le...\le", c_K=c, d=d, h=H)))),
        ("beta is that of the event", equal(scale, event(r"\beta\ge", **named))),
        ("beta >= dH, as (9/4) log 2 > 1", below(1, (scale**2).subs(dict.fromkeys(named.values(), 1)))),
        ("x <= (H/(2 H dH))^2 <= 1/(4 d^2) <= 1/d",
         at_least(1 / (1 + s), level.subs({beta: (1 + s) * H, share: PART, e: largest}).subs(H, 1 + t), s, t, r, y)),
        "test",
        ("s epsilon + deviation = epsilon at Hoeffding's N",
         equal(PART * e + deviation.subs({N: test, K: UNION}), e)),
    ]


def order_of_sharp_lemma_per_layer(text, level, size):
    """The part "order" of `sharp_lemma_per_layer`."""
    grown = text(GROWS, OO)
    orders = [text(left, d=d, H=H, epsilon=e) for left in (r"N\to", r"dH\,N\to")]
    return [
        "order",
        ("the orders of N and of dH N",
         every(*(exactly(powers(factor * size.subs(x, level.subs(beta, d * H)), at=grown), powers(said_order))
                 for factor, said_order in zip((1, d * H), orders, strict=True)))),
        ("Hoeffding's condition is of the same order", exactly(order(test_size(text, HALF)), powers(orders[0]))),
    ]


@claim("res-fewer-samples-a", plants=4, false={"H^2 h_k instead of H^2 in x": {"layers": 2}})
def sharp_lemma_per_layer(text, algorithm=printed("alg-layerwise"), sharp=printed("res-sharp-potential"),
                          event=printed("lem-concentration-repaired"), counted=printed("ineq-deployment-count"),
                          hoeffding=printed("res-hoeffding-bonus"), layers=1):
    """The sharp lemma in every layer: The level of a violation, the batch size, Hoeffding's condition, and the
    exponents as c_K grows.

    `layers` divides the threshold in each layer once more.
    """
    level = text("x=", s=share, epsilon=e, H=H, beta=beta)
    size, test = count_size(text, x), test_size(text)
    return steps([*violation_of_sharp_lemma_per_layer(text, algorithm, sharp, event, counted, hoeffding, layers, level,
                                                      size, test), *order_of_sharp_lemma_per_layer(text, level, size)],
                 "all d, H, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, 0 < s < 1")


@claim("res-fewer-samples-b", plants=6, false={"the trace of twice as many blocks": {"blocks": 2 * H}})
def one_count_for_all_layers(text, blocks=H, setting=printed("res-fewer-samples-a")):
    """One count for all layers: The block count and the finished layers give K; the count gains a factor H, Hoeffding's
    condition does not."""
    threshold = text("", after="the threshold", s=share, epsilon=e)
    level = text("x=", s=share, epsilon=e, H=H, beta=beta)
    size = count_size(text, level)
    within = text("", {"z^*": (m + HALF) / (d * H)}, after="stops within", d=d, H=H)
    largest = setting.range(r"\epsilon", H=1 + t).high / (1 + r)
    grown = text(GROWS, OO)
    stays = text("", after="stays at", d=d, H=H, epsilon=e)
    k = m - H + 1
    return steps([
        *block_count(blocks, text, level=x, size=count_size(text, x), trade_off=c),
        ("x is the least mean of the sum of b^2 over the layers, at h_k = H",
         equal(level, H * (threshold / (2 * beta * H)) ** 2)),
        ("k + H - 1 = m <= dH z* gives k + H = m + 1 deployments", exactly(k + H, within)),
        ("at z* = c_K this is at most the bound",
         exactly(within + HALF, text("", after="this is at most", c_K=(m + HALF) / (d * H), d=d, H=H))),
        "determinant",
        ("Delta_1 >= 2 beta/sqrt d >= 2 sqrt(d) H >= 2 epsilon > s epsilon, for sqrt d = 1 + s",
         at_least(2 * (1 + s) * (1 + t), threshold.subs({share: PART, e: largest}), s, t, r, y)),
        ("x <= 1/d: (epsilon/(2dH))^2/H <= 1/(4 d^2)",
         at_least(1 / (1 + s), level.subs({beta: (1 + s) * H, share: PART, e: largest}).subs(H, 1 + t), s, t, r, y)),
        "order",
        ("the count asks for d^2 H^3/epsilon^2",
         exactly(order(size, grown), powers(text("", after="is of order", d=d, H=H, epsilon=e)))),
        ("Hoeffding's condition stays at d^2 H^4/epsilon^2", exactly(order(test_size(setting, HALF)), powers(stays))),
    ], "all d, H, N, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, 0 < s < 1")


@claim("res-fewer-samples-c", plants=6, false={"Hoeffding's condition": {"additive": True}})
def multiplicative_condition(text, additive=False, before=printed("res-fewer-samples-b"),
                             chernoff=printed("res-chernoff-bonus"), setting=printed("res-fewer-samples-a")):
    """The multiplicative condition is of lower order: Exponents of both conditions: the count decides, and dH N ~ d^3
    H^4/epsilon^2, as for LSVI-UCB.

    `additive` keeps Hoeffding's condition.
    """
    online = sympy.Symbol("online", positive=True)  # episodes of LSVI-UCB: average regret sqrt(d^3 H^4/K) = epsilon
    needed = sympy.solve(sympy.Eq(d**3 * H**4 / online, e**2), online)[0]
    count = count_size(before, before("x=", s=share, epsilon=e, H=H, beta=beta))
    grown = text(GROWS, OO)
    size, trajectories = (text(left, d=d, H=H, epsilon=e) for left in (r"N\to", r"dH\,N\to"))
    asked = text(SIZE, s=share, epsilon=e, beta=beta, H=H, K=UNION, delta=delta)
    return steps([
        ("the condition is that of the multiplicative bound, at t = 1 - s",
         equal(asked, chernoff(SIZE, t=1 - share, epsilon=e, beta=beta, H=H, K=UNION, delta=delta))),
        ("it asks for d H^2/epsilon", exactly(order(test_size(setting, HALF) if additive else asked), (1, 2, 1))),
        ("a factor epsilon/(dH) <= 1 below the count's N", equal((d * H**2 / e) / size, e / (d * H))),
        ("the orders of N and of dH N", every(exactly(order(count, grown), powers(size)),
                                              exactly(order(d * H * count, grown), powers(trajectories)))),
        ("dH N is what LSVI-UCB needs", exactly(powers(trajectories), powers(needed))),
    ], "all d, H, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, 0 < s < 1")


@claim("res-fewer-samples-d", plants=6,
       false={"weights in a ball of half the radius": {"radius": Rational(1, 4)},
              "a quarter of the first violation": {"first": Rational(1, 4)}})
def bonus_of_the_covering(text, radius=HALF, sums=printed("res-self-normalised"), first=1):
    """The net of the class of value functions: The covering argument of Lemma C.4 up to its bracket, for any u > 0;
    beta is any solution of bracket <= beta.

    The bracket is computed from the parts: |w*| <= H sqrt d, twice the mesh, and the self-normalised sums with a union
    over the net of weights and of matrices and over the layers. `first` multiplies 2 beta/sqrt d.
    """
    n = sympy.Symbol("n", positive=True)
    lowest = text.range("u").low
    u = lowest + x
    root, horizon, part = 1 + s, 1 + t, 1 / (1 + r)  # sqrt d, H, and s epsilon = part H
    mesh = H * u / (2 * sqrt(n))
    cover = [(1 + 2 * length / (mesh / 2)) ** coordinates  # balls of radius mesh/2, each cost half of the mesh
             for length, coordinates in ((radius * H * sqrt(n), d), (beta * sqrt(d), d * (d + 1) / 2))]
    failure = delta / 2 / H  # of each layer
    normalised = sums(r"\|S_t\|_{\Lambda_t^{-1}}^2\le", {r"\det\Lambda_t": (1 + n / d) ** d}, R=H,
                      delta=failure / (cover[0] * cover[1]))
    bracket = H * sqrt(d) + 2 * mesh * sqrt(n) + sqrt(normalised)
    left, right = text.sides(r"\frac\beta H\ge", beta=beta, H=H, d=d, n=n, u=u, delta=delta)
    least = text(r"\frac\beta H\ge", beta=beta, H=H, d=d, n=0, u=u, delta=2 * H)
    return steps([
        *class_and_net(radius),
        ("the bracket over H", equal(right, sympy.simplify(sympy.expand_log(bracket / H, force=True)))),
        ("it bounds beta over H", equal(left, beta / H)),
        ("the net may have any mesh", exactly(lowest, 0)),
        ("n is the number of trajectories before deployment K",
         equal(text("n=", K=K, N=N), sympy.summation(N, (m, 1, K - 1)))),
        "first deployment",
        ("beta >= H sqrt d: the first deployment violates, 2 beta/sqrt d >= 2H > s epsilon",
         every(at_least(first * 2 * horizon * (least.subs(d, root**2) + z) / root, 2 * horizon, s, t, x, z),
               at_least(2 * horizon, part * horizon, t, r))),
        ("and x = (s epsilon/(2 beta))^2/H <= 1/(4dH) <= 1/d",
         every(at_least(1 / (4 * root**2 * horizon), (part / (2 * (root + z))) ** 2 / horizon, s, t, r, z),
               at_least(1 / root**2, 1 / (4 * root**2 * horizon), s, t))),
    ], "all d, H, K, N, delta, u > 0, 0 < epsilon <= H")


@claim("res-fewer-samples-e", plants=6, false={"the paper's share taken as 1/3": {"half": Rational(2, 3)}})
def share_of_the_threshold(text, half=1, counted=printed("res-fewer-samples-b"), tested=printed("res-fewer-samples-c")):
    """What the share of the threshold does: Ratios of the two conditions at the share s and at 1/2; `half` multiplies
    the latter."""
    paper = half * text("s=", numbers=Rational)
    count = expanded_log(count_size(counted, counted("x=", s=share, epsilon=e, H=H, beta=beta)))
    test = tested(SIZE, s=share, epsilon=e, beta=beta, H=H, K=K, delta=delta)
    factors = [text("", after=after, s=share, c_K=c) for after in ("violations requires", "test requires")]
    return steps([
        ("the count asks for (1/(2s))^{2c/(c-1)} times N",
         equal(count - count.subs(share, paper), expanded_log(factors[0]))),
        ("Chernoff's condition for (1/(2(1-s)))^2 times N", equal(test / test.subs(share, paper), factors[1])),
    ], "all 0 < s < 1, c_K > 1")


# --- the curve of K against N ------------------------------------------------------------------------------------

@claim("res-tradeoff-layerwise", plants=6, false={"z* above 1 + 2 log(H/x)/log(1 + N x)": {"power": 2}})
def slopes_of_the_curve(text, power=1, tested=printed("res-fewer-samples-c"), counted=printed("res-fewer-samples-b")):
    """Slopes of the curve for the whole algorithm: z* decreases in N and stays above 1 + log(H/x)/log(1 + N x); N z*
    increases."""
    a, b = sympy.symbols("a b", positive=True)  # a = H/x, b = log(1 + N x), L = log a
    named = {"s": share, "epsilon": e, "beta": beta, "H": H, "K": K, "delta": delta}
    grows, room = counted.sides(r"(1+Nx)^z\le", N=N, x=x, z=z, H=H)
    lower = text("", after="is at least", H=H, x=x, N_0=N)
    at_lower = (1 + N * x) * a**power - 1 - (1 + power * L / b) * H * N  # as (1 + N x)^(L/b) = a
    batch = text("", after="decreases to 1 in", N_0=N)
    slope = sympy.diff(log(grows) - log(room), batch)
    claimed = z * (x * (1 + z * H * N) - H * (1 + N * x)) / ((1 + N * x) * (1 + z * H * N))
    product = text("", {"z^*(N_0)": z}, after="is at least", skip=1, N_0=N)
    return steps([
        "deployments",
        ("the condition on N_0 is that of the test", equal(text(r"N_0\ge", **named), tested(SIZE, **named))),
        ("K(N_0) is the count of all layers",
         exactly(text("K(N_0)=", {"z^*(N_0)": z}, d=d, H=H), counted("", {"z^*": z}, after="stops within", d=d, H=H))),
        "lower bound",
        ("z_1 of the text: its excess over 1, times log(1 + N x), is log a",
         equal(log(grows).subs(z, lower) - log(grows).subs(z, 1), log(H / x))),
        ("at z_1: a - 1 - (H N/b) log a", equal(at_lower.subs(a, H / x) + 1 + H * N * L / b, H / x)),
        ("N/log(1 + N x) >= 1/x: log(1 + y) <= y", nonnegative_from(s - log(1 + s), s, 0)),
        ("a - 1 - a log a <= 0 for a >= 1", nonnegative_from(a * log(a) - a + 1, a, 1)),
        "slopes",
        ("the slope in N", equal(slope, claimed)),
        ("its sign, at (1 + N x)^{z-1} = (H/x)(1 + s)",
         at_least(x * (1 + N * x) * H / x * (1 + s), H * (1 + N * x), N, x, H, s)),
        ("log(1 + y)/y decreases", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        ("at y = H N z it is log(1 + N x)/(H N), which decreases in N, so N z* increases",
         equal(log(room) * z / (H * product), log(room) / (H * N))),
    ], "all d, H, real N >= 1, 0 < x <= 1, beta fixed")
