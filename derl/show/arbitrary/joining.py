"""The film of a mixture to which policies are added: how Algorithm 2 covers the second wheel of the lock."""

from __future__ import annotations

from functools import cache

import numpy as np

from derl import algorithms
from derl.deployment import Deployer
from derl.mdp import instances
from derl.show.drawing import film, wheels

CODE, BIAS, SIZE_OF_BATCH, ACCURACY, CONFIDENCE = (1, 2, 0), 0.2, 10**15, 0.1, 0.1
LAYER = 2  # the wheel whose cover is shown
NAMES = ("digit 0", "digit 1", "digit 2", "state 1", "state 2")  # directions of the features of the lock
SHOWN = 6  # policies that are shown one by one
FRAME = (330, 250)


@cache
def cover():
    """What Algorithm 2 finds for the second layer of the lock, as the library records it."""
    mdp = instances.lock(3, 3, CODE, BIAS)
    deployer = Deployer(mdp, SIZE_OF_BATCH, mdp.horizon, policy_class="any", seed=0)
    run = algorithms.arbitrary_policy_exploration(deployer, ACCURACY, CONFIDENCE, version="self-certifying",
                                                  initial=mdp.initial)
    return run.trace[LAYER - 1].cover


def shares(members: int) -> np.ndarray:
    """Expected share of each direction in the mixture of the first policies, shape (5,)."""
    found = cover()
    return np.mean([np.diagonal(found.estimates[i]) for i in found.order[:members]], axis=0)


def uncertainty(members: int) -> float:
    """The largest squared uncertainty that a further policy would meet, as the algorithm computes it."""
    found = cover()
    return float(found.start if members == 0 else found.values[members - 1])


@cache
def joining() -> dict:
    """The film: one picture before the first policy, one for each of the first policies, and one of the whole list."""
    found = cover()
    members = [*range(SHOWN + 1), found.iterations]
    frames, rows = [], []
    for many in members:
        frames.append((picture(many), said(many)))
        share = shares(many) if many else np.zeros(len(NAMES))
        rows.append((many, played(many - 1) if many else "none", *(f"{max(x, 0):.3f}" for x in share),
                     f"{uncertainty(many):.3f}"))
    return film.film(FRAME, frames, ("policies", "the last one plays", *NAMES, "largest squared uncertainty left"),
                     rows, "Policies join the mixture that explores the second wheel of the lock")


def played(i: int) -> str:
    """The first two digits of the policy that joined in pass i, from 0."""
    found = cover()
    return "-".join(str(int(digit)) for digit in found.policies[found.order[i]][:LAYER, 0])


def said(many: int) -> str:
    """One sentence about a picture."""
    left = f"A further policy could meet a squared uncertainty of at most {uncertainty(many):.3f}."
    if many == 0:
        return f"The first wheel is known: its digit is {CODE[0]}. No policy is in the mixture yet. {left}"
    if many == cover().iterations:
        return (f"After {many} policies the smallest eigenvalue of the matrix is large enough, so the loop stops, and "
                f"the whole list is deployed at once. {left}")
    right = played(many - 1).startswith(f"{CODE[0]}-")
    where = f"it tries digit {played(many - 1)[-1]} of the second wheel" if right else "it leaves the lock at once"
    return f"Policy {many} joins: {where}. {left}"


def picture(many: int) -> list:
    """The codes of the policies on the left, the shares of the directions on the right."""
    shapes = [film.text("title", 4, 14, "policies", "strong"),
              film.text("shares", 128, 14, "share of the mixture", "strong")]
    for i in range(min(many, SHOWN)):
        digits = played(i).split("-")
        for j, digit in enumerate(digits):
            state = "right" if digit == str(CODE[j]) and (j == 0 or digits[0] == str(CODE[0])) else ""
            shapes += wheels.cell(f"p{i}-{j}", 4 + wheels.STEP * j, 24 + 28 * i, digit, state)
    if many > SHOWN:
        shapes.append(film.text("more", 4, 24 + 28 * SHOWN + 14, f"and {many - SHOWN} more"))
    share = shares(many) if many else np.zeros(len(NAMES))
    for i, (name, value) in enumerate(zip(NAMES, share, strict=True)):
        y = 26 + 34 * i
        shapes += [film.text(f"name{i}", 128, y + 14, name), film.bar(f"all{i}", 186, y, 108, 18, "grey"),
                   film.bar(f"share{i}", 186, y, 108 * max(float(value), 0), 18, "blue"),
                   film.text(f"value{i}", 298, y + 14, f"{max(value, 0):.2f}")]
    return [*shapes, film.text("left", 4, 240, f"largest squared uncertainty left: {uncertainty(many):.3f}", "strong")]
