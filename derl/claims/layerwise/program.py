"""These checks compare Algorithm 1 as pseudocode with the program, on the same trajectories.

The pseudocode sums over trajectories tau, n; the program works with the counts n_h(s, a, s'). One check compares the
loop over deployments (h_k, policy, Delta_k). The other compares one backward pass on data on which the regression, the
cap on the bonus and the cap on Q all matter. The formulas are those of the printed listing, evaluated.
"""

from __future__ import annotations

import numpy as np

from derl.algorithms import layerwise_exploration
from derl.algorithms.layerwise import plan_truncated
from derl.claims import Evidence, claim
from derl.deployment import Batch, Deployer, counts_of, sample
from derl.estimation import fit
from derl.mdp import instances
from derl.printed import Text

SEED, CONFIDENCE = 20220804, 0.1
NORM = r"\|\phi\|_{(\Lambda_h^k)^{-1}}"
OUTER = r"\sum_{\tau<k,n}\phi_h^{\tau n}(\phi_h^{\tau n})^\top"
TARGET = r"\sum_{\tau<k,n}\phi_h^{\tau n}V_{h+1}^k(s_{h+1}^{\tau n})"
BONUSES = r"\sum_n\sum_{h\le h_k}\|\phi_h^{kn}\|_{(\Lambda_h^k)^{-1}}"


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


def backward(text: Text, mdp, walks, layer: int, beta: float, fitted: float = 1.0):
    """Lines 6 to 9 of Algorithm 1, its formulas evaluated with sums over tau and n: h -> (Q_h, Lambda_h^{-1}).

    `fitted` multiplies the regression; anything but 1 is a planted error.
    """
    phi, rewards, horizon, result = mdp.phi, mdp.rewards(), mdp.horizon, {}
    V = np.full(mdp.n_states, float(text("V_{h_k+1}^k=")))
    for h in reversed(range(layer)):
        outer, target = np.zeros((mdp.dim, mdp.dim)), np.zeros(mdp.dim)
        for past in walks:
            for states, actions in zip(past.states, past.actions, strict=True):
                feature = phi[h, states[h], actions[h]]
                outer += np.outer(feature, feature)
                target += feature * V[states[h + 1]]
        inverse = np.linalg.inv(text(r"\Lambda_h^k=", {"I": np.eye(mdp.dim), OUTER: outer}))
        norms = np.sqrt(np.einsum("sai,ij,saj->sa", phi[h], inverse, phi[h]))
        bonus = text("u_h^k=", {NORM: norms}, beta=beta, H=horizon)
        products = text("w_h^k=", {r"(\Lambda_h^k)^{-1}": inverse, TARGET: target})  # entry by entry, to be added up
        regressed = fitted * (phi[h] @ products.sum(axis=1))
        Q = text("Q_h^k=", {r"\phi^\top w_h^k": regressed, "r_h": rewards[h], "u_h^k": bonus}, H=horizon)
        result[h] = np.where(mdp.available[h], Q, -np.inf), inverse
        V = text("V_h^k=", {r"\max_aQ_h^k": result[h][0].max(axis=1)})
    return result


def pseudocode(text: Text, mdp, walks, epsilon: float, beta: float):
    """Algorithm 1 as printed on given trajectories; yields h_k, pi^k and Delta_k."""
    phi, horizon, layer = mdp.phi, mdp.horizon, int(text("", after="explores the layers"))
    for k, walk in enumerate(walks):
        result = backward(text, mdp, walks[:k], layer, beta)
        inverses = {h: inverse for h, (_, inverse) in result.items()}
        policy = np.stack([np.argmax(Q >= Q.max(axis=1, keepdims=True) - 1e-9, axis=1)
                           for Q, _ in (result[h] for h in range(layer))])
        features = [phi[h, walk.states[:, h], walk.actions[:, h]] for h in range(layer)]
        norms = [np.sqrt(np.einsum("ni,ij,nj->n", x, inverses[h], x)).sum() for h, x in enumerate(features)]
        statistic = r"\Delta_k="
        delta = text(statistic, {BONUSES: sum(norms)}, beta=beta, N=len(walk.states))
        yield layer, policy, delta
        layer += delta < text(statistic + "...<", epsilon=epsilon, h_k=layer, H=horizon) and layer < horizon


@claim("alg-layerwise", method="run", arithmetic="float64", covers="h_k, policy and Delta_k",
       gap="one instance, batches of 300, on which the regression does not matter", plants=2,
       false={"a bonus that is one per cent larger": {"beta_factor": 1.01}})
def program_is_the_pseudocode(text, beta_factor=1.0):
    """Program against pseudocode: Deployments with equal layer, policy and Delta_k: sums over trajectories against the
    program on their counts."""
    mdp = instances.random_simplex(4, 2, 2, 3, seed=5)
    recorder, epsilon, beta = Recorder(mdp, 300, 12), 0.5, 1.0
    outcome = layerwise_exploration(recorder, epsilon, CONFIDENCE, version="as-printed", beta=beta)
    literal = list(pseudocode(text, mdp, recorder.walks, epsilon, beta_factor * beta))
    agree = sum(record.layer == layer and np.array_equal(record.policy[:layer], policy)
                and abs(record.statistic - delta) <= 1e-9 * delta
                for record, (layer, policy, delta) in zip(outcome.trace, literal, strict=True))
    scope = f"{len(literal)} deployments, layers 1 to {outcome.trace[-1].layer}"
    return Evidence(agree, len(literal), "identity", scope)


@claim("alg-layerwise", method="run", arithmetic="float64",
       gap="one instance, three batches of 200; the loop over deployments is the other check", plants=4,
       false={"the bonus uncapped inside Q": {"version": "repaired"},
              "half of the regression": {"fitted": 0.5}})
def values_are_those_of_the_pseudocode(text, version="as-printed", fitted=1.0):
    """Values of the program against the pseudocode, where the regression decides: Layers of the trap with equal Q:
    batches of "b, then e" leave f untried, so that every part of Q is in use."""
    mdp, beta = instances.optimism_trap(), 20.0
    policy = np.zeros((mdp.horizon, mdp.n_states), int)
    policy[0, 0] = 1
    seeds = (np.random.SeedSequence(SEED, spawn_key=(100 + k,)) for k in range(3))
    walks = [sample(mdp, policy, 200, np.random.default_rng(seed)) for seed in seeds]
    data = sum(counts_of(walk, mdp.n_states, mdp.n_actions) for walk in walks)
    rewards = mdp.rewards()
    plan = plan_truncated(Deployer(mdp, 1, 1).known, [fit(mdp.phi[h], data[h]) for h in range(mdp.horizon)],
                          lambda h, norms: rewards[h], beta, version)
    literal = backward(text, mdp, walks, mdp.horizon, beta, fitted)
    agree = sum(np.allclose(step.q, literal[h][0], rtol=1e-9) for h, step in enumerate(plan))
    return Evidence(agree, mdp.horizon, "identity", f"{mdp.horizon} layers, beta = 20, {mdp.n_states} states")
