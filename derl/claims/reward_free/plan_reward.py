"""These checks refute that the reward of the planner is that of the explorer (line 1246), and order the two bonuses.

The counterexample has one feature of length 1 (d = 1) and k_1 = 2.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, claim, steps
from derl.exact.compared import every
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, equal, same_operator

p, q, s, y, z = sympy.symbols("p q s y z", nonnegative=True)
S, E = sympy.symbols("S E", commutative=False)


@claim("text-plan-reward", method="exhaustive", refutes=True,
       false={"N = 1000, with which k_1 = 2 is not reached": {"size": 1000},
              "planning horizon T = H, last batch in both": {"planned": 2},
              "a horizon of one layer": {"horizon": 1}})
def plan_reward_is_not_the_exploration_reward(text, size=10**12, horizon=2, planned=1):
    """Both readings of the equation: Counts the readings of Lambda^k (batch k in or out) under which r^plan = r^{k_h}
    fails on an example.

    One feature of length 1, k_h = 2 deployments of N trajectories (checked: c_beta = 1, epsilon = 1/5, delta = 1/10),
    no cap active, so that r^{k_h} = beta b/H and r^plan = beta b'/T with 1/b'^2 = 1 + 2N.
    """
    differs = 0
    if not second_deployment_finishes(size, horizon):
        return Evidence(0, 2, "lower", "layer 1 is not finished by the second deployment, or a cap is active")
    for batches in (1, 2):  # batches in Lambda^{k_h}: k - 1 as in the proofs, or k as line 6 of Algorithm 3 has it
        used = 2 + 1 - text("", after="the data of the deployments")  # the deployments that the planner has seen
        plan, explored = text.sides("r^{plan}=", {  # the squares over beta^2
            "r^{plan}": 1 / (1 + used * size) / planned**2, "r^{k_h}": Fraction(1, 1 + batches * size) / horizon**2})
        differs += plan != explored
    return Evidence(differs, 2, "lower", f"N = {size}, H = {horizon}, planning horizon {planned}, k_h = 2",
                    detail="without the last batch the bonus differs, with it the division by T instead of H")


def second_deployment_finishes(size: int, horizon: int, argument=None) -> bool:
    """Whether k_1 = 2 for d = 1 and one feature of length 1, in the reading without batch k, and no cap acts there.

    beta^2 = H^2 log(argument), by default H/(delta epsilon) with epsilon = 1/5, delta = 1/10.
    """
    low, high = (horizon**2 * end for end in enclosure(50 * horizon if argument is None else argument))
    threshold = Fraction(1, 5) / ((4 * horizon + 2) * horizon)
    goes_on, stops = 4 * low >= threshold**2, 4 * high / (1 + size) < threshold**2
    return goes_on and stops and high / (1 + size) <= 1


@claim("res-plan-reward", covers="the two minima", gap="the inverse reverses the order",
       false={"a planning horizon of H + 1": {"longer": 1}})
def plan_bonus_is_at_most_the_exploration_bonus(text, longer=0):
    """A lower cap makes the bonus smaller: min(x', T) <= min(x, H) for x' <= x and T <= H."""
    T = 1 + p
    least = text(r"\Lambda'\succeq", {r"\Lambda": E})  # of Lambda', where the matrix of the explorer is E
    longest = text(r"\tilde h\le", H=T + q)  # of the planning horizon

    def minima(new, old, planned, horizon):
        """Both sides for beta = 1, norms `new` and `old`, and the two horizons; then with the rewards u/T and u/H."""
        letters = {r"\beta": 1, r"\|\phi\|_{\Lambda'^{-1}}": new, r"\|\phi\|_{\Lambda^{-1}}": old, r"\tilde h": planned}
        smaller, larger = text.sides(r"\min\{\beta\|\phi\|_{\Lambda'^{-1}},\tilde h\}\le", letters, H=horizon)
        rewarded = text.sides(r"\tilde h\,r^{plan}\le", {r"\tilde h": planned, "r^{plan}": smaller / planned,
                                                        "r^{k_h}": larger / horizon}, H=horizon)
        return every(at_least(larger, smaller, p, q, s, y, z), at_least(rewarded[1], rewarded[0], p, q, s, y, z))
    return steps([
        ("Lambda' - Lambda >= 0, and T <= H", every(same_operator(least, E), equal(longest, T + q))),
        ("x' <= T, x <= H: x = x' + s", minima(y, y + s, y + 1 + p, y + 1 + s + p + q)),
        ("x' <= T = x' + p, x >= H = T + q", minima(y, y + 1 + p + q + z, y + 1 + p, y + 1 + p + q)),
        ("x' >= T, x <= H: x = T + s", minima(T + y, T + y + s, T, T + y + s + q)),
        ("x' >= T, x >= H = T + q", minima(T + y + longer, T + y + q + z, T + longer, T + q)),
    ], scope="all data, all features, all T <= H")
