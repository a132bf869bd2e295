"""This check refutes Lemma D.3 because the planner uses a batch that the event of Lemma D.1 does not cover.

A history of four batches on a small instance, `fork`, is planned in ball arithmetic; no cap is active there, and
rewards lie in [0, 1].
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.claims import Evidence, claim, printed
from derl.mdp.exact import ExactMDP, rationals

EPSILON, DELTA, SIZE, DEPLOYMENTS = Fraction(1, 5), Fraction(1, 10), 10**14, 13  # K = 2dH + 1
START, A, B, C = range(4)
REWARDS = {A: Fraction(1), B: Fraction(0), C: Fraction(3, 5)}  # layer 2


def fork() -> ExactMDP:
    """The instance, without rewards: d = 3, H = 2, first state s.

    Action 0 has the feature (4/5) e_1 and leads to A or B with probability 1/2 each; action 1 has e_2 and leads to C.
    In layer 2 the states A, B, C have the features e_1, e_2, e_3 and one action.
    """
    phi, mu = np.zeros((2, 4, 2, 3), dtype=object), np.zeros((2, 3, 4), dtype=object)
    phi[0, START], phi[0, [A, B, C], 0] = rationals([["4/5", 0, 0], [0, 1, 0]]), rationals([0, 1, 0])
    phi[1, [START, A, B, C], 0] = rationals([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mu[0][:, [A, B, C]] = rationals([["5/8", "5/8", 0], [0, 0, 1], [0, 0, 0]])
    mu[1][:, C] = 1
    return ExactMDP(phi, mu, np.zeros((2, 3), dtype=int), [1, 0, 0, 0], phi.any(axis=3))


def history(to_a: int):
    """Batches of the fork: half of each batch leads to A, in the fourth deployment `to_a` of the N trajectories."""
    from flint import arb

    def draw(k: int, policy: np.ndarray):
        visits, off = np.full((2, 4, 2), arb(0), dtype=object), np.full((2, 4, 2, 4), arb(0), dtype=object)
        action = policy[0, START]
        visits[0, START, action] = arb(SIZE)
        if action == 0:
            seen = to_a if k == 4 else SIZE // 2
            visits[1, A, 0], visits[1, B, 0] = arb(seen), arb(SIZE - seen)
            off[0, START, 0, A], off[0, START, 0, B] = arb(seen - SIZE // 2), arb(SIZE // 2 - seen)
        else:
            visits[1, C, 0] = arb(SIZE)
        return visits, off

    return draw


def planned(to_a: int, beta):
    """Loss for REWARDS, max E sum u^plan and the noise with all four batches; balls, no cap is active."""
    from flint import arb

    at_a, at_b = SIZE // 2 + to_a, SIZE // 2 + SIZE - to_a
    bonus = {A: beta / arb(1 + at_a).sqrt(), B: beta / arb(1 + at_b).sqrt(), C: beta / arb(1 + 2 * SIZE).sqrt()}
    value = {state: arb(r.numerator) / r.denominator + bonus[state] for state, r in REWARDS.items()}
    design = 1 + arb(16) / 25 * 2 * SIZE
    own = {0: beta * arb(4) / 5 / design.sqrt(), 1: beta / arb(1 + 2 * SIZE).sqrt()}
    q = {0: arb(16) / 25 * (at_a * value[A] + at_b * value[B]) / design + own[0],
         1: 2 * SIZE * value[C] / (1 + arb(2 * SIZE)) + own[1]}
    loss = Fraction(1, 10) if q[0] > q[1] else Fraction(0)
    uncertainty = (own[0] + (bonus[A] + bonus[B]) / 2).max(own[1] + bonus[C])
    noise = arb(4) / 5 * (at_a - SIZE) * abs(value[A] - value[B]) / design.sqrt()
    return loss, uncertainty, noise


@claim("lem-reward-free-gap", method="interval", arithmetic="ball",
       covers="the batch that the event leaves out, with rewards in [0, 1]",
       gap="the event is read for the k at which Algorithm 3 computes something, c = 1", refutes=True, needs="rigor",
       false={"half of the fourth batch leads to A": {"to_a": SIZE // 2}},
       as_corrected={"the event with all four batches": {"batches": 4}})
def last_batch_is_outside_the_event(text, to_a=SIZE, batches=3, gap=printed("eq-reward-free-gap")):
    """The last batch is not in the event: Loss minus 2H V*(r^plan) on a history that is on the event of Lemma D.1 for
    the first `batches` batches."""
    from derl.theory.reward_free import replay

    beta = replay.bonus_scale(3, 2, EPSILON, DELTA, 1)
    event = replay.concentration_scale(3, 2, DEPLOYMENTS, SIZE, DELTA, 1)
    run = replay.replay_exploration(fork(), history(to_a), SIZE, DEPLOYMENTS, EPSILON, beta, "repaired")
    as_said = [record.policy[0, START] for record in run] == [0, 1, 1, 0] and run[-1].finished
    loss, uncertainty, noise = planned(to_a, beta)
    value = text("r^{plan}=", {"u^{plan}": uncertainty, r"\tilde h": 2})
    bound = gap(r"...\le", {r"\mathbb E\bigl[V_1^*(s_1,r^{plan}\mid\tilde h)\bigr]": value}, H=2)
    on_event = all(value <= event for record in run for value in record.noise) and (batches == 3 or noise <= event)
    excess = replay.lower(replay.ball(loss) - bound) if as_said and on_event else Fraction(-1)
    return Evidence(Fraction(int(excess * 10**6), 10**6), Fraction(99, 1000), "lower",
                    f"d = 3, H = 2, N = {SIZE:.0e}, k = 4, c_beta = 1, epsilon = 1/5, delta = 1/10",
                    detail="rewards 1, 0, 3/5; all of the fourth batch leads to A")
