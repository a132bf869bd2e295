"""These checks establish that one deployment needs d^H/epsilon^2 trajectories at most, and where else a d is saved.

The mean of a squared error is the quadratic form of the second moments at the vector of the error. So its bound needs
neither the largest error of a pair nor a trace, and the factor d of the trace disappears.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import Evidence, check, control, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.claims.beyond.theorems import ORDER, orders_of_both_terms, same_order
from derl.theory.exact.compared import at_most, every
from derl.theory.exact.symbolic import at_least, below, equal

s, t, u, x = sympy.symbols("s t u x", nonnegative=True)
G, R, b, d, g, n, q, lam, H, N, K, S, delta, epsilon = sympy.symbols(
    "G R b d g n q lambda H N K S delta epsilon", positive=True)


@check("res-mean-error", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The vector, one law, the covariance, designs, planning")
def mean_error_in_steps(root=1, bend=1, halves=2, leverage=1, errors=2,
                        said=printed("res-mean-error", says=["for every", "every state", "any", "without"]),
                        old=printed("res-designed-regression")) -> Evidence:
    """Each inequality between matrices per eigenvalue; the printed bounds against their factors."""
    y, z, p = sympy.symbols("y z p", nonnegative=True)
    quadratic = F(halves) / n * (R * b) ** 2  # (2/n) |x|^2 with the printed |x| = R b
    factor = said(r"\|x\|_\Sigma\le", R=R, b=b)
    in_layer = {"G_h": G, "n_h": n}
    alpha, T = sympy.symbols("alpha T", positive=True)
    tail, horizon = sympy.Symbol("t0", positive=True), 3
    return steps([
        "vector",
        ("lambda^2/(lambda + x) <= lambda per eigenvalue", at_least(lam * root, lam**2 / (lam + x), lam, x)),
        (old.shown("b="), equal(R * old("b=", d=d, t=tail, lambda_=lam),
                                R * sympy.sqrt(d * sympy.log(2) / 2 + tail) + sympy.sqrt(lam) * (R * sympy.sqrt(d)))),
        "one law",
        ("(E|y|)^2 <= E y^2 for values y, y + z with chances 1/(1+p), p/(1+p)", at_least(
            bend * (y**2 + p * (y + z) ** 2) / (1 + p), ((y + p * (y + z)) / (1 + p)) ** 2, y, z, p)),
        "covariance",
        ("x <= (2/n) (lambda + n x)/2 per eigenvalue", at_least(F(halves) / n * (lam + n * x) / 2, x, lam, n, x)),
        ("the event of the regression, and its probability", every(
            equal(*(text(r"\Sigma\succeq", {"I": 1, r"\Lambda": x}, lambda_=lam, n=n) for text in (said, old))),
            equal(1 - said("", after="Both hold with probability at least", d=d, c_0=b, lambda_=lam, t=x),
                  sum(1 - old("", after=words, d=d, c_0=b, lambda_=lam, t=x)
                      for words in ("$ with probability", "and with probability at least"))),
            equal(said(r"\Lambda'\preceq", {r"\Lambda": x}, G=G), G * x),
            equal(said(r"\phi\phi^\top\preceq", {"V_s": x}, g=g), g * x))),
        (said.shown(r"\mathbb E'(\phi^\top x)^2\le"), every(
            equal(factor, R * b), equal(said(r"\mathbb E'(\phi^\top x)^2\le", G=G, R=R, b=b, n=n), G * quadratic))),
        "designs",
        (said.shown(r"\mathbb E_D\max_a(\phi^\top x)^2\le"), equal(
            said(r"\mathbb E_D\max_a(\phi^\top x)^2\le", g=g, R=R, b=b, n=n), leverage * g * quadratic)),
        ("(phi' x)^2 <= |phi|^2_{V^-1} |x|^2_V, as (y1 z1 + y2 z2)^2 <= (y1^2 + y2^2)(z1^2 + z2^2)", at_least(
            leverage * ((1 + s) ** 2 + (1 + t) ** 2) * ((1 + s + u) ** 2 + (1 + t) ** 2),
            ((1 + s) * (1 + s + u) + (1 + t) ** 2) ** 2, s, t, u)),
        "planning",
        ("two errors of range H - h: 2 (H-h) b sqrt(2 G/n)", equal(
            said(r"J(\pi^*)-J(\hat\pi)\le", in_layer, b=b, H=horizon),
            sum(errors * sympy.sqrt(G * quadratic).subs(R, horizon - h) for h in range(1, horizon)))),
        ("one error of range 2 in a single layer: 2 b sqrt(2 G/n)", equal(
            said(r"\mathbb E|\hat V_1(s_1)-V_1(s_1)|\le", in_layer | {r"\ell": horizon}, b=b),
            (horizon - 1) * sympy.sqrt(G * quadratic).subs(R, 2))),
        (said.shown("a_h^2="), equal(said("a_h^2=", {"G_h": G}, b=b, H=H, h=n), (errors * (H - n) * b) ** 2 * 2 * G)),
        ("a/sqrt(n_h) = alpha^2 sqrt(T/N) for a = alpha^3, n_h = N alpha^2/T; their sum is T^(3/2)/sqrt(N)", every(
            equal(sympy.powsimp(alpha**3 / sympy.sqrt(N * alpha**2 / T), force=True),
                  alpha**2 * sympy.sqrt(T) / sympy.sqrt(N)),
            equal(said("A_k=", {r"\sum_{h\in k}a_h^{2/3}": T}), T**3))),
    ], "every d, n, lambda, R, G, g, every law, every number of actions")


control(mean_error_in_steps, "half of the bias", {"root": F(1, 2)})
control(mean_error_in_steps, "half of the mean square", {"bend": F(1, 2)})
control(mean_error_in_steps, "Lambda <= Sigma/n", {"halves": 1})
control(mean_error_in_steps, "half of the leverage", {"leverage": F(1, 2)})
control(mean_error_in_steps, "one error in place of two", {"errors": 1})


@check("res-one-deployment-upper", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The size against the mean error, and its closed form")
def upper_in_steps(size=1, room=1, power=3,
                   said=printed("res-one-deployment-upper", says=["linear", "known features", "any", "finite", "No",
                                                                  "not", "only"]), mean=printed("res-mean-error"),
                   old=printed("res-one-deployment")) -> Evidence:
    """N against A, the quotient of both sizes, 15 d log(4dH/delta) for b^2, and what of it pays for the term H."""
    r, A, y = sympy.symbols("r A y", positive=True)  # r is the cube root of g
    layers, key, where = (2, 3, 4), r"N\ge", {"new": "one deployment of", "closed": "implied by"}

    def cost(horizon):
        roots = [mean("a_h^2=", {"G_h": r ** (3 * h)}, b=b, H=horizon, h=h) ** F(1, 3) for h in range(1, horizon)]
        return mean("A_k=", {r"\sum_{h\in k}a_h^{2/3}": sum(roots)})

    def new(horizon):
        return said(key, b=b, epsilon=epsilon, g=r**3, H=horizon, after=where["new"])

    rate, closed = old("c_0=", numbers=sympy.Rational), said(key, d=d, H=H, epsilon=epsilon, delta=delta,
                                                             after=where["closed"])
    geometric = old("", after="the cube is at most", g=d, H=H)
    per_y = room * (F(1, 4) + 1) + 2 / rate  # b^2/(d y): d log 2 <= d y/4, 2 t <= d y, 2 lambda d <= (2/c_0) d y
    log = sympy.log(4 * d * H / delta)
    factor = sympy.simplify(closed * epsilon**2 / (geometric * 8 * d * log))
    rest, two = factor - F(5, 4) * room, sympy.log(2)  # what 2/c_0 and the term H may take
    tail, level = old("t=", H=H, delta=delta), old(r"\lambda=", c_0=rate, d=d, H=H, delta=delta)
    more = 1 + s
    return steps([
        "loss",
        hypotheses(said, ("known rewards in",), "policy with probability at least", least=(("d", 2), ("H", 2))),
        (said.shown(key, after=where["new"]), every(
            equal(new(many), size * cost(many) / epsilon**2 + many) for many in layers)),
        ("N' >= A/epsilon^2: loss at most epsilon", at_least(epsilon**2, A / (A / epsilon**2 + u), A, epsilon, u)),
        ("one factor d less than before", every(equal(
            (old(key, d=d, b=b, epsilon=epsilon, g=r**3, H=many) - many) / (new(many) - many), d) for many in layers)),
        "closed form",
        ("4 log 2 <= y = log(4 d H/delta) for d, H >= 2, delta <= 1", at_least(
            4 * (2 + s) * (2 + t) / (1 / (1 + u)), 2**4, s, t, u)),
        ("t and c_0 lambda are at most y", every(
            equal(sympy.exp(tail), 4 * H / delta), equal(sympy.exp(level * rate), 2 * d * H / delta),
            at_least(4 * (d * more) / d, 4, d, s), at_least(4 * d, 2 * d, d))),
        ("1/4 + 1 + 2/c_0 < 15, c_0 = (1 - log 2)/2: 4 < (15 - 5/4)(1 - log 2)", every(
            equal(factor, 15), equal(per_y, F(5, 4) * room + 4 / (1 - sympy.log(2))),
            below(4 + rest * two, rest))),
        ("H^3 <= 4 2^H: by hand up to H = 4, and (1 + 1/H)^3 <= 2 from there on", every(
            *(at_most(many**power, 4 * 2**many) for many in (2, 3, 4)), at_least(2, (1 + 1 / (4 + s)) ** power, s))),
        ("the rest pays for H where epsilon <= H: 8 (15 - 5/4 - 2/c_0) 4 log 2 >= 4, with 2/3 < log 2", every(
            below(F(2, 3), two), below(
                F(4, 3) + 8 * 4 * F(2, 3) * rest * two, 8 * 4 * F(2, 3) * (rest - 4)))),
        (said.shown(r"\epsilon\le"), equal(said(r"\epsilon\le", H=H), H)),
    ], "every d, H, epsilon, delta, g and number of actions")


control(upper_in_steps, "nine tenths of A", {"size": F(9, 10)})
control(upper_in_steps, "two and a half in place of 1/4 + 1", {"room": 2})
control(upper_in_steps, "H^4 in place of H^3, epsilon up to H^(3/2)", {"power": 4})


@check("res-one-deployment-rewards", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The ball, the net, the neighbour")
def rewards_in_steps(radius=1, mesh=1, moved=2,
                     said=printed("res-one-deployment-rewards", says=["after", "all", "at least", "same",
                                                                      r"Here $\tilde O$ hides"]),
                     old=printed("res-designed-regression"), one=printed("res-one-deployment"),
                     upper=printed("res-one-deployment-upper")) -> Evidence:
    """The length of what is regressed, the members of a net, and what the way to the net costs."""
    rows, M, tail, r = sympy.symbols("rows M t0 r", positive=True)
    root, more = sympy.sqrt(N), 1 + s  # N = more^2, d = (1 + t)^2
    size = said("t=", d=d, H=H, N=N, delta=delta)
    members = sympy.exp((size - sympy.log(4 * H / delta)) / d)
    return steps([
        "radius",
        ("x/(lambda + x) <= 1 per eigenvalue of Phi Phi'", at_least(1, x / (lam + x), lam, x)),
        ("lambda >= 1: log(2 d H/delta) >= log 8 > c_0 = (1 - log 2)/2, as log 8 = 3 log 2", below(
            F(1, 2), sympy.log(8) + sympy.log(2) / 2)),
        ("sqrt(d) + (H-1) sqrt(N) <= H sqrt(d N)", at_least(
            radius * (1 + u) * (1 + t) * more, (1 + t) + u * more, s, t, u)),
        "net",
        ("1 + 2 H sqrt(d N)/(1/sqrt(N)) = 1 + 2 H N sqrt(d)", equal(
            sympy.expand(sympy.simplify(members)), 1 + mesh * 2 * H * sympy.sqrt(d) * N)),
        ("(H-1) M e^-t <= delta/4 for M members", at_least(
            delta / 4, u * M * sympy.exp(-(sympy.log(M) + one("t=", H=1 + u, delta=delta))), u, delta)),
        "neighbour",
        ("rows <= N terms of at most 2/sqrt(N) each: length at most 2", at_least(
            F(moved) ** 2, rows * (2 / root) ** 2 * (N / (N + u)) * (N / rows) / 1, N, u)),
        ("b has 2 more", equal(said("b=", d=d, t=tail, lambda_=lam), old("b=", d=d, t=tail, lambda_=lam) + moved)),
        ("the condition on N is that for one reward", every(equal(
            said(r"N\ge", b=b, epsilon=epsilon, g=r**3, H=many),
            upper(r"N\ge", b=b, epsilon=epsilon, g=r**3, H=many, after="one deployment of")) for many in (2, 3, 4))),
        ("its order at g = d: b^2 of order d, and the cube of order d^(H-1)", same_order(
            (said(r"N\ge", b=sympy.sqrt(d), epsilon=epsilon, g=1, H=2) - 2) * d ** (H - 1),
            said("N=", ORDER, d=d, H=H, epsilon=epsilon))),
    ], "every d, H, N, epsilon, delta, g; all linear rewards with values in [0, 1]")


control(rewards_in_steps, "half of the radius", {"radius": F(1, 2)})
control(rewards_in_steps, "half of the members", {"mesh": F(1, 2)})
control(rewards_in_steps, "1 in place of 2 for the way to the net", {"moved": 1})


@check("res-two-deployments-mean", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The function of states, the chain, the size")
def two_mean_in_steps(scale=1, moment=2, share=1,
                      said=printed("res-two-deployments-mean", says=["smaller", "first", "larger", "above", "less than",
                                                                     "not"]), mean=printed("res-mean-error"),
                      old=printed("res-two-deployments")) -> Evidence:
    """f <= 1, nu_h(f), and A_h as the sum of both terms."""
    W, alpha, y = sympy.symbols("W alpha y", positive=True)
    new = said("A_h=", {"W_{h-1}": W}, d=d, alpha=alpha, N=N, lambda_=lam)
    before = old("A_h=", {"W_{h-1}": W}, d=d, alpha=alpha, N=N, lambda_=lam)
    unit = lam / (R * b) ** 2
    nu = unit * mean(r"\mathbb E_D\max_a(\phi^\top x)^2\le", g=d, R=R, b=b, n=N * q) * F(moment, 2)
    return steps([
        "function",
        ("f <= (lambda/(R b)^2) (1/lambda) (R b)^2 = 1", equal(scale * unit / lam * (R * b) ** 2, 1)),
        "chain",
        ("nu_h(f) <= 2 d lambda/(N q)", equal(nu, 2 * d * lam / (N * q))),
        "together",
        ("W (nu + alpha)/unit <= R^2 b^2 A/(N q) as q = 1/(1 + u) <= 1", at_least(
            sympy.simplify(R**2 * b**2 * new / (N * q)).subs(q, 1 / (1 + u)),
            sympy.simplify(share * W * (nu + alpha) / unit).subs(q, 1 / (1 + u)), R, b, W, d, alpha, N, lam, u)),
        "closed forms",
        ("the old number with 2 d for 2 d^2", equal(before - new, W * (2 * d**2 - 2 * d))),
        ("the order: b^2 of order d, and A where alpha N/lambda is of order d and W of order (d-1)^(H-2)", same_order(
            d * new.subs({W: (d - 1) ** (H - 2), alpha: d * lam / N}) / epsilon**2,
            said("N=", ORDER, d=d, H=H, epsilon=epsilon))),
        ("never more than the old one, d = 1 + u", at_least(before.subs(d, 1 + u), new.subs(d, 1 + u), W, alpha, N, lam,
                                                            u)),
    ], "every d, H, N, every policy and target")


control(two_mean_in_steps, "f twice as large", {"scale": 2})
control(two_mean_in_steps, "Lambda <= Sigma/n", {"moment": 1})
control(two_mean_in_steps, "twice the weight of the chain", {"share": 2})


@check("res-blocks-mean", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Sizes with given covers and with spanners")
def blocks_mean_in_steps(cover=6, accuracy=112, said=printed("res-blocks-mean"), mean=printed("res-mean-error"),
                         given=printed("res-blocks-with-covers"), spanned=printed("res-blocks")) -> Evidence:
    """The costs of blocks and covers, against the old sizes over d."""
    top, scale, tail, nu = sympy.symbols("M b' t' nu", positive=True)
    maximum = {r"\max\{g,\kappa^{-1}\}": top}
    sizes = {"b": b, "H": H, "K": K, "S": S, "epsilon": epsilon}
    per_block = mean("a_h^2=", {"G_h": 1}, b=b, H=H, h=0)  # 8 b^2 H^2
    first = said(r"N\ge", maximum, after="replaced by", **sizes)
    second = said(r"N\ge", {"b'": scale, "t'": tail}, after="and with spanners", d=d, nu=nu, **sizes)
    before = spanned(r"N\ge", {"b'": scale, "t'": tail}, d=d, nu=nu, **sizes)
    half = nu**2 / (accuracy * d**2)
    return steps([
        "sizes",
        ("K^2 8 b^2 H^2 M S/epsilon^2 + H", equal(first, K**2 * per_block * top * S / epsilon**2 + H)),
        ("1/d of the old size", equal(given(r"N\ge", maximum, d=d, **sizes) - H, d * (first - H))),
        ("plan, covers and first states", equal(second, per_block * cover * d * S * K**2 / epsilon**2 + (K - 1) * (
            per_block.subs({b: scale, H: 1}) * cover * d * S * K**2 + 2 * tail) / half**2 + (H + 1) * K)),
        ("the terms with b are 1/d of the old ones", equal(
            (before - before.subs({b: 0, scale: 0})) / d, second - second.subs({b: 0, scale: 0}))),
        ("the orders at g = d", orders_of_both_terms(said, "that is", after="and with spanners")),
        ("the terms without b are the old ones", equal(before.subs({b: 0, scale: 0}), second.subs({b: 0, scale: 0}))),
    ], "every d, H, L, K, g, nu, epsilon, delta")


control(blocks_mean_in_steps, "a cover with a factor 5 d g", {"cover": 5})
control(blocks_mean_in_steps, "an accuracy of nu^2/(100 d^2)", {"accuracy": 100})
