"""These checks refute Theorems 4.4 and E.9 and Algorithm 6 as printed, and run the printed formula.

The counterexamples are exact: two rewards above 1 for four actions, d = nu_min = 1 without any iteration, data on the
event of `derl.claims.analysis.clip`, and two states with the same features. Another check shows that N is polynomial
where nu_min is bounded below.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.algorithms.arbitrary_exact import exact_optq
from derl.algorithms.audit import audit
from derl.claims import Evidence, claim, printed, steps
from derl.claims.analysis.clip import START, runaway
from derl.deployment import Deployer
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal
from derl.experiments.audited_runs import DELTA, EPSILON, certified_nu_squared, instance
from derl.mdp.exact import ExactMDP, occupancy, rationals
from derl.printed import Text
from derl.theory.arbitrary.constants import printed_theorem

HALF = Fraction(1, 2)


# --- Theorems 4.4 and E.9 ----------------------------------------------------------------------------------------

def printed_bonuses(text: Text) -> list[Fraction]:
    """Bonuses of the printed algorithm on four actions at its N and beta, after 0, N/4 and N visits, at most 1."""
    c_i, c_prime, c_beta, c = (text("", {r"c_{\beta'}": 1, r"c_\beta": 1, "c_i": 1, "c": 1}, skip=skip,
                                    after="absolute constants") for skip in range(4))
    values = {"d": 4, "H": 1, "nu": text(r"\nu=", {r"\nu_{\min}": HALF}), "epsilon": Fraction(1, 4),
              "delta": Fraction(1, 10), "c": c, "c_i": c_i}
    constants = {r"c_{\beta'}": c_prime, r"c_\beta": c_beta}
    values["L"] = text("L=", **values)
    size = text("N=", **values)
    scales = [text(key, constants, **values) for key in (r"\beta'=", r"\beta=")] + [text(r"i_{\max}=", **values)]
    grid = text(r"\epsilon_0=", N=size)
    exact = [Fraction(min(1.0, float(scale / (1 + visits) ** 0.5 + grid))) for scale in scales
             for visits in (0, size / 4, size)]
    inside = all(values[name] in text.range(rf"\{name}") for name in ("epsilon", "delta"))
    return exact if inside and min(exact) >= 0 else []


def worst_of_two_rewards(scale: Fraction, bonus: Fraction) -> Fraction:
    """Loss on the worse of two rewards for four actions, for the best way to break ties; Q = min(r + u, 1)."""
    rewards = [[scale * Fraction(x, 10) for x in row] for row in ((16, 11, 0, 0), (11, 16, 0, 0))]
    ExactMDP(np.array([[np.eye(4, dtype=int)]]), np.ones((1, 4, 1), int), np.zeros((1, 4), int), np.array([1]))
    if any(sum(r * r for r in reward) > 4 for reward in rewards):  # |theta|^2 <= d
        raise ValueError("the rewards break Assumption 1")
    tables: dict[tuple, list] = {}
    for reward in rewards:
        tables.setdefault(tuple(min(r + bonus, Fraction(1)) for r in reward), []).append(reward)
    losses = []
    for table, behind in tables.items():
        greedy = [a for a in range(4) if table[a] == max(table)]
        losses.append(min(max(max(reward) - reward[a] for reward in behind) for a in greedy))
    return max(losses)


@claim("thm-arbitrary-formal", method="exhaustive", refutes=True,
       as_corrected={"rewards halved, so that they stay below 1": {"scale": HALF}})
def rewards_above_one_defeat_every_batch(text, scale=Fraction(1)):
    """Rewards of Assumption 1 that may exceed 1: Least loss on the worse of the two rewards over bonuses u = 0, ..., 1;
    Q = (1, 1, u, u) for all.

    The bonuses at the printed N, beta and beta' are among them; the loss is certain.
    """
    bonuses = printed_bonuses(text)
    losses = [worst_of_two_rewards(scale, bonus) for bonus in (*(Fraction(k, 20) for k in range(21)), *bonuses)]
    certain = bonuses and 0 < text("", after="gives, with probability at least", delta=Fraction(1, 10)) <= 1
    return Evidence(min(losses) if certain else 0, HALF, "lower", "d = 4, H = 1, phi = e_k, nu_min^2 = 1/4; every N "
                    "and beta, every rule that breaks ties, epsilon < 1/2", detail="r + u >= 1 already at u = 0")


@claim("thm-arbitrary-informal", method="exhaustive", refutes=True,
       as_corrected={"rewards halved, so that they stay below 1": {"scale": HALF}})
def rewards_above_one_defeat_every_polynomial(text, scale=Fraction(1)):
    """Rewards of Assumption 1 that may exceed 1, for every polynomial N: The loss does not depend on N, a polynomial in
    what the text lists, nor on the bonus; H = 1 deployment."""
    epsilon, delta = Fraction(1, 4), Fraction(1, 10)
    listed = [float(text("", after="polynomial in", skip=skip, d=4, H=1, epsilon=epsilon, delta=delta, nu_min=HALF))
              for skip in range(5)]
    bonuses = [Fraction(min(1.0, 1 / (1 + value**power) ** 0.5)) for value in listed for power in range(4)]
    losses = [worst_of_two_rewards(scale, bonus) for bonus in bonuses]
    allowed = epsilon in text.range(r"\epsilon") and delta in text.range(r"\delta") and text("K=", H=1) == 1
    certain = allowed and min(listed) > 0 and 0 < text("", after="with probability at least", delta=delta) <= 1
    return Evidence(min(losses) if certain else 0, HALF, "lower",
                    "d = 4, H = 1, phi = e_k, nu_min^2 = 1/4, epsilon = 1/4")


@claim("thm-arbitrary-formal", covers="d = nu_min = 1", refutes=True,
       as_corrected={"d = 2, where the logarithm is log(2/nu)": {"dim": 2}})
def no_policy_where_all_is_reached(text, dim=1):
    """A loop without a pass: i_max at d = nu_min = 1 (one feature, |phi| = 1) as a function of c_i: 0 for all."""
    passes = text(r"i_{\max}=", c_i=sympy.Symbol("c_i", positive=True), d=sympy.Integer(dim), nu=sympy.Integer(1))
    return steps([("i_max = 0 for every c_i", equal(passes, 0))],
                 "d = nu_min = 1, every c_i: Pi_h = {}, and unif(Pi_h) is not defined")


@claim("thm-arbitrary-formal", method="run", arithmetic="float64", covers="the printed loop at the printed N, c = 1",
       gap="one instance, one seed; rewards in [0, 1]", tier="full",
       false={"1e6 times fewer trajectories": {"shrink": 1e6}})
def printed_formula_runs(shrink=1.0):
    """A run at the printed formula: Loss bound over all rewards in [0, 1], all horizons; version "as-printed", c =
    c_beta = 1, s_1 of known law."""
    from derl.algorithms.arbitrary import arbitrary_policy_exploration

    mdp, nu = instance("simplex").to_float(), float(certified_nu_squared("simplex")) ** 0.5
    size = int(printed_theorem(mdp.dim, mdp.horizon, EPSILON, DELTA, nu)["batch_size"] / shrink)
    deployer = Deployer(mdp, size, mdp.horizon, policy_class="any")
    outcome = arbitrary_policy_exploration(deployer, EPSILON, DELTA, nu, "as-printed", initial=mdp.initial)
    return Evidence(audit(mdp, outcome).loss_bound.max(), EPSILON, "upper", f"random simplex, d = H = 3, certified "
                    f"nu^2 = {nu**2:.3f}, N = {size:.1e}", detail=f"{outcome.deployments} deployments")


# --- Algorithm 6 -------------------------------------------------------------------------------------------------

@claim("alg-covariance", method="exhaustive", refutes=True,
       as_corrected={"values clipped to [0, 1]": {"version": "repaired"}})
def printed_covariance_leaves_its_bound(text, version="as-printed"):
    """On the event, and off by six times the bound: |(estimate - E phi phi^T)_{12}| / (2 beta' max_pi E_pi sum |phi|),
    from below; the true entry is 0."""
    data = runaway()
    entry = text("", after="the number", V=data.value(1, START, version))
    last = occupancy(data.mdp, np.zeros((5, 5), int))[-1]
    truth = sum((last * data.mdp.phi[-1, ..., 0] * data.mdp.phi[-1, ..., 1]).ravel())
    bound = text("", {r"\max_{\pi'}\mathbb E_{\pi'}\sum_{t<h}\|\phi_t\|_{\Sigma_t^{-1}}": data.uncertainty()[1],
                      r"\beta'": data.beta}, after="the error is at most")
    ratio = abs(entry - truth) / bound
    return Evidence(ratio if data.on_event() else Fraction(0), 6, "lower",
                    "d = 2, h = H = 5, N = 10 000, first action everywhere",
                    detail=f"estimated entry {float(entry):.1f}")


# --- the first policy --------------------------------------------------------------------------------------------

def twin_policies() -> set[bytes]:
    """Greedy policies of Algorithm 5, discretised, on an instance where two states have the same two features."""
    phi = np.array([[rationals([[1, 0], [0, 1]])] * 2] * 2)
    policies = set()
    for n, m, top in product((0, 3, 9), (0, 3, 9), (1, 4)):
        counts = np.array([[[n, 0], [0, m]]] * 2)
        matrix = rationals([[2 + top, 0], [0, 3]])
        result = exact_optq(list(phi), [counts], matrix, Fraction(1, 4), Fraction(1, 100), rationals([1, 0]))
        policies |= {result.discretised_policy.astype(np.int64).tobytes()}
    return policies


@claim("err-first-policy-union", method="exhaustive", refutes=True,
       words="its one formula is the name of a set of policies; the check lists the set",
       as_corrected={"pi_{h,1} greedy like all others": {"first": ((0, 0), (1, 1))}})
def arbitrary_first_policy_is_not_greedy(first=((0, 1), (0, 1))):
    """A policy that is not greedy for any function of the features: Two states with the same features: whatever the
    data, a greedy policy acts alike in both; pi_{h,1} need not."""
    result = twin_policies()
    rows = [row for policy in result for row in np.frombuffer(policy, np.int64).reshape(2, 2).tolist()]
    alike = all(len(set(row)) == 1 for row in rows)
    return steps([("greedy policies act alike in both states", alike),
                  ("pi_{h,1} does not", any(len(set(row)) > 1 for row in first))],
                 f"H = 2, two states with equal features; {len(result)} different greedy policies of 18 data sets",
                 detail="equal features give equal Q, and ties are broken by the index of the action")


# --- the definition of deployment complexity ---------------------------------------------------------------------

@claim("text-optimal-arbitrary", false={"slope 1 - x instead of 1 - 1/x, at x = 2": {"power": -1}})
def batch_is_polynomial_where_reachability_is_known(text, power=1,
                                                   lower=printed("thm-lower-arbitrary-repaired")):
    """A polynomial for fixed nu, and no bound on nu: log(dH/(eps delta nu)) <= dH/eps + log(1/delta) + log(1/nu), and
    linear MDPs with nu_min <= t for every t."""
    x, t, u = sympy.symbols("x t u", positive=True)
    spare = sympy.Symbol("spare", nonnegative=True)
    H, ceiling = 3 + spare, 1 + sympy.Symbol("more", nonnegative=True)  # ceil(log_d NH)
    bound = lower(r"K\le", {r"\lceil\log_dNH\rceil": ceiling}, H=H)
    family = [ExactMDP(np.tile(rationals([[["4/5", size], ["4/5", -size]]]), (2, 1, 1, 1)),
                       np.tile(rationals([["5/4"], [0]]), (2, 1, 1)), rationals([[1, 0]] * 2), [1])
              for size in (Fraction(1, 10), Fraction(1, 1000))]
    squares = [max(x**2 for x in mdp.phi[..., 1].ravel()) for mdp in family]
    return steps([
        "known lower bound",
        ("log x <= x for x >= 1: x - log x is 1 at 1, its slope 1 - 1/x",
         every(at_least(1, 1 / (1 + spare) ** power, spare), exactly((x - sympy.log(x)).subs(x, 1), 1))),
        "deployments",
        ("K = H is ceil(log_d NH) times the lower bound, plus 1", equal(text("K=", H=H), ceiling * bound + 1)),
        "two actions",
        ("|(4/5, t)| <= 1 for t <= 3/5, and (4/5, +-t) . (5/4, 0) = 1: a probability",
         every(exactly(Fraction(16, 25) + Fraction(9, 25), 1), exactly(Fraction(4, 5) * Fraction(5, 4), 1))),
        ("max E (phi^T e_2)^2 = t^2 at t = 1/10 and 1/1000",
         exactly(squares, [Fraction(1, 10) ** 2, Fraction(1, 1000) ** 2])),
    ], "all d, H, epsilon, delta, nu; d = H = 2 for the family")
