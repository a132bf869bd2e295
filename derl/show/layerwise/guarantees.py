"""Intermediate policies of a run of Algorithm 1: tables for the page of its proof."""

from __future__ import annotations

from itertools import groupby

from derl.algorithms import layerwise_exploration
from derl.algorithms.layerwise import direct_exploration
from derl.deployment import Deployer
from derl.mdp import LinearMDP, planning
from derl.show.drawing.tables import table
from derl.theory.layerwise import samples


def printed_layers(mdp: LinearMDP, epsilon: float = 0.05, delta: float = 0.1):
    """Suboptimality, in the MDP truncated there, of the policy that finishes each layer in the printed algorithm."""
    deployer = Deployer(mdp, batch_size=10**14, max_deployments=463, seed=0)
    outcome = layerwise_exploration(deployer, epsilon=epsilon, delta=delta, version="as-printed")
    done = [record for record in outcome.trace if record.finished]
    shown = [(record.layer, f"{planning.gap(mdp, record.policy, horizon=record.layer):.4f}") for record in done]
    runs = [(gap, [layer for layer, _ in run]) for gap, run in groupby(shown, key=lambda one: one[1])]
    names = [str(layers[0]) if len(layers) == 1 else f"{layers[0]} to {layers[-1]}" for _, layers in runs]
    return table(("layer", *names), [("suboptimality", *(gap for gap, _ in runs))])


def without_layers(mdp: LinearMDP, epsilon: float = 0.5, delta: float = 0.1, c_K: float = 6):
    """Each deployment of the algorithm without layers: its first action, and its loss in the first two layers."""
    plan = samples.budget(mdp.dim, mdp.horizon, epsilon, delta, c_K, "chernoff")
    trace = direct_exploration(Deployer(mdp, plan.batch_size, plan.deployments), epsilon, delta, beta=plan.beta).trace
    losses = [planning.gap(mdp, record.policy, horizon=2) for record in trace]
    return table(("deployment", *(record.deployment for record in trace)),
                 [("action in layer 1", *(record.policy[0, 0] for record in trace)),
                  ("loss, truncated at 2", *(f"{loss:.0f}" for loss in losses))])
