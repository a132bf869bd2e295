r"""The guessing game of the junk lock: exact values of small games, and the lower bounds on failure.

Nature draws a code of n = H - 1 digits, a junk index j_t != c_t for the layers t = 2..n, and a bit q, all uniformly;
`derl.mdp.instances.junk_lock` with bias 1/2 (q = 1) or -1/2 (q = 0) is the instance. In a deployment the player fixes
N guesses, codes that the trajectories follow at the gate. A trajectory that leaves the code at digit t sees the junk
indices of the layers t+1, ..., n; one that plays the whole code sees q. The game gives the player more than an
algorithm has: the N guesses of a deployment may be chosen jointly. For epsilon < 1/4 an output is right for (code, 1)
for at most one code, and for (code, 0) for all others at most.

    K = 1:   the least failure is (1 - min(1, N/d^n))/2, and (1 - d^-n)^N/2 for independent trajectories
    K >= 2:  at least P(X_1 + ... + X_K <= n - K)/2,  P(X_1 >= a) = min(1, N d^-a),  P(X_k >= a) = min(1, N (d-1)^-a)

Source: `res-first-deployment-base`, `res-later-deployments-base`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

from derl.inputs import Invalid, whole

World = tuple[tuple[int, ...], tuple[int, ...], int]  # code, junk, q
Tail = list[Fraction]  # P(X >= a) for a = 0, 1, ..., the last one 0 or beyond every use


class InvalidGame(Invalid):
    """A parameter of the guessing game is outside its range."""


def worlds(d: int, horizon: int) -> list[World]:
    """Every code, junk and q; all are equally likely."""
    n = horizon - 1
    return [(code, junk, q) for code in product(range(d), repeat=n) for junk in product(range(d), repeat=n - 1)
            if all(j != c for j, c in zip(junk, code[1:], strict=True)) for q in (0, 1)]


def transcript(guess: tuple[int, ...], world: World) -> tuple[str, ...]:
    """The states of the layers 1..H of a trajectory that follows a guess."""
    code, junk, q = world
    left = next((t for t, (x, c) in enumerate(zip(guess, code, strict=True)) if x != c), None)
    if left is None:
        return ("g",) * len(code) + (f"z{q}",)
    return ("g",) * (left + 1) + tuple(f"b{j}" for j in junk[left:]) + ("zh",)


def most_hits(d: int, horizon: int, batch_size: int, deployments: int) -> Fraction:
    """The largest mean number of trajectories that play the whole code, over all choices of guesses, by enumeration.

    Parameters as of `best_failure`.

    Source: `res-small-bias-deployments`.
    """
    every, codes = worlds(d, horizon), list(product(range(d), repeat=horizon - 1))
    seen = {(guess, world): transcript(guess, world) for guess in codes for world in every}

    def play(left: list[World], rounds: int) -> int:
        counts = [sum(code == guess for code, _, _ in left) for guess in codes]
        if rounds == 1 or max(counts) == len(left):  # all guesses on the likeliest code
            return rounds * batch_size * max(counts)
        best = 0
        for guesses in combinations_with_replacement(range(len(codes)), batch_size):
            parts: dict[tuple, list[World]] = {}
            for world in left:
                parts.setdefault(tuple(seen[codes[at], world] for at in guesses), []).append(world)
            best = max(best, sum(counts[at] for at in guesses) + sum(play(part, rounds - 1) for part in parts.values()))
        return best

    return Fraction(play(every, deployments), len(every))


def best_failure(d: int, horizon: int, batch_size: int, deployments: int) -> Fraction:
    """Least failure over all choices of guesses and outputs, by enumeration of full transcripts.

    Parameters
    ----------
    d : int, >= 2
    horizon : int, >= 2
    batch_size, deployments : int, >= 1
        N and K. The work grows like d^(H N K), so only small games are possible.

    Raises
    ------
    InvalidGame
    """
    d, horizon = whole(d, "d", 2, error=InvalidGame), whole(horizon, "horizon", 2, error=InvalidGame)
    batch_size = whole(batch_size, "batch_size", 1, error=InvalidGame)
    deployments = whole(deployments, "deployments", 1, error=InvalidGame)
    every = worlds(d, horizon)
    codes = list(product(range(d), repeat=horizon - 1))
    seen = {(guess, world): transcript(guess, world) for guess in codes for world in every}

    def play(left: list[World], rounds: int) -> int:
        if rounds == 0:
            return served(left, codes)
        if len({code for code, _, _ in left}) == 1 and len({q for _, _, q in left}) == 1:
            return len(left)
        best = 0
        for guesses in combinations_with_replacement(codes, batch_size):
            parts: dict[tuple, list[World]] = {}
            for world in left:
                parts.setdefault(tuple(seen[guess, world] for guess in guesses), []).append(world)
            best = max(best, sum(play(part, rounds - 1) for part in parts.values()))
        return best

    return 1 - Fraction(play(every, deployments), len(every))


def failure_of_guesses(d: int, horizon: int, guesses: tuple[tuple[int, ...], ...]) -> Fraction:
    """Failure of the best output after one deployment with these guesses, by full transcripts."""
    every, parts = worlds(d, horizon), {}
    for world in every:
        parts.setdefault(tuple(transcript(guess, world) for guess in guesses), []).append(world)
    codes = list(product(range(d), repeat=horizon - 1))
    return 1 - Fraction(sum(served(part, codes) for part in parts.values()), len(every))


def served(left: list[World], codes: list[tuple[int, ...]]) -> int:
    """How many worlds the best output is right for: (x, 1) for one code x at most, (c, 0) for the others at most."""
    by_code = dict.fromkeys(codes, 0)
    for code, _, q in left:
        by_code[code] += 1 if q else -1
    return sum(q == 0 for _, _, q in left) + max(0, *by_code.values())


def best_failure_by_hits(d: int, horizon: int, batch_size: int, deployments: int) -> Fraction:
    """As `best_failure`, where only playing the whole code is of use: (1 - P(hit))/2; reaches larger games."""
    every = [(code, junk) for code, junk, q in worlds(d, horizon) if q]
    codes = list(product(range(d), repeat=horizon - 1))
    seen = {(guess, world): transcript(guess, (*world, 1)) for guess in codes for world in every}
    hit = ("g",) * (horizon - 1) + ("z1",)

    def play(left, rounds):
        if rounds == 1:
            counts = sorted((sum(code == guess for code, _ in left) for guess in codes), reverse=True)
            return sum(counts[:batch_size])
        best = 0
        for guesses in combinations_with_replacement(codes, batch_size):
            parts, hits = {}, 0
            for world in left:
                shown = tuple(seen[guess, world] for guess in guesses)
                if hit in shown:
                    hits += 1
                else:
                    parts.setdefault(shown, []).append(world)
            best = max(best, hits + sum(play(part, rounds - 1) for part in parts.values()))
        return best

    return (1 - Fraction(play(every, deployments), len(every))) / 2


def one_deployment(d: int, horizon: int, batch_size: int, independent: bool = False) -> Fraction:
    """The exact value of the game with K = 1: the least failure, with joint guesses or with independent ones."""
    share = Fraction(1, d ** (horizon - 1))
    return (1 - share) ** batch_size / 2 if independent else (1 - min(Fraction(1), batch_size * share)) / 2


def advance(base: int, batch_size: int, most: int) -> Tail:
    """P(X >= a) = min(1, N base^-a) for a = 0..most."""
    return [min(Fraction(1), Fraction(batch_size, base**a)) for a in range(most + 1)]


def later_deployments(d: int, horizon: int, batch_size: int, deployments: int) -> Fraction:
    """Lower bound on the failure with K >= 1 deployments: half of P(X_1 + ... + X_K <= H - 1 - K); d >= 3."""
    most = horizon - 1 - deployments
    if most < 0:
        return Fraction(0)
    law = _masses(advance(d, batch_size, most + 1))
    for _ in range(deployments - 1):
        other = _masses(advance(d - 1, batch_size, most + 1))
        law = [sum(law[i] * other[a - i] for i in range(a + 1)) for a in range(most + 1)]
    return sum(law[:most + 1], Fraction(0)) / 2


def later_deployments_simple(d: int, horizon: int, batch_size: int, deployments: int) -> Fraction:
    """(1 - (1/(d-1) + (K-1)/(d-2))/m)/2, m = H - 1 - l_1 - (K-1)(l+1) >= 1; 0 where m < 1 or the number is negative."""
    first, later = ceil_log(batch_size, d), ceil_log(batch_size, d - 1)
    m = horizon - 1 - first - (deployments - 1) * (later + 1)
    if m < 1:
        return Fraction(0)
    return max(Fraction(0), (1 - (Fraction(1, d - 1) + Fraction(deployments - 1, d - 2)) / m) / 2)


def ceil_log(number: int, base: int) -> int:
    """The least l >= 0 with base^l >= number."""
    power, value = 0, 1
    while value < number:
        power, value = power + 1, value * base
    return power


def _masses(tail: Tail) -> list[Fraction]:
    """P(X = a) for a below the last entry of the tail."""
    return [here - after for here, after in zip(tail, tail[1:], strict=False)]
