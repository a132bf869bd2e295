"""These checks establish Lemmas D.1 to D.3 and Equations (14) and (15), repaired, given the event of the regression.

Each check takes one layer with x = beta |phi|_{Lambda^{-1}}, below and above the cap, and a nonnegative slack for each
hypothesis. Two rewards above 1, which Assumption 1 allows, refute the printed Lemma D.3.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative
from derl.theory.reward_free.certificate import bonus_bounds, root_above

BEST, PLANNED = r"V_1^{\pi^*_{r\mid\tilde h}}(s_1,r\mid\tilde h)", r"V_1^{\pi_{r\mid\tilde h}}(s_1,r\mid\tilde h)"
UNCERTAINTY = r"\max_\pi\mathbb E_\pi\sum_{h\le\tilde h}\min\{\beta\|\phi\|_{\Lambda_h^{-1}},\tilde h\}"
h, m, p, q, s, t, v, x, y, z = sympy.symbols("h m p q s t v x y z", nonnegative=True)
H = 1 + h  # H >= 1
L, N_, T_, S, E = sympy.symbols("L N_ T_ S E", commutative=False)


def optimism(bonus, name: str, error=1) -> list[tuple[str, bool]]:
    """Both arguments of min(w^T phi + r + bonus, cap) are at least Q* = r + P V*; e = -error x + v, V^k = V* + p."""
    reward, best_next = z / (z + t), y  # any r in [0, 1]
    predicted = (best_next + p) + (-error * x + v)
    later = m * s / (1 + s)  # P V* <= m, the number of layers to come; the cap is at least m + 1
    return [
        "optimism",
        (f"{name}: w^T phi + r + bonus >= Q*",
         at_least(predicted + reward + bonus, reward + best_next, p, v, x)),
        (f"{name}: cap >= m + 1 >= Q*", at_least(m + 1 + q, reward + later, m, q, s, t, z)),
    ]


# --- Equation (14) -----------------------------------------------------------------------------------------

@claim("res-estimation-bias", covers="the sum of the two parts", gap="the two parts",
       false={"a regularisation of 2H sqrt d, for which there is no room at d = l = 1": {"regularisation": 2}})
def error_is_noise_and_regularisation(text, regularisation=1):
    """Noise and regularisation: beta >= (C + 1) d H l covers both parts."""
    C, root, length = s, 1 + q, text(r"l\ge") + t  # C >= 0, sqrt d >= 1, l >= 1
    letters = {"C": C, "d": root**2, "H": H, "l": length}
    beta, noise = text(r"\beta\ge", **letters), text(r"\|\sum\phi(V(s')-P_hV)\|_{\Lambda^{-1}}\le", **letters)
    values = text.range("V", H=H)
    norm = sympy.Symbol("norm", positive=True)
    error = text(r"|\phi^\top w-P_hV|\le", {r"\|\phi\|_{\Lambda^{-1}}": norm}, beta=beta)
    return steps([
        ("beta >= C d H l + H sqrt d, as |t| <= H sqrt d for values in [0, H]",
         every(at_least(beta, noise + regularisation * values.high * root, s, q, h, t), exactly(values.low, 0))),
        ("so the error is at most beta |phi|",
         at_least(error, (noise + regularisation * values.high * root) * norm, s, q, h, t, norm)),
    ], scope="all d, H >= 1, all data, all V in [0, H], C >= 0, l >= 1")


# --- Lemma D.2 ---------------------------------------------------------------------------------------------

@claim("ineq-explored-value", false={"factor H + 1": {"factor": lambda H: H + 1}})
def optimistic_value_within_a_factor(factor=printed("ineq-explored-value").function(
                                         r"\mathbb E[V_1^k(s_1)]\le", "H",
                                         given={r"\mathbb E[V_1^{\pi_k}(s_1,r^k\mid h_k)]": 1})):
    """One layer, below and above the cap, with and without the printed cap: (2H + 1)(r + P V^pi) - V^k >= 0 in each
    case, every hypothesis a nonnegative slack."""
    ratio, next_value = factor(H), y  # P V^pi = y >= 0, P V^k = ratio y - s
    small = x / (x + t) * H  # beta b <= H
    reward = small / H
    below_cap = ratio * (reward + next_value) - ((ratio * next_value - s) + (small - v) + reward + small)
    return steps([
        ("beta b <= H: V^k <= P V^k + e + r + beta b", nonnegative(below_cap, h, s, t, v, x, y)),
        ("beta b >= H: r = 1 and V^k <= H", at_least(ratio * (1 + next_value), H, h, y)),
    ], scope="all H >= 1, all states and actions, e <= beta b; u capped or not; induction over the layers")


@claim("lem-overestimation-reward-free-repaired", false={"the printed cap on the bonus": {"capped": True}})
def exploration_values_are_optimistic(text,
                                      factor=printed("lem-overestimation-reward-free-repaired").function(
                                          r"V_h^k(s)\le", "H", given={r"V_h^{\pi_k}(s,r^k\mid h_k)": 1}), capped=False):
    """Optimism for the exploration reward, then the factor 2H + 1: One layer of the induction, for x = beta b below and
    above H; then the factor of the second display."""
    above = H + t  # x, where it is at least H
    regressed, reward = r"(w_h^k)^\top\phi", r"r_h^k"
    pieces = {r"\|\phi\|_{(\Lambda_h^k)^{-1}}": x, r"\beta": 1, reward: z, regressed: y}
    uncapped = text("Q_h^k=", pieces, H=sympy.oo)
    at_cap = text("Q_h^k=", pieces | {regressed: sympy.oo}, H=H)
    rewards = [text("r_h^k=", {r"\|\phi\|_{(\Lambda_h^k)^{-1}}": bonus, r"\beta": 1}, H=H) for bonus in (H / 2, above)]
    values = {r"V_h^*(s,r^k\mid h_k)": y, r"V_h^k(s)": y + p}
    (zero, optimal), (best, optimistic) = (text.sides(left, values) for left in (r"0\le", r"V_h^*(s,r^k\mid h_k)\le"))
    bonus = sympy.Min(above, H) if capped else above
    predicted = (y + p) + (-above + v)
    return steps([
        "optimism",
        ("the reward of the text: half of 1 at x = H/2, and 1 above H",
         every(equal(rewards[0], sympy.Rational(1, 2)), equal(rewards[1], 1))),
        ("Q of the text is w^T phi + r + x below its cap H",
         every(equal(uncapped, y + z + x), exactly(at_cap, H))),
        ("V* is at least 0, and V^k at least V*", every(at_least(optimal, zero, y), at_least(optimistic, best, y, p))),
        *optimism(uncapped - y - z, "beta b <= H"),
        ("beta b >= H: w^T phi + bonus >= P V*", nonnegative(sympy.simplify(predicted + bonus - y), h, p, t, v)),
        "factor",
        *((f"factor {factor(sympy.Symbol('H'))}, {name}", truth)
          for name, truth in optimistic_value_within_a_factor(factor).outcomes),
    ], scope="all H >= 1, all states and actions, |e| <= beta b; induction over the layers in the text")


# --- Lemma D.3 ---------------------------------------------------------------------------------------------

@claim("res-reward-free-gap", false={"a value of 3T, above the cap": {"longest": 2}})
def planning_loses_at_most_twice_the_bonus(text, longest=0):
    """Optimism, then twice the bonus, for every reward in [0, 1]: V - V^pi <= 2U layer by layer, with values capped at
    the planning horizon T."""
    T = 1 + p
    error = text(r"|\phi^\top w_h-P_hV_{h+1}|\le", {r"\|\phi\|_{\Lambda_h^{-1}}": 1}, beta=1)
    twice = text("", {UNCERTAINTY: sympy.Integer(1)}, after="loses at most")
    rewarded = text("...=", {r"\mathbb E[V_1^*(s_1,r^{plan}\mid\tilde h)]": y / T, r"\tilde h": T},
                    after="loses at most")
    small = x / (x + t) * T  # beta b <= T
    next_bonus, next_gap = y, twice * y - s  # P U = y, P(V - V^pi) = 2y - s
    below_cap = twice * (small + next_bonus) - ((error * small - v) + small + next_gap)
    return steps([
        *optimism(x, "planning", error),
        "two bonuses",
        ("beta b <= T: V - V^pi <= e + beta b + P(V - V^pi) <= 2U", nonnegative(below_cap, p, s, t, v, x, y)),
        ("beta b >= T: V - V^pi <= T = u <= 2U", at_least(twice * (T + next_bonus), T + longest * T, p, y)),
        "best policy",
        ("the reward r^plan = u/T has the value U/T", equal(rewarded, twice * y)),
    ], scope="all horizons T <= H, all rewards in [0, 1], linear or not, |e| <= beta b; induction over the layers")


def two_rewards(scale: Fraction) -> list[list[Fraction]]:
    """d = 4, H = 1, one state, phi(a) = e_a for two actions: the rewards of two vectors theta.

    Raises
    ------
    ValueError
        If |theta| or the norm of mu exceeds sqrt d.
    """
    dim, total_measure = 4, (1, 1, 0, 0)  # both actions lead to the one state with probability 1
    rewards = [[scale * Fraction(8, 5), scale * Fraction(11, 10)], [scale * Fraction(11, 10), scale * Fraction(8, 5)]]
    for vector in ([*pair, 0, 0] for pair in [*rewards, total_measure[:2]]):
        if sum(c * c for c in vector) > dim:
            raise ValueError("the instance breaks Assumption 1")
    return rewards


def smallest_loss(scale: Fraction, bonus: Fraction) -> Fraction:
    """The loss on the worse of the two rewards under the best rule that breaks ties."""
    return loss_of_the_tables(two_rewards(scale), bonus)


def loss_of_the_tables(rewards_to_plan: list[list[Fraction]], bonus: Fraction,
                       table=lambda r, u: min(r + u, Fraction(1))) -> Fraction:
    """The worst loss over some rewards of two actions, H = 1, for the best rule that breaks ties.

    In the last layer w = 0, so a rule sees the table Q = min(r + u, 1) of the two actions and nothing else.
    """
    tables: dict[tuple, list] = {}
    for reward in rewards_to_plan:
        tables.setdefault(tuple(table(r, bonus) for r in reward), []).append(reward)
    losses = []
    for table, rewards in tables.items():
        greedy = [a for a in (0, 1) if table[a] == max(table)]
        losses.append(min(max(max(reward) - reward[a] for reward in rewards) for a in greedy))
    return max(losses)


@claim("eq-reward-free-gap", method="exhaustive", refutes=True, title="Two rewards above 1 that the cap makes equal",
       false={"rewards halved, so that they stay below 1": {"scale": Fraction(1, 2)},
              "N = 1, where the bound 2H V*(r^plan) is still large": {"size": 1}})
@claim("lem-reward-free-gap", method="exhaustive", refutes=True, title="Two rewards above 1 that the cap makes equal")
def rewards_above_one_defeat_planning(text, gap=printed("eq-reward-free-gap"), scale=Fraction(1), size=10**12,
                                      c_beta=5):
    """d = 4, H = 1, each action deployed once: Q = (1, 1) for both rewards; the loss minus 2H V*(r^plan)."""
    _, high = bonus_bounds(Fraction(4 * c_beta), 4 / (Fraction(1, 5) * Fraction(1, 10)))
    bonus = min(high * root_above(Fraction(1, 1 + size)), Fraction(1))  # u for b^2 = 1/(1 + N), from above
    layers = text(r"\tilde h=", {"h_k": 1})
    planned = text("r^{plan}=", {"u^{plan}": bonus, r"\tilde h": layers})
    loss, bound = gap.relation(rf"\mathbb E\bigl[{BEST}-{PLANNED}\bigr]", {
        rf"\mathbb E\bigl[{BEST}-{PLANNED}\bigr]": smallest_loss(scale, bonus),
        r"\mathbb E\bigl[V_1^*(s_1,r^{plan}\mid\tilde h)\bigr]": planned}, H=1).ordered
    return Evidence(loss - bound, Fraction(49, 100), "lower",
                    f"d = 4, H = 1, rewards 8/5 and 11/10, N = {size:.0e}, epsilon = 1/5, delta = 1/10, "
                    f"c_beta <= {c_beta}, every rule that breaks ties",
                    detail="the loss is 1/2 for every u >= 0, because r + u >= 1")
