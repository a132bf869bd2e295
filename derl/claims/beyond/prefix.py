"""These checks establish Algorithm 2 without nu_min in its loop, at the rate that it has with nu_min.

The steps take the second half of the list of policies, the cost of a layer, and N with every constant. Runs at the
theorem's own N are audited, and the program's sizes are compared with the statement on a grid.
"""

from __future__ import annotations

import numpy as np
import sympy
from sympy import Rational, log

from derl.algorithms.audit import audit
from derl.algorithms.best_prefix import prefix_exploration
from derl.claims import claim, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.deployment import LARGEST_EXACT, Deployer
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal
from derl.experiments.audited_runs import DELTA, EPSILON, SUITE, certified_nu_squared, instance
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.beyond import prefix

s, u, w = sympy.symbols("s u w", nonnegative=True)
QUARTERS = (Rational(1, 4),) * 3
FACTOR, MOST, BOUND = Rational(282, 100), 62, 17  # of d log(1 + I/d); i_max nu^2/(d t); G/(d t)


def second_half(text, drift) -> list[tuple[str, bool]]:
    """From the values of the loop to the cost of a layer."""
    d, i, count, N, V, S, b1 = sympy.symbols("d i I N V S beta'", positive=True)
    rho, sums = Rational(1, 8), {r"\sum_{t<h}U_t": S}
    last = text("i=", I=1 + s)  # the loop runs to 2I - 1, at I = 1 + s
    chosen, errors = text.range("i", I=count), text.sides(r"2I\beta'\sum_{t<h}U_t\le", {**sums, r"\beta'": b1}, I=count)
    lam = text(r"\lambda_{\min}(\tilde\Sigma_I-2I)\ge") - errors[1]
    cost = text("U_h=", {"V_i": V}, i=i, N=N) ** 2 * N / (i * V)
    return [
        "relative error",
        ("2I b <= 1/4 and Sigma >= 2: relative error 1/8", every(
            equal(errors[1] / 2, rho), equal(errors[0], chosen.high * b1 * S))),
        ("2 - 1/4 = 7/4, and A grows with i", every(exactly(lam, Rational(7, 4)), at_least(lam + s, lam, s))),
        "second half",
        ("half the potential constant, twice: 2 (8/7) (1/2)/log(3/2) <= 2.82", below(Rational(8, 7),
                                                                                  FACTOR * log(Rational(3, 2)))),
        ("the chosen i is one of I numbers, the last of which the loop reaches, and at most 2I", every(
            equal(chosen.high - chosen.low, count), equal(last, (chosen.high - 1).subs(count, 1 + s)),
            equal(chosen.high, 2 * count))),
        ("2 I (3b') <= 3/4 for b' <= 1/(8I)", at_most(2 * 3 * Rational(1, 8) * drift, Rational(3, 4))),
        "layer",
        ("A >= 7/4: 2I + A <= (15/7) A", at_least(Rational(15, 7) * (lam + u), 2 + lam + u, u)),
        ("(2i/N)(15/7)(9/8) V is the square of U, and has the constant of the program", every(
            equal(2 * Rational(15, 7) * (1 + rho), cost), exactly(Rational(prefix.COST), Rational(135, 28)))),
    ]


def policies(bound, most) -> list[tuple[str, bool]]:
    """I <= 62 d t/nu^2 and G <= 17 d t, t = log(2/nu) >= log 2."""
    tau = sympy.Symbol("tau", positive=True)
    inner = most * tau * sympy.exp(2 * tau) / 4  # i_max/d
    return [
        "number of policies",
        ("I <= 60 d t/nu^2 + 1 <= 62 d t/nu^2: 2 log 2 >= 1", every(below(1, 2 * log(2)), at_most(60 + 2, most))),
        ("G <= 17 d t at nu = 1: 2.82 log(1 + 62 log 2) + 3/4 <= 17 log 2, log 2 < 6932/10000",
         every(below(log(2), Rational(6932, 10000)),
               below(FACTOR * log(1 + most * Rational(6932, 10000)) + Rational(3, 4), bound * log(2)))),
        ("d/dt log(t e^{2t}) = 2 + 1/t", equal(sympy.diff(inner, tau) / inner, 2 + 1 / tau)),
        ("x'/(1+x) <= x'/x", at_least(1 / (s + 1), 1 / (2 + s), s)),
        ("slope: 17 > 2.82 (2 + 1/log 2)", below(FACTOR * (2 * log(2) + 1), bound * log(2))),
    ]


def conditions_of_size(text, most, bound, covariance, plan, scale, terms, wide):
    """The parts "conditions" and "stated size" of `size`."""
    d, H, N, eps, nu, tau, delta, level = sympy.symbols("d H N e nu tau delta l", positive=True)
    layer = Rational(135, 28) * bound  # H^2 d t/N times this is xi^2
    arguments = [sympy.exp((text(key, {r"\epsilon_0": text(r"\epsilon_0=", d=d, N=N)}, d=d, H=H, N=N, delta=delta)
                            / form) ** 2 * level) for key, form in ((r"\beta=", scale), (r"\beta'=", wide))]
    logs_of = {r"\log\frac2\nu": tau, r"\log^3\frac2\nu": tau**3}
    low2 = log(2)
    logs = log(8) + 2 * log(2 * covariance)
    return [
        "conditions",
        ("the factors of both logarithms, which are at most log(8 d^2 H N^2/delta), N = 1 + s", every(
            *(at_least((8 * d**2 * H * N**2 / delta).subs({N: 1 + s, d: 1 + u}), argument.subs({N: 1 + s, d: 1 + u}),
                       s, u, H, delta) for argument in arguments),
            at_least(1312 * H**4 * d**3 * tau * level / eps**2, 4 * scale**2 * H**2 * layer * d * tau / eps**2,
                     d, H, tau, level, eps),
            at_least(148 * 10**8 * H**2 * d**5 * tau**3 * level / nu**4,
                     (8 * most * d * tau / nu**2 * wide * H) ** 2 * layer * d * tau, d, H, tau, level, nu))),
        ("the printed N is C_1 H^4 d^3 t/epsilon^2 + C_2 H^2 d^5 t^3/nu^4", every(
            equal(terms[0], plan * H**4 * d**3 * tau / eps**2),
            equal(terms[1], covariance * H**2 * d**5 * tau**3 / nu**4),
            equal(sympy.log(2 * d * H / (eps * delta * nu)), text(r"N\ge", logs_of, d=d, H=H, epsilon=eps, nu=nu,
                                                                 delta=delta) / (terms[0] + terms[1])))),
        "stated size",
        ("C_1 log 2 >= 1312 (log 8 + 2 log(2 C_2))", below(1312 * logs, plan * low2)),
        ("C_2 log 2 >= 1.48e10 (log 8 + 2 log(2 C_2))", below(148 * 10**8 * logs, covariance * low2)),
        ("slopes: C_1 >= 26 (1312), C_2 >= 26 (1.48e10)",
         every(at_most(26 * 1312, plan), at_most(26 * 148 * 10**8, covariance))),
        ("C_1 <= C_2, so N <= C_2 S Lambda with S of the linear evaluation", at_most(plan, covariance)),
        ("N - A l grows with N: N >= 2 (1312 X + 1.48e10 Y)",
         every(at_most(2 * 1312, plan * Rational(1, 2)), below(Rational(1, 2), low2),
               at_most(2 * 148 * 10**8, covariance * Rational(1, 2)))),
    ]


def other_hypotheses_of_size(text, most, failures, covariance, wide):
    """The parts "other hypotheses", "number of policies", "event" and "layer" of `size`."""
    d, H, N, tau, n, count, b1, level = sympy.symbols("d H N tau n I b l", positive=True)
    range_left, range_right = text.sides(r"H\beta'\sqrt{\frac{16I}{7N}}\le", {r"\beta'": b1}, I=count, N=N, H=H)
    chernoff = text.sides(r"8I\log\frac{4dH}\delta\le", {r"\log\frac{4dH}\delta": 1}, I=count, N=N, c_0=n)
    low2 = log(2)
    return [
        "other hypotheses",
        ("values not clipped: H beta' over the root of N (7/4)/(2i), i = 2I", equal(
            range_left**2, H**2 * b1**2 / (N * Rational(7, 4) / (2 * 2 * count)))),
        ("range: 10^4 (16/7) 62 beta'^2 H^2 d t/nu^2 <= 1.48e10 H^2 d^5 t^3 l/nu^4, log 2 > 69/100",
         every(below(Rational(69, 100), low2), at_most(
             range_right**-2 * Rational(16, 7) * most * (wide**2 / (d**2 * level)).subs(d, 1),
             Rational(69, 100) ** 2 * 148 * 10**8))),
        ("Chernoff: 2 (62) (4/7) 7 (2 Lambda) d t/nu^2 <= C_2 d^5 t^3 Lambda/nu^4",
         at_most(2 * most * Rational(4, 7) * 7 * 2, covariance * Rational(69, 100) ** 2)),
        "number of policies",
        ("optimism: b <= nu^2/(8 (62) t) <= nu^2/162", below(162, 8 * most * low2)),
        ("stopping: (7/8)(1/4 - 3/162) >= 1/5", at_least(Rational(7, 8) * (Rational(1, 4) - Rational(3, 162)),
                                                        Rational(1, 5))),
        "event",
        ("rounding: 2 H epsilon_0 <= H/(dN) <= beta' xi, as (135/28)(3/4) >= 1", every(
            at_least(H / (d * N), 2 * H * text(r"\epsilon_0=", d=d, N=N), H, d, N),
            at_most(1, Rational(135, 28) * Rational(3, 4)))),
        (f"failure: {' + '.join(map(str, failures))} <= 1", at_most(sum(failures), 1)),
        "layer",
        ("Chernoff in the loop: i = 2I/(1 + u), so (7/4)/i >= 7/(8I), and c_0 times that", every(
            at_least(Rational(7, 4) * (1 + u) / (2 * (1 + s)), Rational(7, 8) / (1 + s), s, u),
            equal(chernoff[1] / chernoff[0], n * N * Rational(7, 8) / count),
            equal(text("c_0=", numbers=Rational), -log(sympy.exp(-Rational(1, 2)) * sympy.sqrt(2))),
            at_least(7 * (1 - Rational(7, 10)) / 2, 1), below(log(2), Rational(7, 10)))),
    ]


def size(text, most, bound, failures) -> list[tuple[str, bool]]:
    """N: the two conditions, the logarithms, and the conditions that follow from them."""
    d, H, eps, nu, tau, level = sympy.symbols("d H e nu tau l", positive=True)
    roots = {r"\log\frac{2dHN}{\epsilon_0\delta}": level, r"\log\frac{8dNH}\delta": level}
    scale, wide = (text(key, roots, d=d, H=H) for key in (r"\beta=", r"\beta'="))
    logs_of = {r"\log\frac2\nu": tau, r"\log^3\frac2\nu": tau**3}
    last = r"\log\frac{2dH}{\epsilon\delta\nu}"
    terms = [text(r"N\ge", logs_of | {last: 1}, d=d, H=H, epsilon=one, nu=other)
             for one, other in ((eps, sympy.oo), (sympy.oo, nu))]
    plan, covariance = (term.subs({letter: 1 for letter in (d, H, eps, nu, tau)}) for term in terms)
    return [*conditions_of_size(text, most, bound, covariance, plan, scale, terms, wide),
            *other_hypotheses_of_size(text, most, failures, covariance, wide)]


@claim("res-shortest-prefix", plants=4,
       false={"b <= 1/(7I): 2I (3b) is 6/7": {"drift": Rational(8, 7)},
              "i_max = 61 d t/nu^2": {"most": 61},
              "G <= 16 d t: fails at nu = 1": {"bound": 16},
              "G <= 18 d t with the constants of 17: 1389 > 1312": {"bound": 18},
              "events at delta/2 each": {"failures": (Rational(1, 2),) * 3},
              "i_max = 70 d t/nu^2 with the constants of 62": {"most": 70}})
def prefix_in_steps(text, drift=1, most=MOST, bound=BOUND, failures=QUARTERS):
    """The second half of the list, the cost of a layer, and N with every constant: The steps that are new; event and
    stopping rule are those of the linear evaluation."""
    return steps([*second_half(text, drift), *policies(bound, most), *size(text, most, bound, failures),
                  hypotheses(text, ("for all linear rewards in",), "the following holds with probability at least")],
                 "all d, H >= 1, 0 < epsilon, delta < 1, 0 < nu_min <= 1, all linear rewards in [0, 1]")


@claim("res-shortest-prefix", method="run", arithmetic="float64", covers="three instances, known and unknown start",
       gap="three instances, one seed each",
       false={"10^8 times fewer trajectories": {"shrink": 1e8, "names": ("lock",)},
              "promises a third as large": {"promise": 0.33, "names": ("lock",)}})
def prefix_runs(names=SUITE, shrink=1.0, promise=1.0):
    """Runs at the theorem's own N, audited: What the run promises before a deployment against the truth after it, and
    the loss over all rewards."""
    kept = converged = event = short = cheap = True
    loss, sizes, exact_counts, total = 0.0, [], 0, 0
    for name in names:
        mdp, nu = instance(name).to_float(), float(certified_nu_squared(name)) ** 0.5
        for known in (True, False):
            constants = prefix.prefix_constants(mdp.dim, mdp.horizon, EPSILON, DELTA, nu, known)
            batch = max(1, int(constants.batch_size / shrink))
            deployer = Deployer(mdp, batch, mdp.horizon, policy_class="any", seed=0,
                                mode="exact" if batch <= LARGEST_EXACT else "gaussian")
            outcome = prefix_exploration(deployer, EPSILON, DELTA, initial=mdp.initial if known else None)
            truth = audit(mdp, outcome, linear=True)
            loop = [record for record in outcome.trace if record.cover is not None]
            converged &= outcome.converged
            event &= truth.event <= 1
            kept &= bool((truth.uncertainty <= promise * sum_of(outcome) + 1e-12).all())
            short &= all(record.n_policies < 2 * constants.policies for record in loop)
            cheap &= all(record.iterations * record.cover.values[-1] <= constants.value for record in loop)
            loss = max(loss, float(truth.loss_bound.max()))
            sizes.append(batch)
            exact_counts += sum(record.exact for record in outcome.trace)
            total += len(outcome.trace)
    return steps([
        ("every layer stops by its rule and vouches for itself", converged),
        ("the event holds for every value function", event),
        ("uncertainties are at most what the run knows", kept),
        ("lists shorter than 2 i_max", short), ("i V_i <= G", cheap),
        ("loss at most epsilon for every reward and horizon", loss <= EPSILON),
    ], f"{len(sizes)} runs on {', '.join(names)}, nu of the reachable span certified, epsilon = delta = 1/10, N from "
       f"{min(sizes):.1e} to {max(sizes):.1e}; {exact_counts} of {total} batches drawn exactly, the others Gaussian",
       detail=f"largest loss bound {loss:.2g}")


def sum_of(outcome):
    """What the run knows about the uncertainty of the layers 1..h, for every h."""
    return np.cumsum([record.uncertainty for record in outcome.trace])


@claim("res-shortest-prefix", method="run", arithmetic="float64", covers="the sizes of the program", gap="a grid",
       false={"a millionth of the statement's N": {"share": 1e-6}})
def program_within_statement(share=1.0, rare=1e-3):
    """The program's N against the statement's, and against the rule without a prefix: N of the program is at most that
    of the statement; for small nu it is below that of the eigenvalue rule alone."""
    within, better = [], []
    for d, horizon in ((2, 2), (4, 3), (10, 10), (30, 100)):
        for nu in (1.0, 0.3, 1e-2, rare):
            result = prefix.prefix_constants(d, horizon, EPSILON, DELTA, nu, known_start=True)
            within.append(result.batch_size <= share * prefix.stated_size(d, horizon, EPSILON, DELTA, nu))
            if nu <= 1e-2:
                alone = arbitrary_constants(d, horizon, EPSILON, DELTA, nu, "self-certifying", True).batch_size
                better.append(100 * result.batch_size < alone)
    return steps([("at most the N of the statement", all(within)),
                  ("a hundredth of the eigenvalue rule's N for nu <= 1/100", all(better))], f"{len(within)} sizes")
