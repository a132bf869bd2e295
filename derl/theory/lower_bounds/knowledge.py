"""What an algorithm can do with what it sees, on arrays, in exact arithmetic.

A class of instances is given, each equally likely. Before it deploys anything an algorithm may see nothing of its
instance ("trajectories"), its action sets ("actions") or its features ("features"). Instances that look alike get the
same first policy and, without a deployment, the same output. With trajectories alone the algorithm has a posterior
over the class, and every policy after every history is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

import numpy as np

from derl.mdp import exact
from derl.theory.lower_bounds.search_game import batches, matched, sequences

SIGHTS = ("trajectories", "actions", "features")


def paths(d: int, layers: int) -> list[tuple[int, ...]]:
    """Every sequence of actions, one for each of the first layers."""
    return list(product(range(d), repeat=layers))


def follow(mdp, actions: Sequence[int]) -> np.ndarray:
    """The policy (H, S) that takes actions[h] in layer h, and the first available action where there is no such."""
    policy = mdp.available.argmax(axis=2)
    for h, action in enumerate(actions):
        policy[h] = np.where(mdp.available[h, :, action], action, policy[h])
    return policy


def presence(mdp, policy: np.ndarray, layer: int) -> dict[int, Fraction]:
    """Probability of each state that can be reached in `layer` (counted from 0), exactly."""
    transitions = mdp.transitions()
    here = {s: Fraction(p) for s, p in enumerate(mdp.initial) if p}
    for h in range(layer):
        following: dict[int, Fraction] = {}
        for s, p in here.items():
            for t, q in enumerate(transitions[h, s, policy[h, s]]):
                if q:
                    following[t] = following.get(t, Fraction(0)) + p * q
        here = following
    return here


def visible(mdp, sees: str):
    """What an algorithm is given of an instance before the first deployment; equal for instances that look alike."""
    if sees not in SIGHTS:
        raise ValueError(f"sees is {sees!r}; allowed are {', '.join(SIGHTS)}")
    return {"trajectories": None, "actions": mdp.available.tobytes(), "features": tuple(mdp.phi.ravel())}[sees]


def best_average(mdps: Sequence, choices: Iterable, sees: str, gain: Callable) -> Fraction:
    """Largest average over the instances of gain(mdp, choice), one choice for all instances that look alike."""
    groups: dict = {}
    for mdp in mdps:
        groups.setdefault(visible(mdp, sees), []).append(mdp)
    choices = list(choices)
    total = sum(max(sum(gain(mdp, choice) for mdp in group) for choice in choices) for group in groups.values())
    return Fraction(total) / len(mdps)


def optimal_output(mdp, actions: Sequence[int]) -> int:
    """1 if following the actions is optimal."""
    return int(exact.evaluate(mdp, follow(mdp, actions)).value == _optimum(mdp))


@lru_cache(256)
def _optimum(mdp) -> Fraction:
    """Once per instance; its arrays cannot be written."""
    return exact.optimal(mdp).value


def trajectories(mdp, policy: np.ndarray) -> dict[tuple[int, ...], Fraction]:
    """The law of the visited states (layers 0 to H - 1, and the state after them) of one trajectory."""
    transitions = mdp.transitions()
    law = {(s,): Fraction(p) for s, p in enumerate(mdp.initial) if p}
    for h in range(mdp.horizon):
        law = {(*path, t): p * q for path, p in law.items()
               for t, q in enumerate(transitions[h, path[-1], policy[h, path[-1]]]) if q}
    return law


def bayes_success(mdps: Sequence, choices: Sequence, K: int) -> Fraction:
    """Best average probability of an optimal output after K deployments of one trajectory each.

    Parameters
    ----------
    mdps : sequence of ExactMDP
        Equally likely; the algorithm sees trajectories only.
    choices : sequence of action sequences
        What it may deploy and put out; a randomised algorithm is a mixture of these.
    """
    laws = [[trajectories(mdp, follow(mdp, actions)) for mdp in mdps] for actions in choices]
    good = [[optimal_output(mdp, actions) for mdp in mdps] for actions in choices]

    @cache
    def value(weights: tuple[Fraction, ...], left: int) -> Fraction:
        if left == 0:
            return max(sum(w * right for w, right in zip(weights, row, strict=True)) for row in good)
        best = Fraction(0)
        for law in laws:
            seen = {path for w, each in zip(weights, law, strict=True) if w for path in each}
            best = max(best, sum(value(tuple(w * each.get(path, 0) for w, each in zip(weights, law, strict=True)),
                                       left - 1) for path in seen))
        return best

    return value((Fraction(1, len(mdps)),) * len(mdps), K)


def guess_excess(d: int, n: int, N: int, K: int, missed: int) -> Fraction:
    """Largest P(the last digit is named, F) - P(F)/d over all algorithms, F: fewer than `missed` digits were matched.

    0 where a history in F says nothing about the last of the n digits.
    """
    codes = sequences(d, n)
    table = {path: [matched(path, code) for code in codes] for path in codes}
    trials = [[table[path] for path in batch] for batch in batches(d, n, N)]

    @cache
    def value(known: tuple[int, ...], left: int) -> Fraction:
        if left == 0:
            return max(Counter(codes[code][-1] for code in known).values()) - Fraction(len(known), d)
        best = None
        for trial in trials:
            cells: dict = {}
            for code in known:
                cells.setdefault(tuple(row[code] for row in trial), []).append(code)
            found = sum((value(tuple(cell), left - 1) for seen, cell in cells.items() if max(seen) < missed),
                        Fraction(0))
            best = found if best is None else max(best, found)
        return best

    return value(tuple(range(len(codes))), K) / len(codes)
