"""These checks establish that each deployment of Algorithm 7 with a pessimist is nearly as good as the one before.

The symbolic check takes constraint (c) for all deployments at once. Runs on five instances evaluate every deployed
mixture exactly by planning, with Algorithm 1 and with Algorithm 2 as the optimist.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import sympy

from derl.algorithms import Outcome, safe_mixture
from derl.claims import Evidence, claim, steps
from derl.deployment import Deployer
from derl.exact.symbolic import at_least, equal
from derl.mdp import LinearMDP, exact, instances, planning
from derl.mdp.instances import corridor
from derl.theory import constants
from derl.theory.safety.mixture import largest_drop

SPECS = ("random_simplex:n_states=8,n_actions=3,dim=4,horizon=4,seed=3", "lock:d=3,horizon=3,digits=1-2-0,bias=0.3",
         "compact_bandit:d=6,horizon=4,arm=2,bias=0.3", "optimism_trap")
ARBITRARY_SPECS = ("random_simplex:n_states=8,n_actions=3,dim=3,horizon=3,seed=3",
                   "lock:d=2,horizon=3,digits=1-0-1,bias=0.3")
SEEDS = (0, 1, 2)
EPSILON, DELTA, BATCH_SIZE = 0.2, 0.1, 10**14


@cache
def suite() -> tuple[LinearMDP, ...]:
    """The corridor and four instances of other families."""
    return corridor(), *map(instances.from_spec, SPECS)


def deployed_values(mdp: LinearMDP, outcome: Outcome) -> np.ndarray:
    """Exact J of every deployed mixture, shape (K,)."""
    return np.array([planning.evaluate(mdp, record.policy).value for record in outcome.trace])


@cache
def run(mdp: LinearMDP, alpha: float, seed: int, batch_size: int = BATCH_SIZE, optimistic="layerwise") -> Outcome:
    """One run within the deployments of Theorem 4.1 at c_K = 2, or within H for Algorithm 2."""
    bound = mdp.horizon if optimistic == "arbitrary" else constants.deployments_layerwise(mdp.dim, mdp.horizon, 2)
    deployer = Deployer(mdp, batch_size, bound, "any", seed=seed)
    return safe_mixture(deployer, EPSILON, DELTA, alpha, optimistic)


@claim("res-mixture-constraint", false={"a third of epsilon for the pessimist, with the same N": {"halves": 3}})
def constraint_holds_in_all_deployments(text, halves=2):
    """Two halves of epsilon, and Markov's inequality: At the N that Markov's inequality requires, J(pi_k) >=
    J(pi_{k-1}) - L - alpha H, with a slack for each bound."""
    epsilon, H, beta, d, K, delta = sympy.symbols("epsilon H beta d K delta", positive=True)
    before, gain, loss, slack, spare, regret = sympy.symbols("J g L s t r", nonnegative=True)
    alpha = text(r"\alpha\le", epsilon=epsilon, H=H + slack)
    cautious = before - loss + gain  # the pessimist's promise
    mixture = cautious - alpha * H + regret  # Property F.1
    half = loss + spare  # L <= epsilon/2
    drop = (before - mixture).subs(epsilon, 2 * half)
    size = text(r"N+1\ge", d=d, beta=beta, H=H, K=K, delta=delta, epsilon=epsilon)
    allowed = -text(r"J(\pi_{k+1})\ge", {r"J(\pi_k)": 0}, epsilon=2 * half)
    mean = 2 * beta * H * sympy.sqrt(d / size)
    return steps([
        "drop",
        ("J(pi_{k-1}) - J(pi_k) <= epsilon",
         at_least(allowed, drop, loss, spare, gain, regret, H, slack)),
        "all deployments",
        ("K times E L over epsilon/2 is delta",
         equal(K * mean / (epsilon / halves), text("", after="with probability at most", delta=delta))),
        ("sqrt(d/(N+1)) falls in N", at_least(1 / (1 + spare), 1 / (1 + spare + slack), spare, slack)),
    ], "all d, H, K, epsilon, delta, beta; alpha <= epsilon/(2H), N + 1 >= d (4 beta H K/(delta epsilon))^2")


@claim("res-mixture-constraint", method="run", arithmetic="float64", covers="constraint (c)",
       gap="five instances, three seeds, N = 1e14", title="Largest drop from one deployment to the next",
       false={"alpha = 1/2": {"alpha": 0.5}})
@claim("res-safe-mixture", method="run", arithmetic="float64", covers="constraint (c)",
       gap="constraint (c): five instances, three seeds, N = 1e14",
       title="Largest drop from one deployment to the next")
def no_deployment_falls_behind(alpha=None):
    """Constraint (35): the largest J(pi_i) - J(pi_{i+1}) of the deployed mixtures, each J computed by planning."""
    worst, where = 0.0, ""
    for mdp in suite():
        for seed in SEEDS:
            share = EPSILON / (2 * mdp.horizon) if alpha is None else alpha
            drop = largest_drop(deployed_values(mdp, run(mdp, share, seed)))
            worst, where = max((worst, where), (drop, f"{mdp.info['family']}, seed {seed}"))
    return Evidence(worst, EPSILON, "upper", f"{len(suite()) * len(SEEDS)} runs, alpha = epsilon/(2H) unless planted, "
                    f"epsilon = {EPSILON}", detail=f"worst: {where}")


@claim("res-safe-mixture", method="run", covers="constraint (c) on one instance",
       gap="the corridor, where no transition is random",
       false={"alpha = 3/50, three times as much": {"factor": Fraction(3)}})
def exact_drop_on_the_corridor(factor=Fraction(1)):
    """The drop in rational numbers: The policies of a run, evaluated in fractions with alpha = factor epsilon/(2H): the
    drop is 4 alpha."""
    mdp, horizon = corridor(exact=True), 5
    alpha = factor * Fraction(1, 5) / (2 * horizon)
    trace = run(suite()[0], float(alpha), 0).trace
    values = [(1 - alpha) * exact.evaluate(mdp, r.pessimistic).value + alpha * exact.evaluate(mdp, r.optimistic).value
              for r in trace]
    drop = max(a - b for a, b in zip(values, values[1:], strict=False))
    return Evidence(drop, Fraction(1, 5), "upper", f"{len(trace)} deployments, H = 5, epsilon = 1/5, alpha = {alpha}")


@claim("res-safe-mixture", method="run", arithmetic="float64", covers="five instances at a smaller N",
       gap="five instances, three seeds, N = 1e14",
       false={"N = 10^6, too small for a fraction alpha of it": {"batch_size": 10**6, "seeds": (0,)}})
def runs_finish_near_the_optimum(batch_size=BATCH_SIZE, seeds=SEEDS):
    """Runs that finish in time, near the optimum, safely: Runs that end by the optimist's rule within 2dH + 1
    deployments, epsilon-optimal, with no drop above epsilon."""
    good = total = 0
    for mdp in suite():
        for seed in seeds:
            outcome = run(mdp, EPSILON / (2 * mdp.horizon), seed, batch_size)
            safe = largest_drop(deployed_values(mdp, outcome)) <= EPSILON
            good += outcome.converged and safe and planning.gap(mdp, outcome.policy) <= EPSILON
            total += 1
    return Evidence(good, total, "identity", f"{total} runs, N = {batch_size:.0e}, alpha = epsilon/(2H)")


@claim("res-safe-mixture-arbitrary", method="run", arithmetic="float64", covers="runs of the rule without nu_min",
       gap="two instances, three seeds, N = 1e16",
       false={"N = 10^4: Algorithm 2 cannot vouch for its data": {"batch_size": 10**4}})
def arbitrary_policies_as_the_optimist(batch_size=10**16, alpha=0.03):
    """H deployments, each nearly as good as the one before: Runs with Algorithm 2 inside: H deployments, largest drop
    and final gap within epsilon."""
    good = total = 0
    for spec in ARBITRARY_SPECS:
        mdp = instances.from_spec(spec)
        for seed in SEEDS:
            outcome = run(mdp, alpha, seed, batch_size, "arbitrary")
            drop = largest_drop(deployed_values(mdp, outcome))
            good += outcome.converged and max(drop, planning.gap(mdp, outcome.policy)) <= EPSILON
            total += 1
    return Evidence(good, total, "identity", f"{total} runs, alpha = {alpha}, exactly H deployments")
