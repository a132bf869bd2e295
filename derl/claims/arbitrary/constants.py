"""These checks derive the exponents of Theorem E.9 and of its improvements from the constraints of the algorithm.

`derl.theory.arbitrary.rules` holds i_max, the bounds on xi and the bound on N as monomials. They are fed with symbols,
and the powers of d, H, epsilon, nu and of a logarithm are read off N, once for each bound on xi. For the improvements
the scalar steps (constants, coverage, stopping, blow-up, batch, exponents) are decided exactly, with rho = 1/8.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational

from derl.claims import Evidence, claim, printed, steps
from derl.claims.analysis.steps import iterations
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, equal, nonnegative, same_operator
from derl.printed import Text, Unreadable
from derl.theory.arbitrary.exponents import SYMBOLS, H, d, eps, exponents, nu
from derl.theory.arbitrary.rules import RULES, batch_bound, xi_bounds


@claim("text-batch-exponent", refutes=True,
       false={"i = d/nu^2 inside xi, which gives the printed 14": {"inside": d / nu**2}})
def printed_constraints_give_eighteen(text, constraint=printed("eq-xi"), inside=None):
    """The printed constraints give 18, not 14: Feeds constraint (30), i_max and the bound of Step 2 as printed with
    symbols; reads off the power of 1/nu."""
    as_printed = {r"\nu_{\min}": nu}
    i = text(r"i_{\max}=", as_printed, d=d, **{"tilde O": lambda size: size})
    xi = constraint(r"\xi\le", {**as_printed, r"i_{\max}": i if inside is None else inside, r"\beta'": d}, d=d)
    size = text(r"N\ge", {**as_printed, r"i_{\max}": i, r"\xi": xi}, H=H)
    claimed = text("N=", as_printed, d=d, H=H, O=lambda size: size)
    power, printed_power = (-sympy.powsimp(result, force=True).as_powers_dict()[nu] for result in (size, claimed))
    return Evidence(power, printed_power + 1, "lower", "all d, H, nu; absolute constants and logarithms left out",
                    detail=f"power of 1/nu: {power}; printed: {printed_power}")


@claim("res-batch-exponent", false={"the square of the logarithm in both terms": {"logarithms": (2, 2)}})
def exponents_of_the_printed_constraints(text, logarithms=(2, 4)):
    """All exponents of the printed constraints: Both terms of N: the covariance bound on xi, and the bound that the
    final plan requires."""
    result = []
    for name, stated, power in zip(("plan", "covariance"), powers_of_terms(size_of(text)), logarithms, strict=True):
        shown = " ".join(f"{letter}^{exponent}" for letter, exponent in stated.items())
        result.append((f"{name}: {shown} L^{power}",
                       exactly(exponents(RULES["repaired"], name), stated | {"L": power})))
    return steps(result, "all d, H, epsilon, nu")


@claim("alg-arbitrary-repaired", covers="the constants, in the printed way",
       gap="Lemma E.11 and the Bernstein inequality are used as they stand",
       false={"128 instead of 130: without the factor 1 - x": {"divisor": 128},
              "3/50 of the mean left: less than the sixteenth that a layer may cost": {"kept": Fraction(3, 50)}})
def additive_accuracy_adds_up(divisor=None, kept=Fraction(7, 8)):
    """What the constants are for: The bounds on xi, the threshold and N of the version "repaired", with x = 2 i d beta'
    xi; `divisor` for 130."""
    rule = RULES["repaired"]
    i, beta_prime, beta, ell = sympy.symbols("i beta_prime beta ell", positive=True)
    xi = sympy.Symbol("xi", positive=True)
    bounds = xi_bounds(rule, d, nu, i, beta_prime, beta, eps)
    if divisor is not None:
        bounds["covariance"] = nu**4 / (divisor * i * d * beta_prime)
    share = Fraction(str(sympy.simplify(2 * i * d * beta_prime * bounds["covariance"] / nu**4)))  # x = share nu^4
    slack = Fraction(str(sympy.simplify(3 * beta_prime * bounds["optimism"] / nu**2)))
    cost = sympy.simplify(nu**2 * i / batch_bound(rule, H, nu, i, xi) * H**2 / xi**2)  # (cost of the layer over xi/H)^2
    bernstein = sympy.simplify((16 * ell**2 / (256 * i**2 * ell**2 / nu**4)) / nu**4 * i**2)  # square of i error/nu^2
    return steps([
        ("x/(1-x) <= nu^4/64 for nu <= 1", at_most(64 * share, 1 - share)),
        ("stopping: s + 1/8 + 3 beta' xi/nu^2 <= t", at_most(rule.iterate + Fraction(1, 8) + slack, rule.threshold)),
        ("coverage: nu^4/((t + 1/8) nu^2)^2 - 2",
         exactly(rule.coverage, 1 / (rule.threshold + Fraction(1, 8)) ** 2 - 2)),
        ("Bernstein: an error of nu^2/(4i) is at most 1/8 of the least eigenvalue 2/i",
         at_most(Fraction(str(bernstein)), (Fraction(1, 8) * 2) ** 2)),
        ("batch: 7/8 of the mean left, layer h costs at most xi/H", at_most(Fraction(str(cost)) / kept, 1)),
        ("plan: 2 beta xi = epsilon", exactly(2 * beta * bounds["plan"], eps)),
    ], "all d, H, epsilon, i, 0 < nu <= 1")


# --- Theorem R and the improvements ------------------------------------------------------------------------------

def multiple_of_nu_squared(value) -> Fraction:
    """t of a threshold t nu^2.

    Raises
    ------
    Unreadable
        It is no multiple of nu^2.
    """
    result = sympy.sympify(value) / nu**2
    if not result.is_Rational:
        raise Unreadable(f"{value} is no multiple of nu^2")
    return Fraction(int(result.p), int(result.q))


# the parts of a proof to which the steps of `algebra` belong, in their order
PARTS = ("accuracy", "plan", "coverage", "stopping", "batch", "batch", "size", "size")


def powers_of_terms(size) -> list[dict[str, Fraction]]:
    """Powers of d, H, epsilon and nu in the terms of a sum, in its order; numbers and logarithms left out.

    Raises
    ------
    Unreadable
        The sum does not have two terms.
    """
    delta = sympy.Symbol("delta", positive=True)
    terms = sympy.Add.make_args(sympy.expand_mul(size.replace(sympy.log, lambda _: sympy.S.One).subs(delta, 1)))
    if len(terms) != 2 or any(term.could_extract_minus_sign() for term in terms):
        raise Unreadable(f"{size} is no sum of two terms")
    result = [sympy.powsimp(term, force=True).as_powers_dict() for term in terms]
    return sorted(({name: Fraction(str(powers.get(SYMBOLS[name], 0))) for name in ("H", "d", "epsilon", "nu")}
                   for powers in result), key=lambda powers: powers["epsilon"])


def size_of(text: Text):
    """N of a statement in symbols: where it is an order, what is in the order."""
    letters = {"H": H, "d": d, "epsilon": eps, "delta": sympy.Symbol("delta", positive=True)}
    if r"N=\tilde O" in text.source:
        return text("N=", {r"\nu_{\min}": nu}, **letters, **{"tilde O": lambda size: size})
    return text(r"N\ge", nu=nu, **letters)


def algebra(version: str, text: Text, coverage=None, threshold=None) -> Evidence:
    """The scalar steps of one improvement, each decided in exact arithmetic; see the module."""
    rule = RULES[version]
    coverage = rule.coverage if coverage is None else coverage
    threshold = rule.threshold if threshold is None else threshold
    a, k, excess = sympy.symbols("a k excess", nonnegative=True)
    i, size, xi, beta_prime, beta = sympy.symbols("i N xi beta_prime beta", positive=True)
    bounds = xi_bounds(rule, d, nu, i, beta_prime, beta, eps)
    lam, rho = Rational(coverage), rule.rho
    slack = Fraction(str(sympy.simplify(3 * beta_prime * bounds["optimism"] / nu**2)))  # 3 beta' xi <= slack nu^2
    result = [
        ("covariance: i policies, each off by 2 d beta' xi or beta' xi, are off by 2 rho",
         exactly(i * (1 if rule.linear else 2 * d) * beta_prime * bounds["covariance"], 2 * rho)),
        ("plan: 2 beta xi = epsilon", exactly(2 * beta * bounds["plan"], eps)),
    ]
    if threshold is None:
        # while some u has u'(Sigma~ - 2 I)u < 2, the optimistic value exceeds nu^2/4
        result.append(("coverage: 2 - 2 rho", exactly(coverage, 2 - 2 * rho)))
        result.append(("stopping: (1 - rho)(1/4 - 3 beta' xi/nu^2) >= s",
                       at_most(rule.iterate, (1 - rho) * (Fraction(1, 4) - slack))))
    elif rule.reward == "norm":
        result.append(("coverage: nu^4/e^2 - 2", exactly(coverage, 1 / ((1 + rho) * threshold**2) - 2)))
        result.append(("stopping: s^2/(1 - rho) <= (t - 3 beta' xi/nu^2)^2",
                       every(less_than(slack, threshold),
                             at_most(rule.iterate**2 / (1 - rho), (threshold - slack) ** 2))))
    else:
        result.append(("coverage: nu^2/e - 2", exactly(coverage, 1 / ((1 + rho) * threshold) - 2)))
        result.append(("stopping: s/(1 - rho) + 3 beta' xi/nu^2 <= t",
                       at_most(rule.iterate / (1 - rho) + slack, threshold)))
    blow_up = (1 + (k + Rational(1, 2)) * (lam + a)) * (2 + lam) - (1 + (k + Rational(1, 2)) * lam) * (2 + lam + a)
    result.append(("blow-up", nonnegative(sympy.expand(blow_up), a, k)))
    cost = 2 * i * nu**rule.nu_power / (lam * size)  # square of the layer's cost
    result.append(("batch", exactly(cost.subs(size, batch_bound(rule, H, nu, i, xi)), (xi / H) ** 2)))
    for name, claimed in zip(("plan", "covariance"), powers_of_terms(size_of(text)), strict=True):
        derived = exponents(rule, name)
        result.append((name + ": " + " ".join(f"{letter}^{power}" for letter, power in claimed.items()),
                       exactly({letter: derived[letter] for letter in claimed}, claimed)))
    return steps(result, f"version '{version}', all d, H, epsilon, nu")


@claim("res-theorem-r", covers="the algebra of the proof, every constant", gap="concentration inequalities are cited",
       false={"coverage 9/2 instead of 350/81": {"coverage": Fraction(9, 2)},
              "threshold 1/3: no iterate need ever be below it": {"threshold": Fraction(1, 3)}})
def relative_accuracy_adds_up(text, coverage=None, threshold=None):
    """Coverage, stopping, blow-up, batch and exponents: Theorem R: relative accuracy of Sigma~, sharp eigenvalue and
    blow-up lemmas, matrix Chernoff."""
    return algebra("relative", text, coverage, threshold)


@claim("res-squared-reward", covers="the algebra of the proof, every constant",
       gap="concentration inequalities are cited",
       false={"coverage 2 instead of 14/9": {"coverage": Fraction(2)}})
def squared_reward_adds_up(text, coverage=None):
    """Coverage, stopping, blow-up, batch and exponents: The reward phi^T Sigma^{-1} phi: i_max is d/nu^2, the threshold
    the printed one."""
    threshold = multiple_of_nu_squared(text("", after="the loop the threshold", nu=nu))
    return algebra("squared", text, coverage, threshold)


@claim("res-spectral-error", covers="the algebra of the proof, every constant",
       gap="concentration inequalities are cited",
       false={"coverage 2 instead of 14/9": {"coverage": Fraction(2)}})
def spectral_error_adds_up(text, coverage=None):
    """Coverage, stopping, blow-up, batch and exponents: Linear evaluation: the error of the covariance has no factor
    d."""
    return algebra("spectral", text, coverage)


@claim("res-self-certifying",
       false={"a rule that waits for 19/10: 19/10 - 1/4 < 7/4": {"eigenvalue": Rational(19, 10)},
              "50 d/nu^2 log(2/nu): at nu = 1, 10 log(1 + 50 log 2) > 50 log 2": {"policies": 50}})
def certificate_in_steps(text, eigenvalue=None, policies=60):
    """Coverage, stopping, i_max, batch and exponents: The printed stopping rule, what it leaves of the covariances, and
    what it costs in the worst case."""
    a, b, p, q, t, u = sympy.symbols("a b p q t u", nonnegative=True)
    N, i, level = sympy.symbols("N i level", positive=True)
    stop = text(r"\lambda_{\min}(\tilde\Sigma_h-2I)\ge", numbers=Rational) if eigenvalue is None else eigenvalue
    error = text(r"i\beta'\sum_{t<h}U_t\le", numbers=Rational)
    coverage = text("", {"I": sympy.Integer(1)}, after="the summed true covariances are at least")
    stretched, values = 1 + coverage * N / (2 * i), text.interval(after="values lie in")
    known = algebra("self-certifying", text, Fraction(int(coverage.p), int(coverage.q))).outcomes
    order = text("", {r"\nu_{\min}": nu}, after="The loop stops after", d=d, O=lambda size: size)
    return steps([
        "coverage",
        ("x'(Sigma~ - 2 I)x >= 2 and |x'(Sigma~ - Sigma)x| <= 1/4: x'(Sigma - 2 I)x >= 7/4",
         at_least(stop + t, error / (1 + u) + coverage, t, u)),
        "direction",
        ("Cauchy-Schwarz, two coordinates: (phi'u)^2 <= (phi' S^{-1} phi)(u' S u) for S = diag(a, b)",
         same_operator((p**2 * b + q**2 * a) * (level**2 * a + u**2 * b),
                       a * b * (p * level + q * u) ** 2 + (a * q * level - b * p * u) ** 2)),
        ("u'Sigma~u < 4: 1/4 of (phi'u)^2", at_least(1 / ((2 + stop) / (1 + t)), Rational(1, 4), t)),
        "batch",
        ("1/(1 + 7N/(8i)) <= 8i/(7N)", at_least(2 * i / (coverage * N), 1 / stretched, N, i)),
        "coverage", known[2],
        "direction", known[3],  # stopping
        "plan", known[1],
        "batch", known[5], known[0],  # and covariance
        "size", known[6], known[7],  # exponents
        "batch", ("values that may leave [0, 1] by kappa stay in [-kappa, 1 + kappa]",
                  exactly(values.high, 1 - values.low)),
        "number of policies",
        *iterations(policies, 10, 2),
        ("the printed order is that number", equal(policies * order, policies * d / nu**2 * sympy.log(2 / nu))),
    ], "all d, H, epsilon, 0 < nu <= 1")
