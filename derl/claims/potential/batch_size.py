"""These checks establish Lemma 4.2 as printed, with c = 1, by a proof that differs from the printed one.

They also refute the batch size inside the printed proof, with three families at d = H = 1 that satisfy it and break
Equation (7), and establish a repaired one with log(c_K Hd/epsilon) and c_2 = 1000. N = 0 is never allowed, since the
printed bound is positive, and "arbitrary epsilon < 1" is read as 0 < epsilon < 1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import number
from derl.exact.compared import at_most, every, less_than
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, below, equal, exceeds, nonnegative_from
from derl.theory.potential import paper_batch_size, refined_bound

CORNER = Rational(7, 10)  # for d = 1, H = 2: below it the logarithm exceeds 1, above it three violations are too many

n, s, t, v, w = sympy.symbols("n s t v w", nonnegative=True)


# --- Lemma 4.2 ---------------------------------------------------------------------------------------------------

@claim("lem-batched-potential",
       false={"the cubic inequality claimed for every epsilon >= 3/10": {"corner": Rational(3, 10)}})
def every_case_of_the_lemma(text, corner=CORNER, sharp=printed("res-sharp-potential")):
    """All cases, with c = 1: The printed batch size is at least the sharp one; for d = 1 and a large epsilon,
    violations are counted."""
    d, h, c = sympy.symbols("d h c", positive=True)
    size, exponent = 1 + n, Rational(text(r"c_K\ge")) + t  # N >= 1 and c_K >= 2
    ell = (Rational(1, 2) + v) / (1 + v)  # runs over [1/2, 1)
    L = sympy.Symbol("L", positive=True)
    values = {"c_K": c, "c": text("c=", after="The constant"), "d": d, "H": h}
    batch = text(r"N\ge", epsilon=d * h * sympy.exp(-L), **values)  # log(Hd/epsilon) is L
    smallest = batch.subs({d: 1, h: 1}) * sympy.exp(-L)  # N epsilon at d = H = 1
    asked = sharp(r"N\ge", c_K=c, epsilon=d * h * sympy.exp(-L))
    room = sympy.expand_log(log(batch / asked), force=True) * (c - 1)
    violations, share = text.sides(r"c_Kd<", K=text("K=", **values), **values)
    allowed = text(r"|\mathcal K^+|\le", **values)
    factors = c ** (1 / (c - 1)) * sympy.exp(L / (c - 1)) * L ** (c / (c - 1))
    return steps([
        "sharp lemma is enough",
        ("K/H - c_K d = 1/H > 0", every(equal(share - violations, 1 / h), equal(allowed, violations))),
        ("the printed N over that of the sharp lemma is (H (dL)^{c_K})^{1/(c_K - 1)}",
         equal(sympy.expand(room), log(h) + c * log(d) + c * log(L))),
        "most parameters",
        ("d >= 2: 2 log 2 > 1", below(1, 2 * log(2))),
        ("d = 1, H >= 3 and d = H = 1, epsilon <= 1/3: log 3 > 1", below(1, log(3))),
        ("d = 1, H = 2, epsilon <= corner: log(2/corner) > 1", below(1, log(2 / corner))),
        "dimension one",
        ("d = 1, H = 2, epsilon >= corner: (1 + N epsilon)^3 > 1 + 3N",
         exceeds((1 + size * (corner + s)) ** 3, 1 + 3 * size, n, s)),
        ("d = H = 1, epsilon >= 1/2: epsilon (1 + N epsilon)^2 > 1",
         exceeds((Rational(1, 2) + s) * (1 + size * (Rational(1, 2) + s)) ** 2, 1, n, s)),
        "last case",
        ("d = H = 1: N epsilon = c^{1/(c-1)} e^{L/(c-1)} L^{c/(c-1)} at the smallest N",
         equal(sympy.expand_log(log(smallest / factors), force=True), 0)),
        ("c/(c-1) <= 2 for c_K >= 2", at_least(2 * (exponent - 1), exponent, t)),
        ("2 log(1 + L^2) - L increases on [1/2, 1): 4L >= 1 + L^2", at_least(4 * ell, 1 + ell**2, v)),
        ("at L = 17/25 < log 2 it is positive",
         every(below(Rational(17, 25), log(2)), below(Rational(17, 25), 2 * log(1 + Rational(17, 25) ** 2)))),
    ], scope="all d, H >= 1, 0 < epsilon < 1, real c_K >= 2, N >= the printed bound with c = 1, any number of batches")


@claim("lem-batched-potential", method="exhaustive", covers="certified whole numbers on a grid",
       gap="a grid of d, H, epsilon, c_K", tier="full",
       false={"absolute constant 1/6: at d = H = 1, epsilon = 23/50, c_K = 2, N = 1 three batches violate": {
                  "c": Fraction(1, 6)},
              "c_K = 6/5: at d = H = 1, epsilon = 61/100, N = 1 two batches violate": {"factors": (Fraction(6, 5),)}})
def printed_batch_size_on_a_grid(c=1, factors=(2, Fraction(5, 2), 3, 6, 20)):
    """The printed batch size, point by point: Largest (certified bound on |K^+|) - floor(c_K d) at the printed N; for d
    = 1 that bound is the exact maximum."""
    worst, where, cases = -10**9, "", 0
    levels = ("1/100", "1/10", "9/25", "23/50", "61/100", "3/4", "9/10", "99/100")
    for d, horizon, level, c_K in product((1, 2, 5), (1, 2, 10), levels, factors):
        size = paper_batch_size(d, horizon, level, c_K, c)
        excess = refined_bound(d, size, level) - c_K * d // 1
        cases += 1
        if excess > worst:
            worst, where = excess, f"closest at d={d}, H={horizon}, epsilon={level}, c_K={c_K}, N={size}"
    return Evidence(worst, 0, "upper", f"{cases} cases, absolute constant {c}", detail=where)


# --- the printed proof -------------------------------------------------------------------------------------------

@claim("eq-violation-count", false={"log det counted twice": {"logarithms": 2}})
def printed_chain(text, logarithms=1, bridge=printed("lem-trace-det")):
    """The printed chain: With G = log(1 + KN/d): a violation gives rho >= N epsilon/(dG), and the log rho add up to at
    most dG."""
    z, rho, d, G = sympy.symbols("z rho d G", positive=True)
    size, level = sympy.symbols("size level", positive=True)  # N and epsilon
    values = {"d": d, "N": size, "epsilon": level, "K": d * (sympy.exp(G) - 1) / size}  # log(1 + KN/d) is G
    count = text(r"|\mathcal K^+|\le", **values)
    condition = text.sides(r"N\epsilon>", **values)
    looser = bridge(r"\operatorname{tr}(A_{(k-1)N}^{-1}\Phi_{k-1})\le", rho=rho)
    return steps([
        ("tr <= rho log rho: rho - 1 <= rho log rho", nonnegative_from(looser - (rho - 1), rho, 1)),
        ("log z <= z - 1 for z >= 1, so log det <= d log(trace/d)", nonnegative_from(z - 1 - log(z), z, 1)),
        ("and for z <= 1", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        ("rho log rho <= rho dG for log rho = w <= dG = w + s",
         at_least(rho * (w + s), logarithms * rho * w, rho, w, s)),
        ("each violation has log rho >= log(N epsilon/(dG)), and the log rho add up to at most dG",
         equal(count * log(size * level / (d * G)), d * G)),
        ("log(N epsilon/(dG)) > 0", equal(condition[0] / condition[1], size * level / (d * G))),
    ], scope="all d, N, K >= 1, epsilon > 0 with N epsilon > d log(1 + KN/d)")


@claim("eq-upper-bound-n", refutes=True,
       false={"log(c_K Hd/epsilon) instead of log(Hd/epsilon), for which (7) is true": {"restored": True}})
def no_constant_works(text, restored=False):
    """No absolute constant works: Three families at d = H = 1 that satisfy the printed N and break condition (7).

    Two are for the two lost logarithms, and one is for exponents p near 1 at a fixed c_K.
    """
    c_2 = 1 + s
    first_log = log(2) + (log(9) if restored else 0)  # log(Hd/epsilon), or log(c_K Hd/epsilon), at c_2 = 1
    epsilon = 1 - 1 / (4 * c_2)
    second_log = (1 - epsilon) / epsilon + (log(2) if restored else 0)  # an upper bound of log(1/epsilon)
    one = {"H": 1, "d": 1, "c_K": sympy.Integer(2), "p": sympy.Integer(2)}
    size = text(r"N\ge", {r"\log^p\Big(\frac{Hd}{\epsilon}\Big)": second_log**2}, c_2=c_2, epsilon=epsilon, **one)
    (left, right), (first, second) = (
        text.sides(begins, N=1, K=text("K=", **one), epsilon=epsilon, **one)
        for begins in (r"\Big(\frac{N\epsilon}{d\log(1+KN/d)}\Big)^p\ge", r"N\epsilon\ge"))
    return steps([
        "lost factor",
        ("(i) c^{1/(c-1)} <= 2: (c-1) log 2 - log c is 0 at c = 2, and its slope log 2 - 1/c is positive",
         every(below(Rational(1, 2), log(2)), at_least(Rational(1, 2), 1 / (2 + t), t))),
        ("(i) c/(c-1) <= 2 and 2 log 2 > 1", every(at_least(2 * (1 + t), 2 + t, t), below(1, 2 * log(2)))),
        ("(i) N = 4 c_2 is allowed: (2 log 2)^2 < 2, and c_2 * 2 * 2 = 4 c_2", below((2 * first_log) ** 2, 2)),
        ("(i) log 9^{c_2} > N epsilon = 2 c_2", below(2, log(9))),
        "small logarithm",
        ("(ii) N = 1 is allowed: 2 c_2 (log(1/epsilon)/epsilon)^2 <= 1",
         at_least(1, size, s)),
        ("(ii) epsilon/log 4 < 1 < 6 = 2KN", every(below(1, log(4)), exceeds(right, 1, s),
                                                   equal(left, (epsilon / log(4)) ** 2))),
        ("(ii) and N epsilon < log 4", every(equal(second, log(4)), at_least(1, first, s))),
        "small exponent",
        ("(iii) N = 3 c_2 3^{c_2} is allowed: 4 log 2 < 3 and 2 log 2 < 3", below(4 * first_log, 3)),
        ("(iii) log(1 + 3N) > 1", below(1, log(1 + 27))),
        ("(iii) the second condition asks for 3 c_2 3^q >= 2 12^q, q = c_2; but 4^q >= 1 + 3q by Bernoulli",
         exceeds(2 * (1 + 3 * c_2), 3 * c_2, s)),
    ], scope="every c_2 >= 1 (a smaller one is implied); d = H = 1; (i) epsilon = 1/2, p = c_K = 9^c_2, N = 4 c_2; "
             "(ii) epsilon = 1 - 1/(4 c_2), p = c_K = 2, N = 1; (iii) epsilon = 1/2, c_K = 2, p = 1 + 1/c_2, "
             "N = 3 c_2 3^c_2")


@claim("eq-upper-bound-n", method="interval", arithmetic="ball", covers="c_2 = 1, 2, 3", gap="three values of c_2",
       refutes=True, needs="rigor",
       false={"a hundred times the printed size": {"lost": 100}})
def families_break_the_text(text, lost=1):
    """The three families, put into the text: How many of the nine points have an N that the text allows, and break one
    of its two conditions.

    `lost` multiplies the bound on N.
    """
    import flint
    arb, half = flint.arb, Fraction(1, 2)
    points = [point for c_2 in (1, 2, 3) for point in (
        (c_2, half, 9**c_2, 9**c_2, 4 * c_2), (c_2, 1 - Fraction(1, 4 * c_2), 2, 2, 1),
        (c_2, half, 1 + Fraction(1, c_2), 2, 3 * c_2 * 3**c_2))]
    broken = 0
    for c_2, epsilon, p, c_K, N in points:
        values = {"c_2": c_2, "epsilon": epsilon, "p": p, "c_K": c_K, "d": 1, "H": 1, "N": arb(N)}
        values["K"] = text("K=", **values)
        allowed = p in text.range("p", c_K=c_K) and lost * text(r"N\ge", **values) < N
        conditions = [text.sides(begins, **values) for begins in (
            r"N\epsilon\ge", r"\Big(\frac{N\epsilon}{d\log(1+KN/d)}\Big)^p\ge")]
        broken += bool(allowed) and any(bool(left < right) for left, right in conditions)
    return Evidence(broken, len(points), "identity", "the families (i), (ii), (iii) at c_2 = 1, 2, 3; d = H = 1")


@claim("res-upper-bound-n", false={"epsilon > 1: the sign of log(1/epsilon) is -1": {"sign": -1}})
def restored_logarithm(text, sign=1):
    """The logarithm restored, c_2 = 1000: With log(c_K Hd/epsilon) both conditions of (7) hold for p = c_K >= 2, so the
    printed proof goes through."""
    K, M, d, h, c, q, ell = sympy.symbols("K M d h c q ell", positive=True)  # q is p
    inside = text(r"N\ge", c_K=c, H=h, d=d, epsilon=c * h * d * sympy.exp(-ell), p=q)  # the logarithm is ell
    wide = sympy.expand_log(log(inside), force=True)
    leading = (log(c * h) + q * log(d) + q * (ell - log(c * h * d)) + q * log(ell)) / (q - 1)
    constant = number(sympy.exp(sympy.simplify(sympy.expand(wide - leading))))
    smallest = Rational(text(r"c_K\ge"))
    log_c, log_dH, log_inverse = sympy.symbols("log_c log_dH log_inverse", nonnegative=True)
    x = log_inverse - log(Rational(text.range(r"\epsilon").high))  # log(1/epsilon), which is not negative
    p, log_x, log_inverse = smallest + t, log_c + log_dH, sign * x
    scaled = log_c + log_dH + log_inverse  # the logarithm l, at least log 2
    sum_of_logs = log_x + (log_x + p * log_inverse + p * scaled) / (p - 1)
    per_dimension = log((c * h * d**p) ** (1 / (p - 1)) / d) - log((c * h * d) ** (1 / (p - 1)))
    return steps([
        "smallest N",
        ("N/d has (c_K H d)^{1/(p-1)}", equal(sympy.expand_log(per_dimension, force=True), 0)),
        ("K = X + 1 <= 3X/2 for X >= 2", at_least(Rational(3, 2) * (2 + s), 3 + s, s)),
        ("M_0 >= 1000 log(2)^2 > 480", below(480, constant * log(2) ** 2)),
        "logarithm",
        ("1 + KM <= 2XM", at_least(2 * (2 + s) * (1 + v), 1 + Rational(3, 2) * (2 + s) * (1 + v), s, v)),
        ("log l < l", nonnegative_from(v - log(1 + v), v, 0)),
        ("log X + (log X + p log(1/epsilon) + p l)/(p-1) <= 4 l",
         at_least(4 * scaled, sum_of_logs, log_c, log_dH, x, t)),
        ("log 2000 < 11 log 2, so Q <= 15 l", less_than(2 * constant, 2**11)),
        "second condition",
        ("1000^{p-1} >= 3 * 15^p at p = 2, and each unit of p helps by 1000 > 15", at_most(3 * 15**2, constant)),
        "beyond the smallest N",
        ("beyond M_0: (p-1) log M - p log log(1 + KM) increases once log(1 + KM) >= 2",
         at_least((p - 1) / M, p * K / ((1 + K * M) * (2 + w)), K, M, t, w)),
        ("log(1 + 3 * 480) > 2", below(2, log(1441))),
        ("2KM >= 1 + KM, so |K^+| <= p d", at_least(2 * (1 + v), 2 + v, v)),
    ], scope="all d, H >= 1, 0 < epsilon < 1, real p = c_K >= 2, all N from the bound on")


@claim("text-n-smallest-at-c-k", method="exhaustive", refutes=True,
       as_corrected={"epsilon = 1/10, where the condition holds": {"level": Fraction(1, 10)}})
def smaller_p_asks_for_less(text, level=Fraction(9, 10), size=printed("eq-upper-bound-n")):
    """p = 3/2 asks for less than p = 2: At d = H = 1 and c_K = 2 the printed N is 4 z^3 for p = 3/2 and 2 z^2 for p =
    2, z = log(1/epsilon)/epsilon."""
    claimed, other, one = text("p=", c_K=2), Fraction(3, 2), text.sides("d=", d=1, H=1)
    corner = [*one, text("H="), text("", after="and $\\epsilon$ near")]
    if other not in text.range("p", c_K=2) or corner != [1] * 4:
        return Evidence(1, Fraction(99, 100), "upper", "the text does not compare these")
    squares = [size(r"N\ge", c_2=1, c_K=2, H=1, d=1, epsilon=Rational(level), p=Rational(p)) for p in (other, claimed)]
    steeper = sympy.simplify(squares[0] / squares[1] / log(1 / Rational(level)))  # 2/epsilon
    ratio = Fraction(int(steeper.p), int(steeper.q)) * enclosure(1 / level)[1] if steeper.is_Rational else 1
    return Evidence(ratio, Fraction(99, 100), "upper", f"N(p=3/2)/N(p=2) at d = H = 1, c_K = 2, epsilon = {level}")


@claim("text-n-smallest-at-c-k", covers="that N decreases in p exactly when c_K Hd log(Hd/epsilon) > epsilon",
       false={"y without d": {"power": 0}})
def when_the_size_decreases(text, size=printed("eq-upper-bound-n"), power=1):
    """When N decreases in p: N = (d L/epsilon) y^{1/(p-1)} with y = c_K Hd L/epsilon: the slope of log N is
    -log(y)/(p-1)^2.

    `power` is that of d in y.
    """
    c, H, d, L, y, p = sympy.symbols("c H d L y p", positive=True)
    values = {"c_K": c, "H": H, "d": d, "epsilon": H * d * sympy.exp(-L)}  # log(Hd/epsilon) is L
    left, right = text.sides(r"c_KHd\log(Hd/\epsilon)>", **values)  # y is their ratio
    level = values["epsilon"]
    log_n = log(size(r"N\ge", c_2=sympy.Integer(1), p=p, **values)) - log(d * L / level)
    log_n -= log(left / right * d ** (power - 1)) / (p - 1)
    return steps([("N = (d L/epsilon) y^{1/(p-1)}", equal(sympy.expand(sympy.expand_log(log_n, force=True)), 0)),
                  ],
                 "all p > 1, c_K, d, H, epsilon with Hd > epsilon")
