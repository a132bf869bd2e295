"""These checks establish that entries of the covariance are values (Section 4.2), and run Definition 4.3 on instances.

Both sides are expanded symbolically and enumerated over all policies of one instance. The maximum of the definition is
over all policies; for each theta it is the optimal value of a reward, so a deterministic Markov policy attains it.
`derl.theory.reachability` encloses the minimum over theta with a certificate.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.certificates.check_reachability import problems
from derl.claims import Evidence, claim, printed, steps
from derl.exact.symbolic import same_operator
from derl.mdp import exact, instances
from derl.theory import reachability
from derl.theory.reachability.examples import ends, orthonormal, round_bandit, two_states
from derl.theory.reachability.model import layer_problem

# --- text, line 378 ----------------------------------------------------------------------------------------------

@claim("text-covariance-evaluation",
       false={"phi_i^2 as the reward of every entry of row i": {"reward": lambda one, other: one ** 2}})
def entries_are_values(text, reward=printed("text-covariance-evaluation").function(r"R^{ij}=", r"\phi_i", r"\phi_j")):
    """Backward evaluation is the forward moment: V^pi for the reward phi_i phi_j in layer 3 against E_pi[phi_i phi_j]
    along the occupancy; all entries free."""
    outcomes = []
    for size in (2, 3):
        start = [sympy.Symbol(f"p{s}") for s in range(size)]
        rows = [[[sympy.Symbol(f"P{k}_{s}{t}") for t in range(size)] for s in range(size)] for k in range(2)]
        features = [[sympy.Symbol(f"f{s}_{i}") for i in range(2)] for s in range(size)]
        mass = start
        for row in rows:
            mass = [sum(mass[s] * row[s][t] for s in range(size)) for t in range(size)]
        for i, j in ((0, 0), (0, 1)):
            values = [reward(f[i], f[j]) for f in features]
            for row in reversed(rows):
                values = [sum(p * v for p, v in zip(row[s], values, strict=True)) for s in range(size)]
            value = sum(p * v for p, v in zip(start, values, strict=True))
            moment = sum(m * f[i] * f[j] for m, f in zip(mass, features, strict=True))
            pieces = {r"(\Lambda^\pi_h)_{ij}": moment, r"\mathbb E_\pi[\phi_i\phi_j]": moment, r"V^\pi(R^{ij})": value}
            entries = text.sides(r"(\Lambda^\pi_h)_{ij}=", pieces)
            sides = text.sides(r"\mathbb E_\pi[\phi_i\phi_j]=", pieces | {r"\mathbb E_\pi[\phi_i\phi_j]": entries[1]})
            outcomes.append((f"{size} states, entry ({i + 1}, {j + 1})", same_operator(*sides)))
    return steps(outcomes, scope="every law, every policy, every feature map with these numbers of states and layers")


@claim("text-covariance-evaluation", method="exhaustive", covers="all policies of one instance", gap="one instance",
       false={"the reward one layer too early": {"layer": 2}})
def entries_of_every_policy(layer=3):
    """All 64 deterministic policies, and a mixture: Exact planning against exact occupancies: S = 2, A = 2, H = 3, d =
    2; linear in mixtures."""
    mdp = instances.random_simplex(2, 2, 2, 3, 0, exact=True)
    wrong, total = 0, np.zeros((2, 2), dtype=object)
    policies = [np.array(actions).reshape(3, 2) for actions in product(range(2), repeat=6)]
    problem, mean = layer_problem(mdp, layer), np.zeros((3, 2, 2), dtype=object)
    for policy in policies:
        forward = moment(mdp, policy, 3)
        backward = problem.second_moment(policy[:layer]) * Fraction(1, problem.mass_scale * problem.feature_scale**2)
        wrong += bool((forward != backward).any())
        total = total + forward / Fraction(len(policies))
        mean = mean + (policy[..., None] == np.arange(2)) * Fraction(1, len(policies))
    wrong += bool((total != moment(mdp, mean, 3)).any())  # the uniform mixture is the uniform policy
    return Evidence(wrong, 0, "upper", f"{len(policies)} policies and their uniform mixture")


def moment(mdp, policy, layer):
    """E_pi[phi phi'] in fractions."""
    mass, rows = exact.occupancy(mdp, policy)[layer - 1].reshape(-1), mdp.phi[layer - 1].reshape(-1, mdp.dim)
    return (rows * mass[:, None]).T @ rows


# --- Definition 4.3 ----------------------------------------------------------------------------------------------

KNOWN = {  # nu_h^2 as it comes out by hand
    "unit vectors, d = 2": (lambda: orthonormal(2), "all", Fraction(1, 2)),
    "unit vectors, d = 4": (lambda: orthonormal(4), "all", Fraction(1, 4)),
    "hexagon, in its span": (lambda: instances.hexagon(5, exact=True), "reachable", Fraction(3, 8)),
    "hexagon, in all of R^5": (lambda: instances.hexagon(5, exact=True), "all", Fraction(0)),
    "twelve points": (round_bandit, "all", Fraction(81, 250)),
}


@claim("def-reachability", method="certificate", covers="instances whose answer is known",
       gap="a definition has nothing to prove: run on instances where the answer is known",
       false={"coefficients larger by 1/1000": {"shift": Fraction(1, 1000)}})
def known_coefficients(text, shift=0):
    """The definition, run on instances: nu_h^2 as a fraction, both ends equal, and the certificate re-checked by the
    standard library."""
    outcomes = []
    for name, (build, subspace, value) in KNOWN.items():
        result = reachability.nu(build(), 1, subspace=subspace)
        root, defined = text.sides(r"\nu_h:=", {
            r"\nu_h": sympy.sqrt(sympy.Rational(value)), r"\min_{\|\theta\|=1}\max_\pi": sympy.Integer(1),
            r"\mathbb E_\pi[(\phi_h^\top\theta)^2]": sympy.Rational(ends(result)[0] - shift)})
        outcomes += [(f"{name}: nu^2 = {value}", root == defined and ends(result)[0] == ends(result)[1]),
                     (f"{name}: certificate", not problems(result.certificate))]
    mdp = two_states(0)
    layers = [ends(reachability.nu(mdp, h)) for h in (1, 2, 3)]
    least = reachability.nu_min(mdp)
    low, high = (text(r"\nu_{\min}=", {r"\min_{h\in[H]}\nu_h": min(side)}) for side in zip(*layers, strict=True))
    outcomes.append(("nu_min is the least over layers",
                     Fraction(least.lower) ** 2 <= low + shift and high <= Fraction(least.upper) ** 2))
    return steps(outcomes, scope="; ".join(KNOWN))


@claim("def-reachability", method="exhaustive", covers="the maximum over policies, one instance", gap="one instance",
       false={"only the first action": {"actions": 1}})
def deterministic_policies_suffice(actions=2):
    """Deterministic Markov policies suffice: Backward induction against all 64 deterministic policies, 40 directions;
    other policies are mixtures of these."""
    mdp = instances.random_simplex(2, 2, 2, 3, 0, exact=True)
    problem, wrong, count = layer_problem(mdp, 3), 0, 0
    moments = [problem.second_moment(np.array(choice).reshape(3, 2)) for choice in product(range(actions), repeat=6)]
    for theta in product(range(-3, 4), repeat=2):
        if theta > (0, 0):
            theta = np.array(theta, dtype=object)
            best = max(theta @ moment @ theta for moment in moments)
            wrong, count = wrong + (best != problem.best(problem.quadratic(np.outer(theta, theta)))), count + 1
    return Evidence(wrong, 0, "upper", f"{len(moments)} policies, {count} directions")
