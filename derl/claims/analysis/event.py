"""These checks concern Lemma E.3, Theorem E.4 and Equation (26): concentration for all functions of a class.

The printed theorem is refuted twice, by a value outside of its class and by a sum over all deployments. Repaired, with
the constant 12, the net is counted in powers of X = d H N beta'/epsilon_0, and beta' has the constant 24.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational, log, sqrt

from derl.claims import Evidence, claim, steps
from derl.claims.analysis.steps import multiple
from derl.claims.analysis.value_classes import Z, unclipped
from derl.claims.layerwise.symbols import values_fit
from derl.exact.compared import at_most, every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, below, equal, nonnegative, same_operator
from derl.theory.analysis.covers import root_bounds

DEPLOYED = (r"\Big\|\sum_{\tau=1}^{k-1}\sum_{n=1}^N\phi_h^{\tau n}\big(V(s_{h+1}^{\tau n})"
            r"-P_hV(s_h^{\tau n},a_h^{\tau n})\big)\Big\|_{\Sigma_h^{-1}}")
SUM = (r"\Big\|\sum_{\tau\le t}\phi_\tau\big(V(s_\tau)-\mathbb E[V(s_\tau)\mid\mathcal F_{\tau-1}]\big)\Big\|"
       r"^2_{\Lambda_t^{-1}}")

t, u, v, w, x, y = sympy.symbols("t u v w x y", nonnegative=True)


@claim("lem-self-normalised",
       false={"3 epsilon_0 per step": {"doubled": 3},
              "noise of range 3": {"longer": Rational(3, 2)}})
def from_one_function_to_a_class(text, doubled=2, longer=1):
    """From one function to all: V = V' + rest, V' in the net: `res-self-normalised` for V', at most 2 epsilon_0 per
    step for the rest."""
    a, b = sympy.symbols("a b", real=True)
    d, eps, lam, size, phi = sympy.symbols("d eps lam size phi", positive=True)
    length = 2 * longer * text(r"\sup|V|\le", numbers=Rational)  # of the interval of V and of V'
    one_function = length**2 / 2 * (d / 2 * x + y)  # (R^2/2) [log det/2 + log(N/delta)]
    rest = (size * doubled * eps) ** 2 / lam
    delta, net = sympy.symbols("delta net", positive=True)
    letters = {r"\mathcal N": net, r"\lambda": lam, r"\epsilon_0": eps}
    left, bound = text.sides(f"{SUM}\\le", letters | {SUM: 2 * one_function + 2 * rest}, t=size, d=d, delta=delta)
    longest = text(r"\|\phi_\tau\|\le")
    eigenvalue = text(r"\Lambda_t=", {"I": sympy.Integer(1), r"\lambda": lam,
                                      r"\sum_{\tau\le t}\phi_\tau\phi_\tau^\top": x})
    bound = bound.subs({log((size + lam) / lam): x, log(net / delta): y})
    return steps([
        "neighbour",
        ("|a + b|^2 <= 2|a|^2 + 2|b|^2", same_operator(2 * a**2 + 2 * b**2, (a + b) ** 2 + (a - b) ** 2)),
        "one function",
        ("lam: phi/sqrt lam for phi and x/sqrt lam for x leave the norm as it is",
         equal((phi * x) ** 2 / (lam + phi**2), (phi / sqrt(lam) * x) ** 2 / (1 + phi**2 / lam))),
        ("per eigenvalue (lam + x)/lam <= (lam + t)/lam, x <= t: d of them, half the logarithm",
         at_least((lam + x + y) / lam, eigenvalue / lam, x, y, lam)),
        ("x is at most the sum of t numbers |phi|^2, and the union over the net has probability delta",
         every(equal(size * longest**2, size),
               equal(net * (delta / net), 1 - text("", after="probability at least", delta=delta)))),
        "remaining part",
        ("|sum phi rest|_{Lambda^-1} <= sum |rest|/sqrt lam: per eigenvalue 1/(lam + x) <= 1/lam",
         at_least(1 / lam, 1 / (lam + x), x, lam)),
        ("2 (bound for one function, R = 2) + 2 (t 2 eps)^2/lam", equal(left, bound)),
    ], scope="all d, lam, t, eps, every class with a finite net; all t at once")


@claim("lem-self-normalised", method="exhaustive", covers="d = 1, fair signs, up to 40 steps",
       gap="d = 1, one kind of noise",
       false={"a tenth of the bound": {"share": Fraction(1, 10)}})
def walks_stay_inside(share=1):
    """Random walks that leave the curve: Largest P(some t <= 40: S_t^2/(1+t) > 4 [log(1+t)/2 + log(1/delta)])/delta for
    three delta, exact recursion."""
    worst = Fraction(0)
    for delta in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)):
        inside, left = {0: 1}, Fraction(0)
        for step in range(1, 41):
            moved: dict[int, int] = {}
            for place, weight in inside.items():
                for sign in (-1, 1):
                    moved[place + sign] = moved.get(place + sign, 0) + weight
            limit = share * 4 * (enclosure(1 + step)[0] / 2 + enclosure(1 / delta)[0]) * (1 + step)
            left += Fraction(sum(weight for place, weight in moved.items() if place**2 > limit), 2**step)
            inside = {place: weight for place, weight in moved.items() if place**2 <= limit}
        worst = max(worst, left / delta)
    return Evidence(worst, 1, "upper", "phi = 1, V - PV = +-1, lambda = 1, delta in 1/2, 1/10, 1/100")


@claim("thm-event", method="exhaustive", refutes=True,
       as_corrected={"values clipped to [0, 1]": {"version": "repaired"}})
def class_of_the_event_is_too_small(text, version="as-printed"):
    """L = 1 does not cover the values of Algorithm 6: Every function of the class with L = 1 is at least -L; Algorithm
    6 on exact data has a value below -L - 12."""
    value = unclipped().value(3, Z, version)
    return Evidence(-value, text("L=") + 12, "lower", "d = 2, H = 4, N = 40 000, data of positive probability")


@claim("thm-event", method="exhaustive", covers="c = 1, 12 and 1000", refutes=True,
       as_corrected={"the sum over one deployment, as Sigma_h": {"all_deployments": False}})
def sum_outgrows_the_matrix(text, all_deployments=True):
    """A sum over all deployments, a matrix of one: Least (H-1)/32 over c^2 d^2 log(dHN beta'/(epsilon_0 delta)) for
    three c; S^2/2 is above the first w.p. 3/16.

    d = 2, phi = e_1 in layer h always, a fair coin decides between next states with V = phi_1 = 1 and 0; N = epsilon_0
    = 1, delta = 1/10; beta' = 2 c d sqrt(log(dHN/(epsilon_0 delta))), twice c as for the constants 12 and 24.
    """
    least, eps = Fraction(10**9), Fraction(1)
    for c, horizon in ((1, 10**5), (12, 10**7), (1000, 10**11)):
        terms = horizon - 1 if all_deployments else 1
        fourth = Fraction(3 * terms**2 - 2 * terms, 16)  # E S^4 for signs +-1/2; E S^2 = terms/4
        likely = Fraction(3, 4) ** 2 * Fraction(terms, 4) ** 2 / fourth
        inside = 2 * horizon * 10
        beta = root_bounds(16 * c**2 * enclosure(inside)[1])[1]
        summed, bound = text.sides(DEPLOYED + r"\le", {
            DEPLOYED: sqrt(Rational(terms, 32)), r"\beta'": Rational(beta), r"\epsilon_0": Rational(eps)},
            c=c, d=2, N=1, H=horizon, delta=Rational(1, 10))
        ratio = Fraction(str(sympy.N((summed / bound) ** 2, 40)))
        least = min(least, ratio if likely > 1 - text("", after="probability at least", delta=Fraction(1, 10))
                    and eps in text.range(r"\epsilon_0", N=1) else Fraction(0))
    return Evidence(least, 10, "lower", "d = 2, N = 1, (c, H) = (1, 1e5), (12, 1e7), (1000, 1e11), delta = 1/10",
                    detail="the event of the theorem fails with probability at least 3/16 > delta/2")


@claim("res-event", false={"constant 11": {"less": 1}, "X grid points per weight": {"weights": 1}})
def event_with_a_constant(text, less=0, weights=2):
    """Net, union, and the constant 12: The size of the net in powers of X = dHN beta'/eps_0; then Lemma E.3 term by
    term, against l' = log(X/delta)."""
    d, H, N, beta, eps, delta = sympy.symbols("d H N beta eps delta", positive=True)
    norm = r"\big\|\sum_n\phi_h^n(V(s_{h+1}^n)-P_hV)\big\|_{\Sigma_h^{-1}}\le"
    bound = text(norm, {r"\beta'": beta, r"\epsilon_0": eps}, d=d, H=H, N=N, delta=delta)
    resolution = text.function(r"\epsilon_0\le", "N", numbers=Rational)
    rest = 8 * (8 * resolution(8)) ** 2  # 8 t^2 eps_0^2 for t = N = 8
    failing = 1 - text("", after="probability at least", delta=delta)
    least = text(r"\beta'\ge", numbers=Rational) + u
    constant = multiple(bound, d * sqrt(log(d * H * N * beta / (eps * delta))), "the bound") - less
    X = 1 / resolution(1) + t
    matrix = X**5 - 16 * X**2 - 3
    shares = (7, 7 + 7, 2 + 7)  # V*, V with a policy, the last layer with a policy; in units of d^2 l
    return steps([
        "entries",
        ("weights: 2 (sqrt N/2)(2d/eps) + 3 <= 2X + 3 <= X^2", at_least(X**weights, 2 * X + 3, t)),
        ("matrices: 2 (2 beta'^2)(4d/eps^2) + 3 <= 16 X^2 + 3 <= X^5", nonnegative(matrix, t)),
        ("beta'^2 + eps_0^2/4 <= 2 beta'^2", every(
            at_least(least**2, 1 / (4 + v) ** 2 / 4, u, v), exactly(least - u, 1))),
        "number of functions",
        ("2d + 5d^2 <= 7d^2", at_least(7 * (1 + u) ** 2, 2 * (1 + u) + 5 * (1 + u) ** 2, u)),
        ("2 log d + 7 d^2 l <= 9 d^2 l: log d <= l, 1 <= d^2", at_least(2 * (1 + u) ** 2, 2, u)),
        ("a + b + c <= abc for a, b, c >= 2: the union of three nets",
         at_least((2 + u) * (2 + v) * (2 + w), 6 + u + v + w, u, v, w)),
        "event",
        ("d/2 log(1+N) <= d l: 1 + N <= X^2", at_least(X**2, 1 + X, t)),
        ("log(2H/delta) <= l': X >= 4H >= 2H", every(
            at_least(4 * (1 + u) + v, (delta / failing).simplify() * (1 + u), u, v), equal(2 * failing, delta))),
        ("8 <= 6 l': log 4 >= 4/3, as N eps_0 <= 1", every(below(rest / 6, log(4)), exactly(rest, 8))),
        values_fit(text.interval(after="values be clipped to")),
        ("4 (1 + 7 + 14 + 9 + 1) + 6 = 134 <= constant^2", at_most(4 * (1 + sum(shares) + 1) + 6, constant**2)),
    ], scope="all d, H, N >= 1, beta' >= 1, 0 < delta < 1, eps_0 <= min(1/N, 1/4); values in [0, 1], data of one layer")


def bonus_steps(constant: int, event: Rational, length: Rational) -> list[tuple[str, bool]]:
    """Steps that prove event d sqrt(l + log beta') + length sqrt d <= constant d sqrt l = beta', l >= log 4 + log d."""
    z = sympy.Symbol("z", positive=True)
    share = Rational(37, 100)  # log z <= 37/100 z: the maximum of log z - 37/100 z is log(100/37) - 1 < 0
    log_beta = sympy.expand_log(log(constant * z * sqrt(x + 1)), force=True)  # d = z, l = x + 1
    high = Rational(*enclosure(Fraction(constant, 4))[1].as_integer_ratio())
    low4 = Rational(*enclosure(4)[0].as_integer_ratio())
    inside = 2 + share / 2 + high / low4  # (l + log beta')/l at most
    return [
        "logarithm",
        ("log z <= (37/100) z: the largest difference, at z = 100/37, is log(100/37) - 1",
         every(exactly(sympy.solve(sympy.diff(log(z) - share * z, z), z), [1 / share]), below(log(1 / share), 1))),
        ("log beta' = log c' + log d + log(l)/2", equal(log_beta, log(Rational(constant)) + log(z) + log(x + 1) / 2)),
        ("log c' + log d <= log(c'/4) + l where log d <= l - log 4",
         equal(sympy.expand_log(log(constant) - log(4) - log(Rational(constant, 4)), force=True), 0)),
        ("log(c'/4) <= (log(c'/4)/log 4) l for l >= log 4", at_least(high / low4 * (low4 + x), high, x)),
        "constant",
        ("c^2 (l + log beta')/l <= (c' - length)^2, as sqrt d <= d sqrt l",
         at_most(event**2 * inside, (constant - length) ** 2)),
        ("sqrt d <= d sqrt l: l >= log 4 > 1", below(1, log(4))),
    ]


@claim("eq-beta-prime", false={"c' = 22": {"less": 2}})
def bonus_scale_is_large_enough(text, less=0):
    """c' = 24: 12 d sqrt(l + log beta') + sqrt d <= 24 d sqrt l = beta', where l = log(dHN/(eps_0 delta)) >= log 4 +
    log d."""
    d, H, N, beta, eps, delta = sympy.symbols("d H N beta eps delta", positive=True)
    letters = {r"\beta'": beta, r"\epsilon_0": eps, "c'": text("c'=", numbers=Rational)}
    inside = d * H * N / (eps * delta)
    constant = multiple(text(r"\beta'=", letters, d=d, H=H, N=N, delta=delta), d * sqrt(log(inside)), "beta'") - less
    left, right = text.sides("." * 3 + r"\le", letters, after=r"\frac1{4d}\}$,", d=d, H=H, N=N, delta=delta)
    event = multiple(left - sqrt(d), d * sqrt(log(inside * beta)), "the noise")
    return steps([*bonus_steps(constant, event, Rational(1)), ("all of it is at most beta'", equal(right, beta))],
                 scope="all d, H, N >= 1, 0 < delta < 1, eps_0 <= min(1/N, 1/(4d)); on the event, with Lemma E.7's two "
                       "parts")
