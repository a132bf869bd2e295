"""This check compares the program of the pessimist with its formula, written with loops and in fractions.

Q = clip(w^T phi + r - beta b, 0, H - h + 1), with b a rational bound of the root, off by at most 2^-128.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.algorithms.baselines import pessimistic_value_iteration
from derl.claims import Evidence, claim
from derl.claims.safety.extended_settings import two_by_two
from derl.deployment import deploy_counts
from derl.exact.matrices import inverse
from derl.mdp.policies import uniform
from derl.theory.analysis.covers import root_bounds

BETA = Fraction(3, 4)


def literal_values(mdp, counts, penalty) -> np.ndarray:
    """V_1, ..., V_H by the formula; square roots are off by at most 2^-128."""
    horizon, n_states, n_actions = mdp.phi.shape[:3]
    rewards, values = mdp.rewards(), np.full((horizon + 1, n_states), Fraction(0), dtype=object)
    for h in reversed(range(horizon)):
        matrix, total = np.eye(mdp.dim, dtype=int).astype(object), np.full(mdp.dim, Fraction(0), dtype=object)
        for s in range(n_states):
            for a in range(n_actions):
                phi = mdp.phi[h, s, a]
                for following in range(n_states):
                    n = int(counts[h, s, a, following])
                    matrix = matrix + n * np.outer(phi, phi)
                    total = total + n * values[h + 1, following] * phi
        Lambda_inverse = inverse(matrix)
        w = Lambda_inverse @ total
        for s in range(n_states):
            best = Fraction(0)
            for a in range(n_actions):
                phi = mdp.phi[h, s, a]
                q = w @ phi + rewards[h, s, a] - penalty * BETA * root_bounds(phi @ Lambda_inverse @ phi)[0]
                best = max(best, min(q, Fraction(horizon - h)))
            values[h, s] = best
    return values


@claim("res-pessimistic-improvement", method="run", arithmetic="float64", covers="the program, three batches",
       gap="one instance, three batch sizes",
       false={"half of the penalty": {"penalty": Fraction(1, 2)}})
def program_promises_what_the_formula_says(penalty=1):
    """The program's promises against the formula in fractions: Largest |V of the program - V of the formula|; N = 3,
    40, 1000, so that penalty and regression both matter."""
    mdp, worst = two_by_two(), 0.0
    model = mdp.to_float()
    for size in (3, 40, 1000):
        rng = np.random.default_rng(np.random.SeedSequence(11, spawn_key=(size,)))
        counts = deploy_counts(model, uniform(mdp), size, rng).counts
        plan = pessimistic_value_iteration(model.phi, model.rewards(), counts, float(BETA))
        worst = max(worst, float(np.abs(plan.values - literal_values(mdp, counts, penalty).astype(float)).max()))
    return Evidence(worst, 0, "upper", "H = 3, d = 2, beta = 3/4, N = 3, 40, 1000", tolerance=1e-12)
