"""These checks refute Lemma C.5 and Theorem 4.1 as printed on one instance, and establish Lemma C.5 with the cap moved.

The instance is the optimism trap, an MDP with rational entries (d = 7, H = 10, K = 421). The printed algorithm is
replayed in ball arithmetic at the listed N, up to 10^100, so that the result holds for all likely batches. The replayed
policies have a deterministic tail, which the text of the section allows. The repaired algorithm is also run in float64.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np

from derl.algorithms import layerwise_exploration
from derl.claims import Evidence, claim
from derl.deployment import Deployer
from derl.exact.balls import bonus_scale
from derl.mdp import exact, instances, planning
from derl.theory import constants
from derl.theory.layerwise import replay

EPSILON, DELTA = Fraction(1, 5), Fraction(1, 10)
DEPLOYMENTS = 6 * 7 * 10 + 1  # c_K dH + 1 with c_K = 6
RUNS = ((10**12, 1), (10**12, 5), (10**18, 1), (10**40, 5), (10**40, 10**6), (10**100, 10**30))  # N, c_beta
DECISIVE = ((10**40, 10**6),)  # at which the balls settle the repaired run as well
OPEN = ((10**40, 1), (10**40, 5))
SHOWN = ", ".join(f"({size:.0e}, {c_beta:g})" for size, c_beta in RUNS)
SUITE = ("random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3",
         "hard_template:d=3,horizon=4,optimal_layer=3,optimal_index=1,cores=0,epsilon=0.3",
         "compact_bandit:d=6,horizon=4,arm=2,bias=0.3", "optimism_trap")
SEEDS = (0, 1, 2)


@lru_cache(maxsize=4)
def _replays(toothless: bool, version: str, runs) -> tuple[replay.Replay, ...]:
    """The run on the trap for each N and c_beta."""
    trap = instances.optimism_trap(exact=True)
    theta = trap.theta.copy()
    if toothless:  # e_3 pays only 1/2 in layer 7: then the true best arm is found before the trap can close
        theta[6, 2] = Fraction(1, 2)
    model = replay.Model(trap.phi, trap.mu, theta, trap.available)
    return tuple(replay.replay(model, n_trajectories, DEPLOYMENTS, EPSILON, bonus_scale(
        trap.dim, trap.horizon, EPSILON, DELTA, Fraction(c_beta)), version) for n_trajectories, c_beta in runs)


def _worst_replay(quantity: str, toothless: bool, version: str, runs):
    """The smallest certified value of a quantity over all N and c_beta, and the largest exceptional probability.

    A run that does not end by its own rule, or whose exceptional batches are not rarer than delta/2, counts as 0.
    """
    worst, exception = None, -np.inf
    for run in _replays(toothless, version, runs):
        counts = run.converged and run.log_exception < float(np.log(float(DELTA / 2)))
        value = getattr(run, quantity) if counts else Fraction(0)
        worst = value if worst is None else min(worst, value)
        exception = max(exception, run.log_exception)
    return worst, exception


@claim("lem-overestimation", method="interval", arithmetic="ball", covers="the listed N and c_beta",
       gap="every c_beta and N: `every_bonus`", refutes=True, needs="rigor",
       false={"e_3 pays 1/2 in layer 7: the run tries f": {"toothless": True, "runs": OPEN}},
       as_corrected={"the repaired backup, on the same trap": {"version": "repaired", "runs": DECISIVE}})
def printed_values_are_not_optimistic(text, toothless=False, version="as-printed", runs=RUNS):
    """Optimistic values below the true ones: Replays the printed algorithm on the trap in ball arithmetic; V* - V^k at
    the first state, from below."""
    deficit, exception = _worst_replay("deficit", toothless, version, runs)
    best = exact.optimal(instances.optimism_trap(exact=True)).value
    low, high = text.relation(r"V_1^*(s_1^{kn}\mid h_k)", {r"V_1^*(s_1^{kn}\mid h_k)": best,
                                                             "V_1^k(s_1^{kn})": best - deficit}).ordered
    return Evidence(low - high, Fraction(1, 5), "lower", f"(N, c_beta) in {SHOWN}, tail the first action, all batches "
                    f"but those of probability exp({exception:.0f})", detail="d = 7, H = 10, V* = 8")


@claim("thm-layerwise", method="interval", arithmetic="ball", covers="the listed N and c_beta",
       gap="every c_beta and N: `every_bonus`", refutes=True, needs="rigor",
       false={"e_3 pays 1/2 in layer 7: the run tries f": {"toothless": True, "runs": OPEN}},
       as_corrected={"the repaired backup, on the same trap": {"version": "repaired", "runs": DECISIVE}})
def printed_algorithm_fails_on_the_trap(text, toothless=False, version="as-printed", runs=RUNS):
    """The printed algorithm returns a 6/25-suboptimal policy: Replays the printed algorithm in ball arithmetic: same
    policy for all likely batches, exact suboptimality."""
    gap, exception = _worst_replay("gap", toothless, version, runs)
    claimed = text("", after="returns an", epsilon=EPSILON)
    within = DEPLOYMENTS <= text("K=", c_K=6, d=7, H=10)
    rare = np.exp(exception) < 1 - text("", after="with probability at least", delta=DELTA)
    return Evidence(gap if within and rare else 0, claimed * Fraction(6, 5), "lower",
                    f"epsilon = 1/5, delta = 1/10, K = {DEPLOYMENTS}, (N, c_beta) in {SHOWN}, tail the first action, "
                    f"all batches but those of probability exp({exception:.0f})")


@claim("lem-overestimation-repaired", method="exhaustive", covers="one layer of the induction, on a grid",
       gap="a grid, and the induction: Coq proves the whole",
       false={"rewards up to 2, which Assumption 1 allows from d = 4 on": {"largest_reward": 2}},
       as_printed={"the printed cap on the bonus": {"capped": True}})
def repaired_backup_keeps_both_inequalities(text, capped=False, largest_reward=None):
    """Optimism and the bound on the gap, in one layer: Least room in Q >= r + P V* and in Q - r - P V <= 2 beta b, for
    H = 3 and the largest errors that the text allows, below and at the cap.

    `largest_reward` is that of the text, unless it is given.
    """
    H, norm, rewards = 3, r"\|\phi\|_{(\Lambda_h^k)^{-1}}", text.interval(after="with rewards in")
    room = [-rewards.low]  # all rewards from 0 on
    most = rewards.high if largest_reward is None else largest_reward
    for b, sign, lead, best, reward in product((0, 1, 5), (-1, 0, 1), (0, 1), (0, (H - 1) * most), (rewards.low, most)):
        error = sign * text(r"|\phi^\top w_h^k-P_hV_{h+1}^k|\le", {norm: b}, beta=1)
        Q = text("Q_h^k=", {r"(w_h^k)^\top\phi": best + lead + error, "r_h": reward, norm: min(b, H) if capped else b},
                 beta=1, H=H)  # best = P V*, lead = P V - P V*
        room += [Q - reward - best, 2 * b - (Q - reward - best - lead)]
    return Evidence(min(room), 0, "lower", f"H = 3, {len(room) // 2} settings of the numbers")


def _runs(version: str, batch_size: int):
    """Exact suboptimality and share of the deployment bound for every instance and seed."""
    for spec in SUITE:
        mdp = instances.from_spec(spec)
        bound = constants.deployments_layerwise(mdp.dim, mdp.horizon, 2)
        for seed in SEEDS:
            deployer = Deployer(mdp, batch_size=batch_size, max_deployments=bound, seed=seed)
            outcome = layerwise_exploration(deployer, float(EPSILON), float(DELTA), version=version)
            yield planning.gap(mdp, outcome.policy), outcome.deployments / bound, outcome.converged


@claim("thm-layerwise-repaired", method="run", arithmetic="float64", covers="runs far below the proved N",
       gap="4 instances, 3 seeds each, N = 1e12, c_beta = 1",
       as_printed={"the algorithm as printed": {"version": "as-printed"}})
def repaired_runs_are_near_optimal(version="repaired"):
    """Largest suboptimality over all runs: Runs the algorithm on four instances, the trap among them; the suboptimality
    is computed exactly by planning."""
    gaps = [gap for gap, _, converged in _runs(version, 10**12)]
    return Evidence(max(gaps), float(EPSILON), "upper", f"{len(gaps)} runs, N = 1e12, epsilon = 1/5, seeds {SEEDS}")


@claim("thm-layerwise-repaired", method="run", covers="runs far below the proved N", gap="the same runs", tier="full",
       false={"N = 100, far below the theorem's": {"batch_size": 100}})
def repaired_runs_stop_in_time(batch_size=10**12):
    """Deployments within c_K dH + 1 with c_K = 2: Counts the runs that stop by their own rule within 2dH + 1
    deployments."""
    outcomes = [converged for *_, converged in _runs("repaired", batch_size)]
    return Evidence(sum(outcomes), len(outcomes), "identity", f"{len(outcomes)} runs, c_K = 2")
