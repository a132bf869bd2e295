"""These checks derive Theorem 4.1, repaired, from the lemmas, with both readings of beta.

The conditions on N are proved with N in the logarithm of beta (a) and with the printed beta (b), where L =
log(Hd/(delta epsilon)). Every lemma is a rule that turns a set of facts into one fact; a program applies the rules to
the hypotheses until nothing new comes, and the theorem has to be among the facts. A rule names a claim of the ledger,
which decides whether that claim and all that it rests on are proved.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import claim, load, printed, steps
from derl.claims.layerwise import constants
from derl.claims.layerwise.constants import promised
from derl.claims.layerwise.symbols import DELTA, H, L, c, d, e, expanded_log, least_argument, log_size, number
from derl.exact.compared import at_most, every
from derl.exact.symbolic import at_least, below, equal
from derl.printed import Text

WITNESS = "d = 1, H = c_K = 2, epsilon = 1, delta = 0.999999"
GOAL = ("stops within floor(c_K dH) + 1 deployments", "epsilon-optimal except with probability delta")

# claim, facts that it needs, the fact that it gives
CHAIN = (
    ("eq-violation", ("Algorithm 1",), "a deployment that does not finish violates in a layer"),
    ("text-first-deployment", ("Algorithm 1", "x <= 1/d"), "the first deployment violates in every layer"),
    ("res-sharp-potential", ("x <= 1/d", "(A)"), "at most c_K d violations per layer"),
    ("res-sharp-potential", ("x <= 1/d", "(B)"), "at most d log N violations per layer"),
    ("ineq-deployment-count", ("a deployment that does not finish violates in a layer",
                               "the first deployment violates in every layer", "at most c_K d violations per layer"),
     "stops within floor(c_K dH) + 1 deployments"),
    ("ineq-deployment-count", ("a deployment that does not finish violates in a layer",
                               "the first deployment violates in every layer", "at most d log N violations per layer"),
     "at most 2dHN deployments"),
    ("lem-concentration-repaired", ("Algorithm 1", "bonus uncapped inside Q", "rewards in [0, 1]",
                                    "at most 2dHN deployments", "beta^2 >= (9/2) d^2 H^2 l"),
     "|phi w - P V| <= beta b except with probability delta/2"),
    ("lem-overestimation-repaired", ("bonus uncapped inside Q", "rewards in [0, 1]",
                                     "|phi w - P V| <= beta b except with probability delta/2"),
     "truncated suboptimality <= expected bonus"),
    ("res-chernoff-bonus", ("Algorithm 1", "(D)", "at most 2dHN deployments"),
     "Delta_k < epsilon/2 gives expected bonus <= epsilon except with probability delta/2"),
    (None, ("truncated suboptimality <= expected bonus", "stops within floor(c_K dH) + 1 deployments",
            "Delta_k < epsilon/2 gives expected bonus <= epsilon except with probability delta/2",
            "delta/2 + delta/2 = delta"),
     "epsilon-optimal except with probability delta"),  # at the end h_k = H and Delta_k < epsilon h_k/(2H) = epsilon/2
)
LEMMAS = tuple(dict.fromkeys(claim for claim, *_ in CHAIN if claim))

y, z = sympy.symbols("y z", positive=True)
s, t, u, v = sympy.symbols("s t u v", nonnegative=True)


def sizes(text: Text, theorem: Text, part: str, scale, shrink=1) -> constants.Sizes:
    """The sizes of a part of the repaired theorem, with N_0 as the printed one over `shrink`; `scale` as in
    `constants.Sizes`."""
    return constants.Sizes(number(text("c=", after=part, numbers=Rational)) / shrink, log_size(theorem), scale,
                           number(least_argument(text)), Rational(text(r"c_K\ge")))


def conditions_with_the_printed_beta(result: constants.Sizes, power) -> constants.Conditions:
    """Fact -> the steps that prove it for beta = sqrt(found.scale) d H sqrt(L) and N_0 <= N <= N_0^power."""
    k, constant, least = result.smallest + t, result.constant, result.inside
    scale = 16 * result.scale  # x = epsilon^2/(scale d^2 H^4 L)
    X = e**2 / (scale * d**2 * H**4 * L)
    gain = sympy.expand(expanded_log(z ** (c - 1)) + (c - 1) * result.size + c * expanded_log(X) - log(c))
    wanted = expanded_log(z ** (c - 1) * H) + c * expanded_log(d * L / scale)
    beta_square = result.scale * (d * H) ** 2 * L
    floor_size = z * H**4 * d**3 * L**2 / e**2  # N_0 is at least this, for C = z
    return {
        "beta^2 >= (9/2) d^2 H^2 l": [
            *constants.logarithms_at_the_bound(result),
            ("N <= N_0^p: l <= p kappa L", at_least(power * (s + t + u + v), s + t + u + power * v, s, t, u, v)),
            ("c_beta^2 log 2 >= (9/2) p kappa log 2",
             below(Rational(9, 2) * power * result.kappa, result.scale * least)),
            *beta_at_the_least_parameters(constant, result.scale, power, False),
        ],
        "x <= 1/d": [("scale log 2 >= 1", below(1, scale * least))],
        "(A)": [
            ("N_0^{c-1} x^c/c = C^{c-1} H (d L/scale)^c", equal(gain, wanted)),
            ("c - 1 >= c/2", at_least(2 * (k - 1), k, t)),
            ("C d L >= scale: it does not decrease in c", below(scale, constant * least)),
            ("at c = 2: 2 C log(2)^2 >= scale^2", below(scale**2, 2 * constant * least**2)),
            ("H d^2 >= 2 for dH >= 2: H = 1 and d >= 2, or H >= 2",
             every(at_least((2 + s) ** 2, 2, s), at_least((2 + s) * (1 + t) ** 2, 2, s, t))),
            at_the_least_parameters("C H d^2 L^2 - scale^2",
                                    2 * constant * least_parameters(constant)[2] ** 2 - scale**2),
            ("N^{c-1} x^c does not decrease in N: c - 1 > 0", at_least(k, 1 + 1, t)),
        ],
        "(B)": [
            ("N_0 x >= C d L/scale", equal(floor_size * X, z * d * L / scale)),
            ("C log 2 >= 7 scale", below(7 * scale, constant * least)),
        ],
        "(D)": [
            ("l + log 2 <= (p kappa + 1) L, as log 2 <= L",
             every(at_least((power * y + 1) * (z + s), power * y * (z + s) + z, s, y, z),
                   at_most(2, result.least))),
            ("N_0 over (16 beta H/epsilon)(p kappa + 1) L >= C d^2 H^2 sqrt(L)/(16 c_beta epsilon (p kappa + 1))",
             equal((floor_size * e / (16 * H * y * L)) ** 2 / beta_square,
                   (z * d**2 * H**2 / (16 * e * y)) ** 2 * L / result.scale)),
            ("C^2 log 2^3 >= (16 c_beta (p kappa + 1) log 2)^2",
             below(16**2 * result.scale * (power * result.kappa + least) ** 2, constant**2 * least**3)),
        ],
    }


def least_parameters(constant) -> tuple:
    """log N_0, log(2dH/delta) and L at the witness: d = 1, H = c_K = 2, epsilon = 1, delta = 0.999999."""
    delta = Rational(999999, 10**6)
    inside = log(2 / delta)  # L
    return log(constant * 2 * 2**9) + 4 * log(inside), log(4 / delta), inside


def beta_at_the_least_parameters(constant, square, power, with_batch) -> list[tuple[str, bool]]:
    """beta^2/(dH)^2 against (9/4) log(2dKNH/delta), which Lemma C.4 requires, in numbers at one point.

    With the batch in beta it is `square` l and K = dH log N + 1; the printed beta is `square` L, (9/2) l is required.
    """
    size, rest, inside = least_parameters(constant)
    logarithm = rest + power * size
    if with_batch:
        asked, given = Rational(9, 4) * (logarithm + log(sympy.floor(2 * power * size) + 1)), square * logarithm
    else:
        asked, given = Rational(9, 2) * logarithm, square * inside
    return [at_the_least_parameters("beta^2/(dH)^2 - what the lemma asks for", given - asked)]


def at_the_least_parameters(name: str, room) -> tuple[str, bool]:
    """A step that says that some exact number is not negative at the least parameters."""
    return f"{name}, at {WITNESS}: {float(sympy.N(room, 30)):.3g}", at_most(0, room)


def consequences(facts: set[str], rules) -> set[str]:
    """All facts that follow by the rules."""
    known = set(facts)
    while more := {gives for _, needs, gives in rules if known.issuperset(needs)} - known:
        known |= more
    return known


# the parts of a proof to which the facts belong
PART_OF = {"beta^2 >= (9/2) d^2 H^2 l": "bonus", "x <= 1/d": "condition A", "(A)": "condition A",
           "(B)": "conditions B and D", "(D)": "conditions B and D"}


def chain_of_the_theorem(conditions: dict, hypotheses, rules) -> list[tuple[str, bool]]:
    """The steps of all conditions, and whether the theorem follows."""
    outcomes = [text for fact, parts in conditions.items()
                for text in (PART_OF[fact], *((f"{fact}: {name}", truth) for name, truth in parts))]
    facts = {fact for fact, parts in conditions.items() if all(truth for _, truth in parts)}
    known = consequences(facts | set(hypotheses) | {"delta/2 + delta/2 = delta"}, rules)
    return [*outcomes, "theorem", *((f"follows: {goal}", goal in known) for goal in GOAL)]


HYPOTHESES = ("Algorithm 1", "bonus uncapped inside Q", "rewards in [0, 1]")


@claim("thm-layerwise-repaired", plants=3,
       false={"absolute constant 5 * 10^6: (N_0 x)^c/(c N_0) is 0.90 at " + WITNESS: {"shrink": 4}},
       as_printed={"the printed cap on the bonus": {"hypotheses": ("Algorithm 1", "rewards in [0, 1]")}})
def theorem_with_n_in_beta(text, theorem=printed("thm-layerwise"), count=printed("ineq-deployment-count"),
                           regression=printed("lem-concentration-repaired"), test=printed("res-chernoff-bonus"),
                           hypotheses=HYPOTHESES, shrink=1):
    """From the lemmas to the theorem, beta with N in its logarithm: Part (a): the conditions of Theorem C.6, repaired,
    then the rules, for all d, H, epsilon, delta, c_K and N.

    `shrink` divides N_0.
    """
    part = "(a) With"
    scale = constants.with_batch(text, part, c_beta=text(r"c_\beta=", after=part, numbers=Rational))
    result = sizes(text, theorem, part, scale, shrink)
    beyond = constants.beyond_the_bound(result)
    shared = [*constants.logarithms_at_the_bound(result), *constants.all_steps(beyond)]
    conditions = {fact: [*shared, *parts] for fact, parts in constants.conditions_at_the_bound(result).items()}
    conditions["x <= 1/d"] = beyond["x <= 1/d"]
    conditions["beta^2 >= (9/2) d^2 H^2 l"] = [("by definition", at_most(Rational(9, 2), scale)),
                                               *beta_at_the_least_parameters(result.constant, scale, 1, True)]
    K = text("", after="stops within", c_K=c, d=d, H=H)
    return steps([*chain_of_the_theorem(conditions, hypotheses, CHAIN), *promised(K, text, count, regression, test)],
                 "dH >= 2, 0 < epsilon <= 1, 0 < delta < 1, real c_K >= 2, every N >= N_0; c_beta = 3/sqrt 2, "
                 f"c = {result.constant}")


@claim("thm-layerwise-repaired", covers="part (b), the printed beta", plants=6,
       false={"absolute constant 3.4 * 10^7: C H d^2 L^2 < 5776^2 at " + WITNESS: {"shrink": Rational(35, 34)},
              "N up to N_0^{7/3}: (9/2) l exceeds 361 L at " + WITNESS: {"beyond": Rational(1, 3)}})
def theorem_with_the_printed_beta(text, theorem=printed("thm-layerwise"), count=printed("ineq-deployment-count"),
                                  regression=printed("lem-concentration-repaired"), test=printed("res-chernoff-bonus"),
                                  beyond=0, shrink=1):
    """From the lemmas to the theorem, beta as printed: Part (b): beta = 19 dH sqrt(log(dH/(delta epsilon))), for all N
    from N_0 to its square.

    `beyond` is added to the power of N_0 up to which N may be; `shrink` divides N_0.
    """
    part = "(b) With"
    c_beta = text(r"c_\beta=", after=part, numbers=Rational)
    beta = text(r"\beta=", after=part, c_beta=c_beta, d=d, H=H, epsilon=e, delta=DELTA)
    result = sizes(text, theorem, part, number(beta**2 / (d**2 * H**2 * L)), shrink)
    power = number(log(text("", after="$N_0$ to", N_0=sympy.E))) + beyond
    conditions = conditions_with_the_printed_beta(result, power)
    K = text("", after="stops within", c_K=c, d=d, H=H)
    return steps([*chain_of_the_theorem(conditions, HYPOTHESES, CHAIN), *promised(K, text, count, regression, test)],
                 f"dH >= 2, 0 < epsilon <= 1, 0 < delta < 1, real c_K >= 2, N_0 <= N <= N_0^{power}; "
                 f"c_beta = {c_beta}, c = {result.constant}")


@claim("thm-layerwise-repaired", method="exhaustive", covers="the chain of rules",
       false={"the printed overestimation, which assumes nothing about the cap": {
                  "rules": (*CHAIN, ("lem-overestimation", ("Algorithm 1",),
                                     "truncated suboptimality <= expected bonus"))}})
def every_rule_is_needed(rules=CHAIN):
    """No lemma is idle, none is missing: Leaves out the rules one by one: the theorem must fail; and the lemmas are
    those that claims.yml names."""
    start = {*HYPOTHESES, "delta/2 + delta/2 = delta", "x <= 1/d", "(A)", "(B)", "(D)", "beta^2 >= (9/2) d^2 H^2 l"}
    needed = sum(not consequences(start, rules[:i] + rules[i + 1:]).issuperset(GOAL) for i in range(len(rules)))
    named = set(load()["thm-layerwise-repaired"].uses_proof)
    return steps([("with all rules the theorem follows", consequences(start, rules).issuperset(GOAL)),
                  ("without any one of them it does not", needed == len(rules)),
                  ("claims.yml names the same lemmas", set(LEMMAS) <= named)], f"{len(rules)} rules")
