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

from derl.claims import Evidence, check, control, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.mdp import exact, instances
from derl.theory.beyond import odd_game as game
from derl.theory.exact.compared import at_most, every, exactly, less_than
from derl.theory.exact.symbolic import at_least, by_sign_at_least, equal

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


@check("res-odd-one-out", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Sizes in Assumption 1, and the value of a context")
def odd_lock_in_steps(ordinary=HALF,
                      said=printed("res-odd-one-out", says=["all coordinates", "uniform", "first", "No",
                                                            "linear"])) -> Evidence:
    """Norms, and the mean of one context with the odd action played with probability p."""
    sign, ordinary = sympy.Symbol("sigma", real=True), sympy.sympify(ordinary)
    r, units = sympy.Symbol("r", positive=True), {"e_1": sympy.Matrix([1, 0]), "e_2": sympy.Matrix([0, 1])}
    last = [said("", units, after="have in layer $H$ the features", skip=at) for at in range(3)]
    reward = said(r"\theta_H=", units)
    up = said("", {r"\sigma_i": sign}, after="leads to $z_1$ with probability", b=b)
    biases, sizes = said.range("b"), (2 * (1 + s), 2 * (1 + s) + 1)
    return steps([
        "norms",
        ("the features of the last states have length at most 1, and so has theta", every(
            at_most(one.norm() ** 2, 1) for one in (*last, reward))),
        ("d coordinates of size r/(1+r) <= 1: at most d", at_least(d, d * r**2 / (1 + r) ** 2, d, r)),
        ("k + 1 <= d for d = 2k and d = 2k + 1, k = 1 + s", every(
            at_least(size, said("", after="for every set $T$ of", k=1 + s), s) for size in sizes)),
        "values",
        ("p (1/2 + b sigma) + (1-p)/2 = 1/2 + b sigma p, for one of d - k contexts", equal(
            p * (up * last[1].dot(reward) + (1 - up) * last[2].dot(reward)) + (1 - p) * last[0].dot(reward) + (
                ordinary - HALF) * (1 - p),
            said("", {r"\sum_{i\notin S}\sigma_ip_i": sign * p}, after="is worth", b=b, d=k + 1, k=k))),
        ("probabilities for every b of the range, which is the largest", exactly(
            [up.subs({b: bias, sign: 1}) for bias in (biases.low, biases.high)], [HALF, 1])),
    ], "all d, H >= 2, 0 <= b <= 1/2")


control(odd_lock_in_steps, "ordinary actions worth 0", {"ordinary": 0})


@check("res-odd-one-out", method="exhaustive", arithmetic="exact", covers="eight locks, deterministic policies",
       plants=2, gap="small locks", title="Membership, values of deterministic policies, one feature map")
def values_of_odd_locks(scale=1, shift=0,
                        said=printed("res-odd-one-out", says=["at most", "known", "for all", "only",
                                                                     r"and $j_t\ne c_t$ for $2\le t\le H-2$",
                                                                     r"$j_{H-1}\in S$", "all coordinates but $c_t$",
                                                                     "The coordinate $c_t$", r"$i\notin S$ uniform",
                                                                     "lead to $z_{1/2}$", r"$i\notin S$ leads to $z_1$",
                                                                     "otherwise to $z_0$"])) -> Evidence:
    """A built instance satisfies Assumption 1; the value is 1/2 + b/(d-k) sum of sigma_i p_i for b = 1/2 and 1/8."""
    found, built, rng = [], [], np.random.default_rng(np.random.SeedSequence(42))
    for size, horizon, digits, hidden, signs in LOCKS:
        outside = [i for i in range(size) if i not in hidden]
        part = said("k=", d=size)
        if part != len(hidden):
            found.append(exactly(part, len(hidden)))
            continue
        contexts = list(combinations(range(size), int(said("", after="for every set $T$ of", k=part))))
        built += [exactly(said(r"c\in", d=size, H=horizon), size ** len(digits)),
                  *(exactly(said(r"\sigma_i=", {r"\pm": sign}), sign) for sign in signs),
                  *(at_most(said.range(letter).low, value) for letter, value in (("d", size), ("H", horizon)))]
        gate = int(said(r"t\le", after=r"features $e_1,\dots,e_d$. In layer", H=horizon))  # its last layer
        odd_layer = int(said("", after=r"$a\in T$. In layer", H=horizon))
        shortest = said("H=", after="to a context")
        built.append(exactly((said("t<", H=horizon), said("t=", H=horizon), odd_layer, shortest),
                             (gate, gate, gate + 1, said.range("H").low)))
        places = {i: contexts.index(tuple(sorted((*hidden, i)))) for i in outside}
        for bias in (HALF, Fraction(1, 8)):
            lock = instances.odd_one_out(size, horizon, digits, hidden, signs, bias, exact=True)
            units = {f"e_{at + 1}": unit for at, unit in enumerate(np.eye(size, dtype=int).astype(object))}
            last = [said("", units, after="have in layer $H$ the features", skip=at) for at in range(3)]
            built += [exactly(lock.phi[-1, [lock.state_names.index(name) for name in ("zh", "z1", "z0")], 0].tolist(),
                              [list(one) for one in last]),
                      exactly(list(lock.theta[-1]), list(said(r"\theta_H=", units))),
                      *(exactly(_chance(lock, places[i], i), said("", {r"\sigma_i": sign}, b=bias, after=UP))
                        for i, sign in zip(outside, signs, strict=True))]
            rules = list(product(range(size // 2 + 1), repeat=len(contexts)))
            if len(rules) > POLICIES // 4:
                rules = [rules[i] for i in rng.choice(len(rules), POLICIES // 4, replace=False)]
            for guess in {digits, tuple((digit + 1) % size for digit in digits)}:
                for rule in rules:
                    policy = np.zeros((horizon, lock.n_states), int)
                    policy[:gate, 0] = guess
                    policy[odd_layer - 1, 1: 1 + len(contexts)] = [_index(lock, at, contexts[at][a])
                                                                       for at, a in enumerate(rule)]
                    odd = [sign for i, sign in zip(outside, signs, strict=True)
                           if guess == digits and contexts[places[i]][rule[places[i]]] == i]
                    found.append(exactly(exact.evaluate(lock, policy).value, shift + said(
                        "", {r"\sum_{i\notin S}\sigma_ip_i": sum(odd)}, after="is worth", b=scale * bias, d=size,
                        k=part)))
        other = instances.odd_one_out(size, horizon, digits, tuple(sorted({(i + 1) % size for i in hidden})),
                                      [-sign for sign in signs], 0, exact=True)
        found += [exactly(lock.dim, size), exactly(bool((other.phi == lock.phi).all()), True),
                  at_most(int(lock.available.sum(axis=2).max()), size)]
    return steps([("the arrays are those of the statement", every(built)),
                  (f"{len(found)} values, dimensions and feature maps", every(found))], "exact rationals")


def _chance(lock, context: int, coordinate: int) -> Fraction:
    """The probability of the state that pays 1 after the action of a context with the feature e_coordinate."""
    return lock.transitions()[lock.horizon - 2, 1 + context, _index(lock, context, coordinate),
                              lock.state_names.index("z1")]


def _index(lock, context: int, coordinate: int) -> int:
    """The action of a context with the feature e_coordinate."""
    return next(a for a in range(lock.n_actions) if lock.phi[0, 1 + context, a, coordinate])


control(values_of_odd_locks, "twice the bias", {"scale": 2})
control(values_of_odd_locks, "a hundredth more", {"shift": Fraction(1, 100)})


@check("res-one-deployment-lower", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The share of the odd one, two signs, the loss, the failure, the size")
def lower_in_steps(ways=1, overlap=4, sides=1, cap=1, quarter=4, deviation=2,
                   said=printed("res-one-deployment-lower", says=["any kind", "all", "linear", "at most",
                                                                  "known features", "the first", "arbitrary"]),
                   lock=printed("res-odd-one-out")) -> Evidence:
    """Every computation of the lower bound, with the constant of the statement."""
    n, H, E, f, half = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("H"), *sympy.symbols(
        "E f", positive=True), sympy.Rational(1, 2)
    share = said("m=", N=N, d=d, H=H, k=k)
    bias, cut = 4 * (1 - delta) * epsilon / (1 - 2 * delta), said.range(r"\epsilon", delta=delta, after="Let $d,H").high
    loss = said("", after="loses at least", b=b, m=m)
    least = said(r"N\ge", after="Then", d=d, H=H, delta=delta, epsilon=epsilon)
    inner = 1 / (2 * (1 + y))  # delta, between 0 and 1/2
    # the least m: half b (1 - 2 b sqrt(m)) = (1 - delta) epsilon + delta b
    at = ((1 - 2 * delta) ** 2 / (16 * (1 - delta) * epsilon)) ** 2
    pairs = [(size, size // 2) for size in range(2, 9)]
    return steps([
        "odd one",
        hypotheses(said, ("known rewards in",), "-optimal with probability at least", "Let $d,H"),
        ("binomial(d, k)(d - k) = binomial(d, k+1)(k + 1), d = 2, ..., 8", every(exactly(
            sympy.binomial(size, part) * (size - part), ways * sympy.binomial(size, part + 1) * (part + 1))
            for size, part in pairs)),
        (said.shown("m="), equal(share, N * d ** -(H - 2) / (k + 1) / (d - k))),
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
        "failure",
        ("epsilon at its upper end: the bias is 1/2", equal(bias.subs(epsilon, cut), half * cap)),
        ("the least m for this bias", equal(sympy.simplify(
            (loss.subs(b, bias).subs(m, at) - (1 - delta) * epsilon - delta * bias).subs(delta, inner)), 0)),
        ("delta = 1/4: epsilon up to 1/12; the upper end falls as delta grows", every(
            equal(said.range(r"\epsilon", delta=sympy.Rational(1, 4), after="Let $d,H").high,
                  said.range(r"\epsilon", after=r"For $\delta\le\frac14$ and").high),
            equal(said.range(r"\delta", after="$m=").high, sympy.Rational(1, 4)),
            at_least(cut.subs(delta, inner), cut.subs(delta, 1 / (2 + y)), y))),
        ("the loss decreases with m", by_sign_at_least(-sympy.diff(loss, m))),
        ("no bias gives more: u/2 (1 - 2 delta) - (1 - delta) epsilon u^2, u = 1/b, is at most its value there", equal(
            sympy.simplify(f / 2 - E * f**2 - (1 / (16 * E) - E * (f - 1 / (4 * E)) ** 2)), 0)),
        "size",
        ("(k+1)(d-k) >= d(d+2)/4: equality for d = 2k, 1/4 more for d = 2k + 1", every(
            equal((k + 1) * (2 * k - k), 2 * k * (2 * k + 2) / 4),
            equal((k + 1) * (2 * k + 1 - k) - (2 * k + 1) * (2 * k + 3) / 4, sympy.Rational(1, 4)))),
        ("k = floor(d/2)", exactly([lock("k=", d=size) for size, _ in pairs], [part for _, part in pairs])),
        (said.shown(r"N\ge", after="Then"), equal(sympy.simplify(
            least / (at * d ** (H - 2) * d * (d + 2) / quarter)), 1)),
        "fixed first state",
        ("1 - e^-y >= y/2 for 0 <= y <= 1: (1 - y/2) e^y >= (1 - y/2)(1 + y) = 1 + y (1-y)/2 at y = 1/(1+s)", at_least(
            ((1 - y / 2) * (1 + y)).subs(y, 1 / (1 + s)), 1, s)),
        ("Hoeffding: 2 n (epsilon/2)^2 = n epsilon^2/2, and half of it over d", equal(
            deviation * n * (epsilon / 2) ** 2, n * epsilon**2 / 2)),
        ("2 d e^(-N epsilon^2/(4 d)) = delta at the printed N", equal(sympy.simplify(2 * d * sympy.exp(
            -said(r"N\ge", after="uniform play", d=d, epsilon=epsilon, delta=delta) * epsilon**2 / (4 * d))), delta)),
    ], "all d, H >= 2, N, 0 < delta < 1/2, epsilon up to its upper end")


control(lower_in_steps, "twice as many pairs", {"ways": 2})
control(lower_in_steps, "squared affinity 1 - 2 b^2", {"overlap": 2})
control(lower_in_steps, "one sign counted twice", {"sides": 2})
control(lower_in_steps, "a bias of 1 at the upper end of epsilon", {"cap": 2})
control(lower_in_steps, "(k+1)(d-k) >= d(d+2)/2", {"quarter": 2})
control(lower_in_steps, "n epsilon^2/4 in Hoeffding's inequality", {"deviation": 1})


@check("res-one-deployment-lower", method="exhaustive", arithmetic="exact", covers="d = 2, ..., 7",
       gap="small d", title="Given the context, the odd action is uniform among its k + 1 actions")
def odd_one_is_uniform(extra=1) -> Evidence:
    """All pairs of a set S and a coordinate outside it, by their union."""
    found = []
    for size in range(2, 8):
        part = size // 2
        pairs = Counter((tuple(sorted((*hidden, i))), i) for hidden in combinations(range(size), part)
                        for i in range(size) if i not in hidden)
        contexts = {context for context, _ in pairs}
        found += [exactly(set(pairs.values()), {1}), exactly(len(pairs), len(contexts) * (part + extra))]
    return steps([("each action of each context is the odd one once", every(found))], "exact")


control(odd_one_is_uniform, "k actions", {"extra": 0})


@check("res-one-deployment-lower", method="exhaustive", arithmetic="exact",
       covers=f"all joint strategies and outputs, (d, H, N) in {GAMES}", gap="small games, b = 1/4",
       title="Least mean loss of all joint strategies, against the bound")
def odd_one_out_games(factor=Fraction(1), size=0,
                      said=printed("res-one-deployment-lower", says=["unknown", "before any", "any of", "uniform codes",
                                                                     "every", "each", "before they"])) -> Evidence:
    """1 - 2 loss/b <= 2 b sqrt(m), squared; at d = H = N = 2 both sides agree."""
    found = []
    for dim, horizon, batch in GAMES:
        loss, part = game.least_loss(dim, horizon, batch), dim // 2
        share = Fraction(said("m=", N=batch, d=dim + size, H=horizon, k=part))
        found.append((f"d = {dim}, H = {horizon}, N = {batch}: the least loss is {loss} b",
                      at_most((1 - 2 * loss) ** 2, factor * 4 * game.BIAS**2 * share)))
    return steps(found, "exact rationals; every guess of the code, every rule for contexts, every output")


control(odd_one_out_games, "nine tenths of m", {"factor": Fraction(9, 10)})
control(odd_one_out_games, "m for d + 1", {"size": 1})


@check("res-one-deployment-lower", method="exhaustive", arithmetic="exact", covers="d = 4, H = 2, N = 2, b = 1/4",
       gap="one game", title="Trajectories that see each other's contexts are better than the bound")
def seen_contexts(batch=2,
                  said=printed("res-one-deployment-lower", says=["any two", "different", "below", "random",
                                                                 "random first"])) -> Evidence:
    """The least mean loss if the actions of both trajectories may depend on both contexts."""
    loss = game.least_loss_after_contexts(4, batch)
    share = Fraction(said("m=", N=batch, d=4, H=2, k=2))
    return steps([
        ("the least loss over b", exactly(loss, Fraction(said("", after="the least mean loss is", b=1)))),
        (f"(1 - 2 {loss})^2 > 4 b^2 m", less_than(4 * game.BIAS**2 * share, (1 - 2 * loss) ** 2)),
    ], "exact rationals; every rule for the pairs of contexts, every output")


control(seen_contexts, "one trajectory alone", {"batch": 1})
