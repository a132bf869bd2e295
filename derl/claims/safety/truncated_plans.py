"""These checks establish how far J may fall between plans for the first h layers that serve as pessimists.

The counterexample has two paths that pay (0, 1/2, 1) and (0, 1, 0); symbolic steps show that no larger drop occurs.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.claims.layerwise.symbols import values_fit
from derl.exact.compared import every
from derl.exact.symbolic import at_least, equal
from derl.mdp import exact

HALF = Fraction(1, 2)


def two_paths(pays: list) -> exact.ExactMDP:
    """Layer 1 chooses between two paths; path k pays pays[k][h] in layer h + 2. One action later on, d = 2."""
    horizon = len(pays[0]) + 1
    phi = np.full((horizon, 3, 2, 2), Fraction(0), dtype=object)
    phi[0, :, 0], phi[0, :, 1] = [1, 0], [0, 1]
    phi[1:, 1], phi[1:, 2], phi[1:, 0] = [1, 0], [0, 1], [1, 0]
    mu = np.full((horizon, 2, 3), Fraction(0), dtype=object)
    mu[:, 0, 1] = mu[:, 1, 2] = 1
    return exact.ExactMDP(phi, mu, exact.rationals([[0, 0], *zip(*pays, strict=True)]), exact.rationals([1, 0, 0]))


def truncated_values(pays: list) -> list[Fraction]:
    """The least J(pi_{|h}), h = 1, ..., H, over paths that are optimal for the first h layers, first the best one."""
    mdp, whole, result = two_paths(pays), [], []
    for action in (0, 1):
        policy = np.full((mdp.horizon, 3), action)
        layers = (exact.occupancy(mdp, policy) * mdp.rewards()).sum(axis=(1, 2))
        whole.append([sum(layers[:h], Fraction(0)) for h in range(1, mdp.horizon + 1)])
    for h in range(mdp.horizon):
        optimal = [row[-1] for row in whole if row[h] == max(other[h] for other in whole)]
        result.append(min(optimal) if h else max(optimal))
    return result


@claim("text-truncated-pessimist", method="exhaustive", refutes=True,
       false={"nothing paid after layer 2, so that pi_{|2} is optimal for all of H": {
                  "later": (Fraction(1, 2), Fraction(0))},
              "no reward of the other action": {"other": (Fraction(0), Fraction(0))}})
def truncated_plans_may_fall(text, later=(Fraction(1, 2), Fraction(1)), other=(Fraction(1), Fraction(0))):
    """A truncated plan worse than the one before by 1/2: Least drop of J between the mixtures with pi_{|1} and with
    pi_{|2}, the same optimist in both, alpha <= 1/2."""
    values = [text("", {r"\hat\pi_{|h}": value}, after="Let the plan")
              for value in truncated_values([list(later), list(other)])]
    drops = [(1 - alpha) * (values[0] - values[1]) for alpha in (Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2))]
    return Evidence(min(drops), Fraction(1, 4), "lower", "H = 3, d = 2, alpha = 1/1000, 1/10, 1/2; "
                    "every epsilon < 1/4", detail=f"J(pi_|h) = {', '.join(map(str, values))}")


@claim("res-truncated-drop", false={"half of H - h'": {"share": sympy.Rational(1, 2)}})
def truncated_chain(text, share=1):
    """Three inequalities: Each of three inequalities between J and the truncated values holds, with a slack for
    each."""
    before, epsilon, rest, paid, u, w, H = sympy.symbols("before epsilon rest paid u w H", nonnegative=True)
    last = text.range("h'", h=0, H=H).high - rest  # h' <= H
    fell = text.sides(r"J(\hat\pi_{|h'})\ge", {r"J(\hat\pi_{|h'})": before - epsilon + u + w,
                                              r"J(\hat\pi_{|h})": before + rest - paid, "h'": last},
                      H=H, epsilon=epsilon)
    whole = text.sides(r"J(\hat\pi_{|h'})\ge", {r"J(\hat\pi_{|h'})": 0, r"J(\hat\pi_{|h})": 0,
                                               "h'": text("h'=", after="the last plan", H=H)}, H=H, epsilon=epsilon)
    # J(pi_h) = before + paid, paid <= rest = H - h' in the layers after h'
    paid_at_most = rest - paid
    later = before - epsilon + u + w  # J(pi_h') >= J_{h'}(pi_h') >= before - epsilon
    return steps([("drop <= H - h' + epsilon",
                   every(at_least(later + share * rest + epsilon, before + paid_at_most,
                                  u, w, paid, rest, epsilon, before),
                         at_least(*fell, u, w, paid, rest, epsilon, before))),
                  values_fit(text.interval(after="With rewards in")),
                  ("the fall is at most epsilon for the last plan", equal(whole[0] - whole[1], epsilon))],
                 "all h < h' <= H, epsilon >= 0, rewards in [0, 1]")


@claim("res-truncated-drop", method="exhaustive", covers="equality at epsilon = 0, H = 3, ..., 6", gap="h' = 2",
       false={"one per cent less on the second path: no tie": {"tie": Fraction(99, 200)}})
def truncated_drop_is_attained(text, tie=HALF):
    """Attained, with ties: J(pi_{|1}) - J(pi_{|2}) - (H - 2) where the second path pays `tie` in layer 2 and nothing
    later."""
    off, epsilon, later = Fraction(0), text(r"\epsilon="), int(text("h'=", after="equality occurs for"))
    first, last = int(text("H=", after="equality occurs for")), int(text("", after="equality occurs for", skip=3))
    for horizon in range(first, last + 1):
        values = truncated_values([[HALF, *[Fraction(1)] * (horizon - 2)], [tie, *[Fraction(0)] * (horizon - 2)]])
        left, right = text.sides(r"J(\hat\pi_{|h'})\ge", {
            r"J(\hat\pi_{|h'})": values[later - 1], r"J(\hat\pi_{|h})": values[0], "h'": later}, H=horizon,
            epsilon=epsilon)
        off += abs(left - right) + (later not in text.range("h'", h=1, H=horizon))
    return Evidence(off, 0, "identity", "H = 3, ..., 6, exact planning; the second path is optimal for h = 2 by a tie")
