"""These checks establish that rewards may be learned from the data of an exploration that is told none.

Rewards that agree with all observed ones differ elsewhere by an elliptical norm, and the bonus is H times as large.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import claim, printed, steps
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, equal

e, n, p, q, t, u, v = sympy.symbols("e n p q t u v", nonnegative=True)
a, b, c = sympy.symbols("a b c", real=True)
d, H, epsilon = sympy.symbols("d H epsilon", positive=True)


@claim("res-unknown-rewards",
       false={"19/10 of the norm": {"factor": F(19, 20)},
              "a bonus that is 2H times as large": {"share": 2},
              "the difference of two values counted once": {"often": F(1, 2)}})
def learned_rewards_in_steps(text, factor=1, share=1, often=1, theorem=printed("thm-reward-free-repaired")):
    """One pair, the bonus, the loss: The norm of x, an instance that attains the factor 2, min{1, y} against the capped
    bonus, and the loss with the printed numbers."""
    def bound(norm, dim):
        return factor * text(r"|r'_h-r_h|\le", {r"\|\phi\|_{\Lambda_h^{-1}}": norm}, d=dim)

    # d = 4, features e_1 (observed) and (4/5, 1/100, 0, 0), theta = (1/10, -t, 0, 0), theta' = (1/10, t, 0, 0)
    far, seen, step = F(199, 100), 10**10, F(1, 100)
    rewards = [F(4, 5) * F(1, 10) + sign * step * far for sign in (-1, 1)]
    squared = F(16, 25) / (1 + seen) + step**2  # of the norm of the second feature
    return steps([
        "one pair",
        ("two vectors of length sqrt(d): |x|^2 <= 4 d, since 2 |u|^2 + 2 |v|^2 - |u - v|^2 = |u + v|^2", equal(
            2 * a**2 + 2 * b**2 - (a - b) ** 2, (a + b) ** 2)),
        ("the printed bound where it is below 1: 2 sqrt(d) times the norm", every(
            exactly(bound(F(1, 20), 4), F(1, 5)), exactly(bound(F(1, 60), 9), F(1, 10)))),
        ("and 1 where it is above", exactly(bound(1, 4) / factor, 1)),
        ("an instance: both rewards in [0, 1], both vectors short, e_1 has one reward", every(
            at_most(0, rewards[0]), at_most(rewards[1], 1),
            at_most(F(1, 100) + far**2, text(r"\|\theta_h\|\le", d=4) ** 2),
            exactly(text(r"\|\theta'_h\|\le", d=4), text(r"\|\theta_h\|\le", d=4)))),
        ("the factor 2 cannot be 2 (1 - 1/20): squares of the difference and of 19/10 sqrt(d) times the norm", every(
            at_most((rewards[1] - rewards[0]) ** 2, (4 * factor) ** 2 * squared),
            less_than(F(19, 20) ** 2 * 16 * squared, (rewards[1] - rewards[0]) ** 2))),
        "bonus",
        ("K >= 2 and d, H, N >= 1: the logarithm in beta is at least log 4 > 1", every(
            at_least(2 * (1 + p) * (2 + q) * (1 + t) * (1 + u), 4, p, q, t, u), less_than(sympy.E, 4))),
        ("beta = 2 d H sqrt(l), l >= 1: beta/H >= 2 sqrt(d), d = (1 + s)^2", at_least(
            theorem(r"\beta=", {r"\sqrt{\log(2dKNH/\delta)}": 1 + v}, d=(1 + p) ** 2, H=1 + t) / (1 + t) / share,
            2 * (1 + p), p, t, v)),
        ("y <= z/H for z = H y + u, H = 1 + t: so min{1, y} <= min{z, H}/H", at_least(
            ((1 + t) * e + u) / (1 + t), e, e, t, u)),
        "loss",
        ("two values, each changes by half of epsilon/H", equal(
            text("", after="a loss of at most", H=H, epsilon=epsilon),
            epsilon + often * 2 * (epsilon / 2) / H)),
        ("(1 + 1/H) epsilon <= 2 epsilon, H = 1 + t", at_least(2, 1 + 1 / (1 + t), t)),
        ("K is that of the theorem", every(exactly(text("K=", c_K=F(5, 2), d=many, H=3), theorem(
            "K=", c_K=F(5, 2), d=many, H=3)) for many in (1, 2, 3))),
    ], "every d, H >= 1, data, feature and reward")
