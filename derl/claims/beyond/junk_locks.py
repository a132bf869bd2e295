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

from derl.claims import Evidence, check, control, steps
from derl.mdp import exact, instances
from derl.theory.beyond import junk_game as game
from derl.theory.exact.compared import at_most, every, exactly, less_than
from derl.theory.exact.symbolic import at_least, by_sign, equal, same_fraction

HALF = Fraction(1, 2)
LOCKS = ((2, 3, (0, 1), (0,)), (2, 4, (1, 0, 1), (1, 0)), (3, 3, (2, 0), (1,)), (3, 3, (0, 2), (0,)))
FIRST = ((2, 2, 1), (2, 3, 1), (2, 3, 2), (2, 3, 3), (2, 4, 1), (2, 4, 2), (2, 4, 3), (3, 2, 2), (3, 3, 1), (3, 3, 2),
         (4, 3, 1))
LATER = ((3, 3, 1, 2), (3, 3, 2, 2), (3, 4, 1, 2), (3, 4, 2, 2), (3, 4, 1, 3), (4, 3, 1, 2), (4, 3, 2, 2), (4, 4, 1, 2),
         (3, 5, 1, 2))
INDEPENDENT = ((2, 3, 1), (2, 3, 2), (3, 2, 2), (2, 3, 3))
b, d, delta, epsilon, N, p, x, m = sympy.symbols("b d delta epsilon N p x m", positive=True)
s, u = sympy.symbols("s u", nonnegative=True)


@check("res-junk-lock", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="One layer of the value, the sizes in Assumption 1, the rank")
def junk_lock_in_steps(junk=HALF, half=HALF, long=1, missing=0) -> Evidence:
    """The recursion of values, norms, and products of features with the measure of g in d locks."""
    q, P, r = sympy.symbols("q P r", positive=True)
    half, junk = sympy.sympify(half), sympy.sympify(junk)
    features = [sympy.eye(size)[:, : size - missing] for size in range(2, 7)]
    return steps([
        "values",
        ("V(g) = 1/2 + b P in the next layer, junk worth 1/2, the digit with probability q: V(g) = 1/2 + b q P",
         equal(q * (half + b * P) + (1 - q) * junk, half + b * q * P)),
        ("the last digit: q (1/2 + b) + (1 - q)/2 = 1/2 + b q",
         equal(q * ((half + b) * 1 + (half - b) * 0) + (1 - q) * junk, sympy.Rational(1, 2) + b * q)),
        "norms",
        ("|(e_1 + e_2)/2|^2 = 1/2 <= 1, and it pays 1/2", every(
            exactly((sympy.Matrix([long, long]) / 2).norm() ** 2, sympy.Rational(1, 2)),
            exactly((sympy.Matrix([long, long]) / 2)[0], sympy.Rational(1, 2)))),
        ("d coordinates of size r <= 1: at most d", at_least(d, d * r**2 / (1 + r) ** 2, d, r)),
        "dimension",
        ("features times the measure of g in the lock with digit a: the unit matrix, of rank d, d = 2, ..., 6",
         every(exactly(matrix.rank(), size) for size, matrix in enumerate(features, 2))),
    ], "all d >= 2, H >= 2, |b| <= 1/2; the rank for d <= 6")


control(junk_lock_in_steps, "junk that is worth 0", {"junk": 0})
control(junk_lock_in_steps, "junk that is worth 1", {"junk": 1})
control(junk_lock_in_steps, "reward 1/4 in place of 1/2, the junk still worth 1/2", {"half": Fraction(1, 4)})
control(junk_lock_in_steps, "the feature e_1 + e_2", {"long": 2})
control(junk_lock_in_steps, "d - 1 features", {"missing": 1})


@check("res-junk-lock", method="exhaustive", arithmetic="exact", covers="four locks, all deterministic policies",
       gap="small locks", title="Values of all deterministic policies, the rank of the features, transcripts")
def values_of_junk_locks(scale=1, rank=0, shown=0) -> Evidence:
    """1/2 + b p for b = 1/2, -1/2, 1/8; a built instance satisfies Assumption 1. `shown`: junk is off by it."""
    found = []
    for size, horizon, digits, junk in LOCKS:
        for bias in (HALF, -HALF, Fraction(1, 8)):
            lock = instances.junk_lock(size, horizon, digits, bias, junk=junk, exact=True)
            for actions in product(range(size), repeat=horizon - 1):
                policy = np.zeros((horizon, lock.n_states), int)
                policy[:-1, 0] = actions
                found.append(exactly(exact.evaluate(lock, policy).value, HALF + scale * bias * (actions == digits)))
                if abs(bias) == HALF:
                    world = (digits, tuple((j + shown) % size for j in junk), int(bias > 0))
                    found.append(exactly(followed(lock, policy), list(game.transcript(actions, world))))
        span = sympy.Matrix(lock.phi[0].reshape(-1, lock.dim))
        found += [exactly(lock.dim, size), exactly(span.rank(), size + rank)]
    return steps([(f"{len(found)} values, transcripts and ranks", every(found))], "exact rationals")


control(values_of_junk_locks, "twice the bias", {"scale": 2})
control(values_of_junk_locks, "dimension d - 1", {"rank": -1})
control(values_of_junk_locks, "junk that shows another index", {"shown": 1})


def followed(lock, policy) -> list[str]:
    """The states of a deterministic policy on a lock without chance."""
    state, names = 0, ["g"]
    for layer in range(lock.horizon - 1):
        row = lock.transitions()[layer, state, policy[layer, state]]
        state = next(s for s, chance in enumerate(row) if chance)
        names.append(lock.state_names[state])
    return names


@check("res-first-deployment-base", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Two biases, independent guesses, the distance of two laws, the size")
def first_deployment_in_steps(margin=2, overlap=4, rest=1, bend=1, size=16) -> Evidence:
    """Every computation of the lower bound for one deployment."""
    B = sympy.Symbol("B", positive=True)
    k = 2 + s  # N >= 2
    return steps([
        "one sign",
        ("loss b(1-p) on bias b, and b p on bias -b: together b", equal(b * (1 - p) + b * p, b)),
        ("b = 2 epsilon + x: one of them exceeds epsilon", by_sign(margin * epsilon + x, 2 * epsilon)),
        "hits",
        ("(1-p)^N is convex: its second derivative is N(N-1)(1-p)^(N-2)",
         equal(sympy.diff((1 - p) ** k, p, 2), bend * k * (k - 1) * (1 - p) ** (k - 2))),
        "small bias",
        ("affinity of the two coins, squared: 4(1/2 + b)(1/2 - b) = 1 - 4b^2",
         equal(4 * (sympy.Rational(1, 2) + b) * (sympy.Rational(1, 2) - b), 1 - overlap * b**2)),
        ("Cauchy-Schwarz: TV^2 <= (2 - 2B)(2 + 2B)/4 = 1 - B^2", equal((2 - 2 * B) * (2 + 2 * B) / 4, 1 - rest * B**2)),
        ("(1-x)^m >= 1 - m x: from m to m + 1", at_least((1 - m * x) * (1 - x), 1 - (m + 1) * x, m, x)),
        ("TV^2 <= 4 b^2 m", equal(1 - (1 - m * overlap * b**2), 4 * b**2 * m)),
        "size",
        ("(1 - 2b sqrt(x))/2 <= delta: x = (1-2 delta)^2/(4 b^2) is where they meet",
         equal((1 - 2 * b * sympy.sqrt((1 - 2 * delta) ** 2 / (4 * b**2)))
               .subs(delta, sympy.Rational(1, 2) / (1 + x)) / 2, sympy.Rational(1, 2) / (1 + x))),
        ("b = 2 epsilon: (1-2 delta)^2/(16 epsilon^2)",
         equal(((1 - 2 * delta) ** 2 / (4 * b**2)).subs(b, 2 * epsilon), (1 - 2 * delta) ** 2 / (size * epsilon**2))),
    ], "all d >= 2, H >= 2, N, 0 < epsilon < 1/4, 0 < delta < 1/2")


control(first_deployment_in_steps, "b > epsilon", {"margin": 1}, witness="b = 3/2 epsilon: p = 1/2 serves both")
control(first_deployment_in_steps, "b > 19/10 epsilon", {"margin": sympy.Rational(19, 10)})
control(first_deployment_in_steps, "squared affinity 1 - 2 b^2", {"overlap": 2})
control(first_deployment_in_steps, "TV^2 = 1 - B^2/2", {"rest": HALF})
control(first_deployment_in_steps, "twice the second derivative", {"bend": 2})
control(first_deployment_in_steps, "8 epsilon^2 in place of 16 epsilon^2", {"size": 8})
control(first_deployment_in_steps, "15 epsilon^2 in place of 16 epsilon^2", {"size": 15})


@cache
def enumerated(size: int, horizon: int, batch: int, deployments: int) -> Fraction:
    """The least failure of a game, by full transcripts where that is quick."""
    quick = deployments == 1 or (size, horizon) == (3, 3)
    return (game.best_failure if quick else game.best_failure_by_hits)(size, horizon, batch, deployments)


@check("res-first-deployment-base", method="exhaustive", arithmetic="exact",
       covers=f"all joint guesses, (d, H, N) in {FIRST}", gap="small games",
       title="Exact values of the game with one deployment, by full transcripts")
def one_deployment_games(base=0, digits=0, share=Fraction(1)) -> Evidence:
    """The least failure over all tuples of guesses and all outputs is (1 - N d^-(H-1))/2."""
    return steps([(f"d = {size}, H = {horizon}, N = {batch}: {enumerated(size, horizon, batch, 1)}",
                   exactly(enumerated(size, horizon, batch, 1),
                           (1 - share * Fraction(batch, (size + base) ** (horizon - 1 + digits))) / 2))
                  for size, horizon, batch in FIRST], "exact rationals, junk states included")


control(one_deployment_games, "base d - 1", {"base": -1})
control(one_deployment_games, "base d + 1", {"base": 1})
control(one_deployment_games, "H digits", {"digits": 1})
control(one_deployment_games, "H - 2 digits", {"digits": -1})
control(one_deployment_games, "half of the guesses", {"share": HALF})
control(one_deployment_games, "one guess in a hundred less", {"share": Fraction(99, 100)})


@check("res-first-deployment-base", method="exhaustive", arithmetic="exact", covers="every tuple of guesses",
       gap="small games", title="Without a hit the bit stays fair, whatever junk shows")
def the_bit_stays_fair(hits=0) -> Evidence:
    """Given code, junk and a transcript without a hit, q = 0 and q = 1 are equally likely; `hits`: counted as well."""
    found = []
    for size, horizon, batch in ((2, 3, 2), (2, 4, 1), (3, 3, 1), (2, 3, 3)):
        codes = list(product(range(size), repeat=horizon - 1))
        for guesses in combinations_with_replacement(codes, batch):
            shown = {}
            for code, junk, q in game.worlds(size, horizon):
                if hits or code not in guesses:
                    seen = tuple(game.transcript(guess, (code, junk, q)) for guess in guesses)
                    shown.setdefault((code, junk, seen), []).append(q)
            found += [exactly(sorted(bits), [0, 1]) for bits in shown.values()]
    return steps([(f"{len(found)} transcripts", every(found))], "exact")


control(the_bit_stays_fair, "transcripts with a hit", {"hits": 1})


@check("res-first-deployment-base", method="stress", arithmetic="exact", covers="random laws of one policy",
       gap="random laws in small games", title="Independent trajectories of one policy: no law does better")
def independent_guesses(bonus=Fraction(0), rounds=12) -> Evidence:
    """(1 - d^-(H-1))^N/2 minus the failure of random rational laws, the uniform one included; at most 0."""
    rng, worst, uniform = np.random.default_rng(np.random.SeedSequence(41)), Fraction(-1), []
    for size, horizon, batch in INDEPENDENT:
        codes = list(product(range(size), repeat=horizon - 1))
        for round_ in range(rounds):
            weights = np.ones(len(codes), int) if not round_ else rng.choice([0, 1, 1, 2, 5], size=len(codes))
            weights[0] += not weights.sum()
            law = [Fraction(int(w), int(weights.sum())) for w in weights]
            failure = sum(np.prod([law[i] for i in chosen])
                          * game.failure_of_guesses(size, horizon, tuple(codes[i] for i in chosen))
                          for chosen in product(range(len(codes)), repeat=batch) if all(law[i] for i in chosen))
            claimed = game.one_deployment(size, horizon, batch, independent=True) + bonus
            worst = max(worst, claimed - failure)
            uniform += [claimed - bonus == failure] if not round_ else []
    return Evidence(worst if all(uniform) else Fraction(1), 0, "upper", f"{rounds} laws in {len(INDEPENDENT)} games")


control(independent_guesses, "a hundredth more", {"bonus": Fraction(1, 100)})


@check("res-later-deployments-base", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Digits that are left, geometric gains, Markov")
def later_deployments_in_steps(left=1, frontier=1, first=1, later=2, half=2) -> Evidence:
    """Every computation of the lower bound for two or more deployments, d = 3 + s."""
    size, j, K, y = 3 + s, sympy.Symbol("j", positive=True), sympy.Symbol("K", positive=True), sympy.Symbol("y")
    total, gains = sympy.Symbol("F", positive=True), sympy.symbols("X1:5")
    known = gains[0] + frontier
    for gain in gains[1:-1]:
        known = known + gain + frontier

    def summed(base):  # sum of base^-j for j = 1..n, y = base^-n
        return (1 - y) / (base - 1)

    return steps([
        "prior",
        ("a digit given its junk index: (1/d)(1/(d-1)) for each of d - 1 values: 1/(d-1) each",
         equal((1 / size / (size - 1)) / ((size - 1) * (1 / size / (size - 1))), 1 / (size - left))),
        "together",
        ("K = 4: the known digits before the last deployment, and what it gains: X_1 + ... + X_4 + K - 1",
         equal(known + gains[-1], sum(gains) + 4 - 1)),
        "simple form",
        ("N base^-(l+j) <= base^-j for base^l = N + u", at_least(x, x * N / (N + u), x, N, u)),
        ("sum of d^-j: one term more, and what is missing is positive", every(
            same_fraction(summed(size) - summed(size).subs(y, y * size), y),
            at_least(1 / (size - first), ((1 - m) / (size - 1)), s, m))),
        ("sum of (d-1)^-j likewise, at most 1/(d-2)", every(
            same_fraction(summed(size - 1) - summed(size - 1).subs(y, y * (size - 1)), y),
            at_least(1 / (size - later), ((1 - m) / (size - 2)), s, m))),
        ("l_1 + (K-1)(l + 1) + G >= H - 1 iff G >= m", equal(total - j - (K - 1) * (x + 1),
                                                            total - (j + (K - 1) * x + (K - 1)))),
        ("failure: half of what is left", equal((1 - p) / half, sympy.Rational(1, 2) - p / 2)),
    ], "all d >= 3, H, N, K >= 2, every way to choose guesses")


control(later_deployments_in_steps, "d values are left", {"left": 0})
control(later_deployments_in_steps, "d - 2 values are left", {"left": 2})
control(later_deployments_in_steps, "no frontier digit: K - 1 digits fewer", {"frontier": 0})
control(later_deployments_in_steps, "two frontier digits", {"frontier": 2})
control(later_deployments_in_steps, "a mean of 1/d for the first deployment", {"first": 0})
control(later_deployments_in_steps, "a mean of 1/(d-1) for the later ones", {"later": 1})
control(later_deployments_in_steps, "a quarter", {"half": 4})


@check("res-later-deployments-base", method="exhaustive", arithmetic="exact",
       covers="all guesses, codes and junk; (d, H, N) = (3, 4, 1), (3, 3, 2), (4, 3, 1)", gap="small games",
       title="Behind the frontier the digits are uniform on d - 1 values")
def digits_behind_the_frontier(frontier=1, values=1) -> Evidence:
    """Given the transcripts, the junk and the digits up to the frontier: every continuation once."""
    found = []
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
                found.append(exactly(sorted(rests), sorted(product(*free))))
    return steps([(f"{len(found)} situations", every(found))], "exact")


control(digits_behind_the_frontier, "the digit at the frontier as well", {"frontier": 0})
control(digits_behind_the_frontier, "all d values", {"values": 0})


@check("res-later-deployments-base", method="exhaustive", arithmetic="exact",
       covers=f"all play, (d, H, N, K) in {LATER}", gap="small games",
       title="Exact values of games with two and three deployments, against both bounds")
def games_with_more_deployments(base=0, gained=0, scale=Fraction(1)) -> Evidence:
    """The least failure is at least half of P(X_1 + ... + X_K <= H - 1 - K), and that at least the simple bound."""
    outcomes = []
    for size, horizon, batch, number in LATER:
        bound = game.later_deployments(size + base, horizon + gained, batch, number)
        outcomes.append((f"d = {size}, H = {horizon}, N = {batch}, K = {number}: "
                         f"{enumerated(size, horizon, batch, number)}",
                         at_most(scale * bound, enumerated(size, horizon, batch, number))))
    outcomes.append(("the simple bound is not larger, on a grid", every(
        at_most(game.later_deployments_simple(size, horizon, batch, number),
                game.later_deployments(size, horizon, batch, number))
        for size, horizon, batch, number in product((3, 4, 6), (6, 12, 30), (1, 10, 1000), (2, 3)))))
    outcomes.append(("and it is positive at d = 3, H = 40, N = 1000, K = 3", less_than(
        0, game.later_deployments_simple(3, 40, 1000, 3))))
    return steps(outcomes, "exact rationals")


control(games_with_more_deployments, "base d for the later deployments, d + 1 for the first", {"base": 1})
control(games_with_more_deployments, "one digit more", {"gained": 1})
control(games_with_more_deployments, "three times the bound", {"scale": Fraction(3)})
