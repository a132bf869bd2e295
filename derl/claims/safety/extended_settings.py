"""These checks establish the remarks of Appendix F on small batches and on safe mixtures, and refute one of them.

The mixture chooses between a cautious policy p and an exploring policy o once per trajectory. Values are linear in it,
so the constants come from exact planning on small instances, and three deployments on two arms break the refuted
conclusion.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import sympy
from sympy import Rational

from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import values_fit
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, by_sign, by_sign_at_least, equal, same_fraction, same_operator
from derl.mdp import exact
from derl.printed import BEGINNING
from derl.theory.safety import mixture

s, t = sympy.symbols("s t", nonnegative=True)


# --- F.1 ---------------------------------------------------------------------------------------------------------

@claim("text-emulation", false={"one deployment less": {"extra": 1}})
def repeated_deployments_make_a_batch(text, extra=0):
    """The ceiling, and no fewer: N = q N_0 + r, 1 <= r <= N_0: q + 1 deployments give N_0 - r >= 0 more than N, q
    deployments r too few."""
    q, r = sympy.symbols("q r", positive=True)
    allowed = r + t  # N_0 >= r
    size = q * allowed + r
    outcomes = [("q + 1 deployments are enough", at_least((q + 1 - extra) * allowed, size, q, r, t))]
    for size_, most in product(range(1, 30), range(1, 12)):
        allowed_ = text("", after="may use at most", N_0=most)
        needed = int(text("", after="may use at most $N_0$ trajectories,", N=size_, N_0=allowed_))
        outcomes.append((f"N = {size_}, N_0 = {most}",
                         every(at_most(size_, needed * allowed_), less_than((needed - 1) * allowed_, size_),
                               exactly(int(needed > 1), int(size_ in text.range("N", N_0=allowed_))),
                               exactly(text("", after="deployments become", K=7, N=size_, N_0=allowed_), 7 * needed))))
    return steps(outcomes, scope="all N, N_0 >= 1; K batches of N become K ceil(N/N_0) of N_0, with the same joint law")


# --- F.2: the constraint and the mixture -------------------------------------------------------------------------

@claim("eq-safety", false={"half of it": {"allowed": Rational(1, 2)}})
def drift_adds_up(text, allowed=1):
    """Drift in K deployments, for all K: The loss J_1 - J_K is at most that of the text for every K; it is equal to it
    where each deployment loses what (c) allows."""
    k, epsilon, room, slack = sympy.symbols("k epsilon room slack", nonnegative=True)
    before, after = (-allowed * text("", after="a loss of", K=k + more, epsilon=epsilon) for more in (1, 2))
    following = text(r"J(\pi_{i+1})\ge", {r"J(\pi_i)": before + room}, epsilon=epsilon)  # J_{k+2} - J_1
    return [
        "induction",
        ("J_1 >= J_1, and J_{k+2} >= J_1 - (k+1) epsilon", every(
            equal(before.subs(k, 0), 0), at_least(following + slack, after, k, epsilon, room, slack))),
        "attained",
        ("equal steps of epsilon are allowed", equal(following.subs(room, 0), after)),
    ]


@claim("eq-safety", method="exhaustive", covers="K = 4 on a grid", gap="K = 4, values 0, 1/8, ..., 1",
       false={"five deployments": {"K": 5}})
def safe_sequences_may_drift(text, K=4):
    """What (c) allows in K deployments: Largest J_1 - J_K over all sequences of K = 4 values on a grid that satisfy
    (c): exactly that of the text."""
    epsilon, grid = Fraction(1, 4), [Fraction(k, 8) for k in range(9)]
    least = {value: text(r"J(\pi_{i+1})\ge", {r"J(\pi_i)": value}, epsilon=epsilon) for value in grid}
    worst = max(values[0] - values[-1] for values in product(grid, repeat=4)
                if all(after >= least[before] for before, after in pairwise(values)))
    return Evidence(worst, text("", after="a loss of", K=K, epsilon=epsilon), "identity",
                    "K = 4, epsilon = 1/4, 9^4 sequences")


@claim("eq-mixture-improvement", title="Linear in the mixture, with the constant H",
       false={"a value of up to 2H": {"largest": 2}})
@claim("prop-mixture", title="Linear in the mixture, with the constant H")
def mixture_loses_at_most_alpha_horizon(text=printed("eq-mixture-improvement"), other=printed("prop-mixture"),
                                        largest=1):
    """J(pi_k) - J(pi_{k-1}) - [J(p) - J(pi_{k-1})] = -alpha (J(p) - J(o)) >= -alpha H for 0 <= J <= H."""
    alpha, horizon, below_top, above_zero = sympy.symbols("alpha horizon below_top above_zero", nonnegative=True)
    p, o, before = sympy.symbols("p o before", real=True)
    values = {r"J(\pi_{k,\mathrm{pessim}})": p, r"J(\pi_{k,\mathrm{optim}})": o}
    mixed, left = text(r"J(\pi_k)=", values, alpha=alpha), text(r"J(\pi_k)=...\ge", values, alpha=alpha, H=horizon)
    loss = (p - mixed).subs({p: largest * horizon - below_top, o: above_zero})
    order = other("", {r"O(\alpha)": other("", after="(With", alpha=alpha, H=horizon)}, after="instead of")
    gained, least = other.sides(r"J(\pi_k)-J(\pi_{k-1})\ge", values | {
        r"J(\pi_k)": mixed, r"J(\pi_{k-1})": before, r"O(\alpha)": order})
    return steps([
        values_fit(text.interval(after="For rewards in")), values_fit(other.interval(after="for rewards in")),
        ("the difference of the two sides is -alpha (J(p) - J(o))",
         same_operator(mixed + before + alpha * (p - o), before + p)),
        ("J(p) <= H and J(o) >= 0: at most alpha H is lost",
         every(at_least(p - left, loss, alpha, horizon, below_top, above_zero),
               same_operator(p - left, order),
               at_least((gained - least).subs({p: largest * horizon - below_top, o: above_zero}), 0,
                        alpha, horizon, below_top, above_zero),
               same_operator(mixed, mixture.mixed_value(alpha, p, o)))),
    ], scope="all alpha in [0, 1], all H, rewards in [0, 1]; mixture at the level of trajectories")


def two_by_two() -> exact.ExactMDP:
    """Three layers, two states, two actions, d = 2, everything random."""
    phi = np.tile(exact.rationals([[[1, 0], ["1/2", "1/2"]], [["1/4", "3/4"], [0, 1]]]), (3, 1, 1, 1))
    mu = np.tile(exact.rationals([["2/3", "1/3"], ["1/5", "4/5"]]), (3, 1, 1))
    return exact.ExactMDP(phi, mu, exact.rationals([["1/2", 1], [0, 1], [1, "1/3"]]), exact.rationals(["1/2", "1/2"]))


def one_mistake_ends_it(horizon: int) -> exact.ExactMDP:
    """Action 0 pays 1 and stays; action 1 pays nothing, and nothing is paid afterwards."""
    one, none = Fraction(1), Fraction(0)
    phi = np.full((horizon, 2, 2, 2), none, dtype=object)
    phi[:, 0, 0], phi[:, 0, 1], phi[:, 1] = [one, none], [none, one], [none, one]
    mu = np.full((horizon, 2, 2), none, dtype=object)
    mu[:, 0, 0] = mu[:, 1, 1] = one
    theta = np.full((horizon, 2), none, dtype=object)
    theta[:, 0] = one
    return exact.ExactMDP(phi, mu, theta, np.array([one, none], dtype=object))


@claim("res-mixture-constant",
       false={"mixing at every step": {"level": "step"},
              "the strict inequality for H = 1 too": {"shorter": 1}})
def one_mistake_is_worth_alpha_horizon(text, level="trajectory", shorter=0):
    """One mistake ends it, for every H and alpha: Backward steps for J(p) = H and J(o) = 0; q = 1 - alpha: the sum of
    q^h, h = 1, ..., H, against q H."""
    n, more = sympy.symbols("n more", nonnegative=True)  # n: how many layers are left
    alpha, spare, power = sympy.symbols("alpha spare power", positive=True)
    chances = text.range(r"\alpha")
    q, small = 1 - alpha, 1 - chances.low - (chances.high - chances.low) * alpha / (alpha + spare)
    ahead = q * (1 - power) / (1 - q)  # q + ... + q^n for power = q^n
    horizon = text.range("H").low - shorter + more
    kept = mixture.mixed_value(alpha, n, 0) if level == "trajectory" else ahead

    def backward(chance, later):  # action 0 with this chance: 1 and the value of the next layer; otherwise nothing
        return chance * (1 + later)

    return steps([
        "one mistake",
        ("one layer more of action 0: from n to n + 1; of action 1: 0",
         exactly((backward(1, n), backward(0, n)), (n + 1, 0))),
        ("the mixture is worth (1 - alpha) H, alpha H less than J(p) = H", 
         same_fraction(n - kept, text("", after=BEGINNING, alpha=alpha, H=n))),
        "coin at every step",
        ("a coin at every step: q (1 + q + ... + q^n) = q + ... + q^{n+1}",
         same_fraction(backward(q, ahead), q * (1 - q * power) / (1 - q))),
        ("q^{h+1} <= q^h", by_sign_at_least(power, small * power)),
        ("q + (H-1) q^2 < q H for H >= 2", by_sign(small * horizon, small + (horizon - 1) * small**2)),
    ], "all H >= 1, all alpha; the last two steps for H >= 2 and 0 < alpha < 1")


@claim("res-mixture-constant", method="exhaustive", covers="H up to 12, three alpha", gap="H up to 12, three alpha",
       plants=3,
       false={"mixing at every step": {"level": "step"}})
def constant_of_the_mixture_is_attained(text, level="trajectory"):
    """One mistake ends it, by exact planning: J(p) - J(mixture) against alpha H, and the value sum_h (1-alpha)^h of
    mixing at every step, by exact planning."""
    off = Fraction(0)
    for horizon, alpha in product(range(1, 13), (Fraction(1, 10), Fraction(1, 3), Fraction(1))):
        mdp = one_mistake_ends_it(horizon)
        cautious, exploring = (exact.evaluate(mdp, np.full((horizon, 2), a)).value for a in (0, 1))
        stepwise = np.full((horizon, 2, 2), 1 - alpha, dtype=object)
        stepwise[..., 1] = alpha
        value = exact.evaluate(mdp, stepwise).value
        off += abs(value - text("", after="has the value", H=horizon, alpha=alpha))
        off += abs(value - mixture.stepwise_value(alpha, horizon))
        off += horizon > 1 and alpha < 1 and not value < text("", after="which is less than", H=horizon, alpha=alpha)
        kept = mixture.mixed_value(alpha, cautious, exploring) if level == "trajectory" else value
        off += abs(cautious - kept - text("", after=BEGINNING, alpha=alpha, H=horizon))
    return Evidence(off, 0, "identity", "H = 1, ..., 12, alpha in 1/10, 1/3, 1, exact planning")


@claim("text-mixture-safety", false={"values up to 2H": {"promised": 2}})
def small_mixtures_are_safe(text, promised=1):
    """alpha <= (epsilon - eta)/H: J(p) >= J(pi_{k-1}) - eta and alpha <= (epsilon - eta)/H give J(pi_k) >= J(pi_{k-1})
    - epsilon."""
    before, gain, eta, spare, share, horizon = sympy.symbols("before gain eta spare share horizon", nonnegative=True)
    epsilon = eta + spare  # epsilon >= eta
    lost = share * horizon  # alpha H, at most room (epsilon - eta)
    cautious = text("", {r"\pi_{k-1}": before}, after="algorithm improves on") - eta + gain
    room = promised * text(r"\alpha\le", epsilon=epsilon, eta=eta, H=1 + horizon) * (1 + horizon)
    earlier = [Fraction(1), Fraction(1, 3), Fraction(1, 7), Fraction(1, 2)]  # J of the policies before
    differs = [k for k in range(2, 6) if sum(earlier[:k - 1]) / (k - 1) != text(
        "", {r"\pi_{k-1}": earlier[k - 2]}, after="their data, which is not")]
    return steps([
        ("J(pi_k) - J(pi_{k-1}) + epsilon >= epsilon - eta - alpha H",
         same_operator(cautious + epsilon + eta + lost, lost + before + gain + epsilon)),
        ("which is >= 0 for alpha H <= epsilon - eta",
         at_least(gain + spare, room / (1 + t), gain, spare, t)),
        ("the average of all earlier policies is not the last one for k >= 3",
         exactly(differs, [*range(int(text.range("k").low), 6)])),
    ], scope="all H, 0 <= eta <= epsilon, 0 <= alpha <= (epsilon - eta)/H, rewards in [0, 1]")


def two_arms(horizon: int) -> exact.ExactMDP:
    """One state; action 0 pays nothing, action 1 pays 1."""
    phi = np.tile(exact.rationals([[1, 0], [0, 1]]), (horizon, 1, 1, 1))
    return exact.ExactMDP(phi, np.ones((horizon, 2, 1), int), exact.rationals([[0, 1]] * horizon), np.array([1]))


@claim("text-mixture-conclusion", method="exhaustive", refutes=True,
       title="A guarantee that is kept, and constraint (c) broken",
       words="it has no formula; how far constraint (c) is missed is read of {claim}`res-mixture-pooled`",
       as_corrected={"a guarantee against the deployment before": {"reference": "last"}})
@claim("res-mixture-pooled", method="exhaustive",
       gap="H = 1, ..., 6 and four alpha on the instance; the values are linear in H", title="No worse than its data")
def pooled_guarantee_is_not_enough(text, reference="pooled"):
    """J(pi_2) - J(pi_3) is (1 - alpha)^2 H/2 for three deployments of Algorithm 7 whose optimist is always right.

    On two arms J(pi_1) = alpha H and J(pi_2) = H, and the third pessimist, worth (1 + alpha) H/2, is as good as its
    data.
    """
    off = Fraction(0)
    for horizon, alpha in product(range(1, 7), (Fraction(1, 1000), Fraction(1, 10), Fraction(1, 3), Fraction(1, 2))):
        mdp, deployed = two_arms(horizon), []
        for k in (1, 2, 3):
            first, last = (int(text("", {"D_1": 1, "D_{k-1}": k - 1}, after="The data", skip=skip))
                           for skip in (0, 2))
            data = deployed[first - 1:last]
            pooled = sum(data, Fraction(0)) / max(1, len(data))  # share of action 1 in all data
            kept = pooled if reference == "pooled" or k < 3 else deployed[-1]
            cautious = {1: Fraction(0), 2: Fraction(1), 3: kept}[k]  # at least `kept`, as the guarantee says
            deployed.append((1 - alpha) * cautious + alpha)
        values = [exact.evaluate(mdp, np.tile([1 - share, share], (horizon, 1, 1))).value for share in deployed]
        off += abs(text(r"J(\pi_3)=", {r"J(\pi_2)": values[1]}, alpha=alpha, H=horizon) - values[2])
    return Evidence(off, 0, "identity", "H = 1, ..., 6, alpha = 1/1000, 1/10, 1/3, 1/2; D = {D_1, ..., D_{k-1}}")
