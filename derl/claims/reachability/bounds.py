"""These checks bound nu^2 by multiples of the best smallest eigenvalue, and certify two exact examples.

The dual of lambda* = max_pi lambda_min(Lambda_pi) is min_rho max_pi tr(Lambda_pi rho) over rho >= 0 of trace 1; the
symbolic steps follow an optimal rho. Both sides are certified in fractions on five instances.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import sympy

from derl.certificates.check_reachability import problems
from derl.claims import Evidence, check, control, printed, steps
from derl.claims.reachability.certificates import certified, right
from derl.mdp import instances
from derl.theory import reachability
from derl.theory.exact.compared import every, exactly, less_than
from derl.theory.exact.symbolic import at_least, equal, nonnegative, same_operator
from derl.theory.reachability.certified import hexagon_eigenvalue
from derl.theory.reachability.examples import ends, mixed_instances, round_bandit
from derl.theory.reachability.interval import Proof, written
from derl.theory.reachability.model import layer_problem

# --- the sandwich ------------------------------------------------------------------------------------------------

@check("res-nu-sandwich", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", title="Rank of the optimal dual matrix")
def dual_matrix_can_be_singular(shift=0,
                                said=printed("res-nu-sandwich", says=["every", "linear", "So both",
                                                                      "or both"])) -> Evidence:
    """det(rho - t e e') = 0 at t = 1/(rho^{-1})_11; the value is affine on the segment; l >= 1/(d-1) on rank d-1."""
    outcomes, x, t_ = [], sympy.symbols("x:4", nonnegative=True), sympy.Symbol("t_", nonnegative=True)
    for d in (2, 3):
        r = {tuple(sorted(pair)): sympy.Symbol(f"r{pair[0]}{pair[1]}") for pair in product(range(d), repeat=2)}
        rho = sympy.Matrix(d, d, lambda i, j, r=r: r[tuple(sorted((i, j)))])
        t = rho.det() / rho.minor(0, 0)  # 1/(rho^{-1})_11
        less = rho - (t + shift) * sympy.Matrix(d, d, lambda i, j: int(i == j == 0))
        outcomes += ["optimal matrix",
                     (f"d = {d}: rho - t e e' is singular", equal(less.det(), 0))]
        outcomes.append((f"d = {d}: its other minors are those of rho, so it stays >= 0",
                         exactly(less[1:, 1:], rho[1:, 1:])))
    for rank in range(1, 5):
        rest = sympy.symbols(f"y:{rank}", nonnegative=True)  # l - l_i for the other eigenvalues
        largest = sympy.Symbol("l")
        trace = rank * largest - sum(rest[1:])
        factor = said(r"\nu_h^2\le", {r"\lambda^*_h": sympy.Integer(1)}, d=rank + 1)  # of lambda*, for d - 1 = rank
        outcomes += ["rank",
                     (f"rank {rank}: trace 1 gives {factor} l - 1 >= 0",
                         at_least(factor * sympy.solve(trace - 1, largest)[0], 1, *rest)),
                     (f"rank {rank}: no smaller factor of l is enough", exactly(factor, rank))]
    c, low, t = x[0], x[1], sympy.Symbol("t")
    outcomes += ["optimal matrix",
                 ("t c^2 + (1-t) b = low with c^2 = low + u, b = low + v forces t u + (1-t) v = 0",
                     same_operator(t * (low + x[2]) + (1 - t) * (low + x[3]), low + t * x[2] + (1 - t) * x[3]))]
    G = sympy.Matrix(2, 2, sympy.symbols("g:4"))
    outcomes += ["plan",
                 ("tr(Lambda sigma) >= 0 for Lambda = G'G, sigma = v v'",
                     same_operator((G.T * G * sympy.Matrix([c, low]) * sympy.Matrix([[c, low]])).trace(),
                                   ((G * sympy.Matrix([c, low])).T * (G * sympy.Matrix([c, low])))[0]))]
    m, a, b = x[2], x[3], sympy.Symbol("b", nonnegative=True)
    outcomes += ["no smaller factor",
                 ("features (4/5, 3/5 u): (4a + 3mb)^2 >= 16a^2 + 9m^2b^2 >= 9m^2(a^2 + b^2) for m <= 1",
                     every(at_least((4 * a + 3 * m * b) ** 2, (4 * a) ** 2 + (3 * m * b) ** 2, a, b, m),
                           nonnegative((16 * a**2 + 9 * m**2 * b**2 - 9 * m**2 * (a**2 + b**2)).subs(m, 1 / (1 + t_)),
                                       a, t_)))]
    eigenvalue = said(r"\lambda^*_h=", {r"\max_\pi\lambda_{\min}(\mathbb E_\pi[\phi_h\phi_h^\top])": Fraction(9, 50)})
    lower, square = said.sides(r"\lambda^*_h\le", {r"\lambda^*_h": eigenvalue, r"\nu_h^2": Fraction(81, 250)})
    dim = said("d=", after="is right for all instances. For")
    more = 1 + x[0]  # d - 1
    outcomes.append(("and lambda* <= (9/25)/(d - 1), a mean: the ratio exceeds d - 1 - g at m^2 = 1 - g/(2(d-1))",
                     at_least((1 - b / (2 * more)) * more + b, more, b, x[0])))
    cross = [row for row in round_bandit().phi[0, 0] if 0 in (row[1], row[2])]  # u = +-e_1, +-e_2
    even = sum(np.outer(row, row) for row in cross) * Fraction(1, len(cross))
    shared = np.diag([Fraction(16, 25), Fraction(9, 50), Fraction(9, 50)])
    outcomes += ["twelve points",
                 ("twelve points: four of them share diag(16/25, 9/50, 9/50), so lambda* = (9/25)/2, and 81/250 is "
                     "9/5 of it", every(exactly(even.tolist(), shared.tolist()),
                                        exactly(square / eigenvalue, said("", after="ratio")),
                                        exactly(dim, round_bandit().dim), less_than(eigenvalue, square),
                                        exactly(lower, eigenvalue), less_than(said("", d=dim, after="No factor below") -
                                                                              Fraction(1, 2), square / lower)))]
    return steps(outcomes, scope="every linear MDP, every layer, every d")


control(dual_matrix_can_be_singular, "a step that is too long by one", {"shift": 1})


@check("res-nu-sandwich", method="certificate", arithmetic="exact", covers="five instances", gap="five instances",
       tier="full", title="Both sides certified; ratio 9/5 where 2 is allowed")
def sandwich_on_instances(slack=1, said=printed("res-nu-sandwich")) -> Evidence:
    """lambda* <= nu^2 <= max(1, d-1) lambda* in fractions; on twelve points nu^2 = 81/250 and lambda* = 9/50."""
    outcomes = []
    for name, (mdp, layer) in mixed_instances().items():
        if layer_problem(mdp, layer).rank < mdp.dim:
            continue
        (low, high), (below, above) = ends(certified(name)["nu"]), ends(certified(name)["lambda"])
        factor = said(r"\nu_h^2\le", {r"\lambda^*_h": 1}, d=1 + (mdp.dim - 1) * Fraction(slack))
        outcomes += [(f"{name}: certificates", right(name)), (f"{name}: lambda* <= nu^2", below <= high),
                     (f"{name}: nu^2 <= {factor} lambda*", low <= factor * above)]
        if mdp.dim == said("d=", after="positive, and for"):
            outcomes.append((f"{name}: d = 2 is equality", below <= high and low <= above))
    proof = _uniform_on_cross(round_bandit())
    value = ends(certified("round")["nu"])
    outcomes += [("twelve points: nu^2 = 81/250", value == (Fraction(81, 250),) * 2),
                 ("twelve points: lambda* = 9/50, certified from both sides", not problems(proof.certificate)
                  and ends(proof) == (Fraction(9, 50),) * 2),
                 ("ratio 9/5 is within d - 1", Fraction(81, 250) <= 2 * Fraction(slack) * Fraction(9, 50)),
                 ("and above 3/2", Fraction(81, 250) / Fraction(9, 50) == said("", after="ratio"))]
    return steps(outcomes, scope="instances whose features span R^d")


def _uniform_on_cross(mdp):
    """lambda* of `round_bandit`: equal weights on u = +-e_1, +-e_2, and rho = diag(0, 1/2, 1/2)."""
    problem = layer_problem(mdp, 1)
    cross = [a for a, row in enumerate(mdp.phi[0, 0]) if 0 in (row[1], row[2])]
    policies = [np.array([[a]]) for a in cross]
    factor = np.array([[0, 0], [1, 0], [0, 1]], dtype=object)
    value = Fraction(9, 50)
    return written(problem, Proof(value, value, "mixture", [(k, 1) for k in range(4)], {"factor": factor}, policies),
                   "lambda", "all")


control(sandwich_on_instances, "(d - 1)/2 as the factor", {"slack": Fraction(1, 2)})


# --- the hexagon -------------------------------------------------------------------------------------------------

@check("res-nu-hexagon", method="certificate", arithmetic="exact", covers="everything", gap="none",
       title="3/8 and 1/4, both certified in fractions")
def hexagon_has_two_values(square=printed("res-nu-hexagon")(r"\nu^2="),
                           eigenvalue=printed("res-nu-hexagon")(r"\lambda^*=")) -> Evidence:
    """The isometric rational copy in R^5: both ends of both values; the float copy in R^3 encloses the same."""
    mdp, flat = instances.hexagon(5, exact=True), instances.hexagon(3)
    found, best = reachability.nu(mdp, 1, subspace="reachable"), hexagon_eigenvalue(eigenvalue)
    rows = mdp.phi[0, 0]
    angles = {rows[i] @ rows[j] for i, j in combinations(range(6), 2)}
    cosines = {Fraction(1, 2) * (1 + c) for c in (Fraction(1, 2), Fraction(-1, 2), Fraction(-1))}
    near = reachability.nu(flat, 1)
    return steps([
        ("all |phi| = 1, inner products (1 + cos)/2 of a hexagon",
         angles == cosines and all(row @ row == 1 for row in rows)),
        (f"nu^2 = {square}, both ends", ends(found) == (square, square) and not problems(found.certificate)),
        (f"lambda* = {eigenvalue}, both ends", not problems(best.certificate)),
        ("the copy in R^3 encloses sqrt(3/8)", Fraction(near.lower) ** 2 <= square <= Fraction(near.upper) ** 2),
    ], scope="the six features in their span, d = 3")


control(hexagon_has_two_values, "a smallest eigenvalue of 3/8", {"eigenvalue": Fraction(3, 8)})
