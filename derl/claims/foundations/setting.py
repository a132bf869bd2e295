"""These checks concern Assumption 1, Definition 2.1 and two remarks on them.

The norm of the measures is sup over |v| <= 1 of |sum_s v(s) mu_h(s)|; `measure_norm` shows why the norm of the total
mass is not enough. Definitions are tried on the families of instances and on the simulator.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.deployment import Deployer, ProtocolViolation
from derl.deployment.sizes import InvalidSize
from derl.exact.symbolic import by_sign_at_least, equal
from derl.mdp import InvalidInstance, LinearMDP, instances, planning
from derl.mdp.policies import uniform
from derl.theory.lower_bounds.parallel_features import almost_parallel

FAMILIES = ("random_simplex:n_states=6,n_actions=3,dim=3,horizon=4,seed=1",
            "hard_template:d=3,horizon=4,optimal_layer=3,optimal_index=1,cores=0,epsilon=0.2",
            "lock:d=3,horizon=4,digits=1-2-0-1,bias=0.2", "compact_bandit:d=6,horizon=4,arm=2,bias=0.2",
            "optimism_trap")


@claim("asm-linear-mdp", method="run", arithmetic="float64",
       gap="a definition: checked as a predicate on the instance families of the book",
       false={"features one per cent too long": {"scale": 1.01},
              "transition probabilities that sum to 0.999": {"scale": 0.999},
              "|mu(S)| <= sqrt d, but sup over |v| <= 1 of |sum v mu| above it": {"slope": Fraction(1, 2)}})
def families_are_linear_mdps(scale=1.0, slope=1):
    """Every family of instances satisfies it: Each family, and that of `parallel_features`, is rebuilt with its
    features scaled, and validated."""
    result = [instances.from_spec(spec) for spec in FAMILIES]
    arrays = [(scale * mdp.phi, mdp.mu, mdp.theta, mdp.initial, mdp.available) for mdp in result]
    phi, mu, theta, available = almost_parallel(Fraction(slope))
    arrays.append((scale * phi.astype(float), mu, theta, [1, 0, 0, 0], available))
    valid = 0
    for parts in arrays:
        try:
            LinearMDP(*parts)
        except InvalidInstance:
            continue
        valid += 1
    return Evidence(valid, len(arrays), "identity", f"{len(arrays)} families, all rules of Assumption 1")


@claim("asm-linear-mdp", method="exhaustive", covers="tabular models with d = 1, ..., 5 states",
       gap="a definition: read on models in which each of its bounds is attained",
       false={"features of length 9/10": {"length": Fraction(9, 10)}})
def tabular_models_attain_the_bounds(text, length=1):
    """Tabular models attain every bound: In d states, each with the features e_s and the reward 1, P and r are the
    products and all norms are largest."""
    result = []
    for d in range(1, 6):
        unit = length * sympy.eye(d)  # features and measures of state s: column s
        ones = sympy.ones(d, 1)
        phi, theta = max(unit[:, s].norm() for s in range(d)), ones.norm()
        mass = max((unit * sympy.Matrix(v)).norm() for v in product((-1, 1), repeat=d))
        chance, pay = [[int(s == t) for t in range(d)] for s in range(d)], [1] * d
        result += [text.relation(r"P_h(s'\mid s,a)", {r"P_h(s'\mid s,a)": chance[s][t],
                                r"\langle\mu_h(s'),\phi(s,a)\rangle": unit[:, t].dot(unit[:, s])}).holds
                   for s in range(d) for t in range(d)]
        result += [text.relation("r_h(s,a)", {"r_h(s,a)": pay[s], r"\langle\theta_h,\phi(s,a)\rangle":
                                              ones.dot(unit[:, s])}).holds for s in range(d)]
        for piece, norm in ((r"\|\phi(s,a)\|", phi), (r"\|\theta_h\|", theta),
                            (r"\sup_{|v|\le1}\bigl\|\sum_sv(s)\mu_h(s)\bigr\|", mass)):
            bound = text.relation(piece, {piece: norm}, d=d, numbers=sympy.Integer)
            result.append(bound.holds and bound.left == bound.right)
    return Evidence(sum(map(bool, result)), len(result), "identity", "d = 1, ..., 5; the largest norms are the bounds")


@claim("rem-feature-norm", false={"probabilities that sum to 1/2": {"total": sympy.Rational(1, 2)}})
def feature_norm_is_at_least_root_of_one_over_d(text, total=1):
    """Orthogonal split along the total measure: Expands |phi - m/|m|^2|^2 >= 0 with <m, phi> = 1 and bounds |m|^2 by d,
    for all d."""
    phi2, m2 = sympy.symbols("phi2 m2", positive=True)  # not 0, because <m, phi> = 1
    excess = sympy.Symbol("excess", nonnegative=True)
    split = phi2 - 2 * total / m2 + m2 / m2**2
    lower = phi2 - split  # split >= 0 is phi2 >= lower
    d = m2 + excess  # |m|^2 <= d
    gain = sympy.together(lower - text(r"\|\phi(s,a)\|\ge", d=d) ** 2)
    largest = text(r"\|\mu_h(\mathcal S)\|\le", after="v=1", d=d)
    product = text(r"1=\langle\mu_h(\mathcal S),\phi(s,a)\rangle\le", {r"\|\phi(s,a)\|": sympy.sqrt(phi2)}, d=d)
    return steps([("the square of the rest is |phi|^2 - 1/|m|^2", equal(split + 1 / m2, phi2)),
                  ("1/|m|^2 >= 1/d", by_sign_at_least(gain)),
                  ("|m|^2 <= d", by_sign_at_least(sympy.expand(largest**2 - m2))),
                  ("<m, phi> <= sqrt(d) |phi|", equal(product**2, d * phi2))], "all d >= 1, all features and measures")


@claim("asm-bounded-rewards", method="exhaustive", refutes=True,
       false={"theta = (5/2) e_1, which breaks |theta| <= 2": {"size": Fraction(5, 2)}},
       as_corrected={"theta = (4/5) e_1, whose reward is below 1": {"size": Fraction(4, 5)}})
def reward_above_one(text, size=Fraction(8, 5), assumption=printed("asm-linear-mdp")):
    """One state, one action, reward 8/5: In dimension 4 the vector theta = (8/5) e_1 satisfies |theta| <= sqrt(4) and
    pays 8/5 at phi = e_1."""
    dim, phi, theta = 4, [1, 0, 0, 0], [size, 0, 0, 0]
    longest = assumption(r"\|\phi(s,a)\|\le"), assumption(r"\|\theta_h\|\le", d=dim)
    norms_hold = sum(x * x for x in phi) <= longest[0] ** 2 and sum(x * x for x in theta) <= longest[1] ** 2
    reward = sum(x * y for x, y in zip(phi, theta, strict=True))
    largest = text.interval(after="all rewards lie in").high
    lengths = {r"\|\theta_h\|": size, r"\|\phi(s,a)\|": 1}  # both vectors have one entry that is not 0
    schwarz = text.relation("|r_h(s,a)|", {"|r_h(s,a)|": abs(reward)} | lengths)
    allowed = schwarz.holds and schwarz.left == schwarz.right <= text(r"|r_h(s,a)|\le...\le", lengths, d=dim)
    return Evidence(reward if norms_hold and allowed else 0, largest * Fraction(11, 10), "lower",
                    "d = 4, H = 1, all norms of Assumption 1")


@claim("def-deployment", method="run", gap="a definition: checked as a protocol that the simulator enforces",
       false={"a deployer that accepts any policy": {"policy_class": "any", "max_deployments": 9},
              "a deployer that allows one deployment more": {"max_deployments": 2}})
def protocol_is_enforced(text, policy_class="deterministic", max_deployments=1):
    """The simulator refuses what the definition forbids: Tries a stochastic policy, one deployment too many, and a
    fractional N; counts the refusals.

    By the definition, a policy is accepted where epsilon is its loss, and not where epsilon is half of it.
    """
    mdp = instances.from_spec(FAMILIES[0])
    plans = planning.optimal(mdp), planning.evaluate(mdp, uniform(mdp))
    best, value = (Fraction(float(plan.value)) for plan in plans)
    values = {r"J(\pi_K)": value, r"\max_\pi J(\pi)": best}
    accepted = [text.relation(r"J(\pi_K)", values, epsilon=(best - value) / part).holds for part in (1, 2)]
    refused = 0
    deployer = Deployer(mdp, batch_size=10, max_deployments=max_deployments, policy_class=policy_class)
    attempts = [lambda: deployer.deploy(uniform(mdp)),
                lambda: [deployer.deploy(np.zeros((mdp.horizon, mdp.n_states), int)) for _ in range(2)],
                lambda: Deployer(mdp, batch_size=2.5, max_deployments=1)]
    for attempt in attempts:
        try:
            attempt()
        except (ProtocolViolation, InvalidSize):
            refused += 1
    return Evidence(refused if accepted == [True, False] else 0, len(attempts), "identity",
                    "policy class, number of deployments, batch size; the loss of the uniform policy")
