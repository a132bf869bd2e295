"""These checks establish how many digits one deployment, and each later one, can guess on the junk locks.

The game of guesses is enumerated with full transcripts in small cases, junk included, and compared with the bounds.
Symbolic steps take the two biases, the distance of two laws, and the geometric laws that bound the gain.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import at_most, bookkeeping, every, exactly, less_than
from derl.exact.symbolic import at_least, below, by_sign, equal, nonnegative_from, same_fraction
from derl.mdp import exact, instances
from derl.theory.beyond import junk_game as game

HALF = Fraction(1, 2)
UPPER = {r"\pm": 1}  # the upper one of two signs
NO_POLICY = "policy with probability at least"
LOCKS = ((2, 3, (0, 1), (0,)), (2, 4, (1, 0, 1), (1, 0)), (3, 3, (2, 0), (1,)), (3, 3, (0, 2), (0,)))
FIRST = ((2, 2, 1), (2, 3, 1), (2, 3, 2), (2, 3, 3), (2, 4, 1), (2, 4, 2), (2, 4, 3), (3, 2, 2), (3, 3, 1), (3, 3, 2),
         (4, 3, 1))
LATER = ((3, 3, 1, 2), (3, 3, 2, 2), (3, 4, 1, 2), (3, 4, 2, 2), (3, 4, 1, 3), (4, 3, 1, 2), (4, 3, 2, 2), (4, 4, 1, 2),
         (3, 5, 1, 2))
INDEPENDENT = ((2, 3, 1), (2, 3, 2), (3, 2, 2), (2, 3, 3))
b, d, delta, epsilon, N, p, x, m = sympy.symbols("b d delta epsilon N p x m", positive=True)
s, u = sympy.symbols("s u", nonnegative=True)


@claim("res-junk-lock",
       false={"junk that is worth 0": {"junk": 0},
              "junk that is worth 1": {"junk": 1},
              "reward 1/4 in place of 1/2, the junk still worth 1/2": {"half": Fraction(1, 4)},
              "d - 1 features": {"missing": 1}})
def junk_lock_in_steps(text, junk=HALF, half=HALF, missing=0):
    """One layer of the value, the sizes in Assumption 1, the rank: The recursion of values, norms, and products of
    features with the measure of g in d locks."""
    q, P, r = sympy.symbols("q P r", positive=True)
    half, junk = sympy.sympify(half), sympy.sympify(junk)
    features = [sympy.eye(size)[:, : size - missing] for size in range(2, 7)]
    units = {"e_1": sympy.Matrix([1, 0]), "e_2": sympy.Matrix([0, 1])}
    last = [text("", units, after="these three states have the features", skip=at) for at in range(3)]
    reward, up = text(r"\theta_H=", units), text("", after="$z_1$ with probability", b=b)
    return steps([
        "values",
        ("V(g) = 1/2 + b P in the next layer, junk worth 1/2, the digit with probability q: V(g) = 1/2 + b q P",
         equal(q * (half + b * P) + (1 - q) * junk, text("", after="is worth", b=b, p=q * P))),
        ("the last digit, and what the three states pay: q (1/2 + b) + (1 - q)/2 = 1/2 + b q", equal(
            q * (up * last[0].dot(reward) + (1 - up) * last[1].dot(reward)) + (1 - q) * last[2].dot(reward),
            text("", after="is worth", b=b, p=q))),
        ("probabilities for every b of the range, which is the largest", exactly(
            [up.subs(b, sign * text(r"|b|\le")) for sign in (-1, 1)], [0, 1])),
        "norms",
        ("the features of the last states have length at most 1, and so has theta", every(
            at_most(one.norm() ** 2, 1) for one in (*last, reward))),
        ("d coordinates of size r <= 1: at most d", at_least(d, d * r**2 / (1 + r) ** 2, d, r)),
        "dimension",
        ("features times the measure of g in the lock with digit a: the unit matrix, of rank d, d = 2, ..., 6",
         every(exactly(matrix.rank(), size) for size, matrix in enumerate(features, int(text.range("d").low)))),
    ], "all d >= 2, H >= 2, |b| <= 1/2; the rank for d <= 6")


@claim("res-junk-lock", method="exhaustive", covers="four locks, all deterministic policies", gap="small locks",
       plants=3,
       false={"twice the bias": {"scale": 2},
              "dimension d - 1": {"rank": -1},
              "junk that shows another index": {"shown": 1}})
def values_of_junk_locks(text, scale=1, rank=0, shown=0):
    """Values of all deterministic policies, the rank of the features, transcripts: 1/2 + b p for b = 1/2, -1/2, 1/8; a
    built instance satisfies Assumption 1. `shown`: junk is off by it."""
    result, built = [], []
    for size, horizon, digits, junk in LOCKS:
        codes = list(product(range(size), repeat=horizon - 1))
        layers = text.range("t", after="and numbers $j_t", H=horizon)
        built += [exactly(text(r"c\in", d=size, H=horizon), len(codes)),
                  exactly(len(junk), sum(layer in layers for layer in range(horizon + 2))),
                  *(bookkeeping(text.relation("j_t", {"j_t": j, "c_t": c}).holds)
                    for j, c in zip(junk, digits[1:], strict=True)), at_most(text.range("d").low, size)]
        for bias in (HALF, -HALF, Fraction(1, 8)):
            lock = instances.junk_lock(size, horizon, digits, bias, junk=junk, exact=True)
            units = {f"e_{at + 1}": unit for at, unit in enumerate(np.eye(size, dtype=int).astype(object))}
            last = [text("", units, after="these three states have the features", skip=at) for at in range(3)]
            built += [exactly(lock.phi[-1, size + 1:, 0].tolist(), [list(one) for one in last]),
                      exactly(list(lock.theta[-1]), list(text(r"\theta_H=", units))),
                      exactly(lock.transitions()[horizon - 2, 0, digits[-1], size + 1],
                              text("", after="$z_1$ with probability", b=bias))]
            for actions in codes:
                policy = np.zeros((horizon, lock.n_states), int)
                policy[:-1, 0] = actions
                result.append(exactly(exact.evaluate(lock, policy).value, text(
                    "", after="is worth", b=scale * bias, p=int(actions == digits))))
                if abs(bias) == HALF:
                    world = (digits, tuple((j + shown) % size for j in junk), int(bias > 0))
                    result.append(exactly(followed(lock, policy), list(game.transcript(actions, world))))
        span = sympy.Matrix(lock.phi[0].reshape(-1, lock.dim))
        result += [exactly(lock.dim, size), exactly(span.rank(), size + rank)]
    return steps([("the arrays are those of the statement", every(built)),
                  (f"{len(result)} values, transcripts and ranks", every(result))], "exact rationals")


def followed(lock, policy) -> list[str]:
    """The states of a deterministic policy on a lock without chance."""
    state, names = 0, ["g"]
    for layer in range(lock.horizon - 1):
        row = lock.transitions()[layer, state, policy[layer, state]]
        state = next(s for s, chance in enumerate(row) if chance)
        names.append(lock.state_names[state])
    return names


@claim("res-first-deployment-base", plants=4,
       false={"b > 19/10 epsilon": {"margin": Fraction(19, 20)},
              "squared affinity 1 - 2 b^2": {"overlap": 2},
              "TV^2 = 1 - B^2/2": {"rest": HALF},
              "twice the second derivative": {"bend": 2}})
def first_deployment_in_steps(text, margin=1, overlap=4, rest=1, bend=1, lock=printed("res-junk-lock")):
    """Two biases, independent guesses, the distance of two laws, the size: Every computation of the lower bound for one
    deployment."""
    B, H = sympy.symbols("B H", positive=True)
    k = 2 + s  # N >= 2
    biases, rare = text.range("b", epsilon=epsilon), sympy.Rational(1, 2) / (1 + x)
    hits = 1 - 2 * text("...\\ge", after=NO_POLICY, N=N, d=d, H=H)  # the mean of how many guesses are c
    small = {"after": "of the locks with", "skip": 1, "N": N, "d": d, "H": H}
    least = text(r"N\ge", delta=delta, d=d, H=H, epsilon=epsilon)
    return steps([
        "one sign",
        ("loss b(1-p) on bias b, and b p on bias -b: together b", equal(b * (1 - p) + b * p, b)),
        ("b = 2 epsilon + x: one of them exceeds epsilon", by_sign(margin * biases.low + x, 2 * epsilon)),
        ("b = 1/2 is the largest bias of the locks, and above 2 epsilon for every epsilon of the range", every(
            exactly([text("b=", UPPER), biases.high], [lock(r"|b|\le")] * 2),
            exactly([text.range(r"\epsilon").low, 2 * text.range(r"\epsilon").high], [0, lock(r"|b|\le")]),
            exactly([text.range(letter).low for letter in "dH"], [lock.range(letter).low for letter in "dH"]))),
        "hits",
        ("(1-p)^N is convex: its second derivative is N(N-1)(1-p)^(N-2)",
         equal(sympy.diff((1 - p) ** k, p, 2), bend * k * (k - 1) * (1 - p) ** (k - 2))),
        ("N guesses among d^(H-1) codes", equal(hits, N / d ** (H - 1))),
        "small bias",
        ("affinity of the two coins, squared: 4(1/2 + b)(1/2 - b) = 1 - 4b^2",
         equal(4 * (sympy.Rational(1, 2) + b) * (sympy.Rational(1, 2) - b), 1 - overlap * b**2)),
        ("Cauchy-Schwarz: TV^2 <= (2 - 2B)(2 + 2B)/4 = 1 - B^2", equal((2 - 2 * B) * (2 + 2 * B) / 4, 1 - rest * B**2)),
        ("(1-x)^m >= 1 - m x: from m to m + 1", at_least((1 - m * x) * (1 - x), 1 - (m + 1) * x, m, x)),
        ("TV^2 <= 4 b^2 m", equal(1 - (1 - m * overlap * b**2), 4 * b**2 * m)),
        ("(1 - TV)/2 with the mean number of hits for m", equal(
            (1 - sympy.sqrt(overlap * b**2 * hits)) / 2, text("", b=b, **small))),
        "size",
        ("b = 2 epsilon: the bound is delta at the printed N, as delta < 1/2", every(
            equal(text("", b=biases.low, **small).subs(N, least).subs(delta, rare), rare),
            exactly(1 - 2 * text.range(r"\delta").high, 0))),
    ], "all d >= 2, H >= 2, N, 0 < epsilon < 1/4, 0 < delta < 1/2")


@cache
def enumerated(size: int, horizon: int, batch: int, deployments: int) -> Fraction:
    """The least failure of a game, by full transcripts where that is quick."""
    quick = deployments == 1 or (size, horizon) == (3, 3)
    return (game.best_failure if quick else game.best_failure_by_hits)(size, horizon, batch, deployments)


@claim("res-first-deployment-base", method="exhaustive", covers=f"all joint guesses, (d, H, N) in {FIRST}",
       gap="small games",
       false={"half of the guesses": {"share": HALF},
              "one guess in a hundred less": {"share": Fraction(99, 100)}})
def one_deployment_games(text, share=Fraction(1)):
    """Exact values of the game with one deployment, by full transcripts: The least failure over all tuples of guesses
    and all outputs is (1 - N d^-(H-1))/2."""
    def stated(size, horizon, batch):
        return text("...\\ge", after=NO_POLICY, N=share * batch, d=size, H=horizon)

    return steps([
        *((f"d = {size}, H = {horizon}, N = {batch}: {enumerated(size, horizon, batch, 1)}",
           exactly(enumerated(size, horizon, batch, 1), stated(size, horizon, batch)))
          for size, horizon, batch in FIRST),
        ("it is 0 from N = d^(H-1) on", every(exactly(
            stated(size, horizon, text(r"N\le", d=size, H=horizon) / share), 0) for size, horizon, _ in FIRST)),
    ], "exact rationals, junk states included")


@claim("res-first-deployment-base", method="exhaustive", covers="every tuple of guesses", gap="small games",
       false={"transcripts with a hit": {"hits": 1}})
def the_bit_stays_fair(hits=0):
    """Without a hit the bit stays fair, whatever junk shows: Given code, junk and a transcript without a hit, q = 0 and
    q = 1 are equally likely; `hits`: counted as well."""
    result = []
    for size, horizon, batch in ((2, 3, 2), (2, 4, 1), (3, 3, 1), (2, 3, 3)):
        codes = list(product(range(size), repeat=horizon - 1))
        for guesses in combinations_with_replacement(codes, batch):
            shown = {}
            for code, junk, q in game.worlds(size, horizon):
                if hits or code not in guesses:
                    seen = tuple(game.transcript(guess, (code, junk, q)) for guess in guesses)
                    shown.setdefault((code, junk, seen), []).append(q)
            result += [exactly(sorted(bits), [0, 1]) for bits in shown.values()]
    return steps([(f"{len(result)} transcripts", every(result))], "exact")


@claim("res-first-deployment-base", method="stress", covers="random laws of one policy",
       gap="random laws in small games", plants=3,
       false={"a hundredth more": {"bonus": Fraction(1, 100)}})
def independent_guesses(text, bonus=Fraction(0), rounds=12):
    """Independent trajectories of one policy; no law does better: (1 - d^-(H-1))^N/2 minus the failure of random
    rational laws, the uniform one included; at most 0."""
    rng, worst, uniform = np.random.default_rng(np.random.SeedSequence(41)), Fraction(-1), []
    for size, horizon, batch in INDEPENDENT:
        codes = list(product(range(size), repeat=horizon - 1))
        stated, smaller = text.sides("...\\ge", after=NO_POLICY, N=batch, d=size, H=horizon)
        uniform.append(stated == smaller if batch == 1 else stated > smaller)
        for round_ in range(rounds):
            weights = np.ones(len(codes), int) if not round_ else rng.choice([0, 1, 1, 2, 5], size=len(codes))
            weights[0] += not weights.sum()
            law = [Fraction(int(w), int(weights.sum())) for w in weights]
            failure = sum(np.prod([law[i] for i in chosen])
                          * game.failure_of_guesses(size, horizon, tuple(codes[i] for i in chosen))
                          for chosen in product(range(len(codes)), repeat=batch) if all(law[i] for i in chosen))
            worst = max(worst, stated + bonus - failure)
            uniform += [stated == failure] if not round_ else []
    return Evidence(worst if all(uniform) else Fraction(1), 0, "upper", f"{rounds} laws in {len(INDEPENDENT)} games")


@claim("res-later-deployments-base",
       false={"d values are left": {"left": 0},
              "d - 2 values are left": {"left": 2},
              "no frontier digit: K - 1 digits fewer": {"frontier": 0},
              "two frontier digits": {"frontier": 2}})
def later_deployments_in_steps(text, left=1, frontier=1):
    """Digits that are left, geometric gains, Markov: Every computation of the lower bound for two or more deployments,
    d = 3 + s."""
    size, j, y, H = text.range("d").low + s, sympy.Symbol("j", positive=True), sympy.Symbol("y"), sympy.Symbol("H")
    K, gains = 4, sympy.symbols("X1:5")
    known = gains[0] + frontier
    for gain in gains[1:-1]:
        known = known + gain + frontier
    all_known = known + gains[-1]
    levels = {r"\ell_1": j, r"\ell": x}
    at_least_levels = all_known.subs(gains[0], j).subs({gain: x for gain in gains[1:]})

    def summed(base):  # sum of base^-j for j = 1..n, y = base^-n
        return (1 - y) / (base - 1)

    first, later = (summed(base).subs(y, 0) for base in (size, size - 1))
    return steps([
        "prior",
        ("a digit given its junk index: (1/d)(1/(d-1)) for each of d - 1 values: 1/(d-1) each",
         equal((1 / size / (size - 1)) / ((size - 1) * (1 / size / (size - 1))), 1 / (size - left))),
        "together",
        ("K = 4: all digits that are known, with X_1 + ... + X_4 <= H - 1 - K there are at most H - 2",
         equal(all_known - sum(gains), H - 2 - most_matched(text, lambda most: 2 * most, K, H))),
        "simple form",
        ("N base^-(l+j) <= base^-j for base^l = N + u", at_least(x, x * N / (N + u), x, N, u)),
        ("sum of d^-j: one term more, and what is missing is positive", every(
            same_fraction(summed(size) - summed(size).subs(y, y * size), y),
            at_least(first, ((1 - m) / (size - 1)), s, m))),
        ("sum of (d-1)^-j likewise, at most 1/(d-2)", every(
            same_fraction(summed(size - 1) - summed(size - 1).subs(y, y * (size - 1)), y),
            at_least(later, ((1 - m) / (size - 2)), s, m))),
        ("l_1 + (K-1)(l + 1) + G >= H - 1 iff G >= m", equal(H - 1 - at_least_levels, text("m=", levels, H=H, K=K))),
        ("the means of G add up, and the failure is half of what Markov's inequality leaves", equal(
            (1 - (first + (K - 1) * later) / m) / 2, text("", after="that is at least", m=m, d=size, K=K))),
    ], "all d >= 3, H, N, K >= 2, every way to choose guesses")


@claim("res-later-deployments-base", method="exhaustive",
       covers="all guesses, codes and junk; (d, H, N) = (3, 4, 1), (3, 3, 2), (4, 3, 1)", gap="small games",
       false={"the digit at the frontier as well": {"frontier": 0},
              "all d values": {"values": 0}})
def digits_behind_the_frontier(frontier=1, values=1):
    """Behind the frontier the digits are uniform on d - 1 values: Given the transcripts, the junk and the digits up to
    the frontier: every continuation once."""
    result = []
    for size, horizon, batch in ((3, 4, 1), (3, 3, 2), (4, 3, 1)):
        codes = list(product(range(size), repeat=horizon - 1))
        for guesses in combinations_with_replacement(codes, batch):
            groups = {}
            for code, junk, q in game.worlds(size, horizon):
                matched = max(next((t for t, (a, c) in enumerate(zip(guess, code, strict=True)) if a != c), horizon - 1)
                              for guess in guesses)
                known = matched + frontier
                if q and known < horizon - 1:
                    seen = tuple(game.transcript(guess, (code, junk, q)) for guess in guesses)
                    groups.setdefault((seen, junk, code[:known]), []).append(code[known:])
            for (_, junk, begun), rests in groups.items():
                free = [[v for v in range(size) if v != j or not values] for j in junk[len(begun) - 1:]]
                result.append(exactly(sorted(rests), sorted(product(*free))))
    return steps([(f"{len(result)} situations", every(result))], "exact")


@claim("res-later-deployments-base", method="exhaustive", covers=f"all play, (d, H, N, K) in {LATER}",
       gap="small games", plants=3,
       false={"three times the bound": {"scale": Fraction(3)}})
def games_with_more_deployments(text, scale=Fraction(1), lock=printed("res-junk-lock"),
                                one=printed("res-first-deployment-base")):
    """Exact values of games with two and three deployments, against both bounds: The least failure is at least half of
    P(X_1 + ... + X_K <= H - 1 - K), and that at least the simple bound."""
    outcomes, simple, positive = [], [], {}
    for size, horizon, batch, number in LATER:
        outcomes.append((f"d = {size}, H = {horizon}, N = {batch}, K = {number}: "
                         f"{enumerated(size, horizon, batch, number)}", every(
                             at_most(scale * no_match(text, size, horizon, batch, number),
                                     enumerated(size, horizon, batch, number)),
                             *(at_most(text.range(letter).low, value)
                               for letter, value in zip("dHKN", (size, horizon, number, batch), strict=True)))))
    for size, horizon, batch, number in (*product((3, 4, 6), (6, 12, 30), (1, 10, 1000), (2, 3)), (3, 40, 1000, 3)):
        levels = {name: text(f"{name}=", N=batch, d=size) for name in (r"\ell_1", r"\ell")}
        left = text("m=", levels, H=horizon, K=number)
        simple += [at_most(batch, base ** int(levels[name])) for base, name in ((size, r"\ell_1"), (size - 1, r"\ell"))]
        if left >= text(r"m=...\ge"):
            positive[size, horizon] = text("", after="that is at least", m=left, d=size, K=number)
            simple += [at_most(positive[size, horizon], no_match(text, size, horizon, batch, number)),
                       *(less_than(Fraction(base) ** (int(levels[name]) - 1), batch)
                         for base, name in ((size, r"\ell_1"), (size - 1, r"\ell")))]
    outcomes += [("the simple bound is not larger, on a grid", every(simple)),
                 ("and it is positive at d = 3, H = 40, N = 1000, K = 3", less_than(0, positive[3, 40])),
                 ("the locks are those of one deployment", every(
                     exactly(text("b=", UPPER), lock(r"|b|\le")),
                     exactly(*([each.range(r"\epsilon").low, each.range(r"\epsilon").high] for each in (text, one)))))]
    return steps(outcomes, "exact rationals")


def no_match(text, size: int, horizon: int, batch: int, deployments: int) -> Fraction:
    """Half of P(X_1 + ... + X_K <= H - 1 - K), as it is printed; the laws of the X_k are those of the text."""
    def masses(key):
        first = int(text("a="))
        tail = [text(f"P({key}\\ge a)=", N=batch, d=size, a=a) for a in range(first, first + horizon + 1)]
        return [here - after for here, after in zip(tail, tail[1:], strict=False)]

    law, others = masses("X_1"), masses("X_k")
    for _ in range(int(text(r"k\ge")), deployments + 1):
        law = [sum(law[i] * others[a - i] for i in range(a + 1)) for a in range(horizon)]
    return most_matched(text, lambda most: sum(law[:max(0, int(most) + 1)], Fraction(0)), deployments, horizon)


def most_matched(text, chance, deployments, horizon):
    """Half of the chance that the sum is at most what is printed."""
    return text("", {r"X_1+\dots+X_K\le": 1, "P": chance}, after="policy on one of the junk locks with", skip=1,
                H=horizon, K=deployments)


@claim("res-small-bias-deployments",
       false={"D^a in place of D^a - D^(a-1)": {"less": 0},
              "a geometric series with the quotient 4 bounded by 5/4": {"series": Fraction(5, 4)},
              "a divergence of 2 z^2": {"divergence": 2}})
def small_bias_in_steps(text, less=1, series=2, divergence=Fraction(11, 5), lock=printed("res-junk-lock")):
    """The growth of the known digits, the hits, the size: Every computation, with D = 2 + s and N, H free."""
    D, H = 2 + s, sympy.Symbol("H", positive=True)
    power, cap = sympy.symbols("y a", positive=True)  # y = D^l <= N, a = D^a
    least = text(r"N^K\ge", d=d, H=H, K=4, epsilon=epsilon, delta=delta)
    coin = sympy.Symbol("z", nonnegative=True)
    return steps([
        "growth",
        ("1 + the sum of D^a - D^(a-1) up to l is D^l: from l - 1 to l", equal(
            power / D + (power - less * power / D), power)),
        ("a term beyond: (D^a - D^(a-1)) N/D^a <= N", at_least(N, (cap - cap / D) * N / cap, N, cap, s)),
        ("N + n N = N H", equal(N + (H - 1) * N, N * H)),
        "hits",
        ("x^(K-1) + ... + 1 <= 2 x^(K-1) for x = 4 + s: from K - 1 to K", at_least(
            series * power * (4 + s), power * (4 + s) + series * power, power, s)),
        ("D N H >= 4 for D, H >= 2", at_least((2 + s) * (1 + x) * 2, 4, s, x)),
        "size",
        ("2 log 3 < 2.2, so z log((1+z)/(1-z)) <= 2.2 z^2 at z = 1/2", below(
            2 * sympy.log(3), sympy.sympify(divergence))),
        ("log((1+z)/(1-z))/z increases: 2 z/(1-z^2) >= log((1+z)/(1-z)), z = q/(2+q), where that is log(1+q)",
         nonnegative_from((coin * (2 + coin)) / (2 * (1 + coin)) - sympy.log(1 + coin), coin, 0)),
        ("4 epsilon <= 1/2, and 2 epsilon is a bias of the locks", every(
            exactly(4 * text.range(r"\epsilon").high, HALF),
            at_most(2 * text.range(r"\epsilon").high, lock(r"|b|\le")))),
        ("2.2 16 = 35.2, and K = 4: 2 35.2 epsilon^2 N^4 (D H)^3 D^(1-H) = log(1/(4 delta)) at the printed N^4", equal(
            sympy.simplify(2 * divergence * 16 * epsilon**2 * least * ((d - 1) * H) ** 3 * (d - 1) ** (1 - H)),
            sympy.log(1 / (4 * delta)))),
        ("the ranges", exactly([*(text.range(letter).low for letter in "dHKN"), text.range(r"\delta").high],
                               [3, 2, 1, 1, Fraction(1, 4)])),
    ], "all d >= 3, H >= 2, K, N, epsilon < 1/8, delta < 1/4")


HITS = ((3, 2, 1, 2), (3, 2, 2, 2), (3, 3, 1, 2), (3, 3, 2, 2), (3, 3, 1, 3), (4, 3, 1, 2))


@claim("res-small-bias-deployments", method="exhaustive", covers=f"all guesses, (d, H, N, K) in {HITS}",
       gap="small games", false={"an eighth of the bound": {"share": Fraction(1, 8)}})
def hits_in_small_games(share=1):
    """The largest mean number of hits: The best guesses after every transcript, against 2 N D^-n (D N H)^(K-1)."""
    return steps([(f"d = {size}, H = {horizon}, N = {batch}, K = {number}", at_most(
        game.most_hits(size, horizon, batch, number),
        share * Fraction(2 * batch * ((size - 1) * batch * horizon) ** (number - 1), (size - 1) ** (horizon - 1))))
        for size, horizon, batch, number in HITS], "exact; no guess knows a coin")
