"""These checks concern Equation (19) of Theorem D.4, Hoeffding's step, and the number of deployments.

The printed order of (19) is refuted by a limit in epsilon. With log(K/delta) the union over deployments gives delta,
and with log(2K/delta) it gives delta/2.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log, sqrt

from derl.claims import Evidence, claim, printed, steps
from derl.claims.reward_free.symbols import BETA, H, K, L, N, a, c, c_beta, d, delta, eps, s, t, u, v, w
from derl.exact.symbolic import at_least, equal, nonnegative, same_operator

MEAN = r"\mathbb E_{\pi_k}[2\beta\sum_{h\le h_k}\|\phi\|_{(\Lambda_h^k)^{-1}}]"
SHOWN_MEAN = r"\mathbb E_{\pi_k}[2\beta\sum_{h'\le h}\|\phi(s_{h'},a_{h'})\|_{(\Lambda_{h'}^k)^{-1}}]"
VIOLATIONS = r"\sum_{j\le h}\zeta(k_h,j)"


@claim("res-hoeffding-size-reward-free", false={"H from 1/2 on: 2H + 1 = 4H": {"smallest": Rational(1, 2)}})
def hoeffding_size_gives_the_deviation(text, smallest=1):
    """The deviation at this N, and its order: 2 beta H sqrt(l/(2N)) = epsilon/(4H+2) exactly, and N <= 72 c_beta^2 d^2
    H^6 L l/epsilon^2."""
    horizon, beta, factor = smallest + t, *sympy.symbols("beta l", positive=True)
    size = text.function("N=", r"\beta", "H", r"\epsilon", "l", after="At")
    deviation = text("", after="the deviation", beta=beta, H=horizon, l=factor, N=size(beta, horizon, eps, factor))
    bound = text(r"N\le", c_beta=c_beta, d=d, H=horizon, epsilon=eps, L=L, l=factor)
    return steps([
        ("the deviation is " + text.shown("", after="is exactly"),
         equal(deviation**2, text("", after="is exactly", epsilon=eps, H=horizon) ** 2)),
        (text.shown(r"N\le") + ", as 2H + 1 <= 3H",
         at_least(bound, size(BETA.subs(H, horizon), horizon, eps, factor), t, c_beta, d, eps, L, factor)),
    ], scope="all d, H >= 1, beta, epsilon > 0; l = log(K/delta), or log(2K/delta)")


@claim("eq-hoeffding-size-reward-free", refutes=True, false={"beta without log(1/epsilon)": {"fixed_beta": True}})
def order_loses_the_accuracy(text, fixed_beta=False):
    """log(1/epsilon) is not O(log(K/delta)): The limit of N over d^2 H^6 epsilon^{-2} log^2(K/delta) as epsilon =
    2^{-m} -> 0: infinite, so no C will do.

    d = H = 1, c_beta = 1, K = 3, delta = 1/2: beta^2 = log(2/epsilon) = (m + 1) log 2, K/delta = 6.
    """
    m = sympy.Symbol("m", positive=True)
    beta_square = (2 if fixed_beta else m + 1) * log(2)
    at = {"d": 1, "H": 1, "K": 3, "delta": Rational(1, 2), "beta": sqrt(beta_square), "epsilon": 2 ** (-m)}
    size = text(r"N\ge", **at)
    order = text(r"N\ge...=", O=lambda inside: inside, **at)
    ratio = sympy.simplify(size / order)
    limit = sympy.limit(ratio, m, sympy.oo)
    return Evidence(int(limit == sympy.oo), 1, "identity", "d = H = 1, K = 3, delta = 1/2, every constant",
                    detail=f"the ratio is {ratio} for epsilon = 2^(-m), its limit {limit}")


def failure_of_hoeffding(text, confidence=1, mean=MEAN) -> sympy.Expr:
    """K exp(-2 N e^2/R^2)/delta for the deviation e of a text, R = 2 beta H: failure over K deployments, over delta.

    `confidence` multiplies K/delta; `mean` is the left side of the text.
    """
    beta = sympy.Symbol("beta", positive=True)
    sizes = {"beta": beta, "H": H, "N": N, "K": K * confidence, "delta": delta}
    deviation = text(f"{mean}\\le", {r"\Delta_k": 0}, **sizes)
    if deviation.subs({beta: 1, H: 1, N: 1, K: 9, delta: Rational(1, 2)}) < 0:
        return K / delta  # no deviation at all
    return sympy.simplify(K * sympy.exp(-2 * N * deviation**2 / (2 * beta * H) ** 2) / delta)


@claim("ineq-hoeffding-reward-free", covers="the deduction: what Hoeffding and the union bound give",
       gap="the bound is measured, not the event; with the theorem's N the inequality may hold with 1 - delta/2",
       breaks_proof=True,
       as_corrected={"log(2K/delta): the union is then delta/2": {"confidence": 2}})
def union_gives_delta(text, confidence=1):
    """What the union over K deployments gives: The failure probability that Hoeffding's inequality and the union bound
    give: delta, and not delta/2."""
    return steps([("the union over K deployments gives delta",
                   equal(failure_of_hoeffding(text, confidence, SHOWN_MEAN), 1))],
                 "all K, N, delta, beta, H", "together with the event of Lemma D.1 this is 3 delta/2")


@claim("res-hoeffding-reward-free", false={"a union over 2K deployments": {"deployments": 2}})
def union_gives_half_delta(text, deployments=1):
    """With log(2K/delta) the union is delta/2: K exp(-2 N e^2/R^2) = delta/2, and |phi|_{Lambda^{-1}} <= 1 makes R = 2
    beta H the range."""
    norms_bounded, part = nonnegative(1 - 1 / (1 + t), t), 1 - text("", after="With probability at least", delta=1)
    return steps([(f"the union is at most {part} delta", equal(deployments * failure_of_hoeffding(text), part)),
                  ("Lambda >= I, so b <= |phi| <= 1 and the sum over layers is at most 2 beta H", norms_bounded)],
                 "all K, N, delta, beta, H; trajectories of one deployment are independent given the past")


# --- number of deployments ----------------------------------------------------------------------------------------

@claim("text-deployment-count-reward-free",
       false={"the first deployment violates in one layer only": {"first_counts_everywhere": False}})
def deployments_up_to_each_layer(text, violated=printed("eq-violation-reward-free"), first_counts_everywhere=True):
    """Each deployment that does not finish a layer violates: k_h = finishing + working deployments; the violations are
    at least (k_h - h) + (h - 1)."""
    h, working, extra = 1 + s, 1 + t, u  # h layers; the first deployment works; extra violations
    violations = working + (h - 1 if first_counts_everywhere else 0) + extra
    deployments = h + working
    horizon, dim = 1 + v, 1 + w
    beta = text(r"\beta\ge", d=dim, H=horizon) * (1 + a)
    largest = text.range(r"\epsilon", H=horizon).high / (1 + s)
    level = violated(r"\frac1N...\ge", epsilon=largest, H=horizon, beta=beta)
    longest = text(r"h\le", H=H)
    return steps([
        "count",
        (text.shown(r"k_h\le"), at_least(text(r"k_h\le", {VIOLATIONS: violations}, h=h), deployments, s, t, u)),
        ("sum zeta <= c_K d h gives the last bound",
         equal(text(r"k_h\le...\le", c_K=c, d=d, h=h),
               text(r"k_h\le", {VIOLATIONS: h * text("", after="happens at most", c_K=c, d=d)}, h=h))),
        "first deployment",
        ("the first deployment violates in every layer: 1/d >= x", at_least(1 / dim, level, s, v, w, a)),
        "count",
        ("the printed K = c_K dH + 1 at h = H",
         same_operator(c * d * H + 1, text(r"k_h\le...\le", c_K=c, d=d, h=longest))),
        "first deployment",
        ("the first does not finish: 2 beta/sqrt d >= 4H sqrt d > epsilon/((4H+2)H), for sqrt d = 1 + w",
         at_least(2 * beta.subs(w, w**2 + 2 * w) / (1 + w), largest / (4 * horizon + 2), v, w, s, a)),
    ], scope="all h <= H, d >= 1, beta >= 2dH, epsilon <= H; at most c_K d violations per layer")
