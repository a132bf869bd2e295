r"""Algorithms 5 and 6, and the first layer of Algorithm 2: exact identities, exact examples, runs.

**Algorithm 6.** With the true transitions in place of the regression, 2V - 1 is the covariance: an identity,
checked in fractions. On data, the forward and the backward pass are one product of matrices in two
bracketings, checked in fractions as well; and on runs the error stays below 2 beta' max_pi E_pi sum
|phi_t|_{Sigma_t^{-1}} in every layer.

**Algorithm 5.** Optimism and the bound on the greedy policy, with U = max_pi E_pi sum |phi_t|_{Sigma_t^{-1}},
V* <= V <= V^pi + 2 beta' U, on sampled data of several sizes; Lemma E.2's accuracy of the discretised Q in
fractions.

**The first layer.** phi phi^T <= 1.1 d G_s turns every policy into the design: with Lambda = E G_{s_1},
tr((L I + N Lambda)^{-1} 1.1 d Lambda) <= 1.1 d^2/N, eigenvalue by eigenvalue.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from derl.algorithms.arbitrary_audit import best_value
from derl.algorithms.discretisation import exact_optq, exact_regression
from derl.algorithms.first_layer import state_designs
from derl.algorithms.solve_optq import prepare, solve_optq, uncertainty_reward
from derl.claims import arbitrary_runs
from derl.claims.arbitrary_runs import DELTA, described, instance, runs
from derl.claims.evidence import Evidence, steps
from derl.claims.registry import check, control
from derl.claims.symbolic import nonnegative
from derl.deployment import deploy_counts
from derl.estimation.covariance import backward_pass, chosen_features, forward_pass
from derl.estimation.design import Design, fit
from derl.mdp import exact, planning, policies
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.constants_arbitrary import regression_scale

SIZES = (10**2, 10**4, 10**8)


# --- Algorithm 6 -------------------------------------------------------------------------------------------------

@check("alg-covariance", method="exhaustive", arithmetic="exact", covers="the limit of infinitely many data",
       gap="one rational instance, four policies", title="With the true transitions it is the covariance")
def limit_is_the_covariance(factor=2) -> Evidence:
    """Largest entry of |2V - 1 - E phi phi^T| in fractions, the regression replaced by the true measures."""
    mdp, worst = instance("simplex"), Fraction(0)
    designs = [Design(None, mu) for mu in mdp.mu[:-1]]
    for action in range(mdp.n_actions):
        policy = np.full((mdp.horizon, mdp.n_states), action)
        policy[:, ::2] = (action + 1) % mdp.n_actions
        estimate = backward_pass(chosen_features(mdp.phi, policy), designs, mdp.initial)
        estimate = (estimate + 1) * Fraction(factor, 2) - 1
        weights = exact.occupancy(mdp, policy)[-1].reshape(-1, 1)
        rows = mdp.phi[-1].reshape(-1, mdp.dim)
        worst = max(worst, abs(estimate - (rows * weights).T @ rows).max())
    return Evidence(worst, 0, "identity", "random simplex, d = 3, H = 3, deterministic policies")


@control(of=limit_is_the_covariance, plants="3V - 1 in place of 2V - 1")
def wrong_scaling():
    return {"factor": 3}


@check("alg-covariance", method="exhaustive", arithmetic="exact", covers="forward and backward pass on the same data",
       gap="one rational instance, sampled counts", title="One forward pass gives all entries")
def forward_pass_is_the_backward_pass(shifted=True) -> Evidence:
    """Largest difference of the two passes in fractions; no clip is active on these data."""
    mdp = instance("simplex")
    rng = np.random.default_rng(np.random.SeedSequence(6))
    counts = deploy_counts(mdp.to_float(), policies.uniform(mdp), 10**6, rng).counts
    designs = [Design(None, exact_regression(mdp.phi[h], counts[h])[1]) for h in range(mdp.horizon - 1)]
    features = chosen_features(mdp.phi, np.ones((mdp.horizon, mdp.n_states), int))
    difference = backward_pass(features, designs, mdp.initial) - forward_pass(features, designs, mdp.initial, shifted)
    return Evidence(abs(difference).max(), 0, "identity", "random simplex, d = 3, H = 3, N = 1e6")


@control(of=forward_pass_is_the_backward_pass, plants="the defect of the total mass left out")
def without_the_shift():
    return {"shifted": False}


@check("alg-covariance", method="run", arithmetic="float64", covers="everything",
       gap="three instances, the policies that Algorithm 2 meets", title="Error over its bound, every layer")
def covariance_error_within_its_bound(share=1.0) -> Evidence:
    """Largest entry of |estimate - E phi phi^T| over its bound; the exact covariances come from planning."""
    found = runs("repaired") + runs("squared")
    ratios = [error / (share * bound) for r in found
              for error, bound in zip(r.audit.covariance_error, r.audit.covariance_bound, strict=True) if bound > 0]
    return Evidence(max(ratios), 1.0, "upper", described("repaired, squared", found))


@control(of=covariance_error_within_its_bound, plants="a bound ten thousand times smaller")
def tiny_bound():
    return {"share": 1e-4}


# --- Algorithm 5 -------------------------------------------------------------------------------------------------

@check("alg-solve-optq", method="run", arithmetic="float64", covers="everything",
       gap="two instances, three N, five matrices each", title="V* <= V <= V^pi + 2 beta' U")
def optimistic_and_nearly_greedy(c_beta=1.0, factor=2.0) -> Evidence:
    """Counts the cases in which both inequalities hold; V* and V^pi are computed in the true MDP, as is the event."""
    good = total = 0
    for name in ("simplex", "lock"):
        mdp = instance(name).to_float()
        for size in SIZES:
            rng = np.random.default_rng(np.random.SeedSequence(5, spawn_key=(size,)))
            counts = deploy_counts(mdp, policies.uniform(mdp), size, rng).counts.astype(float)
            designs = [fit(mdp.phi[h], counts[h]) for h in range(mdp.horizon - 1)]
            beta = c_beta * regression_scale("repaired", mdp.dim, mdp.horizon, DELTA, size)
            problem = prepare(mdp.phi, designs, beta, mdp.initial, mdp.available)
            norms = np.stack([design.norms(phi) for design, phi in zip(designs, mdp.phi, strict=False)])
            loss = factor * beta * best_value(mdp, norms)
            for power in range(5):
                matrix = 2 * np.eye(mdp.dim) + 10**power * np.cov(rng.standard_normal((mdp.dim, 50)))
                good += _both_hold(mdp, problem, uncertainty_reward(problem, matrix), loss)
                total += 1
    return Evidence(good, total, "identity", f"{total} cases, N in {SIZES}, uniform exploration")


def _both_hold(mdp: LinearMDP, problem, reward, loss: float) -> bool:
    solution = solve_optq(problem, reward)
    rewards = np.zeros((mdp.horizon, mdp.n_states, mdp.n_actions))
    rewards[-1] = reward.reshape(mdp.n_states, mdp.n_actions)
    own = float((planning.occupancy(mdp, solution.policy) * rewards).sum())
    slack = 1e-12
    return best_value(mdp, rewards) <= solution.value + slack and solution.value <= own + loss + slack


@control(of=optimistic_and_nearly_greedy, plants="no bonus")
def without_bonus():
    return {"c_beta": 1e-9}


@control(of=optimistic_and_nearly_greedy, plants="a loss of at most beta' U/1000 for the greedy policy")
def without_loss():
    return {"factor": 1e-3}


@check("alg-solve-optq", method="exhaustive", arithmetic="exact", covers="the discretised Q on one data set",
       gap="d = 2, H = 3, N = 40", title="The discretised Q is within epsilon_0")
def discretised_q_is_close(coarser=1) -> Evidence:
    """max |Q - Q~| in fractions, with the grid of Algorithm 5, against epsilon_0 = 1/(2d(N+1))."""
    mdp, size = arbitrary_runs.small_instance(), 40
    rng = np.random.default_rng(np.random.SeedSequence(4))
    counts = deploy_counts(mdp.to_float(), policies.uniform(mdp), size, rng).counts
    matrix = np.array([[Fraction(3), Fraction(1, 2)], [Fraction(1, 2), Fraction(5, 2)]], dtype=object)
    resolution = Fraction(1, 4 * (size + 1))
    found = exact_optq(mdp.phi, counts[:-1], matrix, Fraction(1, 4), coarser * resolution, mdp.initial)
    return Evidence(max(found.distance, found.greedy_loss / 2), resolution, "upper",
                    "random simplex, d = 2, H = 3, N = 40", detail=f"decided with {found.bits} binary digits")


@control(of=discretised_q_is_close, plants="a grid 16 times coarser")
def coarse_grid():
    return {"coarser": 16}


# --- the first layer ---------------------------------------------------------------------------------------------

@check("res-first-layer", method="symbolic", arithmetic="exact", covers="everything",
       gap="matrix Chernoff is cited; the steps between matrices stand in the text",
       title="Every policy is dominated by the design")
def designs_dominate_every_policy(least=1) -> Evidence:
    """Eigenvalue by eigenvalue, with x >= 0 for N lambda and for an eigenvalue of the sampled matrix."""
    x, excess = sympy.symbols("x excess", nonnegative=True)
    spread = least + excess  # L
    return steps([("x/(L + x) <= 1", nonnegative(sympy.together(1 - x / (spread + x)), x, excess)),
                  ("L (1 + x) >= L + x for L >= 1", nonnegative(sympy.expand((spread - 1) * x), x, excess))],
                 "all d, N, all laws of the first state, no reachability")


@control(of=designs_dominate_every_policy, plants="L >= 1/2")
def spread_below_one():
    return {"least": sympy.Rational(1, 2)}


@check("res-first-layer", method="run", arithmetic="float64", covers="the designs", gap="three instances",
       title="Excess of the criterion over all states")
def criterion_on_the_instances(drop=0) -> Evidence:
    """Largest max_a phi^T G_s^{-1} phi / rank G_s, recomputed by least squares from the weights."""
    worst = 0.0
    for name in arbitrary_runs.SUITE:
        mdp = instance(name).to_float()
        weights, _ = state_designs(mdp.phi[0], mdp.available[0])
        for s in range(mdp.n_states):
            rows, w = mdp.phi[0, s][mdp.available[0, s]], weights[s][mdp.available[0, s]]
            if drop and len(w) > 1:  # all weight on one action
                w = np.eye(len(w))[0] * (1 - 1e-6) + 1e-6 / len(w)
            half = np.sqrt(w)[:, None] * rows
            norms = np.linalg.lstsq(half.T, rows.T, rcond=1e-9)[0]
            worst = max(worst, float((norms**2).sum(axis=0).max()) / np.linalg.matrix_rank(half, tol=1e-9))
    return Evidence(worst, 1.1, "upper", "every state of three instances", tolerance=1e-9)


@control(of=criterion_on_the_instances, plants="almost all weight on one action")
def one_action():
    return {"drop": 1}


@check("res-first-layer", method="run", arithmetic="float64", covers="the deployed first layer",
       gap="three instances, one seed each", title="Uncertainty of the first layer over its bound")
def first_layer_within_its_bound(share=1.0) -> Evidence:
    """max_pi E |phi_1|_{Sigma_1^{-1}} over d sqrt(2.2 L/N), for a first state that the algorithm did not know."""
    ratios = []
    found = runs("repaired", starts=("unknown",))
    for r in found:
        size, d = r.outcome.dataset.batch_size, r.mdp.dim
        spread = np.log(8 * d * r.mdp.horizon / DELTA) / ((1 - np.log(2)) / 2)
        ratios.append(r.audit.uncertainty[0] / (share * d * np.sqrt(2.2 * spread / size)))
    return Evidence(max(ratios), 1.0, "upper", described("repaired", found))


@control(of=first_layer_within_its_bound, plants="a bound a hundred times smaller")
def hundredth():
    return {"share": 0.01}
