"""These checks establish that one deployment suffices with exponentially many trajectories (line 228).

Symbolic steps take a net of policies and Hoeffding's inequality. Importance sampling under uniform actions is
enumerated for all 16 deterministic policies of one MDP.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
from sympy import log, sqrt

from derl.claims import Evidence, claim, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal

HORIZON, STATES, ACTIONS = 2, 2, 2
# P[h][s][a] = probability of state 0 next; rewards r[h][s][a]
MOVES = [[[Fraction(1, 3), Fraction(3, 4)], [Fraction(1, 2), Fraction(1, 5)]]] * HORIZON
REWARDS = [[[Fraction(1, 2), Fraction(1, 7)], [Fraction(1), Fraction(0)]],
           [[Fraction(2, 3), Fraction(1, 9)], [Fraction(1, 4), Fraction(1)]]]
START = [Fraction(2, 5), Fraction(3, 5)]

d, H, A, e = sympy.symbols("d H A e", positive=True)
s, t = sympy.symbols("s t", nonnegative=True)


@claim("text-exponential-n", false={"A^H instead of A^{2H}": {"horizon_power": 2}})
def one_deployment_suffices(text, horizon_power=1):
    """Net, greedy loss, Hoeffding: Radius and mesh of the net, the loss of greedy policies, and Hoeffding's inequality
    for M averages.

    `horizon_power` divides the power of A in N.
    """
    delta, M, eta, best = sympy.symbols("delta M eta best", positive=True)
    rewards = text.interval(after="Let rewards lie in")
    spread = H * A**H * rewards.high
    size = text(r"N\ge", A=A ** (1 / sympy.Integer(horizon_power)), d=d, H=H, M=M, epsilon=e, delta=delta)
    failure = 2 * M * sympy.exp(sympy.simplify(-2 * size * (e / 4) ** 2 / spread**2))
    mesh = e / (4 * H)
    return steps([
        "net of policies",
        ("|w_h| <= sqrt d + H sqrt d <= 2 H sqrt d for H = 1 + s",
         every(at_least(2 * (1 + s), 1 + 1 + s, s), exactly(rewards.low, 0))),
        ("M: in each of H layers a net of d coordinates, of radius 2 H sqrt d and this mesh",
         equal(sympy.expand_log(log(text("M=", d=d, H=H, epsilon=e)), force=True),
               H * d * log(1 + 2 * (2 * H * sqrt(d)) / mesh))),
        "evaluation",
        ("all M averages within epsilon/4 except with probability delta",
         equal(failure, 1 - text("", after="probability at least", delta=delta))),
    ], "all d, H, number of actions A, epsilon, delta; arbitrary policies allowed")


@claim("text-exponential-n", method="exhaustive", covers="the mean of X, on one MDP",
       gap="two states, two actions, two layers",
       false={"the weight A^{H - 1}": {"weight": ACTIONS ** (HORIZON - 1)}})
def means_for_every_policy(weight=ACTIONS**HORIZON):
    """Importance sampling is unbiased for every policy: Sums X over all trajectories under uniform actions, and
    compares with J, for all 16 deterministic policies."""
    agree, policies = 0, list(product(range(ACTIONS), repeat=HORIZON * STATES))
    for flat in policies:
        policy = [flat[h * STATES: (h + 1) * STATES] for h in range(HORIZON)]
        mean = sum(START[first] * _mean(policy, 0, first, Fraction(0), weight) for first in range(STATES))
        agree += mean == sum(START[first] * _value(policy, 0, first) for first in range(STATES))
    return Evidence(agree, len(policies), "identity", "all deterministic policies of one rational MDP")


def _mean(policy, h, state, collected, weight) -> Fraction:
    """E[X] from state s at layer h on, under uniform actions that agree with the policy so far."""
    if h == HORIZON:
        return collected * weight
    action = policy[h][state]
    stay = MOVES[h][state][action]
    following = ((0, stay), (1, 1 - stay))
    return sum(p * _mean(policy, h + 1, target, collected + REWARDS[h][state][action], weight)
               for target, p in following) / ACTIONS


def _value(policy, h, state) -> Fraction:
    if h == HORIZON:
        return Fraction(0)
    action = policy[h][state]
    stay = MOVES[h][state][action]
    return REWARDS[h][state][action] + stay * _value(policy, h + 1, 0) + (1 - stay) * _value(policy, h + 1, 1)
