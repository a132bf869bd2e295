"""These checks compare Algorithm 1 as pseudocode with the program, on the same trajectories.

The pseudocode sums over trajectories tau, n; the program works with the counts n_h(s, a, s'). One check compares the
loop over deployments (h_k, policy, Delta_k). The other compares one backward pass on data on which the regression, the
cap on the bonus and the cap on Q all matter. The bonus is written here from the listing, independently of
`derl.estimation.bonus`.
"""

from __future__ import annotations

import numpy as np

from derl.algorithms import layerwise_exploration
from derl.algorithms.layerwise import plan_truncated
from derl.claims import Evidence, check, control
from derl.deployment import Batch, Deployer, counts_of, sample
from derl.estimation import fit
from derl.mdp import instances

SEED, CONFIDENCE = 20220804, 0.1


class Recorder:
    """A deployer that simulates whole trajectories, keeps them, and hands their counts to the algorithm."""

    def __init__(self, mdp, batch_size: int, max_deployments: int):
        self.mdp, self.batch_size, self.max_deployments = mdp, batch_size, max_deployments
        self.known = Deployer(mdp, batch_size, max_deployments).known
        self.walks = []

    def deploy(self, policy) -> Batch:
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(len(self.walks),)))
        walk = sample(self.mdp, policy, self.batch_size, rng)
        self.walks.append(walk)
        return Batch(counts_of(walk, self.mdp.n_states, self.mdp.n_actions), self.batch_size)


def backward(mdp, walks, layer: int, beta: float, fitted: float = 1.0):
    """Lines 6 to 9 of Algorithm 1 as printed, with sums over tau and n: h -> (Q_h, Lambda_h^{-1}) for all h <= layer.

    `fitted` multiplies the regression; anything but 1 is a planted error.
    """
    phi, rewards, horizon, V, found = mdp.phi, mdp.rewards(), mdp.horizon, np.zeros(mdp.n_states), {}
    for h in reversed(range(layer)):
        Lambda, target = np.eye(mdp.dim), np.zeros(mdp.dim)
        for past in walks:
            for states, actions in zip(past.states, past.actions, strict=True):
                feature = phi[h, states[h], actions[h]]
                Lambda += np.outer(feature, feature)
                target += feature * V[states[h + 1]]
        inverse = np.linalg.inv(Lambda)
        bonus = np.minimum(beta * np.sqrt(np.einsum("sai,ij,saj->sa", phi[h], inverse, phi[h])), horizon)
        Q = np.minimum(fitted * (phi[h] @ inverse @ target) + rewards[h] + bonus, horizon)
        found[h] = np.where(mdp.available[h], Q, -np.inf), inverse
        V = found[h][0].max(axis=1)
    return found


def pseudocode(mdp, walks, epsilon: float, beta: float):
    """Algorithm 1 as printed on given trajectories; yields h_k, pi^k and Delta_k."""
    phi, horizon, layer = mdp.phi, mdp.horizon, 1
    for k, walk in enumerate(walks):
        found = backward(mdp, walks[:k], layer, beta)
        inverses = {h: inverse for h, (_, inverse) in found.items()}
        policy = np.stack([np.argmax(Q >= Q.max(axis=1, keepdims=True) - 1e-9, axis=1)
                           for Q, _ in (found[h] for h in range(layer))])
        features = [phi[h, walk.states[:, h], walk.actions[:, h]] for h in range(layer)]
        norms = [np.sqrt(np.einsum("ni,ij,nj->n", x, inverses[h], x)).sum() for h, x in enumerate(features)]
        delta = 2 * beta / len(walk.states) * sum(norms)
        yield layer, policy, delta
        layer += delta < epsilon * layer / (2 * horizon) and layer < horizon


@check("alg-layerwise", method="run", arithmetic="float64", covers="h_k, policy and Delta_k",
       gap="one instance, batches of 300, on which the regression does not matter", title="Program against pseudocode")
def program_is_the_pseudocode(beta_factor=1.0) -> Evidence:
    """Deployments with equal layer, policy and Delta_k: sums over trajectories against the program on their counts."""
    mdp = instances.random_simplex(4, 2, 2, 3, seed=5)
    recorder, epsilon, beta = Recorder(mdp, 300, 12), 0.5, 1.0
    outcome = layerwise_exploration(recorder, epsilon, CONFIDENCE, version="as-printed", beta=beta)
    literal = list(pseudocode(mdp, recorder.walks, epsilon, beta_factor * beta))
    agree = sum(record.layer == layer and np.array_equal(record.policy[:layer], policy)
                and abs(record.statistic - delta) <= 1e-9 * delta
                for record, (layer, policy, delta) in zip(outcome.trace, literal, strict=True))
    scope = f"{len(literal)} deployments, layers 1 to {outcome.trace[-1].layer}"
    return Evidence(agree, len(literal), "identity", scope)


control(program_is_the_pseudocode, "a bonus that is one per cent larger", {"beta_factor": 1.01})


@check("alg-layerwise", method="run", arithmetic="float64", covers="everything",
       gap="one instance, three batches of 200; the loop over deployments is the other check",
       title="Values of the program against the pseudocode, where the regression decides")
def values_are_those_of_the_pseudocode(version="as-printed", fitted=1.0) -> Evidence:
    """Layers of the trap with equal Q: batches of "b, then e" leave q untried, so that every part of Q is in use."""
    mdp, beta = instances.optimism_trap(), 20.0
    policy = np.zeros((mdp.horizon, mdp.n_states), int)
    policy[0, 0] = 1
    seeds = (np.random.SeedSequence(SEED, spawn_key=(100 + k,)) for k in range(3))
    walks = [sample(mdp, policy, 200, np.random.default_rng(seed)) for seed in seeds]
    data = sum(counts_of(walk, mdp.n_states, mdp.n_actions) for walk in walks)
    rewards = mdp.rewards()
    plan = plan_truncated(Deployer(mdp, 1, 1).known, [fit(mdp.phi[h], data[h]) for h in range(mdp.horizon)],
                          lambda h, norms: rewards[h], beta, version)
    literal = backward(mdp, walks, mdp.horizon, beta, fitted)
    agree = sum(np.allclose(step.q, literal[h][0], rtol=1e-9) for h, step in enumerate(plan))
    return Evidence(agree, mdp.horizon, "identity", f"{mdp.horizon} layers, beta = 20, {mdp.n_states} states")


control(values_are_those_of_the_pseudocode, "the bonus uncapped inside Q", {"version": "repaired"})
control(values_are_those_of_the_pseudocode, "half of the regression", {"fitted": 0.5})
