"""These checks establish that one deployment needs d^H/epsilon^2 trajectories: the locks, the games, every computation.

The action that counts is uniform among the k + 1 actions of its context, and there are d - k contexts. So a trajectory
that has played the code is informative for a given one of them with probability 1/((k+1)(d-k)).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import sympy

from derl.claims import claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, by_sign_at_least, equal, same_fraction
from derl.mdp import exact, instances
from derl.theory.beyond import odd_game as game

HALF = Fraction(1, 2)
LOCKS = ((2, 2, (), (0,), (1,)), (2, 3, (1,), (1,), (-1,)), (2, 4, (0, 1), (0,), (1,)), (3, 2, (), (2,), (1, -1)),
         (3, 3, (0,), (1,), (1, 1)), (4, 2, (), (0, 3), (1, -1)), (4, 3, (2,), (1, 2), (-1, 1)),
         (5, 2, (), (1, 4), (1, -1, 1)))
GAMES = ((2, 2, 1), (2, 2, 2), (2, 2, 3), (2, 3, 1), (2, 3, 2), (2, 3, 3), (3, 2, 1), (3, 2, 2), (3, 2, 3), (3, 3, 1),
         (3, 3, 2), (4, 2, 1), (4, 2, 2), (4, 3, 1), (4, 3, 2))
UP = "leads to $z_1$ with probability"
POLICIES = 400  # tried on each lock; all of them where there are fewer
b, d, k, N, m, p, delta, epsilon, y = sympy.symbols("b d k N m p delta epsilon y", positive=True)
s, t = sympy.symbols("s t", nonnegative=True)


@claim("res-odd-one-out", false={"ordinary actions worth 0": {"ordinary": 0}})
def odd_lock_in_steps(text, ordinary=HALF):
    """Sizes in Assumption 1, and the value of a context: Norms, and the mean of one context with the odd action played
    with probability p."""
    sign, ordinary = sympy.Symbol("sigma", real=True), sympy.sympify(ordinary)
    r, units = sympy.Symbol("r", positive=True), {"e_1": sympy.Matrix([1, 0]), "e_2": sympy.Matrix([0, 1])}
    last = [text("", units, after="have in layer $H$ the features", skip=at) for at in range(3)]
    reward = text(r"\theta_H=", units)
    up = text("", {r"\sigma_i": sign}, after="leads to $z_1$ with probability", b=b)
    biases, sizes = text.range("b"), (2 * (1 + s), 2 * (1 + s) + 1)
    return steps([
        "norms",
        ("the features of the last states have length at most 1, and so has theta", every(
            at_most(one.norm() ** 2, 1) for one in (*last, reward))),
        ("d coordinates of size r/(1+r) <= 1: at most d", at_least(d, d * r**2 / (1 + r) ** 2, d, r)),
        ("k + 1 <= d for d = 2k and d = 2k + 1, k = 1 + s", every(
            at_least(size, text("", after="for every set $T$ of", k=1 + s), s) for size in sizes)),
        "values",
        ("p (1/2 + b sigma) + (1-p)/2 = 1/2 + b sigma p, for one of d - k contexts", equal(
            p * (up * last[1].dot(reward) + (1 - up) * last[2].dot(reward)) + (1 - p) * last[0].dot(reward) + (
                ordinary - HALF) * (1 - p),
            text("", {r"\sum_{i\notin S}\sigma_ip_i": sign * p}, after="is worth", b=b, d=k + 1, k=k))),
        ("probabilities for every b of the range, which is the largest", exactly(
            [up.subs({b: bias, sign: 1}) for bias in (biases.low, biases.high)], [HALF, 1])),
    ], "all d, H >= 2, 0 <= b <= 1/2")


def values_of_rules(lock, contexts, places, signs, digits, layers, rng):
    """(value, sum of sigma_i p_i) of the policies that play the code or another one and an action for each context."""
    size, (gate, odd_layer) = lock.dim, layers
    rules = list(product(range(size // 2 + 1), repeat=len(contexts)))
    if len(rules) > POLICIES // 4:
        rules = [rules[i] for i in rng.choice(len(rules), POLICIES // 4, replace=False)]
    for guess in {digits, tuple((digit + 1) % size for digit in digits)}:
        for rule in rules:
            policy = np.zeros((lock.horizon, lock.n_states), int)
            policy[:gate, 0] = guess
            policy[odd_layer - 1, 1: 1 + len(contexts)] = [_index(lock, at, contexts[at][a])
                                                           for at, a in enumerate(rule)]
            yield exact.evaluate(lock, policy).value, sum(
                sign for i, sign in signs.items() if guess == digits and contexts[places[i]][rule[places[i]]] == i)


@claim("res-odd-one-out", method="exhaustive", covers="eight locks, deterministic policies", gap="small locks",
       plants=2,
       false={"twice the bias": {"scale": 2},
              "a hundredth more": {"shift": Fraction(1, 100)}})
def values_of_odd_locks(text, scale=1, shift=0):
    """Membership, values of deterministic policies, one feature map: A built instance satisfies Assumption 1; the value
    is 1/2 + b/(d-k) sum of sigma_i p_i for b = 1/2 and 1/8."""
    result, built, rng = [], [], np.random.default_rng(np.random.SeedSequence(42))
    for size, horizon, digits, hidden, signs in LOCKS:
        outside = [i for i in range(size) if i not in hidden]
        part = text("k=", d=size)
        if part != len(hidden):
            result.append(exactly(part, len(hidden)))
            continue
        contexts = list(combinations(range(size), int(text("", after="for every set $T$ of", k=part))))
        built += [exactly(text(r"c\in", d=size, H=horizon), size ** len(digits)),
                  *(exactly(text(r"\sigma_i=", {r"\pm": sign}), sign) for sign in signs),
                  *(at_most(text.range(letter).low, value) for letter, value in (("d", size), ("H", horizon)))]
        gate = int(text(r"t\le", after=r"features $e_1,\dots,e_d$. In layer", H=horizon))  # its last layer
        odd_layer = int(text("", after=r"$a\in T$. In layer", H=horizon))
        shortest = text("H=", after="to a context")
        built.append(exactly((text("t<", H=horizon), text("t=", H=horizon), odd_layer, shortest),
                             (gate, gate, gate + 1, text.range("H").low)))
        places = {i: contexts.index(tuple(sorted((*hidden, i)))) for i in outside}
        for bias in (HALF, Fraction(1, 8)):
            lock = instances.odd_one_out(size, horizon, digits, hidden, signs, bias, exact=True)
            units = {f"e_{at + 1}": unit for at, unit in enumerate(np.eye(size, dtype=int).astype(object))}
            last = [text("", units, after="have in layer $H$ the features", skip=at) for at in range(3)]
            built += [exactly(lock.phi[-1, [lock.state_names.index(name) for name in ("zh", "z1", "z0")], 0].tolist(),
                              [list(one) for one in last]),
                      exactly(list(lock.theta[-1]), list(text(r"\theta_H=", units))),
                      *(exactly(_chance(lock, places[i], i), text("", {r"\sigma_i": sign}, b=bias, after=UP))
                        for i, sign in zip(outside, signs, strict=True))]
            result += [exactly(value, shift + text(
                "", {r"\sum_{i\notin S}\sigma_ip_i": odd}, after="is worth", b=scale * bias, d=size, k=part))
                for value, odd in values_of_rules(lock, contexts, places, dict(zip(outside, signs, strict=True)),
                                                  digits, (gate, odd_layer), rng)]
        other = instances.odd_one_out(size, horizon, digits, tuple(sorted({(i + 1) % size for i in hidden})),
                                      [-sign for sign in signs], 0, exact=True)
        result += [exactly(lock.dim, size), exactly(bool((other.phi == lock.phi).all()), True),
                   at_most(int(lock.available.sum(axis=2).max()), size)]
    return steps([("the arrays are those of the statement", every(built)),
                  (f"{len(result)} values, dimensions and feature maps", every(result))], "exact rationals")


def _chance(lock, context: int, coordinate: int) -> Fraction:
    """The probability of the state that pays 1 after the action of a context with the feature e_coordinate."""
    return lock.transitions()[lock.horizon - 2, 1 + context, _index(lock, context, coordinate),
                              lock.state_names.index("z1")]


def _index(lock, context: int, coordinate: int) -> int:
    """The action of a context with the feature e_coordinate."""
    return next(a for a in range(lock.n_actions) if lock.phi[0, 1 + context, a, coordinate])


def odd_one_of_lower(text, ways, overlap, sides, quarter, H, half, loss, pairs):
    """The parts "odd one", "two signs" and "loss" of `lower_in_steps`."""
    share = text("m=", N=N, d=d, H=H, k=k)
    return [
        "odd one",
        hypotheses(text, ("known rewards in",), "-optimal with probability at least", "Let $d,H"),
        ("binomial(d, k)(d - k) = binomial(d, k+1)(k + 1), d = 2, ..., 8", every(exactly(
            sympy.binomial(size, part) * (size - part), ways * sympy.binomial(size, part + 1) * (part + 1))
            for size, part in pairs)),
        (text.shown("m="), equal(share, N * d ** -(H - 2) / (k + 1) / (d - k))),
        "two signs",
        ("affinity of the two coins, squared: 4(1/2 + b)(1/2 - b) = 1 - 4b^2",
         equal(4 * (half + b) * (half - b), 1 - overlap * b**2)),
        ("(1-x)^m >= 1 - m x: from m to m + 1", at_least((1 - m * y) * (1 - y), 1 - (m + 1) * y, m, y)),
        ("TV^2 <= 1 - (1 - 4 b^2 M) = (2 b)^2 M", equal(1 - (1 - overlap * b**2 * m), (2 * b) ** 2 * m)),
        "loss",
        ("1 - p on one sign and p on the other: together 1", equal(sides * (1 - p) + p, 1)),
        ("b times one half of 1 - TV", equal(loss, b * half * (1 - 2 * b * sympy.sqrt(m)))),
        ("sqrt is concave: its second derivative is -m^(-3/2)/4", equal(
            sympy.diff(sympy.sqrt(m), m, 2), -m ** sympy.Rational(-3, 2) / quarter)),
    ]


def failure_of_lower(text, cap, quarter, deviation, lock, E, H, f, half, loss, n, pairs):
    """The parts "failure", "size" and "fixed first state" of `lower_in_steps`."""
    bias, cut = 4 * (1 - delta) * epsilon / (1 - 2 * delta), text.range(r"\epsilon", delta=delta, after="Let $d,H").high
    least = text(r"N\ge", after="Then", d=d, H=H, delta=delta, epsilon=epsilon)
    inner = 1 / (2 * (1 + y))  # delta, between 0 and 1/2
    at = ((1 - 2 * delta) ** 2 / (16 * (1 - delta) * epsilon)) ** 2
    return [
        "failure",
        ("epsilon at its upper end: the bias is 1/2", equal(bias.subs(epsilon, cut), half * cap)),
        ("the least m for this bias", equal(sympy.simplify(
            (loss.subs(b, bias).subs(m, at) - (1 - delta) * epsilon - delta * bias).subs(delta, inner)), 0)),
        ("delta = 1/4: epsilon up to 1/12; the upper end falls as delta grows", every(
            equal(text.range(r"\epsilon", delta=sympy.Rational(1, 4), after="Let $d,H").high,
                  text.range(r"\epsilon", after=r"For $\delta\le\frac14$ and").high),
            equal(text.range(r"\delta", after="$m=").high, sympy.Rational(1, 4)),
            at_least(cut.subs(delta, inner), cut.subs(delta, 1 / (2 + y)), y))),
        ("the loss decreases with m", by_sign_at_least(-sympy.diff(loss, m))),
        ("no bias gives more: u/2 (1 - 2 delta) - (1 - delta) epsilon u^2, u = 1/b, is at most its value there",
         same_fraction(f / 2 - E * f**2, 1 / (16 * E) - E * (f - 1 / (4 * E)) ** 2)),
        "size",
        ("(k+1)(d-k) >= d(d+2)/4: equality for d = 2k, 1/4 more for d = 2k + 1", every(
            equal((k + 1) * (2 * k - k), 2 * k * (2 * k + 2) / 4),
            equal((k + 1) * (2 * k + 1 - k) - (2 * k + 1) * (2 * k + 3) / 4, sympy.Rational(1, 4)))),
        ("k = floor(d/2)", exactly([lock("k=", d=size) for size, _ in pairs], [part for _, part in pairs])),
        (text.shown(r"N\ge", after="Then"), equal(sympy.simplify(
            least / (at * d ** (H - 2) * d * (d + 2) / quarter)), 1)),
        "fixed first state",
        ("1 - e^-y >= y/2 for 0 <= y <= 1: (1 - y/2) e^y >= (1 - y/2)(1 + y) = 1 + y (1-y)/2 at y = 1/(1+s)", at_least(
            ((1 - y / 2) * (1 + y)).subs(y, 1 / (1 + s)), 1, s)),
        ("Hoeffding: 2 n (epsilon/2)^2 = n epsilon^2/2, and half of it over d", equal(
            deviation * n * (epsilon / 2) ** 2, n * epsilon**2 / 2)),
        ("2 d e^(-N epsilon^2/(4 d)) = delta at the printed N", equal(sympy.simplify(2 * d * sympy.exp(
            -text(r"N\ge", after="uniform play", d=d, epsilon=epsilon, delta=delta) * epsilon**2 / (4 * d))), delta)),
    ]


@claim("res-one-deployment-lower",
       false={"twice as many pairs": {"ways": 2},
              "squared affinity 1 - 2 b^2": {"overlap": 2},
              "one sign counted twice": {"sides": 2},
              "a bias of 1 at the upper end of epsilon": {"cap": 2},
              "(k+1)(d-k) >= d(d+2)/2": {"quarter": 2},
              "n epsilon^2/4 in Hoeffding's inequality": {"deviation": 1}})
def lower_in_steps(text, ways=1, overlap=4, sides=1, cap=1, quarter=4, deviation=2, lock=printed("res-odd-one-out")):
    """The share of the odd one, two signs, the loss, the failure, the size: Every computation of the lower bound, with
    the constant of the statement."""
    n, H, E, f, half = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("H"), *sympy.symbols(
        "E f", positive=True), sympy.Rational(1, 2)
    loss = text("", after="loses at least", b=b, m=m)
    pairs = [(size, size // 2) for size in range(2, 9)]
    at = {"d": n, "H": H, "epsilon": E}
    least = text(r"N\ge", after="unknown. Then", delta=half / 2, **at)
    order = least / text("", after="this is a constant times", **at)
    return steps([*odd_one_of_lower(text, ways, overlap, sides, quarter, H, half, loss, pairs),
                  *failure_of_lower(text, cap, quarter, deviation, lock, E, H, f, half, loss, n, pairs),
                  ("at delta = 1/4 the bound is (1 + 2/d)/9216 times the order", equal(order, (1 + 2 / n) / 9216))],
                 "all d, H >= 2, N, 0 < delta < 1/2, epsilon up to its upper end")


@claim("res-one-deployment-lower", method="exhaustive", covers="d = 2, ..., 7", gap="small d",
       false={"k actions": {"extra": 0}})
def odd_one_is_uniform(extra=1):
    """Given the context, the odd action is uniform among its k + 1 actions: All pairs of a set S and a coordinate
    outside it, by their union."""
    result = []
    for size in range(2, 8):
        part = size // 2
        pairs = Counter((tuple(sorted((*hidden, i))), i) for hidden in combinations(range(size), part)
                        for i in range(size) if i not in hidden)
        contexts = {context for context, _ in pairs}
        result += [exactly(set(pairs.values()), {1}), exactly(len(pairs), len(contexts) * (part + extra))]
    return steps([("each action of each context is the odd one once", every(result))], "exact")


@claim("res-one-deployment-lower", method="exhaustive",
       covers=f"all joint strategies and outputs, (d, H, N) in {GAMES}", gap="small games, b = 1/4",
       false={"nine tenths of m": {"factor": Fraction(9, 10)},
              "m for d + 1": {"size": 1}})
def odd_one_out_games(text, factor=Fraction(1), size=0):
    """Least mean loss of all joint strategies, against the bound: 1 - 2 loss/b <= 2 b sqrt(m), squared; at d = H = N =
    2 both sides agree."""
    result = []
    for dim, horizon, batch in GAMES:
        loss, part = game.least_loss(dim, horizon, batch), dim // 2
        share = Fraction(text("m=", N=batch, d=dim + size, H=horizon, k=part))
        result.append((f"d = {dim}, H = {horizon}, N = {batch}: the least loss is {loss} b",
                       at_most((1 - 2 * loss) ** 2, factor * 4 * game.BIAS**2 * share)))
    return steps(result, "exact rationals; every guess of the code, every rule for contexts, every output")


@claim("res-one-deployment-lower", method="exhaustive", covers="d = 4, H = 2, N = 2, b = 1/4", gap="one game",
       false={"one trajectory alone": {"batch": 1}})
def seen_contexts(text, batch=2):
    """Trajectories that see each other's contexts are better than the bound: The least mean loss if the actions of both
    trajectories may depend on both contexts."""
    loss = game.least_loss_after_contexts(4, batch)
    share = Fraction(text("m=", N=batch, d=4, H=2, k=2))
    return steps([
        ("the least loss over b", exactly(loss, Fraction(text("", after="the least mean loss is", b=1)))),
        (f"(1 - 2 {loss})^2 > 4 b^2 m", less_than(4 * game.BIAS**2 * share, (1 - 2 * loss) ** 2)),
    ], "exact rationals; every rule for the pairs of contexts, every output")
