r"""Algorithm 1: Lemma C.5 and Theorem 4.1.

Lemma C.5 as printed caps the bonus, u = min(beta b, H) with b = |phi|_{Lambda^{-1}}, before adding it to w^T phi. In a
direction without data w^T phi may be as low as about -H, and then no bonus of size H lifts Q to Q*. On the trap, an MDP
with rational entries, every likely run of the printed algorithm ends with optimistic values below the true ones and
with a policy that is 6/25-suboptimal at epsilon = 1/5.

The repaired backup Q = min(w^T phi + r + beta b, H) keeps both inequalities. Let e = w^T phi - P V^k, |e| <= beta b.

    optimism:   w^T phi + beta b = P V^k + (e + beta b) >= P V^k >= P V*     (induction over layers: V^k >= V* at h+1)
                and min(., H) keeps the order, so Q >= min(P V* + r, H) = Q*, because r <= 1 gives Q* <= H.
    second:     Q - r - P V^k <= e + beta b <= 2 beta b, so with a = pi(s)
                V_h^k - V_h^pi <= 2 beta b + P (V_{h+1}^k - V_{h+1}^pi): sum over the layers and take the expectation.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from derl.algorithms import layerwise_exploration
from derl.claims.evidence import Evidence, steps
from derl.claims.registry import check, control
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.theory import constants, replay

EPSILON, DELTA = Fraction(1, 5), Fraction(1, 10)
BATCH_SIZES = (10**12, 10**18, 10**40)
C_BETAS = (1, 5)
SUITE = ("random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3",
         "hard_template:d=3,horizon=4,optimal_layer=3,optimal_index=1,cores=0,epsilon=0.3",
         "compact_bandit:d=6,horizon=4,arm=2,bias=0.3", "optimism_trap")
SEEDS = (0, 1, 2)


def _worst_replay(quantity: str, toothless: bool, version: str):
    """The smallest certified value of a quantity over all N and c_beta, and the largest exceptional probability."""
    trap = instances.optimism_trap(exact=True)
    theta = trap.theta.copy()
    if toothless:  # e_3 pays only 1/2 in layer 7: then the true best arm is found before the trap can close
        theta[6, 2] = Fraction(1, 2)
    worst, exception = None, -np.inf
    for n_trajectories in BATCH_SIZES[-1:] if toothless else BATCH_SIZES:
        for c_beta in C_BETAS:
            run = replay.replay(trap.phi, trap.mu, theta, trap.available, n_trajectories, 6 * 7 * 10 + 1, EPSILON,
                                DELTA, Fraction(c_beta), version)
            value = getattr(run, quantity)
            worst = value if worst is None else min(worst, value)
            exception = max(exception, run.log_exception)
    return worst, exception


@check("lem-overestimation", method="interval", arithmetic="ball", covers="everything", gap="none", refutes=True,
       needs="rigor", title="Optimistic values below the true ones")
def printed_values_are_not_optimistic(toothless=False, version="as-printed") -> Evidence:
    """Replays the printed algorithm on the trap in ball arithmetic; V* - V^k at the first state, from below."""
    deficit, exception = _worst_replay("deficit", toothless, version)
    return Evidence(deficit, Fraction(1, 5), "lower", f"N in {BATCH_SIZES}, c_beta in {C_BETAS}, all batches but those "
                    f"of probability exp({exception:.0f})", detail="d = 7, H = 10, V* = 8")


@control(of=printed_values_are_not_optimistic, plants="a reward with which the trap does not close")
def harmless_reward_for_values():
    return {"toothless": True}


@check("thm-layerwise", method="interval", arithmetic="ball", covers="everything", refutes=True, needs="rigor",
       gap="none", title="The printed algorithm returns a 6/25-suboptimal policy")
def printed_algorithm_fails_on_the_trap(toothless=False, version="as-printed") -> Evidence:
    """Replays the printed algorithm in ball arithmetic: same policy for all likely batches, exact suboptimality."""
    gap, exception = _worst_replay("gap", toothless, version)
    return Evidence(gap, EPSILON + Fraction(1, 100), "lower", f"epsilon = 1/5, delta = 1/10, N in {BATCH_SIZES}, "
                    f"c_beta in {C_BETAS}, all batches but those of probability exp({exception:.0f})")


@control(of=printed_algorithm_fails_on_the_trap, plants="a reward with which the trap does not close")
def harmless_reward_for_policy():
    return {"toothless": True}


@check("lem-overestimation-repaired", method="symbolic", arithmetic="exact", covers="everything",
       gap="the induction over layers is written out in the text, one layer of it is checked",
       title="Optimism and the bound on the gap, layer by layer")
def repaired_backup_keeps_both_inequalities(capped=False) -> Evidence:
    """One layer of the induction with every quantity symbolic; nonnegative slacks stand for the hypotheses."""
    norm_term, slack, lead, reward, next_best, over = sympy.symbols("bb u v r PV t", nonnegative=True)
    cap = sympy.Symbol("H", positive=True)
    error = -norm_term + slack  # e >= -beta b
    next_optimistic = next_best + lead  # P V^k >= P V*
    bonus = sympy.Min(norm_term, cap) if capped else norm_term
    uncapped = next_optimistic + error + reward + bonus
    upper_error = norm_term - sympy.Symbol("w", nonnegative=True)  # e <= beta b
    excess = 2 * norm_term - (upper_error + bonus)
    y = sympy.Symbol("y", real=True)
    return steps([
        ("w^T phi + r + bonus >= r + P V*", sympy.expand(uncapped - reward - next_best).is_nonnegative is True),
        ("min(., H) keeps the order, below the cap", sympy.expand((y + over) - y).is_nonnegative is True),
        ("min(., H) keeps the order, across the cap: y = H - t", (cap - (cap - over)).is_nonnegative is True),
        ("Q - r - P V^k <= 2 beta b", sympy.expand(excess).is_nonnegative is True),
    ], "one layer, all real values; induction over the layers in the text")


@control(of=repaired_backup_keeps_both_inequalities, plants="the printed cap on the bonus")
def printed_cap():
    return {"capped": True}


def _runs(version: str, batch_size: int):
    """Exact suboptimality and share of the deployment bound for every instance and seed."""
    for spec in SUITE:
        mdp = instances.from_spec(spec)
        bound = constants.deployments_layerwise(mdp.dim, mdp.horizon, 2)
        for seed in SEEDS:
            deployer = Deployer(mdp, batch_size=batch_size, max_deployments=bound, seed=seed)
            outcome = layerwise_exploration(deployer, float(EPSILON), float(DELTA), version=version)
            yield planning.gap(mdp, outcome.policy), outcome.deployments / bound, outcome.converged


@check("thm-layerwise-repaired", method="run", arithmetic="float64", covers="everything",
       gap="4 instances, 3 seeds each, N = 1e12, c_beta = 1; the proof of concentration is not part of this check",
       title="Largest suboptimality over all runs")
def repaired_runs_are_near_optimal(version="repaired") -> Evidence:
    """Runs the algorithm on four instances, the trap among them; the suboptimality is computed exactly by planning."""
    gaps = [gap for gap, _, converged in _runs(version, 10**12)]
    return Evidence(max(gaps), float(EPSILON), "upper", f"{len(gaps)} runs, N = 1e12, epsilon = 1/5, seeds {SEEDS}")


@control(of=repaired_runs_are_near_optimal, plants="the algorithm as printed")
def printed_version():
    return {"version": "as-printed"}


@check("thm-layerwise-repaired", method="run", arithmetic="exact", covers="everything",
       gap="the same runs", title="Deployments within c_K dH + 1 with c_K = 2")
def repaired_runs_stop_in_time(batch_size=10**12) -> Evidence:
    """Counts the runs that stop by their own rule within 2dH + 1 deployments."""
    outcomes = [converged for *_, converged in _runs("repaired", batch_size)]
    return Evidence(sum(outcomes), len(outcomes), "identity", f"{len(outcomes)} runs, c_K = 2")


@control(of=repaired_runs_stop_in_time, plants="N = 100, far below the theorem's")
def too_few_trajectories():
    return {"batch_size": 100}
