"""These checks refute that the reward of the planner is that of the explorer (line 1246), and order the two bonuses.

The counterexample has one feature of length 1 (d = 1) and k_1 = 2.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, check, control, printed, steps
from derl.theory.exact.compared import every
from derl.theory.exact.logarithms import enclosure
from derl.theory.exact.symbolic import at_least, equal, same_operator

p, q, s, y, z = sympy.symbols("p q s y z", nonnegative=True)
S, E = sympy.symbols("S E", commutative=False)


@check("text-plan-reward", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Both readings of the equation")
def plan_reward_is_not_the_exploration_reward(said=printed("text-plan-reward", says=["last"]), size=10**12, horizon=2,
                                              planned=1) -> Evidence:
    """Counts the readings of Lambda^k (batch k in or out) under which r^plan = r^{k_h} fails on an example.

    One feature of length 1, k_h = 2 deployments of N trajectories (checked: c_beta = 1, epsilon = 1/5, delta = 1/10),
    no cap active, so that r^{k_h} = beta b/H and r^plan = beta b'/T with 1/b'^2 = 1 + 2N.
    """
    differs = 0
    if not second_deployment_finishes(size, horizon):
        return Evidence(0, 2, "lower", "layer 1 is not finished by the second deployment, or a cap is active")
    for batches in (1, 2):  # batches in Lambda^{k_h}: k - 1 as in the proofs, or k as line 6 of Algorithm 3 has it
        used = 2 + 1 - said("", after="the data of the deployments")  # the deployments that the planner has seen
        plan, explored = said.sides("r^{plan}=", {  # the squares over beta^2
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


control(plan_reward_is_not_the_exploration_reward, "N = 1000, with which k_1 = 2 is not reached", {"size": 1000})
control(plan_reward_is_not_the_exploration_reward, "planning horizon T = H, last batch in both", {"planned": 2})
control(plan_reward_is_not_the_exploration_reward, "a horizon of one layer", {"horizon": 1})


@check("res-plan-reward", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="More data and a lower cap make the bonus smaller")
def plan_bonus_is_at_most_the_exploration_bonus(added=lambda z: z, said=printed("res-plan-reward")) -> Evidence:
    """(A + D)^{-1} <= A^{-1} for D >= 0, and min(x', T) <= min(x, H) for x' <= x and T <= H."""
    T = 1 + p
    least = said(r"\Lambda'\succeq", {r"\Lambda": E})  # of Lambda', where the matrix of the explorer is E
    longest = said(r"\tilde h\le", H=T + q)  # of the planning horizon

    def minima(new, old, planned, horizon):
        """Both sides for beta = 1, norms `new` and `old`, and the two horizons; then with the rewards u/T and u/H."""
        letters = {r"\beta": 1, r"\|\phi\|_{\Lambda'^{-1}}": new, r"\|\phi\|_{\Lambda^{-1}}": old, r"\tilde h": planned}
        smaller, larger = said.sides(r"\min\{\beta\|\phi\|_{\Lambda'^{-1}},\tilde h\}\le", letters, H=horizon)
        rewarded = said.sides(r"\tilde h\,r^{plan}\le", {r"\tilde h": planned, "r^{plan}": smaller / planned,
                                                        "r^{k_h}": larger / horizon}, H=horizon)
        return every(at_least(larger, smaller, p, q, s, y, z), at_least(rewarded[1], rewarded[0], p, q, s, y, z))
    return steps([
        "matrices",
        ("A + D = S (I + E) S for A = S S, D = S E S", same_operator(S * (1 + E) * S, S * S + S * E * S)),
        ("(I + E)^{-1} <= I, per eigenvalue", at_least(1, 1 / (1 + added(z)), z)),
        ("Lambda' - Lambda >= 0, and T <= H", every(same_operator(least, E), equal(longest, T + q))),
        "four cases",
        ("x' <= T, x <= H: x = x' + s", minima(y, y + s, y + 1 + p, y + 1 + s + p + q)),
        ("x' <= T = x' + p, x >= H = T + q", minima(y, y + 1 + p + q + z, y + 1 + p, y + 1 + p + q)),
        ("x' >= T, x <= H: x = T + s", minima(T + y, T + y + s, T, T + y + s + q)),
        ("x' >= T, x >= H = T + q", minima(T + y, T + y + q + z, T, T + q)),
    ], scope="all data, all features, all T <= H")


control(plan_bonus_is_at_most_the_exploration_bonus, "data taken away instead of added", {"added": lambda z: -z / 2})
