"""These checks establish Algorithms 5 and 6, by exact identities, exact examples and runs.

For Algorithm 6 the true transitions replace the regression, and the forward and the backward pass are compared in
fractions. For Algorithm 5 optimism and the bound on the greedy policy are computed on sampled data of several sizes,
and Lemma E.2's accuracy of the discretised Q in fractions. Errors along runs are compared with their bounds.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from derl.algorithms.arbitrary_exact import exact_optq
from derl.algorithms.audit import best_value
from derl.algorithms.policy_cover import prepare, solve_optq, uncertainty_reward
from derl.claims import Evidence, claim, steps
from derl.claims.layerwise.symbols import values_fit
from derl.deployment import deploy_counts
from derl.estimation.covariance import backward_pass, chosen_features, forward_pass
from derl.estimation.design import Design, fit
from derl.exact.compared import every
from derl.exact.matrices import ridge
from derl.exact.symbolic import at_least, equal, same_operator
from derl.experiments import audited_runs
from derl.experiments.audited_runs import DELTA, described, instance, runs
from derl.mdp import exact, planning, policies
from derl.mdp.linear_mdp import LinearMDP
from derl.printed import Text
from derl.theory.arbitrary.constants import regression_scale

SIZES = (10**2, 10**4, 10**8)


# --- Algorithm 6 -------------------------------------------------------------------------------------------------

SUMMED = r"\max_{\pi'}\mathbb E_{\pi'}\sum_{t<h}\|\phi_t\|_{\Sigma_t^{-1}}"
COVARIANCE = r"\mathbb E_\pi[\phi_h\phi_h^\top]"


@claim("alg-covariance-repaired", method="exhaustive", covers="the limit of infinitely many data",
       gap="one rational instance, four policies",
       false={"3V - 1 instead of 2V - 1": {"factor": 3}})
def limit_is_the_covariance(factor=2):
    """With the true transitions it is the covariance: Largest entry of |2V - 1 - E phi phi^T| in fractions, the
    regression replaced by the true measures."""
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


@claim("alg-covariance-repaired", method="exhaustive", covers="forward and backward pass on the same data",
       gap="one rational instance, sampled counts",
       false={"the defect of the total mass left out": {"shifted": False}})
def forward_pass_is_the_backward_pass(shifted=True):
    """One forward pass gives all entries: Largest difference of the two passes in fractions; no clip is active on these
    data."""
    mdp = instance("simplex")
    rng = np.random.default_rng(np.random.SeedSequence(6))
    counts = deploy_counts(mdp.to_float(), policies.uniform(mdp), 10**6, rng).counts
    designs = [Design(None, ridge(mdp.phi[h], counts[h])[1]) for h in range(mdp.horizon - 1)]
    features = chosen_features(mdp.phi, np.ones((mdp.horizon, mdp.n_states), int))
    difference = backward_pass(features, designs, mdp.initial) - forward_pass(features, designs, mdp.initial, shifted)
    return Evidence(abs(difference).max(), 0, "identity", "random simplex, d = 3, H = 3, N = 1e6")


@claim("alg-covariance-repaired", method="run", arithmetic="float64", covers="the program",
       gap="three instances, the policies that Algorithm 2 meets", tier="full",
       false={"a bound a hundred times smaller": {"share": 1e-2}})
def covariance_error_within_its_bound(share=1.0):
    """Error over its bound, every layer: Largest entry of |estimate - E phi phi^T| over its bound; the exact
    covariances come from planning."""
    result = runs("repaired") + runs("squared")
    ratios = [error / (share * bound) for r in result
              for error, bound in zip(r.audit.covariance_error, r.audit.covariance_bound, strict=True) if bound > 0]
    return Evidence(max(ratios), 1.0, "upper", described("repaired, squared", result))


@claim("alg-covariance-repaired", false={"the defect of the total mass left out": {"shift": 0}})
def one_pass_for_all_entries(text, shift=1):
    """One product, bracketed from either end: q (K_1 (K_2 r)) = ((q K_1) K_2) r for products of any size, linear in r;
    r = (1 + x)/2 read off as 2 V - 1."""
    q, first, second, r, x, unit = sympy.symbols("q K1 K2 r x unit", commutative=False)
    V, summed, beta, s = sympy.symbols("V summed beta s", nonnegative=True)
    allowed, norm = text("", {SUMMED: summed, r"\beta'": beta}, after="its error is at most"), sympy.Integer(1)
    step = text("", {r"\beta'": beta, r"\|\phi_h\|_{\Sigma_t^{-1}}": norm, r"\|\phi\|_{\Sigma_t^{-1}}": norm},
                after="every regression is off by at most")  # of one layer, where the norm is 1
    estimate = text("", {COVARIANCE: 2 * V - 1}, after="clipped to $[0,1]$ estimates")
    return steps([
        values_fit(text.interval(after="with values clipped to")),
        ("2V - 1 is off by twice what V is, and V by one beta' for each unit of the norms",
         every(equal(allowed, 2 * step * summed),
               at_least(allowed, estimate.subs(V, V + step * summed / (1 + s)) - estimate, summed, beta, s, V))),
        ("linear in r", same_operator(q * first * (unit + x) / 2, q * first * unit / 2 + q * first * x / 2)),
        ("2 q (1 + x)/2 - 1 = q x + (q 1 - 1)",
         same_operator(2 * (q * (unit + x) / 2) - 1, q * x + (q * unit - shift))),
    ], "all layers, all sizes, all data")


# --- Algorithm 5 -------------------------------------------------------------------------------------------------

@claim("alg-solve-optq", method="run", arithmetic="float64", covers="the program",
       gap="two instances, three N, five matrices each", plants=3,
       false={"no bonus": {"c_beta": 1e-9},
              "a loss of at most beta' U/500 for the greedy policy": {"share": 1e-3}})
def optimistic_and_nearly_greedy(text, c_beta=1.0, share=1.0):
    """V* <= V <= V^pi + 2 beta' U: Counts the cases in which both inequalities hold; V* and V^pi are computed in the
    true MDP, as is the event."""
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
            bounds = {r"\beta'": beta, SUMMED: share * best_value(mdp, norms)}
            for power in range(5):
                matrix = 2 * np.eye(mdp.dim) + 10**power * np.cov(rng.standard_normal((mdp.dim, 50)))
                length = np.sqrt(np.einsum("sad,de,sae->sa", mdp.phi[-1], np.linalg.inv(matrix), mdp.phi[-1]))
                reward = text("", {r"\|\phi_h\|_{\Sigma^{-1}}": length}, after="Let the reward be")
                good += _both_hold(text, mdp, problem, designs, norms, reward.ravel(), bounds)
                total += 1
    return Evidence(good, total, "identity", f"{total} cases, N in {SIZES}, uniform exploration")


def _both_hold(text: Text, mdp: LinearMDP, problem, designs, norms, reward, bounds: dict) -> bool:
    value, policy = solve_optq(problem, reward)
    behind = np.maximum(np.where(mdp.available[-1], reward.reshape(mdp.phi.shape[1:3]), -np.inf).max(axis=1), 0)
    for h in reversed(range(mdp.horizon - 1)):  # the formula of the text, layer by layer
        q = text("Q_t=", {r"w_t^\top\phi_t": mdp.phi[h] @ designs[h].weights(behind), r"\beta'": bounds[r"\beta'"],
                          r"\|\phi_t\|_{\Sigma_t^{-1}}": norms[h]})
        behind = np.maximum(np.where(mdp.available[h], q, -np.inf).max(axis=1), 0)
    rewards = np.zeros((mdp.horizon, mdp.n_states, mdp.n_actions))
    rewards[-1] = reward.reshape(mdp.n_states, mdp.n_actions)
    own = float((planning.occupancy(mdp, policy) * rewards).sum())
    slack = 1e-12
    values = {"V^*": best_value(mdp, rewards), "V": value, r"V^{\pi}": own} | bounds
    (best, upper), (lower, most) = text.sides(r"V^*\le", values), text.sides(r"V\le", values)
    return best <= upper + slack and lower <= most + slack and abs(value - mdp.initial @ behind) <= 1e-9


@claim("alg-solve-optq", false={"a grid of epsilon_0/d for w: at d = 1 it moves by epsilon_0": {"width": 1}})
def rounding_moves_q_by_the_resolution(width=2):
    """Both grids move Q by at most epsilon_0 together: Squares of the two halves for every d: grid epsilon_0/(width d)
    for w, epsilon_0^2/(4d) for the matrix."""
    eps, s, t, u, v = sympy.symbols("eps s t u v", nonnegative=True)
    d = 1 + s
    return steps([
        ("w: the square of sqrt d epsilon_0/(2d) is at most epsilon_0^2/4",
         at_least(eps**2 / 4, d * (eps / (width * d)) ** 2, eps, s)),
        ("Z: |phi^T E phi| <= d epsilon_0^2/(4d), and (sqrt a - sqrt b)^2 <= a - b for a >= b",
         every(equal(d * eps**2 / (4 * d), (eps / 2) ** 2), at_least((u + v) ** 2, u**2 + v**2, u, v))),
    ], "all d, all data, all epsilon_0 for which the rounded matrix is positive semi-definite where it is used")


@claim("alg-solve-optq", method="stress", arithmetic="float64", covers="the program against fractions, one data set",
       gap="d = 2, H = 3, N = 40",
       false={"beta' one per cent larger": {"factor": 1.01}})
def value_agrees_with_fractions(factor=1.0):
    """The program's value against exact arithmetic: |V_1 of the program - V_1 of `exact_optq`|, N = 40: reward, bonus,
    clip and regression."""
    mdp, counts, matrix = _small_data()
    result = exact_optq(mdp.phi, counts[:-1], matrix, Fraction(1, 50), Fraction(1, 164), mdp.initial)
    model = mdp.to_float()
    designs = [fit(model.phi[h], counts[h].astype(float)) for h in range(2)]
    problem = prepare(model.phi, designs, factor / 50, model.initial)
    value, _ = solve_optq(problem, uncertainty_reward(problem, matrix.astype(float)))
    return Evidence(abs(value - float(sum(result.value) / 2)), 0, "upper", "random simplex, d = 2, H = 3, N = 40, "
                    "beta' = 1/50", tolerance=1e-12)


def _small_data():
    mdp = audited_runs.small_instance()
    rng = np.random.default_rng(np.random.SeedSequence(4))
    counts = deploy_counts(mdp.to_float(), policies.uniform(mdp), 40, rng).counts
    return mdp, counts, np.array([[Fraction(3), Fraction(1, 2)], [Fraction(1, 2), Fraction(5, 2)]], dtype=object)


@claim("alg-solve-optq", method="exhaustive", covers="the discretised Q on one data set", gap="d = 2, H = 3, N = 40",
       false={"a grid 16 times coarser": {"coarser": 16}})
def discretised_q_is_close(coarser=1):
    """The discretised Q is within epsilon_0: max |Q - Q~| in fractions, with the grid of Algorithm 5, against epsilon_0
    = 1/(2d(N+1))."""
    mdp, counts, matrix = _small_data()
    resolution = Fraction(1, 4 * 41)
    result = exact_optq(mdp.phi, counts[:-1], matrix, Fraction(1, 4), coarser * resolution, mdp.initial)
    return Evidence(max(result.distance, result.greedy_loss / 2), resolution, "upper",
                    "random simplex, d = 2, H = 3, N = 40", detail=f"decided with {result.bits} binary digits")
