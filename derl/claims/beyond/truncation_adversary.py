"""These checks let an adversary choose the regressions on small instances, with every policy enumerated.

In every layer the regression is replaced by int V dmu + Sigma^{-1/2} beta u (v . V), |u| = 1, |v|_1 = 1, which is as
wrong as the event allows, in a direction that the adversary chooses. The batch is the mean of what is deployed, and N
is so large that Y = tau kappa^2/4. Then the lemmas and the theorem must hold with certainty. Laws and losses are
computed in float64; beta is small, so that states that are cut still matter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from derl.algorithms.spanner import Spanner
from derl.algorithms.truncated_exploration import CutDataset, cover, exploring
from derl.claims import Evidence, claim
from derl.deployment import Deployer
from derl.estimation.design import Design
from derl.estimation.truncated import CutLayer, CutModel
from derl.mdp import LinearMDP, planning
from derl.theory.beyond.truncation import blocks

SEED, BETA, EPSILON = 20260723, 3.0, 1.0
STATES, ACTIONS, DIM = 3, 2, 3


def rare_chain(horizon: int, probability: float, rng: np.random.Generator) -> LinearMDP:
    """Three states; state 2 is entered with a tiny probability from elsewhere and kept by one of its actions."""
    phi = np.zeros((horizon, STATES, ACTIONS, DIM))
    phi[:, :2, :, :2] = rng.dirichlet((0.4, 0.4), size=(horizon, 2, ACTIONS))
    phi[:, 2, 0, 2] = 1
    phi[:, 2, 1] = rng.dirichlet((0.4, 0.4, 0.4), size=horizon)
    mu = np.zeros((horizon, DIM, STATES))
    mu[:, :2, :2] = (1 - probability) * rng.dirichlet((0.4, 0.4), size=(horizon, 2))
    mu[:, :2, 2] = probability
    mu[:, 2] = rng.dirichlet((0.3, 0.3, 1.0), size=horizon)
    theta = np.tile([0, 0.9, 1], (horizon, 1))
    return LinearMDP(phi, mu, theta, np.eye(STATES)[0])


def wronged(layer: CutLayer, mu: np.ndarray, rng: np.random.Generator) -> CutLayer:
    """The layer with the regression that the enemy has chosen."""
    u, v = rng.normal(size=mu.shape[0]), rng.normal(size=mu.shape[1]) * (rng.random(mu.shape[1]) < 0.6) + 1e-9
    u, v = u / np.linalg.norm(u), v / np.abs(v).sum()
    wrong = np.linalg.solve(layer.design.factor, u)  # R^{-1} u has Sigma-norm 1
    return replace(layer, design=Design(layer.design.factor, mu + BETA * np.outer(wrong, v)))


@dataclass(frozen=True, eq=False)
class Front:
    """What was known in front of a later block."""

    start: int
    model: CutModel
    spanner: Spanner
    dummy: float


def explored(mdp: LinearMDP, block: int, seed: int, fewer: float = 1.0):
    """The model at the end, the fronts of the later blocks, tau and E; N divided by `fewer`."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(1, seed)))
    horizon, parts = mdp.horizon, blocks(mdp.horizon, block)
    tau = EPSILON / (3 * len(parts) * horizon)
    kappa, eta = np.sqrt(tau) / (120 * DIM**2 * BETA * horizon), tau / (120 * DIM**2 * horizon)
    error = np.sqrt(7 * tau) * BETA * horizon * kappa
    size = np.ceil(4 * 3 * np.e * DIM**(block + 1) * DIM / (tau * kappa**2) / fewer)  # tr(Sigma^{-1} Lambda) <= d/N
    deployer = Deployer(mdp, size, len(parts), "any", 0, "expected")
    known = deployer.known
    model, fronts = CutModel(known.phi[:0], known.available[:0], (), mdp.initial), []
    for layers in parts:
        if model.layers:
            dummy = 4 * DIM * (2 * horizon * eta + 3 * error)
            fronts.append(Front(layers[0], model, cover(model, eta / (2 * DIM), dummy), dummy))
        heads = fronts[-1].spanner.policies if fronts else ()
        counts = deployer.deploy(exploring(known, heads, layers)[0]).counts
        result = tuple(wronged(CutLayer.of(known.phi[h - 1], known.available[h - 1], counts[h - 1], kappa),
                               mdp.mu[h - 1], rng) for h in layers)
        model = CutModel(known.phi[:layers[-1]], known.available[:layers[-1]], model.layers + result, mdp.initial)
    return known, model, fronts, tau, error


def law_in_front(mdp: LinearMDP, policy: np.ndarray, layers: tuple[CutLayer, ...]) -> np.ndarray:
    """nu_pi (S,) after as many layers as the policy has; no pair is cut where there are no `layers`."""
    P, law, states = mdp.transitions(), mdp.initial, np.arange(STATES)
    for h, actions in enumerate(policy):
        kept = layers[h].kept[states, actions] if layers else 1.0
        law = (law * kept) @ P[h][states, actions]
    return law


@claim("res-spanner-cover", method="stress", arithmetic="float64",
       covers="random chains with a rare state, H = 3 and 4, blocks of 1 and 2", gap="a sample of enemies and policies",
       false={"a thousandth of what the proof grants": {"room": 1e-3}})
def laws_against_an_enemy(room=1.0):
    """An enemy's regressions, the laws: The largest sup_g (nu_pi - sum |c_i| law_i)(g) over what the proof grants: E,
    and for each c_i E or the dummy."""
    worst, met = 0.0, 0
    for seed in range(24):
        mdp, block = _instance(seed)
        _, _, fronts, _, error = explored(mdp, block, seed)
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(4, seed)))
        for front in fronts:
            columns, members = front.spanner.columns, front.spanner.policies
            dummies = (np.count_nonzero(columns, axis=0) == 1) & (columns.max(axis=0) == front.dummy)
            for policy in rng.integers(0, ACTIONS, size=(20, front.start - 1, STATES)):
                shares = np.abs(np.linalg.solve(columns, front.model.mean_features(policy)))
                law = law_in_front(mdp, policy, front.model.layers)
                for share, member in zip(shares[~dummies], members, strict=True):
                    law = law - share * law_in_front(mdp, member, ())
                granted = error * (1 + shares[~dummies].sum()) + front.dummy * shares[dummies].sum()
                worst, met = max(worst, np.maximum(law, 0).sum() / granted), met + 1
    return Evidence(worst, room, "upper", f"{met} policies, beta = {BETA:g}, seed {SEED}", 1e-9 * room)


@claim("res-no-reachability", method="stress", arithmetic="float64",
       covers="random chains with a rare state, H = 3 and 4, blocks of 1 and 2", gap="a sample of enemies",
       false={"N/100000, cut at the same level": {"fewer": 1e5}})
def plans_against_an_enemy(fewer=1.0):
    """An enemy's regressions, the plan: The largest loss of the plan, over epsilon; the rare direction pays most."""
    worst, gone = 0.0, 0
    for seed in range(24):
        mdp, block = _instance(seed)
        known, model, *_ = explored(mdp, block, seed, fewer)
        gone += sum(int((~layer.kept).any()) for layer in model.layers)
        policy = CutDataset(known, model).plan_rewards(known.rewards)
        worst = max(worst, (planning.optimal(mdp).value - planning.evaluate(mdp, policy).value) / EPSILON)
    return Evidence(worst, 1, "upper", f"24 runs, {gone} layers with pairs that are cut, seed {SEED}", 1e-9)


def _instance(seed: int) -> tuple[LinearMDP, int]:
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(3, seed)))
    probability = (0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3)[seed % 6]
    return rare_chain(3 + seed % 2, probability, rng), 1 + (seed // 6) % 2
