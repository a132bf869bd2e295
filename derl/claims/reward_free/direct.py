"""These checks establish that reward-free exploration needs no more than a known reward, up to a factor of 16.

One layer of both inductions is taken with a nonnegative slack for each hypothesis. Runs on three instances explore once
and plan for many rewards.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import sympy

from derl.algorithms import reward_free_planning
from derl.algorithms.reward_free import reward_free_direct_exploration
from derl.claims import Evidence, claim, steps
from derl.claims.reward_free.direct_theorem import plan_against_w
from derl.deployment import Deployer
from derl.exact.compared import exactly
from derl.exact.symbolic import at_least, equal, nonnegative
from derl.mdp import instances, planning

SUITE = ("random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3",
         "compact_bandit:d=5,horizon=3,arm=2,bias=0.3", "lock:d=3,horizon=3,digits=1-2-0,bias=0.3")
EPSILON, DELTA, BATCH_SIZE = 0.2, 0.1, 10**12
REWARDS, SEED = 60, 20220601
QUARTER = sympy.Rational(1, 4)


@claim("res-reward-free-direct", plants=6,
       false={"one bonus less: with D = 0, b = 1, error -beta b, W = beta b < D = 2 beta b": {"bonuses": -1}})
def uncertainty_bounds_every_loss(text, bonuses=0):
    """The uncertainty bounds every loss, and the statistic bounds the uncertainty: Base and layer of both inductions
    with nonnegative slacks; then the stopping rule and the level."""
    epsilon, H, beta = sympy.symbols("epsilon H beta", positive=True)
    c, layer = text(r"c_K\ge") + sympy.Symbol("t", nonnegative=True), sympy.Symbol("h", positive=True)
    share = text(r"\Delta_k<", h=layer, H=H, epsilon=epsilon) * H / (layer * epsilon)
    statistic = r"\mathbb E_{\pi_k}[2\beta\sum\|\phi\|_{\Lambda^{-1}}]\le"
    stop = 2 * text(statistic, {r"\Delta_k": share * epsilon}, epsilon=epsilon)
    level = (share * epsilon / (2 * H * beta)) ** 2  # 2 beta mean b >= share epsilon/H
    known_reward = (epsilon / (4 * H * beta)) ** 2
    factor = text(r"W_h=", {r"w^\top\phi": 0, r"\|\phi\|_{\Lambda^{-1}}": 1}, beta=1, H=sympy.oo) + bonuses
    *through, last = plan_against_w(factor)
    return steps([
        "every loss", *through,
        "statistic", last,
        ("W_1 <= 2 (Delta + slack) <= epsilon", at_least(epsilon, stop, epsilon)),
        "batch size",
        ("the level of the text",
         equal(level, text("", after="a layer is violated is", epsilon=epsilon, H=H, beta=beta))),
        ("a quarter of that for a known reward", exactly(sympy.simplify(level / known_reward), QUARTER)),
        ("N grows by 4^{c/(c-1)}, at most the factor of the text",
         nonnegative(sympy.simplify(sympy.log(text("", after="by at most a factor", numbers=sympy.Rational), 4)
                                    - c / (c - 1)), *c.free_symbols)),
        ("Algorithm 3 needs the square of 2H + 1 in the level", equal(
            text("", after="Algorithm 3 needs a factor", H=H, c_K=c), (2 * H + 1) ** (2 * c / (c - 1)))),
    ], "all layers, all real values; every H, beta, epsilon, c_K >= 2")


@claim("res-reward-free-direct", method="run", arithmetic="float64", covers="three instances, sixty rewards each",
       gap="a sample of rewards", tier="full",
       false={"a threshold 10^6 times larger in the exploration": {"accuracy": EPSILON * 10**6},
              "planning without the data": {"kept": 0}})
def losses_on_runs(kept=1.0, accuracy=EPSILON):
    """Largest loss over random and extreme rewards: Explores once, plans for many rewards, and computes each
    suboptimality exactly."""
    worst = 0.0
    for spec in SUITE:
        mdp = instances.from_spec(spec)
        deployer = Deployer(mdp, BATCH_SIZE, 4 * mdp.dim * mdp.horizon + 1, seed=1)
        outcome = reward_free_direct_exploration(deployer, accuracy, DELTA)
        dataset = outcome.dataset
        if kept == 0:  # what a planner without data would do
            dataset = replace(dataset, counts=np.zeros_like(dataset.counts))
        rng = np.random.default_rng(np.random.SeedSequence(SEED))
        for k in range(REWARDS):
            theta = rng.random((mdp.horizon, mdp.dim)) if k % 2 else rng.integers(0, 2, (mdp.horizon, mdp.dim))
            rewarded = mdp.with_reward(theta / max(1.0, np.abs(mdp.phi @ theta[:, None, :, None]).max()))
            policy = reward_free_planning(dataset, rewarded.theta).policy
            worst = max(worst, planning.gap(rewarded, policy) if outcome.converged else np.inf)
    return Evidence(worst, EPSILON, "upper", f"{len(SUITE)} instances, {REWARDS} rewards each, N = 1e12, seed {SEED}")
