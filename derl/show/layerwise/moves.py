"""Numbers for the widgets on the pages of Algorithm 1: the trap, and a run deployment by deployment."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from derl.algorithms import layerwise_exploration
from derl.algorithms.outcome import trace_rows
from derl.deployment import Deployer
from derl.mdp import LinearMDP, instances, planning
from derl.show.layerwise import optimism
from derl.theory import constants

SIZE, ACCURACY, CONFIDENCE, TRADE_OFF = 10**12, 0.2, 0.1, 2
REWARDS = tuple(round(0.6 + 0.02 * i, 2) for i in range(21))
VERSIONS = ("as-printed", "repaired")
DRAWN = 5  # layers of an instance that fit on a phone
STEP_NAMES = {"explicit": "printed proof", "sharp": "(a) sharp lemma", "flat": "(b) one count for all layers",
              "chernoff": "(c) Chernoff", "covering": "(d) bonus of the covering", "share": "(e) the share"}
MET = 1e-9  # an occupancy below this is a rounding error


def rewarded_trap(reward: float) -> LinearMDP:
    """The optimism trap with another reward of E, in [0, 1]; e is then worth 8 times that, f stays worth 8."""
    mdp = instances.optimism_trap()
    theta = mdp.theta.copy()
    theta[2:, :2] = reward, 1.25 * (1 + 0.6 * reward)  # so that f pays 1
    return mdp.with_reward(theta)


def run_on(mdp: LinearMDP, version: str) -> dict:
    """One run of Algorithm 1 on a trap: does it try f, which action does it return at C, and what does that lose."""
    budget = constants.deployments_layerwise(mdp.dim, mdp.horizon, TRADE_OFF)
    outcome = layerwise_exploration(Deployer(mdp, SIZE, budget, seed=0), ACCURACY, CONFIDENCE, version=version)
    there = mdp.state_names.index("C")
    return {"deployments": outcome.deployments, "action": "ef"[int(outcome.policy[1, there])],
            "tries": bool(any(planning.occupancy(mdp, record.policy)[1, there, 1] > MET for record in outcome.trace)),
            "loss": max(0.0, round(float(planning.gap(mdp, outcome.policy)), 9))}


@cache
def trap() -> dict:
    """The runs of both versions for every reward of the slider."""
    runs = [{"reward": reward, "version": version} | run_on(rewarded_trap(reward), version)
            for version in VERSIONS for reward in REWARDS]
    return {"rewards": list(REWARDS), "horizon": 10, "cosine": 0.6, "best": 8, "chance": 0.15, "epsilon": ACCURACY,
            "batch_size": SIZE, "runs": runs}


def shown_instances() -> dict[str, tuple[LinearMDP, float, str]]:
    """Name -> instance, epsilon and version of the runs that can be replayed."""
    template = instances.hard_template(d=3, horizon=4, optimal_layer=3, optimal_index=1, cores=0, epsilon=0.3)
    trapped = instances.optimism_trap()
    return {"the hard template": (template, 0.1, "repaired"),
            "the compact bandit": (instances.compact_bandit(3, 4, (2, 2), 0.3), 0.1, "repaired"),
            "the trap, repaired algorithm": (trapped, ACCURACY, "repaired"),
            "the trap, printed algorithm": (trapped, ACCURACY, "as-printed")}


def edges(mdp: LinearMDP, layers: int) -> list[list[int]]:
    """[h, s, a, t] for every transition that can happen between two of the first layers, from 0."""
    found, here = [], mdp.initial > 0
    for h in range(layers - 1):
        following = np.zeros(mdp.n_states, bool)
        for s in np.flatnonzero(here):
            for a in np.flatnonzero(mdp.available[h][s]):
                row = mdp.transition_rows(h, np.array([s]), np.array([a]))[0] > MET
                following |= row
                found += [[h, int(s), int(a), int(t)] for t in np.flatnonzero(row)]
        here = following
    return found


def replayed(mdp: LinearMDP, epsilon: float, version: str) -> dict:
    """One run: its trace, and which transitions each deployed policy takes."""
    budget = constants.deployments_layerwise(mdp.dim, mdp.horizon, TRADE_OFF)
    outcome = layerwise_exploration(Deployer(mdp, SIZE, budget, seed=1), epsilon, CONFIDENCE, version=version)
    layers = min(DRAWN, mdp.horizon)
    drawn, steps = edges(mdp, layers), []
    for row, record in zip(trace_rows(mdp, outcome), outcome.trace, strict=True):
        met = planning.occupancy(mdp, record.policy) > MET
        steps.append({"layer": row["layer"], "statistic": row["statistic"], "threshold": row["threshold"],
                      "value": round(row["value"], 9),
                      "taken": [i for i, (h, s, a, _) in enumerate(drawn) if met[h, s, a]]})
    return {"horizon": mdp.horizon, "layers": layers, "budget": budget, "batch_size": SIZE, "epsilon": epsilon,
            "states": list(mdp.state_names or map(str, range(mdp.n_states))), "edges": drawn, "steps": steps,
            "best": round(float(planning.optimal(mdp).value), 9),
            "loss": max(0.0, round(float(planning.gap(mdp, outcome.policy)), 9))}


@cache
def replay() -> dict:
    """Name -> run, for every instance that is shown."""
    return {name: replayed(*chosen) for name, chosen in shown_instances().items()}


# ------------------------------------------------------------------------------------------ geometry of the cap


def rotated_trap(cosine: float, sine: float, reward: float = 0.8) -> LinearMDP:
    """The trap with f = (cosine, sine) in the plane of e = e1 and e2; e is worth 8 `reward`, f is worth 8.

    Raises
    ------
    InvalidInstance
        Beyond arctan(4/3) from e or from its opposite: then the measures are longer than Assumption 1 allows.
    """
    mdp = instances.optimism_trap()
    c, e, far = (mdp.state_names.index(name) for name in "CEF")
    phi, mu, theta = mdp.phi.copy(), mdp.mu.copy(), mdp.theta.copy()
    phi[:, c, 1, :2] = phi[:, far, 0, :2] = cosine, sine
    mu[:, 1, e], mu[:, 1, far] = -cosine / sine, 1 / sine
    theta[2:, :2] = reward, (1 - reward * cosine) / sine
    return LinearMDP(phi, mu, theta, mdp.initial, mdp.available, state_names=mdp.state_names,
                     action_names=mdp.action_names)


@cache
def cap() -> dict:
    """What the printed algorithm returns when f is turned; the last angle is that of the trap."""
    rows = []
    for degrees in (60, 75, 90, 105, 120, 123, 124, 125, 126, math.degrees(math.acos(-0.6))):
        mdp = rotated_trap(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
        rows.append({"angle": degrees} | run_on(mdp, "as-printed"))
    return {"horizon": 10, "best": 8, "limit": math.degrees(math.acos(-0.6)), "runs": rows}


def dial() -> dict:
    """Names of the versions and the failure probability; the sizes themselves are computed in the page."""
    return {"delta": CONFIDENCE, "names": STEP_NAMES}


def lost_optimism() -> dict:
    """The film of `derl.show.layerwise.optimism`."""
    return optimism.lost_optimism()
